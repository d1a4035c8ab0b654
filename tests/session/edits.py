"""Random edits as people make them: lines typed, deleted, pasted, renamed, broken, commented out, taken back."""

from __future__ import annotations

import random
import re

_STATEMENTS = (
    "x = x + 1",
    "print(x)",
    "if x.sum() > 0:",
    "return x",
    "y = x.item()",
    "self.count = self.count + 1",
    "y = self.helper(x)",
    "for i in range(x.shape[0]):",
    "# a remark",
    "assert x.any(), x",
    "z = torch.nonzero(x)",
    '"""text"""',
    "x = x.clone(); y = float(x)",
    "def inner(a):",
    "f = lambda a: a + x",
    "@torch.compile",
    "LIMIT = 3",
    "import numpy as np",
    "global LIMIT",
    "é = 'ü'; print(é, x)",
)
_FRAGMENTS = ("(", ")", ":", '"""', "'", "\\", "]", " ", "\t", ".", "é", "#", "=", "self.", "not ")
_NAME = re.compile(r"\b[A-Za-z_]\w*\b")


class Editor:
    """A text and its history."""

    def __init__(self, text: str, seed: int) -> None:
        self.text = text
        self._random = random.Random(seed)
        self._history: list[str] = []

    def edit(self) -> str:
        """Make one edit; gives its name."""
        pick = self._random
        name, weight = zip(*self._KINDS)
        kind = pick.choices(name, weight)[0]
        if kind == "undo" and self._history:
            self.text = self._history.pop()
            return kind
        self._history.append(self.text)
        lines = self.text.split("\n")
        at = pick.randrange(len(lines))
        getattr(self, "_" + kind, self._insert)(lines, at)
        self.text = "\n".join(lines)
        return kind

    _KINDS = (
        ("insert", 5), ("delete", 4), ("character", 5), ("remove", 4), ("rename", 2), ("paste", 2), ("swap", 1),
        ("comment", 2), ("blank", 2), ("number", 2), ("indent", 1), ("undo", 8),
    )  # fmt: skip

    def _insert(self, lines: list[str], at: int) -> None:
        indent = lines[at][: len(lines[at]) - len(lines[at].lstrip())]
        lines.insert(at, indent + self._random.choice(_STATEMENTS))

    def _delete(self, lines: list[str], at: int) -> None:
        del lines[at : at + self._random.choice((1, 1, 1, 2, 5))]

    def _character(self, lines: list[str], at: int) -> None:
        column = self._random.randrange(len(lines[at]) + 1)
        lines[at] = lines[at][:column] + self._random.choice(_FRAGMENTS) + lines[at][column:]

    def _remove(self, lines: list[str], at: int) -> None:
        if lines[at]:
            column = self._random.randrange(len(lines[at]))
            lines[at] = lines[at][:column] + lines[at][column + 1 :]

    def _rename(self, lines: list[str], at: int) -> None:
        names = _NAME.findall(lines[at])
        if names:
            old, new = self._random.choice(names), self._random.choice(("renamed", *names, "x", "forward"))
            everywhere = self._random.random() < 0.5
            for index in range(len(lines)) if everywhere else (at,):
                lines[index] = re.sub(rf"\b{re.escape(old)}\b", new, lines[index])

    def _paste(self, lines: list[str], at: int) -> None:
        start = self._random.randrange(len(lines))
        lines[at:at] = lines[start : start + self._random.randrange(1, 25)]

    def _swap(self, lines: list[str], at: int) -> None:
        other = self._random.randrange(len(lines))
        lines[at], lines[other] = lines[other], lines[at]

    def _comment(self, lines: list[str], at: int) -> None:
        lines[at] = "# " + lines[at]

    def _blank(self, lines: list[str], at: int) -> None:
        lines.insert(at, "")

    def _number(self, lines: list[str], at: int) -> None:
        lines[at] = re.sub(r"\d+", lambda m: str(int(m[0]) + 1), lines[at])

    def _indent(self, lines: list[str], at: int) -> None:
        lines[at] = "    " + lines[at]
