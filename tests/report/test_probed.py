"""The report with a probe."""

from __future__ import annotations

import json
import sys
from dataclasses import replace

import pytest

from analyzer.finding import Finding
from capture_lsp.project_report.findings import status_of, worst
from tests.report.conftest import Reporter

#: A function with two graphs and a guard that fails, one that is captured whole, and what a rule does not foresee.
TRAIN = """\
import torch


@torch.compile
def scored(x: torch.Tensor) -> torch.Tensor:
    y = x * 2
    if y.sum() > 0:
        return y + 1
    return y - 1


@torch.compile(fullgraph=True)
def scaled(x: torch.Tensor) -> torch.Tensor:
    return x.relu() * 3


if __name__ == "__main__":
    scored(torch.ones(4))
    scored(torch.ones(5))
    scaled(torch.ones(4))
"""


@pytest.mark.truth
def test_entries_and_findings_are_what_the_compiler_did(reporter: Reporter) -> None:
    reporter.write("train.py", TRAIN)
    arguments = ["--probe", "--python", sys.executable, "--frontend", "dynamo,trace", "--history", "runs.jsonl"]
    found = reporter.run(*arguments)
    assert found.status == 1, found.err
    data = found.data
    [finding] = data["findings"]
    assert (finding["code"], finding["status"], finding["at"]["where"]) == ("CAP101", "confirmed", "train.py:7")
    entries = {entry["id"]: entry for entry in data["entries"]}
    assert {name: entry["captured"] for name, entry in entries.items()} == {
        "train.py::scored": "parts",
        "train.py::scaled": "whole",
    }
    scored = entries["train.py::scored"]
    assert [one["at"]["where"] for one in scored["breaks"]] == ["train.py:7"]
    assert scored["recompiles"][0]["call"] == 2
    assert {one["frontend"]: one["outcome"] for one in scored["matrix"]}["dynamo"] == "graph_break"
    assert {one["frontend"] for one in scored["matrix"]} == {"dynamo", "trace"}
    # Every line of the function but its head is in an island, and each graph's number is one of the graphs'.
    [function] = scored["functions"]
    assert (function["name"], function["first"], function["last"]) == ("scored", 4, 9)
    lines = {
        line for island in function["islands"] for first, last in island["ranges"] for line in range(first, last + 1)
    }
    assert {6, 7, 8} <= lines <= {6, 7, 8, 9}
    ids = {graph["id"] for graph in scored["graphs"]}
    assert {island["graph"] for island in function["islands"] if island["kind"] == "graph"} <= ids
    assert function["breaks"][0]["at"]["line"] == 7
    for graph in scored["graphs"]:
        names = {node["name"] for node in graph["nodes"]}
        assert graph["size"] == len(graph["nodes"])
        assert all(name in names for node in graph["nodes"] for name in node["inputs"])
    assert any(guard["source"] == "x" for guard in scored["guards"])
    figures = data["summary"]
    assert {one["name"]: one["count"] for one in figures["entries"] if one["count"]} == {
        "captured whole": 1,
        "captured in parts": 1,
    }
    assert {one["name"]: one["count"] for one in figures["statuses"]} == {"confirmed": 1}
    [row] = [json.loads(line) for line in (reporter.root / "runs.jsonl").read_text("utf-8").splitlines()]
    assert row["breaks"] == 1
    assert (row["entries"], row["whole"]) == (2, 1)
    # Addresses, which differ from run to run, are in no guard; nor is the folder.
    assert str(reporter.root) not in found.text
    again = reporter.run(*arguments)
    assert again.data["entries"] == data["entries"]


def test_what_the_probe_refuted_is_shown_for_what_was_predicted() -> None:
    made = Finding(
        "CAP101",
        "data-dependent-branch",
        "a.py",
        1,
        1,
        1,
        2,
        "",
        "",
        {"trace": "silently_wrong", "dynamo": "graph_break", "fullgraph": "refused"},
        status={"dynamo": "refuted"},
        in_use=("dynamo",),
    )
    assert (worst(made), status_of(made)) == ("graph_break", "refuted")
    also = replace(made, in_use=("dynamo", "fullgraph"), status={"dynamo": "refuted", "fullgraph": "predicted"})
    assert (worst(also), status_of(also)) == ("refused", "predicted")
    confirmed = replace(made, status={"dynamo": "confirmed", "trace": "refuted"})
    assert (worst(confirmed), status_of(confirmed)) == ("graph_break", "confirmed")


def test_without_an_interpreter_that_has_torch_the_findings_are_there(reporter: Reporter) -> None:
    reporter.write("train.py", TRAIN)
    found = reporter.run("--probe", "--python", str(reporter.root / "no" / "python"))
    assert found.status == 2
    data = found.data
    assert [finding["status"] for finding in data["findings"]] == ["predicted"]
    assert data["entries"] == []
    assert [problem["kind"] for problem in data["problems"]] == ["probe"]
