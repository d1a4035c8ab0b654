"""Where the places of a probed text are now: functions move, and comments and blank lines inside of them come and go.

A function that is the same tree as it was has the same nodes in the same order; their places are joined. Of one that
was edited, the lines that are what they were can be told.
"""

from __future__ import annotations

import ast
from difflib import SequenceMatcher
from functools import lru_cache

from capture_lsp.probe.functions import Function, dumped, functions_of

Place = tuple[int, int]  #: line and column, as the probe counts them: 1-based, in characters


class Moved:
    """The way between two versions of a text."""

    def __init__(self, then: str, now: str) -> None:
        self._same = then == now
        self._then, self._now = then.split("\n"), now.split("\n")
        self._places: dict[Place, Place] = {}
        self._lines: dict[int, int] = {}
        self._back: dict[int, int] = {}
        self._near: dict[int, int] = {}
        if not self._same:
            for before, after in _pairs(functions_of(then) or [], functions_of(now) or []):
                if dumped(before.node) == dumped(after.node):
                    self._join(before, after)
                else:
                    self._join_lines(before, after)

    def line(self, then: int) -> int | None:
        """The line that a line of the probed text is now; None where that is not known."""
        return then if self._same else self._lines.get(then)

    def near(self, then: int) -> int | None:
        """As `line`; also in a function that was edited, where it is the line of the same text."""
        found = self.line(then)
        return found if found is not None else self._near.get(then)

    def line_then(self, now: int) -> int | None:
        """The line of the probed text that a line is."""
        return now if self._same else self._back.get(now)

    def place(self, line: int, column: int) -> Place | None:
        """The place where a node begins or ends now."""
        return (line, column) if self._same else self._places.get((line, column))

    def _join(self, before: Function, after: Function) -> None:
        for one, other in zip(ast.walk(before.node), ast.walk(after.node), strict=True):
            line, end = getattr(one, "lineno", None), getattr(one, "end_lineno", None)
            if line is None or end is None:
                continue
            new_line, new_end = getattr(other, "lineno", line), getattr(other, "end_lineno", end)
            for then, now in ((line, new_line), (end, new_end)):
                self._lines.setdefault(then, now)
                self._back.setdefault(now, then)
            self._places[line, _column(self._then, line, one, "col_offset")] = (
                new_line,
                _column(self._now, new_line, other, "col_offset"),
            )
            self._places[end, _column(self._then, end, one, "end_col_offset")] = (
                new_end,
                _column(self._now, new_end, other, "end_col_offset"),
            )

    def _join_lines(self, before: Function, after: Function) -> None:
        then, now = _stripped(self._then, before), _stripped(self._now, after)
        for block in SequenceMatcher(None, then, now, autojunk=False).get_matching_blocks():
            for offset in range(block.size):
                self._near[before.line + block.a + offset] = after.line + block.b + offset
        self._near[before.line] = after.line


def _stripped(lines: list[str], function: Function) -> list[str]:
    return [row.strip() for row in lines[function.line - 1 : function.last]]


@lru_cache(maxsize=16)
def moved(then: str, now: str) -> Moved:
    """The way from a probed text to one that an editor has."""
    return Moved(then, now)


def _pairs(then: list[Function], now: list[Function]) -> list[tuple[Function, Function]]:
    """The functions of one name, outer ones first."""
    left: dict[str, list[Function]] = {}
    for function in now:
        left.setdefault(function.name, []).append(function)
    found = []
    for function in then:
        same = left.get(function.name)
        if same:
            found.append((function, same.pop(0)))
    return found


def _column(lines: list[str], line: int, node: ast.AST, name: str) -> int:
    """The standard tree counts columns in bytes."""
    text = lines[line - 1] if line <= len(lines) else ""
    offset = getattr(node, name, None) or 0
    return offset + 1 if text.isascii() else len(text.encode()[:offset].decode("utf-8", "replace")) + 1
