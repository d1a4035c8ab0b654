"""The suppression of a finding, in any layout: the finding is gone, the program is the same."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer.finding import Finding
from analyzer.fixes.suppression import suppression_edit
from analyzer.source import SourceText
from analyzer.suppress import suppress
from tests.fixes.apply import PATH, applied, findings_of
from tests.fixes.layouts import programs
from tests.fixes.test_guard import telling


def suppressed(text: str, finding: Finding) -> str:
    return applied(text, [suppression_edit(SourceText(PATH, text), finding)])


@settings(max_examples=150, deadline=None)
@given(programs(telling))
def test_findings_are_suppressed_and_nothing_else_changes(text: str) -> None:
    tree = ast.dump(ast.parse(text))
    for finding in findings_of(text, "CAP301"):
        new = suppressed(text, finding)
        assert ast.dump(ast.parse(new)) == tree
        assert suppress(PATH, new, [finding]) == [], new
        assert suppressed(new, finding) == new
        assert len(new.split("\n")) == len(text.split("\n"))


@settings(max_examples=100, deadline=None)
@given(programs(telling), st.sampled_from(["CAP999", "CAP999,", "", " CAP999 , CAP101 "]))
def test_a_second_code_joins_the_list(text: str, codes: str) -> None:
    findings = findings_of(text, "CAP301")
    if not findings:
        return
    first = suppressed(text, findings[0]).replace("[CAP301]", f"[{codes}]", 1)
    new = suppressed(first, findings[0])
    assert new.count("capture: ignore") == first.count("capture: ignore") == 1
    assert suppress(PATH, new, [findings[0]]) == []
    assert suppressed(new, findings[0]) == new
    other = findings_of(text, "CAP301")[0]
    other.code = "CAP999"
    assert suppress(PATH, new, [other]) == ([] if "CAP999" in codes else [other])


def at(text: str, line: int) -> str:
    return suppressed(text, Finding("CAP101", "n", PATH, line, 1, line, 2, "", "fn", {}))


@pytest.mark.parametrize(
    ("text", "line", "wanted"),
    [
        ("x", 1, "x  # capture: ignore[CAP101]"),
        ("x  \ny\n", 1, "x  # capture: ignore[CAP101]\ny\n"),
        ("x  # noqa: E501\n", 1, "x  # noqa: E501  # capture: ignore[CAP101]\n"),
        ("f(a,\n  b)\n", 1, "f(a,\n  b)  # capture: ignore[CAP101]\n"),
        ("f(a,  # capture: ignore[CAP999] why\n  b)\n", 2, "f(a,  # capture: ignore[CAP999, CAP101] why\n  b)\n"),
        ("y = x + \\\n    1\nz\n", 1, "y = x + \\\n    1  # capture: ignore[CAP101]\nz\n"),
        ('s = """a\n# b\n"""\n', 1, 's = """a\n# b\n"""  # capture: ignore[CAP101]\n'),
        ("@d(\n  1)\ndef f(): pass\n", 1, "@d(\n  1)  # capture: ignore[CAP101]\ndef f(): pass\n"),
        ("if (a and\n    b):\n    c\n", 2, "if (a and\n    b):  # capture: ignore[CAP101]\n    c\n"),
        # the list of the whole body is not the line's
        (
            "def f():  # capture: ignore[CAP999]\n    x\n",
            2,
            "def f():  # capture: ignore[CAP999]\n    x  # capture: ignore[CAP101]\n",
        ),
        ("# capture: ignore-file[CAP999]\nx\n", 2, "# capture: ignore-file[CAP999]\nx  # capture: ignore[CAP101]\n"),
        ("x = (\n", 1, "x = (  # capture: ignore[CAP101]\n"),  # a broken file
    ],
)
def test_where_the_comment_goes(text: str, line: int, wanted: str) -> None:
    assert at(text, line) == wanted
