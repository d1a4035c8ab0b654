"""Which runs a page without a server holds: choices of the controls for the captured call and for one after it.

All of them where these are few; else the most telling ones first, until the limit.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from runtime_probe.simulation import Combination, Controls, Frontend, Request

#: Runs in a page, unless the user says otherwise: about a minute for a small program.
LIMIT = 300
#: Requests that are looked at: more would fill the memory.
_MOST = 200_000
#: Calls of one captured object in a request.
MOST_CALLS = 48
#: Frontends whose next call depends on those before it: they have histories.
_COMPILED: tuple[Frontend, ...] = ("dynamo", "fullgraph")


@dataclass(frozen=True)
class Plan:
    """The runs to be recorded. `possible`: captured calls alone or with one later call, over all frontends."""

    requests: list[Request]
    possible: int

    @property
    def whole(self) -> bool:
        """Whether every captured call and every later call is there."""
        return sum(len(request["calls"]) <= 2 for request in self.requests) >= self.possible

    @property
    def told(self) -> str:
        """What was recorded and what was not, in one sentence."""
        histories = sum(len(request["calls"]) > 2 for request in self.requests)
        pairs = len(self.requests) - histories
        also = f", and {histories} histories over all sizes or numbers" if histories else ""
        if self.whole:
            return f"Recorded: {pairs:,} runs, which is every captured call with every later one{also}."
        return (
            f"Recorded: {pairs:,} of {self.possible:,} runs with a captured call and a later one{also}. Left out are "
            "rarer combinations; `capture-lsp simulate` without --export runs any of them."
        )


def plan(controls: Controls, limit: int | None = LIMIT) -> Plan:
    """The requests for a page, at most `limit`; None: all that there are."""
    frontends = controls["frontends"]
    choices = 1
    for count in _counts(controls).values():
        choices *= count
    possible = len(frontends) * choices * choices
    longer = list(histories(controls))
    if limit is None or possible + len(longer) <= limit:
        ordered: Iterator[Request] = itertools.chain(_product(controls), longer)
    else:
        ordered = itertools.chain(_telling(controls, longer), _product(controls))
    found: dict[str, Request] = {}
    for request in itertools.islice(ordered, _MOST):
        if limit is not None and len(found) >= limit:
            break
        found.setdefault(json.dumps(request, sort_keys=True), request)
    return Plan(list(found.values()), possible)


def given(controls: Controls) -> Combination:
    """Everything as the program's own inputs have it."""
    return {
        "inputs": 0,
        "sizes": [size["values"].index(size["given"]) for size in controls["sizes"]],
        "numbers": [number["values"].index(number["given"]) for number in controls["numbers"]],
        "dtype": 0,
        "mode": 0,
    }


def single_changes(controls: Controls) -> list[Combination]:
    """Every choice of one control, with all others as given; the inputs that decide otherwise come first."""
    start = given(controls)
    found: list[Combination] = []
    for place, count in _counts(controls).items():
        found += [changed for index in range(count) if (changed := _with(start, place, index)) != start]
    return found


def words(combination: Combination, controls: Controls) -> str:
    """`as given`, or what is otherwise: `x negated, x.shape[0] = 8`."""
    start = given(controls)
    told = [controls["inputs"][combination["inputs"]]["name"]] if combination["inputs"] else []
    for size, index, before in zip(controls["sizes"], combination["sizes"], start["sizes"]):
        told += [f"{size['name']} = {size['values'][index]}"] if index != before else []
    for number, index, before in zip(controls["numbers"], combination["numbers"], start["numbers"]):
        told += [f"{number['name']} = {number['values'][index]}"] if index != before else []
    told += [controls["dtypes"][combination["dtype"]]] if combination["dtype"] else []
    told += [f"{controls['modes'][combination['mode']]} mode"] if combination["mode"] else []
    return ", ".join(told) or "as given"


#: A control: its name and, of sizes and numbers, which one.
_Place = tuple[str, int]


def _counts(controls: Controls) -> dict[_Place, int]:
    """How many choices each control has."""
    return {
        ("inputs", 0): len(controls["inputs"]),
        ("mode", 0): max(1, len(controls["modes"])),
        **{("sizes", n): len(size["values"]) for n, size in enumerate(controls["sizes"])},
        **{("numbers", n): len(number["values"]) for n, number in enumerate(controls["numbers"])},
        ("dtype", 0): len(controls["dtypes"]),
    }


def _with(combination: Combination, place: _Place, index: int) -> Combination:
    name, number = place
    changed: Combination = {**combination, "sizes": [*combination["sizes"]], "numbers": [*combination["numbers"]]}
    if name == "sizes":
        changed["sizes"][number] = index
    elif name == "numbers":
        changed["numbers"][number] = index
    elif name == "inputs":
        changed["inputs"] = index
    elif name == "dtype":
        changed["dtype"] = index
    else:
        changed["mode"] = index
    return changed


def _every(controls: Controls) -> Iterator[Combination]:
    counts = _counts(controls)
    start = given(controls)
    for indices in itertools.product(*(range(count) for count in counts.values())):
        combination = start
        for place, index in zip(counts, indices):
            combination = _with(combination, place, index)
        yield combination


def _requests(controls: Controls, *calls: Combination) -> Iterator[Request]:
    for frontend in controls["frontends"]:
        yield {"frontend": frontend, "calls": list(calls)}


def _product(controls: Controls) -> Iterator[Request]:
    for captured in _every(controls):
        yield from _requests(controls, captured)
        for now in _every(controls):
            if now != captured:
                yield from _requests(controls, captured, now)


def _telling(controls: Controls, longer: list[Request]) -> Iterator[Request]:
    """What a reader looks at first: each control alone; what the sizes compile one after the other; captured calls that
    decide otherwise; two controls at once; other captured calls."""
    start = given(controls)
    changes = single_changes(controls)
    ways = [_with(start, ("inputs", 0), index) for index in range(1, len(controls["inputs"]))]
    yield from _requests(controls, start)
    for now in changes:
        yield from _requests(controls, start, now)
    yield from longer
    for captured in ways:
        yield from _requests(controls, captured)
        for now in (start, *ways):
            if now != captured:
                yield from _requests(controls, captured, now)
    for way in ways:
        for now in changes:
            both: Combination = {**now, "inputs": way["inputs"]}
            if both not in (way, start):
                yield from _requests(controls, start, both)
    for captured in changes:
        yield from _requests(controls, captured)
        yield from _requests(controls, captured, start)


def histories(controls: Controls) -> Iterator[Request]:
    """For what compiles again: all values of each size and of each number, one call after the other."""
    start = given(controls)
    for place, count in _counts(controls).items():
        if place[0] not in ("sizes", "numbers") or count < 3:
            continue
        later = [changed for index in range(count) if (changed := _with(start, place, index)) != start]
        for frontend in _COMPILED:
            if frontend in controls["frontends"]:
                yield {"frontend": frontend, "calls": [start, *later][:MOST_CALLS]}
