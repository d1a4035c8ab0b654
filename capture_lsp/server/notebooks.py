"""Notebooks, as the client tells of them: which cells there are, in which order, and what they hold."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from dataclasses import replace
from urllib.parse import urlsplit

from lsprotocol import types

from capture_lsp.reading import is_notebook
from capture_lsp.server.cells import Cell, ModuleText
from capture_lsp.server.documents import Document, Encoding, Span, Text
from capture_lsp.server.language_server import CaptureServer

log = logging.getLogger(__name__)

#: What the client is to tell of: every notebook with Python cells, and those cells alone.
SYNC = types.NotebookDocumentSyncOptions(
    notebook_selector=[types.NotebookDocumentFilterWithNotebook("*", [types.NotebookCellLanguage("python")])],
    save=True,
)

SpanOf = Callable[[types.TextDocumentContentChangeEvent], "Span | None"]


def register(server: CaptureServer, span_of: SpanOf) -> None:
    """Add the handlers."""
    documents = server.session.documents

    @server.feature(types.NOTEBOOK_DOCUMENT_DID_OPEN)
    def did_open(ls: CaptureServer, params: types.DidOpenNotebookDocumentParams) -> None:
        book = params.notebook_document
        texts = {item.uri: _opened(item, documents.encoding) for item in params.cell_text_documents}
        cells = tuple(_placed(cell, texts, documents.encoding) for cell in book.cells)
        document = Document(
            book.uri,
            _path(ls.session.path_of(book.uri)),
            "python",
            book.version,
            ModuleText.of(cells, documents.encoding),
        )
        documents.set_notebook(document, (cell.uri for cell in cells))
        ls.session.schedule()

    @server.feature(types.NOTEBOOK_DOCUMENT_DID_CHANGE)
    def did_change(ls: CaptureServer, params: types.DidChangeNotebookDocumentParams) -> None:
        document = documents.get(params.notebook_document.uri)
        if document is None or not isinstance(document.text, ModuleText):
            log.warning("a change of %s, which is not open", params.notebook_document.uri)
            return
        before = document.text
        document.version = params.notebook_document.version
        if params.change.cells is None:  # the notebook's metadata, which nothing depends on
            return
        cells = changed(before.cells, params.change.cells, documents.encoding, span_of)
        document.saved = False
        document.text = ModuleText.of(cells, documents.encoding)
        documents.set_notebook(document, (cell.uri for cell in cells))
        left = {cell.uri for cell in cells if cell.python}
        for uri in [cell.uri for cell in before.cells if cell.python and cell.uri not in left]:
            for listener in ls.cell_gone:
                listener(uri)
        ls.session.schedule()

    @server.feature(types.NOTEBOOK_DOCUMENT_DID_SAVE)
    def did_save(ls: CaptureServer, params: types.DidSaveNotebookDocumentParams) -> None:
        document = documents.get(params.notebook_document.uri)
        if document is not None:
            document.saved = True

    @server.feature(types.NOTEBOOK_DOCUMENT_DID_CLOSE)
    def did_close(ls: CaptureServer, params: types.DidCloseNotebookDocumentParams) -> None:
        document = documents.close(params.notebook_document.uri)
        if document is not None:
            ls.session.closed(document)
            for listener in ls.closed:
                listener(document)


def names_a_cell(uri: str) -> bool:
    """Whether a URI is by its form that of a cell: told of as a text, without its notebook, it is no program."""
    parts = urlsplit(uri)
    return parts.scheme.endswith("notebook-cell") or (is_notebook(parts.path) and bool(parts.fragment))


def changed(
    cells: Iterable[Cell], change: types.NotebookDocumentCellChanges, encoding: Encoding, span_of: SpanOf
) -> tuple[Cell, ...]:
    """The cells after a change."""
    found = list(cells)
    texts = {cell.uri: cell for cell in found}
    if change.structure is not None:
        opened = {item.uri: _opened(item, encoding) for item in change.structure.did_open or ()}
        texts.update(opened)  # one that is only moved keeps its text
        array = change.structure.array
        added = [_placed(cell, texts, encoding) for cell in array.cells or ()]
        found[array.start : array.start + array.delete_count] = added
        found = [replace(opened[cell.uri], code=cell.code) if cell.uri in opened else cell for cell in found]
    for about in change.data or ():
        found = [_of_kind(cell, about) if cell.uri == about.document else cell for cell in found]
    for content in change.text_content or ():
        identifier = content.document
        for number, cell in enumerate(found):
            if cell.uri == identifier.uri:
                text = cell.text
                for one in content.changes:
                    text = text.changed(span_of(one), one.text)
                found[number] = replace(cell, version=identifier.version, text=text)
    return tuple(found)


def _opened(item: types.TextDocumentItem, encoding: Encoding) -> Cell:
    return Cell(item.uri, item.version, Text(item.text, encoding), str(item.language_id))


def _placed(cell: types.NotebookCell, texts: dict[str, Cell], encoding: Encoding) -> Cell:
    """A cell of the list; one whose text the client keeps to itself is of no language."""
    return _of_kind(texts.get(cell.document) or Cell(cell.document, 0, Text("", encoding), ""), cell)


def _of_kind(cell: Cell, about: types.NotebookCell) -> Cell:
    return replace(cell, code=about.kind == types.NotebookCellKind.Code)


def _path(path: str) -> str:
    """By its path a notebook is known to be one, whatever the editor made it from."""
    return path if is_notebook(path) else f"{path}.ipynb"
