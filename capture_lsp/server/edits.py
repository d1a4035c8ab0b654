"""Edits of findings' fixes, and suppression comments, as edits of documents."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from lsprotocol import types

from analyzer.finding import Edit, Finding
from analyzer.suppress import EXPIRED_SUPPRESSION, Suppression
from capture_lsp.fixes import edits_by_cell
from capture_lsp.ignores import Lines
from capture_lsp.probe.functions import functions_of, innermost
from capture_lsp.reading import is_notebook
from capture_lsp.server import convert
from capture_lsp.server.cells import ModuleText
from capture_lsp.server.documents import Text
from capture_lsp.server.language_server import CaptureServer
from capture_lsp.server.session import Analysed

_HEAD = re.compile(r"#!|#.*coding[:=]")


def workspace_edit(ls: CaptureServer, edits: Iterable[Edit]) -> types.WorkspaceEdit | None:
    """In the form that the client understands; None if a file cannot be read, or a cell cannot be edited so."""
    found: list[Changes] = []
    wanted = list(dict.fromkeys(edits))
    for path in dict.fromkeys(edit.path for edit in wanted):
        changes = _changes(ls, path, [edit for edit in wanted if edit.path == path])
        if changes is None:
            return None
        found += changes
    return as_workspace_edit(ls, found)


@dataclass(frozen=True)
class Changes:
    """What changes in one document of the client's; `version` None: it is not open."""

    uri: str
    version: int | None
    edits: Sequence[types.TextEdit]


def as_workspace_edit(ls: CaptureServer, changes: Sequence[Changes]) -> types.WorkspaceEdit:
    """In the form that the client understands."""
    if not ls.supports("workspace.workspace_edit.document_changes"):
        return types.WorkspaceEdit(changes={change.uri: list(change.edits) for change in changes})
    return types.WorkspaceEdit(document_changes=[versioned(change) for change in changes])


def versioned(change: Changes) -> types.TextDocumentEdit:
    """For clients that take versions."""
    identifier = types.OptionalVersionedTextDocumentIdentifier(change.uri, change.version)
    return types.TextDocumentEdit(identifier, list(change.edits))


def _changes(ls: CaptureServer, path: str, edits: Sequence[Edit]) -> list[Changes] | None:
    document = ls.session.documents.at(path)
    text = ls.session.text_of(path)
    if text is None:
        return None
    if not isinstance(text, ModuleText):
        version = document.version if document is not None else None
        return [Changes(ls.session.uri_of(path), version, [_text_edit(text, edit) for edit in edits])]
    cells = text.cells
    try:
        found = edits_by_cell(text.module, lambda index: cells[index - 1].text.plain, edits)
    except (ValueError, IndexError):
        return None
    return [
        Changes(cells[index - 1].uri, cells[index - 1].version, [_text_edit(cells[index - 1].text, e) for e in wanted])
        for index, wanted in found.items()
    ]


def _text_edit(text: Text, edit: Edit) -> types.TextEdit:
    return types.TextEdit(convert.range_of(text, edit), edit.text.replace("\n", line_end(text)))


def line_end(text: Text) -> str:
    """The line end that most lines of a text have."""
    crlf = text.text.count("\r\n")
    if crlf:
        return "\r\n" if crlf * 2 >= text.text.count("\n") else "\n"
    return "\r" if "\r" in text.text and "\n" not in text.text else "\n"


def suppressions(analysed: Analysed, finding: Finding) -> list[tuple[str, Edit]]:
    """(where it holds, the edit) for each suppression that can be added for a finding."""
    path, text = finding.path, analysed.text
    over = {f.line for f in analysed.result.findings if f.code == EXPIRED_SUPPRESSION}

    def expired(known: Suppression) -> bool:
        return known.until is not None and known.line in over

    found: list[tuple[str, Edit]] = []
    lines = Lines.of(text.plain)
    if lines is None:
        return found
    if (edit := lines.ignoring(path, finding.line, (finding.code,), expired=expired)) is not None:
        found.append(("on this line", edit))
    function = innermost(functions_of(text.plain) or [], finding.line)
    if (
        function is not None
        and (edit := lines.ignoring(path, function.line, (finding.code,), expired=expired)) is not None
    ):
        found.append((f"in {function.name}", edit))
    head = _head(text)
    comment = f"# capture: ignore-file[{finding.code}]\n"
    found.append((f"in this {'notebook' if is_notebook(path) else 'file'}", Edit(path, head, 1, head, 1, comment)))
    return found


def _head(text: Text) -> int:
    """The line that a comment on the whole file goes before; in a notebook, none of a magic."""
    rows = text.plain.split("\n")
    if isinstance(text, ModuleText):
        return next(
            (number for number, row in enumerate(text.text.split("\n"), 1) if row and row == rows[number - 1]), 1
        )
    head = 0
    while head < 2 and head < len(rows) and _HEAD.match(rows[head]):
        head += 1
    return head + 1
