"""How a page looks: nothing is cut off or sticks out, in both themes and in wide and narrow windows."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from tests.browser.needs import AXE

if TYPE_CHECKING:
    from playwright.sync_api import Page

#: A folder for pictures; empty: none are taken.
PICTURES = os.environ.get("CAPTURE_LSP_SCREENSHOTS", "")
THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
WIDTHS = (1280, 800)

#: Text that sticks out of the window, or is cut off where nothing (a scroll bar, an ellipsis with a title) helps.
_CUT = """() => {
  const found = [];
  const scrolls = (one) => ["auto", "scroll"].includes(getComputedStyle(one).overflowX);
  const told = (one) => [one, ...one.querySelectorAll("*")].some((part) => part.closest("[title]") !== null);
  const width = document.documentElement.clientWidth;
  const all = document.scrollingElement.scrollWidth;
  if (all > width) found.push(`the page is ${all} wide`);
  for (const one of document.querySelectorAll("#app *")) {
    if (one.closest("svg, .visually-hidden, .skip-link") || one.getClientRects().length === 0) continue;
    const ancestors = [];
    for (let up = one; up !== null; up = up.parentElement) ancestors.push(up);
    if (ancestors.some((up) => up.closest(".visually-hidden"))) continue;
    const text = [...one.childNodes].filter((node) => node.nodeType === 3).map((node) => node.data.trim()).join("");
    const name = `${one.tagName.toLowerCase()}.${one.className}: ${one.textContent.slice(0, 60)}`;
    if (text !== "" && !ancestors.some(scrolls)) {
      const box = one.getBoundingClientRect();
      if (box.right > width + 1 || box.left < -1) found.push(`beyond the window: ${name}`);
    }
    const {width: across, height: down} = one.getBoundingClientRect();
    if (text.length > 12 && down > 200 && across < 40) found.push(`squeezed: ${name}`);
    const style = getComputedStyle(one);
    if (["hidden", "clip"].includes(style.overflowX) && one.scrollWidth > one.clientWidth + 1
        && one.textContent.trim() !== "" && !(style.textOverflow === "ellipsis" && told(one)) && one.clientWidth > 2)
      found.push(`cut: ${name}`);
  }
  return found;
}"""


def looked_at(page: Page, name: str) -> list[str]:
    """What is wrong in the page as it is, in each theme and width; pictures of it where they are wanted."""
    found = []
    for theme in THEMES:
        page.emulate_media(color_scheme=theme)
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 900})
            found += [f"{theme} {width}: {one}" for one in page.evaluate(_CUT)]
            if PICTURES:
                page.screenshot(path=Path(PICTURES) / f"{name}-{width}-{theme}.png", full_page=True)
    return found


@cache
def axe() -> str:
    """The source of axe-core."""
    return AXE.read_text(encoding="utf-8")


def inaccessible(page: Page) -> list[str]:
    """Serious and critical violations that axe-core finds, in both themes."""
    found = []
    for theme in THEMES:
        page.emulate_media(color_scheme=theme)
        page.evaluate(axe())
        seen: dict[str, Any] = page.evaluate("() => axe.run(document, {resultTypes: ['violations']})")
        found += [
            f"{theme}: {one['id']}: {one['help']}: {node['html'][:200]} {node['failureSummary'][:300]}"
            for one in seen["violations"]
            if one["impact"] in ("serious", "critical")
            for node in one["nodes"]
        ]
    return found
