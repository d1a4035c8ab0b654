"""`--baseline`, `--write-baseline`, `--prune`, and what counts for the exit status."""

from __future__ import annotations

import json

import pytest

from tests.cli.conftest import BRANCH, CLEAN, Done, Project

READ = """\
import torch


@torch.compile
def read(x: torch.Tensor) -> torch.Tensor:
    print(x)
    return x * x.max().item()


read(torch.rand(2))
"""


ROW = '{"code": "CAP101", "path": "a.py", "function": "f", "expression": "x", "statement": "y"}'


def check(project: Project, *arguments: str) -> Done:
    return project.check(".", "--target-torch", "2.13", *arguments)


def test_known_findings_are_not_shown(project: Project) -> None:
    project.write("a.py", BRANCH)
    project.write("b.py", READ)
    done = check(project, "--write-baseline", "known.json")
    assert (done.status, done.out, done.err) == (0, "", "Wrote 3 findings to known.json.\n")
    first = (project.root / "known.json").read_bytes()
    assert b'"line"' not in first
    assert check(project, "--write-baseline", "known.json").status == 0
    assert (project.root / "known.json").read_bytes() == first

    done = check(project, "--baseline", "known.json")
    assert (done.status, done.codes) == (0, [])
    assert done.json["known"] == {"source": "known.json", "count": 3, "gone": []}
    shown = project.run("check", ".", "--baseline", "known.json", "--target-torch", "2.13", "--no-cache")
    assert shown.out == "Nothing new, 3 known from known.json, 2 files checked.\n"

    project.write("a.py", "import os\n\n" + BRANCH + "\n\ntorch.compile(lambda x: x.item())(torch.rand(1))\n")
    done = check(project, "--baseline", "known.json")
    assert (done.status, done.codes) == (1, [("a.py", "CAP110", 12)])


def test_what_no_longer_occurs_is_told_and_pruned(project: Project) -> None:
    project.write("a.py", BRANCH)
    project.write("b.py", READ)
    check(project, "--write-baseline", "known.json")
    project.write("b.py", READ.replace("    print(x)\n", ""))
    done = check(project, "--baseline", "known.json")
    assert done.status == 0
    assert "no longer found: CAP301 print(x) (b.py::read)" in done.err
    assert "--prune" in done.err
    # a part of the project, or of the rules, tells nothing of the rest
    alone = project.check("a.py", "--target-torch", "2.13", "--baseline", "known.json", "--prune")
    assert (alone.status, alone.json["known"]["gone"]) == (0, [])
    assert check(project, "--baseline", "known.json", "--ignore", "CAP3").json["known"]["gone"] == []
    other = project.check(".", "--target-torch", "2.9", "--baseline", "known.json")
    assert other.json["known"]["gone"] == []
    assert "written for torch 2.13" in other.err

    done = check(project, "--baseline", "known.json", "--prune")
    assert "took 1 finding" in done.err
    assert len(json.loads((project.root / "known.json").read_text())["findings"]) == 2
    project.write("b.py", READ)
    assert check(project, "--baseline", "known.json").codes == [("b.py", "CAP301", 6)]


def test_prune_follows_what_moved(project: Project) -> None:
    project.write("a.py", READ)
    check(project, "--write-baseline", "known.json")
    (project.root / "a.py").rename(project.root / "c.py")
    assert check(project, "--baseline", "known.json", "--prune").codes == []
    rows = json.loads((project.root / "known.json").read_text())["findings"]
    assert {row["path"] for row in rows} == {"c.py"}


def test_a_part_of_the_project_says_nothing_of_files_that_are_gone_elsewhere(project: Project) -> None:
    project.write("a.py", BRANCH)
    project.write("sub/b.py", READ)
    check(project, "--write-baseline", "known.json")
    (project.root / "sub/b.py").rename(project.root / "sub/c.py")
    part = project.check("a.py", "--target-torch", "2.13", "--baseline", "known.json", "--prune")
    assert (part.status, part.json["known"]["gone"]) == (0, [])
    assert check(project, "--baseline", "known.json").codes == []
    (project.root / "sub/c.py").unlink()
    part = project.check("sub", "--target-torch", "2.13", "--baseline", "known.json", "--prune")
    assert len(part.json["known"]["gone"]) == 2


def test_a_baseline_in_a_folder_of_its_own_holds_no_absolute_paths(project: Project) -> None:
    project.write("a.py", BRANCH)
    project.write("ci/b.py", READ)
    check(project, "--write-baseline", "ci/known.json")
    rows = json.loads((project.root / "ci/known.json").read_text())["findings"]
    assert {row["path"] for row in rows} == {"../a.py", "b.py"}
    (project.root / "a.py").rename(project.root / "c.py")
    assert check(project, "--baseline", "ci/known.json", "--prune").codes == []
    assert '"path": "../c.py"' in (project.root / "ci/known.json").read_text()


