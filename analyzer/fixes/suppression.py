"""The edit that suppresses a finding with a comment, available for every finding."""

from __future__ import annotations

import ast
import tokenize

from analyzer import suppress
from analyzer.finding import Edit, Finding
from analyzer.source import SourceText, tokens


def suppression_edit(source: SourceText, finding: Finding) -> Edit:
    """Add the finding's code to the suppression of its logical line, or a comment at the end of that line."""
    first, last = _logical_line(source, finding.line)
    for known in suppress.find(source.text):
        line = source.lines[known.line - 1]
        opened = line.find("[", known.start, known.end)
        here = first <= known.line <= last and known.last < 10**9
        if here and known.codes is not None and opened >= 0:
            closed = line.index("]", opened)
            if finding.code in known.codes or finding.name in known.codes:
                return Edit(source.path, known.line, closed + 1, known.line, closed + 1, "")
            written = line[opened + 1 : closed].rstrip()
            comma = ", " if written.strip() and not written.endswith(",") else " " if written.endswith(",") else ""
            start = opened + 1 + len(written)
            return Edit(source.path, known.line, start + 1, known.line, closed + 1, f"{comma}{finding.code}")
        if here and known.codes is None:
            return Edit(source.path, known.line, known.end + 1, known.line, known.end + 1, "")
    text = source.lines[last - 1] if last <= len(source.lines) else ""
    written = text.rstrip()
    gap = "  " if written else ""
    return Edit(source.path, last, len(written) + 1, last, len(text) + 1, f"{gap}# capture: ignore[{finding.code}]")


def _logical_line(source: SourceText, line: int) -> tuple[int, int]:
    """The first and last line of the logical line around a line; the line itself if the text cannot be split."""
    first = 0
    try:
        for token in tokens(source.text):
            if token.type in (tokenize.COMMENT, tokenize.NL, tokenize.INDENT, tokenize.DEDENT):
                continue
            if token.type == tokenize.NEWLINE:
                if first <= line <= token.start[0]:
                    return first, token.start[0]
                first = 0
            elif not first:
                first = token.start[0]
                if first > line:
                    break
    except (tokenize.TokenError, SyntaxError, ValueError):
        pass
    return _statement_lines(source, line)


def _statement_lines(source: SourceText, line: int) -> tuple[int, int]:
    """The same by the tree, for text that `tokenize` rejects."""
    try:
        tree = ast.parse(source.text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return line, line
    around = [
        (n.lineno, n.end_lineno or n.lineno)
        for n in ast.walk(tree)
        if isinstance(n, ast.stmt) and not hasattr(n, "body") and n.lineno <= line <= (n.end_lineno or n.lineno)
    ]
    return min(around, key=lambda lines: lines[1] - lines[0], default=(line, line))
