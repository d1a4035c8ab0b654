"""Which files of the workspace capture something: their calls make functions of the open files roots, as in a check of
the whole workspace.

In a thread of its own, which only reads. Files that did not change are not read again.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from analyzer.api import may_capture
from capture_lsp.config.settings import Resolver
from capture_lsp.discovery import discover
from capture_lsp.errors import UserError
from capture_lsp.reading import read_bytes, stamp
from capture_lsp.server.language_server import CaptureServer

log = logging.getLogger(__name__)

#: In a larger workspace the files that come after are not looked at.
MOST_FILES = 20_000
#: Larger files are not read.
MOST_BYTES = 1_000_000
#: After each file the thread gives way for so long (s): somebody may be typing.
_PAUSE = 0.0005

#: The folders of a workspace, each with the settings that come before its configuration files.
Folders = Mapping[str, Mapping[str, Any]]


class WorkspaceScan:
    """`found` is called in the scan's thread with the files that may capture something, whenever they are others."""

    def __init__(self, found: Callable[[tuple[str, ...]], None]) -> None:
        self._found = found
        self._last: tuple[str, ...] = ()
        self._looks: dict[str, tuple[int, int, bool]] = {}
        self._asked: Folders | None = None
        self._stopped = False
        self._wake = threading.Condition()
        self._thread = threading.Thread(target=self._work, name="workspace scan", daemon=True)

    def ask(self, folders: Folders) -> None:
        """Look at the workspace, again perhaps; a scan that goes on is given up."""
        with self._wake:
            if self._thread.ident is None:
                self._thread.start()
            self._asked = folders
            self._wake.notify()

    def stop(self) -> None:
        """Look at nothing more."""
        with self._wake:
            self._stopped = True
            self._wake.notify()

    def _work(self) -> None:
        while True:
            with self._wake:
                self._wake.wait_for(lambda: self._asked is not None or self._stopped)
                if self._stopped:
                    return
                folders, self._asked = self._asked, None
            assert folders is not None
            try:
                found = self._scan(folders)
            except Exception:  # nothing but these further roots depends on it
                log.exception("the workspace was not looked at")
                continue
            if found is not None and found != self._last:
                self._last = found
                self._found(found)

    def _scan(self, folders: Folders) -> tuple[str, ...] | None:
        """The files that capture something; None if the scan was given up."""
        looks: dict[str, tuple[int, int, bool]] = {}
        for path in _files(folders):
            if self._stopped or self._asked is not None:
                return None
            if len(looks) == MOST_FILES:
                log.warning("more than %d files: capture calls in the others do not count", MOST_FILES)
                break
            look = self._look(path)
            if look is not None:
                looks[path] = look
        self._looks = looks
        return tuple(path for path, look in looks.items() if look[2])

    def _look(self, path: str) -> tuple[int, int, bool] | None:
        now, known = stamp(path), self._looks.get(path)
        if now is None:
            return None
        if known is not None and known[:2] == now:
            return known
        time.sleep(_PAUSE)
        raw = read_bytes(path, MOST_BYTES)
        if not isinstance(raw, bytes):
            return None
        words = b"torch" in raw or b"triton" in raw  # spares remembering the others' texts
        return *now, words and may_capture(raw.decode("latin-1"))


def _files(folders: Folders) -> Iterator[str]:
    for folder, overrides in folders.items():
        try:
            yield from discover([folder], Resolver(folder, dict(overrides))).files
        except UserError as error:  # whoever opens a file there is told
            log.info("%s: %s", folder, error)


def register(server: CaptureServer) -> None:
    """Have the session know which files capture something."""
    session = server.session

    def take(found: tuple[str, ...]) -> None:
        opened = {document.path for document in session.documents}
        others = set(found) ^ set(session.capturing)
        session.capturing = found
        if others - opened:
            session.schedule()

    scan = WorkspaceScan(lambda found: server.in_loop(take, found))

    def changed() -> None:
        if session.folders:
            scan.ask({folder.path: folder.settings.overrides for folder in session.folders})

    server.workspace_changed.append(changed)
    server.ending.append(scan.stop)
