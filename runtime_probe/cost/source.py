"""Expressions and statements of a file around the span of a break."""

from __future__ import annotations

import ast
from typing import Any, Dict, Iterator, List, Optional, Tuple

from runtime_probe.cost.edits import Edit

Point = Tuple[int, int]
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_OPAQUE = (ast.Lambda, ast.GeneratorExp, ast.ListComp, ast.SetComp, ast.DictComp)


class Source:
    """A file's text with its tree; points are 1-based lines and columns in characters."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.lines = text.split("\n")
        self.tree = ast.parse(text)
        self.parents: Dict[Any, Any] = {}
        for node in ast.walk(self.tree):
            for child in ast.iter_child_nodes(node):
                self.parents[child] = node

    def start(self, node: Any) -> Point:
        return node.lineno, self._column(node.lineno, node.col_offset)

    def end(self, node: Any) -> Point:
        return node.end_lineno, self._column(node.end_lineno, node.end_col_offset)

    def _column(self, line: int, offset: int) -> int:
        return len(self.lines[line - 1].encode("utf-8")[:offset].decode("utf-8", "replace")) + 1

    def above(self, node: Any) -> Iterator[Any]:
        """The nodes around one, the nearest first."""
        while node in self.parents:
            node = self.parents[node]
            yield node

    def statement_at(self, start: Point, end: Point) -> Optional[Any]:
        """The smallest statement around a span."""
        found = [n for n in ast.walk(self.tree) if isinstance(n, ast.stmt) and self._covers(n, start, end)]
        return max(found, key=self.start) if found else None

    def expressions_at(self, start: Point, end: Point) -> List[Any]:
        """The expressions around a span that a value can stand for, the smallest first; of a statement that is named as
        a whole, what it tests or computes."""
        statement = self.statement_at(start, end)
        if statement is None:
            return []
        around = [n for n in ast.walk(statement) if isinstance(n, ast.expr) and self._covers(n, start, end)]
        chain = [n for n in around if self._statement_of(n) is statement and _is_value(n)]
        if not chain:
            whole = getattr(statement, "test", None) or getattr(statement, "iter", None)
            whole = whole or getattr(statement, "value", None)
            chain = [n for n in ast.walk(whole) if isinstance(n, (ast.Call, type(whole)))] if whole is not None else []
            chain = [n for n in chain if _is_value(n)]
        size = {n: sum(1 for _ in ast.walk(n)) for n in chain}
        return [n for n in sorted(chain, key=lambda n: size[n]) if not self._in_text(n)]

    def _covers(self, node: Any, start: Point, end: Point) -> bool:
        return self.start(node) <= start and end <= self.end(node)

    def _statement_of(self, node: Any) -> Any:
        return next(n for n in self.above(node) if isinstance(n, ast.stmt))

    def _in_text(self, node: Any) -> bool:
        """Within an f-string, where older Pythons know no positions."""
        return any(isinstance(n, ast.JoinedStr) for n in self.above(node))

    def is_tested(self, node: Any) -> bool:
        """Whether only the truth of an expression is looked at."""
        parent = self.parents[node]
        if isinstance(parent, (ast.If, ast.While, ast.IfExp, ast.Assert)):
            return bool(parent.test is node)
        return isinstance(parent, ast.UnaryOp) and isinstance(parent.op, ast.Not)

    def function_around(self, node: Any) -> Optional[Any]:
        """The function whose frame evaluates a node, if no smaller frame does."""
        inner = next((n for n in self.above(node) if isinstance(n, (*_FUNCTIONS, *_OPAQUE))), None)
        return inner if isinstance(inner, _FUNCTIONS) else None

    def text_of(self, node: Any) -> str:
        """What is written for a node."""
        (line, column), (end_line, end_column) = self.start(node), self.end(node)
        lines = self.lines[line - 1 : end_line]
        lines[-1] = lines[-1][: end_column - 1]
        lines[0] = lines[0][column - 1 :]
        return "\n".join(lines)

    def replaced(self, node: Any, text: str) -> Edit:
        """The edit that puts a text in place of a node."""
        return Edit(*self.start(node), *self.end(node), text)

    def begun(self, function: Any, text: str) -> Edit:
        """The edit that puts a statement at the beginning of a function's body."""
        first = function.body[0]
        line, column = self.start(first)
        decorated = getattr(first, "decorator_list", None)
        if decorated:
            line, column = decorated[0].lineno, self._column(decorated[0].lineno, decorated[0].col_offset) - 1
        if line == function.lineno:
            return Edit(line, column, line, column, text + "; ")
        indent = self.lines[line - 1][: column - 1]
        return Edit(line, column, line, column, text + "\n" + indent)


def _is_value(node: Any) -> bool:
    if isinstance(node, (ast.Starred, ast.Yield, ast.YieldFrom, ast.Await, ast.NamedExpr, ast.Constant)):
        return False
    return isinstance(getattr(node, "ctx", ast.Load()), ast.Load)
