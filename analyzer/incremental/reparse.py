"""Parses of a new text only the top-level statements that an edit may have touched."""

from __future__ import annotations

import ast

from analyzer.incremental.splice import Change, first_line, last_line
from analyzer.project import ModuleInfo
from analyzer.source import SourceText
from analyzer.syntax import parse_text


def reparse(module: ModuleInfo, source: SourceText) -> Change | None:
    """What a new text changes in a module's tree; None if that takes a parse of the whole.

    A text is its statements one after the other: lines that were whole statements before the changed ones, and after
    them, are so still, if the lines between parse by themselves.
    """
    if module.errors or module.parsed != module.source.text:
        return None
    before, after, body = module.source.lines, source.lines, module.tree.body
    shorter = min(len(before), len(after))
    top = next((i for i in range(shorter) if before[i] != after[i]), shorter)
    rest = shorter - top
    bottom = next((i for i in range(rest) if before[-1 - i] != after[-1 - i]), rest)
    first = max((i for i, stmt in enumerate(body) if first_line(stmt) <= top), default=0)
    end = next((i for i, stmt in enumerate(body) if first_line(stmt) > len(before) - bottom), len(body))
    while first > 0 and last_line(body[first - 1]) >= first_line(body[first]):
        first -= 1
    while end < len(body) and end > 0 and last_line(body[end - 1]) >= first_line(body[end]):
        end += 1
    start = first_line(body[first]) if first and first < len(body) else 1
    lines = len(after) - len(before)
    stop = first_line(body[end]) + lines if end < len(body) else len(after) + 1
    if stop <= start:
        return None
    try:
        tree = parse_text("\n".join(after[start - 1 : stop - 1]) + "\n")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    if any(isinstance(stmt, ast.Return) for stmt in tree.body):
        return None
    ast.increment_lineno(tree, start - 1)
    return Change(first, end, tree.body, lines)
