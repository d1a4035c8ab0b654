"""The file that gets one line from each run."""

from __future__ import annotations

import json

import pytest

from capture_lsp.project_report import history
from capture_lsp.project_report.data import Row
from tests.cli.conftest import BRANCH, CLEAN
from tests.report.conftest import DATE, Reporter


def test_each_run_adds_a_line_and_the_page_has_all(reporter: Reporter) -> None:
    reporter.write("a.py", BRANCH)
    first = reporter.run("--history", "runs.jsonl")
    reporter.write("a.py", CLEAN)
    second = reporter.run("--history", "runs.jsonl")
    rows = [json.loads(line) for line in (reporter.root / "runs.jsonl").read_text("utf-8").splitlines()]
    assert first.data["history"] == rows[:1]
    assert second.data["history"] == rows
    assert rows[0]["date"] == DATE
    assert rows[0]["kinds"] == {"graph_break": 1}
    assert rows[0]["frontends"] == {"dynamo": 1}
    assert (rows[0]["breaks"], rows[0]["graphs"], rows[0]["whole"]) == (None, None, None)
    assert rows[1]["findings"] == 0


def test_the_page_draws_the_newest_runs_and_the_file_keeps_all(reporter: Reporter) -> None:
    reporter.write("a.py", CLEAN)
    row = reporter.run("--history", "runs.jsonl").data["history"][0]
    many = [{**row, "findings": number} for number in range(history.MOST_ROWS + 5)]
    reporter.write("runs.jsonl", "".join(json.dumps(one) + "\n" for one in many))
    shown = reporter.run("--history", "runs.jsonl").data["history"]
    assert len(shown) == history.MOST_ROWS
    assert [one["findings"] for one in shown] == [*range(6, history.MOST_ROWS + 5), 0]
    assert len((reporter.root / "runs.jsonl").read_text("utf-8").splitlines()) == history.MOST_ROWS + 6


@pytest.mark.parametrize(
    "line",
    ["{", "[" * 100_000, "[]", "{}", '{"date": "2026-01-01"}', "null"]
    + [
        json.dumps({**dict.fromkeys(Row.__annotations__, 0), "kinds": {}, "frontends": {}, **wrong})
        for wrong in (
            {},
            {"date": "", "commit": "", "torch": "", "findings": -1},
            {"date": "", "commit": "", "torch": "", "findings": 10**400},
            {"date": "", "commit": "", "torch": "", "breaks": "2"},
            {"date": "", "commit": "", "torch": "", "kinds": {"graph_break": None}},
        )
    ],
)
def test_another_file_is_not_overwritten(reporter: Reporter, line: str) -> None:
    reporter.write("a.py", CLEAN)
    reporter.write("notes.txt", f"{line}\n")
    found = reporter.run("--history", "notes.txt")
    assert found.status == 2
    assert "notes.txt:1: no line of" in found.err
    assert (reporter.root / "notes.txt").read_text("utf-8") == f"{line}\n"
    assert found.text == ""
