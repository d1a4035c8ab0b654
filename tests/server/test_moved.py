"""Places of a probed text in what an editor makes of it."""

from __future__ import annotations

import pytest

from capture_lsp.probe.functions import functions_of
from capture_lsp.server.lines import statement
from capture_lsp.server.moved import Moved

THEN = """\
def first(x):
    größe = x.shape[0]; return f(größe)


def second(x):
    for i in range(
        3,
    ):
        x = x + i
    return x
"""
NOW = """\
import other


def second(x):
    # why
    for i in range(

        3,
    ):
        x = x + i  # more

    return x


def first(x):
    größe = x.shape[0]; return f(größe)
"""


def test_lines_and_places_of_what_is_the_same() -> None:
    moved = Moved(THEN, NOW)
    then, now = THEN.split("\n"), NOW.split("\n")
    for text in ("def first(x):", "    größe = x.shape[0]; return f(größe)", "    for i in range(", "        3,"):
        old, new = then.index(text) + 1, now.index(text) + 1
        assert (moved.line(old), moved.line_then(new)) == (new, old)
    assert moved.place(2, then[1].index("f(größe)") + 1) == (16, then[1].index("f(größe)") + 1)
    assert moved.place(2, len(then[1]) + 1) == (16, len(then[1]) + 1)
    assert moved.place(2, 7) is None  # no node begins or ends there
    assert moved.line_then(5) is None  # a comment


def test_a_function_that_is_another_has_no_places() -> None:
    moved = Moved(THEN, NOW.replace("x + i", "x - i"))
    assert moved.line(5) is None
    assert moved.line(2) == 16


def test_of_functions_with_one_name_each_is_its_own() -> None:
    then = "def f():\n    return 1\n\n\ndef f():\n    return 2\n"
    moved = Moved(then, "\n" + then)
    assert [moved.line(line) for line in (1, 2, 5, 6)] == [2, 3, 6, 7]


def test_the_very_text_needs_no_tree() -> None:
    moved = Moved("def f(:\n", "def f(:\n")
    assert (moved.line(1), moved.line_then(1), moved.place(1, 3)) == (1, 1, (1, 3))


@pytest.mark.parametrize(("line", "lines"), [(2, [2]), (5, [5]), (6, [6, 7, 8]), (8, [6, 7, 8]), (9, [9]), (10, [10])])
def test_the_lines_of_a_statement(line: int, lines: list[int]) -> None:
    functions = functions_of(THEN) or []
    function = functions[0] if line < 5 else functions[1]
    assert list(statement(function, line)) == lines
