"""What is left out of a text that does not parse: the statement, and no more if that is enough."""

from __future__ import annotations

import pytest

from analyzer.recovery import Parsed
from analyzer.source import SourceText
from analyzer.syntax import parse

TEXT = """\
import torch
class A:
    def f(self, x):
        if x.sum() > 0:
            x = x + 1
            return x
{typed}
        for i in range(3):
            x = x * 2
        return x

    def g(self, x):
        return x.item()
"""
FIRST = TEXT.split("\n").index("{typed}") + 1

#: What was typed, and what becomes of the lines from there on.
ALONE = {
    "y = ": ["pass"],
    "y = foo(": ["pass"],
    "y = a.": ["pass"],
    "if x:": ["pass"],
    "while": ["pass"],
    '"""': ["pass"],
    "print('abc": ["pass"],
    "@torch.": ["pass"],
    "def inner(": ["pass"],
    "try:": ["pass"],
    "else:": ["pass"],
    "x = y)": ["pass"],
    "y = foo(a,\n            b c,\n            d)": ["pass", "", ""],
    "y = x.item(\n            3": ["pass", ""],
    "if x ==:\n            y = 1": ["if True:", "y = 1"],
    "for i in:\n            y = i": ["if True:", "y = i"],
}


@pytest.mark.parametrize("typed", ALONE)
def test_only_the_statement_is_left_out(typed: str) -> None:
    text = TEXT.format(typed="        " + typed)
    parsed = parse(SourceText("m.py", text))
    assert isinstance(parsed, Parsed)
    assert parsed.text is not None
    lines, kept = text.split("\n"), parsed.text.split("\n")
    count = len(ALONE[typed])
    assert [line.strip() for line in kept[FIRST - 1 : FIRST - 1 + count]] == ALONE[typed]
    assert kept[: FIRST - 1] == lines[: FIRST - 1]
    assert kept[FIRST - 1 + count :] == lines[FIRST - 1 + count :]
    [error] = parsed.errors
    assert error.line in (FIRST, FIRST + 1)


def test_a_line_at_the_wrong_depth_is_left_out() -> None:
    text = TEXT.format(typed="      foo()")
    parsed = parse(SourceText("m.py", text))
    assert isinstance(parsed, Parsed)
    assert parsed.text == TEXT.format(typed="")


@pytest.mark.parametrize("typed", ["def", "class"])
def test_half_a_header_takes_no_other_lines_with_it(typed: str) -> None:
    text = TEXT.format(typed="        " + typed)
    parsed = parse(SourceText("m.py", text))
    assert isinstance(parsed, Parsed)
    assert parsed.text in (TEXT.format(typed=""), TEXT.format(typed="        pass"))
