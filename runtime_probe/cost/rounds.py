"""Several programs timed against each other: rounds, in each of which every one runs once, in random order.

What slows the machine down for a while slows all of a round down, so that their ratios within it are what is looked at.
"""

from __future__ import annotations

import math
import random
import time
from typing import Callable, List, NamedTuple, Optional, Sequence, Tuple

from runtime_probe.cost.interval import FEWEST, Interval, interval_of_processes, median

#: One block of calls takes at least so long: far more than the clock's resolution, and than the time for which a busy
#: system lets a program run before another one: of a shorter block it would slow down the longer ones alone.
BLOCK = 0.02
MOST_CALLS = 20_000
#: After so many seconds no more is tried out.
LONG = 1.0
#: Rounds are made until every interval is this tight.
TIGHT = 1.03
FEWEST_ROUNDS, MOST_ROUNDS = 12, 200
#: A round in which something was compiled is thrown away, but not more often than this.
MOST_SPOILED = 20


class Block(NamedTuple):
    """What some calls took in all, on the wall's clock (or the GPU's) and on the processors'. `spoiled`: something
    else happened in them."""

    seconds: float
    cpu: float
    spoiled: bool = False


#: Runs a program so often, and times it.
Timed = Callable[[int], Block]


class Samples:
    """Seconds of one call, by round and program. `starts`: the first round of each process."""

    def __init__(self, programs: int) -> None:
        self.seconds: List[List[float]] = [[] for _ in range(programs)]
        self.cpu: List[List[float]] = [[] for _ in range(programs)]
        self.spoiled = 0
        self.starts = [0]

    @classmethod
    def joined(cls, parts: Sequence[Samples], programs: Sequence[Sequence[int]]) -> Samples:
        """Those of several processes: `programs` are, for each of them, the programs to take from it, in one order."""
        found = cls(len(programs[0]))
        found.starts = []
        for part, chosen in zip(parts, programs):
            found.starts.append(found.rounds)
            found.spoiled += part.spoiled
            for mine, theirs in enumerate(chosen):
                found.seconds[mine] += part.seconds[theirs]
                found.cpu[mine] += part.cpu[theirs]
        return found

    @property
    def rounds(self) -> int:
        return len(self.seconds[0])

    def middle(self, program: int) -> Tuple[Optional[float], Optional[float]]:
        """The median seconds of one call, and of its processor time."""
        if not self.rounds:
            return None, None
        return median(self.seconds[program]), median(self.cpu[program])

    @property
    def processes(self) -> int:
        return len(self.starts)

    def ratio(self, one: int, other: int) -> Optional[Interval]:
        """How many times as long one program takes as the other."""
        ratios = [a / b for a, b in zip(self.seconds[one], self.seconds[other])]
        return interval_of_processes([ratios[a:b] for a, b in zip(self.starts, [*self.starts[1:], None])])


def calls_for(timed: Timed) -> int:
    """How many calls fill a block. The program is warm already."""
    took: List[float] = []
    while len(took) < 3 and sum(took) < LONG:
        took.append(timed(1).seconds)
    once = min(took)
    return max(1, min(MOST_CALLS, math.ceil(BLOCK / max(once, 1e-9))))


def sample(
    programs: Sequence[Timed],
    calls: Sequence[int],
    seconds: float,
    between: Callable[[int], None] = lambda number: None,
    now: Callable[[], float] = time.perf_counter,
    most: int = MOST_ROUNDS,
) -> Samples:
    """At most `most` rounds, until all ratios to the first two programs are tight, or the time is up. A round that
    would not end in time is not begun, if the intervals exist already. `between` is called before each with its
    number."""
    found, order, dice = Samples(len(programs)), list(range(len(programs))), random.Random(0)
    began, longest = now(), 0.0
    while found.rounds < most and found.spoiled < MOST_SPOILED:
        left = seconds - (now() - began)
        if left <= 0 or (found.rounds >= FEWEST and left < longest):
            break
        if found.rounds >= FEWEST_ROUNDS and tight(found):
            break
        between(found.rounds)
        begins = now()
        dice.shuffle(order)
        blocks = {number: programs[number](calls[number]) for number in order}
        longest = max(longest, now() - begins)
        if any(block.spoiled for block in blocks.values()):
            found.spoiled += 1
            continue
        for number, block in blocks.items():
            found.seconds[number].append(max(block.seconds, 1e-12) / calls[number])
            found.cpu[number].append(block.cpu / calls[number])
    return found


def tight(found: Samples) -> bool:
    """Whether every ratio to the first two programs is known well enough."""
    pairs = [(one, other) for one in (0, 1) for other in range(one + 1, len(found.seconds))]
    intervals = [found.ratio(*pair) for pair in pairs]
    return all(interval is not None and interval.width <= TIGHT for interval in intervals)
