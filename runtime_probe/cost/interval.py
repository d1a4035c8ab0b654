"""Medians, their 95 % intervals, and what may be claimed from one.

Within one process the interval is that of the sign test: two order statistics, between which the median lies with 95 %
whatever the distribution is. Times on a busy machine have long tails, and a test that assumes none would claim too
much.

Processes differ by more than the rounds within one: the same program was measured 1.9 and 2.4 times as fast as eager in
two of them, with intervals of a few percent up to a tenth to either side. Why was not found out. So several processes
count as one value each, their median, and the interval is Student's, of the logarithms.
"""

from __future__ import annotations

import math
from typing import NamedTuple, Optional, Sequence

#: Nothing is claimed of a smaller difference. The number was chosen, not measured.
MARGIN = 0.01
FASTER, SLOWER, SAME, UNKNOWN = "faster", "slower", "no difference measured", "not measured"
_OUTSIDE = 0.05


class Interval(NamedTuple):
    """A median, and the ends of its 95 % interval."""

    middle: float
    low: float
    high: float

    @property
    def width(self) -> float:
        """High over low."""
        return self.high / self.low if self.low > 0 else math.inf


def median(values: Sequence[float]) -> float:
    """The middle value, or the mean of the two middle ones."""
    ordered, half = sorted(values), len(values) // 2
    return ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2


def rank(count: int) -> int:
    """How many values, from either end, the 95 % interval of the median may begin at; 0 for too few values."""
    below, found = 0.0, 0
    for number in range(count):
        below += math.comb(count, number) / 2**count
        if 2 * below > _OUTSIDE:
            break
        found = number + 1
    return found


#: Student's t for 95 %, two-sided, by the degrees of freedom.
_STUDENT = {2: 4.303, 3: 3.182, 4: 2.776, 5: 2.571, 6: 2.447, 7: 2.365, 8: 2.306}
#: From fewer processes nothing can be told of their differences.
FEWEST_PROCESSES = min(_STUDENT) + 1
#: With fewer values there is no such interval.
FEWEST = next(count for count in range(1, 20) if rank(count))


def interval_of(values: Sequence[float]) -> Optional[Interval]:
    """The median of independent values with its interval; None for too few of them."""
    found = rank(len(values))
    if not found:
        return None
    ordered = sorted(values)
    return Interval(median(values), ordered[found - 1], ordered[-found])


def interval_of_processes(groups: Sequence[Sequence[float]]) -> Optional[Interval]:
    """The same of positive values from several processes, given by process; up to two are taken as if they were one."""
    found = [interval_of(group) for group in groups]
    if len(groups) < FEWEST_PROCESSES or any(interval is None for interval in found):
        return interval_of([value for group in groups for value in group])
    logarithms = [math.log(interval.middle) for interval in found if interval is not None]
    count = len(logarithms)
    mean = sum(logarithms) / count
    spread = math.sqrt(sum((one - mean) ** 2 for one in logarithms) / (count - 1) / count)
    margin = _STUDENT.get(count - 1, _STUDENT[max(_STUDENT)]) * spread
    return Interval(math.exp(mean), math.exp(mean - margin), math.exp(mean + margin))


def verdict_of(interval: Optional[Interval]) -> str:
    """What an interval of a ratio of times allows to say, the ratio being above 1 where the second one is faster."""
    if interval is None:
        return UNKNOWN
    if interval.low > 1 + MARGIN:
        return FASTER
    return SLOWER if interval.high < 1 / (1 + MARGIN) else SAME
