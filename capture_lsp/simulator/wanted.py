"""Requests of a page as they come over the wire: taken apart and checked before anything is run."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from capture_lsp.simulator.combinations import MOST_CALLS

if TYPE_CHECKING:
    from runtime_probe.simulation import Combination, Controls, Request


class BadRequest(Exception):
    """Not a request, or not one of these controls."""


def wanted(body: bytes, controls: Controls) -> Request:
    """The request in `{"request": {"frontend", "calls"}}`. Raises BadRequest."""
    try:
        asked = json.loads(body)["request"]
        frontend, calls = asked["frontend"], asked["calls"]
    except (ValueError, KeyError, TypeError, RecursionError):
        raise BadRequest('a request is {"request": {"frontend", "calls"}}') from None
    if frontend not in controls["frontends"]:
        raise BadRequest("no such frontend")
    if not isinstance(calls, list) or not 1 <= len(calls) <= MOST_CALLS:
        raise BadRequest(f"a request has 1 to {MOST_CALLS} calls")
    return {"frontend": frontend, "calls": [_combination(call, controls) for call in calls]}


def _combination(call: Any, controls: Controls) -> Combination:
    if not isinstance(call, dict):
        raise BadRequest("a call is an object")
    return {
        "inputs": _index(call.get("inputs"), len(controls["inputs"]), "inputs"),
        "sizes": _indices(call.get("sizes"), [len(size["values"]) for size in controls["sizes"]], "sizes"),
        "numbers": _indices(call.get("numbers"), [len(one["values"]) for one in controls["numbers"]], "numbers"),
        "dtype": _index(call.get("dtype"), len(controls["dtypes"]), "dtype"),
        "mode": _index(call.get("mode"), max(1, len(controls["modes"])), "mode"),
    }


def _indices(value: Any, counts: list[int], name: str) -> list[int]:
    if not isinstance(value, list) or len(value) != len(counts):
        raise BadRequest(f"{name}: {len(counts)} indices are wanted")
    return [_index(item, count, name) for item, count in zip(value, counts)]


def _index(value: Any, count: int, name: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < count:
        raise BadRequest(f"{name}: not an index below {count}")
    return value
