"""Small programs against what real PyTorch did with them.

`programs/truth.json` says of each program and frontend on which lines the run went wrong (`bad`), on which lines a
finding counts neither way (`free`: the tracer warned, or the harm shows only with other calls), and behind which line
nothing was reached (`stop`). `entry`, `inputs` and `variants` are what was run (see `python -m tests.truth --help`).
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from analyzer.api import Options, Report, analyze
from analyzer.finding import Finding
from analyzer.outcome import BAD, Frontend

FOLDER = Path(__file__).parent / "programs"
TRUTH: dict[str, dict[str, Any]] = json.loads((FOLDER / "truth.json").read_text(encoding="utf-8"))
FRONTENDS: tuple[Frontend, ...] = ("dynamo", "trace", "fx", "script", "triton")
LONG = 4  #: a finding over more lines stands at its first


@pytest.fixture(scope="module")
def report() -> Report:
    return analyze([str(FOLDER / f"{name}.py") for name in TRUTH], Options(frontends=FRONTENDS))


def lines_of(finding: Finding) -> range:
    first, last = finding.line, finding.end_line
    return range(first, last + 1) if last - first < LONG else range(first, first + 1)


def test_every_program_has_a_truth() -> None:
    assert {path.stem for path in FOLDER.glob("*.py")} == set(TRUTH)


@pytest.mark.parametrize("name", sorted(TRUTH))
def test_findings_stand_where_pytorch_went_wrong(name: str, report: Report) -> None:
    assert not report.errors
    here = [f for f in report.findings if Path(f.path).stem == name]
    for frontend, told in TRUTH[name]["lines"].items():
        flagged = [lines_of(f) for f in here if f.outcomes.get(frontend) in BAD]
        missed = [line for line in told["bad"] if not any(line in lines for lines in flagged)]
        assert not missed, f"{frontend} went wrong at {missed}, of which nothing is said"
        allowed, stop = {*told["bad"], *told.get("free", ())}, told.get("stop")
        wrong = [lines[0] for lines in flagged if not allowed & set(lines) and not (stop and lines[0] > stop)]
        assert not wrong, f"{frontend} did nothing wrong at {wrong}"
