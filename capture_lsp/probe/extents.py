"""The lines that each statement of a function's own takes: of one that holds others, those of its head."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from capture_lsp.probe.functions import Function

Extent = tuple[int, int]  #: first and last line

_BODIES = ("body", "orelse", "finalbody", "handlers", "cases")
#: What makes no instruction.
_SILENT = (ast.Pass, ast.Global, ast.Nonlocal)


def extents(function: Function) -> Iterator[Extent]:
    """In the order of the text; of a function defined inside, only the head. Docstrings are none."""
    return _of(getattr(function.node, "body", []))


def inner_bodies(function: Function) -> Iterator[Extent]:
    """The bodies of the functions that are defined inside."""
    for node in ast.walk(function.node):
        if node is not function.node and isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield _head(node)[1] + 1, node.end_lineno or node.lineno


def _of(statements: Iterable[ast.AST]) -> Iterator[Extent]:
    for node in statements:
        if isinstance(node, _SILENT) or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)):
            continue
        yield _head(node)
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            for name in _BODIES:
                yield from _of(getattr(node, name, ()))


def _head(node: ast.AST) -> Extent:
    inside = {id(child) for name in _BODIES for child in getattr(node, name, ()) if isinstance(child, ast.AST)}
    heads = [child for child in ast.iter_child_nodes(node) if id(child) not in inside]
    if not inside:
        heads.append(node)
    rows = [row for head in heads for part in ast.walk(head) for row in _rows(part)]
    first = getattr(node, "lineno", 0) or min(rows, default=0)
    return min([first, *rows]), max([first, *rows])


def _rows(node: ast.AST) -> Iterator[int]:
    line = getattr(node, "lineno", None)
    if line is not None:
        yield line
        yield getattr(node, "end_lineno", None) or line
