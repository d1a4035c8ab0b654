"""`capture-lsp/viewChanged`: tells clients with a view of their own when that of a file is to be asked for again."""

from __future__ import annotations

import os
from dataclasses import dataclass

from capture_lsp.probe.functions import functions_of
from capture_lsp.server.capture_view import has_entries
from capture_lsp.server.documents import Document
from capture_lsp.server.language_server import CaptureServer
from capture_lsp.server.probing import Probing
from capture_lsp.server.verdicts import Probed

METHOD = "capture-lsp/viewChanged"


@dataclass(frozen=True)
class _Made:
    """What views are made of: the probes, and the texts of the files that they ran; of files that are not open, the
    time of their last change."""

    probed: tuple[Probed, ...]
    texts: tuple[object, ...]


class Told:
    """Remembers of what each file's view was made when it was told of last."""

    def __init__(self, server: CaptureServer, probing: Probing) -> None:
        self._server = server
        self._probing = probing
        self._told: dict[str, _Made] = {}

    def changed(self, document: Document) -> None:
        """A document has a new result. Files that were closed have none, but lose their probes, too."""
        if not self._server.session.capture_view:
            return
        documents = self._server.session.documents
        for uri in [document.uri, *(uri for uri in self._told if documents.get(uri) is None)]:
            before = self._told.get(uri)
            if not has_entries(self._probing, uri):
                if before is not None:
                    del self._told[uri]
                    self._tell(uri)
                continue
            made = self._made()
            if before is not None and before.probed == made.probed and functions_of(document.text.plain) is None:
                continue  # while something is being written no place is known; the client keeps what it shows
            if before != made:
                self._told[uri] = made
                self._tell(uri)

    def _made(self) -> _Made:
        probed = self._probing.verdicts.probed
        return _Made(probed, tuple(self._text(path) for path in dict.fromkeys(p for one in probed for p in one.texts)))

    def _text(self, path: str) -> object:
        document = self._server.session.documents.at(path)
        if document is not None:
            return document.text
        try:
            return os.stat(path).st_mtime_ns
        except OSError:
            return None

    def _tell(self, uri: str) -> None:
        self._server.protocol.notify(METHOD, {"uri": uri})


def register(server: CaptureServer, probing: Probing) -> None:
    """To be added after what shows diagnostics: the client is told of those first."""
    server.session.changed.append(Told(server, probing).changed)
