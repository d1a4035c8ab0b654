"""Suppressions with a term and a reason, and `--add-ignores`."""

from __future__ import annotations

import json

import pytest

from analyzer.finding import Finding
from analyzer.suppress import find, suppress

from .conftest import BRANCH, Project


def finding(line: int, code: str = "CAP101") -> Finding:
    return Finding(code, code.lower(), "m.py", line, 1, line, 2, "", "fn", {})


def judged(text: str, torch: tuple[int, int], *findings: Finding) -> list[tuple[str, str]]:
    found = suppress("m.py", text, findings, lambda code: True, torch=torch)
    return [(f.code, f.message) for f in found]


@pytest.mark.parametrize(
    ("comment", "codes", "term", "until", "reason"),
    [
        ("# capture: ignore[CAP101]", ("CAP101",), None, None, ""),
        ("# capture: ignore[CAP101] only in debug runs", ("CAP101",), None, None, "only in debug runs"),
        ("# capture: ignore[CAP101] -- slow path", ("CAP101",), None, None, "slow path"),
        ("# capture: ignore[A, B] until=torch>=2.15 -- see #12", ("A", "B"), "torch>=2.15", (2, 15), "see #12"),
        ("# capture: ignore until=torch>=2.15.1", None, "torch>=2.15.1", (2, 15), ""),
        ("# capture: ignore[A] until=torch>=2.15 -- why  # noqa", ("A",), "torch>=2.15", (2, 15), "why"),
        ("# capture: ignore[A] until=2027-01-01", ("A",), "2027-01-01", None, ""),
        ("# capture: ignore[A] until= -- why", ("A",), "", None, "why"),
        ("# capture: ignore[A] until = torch>=2.15 -- why", ("A",), "torch>=2.15", (2, 15), "why"),
    ],
)
def test_what_a_comment_says(
    comment: str, codes: tuple[str, ...] | None, term: str | None, until: tuple[int, int] | None, reason: str
) -> None:
    (found,) = find(f"x  {comment}\n")
    assert (found.codes, found.term, found.until, found.reason) == (codes, term, until, reason)


def test_a_term_holds_up_to_its_release() -> None:
    text = "x  # capture: ignore[CAP101] until=torch>=2.13 -- why\n"
    assert judged(text, (2, 12), finding(1)) == []
    message = "this suppression was to hold until torch 2.13; the torch judged by is 2.13"
    assert judged(text, (2, 13), finding(1)) == [("CAP101", ""), ("CAP002", message)]
    assert judged(text, (2, 13)) == [("CAP002", message)]
    assert [code for code, _ in judged(text, (2, 12))] == ["CAP001"]  # unused before it is over


def test_a_term_that_cannot_be_read_is_reported_and_holds() -> None:
    text = "x  # capture: ignore[CAP101] until=tomorrow\n"
    message = "cannot read until=tomorrow: write until=torch>=2.15"
    assert judged(text, (2, 13), finding(1)) == [("CAP002", message)]


def test_end_to_end_the_target_decides(project: Project) -> None:
    project.write("m.py", BRANCH.replace("> 0:", "> 0:  # capture: ignore[CAP101] until=torch>=2.12"))
    assert project.check("m.py", "--target-torch", "2.11").codes == []
    later = project.check("m.py", "--target-torch", "2.12")
    assert later.codes == [("m.py", "CAP101", 5), ("m.py", "CAP002", 5)]
    assert project.check("m.py", "--target-torch", "2.12", "--ignore", "CAP002").codes == [("m.py", "CAP101", 5)]
    project.run("check", "m.py", "--target-torch", "2.12", "--fix", "--no-cache")
    assert "ignore" not in (project.root / "m.py").read_text()


MANY = """\
import torch


@torch.compile
def fn(x: torch.Tensor, name: str = "a") -> torch.Tensor:
    if (
        x.sum() > 0  # why
        and x.mean() > 0
    ):
        print(f'''a
# not a comment {name}''')
    y = x.max().item(); z = \\
        x.min().item()  # noqa
    if x.std() > 1:  # capture: ignore[CAP110]
        x = x + 1
    return x + y + z
"""


def test_add_ignores(project: Project) -> None:
    path = project.write("m.py", MANY)
    before = project.check("m.py")
    assert len(before.codes) > 4
    done = project.run("check", "m.py", "--add-ignores", "--reason", "legacy, see #7", "--no-cache")
    assert done.status == 0, done.err + done.out
    assert "Suppressed" in done.err
    text = path.read_text()
    assert "    ):  # capture: ignore[CAP101] -- legacy, see #7\n" in text
    assert "# not a comment {name}''')  # capture: ignore[CAP301] -- legacy, see #7\n" in text
    assert "        x.min().item()  # noqa  # capture: ignore[CAP110] -- legacy, see #7\n" in text
    assert "    if x.std() > 1:  # capture: ignore[CAP110, CAP101]\n" in text
    assert [code for _, code, _ in project.check("m.py").codes if code != "CAP001"] == []
    again = project.run("check", "m.py", "--add-ignores", "--no-cache")
    assert path.read_text() == text
    assert again.status == 0 or "CAP001" in again.out
    # nothing but comments was added
    assert [line.partition("  # capture:")[0] for line in text.split("\n")] == [
        line.partition("  # capture:")[0] for line in MANY.split("\n")
    ]


def test_add_ignores_replaces_an_expired_comment_and_keeps_line_ends(project: Project) -> None:
    text = BRANCH.replace("> 0:", "> 0:  # capture: ignore[CAP101] until=torch>=2.8 -- old  # noqa")
    path = project.write("m.py", ("\ufeff" + text.replace("\n", "\r\n")).encode("utf-8"))
    assert project.run("check", "m.py", "--target-torch", "2.13", "--add-ignores", "--no-cache").status == 0
    expected = BRANCH.replace("> 0:", "> 0:  # capture: ignore[CAP101]  # noqa")
    assert path.read_bytes() == ("\ufeff" + expected.replace("\n", "\r\n")).encode("utf-8")


def test_add_ignores_in_a_notebook(project: Project) -> None:
    cells = [
        {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None, "source": ["%pip install x\n"]},
        {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None, "source": BRANCH},
    ]
    path = project.write("n.ipynb", json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}))
    assert project.run("check", "n.ipynb", "--add-ignores", "--no-cache").status == 0
    source = "".join(json.loads(path.read_text())["cells"][1]["source"])
    assert "> 0:  # capture: ignore[CAP101]\n" in source


def test_add_ignores_leaves_what_does_not_parse_alone(project: Project) -> None:
    path = project.write("m.py", BRANCH + "\nx = (\n")
    before = path.read_bytes()
    assert project.run("check", "m.py", "--add-ignores", "--no-cache").status == 2
    assert path.read_bytes() == before
