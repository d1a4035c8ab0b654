"""What is left out of a text that does not parse: the statement, and no more if that is enough."""

from __future__ import annotations

import pytest

from analyzer.api import Options, analyze
from analyzer.finding import Finding
from analyzer.recovery import Parsed
from analyzer.source import SourceText
from analyzer.syntax import parse
from analyzer.unfinished import finished

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
    "y = ": ["y"],
    "y = foo(": ["y = foo()"],
    "y = a.": ["y = a"],
    "y = foo(a, [b.c, x[1:": ["y = foo(a, [b.c, x[1:]])"],
    "y = foo(a, b.  # (c": ["y = foo(a, b)"],
    "y = a if b else": ["pass"],
    "if x:": ["pass"],
    "while": ["pass"],
    '"""': ["pass"],
    "print('abc": ["print('abc')"],
    "@torch.": ["pass"],
    "def inner(": ["pass"],
    "try:": ["pass"],
    "else:": ["pass"],
    "x = y)": ["pass"],
    "y = foo(a,\n            b c,\n            d)": ["pass", "", ""],
    "y = foo(a,\n            b.,\n            d)": ["y = foo(a,", "b,", "d)"],
    "y = x.item(\n            3": ["pass", ""],
    "if x ==:\n            y = 1": ["if x:", "y = 1"],
    "with foo(x\n            y = 1": ["with foo(x):", "y = 1"],
    "def inner(a, b\n            return a": ["def inner(a, b):", "return a"],
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


TYPED = """\
import torch


@torch.compile
def fn(x: torch.Tensor) -> torch.Tensor:
{typed}
    return x * x.item()
"""


@pytest.mark.parametrize("typed", ["y = x.item(", "y = x.item() +", "print(x.item(), '", "y = [x.item(), x."])
def test_nothing_is_reported_of_a_line_that_was_finished(typed: str) -> None:
    *_, ended = finished(typed, header=False)
    assert [f.line for f in findings(ended)] == [6, 7]
    assert [f.line for f in findings(typed)] == [7]


def findings(typed: str) -> list[Finding]:
    text = TYPED.format(typed="    " + typed)
    report = analyze(["/nowhere/m.py"], Options(), {"/nowhere/m.py": text})
    return [finding for finding in report.findings if finding.code == "CAP110"]


def test_a_name_keeps_its_value_while_another_one_is_typed() -> None:
    assert [f.line for f in findings("x = x[: len(x)")] == [7]
