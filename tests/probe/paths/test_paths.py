"""All-paths exploration reports every break that any chosen input meets; the truth comes from running them."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

from tests.probe.paths.programs import INPUTS

MOST_PATHS = 64
pytestmark = pytest.mark.truth


FAKE = ("nested_ifs:fake=1", "mode_by_argmax:fake=1")
LIMITED = "nested_ifs:paths=2"


@pytest.fixture(scope="module")
def everything() -> dict[str, Any]:
    """All of it from one process: starting one costs more than a program."""
    command = [sys.executable, "-m", "tests.probe.paths.measure", *INPUTS, *FAKE, LIMITED]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.fixture(scope="module")
def measured(everything: dict[str, Any]) -> dict[str, Any]:
    return {entry: everything[entry] for entry in INPUTS}


def _breaks(paths: list[dict[str, Any]]) -> set[tuple[int, str]]:
    return {(b["line"], b["graph_break"]) for path in paths for b in path["breaks"]}


def _pairs(breaks: list[list[Any]]) -> set[tuple[int, str]]:
    return {(line, name) for line, name in breaks}


def test_twenty_programs() -> None:
    assert len(INPUTS) == 20


@pytest.mark.parametrize("entry", INPUTS)
def test_every_break_on_any_path(measured: dict[str, Any], entry: str) -> None:
    paths, truth = measured[entry]["paths"], _pairs(measured[entry]["truth"])
    assert truth - _pairs(measured[entry]["alone"]), "this program hides no break from its first input"
    assert truth - _breaks(paths) == set()
    assert len(paths) <= MOST_PATHS
    assert not any(path["status"].startswith("stopped") for path in paths)


@pytest.mark.parametrize("entry", INPUTS)
def test_the_natural_path_is_what_dynamo_does_untouched(measured: dict[str, Any], entry: str) -> None:
    natural = measured[entry]["paths"][0]
    assert natural["status"] == "ok"
    assert _breaks([natural]) == _pairs(measured[entry]["alone"])


def test_nothing_is_reported_but_what_some_input_shows(measured: dict[str, Any]) -> None:
    """Except where the path raised: then its decisions cannot all be had."""
    for entry, found in measured.items():
        finished = [path for path in found["paths"] if path["status"] == "ok"]
        assert _breaks(finished) <= _pairs(found["truth"]), entry
        for path in found["paths"]:
            assert path["status"] == "ok" or "inconclusive" in path["status"], path


def test_decisions_are_places_in_the_source(measured: dict[str, Any]) -> None:
    nested = measured["nested_ifs"]["paths"]
    assert [(d["line"], d["column"], d["value"]) for d in nested[0]["decisions"]] == [
        (13, 8, "True"),
        (15, 12, "False"),
    ]
    assert {d["path"].rsplit("/", 1)[-1] for path in nested for d in path["decisions"]} == {"programs.py"}


def test_values_for_numbers_meet_their_conditions(measured: dict[str, Any]) -> None:
    read = {path["decisions"][0]["value"] for path in measured["item_ladder"]["paths"]}
    assert "5" in read
    assert {int(v) > 17 for v in read} == {True, False}
    assert "3" in read
    assert any(9 < int(v) <= 17 for v in read)


def test_nothing_but_paths_is_told(measured: dict[str, Any]) -> None:
    assert all(found["events"] == ["path"] for found in measured.values())


def test_without_data(everything: dict[str, Any]) -> None:
    """Fake tensors: the same breaks, from any path, though no read tells which of them is natural."""
    for entry in FAKE:
        found = everything[entry]
        assert _pairs(found["truth"]) <= _breaks(found["paths"]), entry
        assert all(path["status"] == "ok" for path in found["paths"])


def test_limit_of_paths_is_told(everything: dict[str, Any]) -> None:
    paths = everything[LIMITED]["paths"]
    assert len(paths) == 3
    assert paths[-1]["status"].startswith("stopped: limit of 2 paths; at least ")
    assert paths[-1]["breaks"] == []
