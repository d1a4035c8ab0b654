"""`capture-lsp/viewChanged`: tells clients with a view of their own when that of a file is to be asked for again."""

from __future__ import annotations

from capture_lsp.server.capture_view import probed_in
from capture_lsp.server.documents import Document
from capture_lsp.server.language_server import CaptureServer
from capture_lsp.server.probing import Probing

METHOD = "capture-lsp/viewChanged"


class Told:
    """Remembers of what each file's view was made when it was told of last."""

    def __init__(self, server: CaptureServer, probing: Probing) -> None:
        self._server = server
        self._probing = probing
        self._made_of: dict[str, list[object]] = {}

    def changed(self, document: Document) -> None:
        """A document has a new result. Files that were closed have none, but lose their probes, too."""
        if not self._server.session.capture_view:
            return
        closed = [uri for uri in self._made_of if self._server.session.documents.get(uri) is None]
        for uri in (document.uri, *closed):
            made_of = self._parts(uri)
            before = self._made_of.get(uri, [])
            if len(made_of) != len(before) or any(a is not b for a, b in zip(made_of, before)):
                self._made_of[uri] = made_of
                self._server.protocol.notify(METHOD, {"uri": uri})
            if not made_of:
                self._made_of.pop(uri, None)

    def _parts(self, uri: str) -> list[object]:
        """The probes, whether they hold, and the texts that their places are moved to."""
        found: list[object] = []
        documents = self._server.session.documents
        for probed in probed_in(self._probing, uri).values():
            opened = [document.text for path in probed.texts if (document := documents.at(path)) is not None]
            found += [probed, probed.fresh(self._probing.plain), *opened]
        return found


def register(server: CaptureServer, probing: Probing) -> None:
    """To be added after what shows diagnostics: the client is told of those first."""
    server.session.changed.append(Told(server, probing).changed)
