"""The analyzer on programs with accidents: no exception, no internal error, no hang, and the same answer every time."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from analyzer.api import Options, Surroundings, analyze, rules
from analyzer.outcome import FRONTENDS
from analyzer.suppress import suppress

from .mutants import mutant

EXAMPLES = [p.read_text(encoding="utf-8") for p in sorted((Path(__file__).parents[2] / "examples").rglob("*.py"))]
TEXTS = [*EXAMPLES, *(example.source for rule in rules() for example in getattr(rule, "examples", ()))]
OPTIONS = (
    Options(),
    Options(frontends=tuple(FRONTENDS), roots="all"),
    Options(frontends=("script", "fx"), roots="forward"),
)
PATH = "/nowhere/m.py"
LIMIT = 10  #: seconds


def examine(seed: int) -> None:
    text = mutant(TEXTS[seed * 7 % len(TEXTS)], seed, TEXTS)
    options = OPTIONS[seed % len(OPTIONS)]
    answers = []
    for _ in range(2):
        began = time.process_time()
        report = analyze([PATH], options, {PATH: text}, None, Surroundings(frozenset([PATH]), (PATH,)))
        left = suppress(PATH, text, report.findings, lambda code: True)
        assert time.process_time() - began < LIMIT, f"seed {seed} takes long"
        answers.append(repr((report.findings, report.errors, left)))
    assert [e.message for e in report.errors if e.kind == "internal"] == [], f"seed {seed}"
    assert answers[0] == answers[1], f"seed {seed}"
    rows = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for finding in report.findings:
        assert 1 <= finding.line <= finding.end_line <= len(rows), f"seed {seed}"
        assert 1 <= finding.column <= len(rows[finding.line - 1]) + 1, f"seed {seed}"
        assert 1 <= finding.end_column <= len(rows[finding.end_line - 1]) + 1, f"seed {seed}"


@pytest.mark.parametrize("first", range(0, 200, 50))
def test_mutants(first: int) -> None:
    for seed in range(first, first + 50):
        examine(seed)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(200, 2000, 200))
def test_many_mutants(first: int) -> None:
    for seed in range(first, first + 200):
        examine(seed)
