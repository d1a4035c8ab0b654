"""What a finding costs: the variant of the program that a probe measured without the breaks that confirm it."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING

from analyzer.finding import Cost

if TYPE_CHECKING:
    from runtime_probe.report import Break, Timing, Without

#: The place of a break.
Line = tuple[str, int]


def cost_of(breaks: Iterable[tuple[Timing | None, Break]]) -> Cost | None:
    """The cost of what causes these breaks, each with the timing of its entry; the highest where several entries met
    it. None where no variant is without them alone."""
    by_entry: dict[int, tuple[Timing, set[Line]]] = {}
    for timing, found in breaks:
        if timing is not None:
            by_entry.setdefault(id(timing), (timing, set()))[1].add(_line(found["path"], found["line"]))
    costs = [cost for timing, own in by_entry.values() if (cost := _in(timing, own)) is not None]
    return max(costs, key=lambda cost: cost.gain, default=None)


def _in(timing: Timing, own: Collection[Line]) -> Cost | None:
    """All of them together, else the one that costs most."""
    rows = [(row, {_line(one["path"], one["line"]) for one in row["breaks"]}) for row in timing["without"]]
    same = [row for row, lines in rows if lines == own] or [row for row, lines in rows if lines <= set(own)]
    costs = [cost for row in same if (cost := _cost(timing, row)) is not None]
    return max(costs, key=lambda cost: cost.gain, default=None)


def _cost(timing: Timing, row: Without) -> Cost | None:
    before, after = timing["ratio"], row["ratio"]
    gain, low, high = row["gain"], row["gain_low"], row["gain_high"]
    if before is None or after is None or gain is None or low is None or high is None:
        return None
    return Cost(gain, low, high, before, after, row["verdict"])


def _line(path: str, line: int) -> Line:
    return os.path.realpath(path), line
