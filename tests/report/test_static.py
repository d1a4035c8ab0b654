"""The report without a probe."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import threading
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from capture_lsp import pages
from tests.cli.conftest import BRANCH, CLEAN
from tests.report.conftest import DATE, Reporter

EXAMPLES = Path(__file__).parents[2] / "examples"

#: A source that would end the page's script element, and a line end for JavaScript alone.
HOSTILE = """\
import torch

@torch.compile
def fn(x: torch.Tensor) -> torch.Tensor:
    if x.sum() > len("</script><script>alert(1)</script> \u2028"):
        return x + 1
    return x - 1
"""


def checked(reporter: Reporter, capsys: pytest.CaptureFixture[str], *arguments: str) -> list[dict[str, Any]]:
    """The findings of `check`."""
    from capture_lsp.cli import main

    main(["check", "--no-cache", "--jobs", "1", "--output-format", "json", "--exit-zero", *arguments])
    found: list[dict[str, Any]] = json.loads(capsys.readouterr().out)["findings"]
    return found


def test_all_findings_are_there_with_their_sources(reporter: Reporter, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.copytree(EXAMPLES, reporter.root / "examples")
    found = reporter.run("examples")
    assert found.status == 1
    data = found.data
    expected = checked(reporter, capsys, "examples")
    assert len(expected) > 40
    keys = ("code", "message", "severity", "function", "column", "end_line", "end_column")
    assert [[one[key] for key in keys] for one in data["findings"]] == [[one[key] for key in keys] for one in expected]
    assert [(one["at"]["path"], one["at"]["line"]) for one in data["findings"]] == [
        (one["path"], one["line"]) for one in expected
    ]
    texts = {source["path"]: source["lines"] for source in data["sources"]}
    for one in data["findings"]:
        rows = (reporter.root / one["at"]["path"]).read_text("utf-8").split("\n")
        for step in (one, *one["provenance"]):
            shown = texts[step["at"]["path"]][str(step["at"]["line"])]
            own = (reporter.root / step["at"]["path"]).read_text("utf-8").split("\n")
            assert shown == {"number": step["at"]["line"], "text": own[step["at"]["line"] - 1]}
        assert str(min(one["at"]["line"] + 1, len(rows))) in texts[one["at"]["path"]]
    assert len({one["id"] for one in data["findings"]}) == len(expected)


def test_figures_are_those_of_the_findings(reporter: Reporter) -> None:
    shutil.copytree(EXAMPLES, reporter.root / "examples")
    data = reporter.run("examples", "--exit-zero").data
    figures, findings = data["summary"], data["findings"]
    assert figures["findings"] == len(findings)
    assert {one["name"]: one["count"] for one in figures["severities"]} == Counter(f["severity"] for f in findings)
    bad = ("silently_wrong", "skipped_frame", "refused", "graph_break", "recompiles")
    names = [column["name"] for column in figures["columns"]]
    counted = Counter(
        (j["outcome"], j["frontend"]) for f in findings for j in f["judgements"] if j["in_use"] and j["outcome"] in bad
    )
    table = {(row["outcome"], name): count for row in figures["outcomes"] for name, count in zip(names, row["counts"])}
    assert {key: count for key, count in table.items() if count} == counted
    assert figures["entries"] is None
    assert data["entries"] == []


def test_a_fix_shows_the_lines_that_it_replaces(reporter: Reporter) -> None:
    reporter.write("a.py", BRANCH)
    [finding] = reporter.run(".").data["findings"]
    [change] = finding["fixes"][0]["changes"]
    before = BRANCH.split("\n")
    at = change["at"]["line"] - 1
    assert change["removed"] == before[at : at + len(change["removed"])]
    after = [*before[:at], *change["added"], *before[at + len(change["removed"]) :]]
    assert compile("\n".join(after), "a.py", "exec")
    assert "torch.where" in "\n".join(after)


@pytest.mark.parametrize(("content", "status"), [(BRANCH, 1), (CLEAN, 0)])
def test_the_exit_status_is_that_of_check(reporter: Reporter, content: str, status: int) -> None:
    reporter.write("a.py", content)
    assert reporter.run().status == status
    assert reporter.run("--exit-zero").status == 0


def test_sources_end_nothing_in_the_page(reporter: Reporter) -> None:
    reporter.write("a.py", HOSTILE)
    found = reporter.run()
    assert found.text.count("</script>") == 2  # the data's and the script's own
    assert "\u2028" not in found.text
    [source] = found.data["sources"]
    assert source["lines"]["5"]["text"] == HOSTILE.split("\n")[4]


def test_the_same_files_give_the_same_bytes(reporter: Reporter) -> None:
    shutil.copytree(EXAMPLES / "project", reporter.root / "project")
    first, second = reporter.run("--exit-zero"), reporter.run("--exit-zero")
    assert first.text == second.text
    assert str(reporter.root) not in first.text
    assert first.data["date"] == DATE
    assert first.data["commit"] == ""


def test_the_commit_is_that_of_the_repository(reporter: Reporter) -> None:
    reporter.write("a.py", CLEAN)
    git = ["git", "-c", "user.name=A", "-c", "user.email=a@example.com"]
    for arguments in (["init", "-q"], ["add", "a.py"], ["commit", "-qm", "first"]):
        subprocess.run([*git, *arguments], cwd=reporter.root, check=True)
    head = subprocess.run(["git", "rev-parse", "HEAD"], cwd=reporter.root, check=True, capture_output=True, text=True)
    assert reporter.run().data["commit"] == head.stdout.strip()


def test_a_folder_without_programs(reporter: Reporter) -> None:
    found = reporter.run()
    assert found.status == 0
    assert found.data["findings"] == []
    assert found.data["summary"]["files"] == 0


def test_a_file_that_does_not_parse_is_told_and_the_page_is_written(reporter: Reporter) -> None:
    reporter.write("bad.py", "def f(:\n")
    reporter.write("good.py", BRANCH)
    found = reporter.run()
    assert found.status == 2
    assert "bad.py:1:" in found.err
    assert "error" in found.err
    assert [problem["at"]["path"] for problem in found.data["problems"]] == ["bad.py"]
    assert [finding["at"]["path"] for finding in found.data["findings"]] == ["good.py"]


def test_places_in_a_notebook_are_those_of_its_cells(reporter: Reporter) -> None:
    cells = [{"cell_type": "code", "source": text, "metadata": {}} for text in ("x = 1\n", BRANCH)]
    reporter.write("a.ipynb", json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}))
    data = reporter.run().data
    [finding] = data["findings"]
    assert finding["at"]["where"] == "a.ipynb:cell 2:5"
    [source] = data["sources"]
    assert source["lines"][str(finding["at"]["line"])] == {"number": 5, "text": BRANCH.split("\n")[4]}
    assert all(line["text"] != "x = 1" for line in source["lines"].values())


def test_against_a_baseline_findings_are_new_known_or_gone(
    reporter: Reporter, capsys: pytest.CaptureFixture[str]
) -> None:
    from capture_lsp.cli import main

    reporter.write("a.py", BRANCH)
    reporter.write("gone.py", BRANCH)
    main(["check", "--no-cache", "--jobs", "1", "--write-baseline", "known.json"])
    capsys.readouterr()
    assert reporter.run("--baseline", "known.json").status == 0
    reporter.write("gone.py", CLEAN)
    reporter.write("b.py", BRANCH.replace("x.sum()", "x.mean()"))
    found = reporter.run("--baseline", "known.json")
    assert found.status == 1
    assert [(one["at"]["path"], one["mark"]) for one in found.data["findings"]] == [("a.py", "known"), ("b.py", "new")]
    figures = found.data["summary"]
    assert (figures["new"], figures["known"], figures["gone"], figures["baseline"]) == (1, 1, 1, "known.json")
    assert [one["path"] for one in found.data["gone"]] == ["gone.py"]
    assert found.data["notes"] == []  # the page has what is gone; nothing is to be pruned here


def test_without_built_pages_nothing_runs(reporter: Reporter, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    reporter.write("a.py", BRANCH)
    monkeypatch.setattr(pages, "ASSETS", tmp_path / "nowhere")
    found = reporter.run("--history", "runs.jsonl")
    assert found.status == 2
    assert "run `make pages`" in found.err
    assert not (reporter.root / "runs.jsonl").exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--measure"], "give --probe as well"),
        (["--perturb"], "give --probe as well"),
        (["--probe", "--budget", "3"], "give --measure as well"),
        (["--html", "sub"], "put the paths before --html"),
        (["--html", "a.py"], "put the paths before --html"),
        (["--html", "nowhere/page.html"], "no such folder"),
        (["--baseline", "nowhere.json"], "--write-baseline writes it"),
    ],
)
def test_what_cannot_be_done_is_said(reporter: Reporter, arguments: list[str], said: str) -> None:
    reporter.write("a.py", BRANCH)
    (reporter.root / "sub").mkdir()
    found = reporter.run(*arguments)
    assert found.status == 2
    assert said in found.err
    assert (reporter.root / "a.py").read_text("utf-8") == BRANCH


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_is_written_into_and_not_replaced(reporter: Reporter) -> None:
    reporter.write("a.py", CLEAN)
    pipe = reporter.root / "page"
    os.mkfifo(pipe)
    got: list[bytes] = []
    reader = threading.Thread(target=lambda: got.append(pipe.read_bytes()), daemon=True)
    reader.start()
    assert reporter.run("--html", "page").status == 0
    reader.join(60)
    assert got[0].startswith(b"<!doctype html>")
    assert pipe.is_fifo()
