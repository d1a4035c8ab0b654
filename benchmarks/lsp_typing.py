"""Makes up how a person edits a Python file: key by key, with the broken states that lie between two good ones.

The same text and seed give the same keys.
"""

from __future__ import annotations

import ast
import random
from collections.abc import Iterator
from dataclasses import dataclass, field

Position = tuple[int, int]  #: line and UTF-16 column, from 0

_STATEMENTS = (
    "{a} = {a}.clone()",
    "scores = {a}.float().mean(dim=-1)",
    "if {a}.sum() > 0:\n{a} = {a} * 2",
    "if {a}.shape[0] > 1:\n{a} = {a}[:1]",
    "print({a}.max().item())",
    "limit = {a}.abs().max().item()",
    "self.steps = self.steps + 1",
    "for row in {a}:\ntotal = row.sum()",
    "assert {a} is not None, 'nothing came'",
    "mask = torch.nonzero({a} > 0.5)",
    "keep = [torch.relu(part) for part in {a}]",
    "# look at this again",
)
_WEIGHTS = {"type": 4, "retype": 3, "delete": 2, "paste": 2, "undo": 4}
_TRIES = 50  #: to find a statement that may go
_LONGEST_PASTE = 60  #: lines


@dataclass(frozen=True)
class Key:
    """One change of a document: the range from `start` to `end` becomes `text`."""

    start: Position
    end: Position
    text: str


@dataclass
class Burst:
    """What is typed in one go; the file parses again at its end if it did before."""

    kind: str
    keys: list[Key] = field(default_factory=list)


def columns(text: str) -> int:
    """The length of a text in UTF-16 units."""
    return len(text) + sum(ord(c) > 0xFFFF for c in text)


def position(text: str, offset: int) -> Position:
    start = text.rfind("\n", 0, offset) + 1
    return text.count("\n", 0, offset), columns(text[start:offset])


def difference(old: str, new: str) -> Key:
    """The one change that leads from a text to another."""
    same = 0
    least = min(len(old), len(new))
    while same < least and old[same] == new[same]:
        same += 1
    tail = 0
    while tail < least - same and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    return Key(position(old, same), position(old, len(old) - tail), new[same : len(new) - tail])


class Typist:
    """A file that is being edited. `text` is what it holds once all keys so far are pressed."""

    def __init__(self, text: str, seed: int) -> None:
        self.text = text
        self._random = random.Random(seed)
        self._history: list[str] = []

    def bursts(self, count: int) -> Iterator[Burst]:
        """Bursts of `count` keys together, or a few more: the last one is typed to its end."""
        while count > 0:
            burst = Burst(self._random.choices(list(_WEIGHTS), list(_WEIGHTS.values()))[0])
            before = self.text
            getattr(self, f"_{burst.kind}")(burst)
            if burst.keys:
                if burst.kind != "undo":
                    self._history.append(before)
                count -= len(burst.keys)
                yield burst

    def _press(self, burst: Burst, start: int, end: int, new: str) -> None:
        burst.keys.append(Key(position(self.text, start), position(self.text, end), new))
        self.text = self.text[:start] + new + self.text[end:]

    def _type(self, burst: Burst) -> None:
        """A statement behind another one, character by character; the editor indents."""
        function, statement = self._place()
        names = [a.arg for a in function.args.args if a.arg not in ("self", "cls")] or ["x"]
        at = self._line_start(statement.end_lineno or statement.lineno) + len(self._line(statement.end_lineno or 0))
        indent = " " * statement.col_offset
        text = self._random.choice(_STATEMENTS).format(a=self._random.choice(names))
        for part in text.split("\n"):
            self._press(burst, at, at, "\n" + indent)
            at += 1 + len(indent)
            for character in part:
                self._press(burst, at, at, character)
                at += 1
            indent += "    "

    def _retype(self, burst: Burst) -> None:
        """The end of a line, taken away and typed again."""
        _, statement = self._place()
        line = self._line(statement.lineno)
        count = self._random.randrange(3, 8)
        end = self._line_start(statement.lineno) + len(line)
        gone = self.text[end - min(count, len(line.strip())) : end]
        for _ in gone:
            self._press(burst, end - 1, end, "")
            end -= 1
        for character in gone:
            self._press(burst, end, end, character)
            end += 1

    def _delete(self, burst: Burst) -> None:
        """A whole statement that may go."""
        for _ in range(_TRIES):
            _, statement = self._place()
            start, end = self._line_start(statement.lineno), self._line_start((statement.end_lineno or 0) + 1)
            if _parses(self.text[:start] + self.text[end:]):
                self._press(burst, start, end, "")
                return

    def _paste(self, burst: Burst) -> None:
        """A function, once more behind itself, with another name."""
        functions = [f for f in self._functions() if (f.end_lineno or 0) - f.lineno < _LONGEST_PASTE]
        function = self._random.choice(functions)
        start, end = self._line_start(function.lineno), self._line_start((function.end_lineno or 0) + 1)
        block = self.text[start:end].replace(f"def {function.name}(", f"def {function.name}_again(", 1)
        self._press(burst, end, end, "\n" + block)

    def _undo(self, burst: Burst) -> None:
        """The last burst, taken back at once."""
        if self._history:
            old = self._history.pop()
            burst.keys.append(difference(self.text, old))
            self.text = old

    def _place(self) -> tuple[ast.FunctionDef, ast.stmt]:
        """An assignment that has its lines to itself, and its function: another statement may stand behind it."""
        while True:
            function = self._random.choice(self._functions())
            fitting = [
                s
                for s in ast.walk(function)
                if isinstance(s, (ast.Assign, ast.AugAssign)) and self._line(s.lineno)[: s.col_offset].isspace()
            ]
            if fitting:
                return function, self._random.choice(fitting)

    def _functions(self) -> list[ast.FunctionDef]:
        return [node for node in ast.walk(ast.parse(self.text)) if isinstance(node, ast.FunctionDef)]

    def _line(self, number: int) -> str:
        start = self._line_start(number)
        end = self.text.find("\n", start)
        return self.text[start : end if end >= 0 else len(self.text)]

    def _line_start(self, number: int) -> int:
        at = 0
        for _ in range(number - 1):
            at = self.text.find("\n", at) + 1 or len(self.text)
        return at


def _parses(text: str) -> bool:
    try:
        ast.parse(text)
    except SyntaxError:
        return False
    return True
