"""Inlay hints, off by default: `break → graph 2`, `frozen: 8`, `s0 ∈ [2, ∞)`, `unrolled ×12`, `guard`."""

from __future__ import annotations

from lsprotocol import types

from capture_lsp.server import convert, hints
from capture_lsp.server.documents import Document
from capture_lsp.server.language_server import CaptureServer
from capture_lsp.server.probing import Probing
from capture_lsp.server.session import Analysed

SETTING = "inlay-hints"
_Known = tuple[Analysed, list[hints.Hint]]


class Hints:
    """Makes the hints of a result once, and remembers what the client was told last."""

    def __init__(self, server: CaptureServer, probing: Probing) -> None:
        self._server = server
        self._probing = probing
        self._told: dict[str, _Known] = {}

    def of(self, document: Document, analysed: Analysed) -> list[hints.Hint]:
        """All hints of a document, in the order of the text. A stale probe has none."""
        if not self._server.session.own_of(document.uri, SETTING):
            return []
        path, text = analysed.result.path, analysed.text.plain
        found: list[hints.Hint] = []
        for probed in reversed(self._probing.verdicts.probed):  # the newest first
            if probed.text_then(path) is not None and probed.fresh(self._probing.plain):
                found += [h for h in hints.of_probe(probed, path, text) if not _known(h, found)]
        result = analysed.result
        found += hints.of_prediction(result.findings, result.suppressed, result.roots, path, text)
        return sorted(dict.fromkeys(found))

    def tell(self, document: Document, analysed: Analysed) -> list[hints.Hint]:
        found = self.of(document, analysed)
        self._told[document.uri] = (analysed, found)
        return found

    def changed(self, document: Document) -> None:
        """Have the client ask again, where the text that it asked about has other hints by now."""
        told, analysed = self._told.get(document.uri), self._server.session.current(document.uri)
        if told is None or analysed is None or told[0].text is not analysed.text:
            return  # after an edit it asks by itself
        if told[1] != self.of(document, analysed):
            del self._told[document.uri]
            if self._server.supports("workspace.inlay_hint.refresh_support"):
                self._server.workspace_inlay_hint_refresh(None)

    def closed(self, document: Document) -> None:
        self._told.pop(document.uri, None)


def register(server: CaptureServer, probing: Probing) -> None:
    """Add the handler."""
    made = Hints(server, probing)

    @server.feature(types.TEXT_DOCUMENT_INLAY_HINT)
    async def inlay_hints(ls: CaptureServer, params: types.InlayHintParams) -> list[types.InlayHint]:
        uri = params.text_document.uri
        analysed = await ls.session.settled(uri)
        document = ls.session.documents.get(uri)
        if analysed is None or document is None or document.text is not analysed.text:
            return []
        shown = []
        for hint in made.tell(document, analysed):
            if analysed.text.owner(hint.line, uri) != uri:
                continue
            at = convert.position(analysed.text, hint.line, hint.column)
            if convert.overlaps(types.Range(at, at), params.range):
                shown.append(types.InlayHint(at, hint.label, tooltip=hint.reason, padding_left=True))
        return shown

    server.session.changed.append(made.changed)
    server.closed.append(made.closed)


def _known(hint: hints.Hint, others: list[hints.Hint]) -> bool:
    """Whether a newer probe says something of this kind at this place."""
    kind = hint.label.split(" ", 1)[0]
    return any((o.line, o.column, o.label.split(" ", 1)[0]) == (hint.line, hint.column, kind) for o in others)