def test_an_editor_may_put_a_byte_order_mark_before_a_baseline(project: Project) -> None:
    project.write("a.py", BRANCH)
    check(project, "--write-baseline", "known.json")
    file = project.root / "known.json"
    file.write_bytes(b"\xef\xbb\xbf" + file.read_bytes().replace(b"\n", b"\r\n"))
    assert check(project, "--baseline", "known.json").status == 0


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "known.json: No such file"),
        ("{", "not a baseline"),
        ("[]", "no list of findings"),
        ('{"version": 9, "findings": []}', "version 9"),
        ('{"version": 1, "findings": []}', "a baseline of version 1; write it anew with --write-baseline"),
        ('{"version": 2, "frontends": 3, "findings": []}', "no list of frontends"),
        ('{"version": 2, "findings": [{"code": "CAP101"}]}', "finding 1 is not complete"),
        (f'{{"version": 2, "findings": [{ROW}, {ROW[:-1]}, "count": -1}}]}}', "finding 2 is not complete"),
        (f'{{"version": 2, "findings": [{ROW[:-1]}, "count": 1e9}}]}}', "finding 1 is not complete"),
        (f'{{"version": 2, "findings": [{ROW[:-1]}, "outline": 3}}]}}', "finding 1 is not complete"),
        (f'{{"version": 2, "findings": [{ROW}, 3]}}', "finding 2 is not complete"),
    ],
)
def test_a_file_that_is_no_baseline(project: Project, content: str | None, message: str) -> None:
    project.write("a.py", BRANCH)
    if content is not None:
        project.write("known.json", content)
    done = check(project, "--baseline", "known.json")
    assert done.status == 2
    assert message in done.err


def test_options_that_exclude_each_other(project: Project) -> None:
    project.write("a.py", BRANCH)
    for arguments in (
        ("--baseline", "a", "--diff-base", "HEAD"),
        ("--prune",),
        ("--reason", "x"),
        ("--add-ignores", "--reason", "a # b"),
        ("--write-baseline", "a", "--fix"),
        ("--write-baseline", "a", "--add-ignores"),
        ("--write-baseline", "a", "--output-file", "b"),
        ("--add-ignores", "--output-file", "b"),
        ("--compare", "--target-torch", "2.9"),
        ("--compare", "--target-torch", "2.9", "--target-torch", "2.10", "--max-warnings", "3"),
        ("--target-torch", "2.9", "--target-torch", "2.10"),
        ("--max-warnings", "-1"),
    ):
        assert project.check("a.py", *arguments).status == 2, arguments


def test_what_counts_for_the_exit_status(project: Project) -> None:
    project.write("a.py", BRANCH)
    assert check(project).status == 1  # one warning
    assert check(project, "--exit-severity", "error").status == 0
    assert check(project, "--exit-severity", "warning").status == 1
    assert check(project, "--max-warnings", "1").status == 0
    assert check(project, "--max-warnings", "0").status == 1
    project.write("capture-lsp.toml", 'severity = { CAP101 = "error" }\n')
    assert check(project, "--exit-severity", "error").status == 1
    assert check(project, "--max-warnings", "5").status == 1
    assert len(check(project, "--max-warnings", "5").codes) == 1
    project.write("capture-lsp.toml", 'severity = { CAP101 = "hint" }\n')
    assert check(project).status == 1
    assert check(project, "--exit-severity", "info").status == 0
    assert check(project, "--max-warnings", "0").status == 0


def test_the_comment_for_a_pull_request(project: Project) -> None:
    project.write("a.py", READ)
    check(project, "--write-baseline", "known.json")
    project.write("a.py", READ.replace("    print(x)\n", ""))
    project.write("b.py", BRANCH)
    arguments = ("--baseline", "known.json", "--target-torch", "2.13", "--no-cache", "--output-format")
    text = project.run("check", ".", *arguments, "markdown").out
    assert text.startswith("### capture-lsp: 1 new problem, 1 known, 1 gone\n")
    rows = {
        line.split("]")[0].strip("| ["): [c.strip() for c in line.split("|")[2:5]]
        for line in text.split("\n")
        if "[CAP" in line and line.count("|") == 5
    }
    assert rows["CAP101"] == ["0", "1", "+1"]
    assert rows["CAP110"] == ["1", "1", "0"]
    assert rows["CAP301"] == ["1", "0", "-1"]
    assert "| **all** | **2** | **2** | **0** |" in text
    sarif = json.loads(project.run("check", ".", *arguments, "sarif").out)["runs"][0]["results"]
    states = {(r["ruleId"], r["baselineState"], bool(r["suppressions"])) for r in sarif}
    assert states == {("CAP101", "new", False), ("CAP110", "unchanged", True)}


def test_a_run_without_findings_writes_an_empty_baseline(project: Project) -> None:
    project.write("a.py", CLEAN)
    assert check(project, "--write-baseline", "sub/known.json").status == 2  # no such folder
    assert check(project, "--write-baseline", "known.json").status == 0
    assert check(project, "--baseline", "known.json").json["known"]["count"] == 0
