"""All safe fixes of a document, as `capture-lsp check --fix` makes them: round after round, until none is left."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from difflib import SequenceMatcher

from lsprotocol import types

from capture_lsp import notebook
from capture_lsp.check import Run, check
from capture_lsp.config.settings import Settings
from capture_lsp.errors import UserError
from capture_lsp.fixes import fix_all
from capture_lsp.merge_probe import refuted
from capture_lsp.results import RunResult
from capture_lsp.server.cells import ModuleText
from capture_lsp.server.documents import Document, Text
from capture_lsp.server.edits import Changes, as_workspace_edit, line_end
from capture_lsp.server.language_server import CaptureServer
from capture_lsp.server.memory_cache import MemoryCache
from capture_lsp.server.session import Analysed
from capture_lsp.server.worker import excluded
from capture_lsp.textfile import decode


class _Outdated(Exception):
    """The document has another text by now."""


async def fixed(ls: CaptureServer, uri: str) -> types.WorkspaceEdit | None:
    """What the safe fixes change in a document; None if that is nothing, or it was changed meanwhile."""
    session = ls.session
    document = session.documents.get(uri)
    if document is None or not document.python:
        return None
    path, text = document.path, document.text
    if _as_text(text, text.raw).plain != text.plain:
        return None  # the encoding that it declares cannot express it
    texts = {one.path: one.text for one in session.documents if one.python}
    settings_of = session.settings_of_open()
    finish = session.finish() if session.finish is not None else None

    def checked(files: Mapping[str, Settings], run: Run) -> RunResult:
        if document.text is not text:
            raise _Outdated
        result = check(files, run)
        raw = run.overrides[path]
        if finish is not None:  # what a probe refuted is no finding
            now = {**texts, path: _as_text(text, raw)}
            result.files = [finish(f, now, files[f.path]) if f.path == path else f for f in result.files]
        result.files = [replace(f, findings=[x for x in f.findings if not refuted(x)]) for f in result.files]
        return result

    def rounds() -> bytes | None:
        files: dict[str, Settings] = {}
        for name in texts:
            settings = settings_of(name)
            if settings is not None and not excluded(name, settings):
                files[name] = replace(settings, unsafe_fixes=False)
        if path not in files:
            return None
        run = Run(jobs=1, cache=MemoryCache(), overrides={name: texts[name].raw for name in files})
        return fix_all(files, run, unsafe=False, only=(path,), checked=checked).changed.get(path)

    try:
        raw = await session.beside(rounds)
    except (_Outdated, UserError):
        return None
    if raw is None or document.text is not text:
        return None
    return as_workspace_edit(ls, _changes(document, text, raw))


def broken(analysed: Analysed) -> str:
    """What does not parse in a document, which is not fixed until it does; empty if all does."""
    for error in analysed.result.errors:
        if error.kind in ("syntax", "nested"):
            text = analysed.text
            if isinstance(text, ModuleText):
                cells = (n for n, cell in enumerate(text.cells, 1) if text.errors_of(cell.uri, [error]))
                return f"cell {next(cells, 1)} does not parse: nothing is fixed in the notebook until it does"
            return f"line {error.line} does not parse: nothing is fixed in the file until it does"
    return ""


def why_nothing(ls: CaptureServer, uri: str) -> str:
    """Why the safe fixes of a document change nothing."""
    document, analysed = ls.session.documents.get(uri), ls.session.current(uri)
    if document is None or not document.python:
        return "no Python document of this name is open: nothing is fixed"
    if analysed is not None and analysed.text is document.text:
        return broken(analysed) or "no finding has a safe fix here: nothing is fixed"
    return "the document was changed meanwhile: nothing is fixed"


def _as_text(text: Text, raw: bytes) -> Text:
    """The text of a document whose file would hold these bytes."""
    if not isinstance(text, ModuleText):
        return Text("\ufeff" * text.bom + decode(raw).raw_text, text.encoding)
    cells = notebook.load(raw.decode())["cells"]
    sources = [notebook.cell_source(cell) for cell in cells]
    return ModuleText.of(
        tuple(
            replace(cell, text=Text(source, text.encoding)) if cell.python else cell
            for cell, source in zip(text.cells, sources)
        ),
        text.encoding,
    )


def _changes(document: Document, text: Text, raw: bytes) -> list[Changes]:
    new = _as_text(text, raw)
    if not isinstance(text, ModuleText) or not isinstance(new, ModuleText):
        return [Changes(document.uri, document.version, line_edits(text, new.text))]
    return [
        Changes(cell.uri, cell.version, line_edits(cell.text, after.text.text.replace("\n", line_end(cell.text))))
        for cell, after in zip(text.cells, new.cells)
        if cell.text.plain != after.text.plain
    ]


def line_edits(text: Text, new: str) -> list[types.TextEdit]:
    """The lines that differ, as edits; what did not change keeps its cursor, folds and marks."""
    old_lines, new_lines = _lines(text), _lines(Text(new))
    found = []
    for kind, first, last, new_first, new_last in SequenceMatcher(None, old_lines, new_lines, False).get_opcodes():
        if kind != "equal":
            start, end = _start(text, first), _start(text, last)
            found.append(types.TextEdit(types.Range(start, end), "".join(new_lines[new_first:new_last])))
    return found


def _lines(text: Text) -> list[str]:
    """The lines with their ends."""
    ends: Iterable[int] = [*text.starts[1:], len(text.text)]
    return [text.text[start:end] for start, end in zip(text.starts, ends)]


def _start(text: Text, index: int) -> types.Position:
    if index < len(text.starts):
        return types.Position(index, 0)
    last = len(text.starts)
    return types.Position(*text.position(last, len(text.line(last - 1)) + 1))
