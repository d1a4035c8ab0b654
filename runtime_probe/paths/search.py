"""Which path to follow next: depth-first over the decisions, arms that were taken least first."""

from __future__ import annotations

import collections
from typing import Counter, Dict, List, Optional, Sequence, Set, Tuple

from runtime_probe.paths.reads import Value
from runtime_probe.paths.scout import Other, Scouted
from runtime_probe.paths.script import Step, Taken, steps_to
from runtime_probe.paths.sites import Site

Steps = Tuple[Step, ...]


class Search:
    """`visits`: so many times along one path is a site answered otherwise; later visits go on as they do."""

    def __init__(self, visits: int) -> None:
        self._visits = visits
        self._open: List[Tuple[Steps, Site, Value]] = []
        self._known: Set[Steps] = {()}
        self._arms: Set[Optional[int]] = set()
        self._taken: Counter[Tuple[Site, Value]] = collections.Counter()

    def __len__(self) -> int:
        """How many paths are known and not yet followed."""
        return len(self._open)

    def next(self) -> Optional[Steps]:
        """The script of the next path; None if all that are known were followed."""
        if not self._open:
            return None
        newest_first = range(len(self._open) - 1, -1, -1)
        chosen = min(newest_first, key=lambda n: self._taken[self._open[n][1:]])
        return self._open.pop(chosen)[0]

    def add(self, steps: Sequence[Step], taken: Sequence[Taken], scouted: Scouted) -> None:
        """A path was followed: its decisions, and what was seen on it of numbers."""
        self._arms.update(scouted.arms)
        visits: Counter[Site] = collections.Counter()
        fresh: Dict[int, Sequence[Other]] = {}
        for number, one in enumerate(taken):
            self._taken[one.site, one.value] += 1
            visits[one.site] += 1
            if visits[one.site] > self._visits:
                continue
            if number < len(steps) and one.kind == "bool":
                continue
            if one.site.is_element and any(taken[n].forced for n in _list_of(taken, number)):
                continue  # one element of a list at a time
            fresh[number] = (Other(not one.value, None),) if one.kind == "bool" else scouted.others.get(number, ())
        for number in sorted(fresh, reverse=True):
            for value, arm in reversed(fresh[number]):
                if arm is not None and arm in self._arms:
                    continue
                self._arms.add(arm)
                if taken[number].site.part.endswith("[0]"):
                    self._offer(_all_of(taken, number, value, len(steps)), taken[number].site, value)
                self._offer(steps_to(taken, number, value, len(steps)), taken[number].site, value)

    def _offer(self, steps: Steps, site: Site, value: Value) -> None:
        if steps not in self._known:
            self._known.add(steps)
            self._open.append((steps, site, value))


def _list_of(taken: Sequence[Taken], number: int) -> List[int]:
    """The decisions on the elements of the list to which one of them belongs."""
    begin = number
    while begin > 0 and taken[begin].site.is_element and not taken[begin].site.part.endswith("[0]"):
        begin -= 1
    end = begin + 1
    while end < len(taken) and taken[end].site.is_element and not taken[end].site.part.endswith("[0]"):
        end += 1
    return [n for n in range(begin, end) if taken[n].site.place == taken[number].site.place]


def _all_of(taken: Sequence[Taken], number: int, value: Value, keep: int) -> Steps:
    """The script that gives one value to all elements of a list."""
    elements = _list_of(taken, number)
    steps = [Step(t.site, t.value) for t in taken[: max(keep, elements[-1] + 1)]]
    for element in elements:
        steps[element] = Step(taken[element].site, value)
    return tuple(steps)
