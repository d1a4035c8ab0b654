"""The search for a call that runs: best first over candidates and the repairs that errors suggest."""

from __future__ import annotations

import heapq
import itertools
import time
from typing import Any, Dict, List, Optional, Set, Tuple

from runtime_probe.subject import owner_of
from runtime_probe.synthesis.argument import Argument, Call
from runtime_probe.synthesis.blame import Failure
from runtime_probe.synthesis.guesses import Guesses
from runtime_probe.synthesis.layers import uninitialised
from runtime_probe.synthesis.repairs import first_calls, repairs, varied
from runtime_probe.synthesis.trial import Trials

#: Prices: another candidate for a parameter; each step that brings the call no further than the one before.
OTHER_CANDIDATE, NO_PROGRESS = 1.0, 0.5
MOST_STARTS, MOST_REPAIRS = 200, 40
#: Seconds of a real call from which on fake tensors are believed.
SLOW = 1.0

_Place = Tuple[Tuple[int, int], str]
_Item = Tuple[float, int, Call, _Place]
_START: _Place = ((-1, -1), "")


class Search:
    """One search; `failure` is the one that came furthest."""

    def __init__(self, trials: Trials, guesses: Guesses) -> None:
        self._trials = trials
        self._guesses = guesses
        self._queue: List[_Item] = []
        self._seen: Set[str] = set()
        self._count = itertools.count()
        self._doubted: Set[Tuple[str, str]] = set()
        self.failure: Optional[Failure] = None
        if uninitialised(owner_of(trials.function)):
            trials.fakes = False

    def run(self, deadline: float, most: int = 400) -> Optional[Call]:
        """A call that ran on real tensors, or None."""
        for cost, call in self._starts():
            self._push(cost, call, _START)
        tries = 0
        while self._queue and tries < most and time.monotonic() < deadline:
            cost, _, call, before = heapq.heappop(self._queue)
            tries += 1
            failure = self._try(call)
            if failure is None:
                return call
            if self.failure is None or failure.progress >= self.failure.progress:
                self.failure = failure
            further = failure.progress > before[0]
            other = failure.progress == before[0] and failure.message != before[1]
            base = cost * 0.5 if further and before != _START else cost + (0.0 if further or other else NO_PROGRESS)
            for number, (more, changed) in enumerate(repairs(call, failure, self._guesses)):
                if number >= MOST_REPAIRS:
                    break
                self._push(base + more, changed, (failure.progress, failure.message))
        return None

    def _try(self, call: Call) -> Optional[Failure]:
        certain, failure = self._trials.fake(call)
        if certain and failure is not None:
            place = (failure.kind, failure.statement)
            if place in self._doubted or self._trials.slowest > SLOW:
                return failure
            # a rule for fake tensors may refuse what the operator itself takes: asked once for each place
            self._doubted.add(place)
        return self._trials.real(call)

    def _push(self, cost: float, call: Call, before: _Place) -> None:
        text = call.text()
        if text not in self._seen:
            self._seen.add(text)
            heapq.heappush(self._queue, (cost, next(self._count), call, before))

    def _starts(self) -> List[Tuple[float, Call]]:
        several = varied(self._guesses)
        if several is not None and not self._guesses.named:
            return [(0.5 * number, call) for number, call in enumerate(several)]
        candidates = first_calls(self._guesses)
        positional = tuple(self._guesses.positional)
        found: List[Tuple[float, Call]] = []
        for cost, choice in _cheapest(candidates):
            found.append((cost, Call(tuple(choice.items()), positional)))
        return found or [(0.0, Call((), positional))]


def _cheapest(candidates: Dict[str, List[Argument]]) -> List[Tuple[float, Dict[str, Any]]]:
    """Combinations in the order of the sum of their places, `MOST_STARTS` at most."""
    names = list(candidates)
    lists: List[List[Optional[Argument]]] = [[*candidates[name]] or [None] for name in names]
    first = (0,) * len(names)
    queue: List[Tuple[int, Tuple[int, ...]]] = [(0, first)]
    seen = {first}
    found: List[Tuple[float, Dict[str, Any]]] = []
    while queue and len(found) < MOST_STARTS:
        total, places = heapq.heappop(queue)
        choice = {n: options[p] for n, options, p in zip(names, lists, places)}
        if all(value is not None for value in choice.values()):
            found.append((OTHER_CANDIDATE * total, choice))
        for index in range(len(names)):
            moved = (*places[:index], places[index] + 1, *places[index + 1 :])
            if moved[index] < len(lists[index]) and moved not in seen:
                seen.add(moved)
                heapq.heappush(queue, (total + 1, moved))
    return found
