"""Parses of a new text only the top-level statements that an edit may have touched."""

from __future__ import annotations

import ast
import re
from itertools import takewhile

from analyzer.incremental.splice import Change, first_line, last_line
from analyzer.project import ModuleInfo
from analyzer.recovery import parse_text

_STRING = re.compile(r"'[^'\\\n]*'|\"[^\"\\\n]*\"")
_BRACKET = re.compile(r"[()\[\]{}]")


class Reparse:
    """`parse_text` for texts that are much like that of a module, whose nodes it takes over.

    `change`: what the text that was parsed last changes in the module's tree; None if the whole was parsed anew.
    """

    def __init__(self, module: ModuleInfo) -> None:
        self._body = module.tree.body
        self._before: list[str] | None = None
        passing = any("'return' outside" in error.message for error in module.errors)
        if module.parsed is not None and not passing:  # such a `return` is no longer in the tree
            whole = module.parsed == module.source.text
            self._before = module.source.lines if whole else module.parsed.split("\n")
        self.change: Change | None = None

    def __call__(self, text: str) -> ast.Module:
        self.change = None  # also where the next line raises
        if self._before is not None:
            self.change = self._changed(self._before, text.split("\n"))
        if self.change is None:
            return parse_text(text)
        change, body = self.change, self._body
        return ast.Module([*body[: change.first], *change.body, *body[change.end :]], [])

    def _changed(self, before: list[str], after: list[str]) -> Change | None:
        """A text is its statements one after the other: lines that were whole statements before the changed ones, and
        after them, are so still, if the lines between parse by themselves."""
        body = self._body
        top = _alike(before, after)
        if top == len(before) == len(after):
            return Change(0, 0, [], 0)
        bottom = min(_alike(before[:top:-1], after[:top:-1]), min(len(before), len(after)) - top)
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
            tree = parse_text("\n" * (start - 1) + "\n".join(after[start - 1 : stop - 1]) + "\n")
        except SyntaxError as error:
            edited = (*before[top : len(before) - bottom], *after[top : len(after) - bottom])
            if start <= (error.lineno or 0) < stop - 1 and all(map(_closed, edited)):
                raise  # the whole text would say the same
            return None
        except (ValueError, RecursionError, MemoryError):
            return None
        if any(isinstance(stmt, ast.Return) for stmt in tree.body):
            return None
        return Change(first, end, tree.body, lines)


def _closed(line: str) -> bool:
    """Whether a line ends as many brackets and strings as it begins, so that it is nothing to what comes after it."""
    code = _STRING.sub("", line).partition("#")[0]
    if "'" in code or '"' in code or "\\" in code:
        return False
    depth = 0
    for bracket in _BRACKET.findall(code):
        depth += 1 if bracket in "([{" else -1
        if depth < 0:
            return False
    return depth == 0


def _alike(a: list[str], b: list[str]) -> int:
    """How many lines are the same from the first on."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(a, b)))
