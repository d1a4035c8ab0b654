"""Notebooks: cells that are one module, and everything that is shown in the cell that it belongs to."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest
from lsprotocol import types as t

from tests.cli.conftest import BRANCH, Project

from .conftest import Client, Editor, Start, capabilities, places, range_
from .test_actions import actions, applied, by_title, eager, resolved

pytestmark = pytest.mark.asyncio

IMPORTS = "%matplotlib inline\nimport torch"
HELPER = "!pip list\ndef cool(x):\n    '😀'; return x.item()\n"
ROOT = """\
@torch.compile
def fn(x: torch.Tensor):
    if x.sum() > 0:
        x = x + 1
    else:
        x = x - 1
    return cool(x)"""
BOOK = (IMPORTS, HELPER, ROOT)


class Book:
    """A notebook that an editor has open."""

    def __init__(self, editor: Editor, name: str = "book.ipynb") -> None:
        self.editor = editor
        self.uri = editor.uri(name)
        self.version = 1
        self._versions: dict[str, int] = {}
        self._made = 0

    def cell(self, kind: t.NotebookCellKind = t.NotebookCellKind.Code) -> t.NotebookCell:
        self._made += 1
        path = self.uri.partition(":")[2]
        uri = f"vscode-notebook-cell:{path}#W{self._made}"
        self._versions[uri] = 1
        return t.NotebookCell(kind, uri)

    @staticmethod
    def item(cell: t.NotebookCell, text: str, language: str = "python") -> t.TextDocumentItem:
        return t.TextDocumentItem(cell.document, language, 1, text)

    def open(self, texts: Sequence[str] = BOOK, languages: dict[int, str] | None = None) -> list[str]:
        """Open it; the URIs of its cells."""
        cells = [self.cell() for _ in texts]
        items = [self.item(c, x, (languages or {}).get(n, "python")) for n, (c, x) in enumerate(zip(cells, texts))]
        book = t.NotebookDocument(self.uri, "jupyter-notebook", self.version, cells)
        self.client.notebook_document_did_open(t.DidOpenNotebookDocumentParams(book, items))
        return [cell.document for cell in cells]

    @property
    def client(self) -> Client:
        return self.editor.client

    def change(self, **how: Any) -> None:
        self.version += 1
        identifier = t.VersionedNotebookDocumentIdentifier(self.version, self.uri)
        event = t.NotebookDocumentChangeEvent(cells=t.NotebookDocumentCellChanges(**how))
        self.client.notebook_document_did_change(t.DidChangeNotebookDocumentParams(identifier, event))

    def splice(self, start: int, count: int, cells: Sequence[t.NotebookCell] = (), **how: Any) -> None:
        array = t.NotebookCellArrayChange(start, count, list(cells))
        self.change(structure=t.NotebookDocumentCellChangeStructure(array, **how))

    def edit(self, uri: str, text: str, span: tuple[int, int, int, int] | None = None) -> int:
        self._versions[uri] += 1
        change: Any = (
            t.TextDocumentContentChangeWholeDocument(text)
            if span is None
            else t.TextDocumentContentChangePartial(text=text, range=range_(*span))
        )
        identifier = t.VersionedTextDocumentIdentifier(self._versions[uri], uri)
        self.change(text_content=[t.NotebookDocumentCellContentChanges(identifier, [change])])
        return self._versions[uri]

    def close(self, cells: Sequence[str]) -> None:
        closed = [t.TextDocumentIdentifier(uri) for uri in cells]
        params = t.DidCloseNotebookDocumentParams(t.NotebookDocumentIdentifier(self.uri), closed)
        self.client.notebook_document_did_close(params)


TEST = ("CAP101", 2, 7, 2, 18)


async def test_findings_stand_in_their_cells(project: Project, start: Start) -> None:
    """They are those of the file: the same text as `check` sees."""
    editor = await start()
    sync = editor.result.capabilities.notebook_document_sync
    assert isinstance(sync, t.NotebookDocumentSyncOptions)
    assert sync.save
    book = Book(editor)
    first, helper, root = book.open()
    assert await editor.pushed(first) == []
    [item] = await editor.pushed(helper)
    [test] = await editor.pushed(root)
    assert places([test]) == [TEST]
    assert places([item])[0][1:3] == (2, 17)  # behind the emoji, in code units
    assert {r.location.uri for r in item.related_information or ()} == {root}
    assert set(editor.client.diagnostics) == {first, helper, root}
    cells = [{"cell_type": "code", "metadata": {}, "outputs": [], "source": text} for text in BOOK]
    project.write("book.ipynb", json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}))
    told = project.run("check", "--no-cache", "--output-format", "json", "book.ipynb").json["findings"]
    assert [(f["cell"], f["line"], f["code"]) for f in told] == [(2, 3, item.code), (3, 3, "CAP101")]


async def test_cells_are_edited_added_moved_and_removed(project: Project, start: Start) -> None:
    editor = await start()
    book = Book(editor)
    _, helper, root = book.open()
    assert places(await editor.pushed(root)) == [TEST]
    version = book.edit(root, "\n", (0, 0, 0, 0))
    assert places(await editor.pushed(root, version)) == [("CAP101", 3, 7, 3, 18)]
    # Added before it: its lines stay those of the cell.
    added = book.cell()
    count = len(editor.client.published)
    book.splice(1, 0, [added], did_open=[book.item(added, "def other(): pass\n\n\n")])
    assert places(await editor.pushed(root, version, count=count)) == [("CAP101", 3, 7, 3, 18)]
    assert await editor.pushed(added.document) == []
    # What was called is gone, the cell's diagnostics with it.
    count = len(editor.client.published)
    book.splice(2, 1, did_close=[t.TextDocumentIdentifier(helper)])
    assert await editor.pushed(helper, None, count=count) == []
    assert len(await editor.pushed(root, version, count=count)) == 1
    # Taken out, and put in again with another text.
    book.splice(2, 1)
    count = len(editor.client.published)
    back = t.NotebookCell(t.NotebookCellKind.Code, root)
    book.splice(0, 0, [back], did_open=[book.item(back, "x = 1")])
    assert await editor.pushed(root, 1, count=count) == []


async def test_a_move_keeps_the_text(project: Project, start: Start) -> None:
    editor = await start()
    book = Book(editor)
    root, first = book.open((BRANCH, "x = 1\n"))
    assert places(await editor.pushed(root)) == [("CAP101", 4, 7, 4, 18)]
    count = len(editor.client.published)
    cells = [t.NotebookCell(t.NotebookCellKind.Code, uri) for uri in (first, root)]
    book.splice(0, 2, cells)
    assert places(await editor.pushed(root, count=count)) == [("CAP101", 4, 7, 4, 18)]
    assert await editor.pushed(first, count=count) == []


async def test_other_languages_and_markup(project: Project, start: Start) -> None:
    editor = await start()
    book = Book(editor)
    sql, root = book.open(("select not python (", BRANCH), {0: "sql"})
    assert places(await editor.pushed(root)) == [("CAP101", 4, 7, 4, 18)]
    assert sql not in editor.client.diagnostics
    count = len(editor.client.published)
    book.change(data=[t.NotebookCell(t.NotebookCellKind.Markup, root)])
    assert await editor.pushed(root, None, count=count) == []
    count = len(editor.client.published)
    book.change(data=[t.NotebookCell(t.NotebookCellKind.Code, root)])
    assert len(await editor.pushed(root, count=count)) == 1
    # Of another language from now on.
    count = len(editor.client.published)
    item = t.TextDocumentItem(root, "julia", 2, BRANCH)
    book.splice(1, 1, [t.NotebookCell(t.NotebookCellKind.Code, root)], did_open=[item])
    assert await editor.pushed(root, None, count=count) == []


async def test_a_cell_that_does_not_parse(project: Project, start: Start) -> None:
    editor = await start()
    book = Book(editor)
    broken, root = book.open(("import torch\n  def half(:\n", BRANCH))
    [told] = await editor.pushed(broken)
    assert (told.code, told.range.start.line) == ("syntax", 1)
    assert told.message.startswith("not checked: ")
    assert "cell 1" not in told.message
    assert places(await editor.pushed(root)) == [("CAP101", 4, 7, 4, 18)]


async def test_hovers_lenses_and_pulled_diagnostics(project: Project, start: Start) -> None:
    editor = await start(caps=capabilities(pull=True))
    book = Book(editor)
    first, helper, root = book.open()
    report = await editor.pull(root)
    assert places(report.items) == [TEST]
    assert (await editor.pull(root, report.result_id)).kind == "unchanged"
    assert not (await editor.pull(first)).items
    assert editor.client.published == []
    shown = await editor.hover(helper, 2, 18)
    assert "CAP110" in shown
    assert "cell 3, line 2" in shown
    assert "CAP101" in await editor.hover(root, 2, 9)
    assert await editor.hover(first, 1, 8) == ""
    assert [lens.range.start.line for lens in await editor.lenses(root)] == [1]
    assert await editor.lenses(helper) == []
    assert "notebooks cannot be probed" in await editor.hover(root, 1, 5)
    answer = await editor.run("capture-lsp.probe", root, "fn")
    assert answer["status"] == "failed"
    assert await editor.messages("notebooks cannot be probed: export it as a script")


@pytest.mark.parametrize("caps", [None, eager()])
async def test_edits_go_to_the_cell(project: Project, start: Start, caps: t.ClientCapabilities | None) -> None:
    editor = await start(caps=caps)
    book = Book(editor)
    first, _, root = book.open()
    await editor.pushed(root)
    found = await actions(editor, root, range_(2, 9, 2, 9), ["quickfix"])
    assert not any("Probe" in action.title for action in found)
    assert await actions(editor, first, range_(1, 0, 1, 9), ["quickfix"]) == []

    async def new(begins: str, uri: str, text: str) -> str:
        action = by_title(found, begins)
        return applied(text, (action if action.edit else await resolved(editor, action)).edit, uri)

    assert "> 0:  # capture: ignore[CAP101]\n" in await new("Suppress CAP101 on this line", root, ROOT)
    assert "# capture: ignore[CAP101]" in (await new("Suppress CAP101 in fn", root, ROOT)).split("\n")[1]
    # Never before a magic of the cell.
    top = await new("Suppress CAP101 in this notebook", first, IMPORTS)
    assert top == "%matplotlib inline\n# capture: ignore-file[CAP101]\nimport torch"
    count = len(editor.client.published)
    book.edit(first, top)
    assert await editor.pushed(root, count=count) == []


async def test_fix_all_of_a_notebook(project: Project, start: Start) -> None:
    editor = await start()
    book = Book(editor)
    _, _, root = book.open()
    await editor.pushed(root)
    [action] = await actions(editor, root, range_(0, 0, 0, 0), ["source.fixAll"])
    text = applied(ROOT, (await resolved(editor, action)).edit, root)
    assert "torch.where(x.sum() > 0, x + 1, x - 1)" in text
    version = book.edit(root, text)
    assert await editor.pushed(root, version) == []


async def test_a_cell_told_of_as_a_text_is_no_file(project: Project, start: Start) -> None:
    editor = await start()
    book = Book(editor)
    early = f"vscode-notebook-cell:{book.uri.partition(':')[2]}#W1"
    item = t.TextDocumentItem(early, "python", 1, BRANCH)
    editor.client.text_document_did_open(t.DidOpenTextDocumentParams(item))
    [root] = book.open((BRANCH,))
    assert root == early
    assert len(await editor.pushed(root)) == 1
    editor.client.text_document_did_open(t.DidOpenTextDocumentParams(item))
    editor._versions[root] = 1
    editor.change(root, "nothing")
    editor.close(root)
    version = book.edit(root, BRANCH + "\n")
    assert len(await editor.pushed(root, version)) == 1
    count = len(editor.client.published)
    book.close([root])
    assert await editor.pushed(root, None, count=count) == []
    assert await editor.hover(root, 4, 9) == ""


async def test_settings_are_those_of_the_notebook_s_folder(project: Project, start: Start) -> None:
    project.write("inner/capture-lsp.toml", "severity = {CAP101 = 'hint'}\n[per-file-ignores]\n'off.ipynb' = ['ALL']\n")
    editor = await start()
    [root] = Book(editor, "inner/book.ipynb").open((BRANCH,))
    [found] = await editor.pushed(root)
    assert found.severity == t.DiagnosticSeverity.Hint
    [off] = Book(editor, "inner/off.ipynb").open((BRANCH,))
    assert await editor.pushed(off) == []
    [hidden] = Book(editor, "build/book.ipynb").open((BRANCH,))
    assert await editor.pushed(hidden) == []
    [untitled] = Book(editor, "untitled:Untitled-1.ipynb").open((BRANCH,))
    assert len(await editor.pushed(untitled)) == 1
    [script] = Book(editor, "jupytext.py").open((BRANCH,))
    assert len(await editor.pushed(script)) == 1


async def test_a_notebook_imports_an_open_file(project: Project, start: Start) -> None:
    editor = await start()
    helper = editor.open("helper.py", "def cool(x):\n    return x\n")
    book = Book(editor)
    _, root = book.open(("import torch\nfrom helper import cool", ROOT))
    assert await editor.pushed(helper) == []
    await editor.pushed(root)
    version = editor.change(helper, "def cool(x):\n    return x.item()\n")
    [found] = await editor.pushed(helper, version)
    assert root in {r.location.uri for r in found.related_information or ()}
