"""The functions of a text: their names as Python qualifies them, without `<locals>`, and the lines they take."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import lru_cache


@dataclass(frozen=True)
class Function:
    """`first`: the line of the first decorator; `line`: that of the `def`; `last`: the last line of the body."""

    name: str
    first: int
    line: int
    last: int
    node: ast.AST

    def begins_at(self, line: int) -> bool:
        """Whether a code object's first line is this function's: that of a decorator up to Python 3.7, or the `def`."""
        return self.first <= line <= self.line


@lru_cache(maxsize=4)
def functions_of(text: str) -> list[Function] | None:
    """Every function, outer ones first; None for a text that does not parse. The list is not to be changed."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):  # the last one: nested too deeply for the parser
        return None
    found: list[Function] = []
    waiting: list[tuple[ast.AST, str]] = [(tree, "")]
    while waiting:
        node, owner = waiting.pop(0)
        for child in ast.iter_child_nodes(node):
            name = owner
            if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                name = f"{owner}.{child.name}" if owner else child.name
                if not isinstance(child, ast.ClassDef):
                    first = min([child.lineno, *(d.lineno for d in child.decorator_list)])
                    found.append(Function(name, first, child.lineno, child.end_lineno or child.lineno, child))
            waiting.append((child, name))
    return found


def dumped(node: ast.AST) -> str:
    """The same text for the same tree, wherever it stands and however deep it is."""
    try:
        return ast.dump(node)
    except RecursionError:
        return repr([(type(n).__name__, _values(n)) for n in ast.walk(node)])


def _values(node: ast.AST) -> list[tuple[str, object]]:
    return [(name, value) for name, value in ast.iter_fields(node) if not isinstance(value, (ast.AST, list))]


def innermost(functions: list[Function], line: int) -> Function | None:
    """The smallest function that a line belongs to."""
    around = [f for f in functions if f.first <= line <= f.last]
    return min(around, key=lambda f: f.last - f.first, default=None)
