"""Edits of findings' fixes, and suppression comments, as edits of documents."""

from __future__ import annotations

import re
import tokenize
from collections.abc import Iterable, Sequence

from lsprotocol import types

from analyzer.finding import Edit, Finding, Fix
from analyzer.source import tokens
from analyzer.suppress import find
from capture_lsp.fixes import Document
from capture_lsp.probe.functions import functions_of, innermost
from capture_lsp.server import convert
from capture_lsp.server.documents import Text
from capture_lsp.server.language_server import CaptureServer

_HEAD = re.compile(r"#!|#.*coding[:=]")


def workspace_edit(ls: CaptureServer, edits: Iterable[Edit]) -> types.WorkspaceEdit | None:
    """In the form that the client understands; None if a file cannot be read."""
    by_path: dict[str, list[types.TextEdit]] = {}
    for edit in dict.fromkeys(edits):
        text = ls.session.text_of(edit.path)
        if text is None:
            return None
        new = edit.text.replace("\n", _line_end(text))
        by_path.setdefault(edit.path, []).append(types.TextEdit(convert.range_of(text, edit), new))
    if ls.supports("workspace.workspace_edit.document_changes"):
        return types.WorkspaceEdit(document_changes=[_versioned(ls, path, found) for path, found in by_path.items()])
    return types.WorkspaceEdit(changes={ls.session.uri_of(path): found for path, found in by_path.items()})


def _versioned(ls: CaptureServer, path: str, edits: Sequence[types.TextEdit]) -> types.TextDocumentEdit:
    document = ls.session.documents.at(path)
    version = document.version if document is not None else None
    identifier = types.OptionalVersionedTextDocumentIdentifier(ls.session.uri_of(path), version)
    return types.TextDocumentEdit(identifier, list(edits))


def _line_end(text: Text) -> str:
    """The line end that most lines of a text have."""
    crlf = text.text.count("\r\n")
    if crlf:
        return "\r\n" if crlf * 2 >= text.text.count("\n") else "\n"
    return "\r" if "\r" in text.text and "\n" not in text.text else "\n"


def together(path: str, text: Text, findings: Iterable[Finding]) -> list[Edit]:
    """The edits of the first safe fix of each finding, within one file, that can be made at once; the text still
    parses after them."""
    chosen: list[Fix] = []
    for finding in findings:
        fix = next((f for f in finding.fixes if f.safety == "safe" and f.edits), None)
        if fix is None or any(edit.path != path for edit in fix.edits):
            continue
        taken = [edit for other in chosen for edit in other.edits]
        if not any(_overlap(edit, other) for edit in fix.edits for other in taken if edit != other):
            chosen.append(fix)
    file = Document(path, text.raw)
    if file.with_edits(_edits(chosen)) is None:
        kept: list[Fix] = []
        for fix in chosen:
            if file.with_edits(_edits([*kept, fix])) is not None:
                kept.append(fix)
        chosen = kept
    return _edits(chosen)


def _edits(fixes: Iterable[Fix]) -> list[Edit]:
    return list(dict.fromkeys(edit for fix in fixes for edit in fix.edits))


def _overlap(a: Edit, b: Edit) -> bool:
    start_a, end_a = (a.line, a.column), (a.end_line, a.end_column)
    start_b, end_b = (b.line, b.column), (b.end_line, b.end_column)
    return start_a == start_b or (start_a < end_b and start_b < end_a)


def suppressions(path: str, text: Text, finding: Finding) -> list[tuple[str, Edit]]:
    """(where it holds, the edit) for each suppression that can be added for a finding."""
    found: list[tuple[str, Edit]] = []
    lines = _logical_lines(text.plain)
    if lines is None:
        return found
    if (edit := _comment(path, text, lines, finding.line, finding.code)) is not None:
        found.append(("on this line", edit))
    function = innermost(functions_of(text.plain) or [], finding.line)
    if function is not None and (edit := _comment(path, text, lines, function.line, finding.code)) is not None:
        found.append((f"in {function.name}", edit))
    rows = text.plain.split("\n")
    head = 0
    while head < 2 and head < len(rows) and _HEAD.match(rows[head]):
        head += 1
    found.append(("in this file", Edit(path, head + 1, 1, head + 1, 1, f"# capture: ignore-file[{finding.code}]\n")))
    return found


def _logical_lines(text: str) -> list[tuple[int, int]] | None:
    """(first, last) line of each logical line; None for a text that cannot be split into tokens."""
    found = []
    first = 0
    try:
        for token in tokens(text):
            if token.type == tokenize.NEWLINE:
                found.append((first or token.start[0], token.start[0]))
                first = 0
            elif not first and token.type not in (
                tokenize.NL,
                tokenize.COMMENT,
                tokenize.INDENT,
                tokenize.DEDENT,
                tokenize.ENDMARKER,
            ):
                first = token.start[0]
    except (tokenize.TokenError, SyntaxError, ValueError):
        return None
    return found


def _comment(path: str, text: Text, lines: Sequence[tuple[int, int]], line: int, code: str) -> Edit | None:
    """A comment at the end of a logical line, or one more code in the comment that is there."""
    around = next(((first, last) for first, last in lines if first <= line <= last), None)
    if around is None:
        return None
    rows = text.plain.split("\n")
    for known in find(text.plain):
        if around[0] <= known.line <= around[1] and known.codes is not None:
            row = rows[known.line - 1]
            close = row.index("]", known.start)
            joined = f"{', ' if known.codes else ''}{code}"
            return Edit(path, known.line, close + 1, known.line, close + 1, joined)
    row = rows[around[1] - 1]
    end = len(row.rstrip()) + 1
    return Edit(path, around[1], end, around[1], len(row) + 1, f"  # capture: ignore[{code}]")
