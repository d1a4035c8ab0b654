"""`capture-lsp/state`: what the server does, and the torch of the project, for clients that show it.

A state is told when it is another than the last one. An analysis that is over soon is none.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from typing import Literal, TypedDict

from capture_lsp.errors import UserError
from capture_lsp.interpreter import find_environment
from capture_lsp.server import answers
from capture_lsp.server.documents import Document
from capture_lsp.server.language_server import CaptureServer
from capture_lsp.server.probing import Probing

METHOD = "capture-lsp/state"
#: An analysis that takes longer (s) is told of.
LONG = 0.15
#: Seconds after the start until torch is looked for, if no file is analysed before.
_QUIET = 1.0


class _Params(TypedDict):
    state: Literal["idle", "analysing", "probing", "error"]
    message: str
    torch: str | None


@dataclass(frozen=True)
class _Torch:
    """Of an interpreter. `found`: major and minor, from its files; `probed`: all that it said of itself."""

    python: str = ""
    found: tuple[int, int] | None = None
    probed: str = ""

    @property
    def shown(self) -> str | None:
        if self.found is None:
            return None
        version = ".".join(map(str, self.found))
        return self.probed if f"{self.probed}.".startswith(f"{version}.") else version


class State:
    """Used from the event loop's thread."""

    def __init__(self, server: CaptureServer, probing: Probing) -> None:
        self._server = server
        self._probing = probing
        self._torch = _Torch()
        self._looked = False
        self._analysing: asyncio.TimerHandle | None = None
        self._slow = False
        self._probes: list[str] = []
        self._wrong_analysis = ""
        self._wrong_probe = ""
        self._told: _Params | None = None
        self._due = False

    # what happens

    def analysis(self, runs: bool, problem: str) -> None:
        """An analysis is to come, or the newest one is done."""
        loop = asyncio.get_running_loop()
        if runs:
            if self._analysing is None:
                self._analysing = loop.call_later(LONG, self._takes_long)
            return
        if self._analysing is not None:
            self._analysing.cancel()
        self._analysing, self._slow, self._wrong_analysis = None, False, problem
        self._tell_soon()

    def probe_began(self, title: str) -> None:
        self._probes.append(title)
        self._wrong_probe = ""
        self._tell_soon()

    def probe_ended(self, title: str, torch: str, problem: str) -> None:
        """`torch`: that of the probe, if it ran."""
        self._probes.remove(title)
        self._wrong_probe = problem
        self._torch = replace(self._torch, probed=torch or self._torch.probed)
        self._tell_soon()

    def analysed(self, _: Document) -> None:
        """The first result is there: now there is time to look for torch."""
        self._look_once()

    def workspace(self) -> None:
        """Settings, folders or files are others; also once at the start."""
        self._tell_soon()
        if self._looked:
            self._look()
        else:
            asyncio.get_running_loop().call_later(_QUIET, self._look_once)

    def configured(self) -> None:
        """What is wrong with the interpreter may be mended."""
        self._wrong_probe = ""
        self._tell_soon()

    # what is told

    def _takes_long(self) -> None:
        self._slow = True
        self._tell_soon()

    def _tell_soon(self) -> None:
        if self._server.session.capture_view and not self._due:
            self._due = True
            asyncio.get_running_loop().call_soon(self._tell)

    def _tell(self) -> None:
        self._due = False
        now = self._now()
        if now != self._told:
            self._told = now
            self._server.protocol.notify(METHOD, now)

    def _now(self) -> _Params:
        torch = self._torch.shown
        if self._probes:
            return {"state": "probing", "message": self._probes[-1], "torch": torch}
        if self._slow:
            return {"state": "analysing", "message": "", "torch": torch}
        wrong = self._wrong_analysis or self._wrong_probe
        return {"state": "error" if wrong else "idle", "message": wrong, "torch": torch}

    def _look_once(self) -> None:
        if not self._looked:
            self._look()

    def _look(self) -> None:
        if self._server.session.capture_view:
            self._looked = True
            answers.background(self._server, self._find())

    async def _find(self) -> None:
        session = self._server.session
        opened = next((document.path for document in session.documents if document.python), None)
        try:
            settings = session.settings_of(opened or session.any_path())
        except UserError:  # a configuration that is being written
            return
        found = await asyncio.to_thread(find_environment, settings.base, settings.python)
        same = self._torch.python in ("", found.python)
        self._torch = _Torch(found.python, found.torch, self._torch.probed if same else "")
        self._tell_soon()


def register(server: CaptureServer, probing: Probing) -> None:
    """Follow what the server does."""
    state = State(server, probing)
    server.session.analysing.append(state.analysis)
    server.session.changed.append(state.analysed)
    server.session.configured.append(state.configured)
    server.workspace_changed.append(state.workspace)
    probing.began.append(state.probe_began)
    probing.ended.append(state.probe_ended)
