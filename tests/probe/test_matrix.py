"""The capture matrix on small programs, through a real zygote: outcomes, lines, counterexamples, perturbations."""

from __future__ import annotations

import csv
import functools
import pathlib
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.probe.zygote import Zygote

pytestmark = pytest.mark.truth

HERE = pathlib.Path(__file__).parent
PROGRAMS = HERE / "programs"
FRONTENDS = ("trace", "fx", "script", "fullgraph", "export")
BAD = ("refused", "silently_wrong", "unknown")


def _rows(table: str) -> list[dict[str, str]]:
    with open(HERE / table, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


ROWS = _rows("matrix.tsv")
PERTURBED = _rows("perturbed.tsv")


@pytest.fixture(scope="module")
def zygote(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Zygote]:
    started = Zygote(tmp_path_factory.mktemp("probe"))
    yield started
    assert started.close() == 0


Verdicts = Callable[[dict[str, str]], dict[str, Any]]
Perturbed = Callable[[dict[str, str]], list[dict[str, str]]]


@pytest.fixture(scope="module")
def verdicts(zygote: Zygote) -> Verdicts:
    """The verdicts of all frontends on a row's program, which is probed once."""

    @functools.cache
    def probe(program: str, entry: str, inputs: str) -> dict[str, Any]:
        return matrix(zygote, program, entry, inputs, *FRONTENDS)

    return lambda row: probe(row["program"], row["entry"], row["inputs"])


@pytest.fixture(scope="module")
def perturbed(zygote: Zygote) -> Perturbed:
    """The perturbations that a row is about; each program is probed once, under all frontends that rows name."""

    @functools.cache
    def probe(program: str, entry: str, inputs: str) -> dict[str, Any]:
        same = [r for r in PERTURBED if (r["program"], r["entry"], r["inputs"]) == (program, entry, inputs)]
        options = {"frontends": sorted({r["frontend"] for r in same})}
        return matrix(zygote, program, entry, inputs, "perturb", options=options)

    def ask(row: dict[str, str]) -> list[dict[str, str]]:
        found = probe(row["program"], row["entry"], row["inputs"])
        return list(found[row["frontend"]]["perturbed"]) if row["frontend"] in found else []

    return ask


def matrix(zygote: Zygote, program: str, entry: str, inputs: str, *parts: str, **more: Any) -> dict[str, Any]:
    path = PROGRAMS / f"{program}.py"
    (found,) = zygote.ask(path, entry, inputs=inputs.split(" | "), parts=list(parts), **more)
    return dict(found["matrix"])


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['program']}-{row['inputs'].count(' | ') + 1}")
def test_outcomes_and_lines(verdicts: Verdicts, row: dict[str, str]) -> None:
    found = verdicts(row)
    assert {f: found[f]["outcome"] for f in FRONTENDS} == {f: row[f] for f in FRONTENDS}, found
    if row["line"]:
        blamed = {f: found[f]["line"] for f in FRONTENDS if row[f] in BAD and found[f]["line"] is not None}
        assert blamed, found
        assert set(blamed.values()) <= set(map(int, row["line"].split(","))), found


@pytest.mark.parametrize("row", [r for r in ROWS if r["trace"] == "silently_wrong"], ids=lambda r: r["program"])
def test_counterexamples_say_what_differs(verdicts: Verdicts, row: dict[str, str]) -> None:
    shown = verdicts(row)["trace"]["counterexample"]
    assert any(text in shown["inputs"] for text in row["inputs"].split(" | "))
    assert shown["difference"]
    assert shown["eager"] != shown["got"]


def test_export_tells_of_the_strict_way(zygote: Zygote) -> None:
    found = matrix(zygote, "numpy_inside", "fn", "torch.ones(3)", "export")["export"]
    assert found["outcome"] == "refused"
    assert [(p["change"], p["outcome"]) for p in found["perturbed"]] == [("strict=True", "captured")]


@pytest.mark.parametrize("row", PERTURBED, ids=lambda r: f"{r['program']}-{r['frontend']}-{r['change']}")
def test_perturbations(perturbed: Perturbed, row: dict[str, str]) -> None:
    found = perturbed(row)
    there = [p for p in found if p["change"].startswith(row["change"])]
    if row["outcome"] == "none":
        assert not there
        return
    assert [p["outcome"] for p in there[:1]] == [row["outcome"]], found
    assert row["message"] in there[0]["message"]


def test_perturbations_leave_the_outcome_of_the_given_calls_alone(zygote: Zygote) -> None:
    alone = matrix(zygote, "frozen_size", "fn", "torch.ones(3)", "trace")["trace"]
    options = {"frontends": ["trace"]}
    both = matrix(zygote, "frozen_size", "fn", "torch.ones(3)", "trace", "perturb", options=options)["trace"]
    assert alone["outcome"] == both["outcome"] == "captured"
    assert "silently_wrong" in {p["outcome"] for p in both["perturbed"]}
