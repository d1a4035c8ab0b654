"""Progress that the client shows, and lets the user cancel."""

from __future__ import annotations

import logging
import uuid

from lsprotocol import types

from capture_lsp.server.language_server import CaptureServer

log = logging.getLogger(__name__)


class Progress:
    """One piece of work. `stop` is set, from whichever thread it is read, when the user cancels the work or the client
    the command; `outcome` is what its end says. A client that shows no progress gets messages of the beginning and the
    end, unless it is `quiet`."""

    def __init__(self, server: CaptureServer, title: str, quiet: bool = False) -> None:
        self.stop = server.protocol.stop
        self.outcome = ""
        self._server = server
        self._title = title
        self._quiet = quiet
        self._token: str | None = None

    async def __aenter__(self) -> Progress:
        if not self._shown:
            self._say("…")
            return self
        token = f"capture-lsp-{uuid.uuid4()}"
        shown = self._server.work_done_progress
        try:
            await shown.create_async(token)
        except Exception as error:  # the client's own trouble; the work is done without
            log.warning("the client shows no progress: %s", error)
            return self
        self._token = token
        shown.tokens[token].add_done_callback(lambda future: self.stop.set() if future.cancelled() else None)
        shown.begin(token, types.WorkDoneProgressBegin(self._title, cancellable=True))
        return self

    def _say(self, text: str) -> None:
        if not self._quiet:
            self._server.tell(f"{self._title}{text}", "info")

    @property
    def _shown(self) -> bool:
        return self._server.supports("window.work_done_progress")

    def tell(self, text: str) -> None:
        """Say what goes on; from any thread."""
        self._server.in_loop(self._report, text)

    def _report(self, text: str) -> None:
        if self._token is not None:
            self._server.work_done_progress.report(self._token, types.WorkDoneProgressReport(message=text))

    async def __aexit__(self, *_: object) -> None:
        token, self._token = self._token, None
        message = "cancelled" if self.stop.is_set() else self.outcome or None
        if not self._shown and message is not None:
            self._say(f": {message}")
        if token is not None:
            self._server.work_done_progress.end(token, types.WorkDoneProgressEnd(message=message))
            self._server.work_done_progress.tokens.pop(token, None)
