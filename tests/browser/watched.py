"""Opens pages and notes what goes wrong in them: errors, violations of their policy, requests to others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page, Route

#: Milliseconds that anything awaited may take.
PATIENCE = 120_000


class Watched:
    """The pages of one test. `requests`: the addresses that they asked for; `foreign`: those beyond the page's own
    server or file, none of which is let through."""

    def __init__(self, browser: Browser) -> None:
        self.requests: list[str] = []
        self.foreign: list[str] = []
        self.problems: list[str] = []
        self._browser = browser
        self._contexts: list[BrowserContext] = []

    def open(self, url: str, *, width: int = 1280, height: int = 900, theme: Any = "light") -> Page:
        """A page in a context of its own, that may ask its own origin alone; a file may ask for itself alone."""
        context = self._browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme=theme,
            reduced_motion="reduce",  # nothing is drawn over and over while the page waits
        )
        self._contexts.append(context)
        context.set_default_timeout(PATIENCE)
        own = url.split("#")[0] if url.startswith("file:") else "/".join(url.split("/")[:3]) + "/"

        def route(one: Route) -> None:
            asked = one.request.url
            self.requests.append(asked)
            if asked.startswith(own):
                one.continue_()
            else:
                self.foreign.append(asked)
                one.abort()

        context.route("**/*", route)
        page = context.new_page()
        page.on("pageerror", lambda error: self.problems.append(f"error: {error}"))
        page.on("console", lambda said: self._said(said.type, said.text))
        page.goto(url)
        return page

    def _said(self, kind: str, text: str) -> None:
        # Violations of the content security policy are among the errors.
        if kind in ("error", "warning", "assert"):
            self.problems.append(f"{kind}: {text}")

    def assert_well(self) -> None:
        assert self.problems == []
        assert self.foreign == []

    def close(self) -> None:
        for context in self._contexts:
            context.close()
