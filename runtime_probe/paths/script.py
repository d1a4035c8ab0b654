"""The answers along one path."""

from __future__ import annotations

import collections
from typing import Callable, Counter, Dict, List, NamedTuple, Optional, Sequence, Tuple

from runtime_probe.paths.reads import Read, Value
from runtime_probe.paths.sites import Place, Site


class Step(NamedTuple):
    """One answer of a script: given only if the read is at this site."""

    site: Site
    value: Value


class Taken(NamedTuple):
    """One decision of a path that was followed. `low`, `high`: see `Read`."""

    kind: str
    site: Site
    value: Value
    natural: Optional[Value]
    low: Optional[int] = None
    high: Optional[int] = None

    @property
    def forced(self) -> bool:
        return self.natural is not None and self.value != self.natural


#: A place may be read so often on a forced path, or twice as often as on the natural one.
MOST_VISITS = 64
#: Where nothing tells the value, a place gives the same answer so often; then a loop that waits for the other one ends.
SAME_ANSWERS = 3
_WITHOUT_DATA: Dict[str, Value] = {"int": 1, "float": 0.5}


class Stopped(BaseException):
    """The path is not followed any further. No `Exception`: programs catch those."""


class Script:
    """Answers the first reads as given, and the rest with what the tensors hold. `told` hears every decision."""

    def __init__(
        self, steps: Sequence[Step], visits: Dict[Place, int], bounded: bool, told: Callable[[Taken], None]
    ) -> None:
        self._steps = list(steps)
        self._usual = visits
        self._bounded = bounded
        self._told = told
        self._visits: Counter[Place] = collections.Counter()
        self._number = 0

    def __call__(self, read: Read) -> Value:
        place = read.site.place
        self._visits[place] += 1
        if self._bounded and self._visits[place] > max(MOST_VISITS, 2 * self._usual.get(place, 0)):
            raise Stopped(f"the loop at line {place[1]} did not end after {self._visits[place] - 1} decisions")
        value = self._value(read)
        self._number += 1
        self._told(Taken(read.kind, read.site, value, read.natural, read.low, read.high))
        return value

    def _value(self, read: Read) -> Value:
        if self._number < len(self._steps):
            site, value = self._steps[self._number]
            if site == read.site:
                return value
            del self._steps[self._number :]  # the program went elsewhere: what follows was meant for another path
        if read.natural is not None:
            return bool(read.natural) if read.kind == "bool" else read.natural
        if read.kind == "bool":
            return (self._visits[read.site.place] - 1) // SAME_ANSWERS % 2 == 1
        return _WITHOUT_DATA[read.kind]


def steps_to(taken: Sequence[Taken], number: int, value: Value, keep: int) -> Tuple[Step, ...]:
    """The script that answers otherwise at one decision; the decisions after it are kept up to `keep`."""
    steps = [Step(t.site, t.value) for t in taken[: max(keep, number + 1)]]
    steps[number] = Step(taken[number].site, value)
    return tuple(steps)


def visits_of(taken: Sequence[Taken]) -> Dict[Place, int]:
    """How often each place was read."""
    return dict(collections.Counter(t.site.place for t in taken))


def places_read(taken: Sequence[Taken]) -> List[str]:
    """The files whose code read something."""
    return sorted({t.site.path for t in taken})
