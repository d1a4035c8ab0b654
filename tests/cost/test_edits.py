"""Edits that compose."""

from __future__ import annotations

import pytest

from runtime_probe.cost.edits import Edit, applied, composed, lines_after

TEXT = "def f(x):\n    print(x)\n    y = x.item()\n    return y\n"
REMOVE = Edit(2, 5, 2, 13, "pass")
ANSWER = Edit(3, 9, 3, 17, "(3)")
BEGIN = Edit(2, 5, 2, 5, "n = -1\n    ")


def test_edits_in_any_order() -> None:
    edits = composed([ANSWER, REMOVE, ANSWER])
    assert edits == [REMOVE, ANSWER]
    assert applied(TEXT, edits) == "def f(x):\n    pass\n    y = (3)\n    return y\n"


def test_an_insertion_touches_what_follows() -> None:
    edits = composed([REMOVE, BEGIN])
    assert edits is not None
    assert applied(TEXT, edits) == "def f(x):\n    n = -1\n    pass\n    y = x.item()\n    return y\n"


def test_edits_of_the_same_text_do_not_compose() -> None:
    assert composed([REMOVE, Edit(2, 7, 2, 9, "")]) is None


@pytest.mark.parametrize(("line", "after"), [(1, [1]), (2, [2, 3]), (3, [4]), (4, [5])])
def test_where_lines_are_afterwards(line: int, after: list[int]) -> None:
    assert list(lines_after(line, [BEGIN])) == after


def test_lines_behind_a_shorter_text() -> None:
    assert list(lines_after(4, [Edit(2, 5, 3, 17, "pass")])) == [3]
    assert list(lines_after(3, [Edit(2, 5, 3, 17, "pass")])) == [2]


def test_an_edit_from_json() -> None:
    given = {"line": 2, "column": 5, "end_line": 2, "end_column": 13, "text": "pass", "more": 1}
    assert Edit.of(given) == REMOVE
