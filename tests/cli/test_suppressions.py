"""Suppression comments: what they hold for, and those that hold for nothing."""

from __future__ import annotations

import pytest

from analyzer.finding import Finding
from analyzer.suppress import find, suppress

from .conftest import BRANCH, Project


def finding(line: int, code: str = "CAP101") -> Finding:
    return Finding(code, code.lower(), "m.py", line, 1, line, 2, "", "fn", {})


def left(text: str, *findings: Finding) -> list[tuple[str, int]]:
    found = suppress("m.py", text, findings, lambda code: code != "CAP999")
    return [(f.code, f.line) for f in found]


def test_on_the_line() -> None:
    assert left("x  # capture: ignore[CAP101]\ny\n", finding(1), finding(2)) == [("CAP101", 2)]
    assert left("x  #capture:ignore\n", finding(1)) == []
    assert left("x  # noqa  # capture: ignore[CAP101] only logged\n", finding(1)) == []
    assert left("x  # capture: ignore[cap101]\n", finding(1)) == []  # by name


def test_on_any_line_of_the_statement() -> None:
    text = "f(\n    a,\n    b,  # capture: ignore[CAP101]\n)\ng()\n"
    assert left(text, finding(1), finding(2), finding(3), finding(5)) == [("CAP101", 5)]
    text = "if (a and\n    b):  # capture: ignore\n    c\n"
    assert left(text, finding(1), finding(3)) == [("CAP101", 3)]


def test_on_the_def_line_for_the_body() -> None:
    text = "@d\ndef f(\n    x,\n):  # capture: ignore[CAP101]\n    a\n\n    # note\n    b\n\nc\n"
    assert left(text, finding(5), finding(8), finding(10)) == [("CAP101", 10)]
    text = "class C:\n    async def f(self):  # capture: ignore\n        a\n    def g(self):\n        b\n"
    assert left(text, finding(3), finding(5)) == [("CAP101", 5)]
    assert left("def f(x): return g(x)  # capture: ignore\ny\n", finding(1), finding(2)) == [("CAP101", 2)]


def test_for_the_file() -> None:
    assert left("# capture: ignore-file\nx\n", finding(2)) == []
    assert left("x\n# capture: ignore-file[CAP102]\n", finding(1), finding(1, "CAP102")) == [("CAP101", 1)]


def test_inside_a_string_it_is_no_comment() -> None:
    assert find('x = "# capture: ignore"\n') == []
    assert find("x  # capture: ignored\n") == []
    assert find("x  # capture: ignore-files\n") == []


@pytest.mark.parametrize(
    ("line", "codes", "expected", "fixed"),
    [
        ("x  # capture: ignore[CAP102]", ["CAP101"], ["CAP101", "CAP001"], "x"),
        ("x  # capture: ignore[CAP101, CAP102]", ["CAP101"], ["CAP001"], "x  # capture: ignore[CAP101]"),
        ("x  # capture: ignore", [], ["CAP001"], "x"),
        ("x  # capture: ignore[CAP102]  # noqa", [], ["CAP001"], "x  # noqa"),
        ("x  # capture: ignore[]", [], ["CAP001"], "x"),
        ("x  # capture: ignore[CAP999]", [], [], ""),  # not looked for in this run
    ],
)
def test_unused(line: str, codes: list[str], expected: list[str], fixed: str) -> None:
    text = line + "\ny\n"
    found = suppress("m.py", text, [finding(1, code) for code in codes], lambda code: code != "CAP999")
    assert [f.code for f in found] == expected
    for unused in found:
        if unused.code == "CAP001":
            (edit,) = unused.fixes[0].edits
            new = line[: edit.column - 1] + edit.text + line[edit.end_column - 1 :]
            assert new == fixed
            assert line[unused.column - 1 :].startswith("# capture")


def test_an_unused_comment_on_its_own_line_goes_with_the_line() -> None:
    (unused,) = suppress("m.py", "a\n  # capture: ignore\nb\n", [], lambda _: True)
    (edit,) = unused.fixes[0].edits
    assert (edit.line, edit.column, edit.end_line, edit.end_column, edit.text) == (2, 1, 3, 1, "")


def test_the_narrower_suppression_is_the_one_used() -> None:
    text = "def f():  # capture: ignore\n    a  # capture: ignore\n"
    assert left(text, finding(2)) == [("CAP001", 1)]


def test_a_broken_file_keeps_its_suppressions() -> None:
    assert left("x  # capture: ignore\ny = (\n", finding(1)) == []


def test_end_to_end(project: Project) -> None:
    project.write("m.py", BRANCH.replace("> 0:", "> 0:  # capture: ignore[CAP101]"))
    assert project.check("m.py").status == 0
    project.write("m.py", BRANCH.replace("torch.Tensor:", "torch.Tensor:  # capture: ignore"))
    assert project.check("m.py").status == 0
    project.write("m.py", BRANCH.replace("x - 1", "x - 1  # capture: ignore[CAP101]"))
    assert project.check("m.py").codes == [("m.py", "CAP101", 5), ("m.py", "CAP001", 7)]
    assert project.check("m.py", "--ignore", "CAP001").codes == [("m.py", "CAP101", 5)]
    # a run that did not look for the rule, or only under other frontends, cannot call it unused
    assert project.check("m.py", "--select", "CAP0").codes == []
    assert ("m.py", "CAP001", 7) not in project.check("m.py", "--frontend", "fx").codes


def test_a_code_that_does_not_exist_is_said_to_be_unknown() -> None:
    def messages(line: str, *findings: Finding) -> list[str]:
        found = suppress("m.py", line + "\n", findings, lambda _: True, lambda code: code != "CAP998")
        return [f.message for f in found]

    assert messages("x  # capture: ignore[CAP998]") == ["unknown code CAP998"]
    assert messages("x  # capture: ignore[CAP101, CAP998]", finding(1)) == ["unknown code CAP998"]
    assert messages("x  # capture: ignore[CAP101, CAP998]") == ["unknown code CAP998; nothing to suppress here: CAP101"]


def test_end_to_end_an_unknown_code(project: Project) -> None:
    project.write("m.py", "import torch\n\nx = 1  # capture: ignore[CAPxyz]\n")
    assert [f["message"] for f in project.check("m.py").json["findings"]] == ["unknown code CAPxyz"]
