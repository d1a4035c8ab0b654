"""Which runs an export records, and how they are stored."""

from __future__ import annotations

import json
from typing import Any

from capture_lsp.simulator.combinations import MOST_CALLS, given, plan, single_changes
from capture_lsp.simulator.shared_parts import shared
from runtime_probe.simulation import Controls

from .made import CONTROLS

SMALL: Controls = {**CONTROLS, "sizes": [], "numbers": [], "dtypes": ["float32"], "modes": []}


def keys(requests: list[Any]) -> list[str]:
    return [json.dumps(request, sort_keys=True) for request in requests]


def test_few_combinations_are_all_recorded() -> None:
    planned = plan(SMALL)
    assert planned.possible == 7 * 2 * 2
    assert planned.whole
    assert len(planned.requests) == planned.possible
    assert planned.told == "Recorded: 28 runs, which is every captured call with every later one."
    pairs = {(r["frontend"], *(call["inputs"] for call in r["calls"])) for r in planned.requests}
    assert pairs == {(f, *calls) for f in SMALL["frontends"] for calls in ((0,), (1,), (0, 1), (1, 0))}


def test_without_a_limit_everything_is_recorded() -> None:
    planned = plan(CONTROLS, None)
    choices = 2 * 4 * 2 * 2 * 2
    assert planned.possible == 7 * choices**2
    assert planned.whole
    histories = [r for r in planned.requests if len(r["calls"]) > 2]
    assert len(planned.requests) == planned.possible + len(histories)


def test_a_limit_keeps_the_most_telling_runs() -> None:
    planned = plan(CONTROLS, 120)
    assert len(planned.requests) == 120
    assert len(set(keys(planned.requests))) == 120
    assert not planned.whole
    assert "118 of 28,672 runs" in planned.told
    assert "2 histories" in planned.told
    start = given(CONTROLS)
    for frontend in CONTROLS["frontends"]:
        of_it = [r["calls"] for r in planned.requests if r["frontend"] == frontend]
        assert [start] in of_it
        assert all([start, change] in of_it for change in single_changes(CONTROLS))
    histories = [r for r in planned.requests if len(r["calls"]) > 2]
    assert [r["frontend"] for r in histories] == ["dynamo", "fullgraph"]
    assert [call["sizes"] for call in histories[0]["calls"]] == [[2], [0], [1], [3]]


def test_a_history_has_no_more_calls_than_a_request_may_have() -> None:
    long: Controls = {**SMALL, "sizes": [{"name": "n", "given": 1, "values": list(range(1, 99))}]}
    assert max(len(r["calls"]) for r in plan(long, 2000).requests) == MOST_CALLS


def test_the_given_choice_of_a_size_need_not_be_its_first() -> None:
    assert given(CONTROLS) == {"inputs": 0, "sizes": [2], "numbers": [1], "dtype": 0, "mode": 0}
    assert given(CONTROLS) not in single_changes(CONTROLS)


def restored(value: Any, parts: list[Any]) -> Any:
    if isinstance(value, dict):
        if set(value) == {"$shared"}:
            return parts[value["$shared"]]
        return {key: restored(item, parts) for key, item in value.items()}
    return [restored(item, parts) for item in value] if isinstance(value, list) else value


def test_large_parts_are_stored_once_and_come_back() -> None:
    graph = {"id": 0, "code": "x" * 500, "nodes": [{"name": str(n)} for n in range(50)]}
    runs: list[Any] = [{"graphs": [graph, {"id": n}], "calls": [{"text": str(n)}]} for n in range(20)]
    small, parts = shared(runs)
    assert parts == [graph]
    assert [restored(run, parts) for run in small] == runs
    assert len(json.dumps([small, parts])) < len(json.dumps(runs)) / 5
    assert shared([{"a": 1}, {"a": 1}]) == ([{"a": 1}, {"a": 1}], [])
