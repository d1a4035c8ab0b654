"""The lines of the statement that a line belongs to."""

from __future__ import annotations

import ast

from capture_lsp.probe.functions import Function


def statement(function: Function, line: int) -> range:
    """Of a simple statement all lines; of one that holds others, those of its head."""
    found = range(line, line + 1)
    size = function.last - function.first + 2
    for node in ast.walk(function.node):
        if not isinstance(node, ast.stmt):
            continue
        body = getattr(node, "body", None)
        last = node.end_lineno or node.lineno
        if body:
            last = max(node.lineno, min(last, body[0].lineno - 1))
        if node.lineno <= line <= last and last - node.lineno < size:
            found, size = range(node.lineno, last + 1), last - node.lineno
    return found
