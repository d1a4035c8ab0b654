"""A value of a decision with which a condition comes out as wanted and the ones before it as they did."""

from __future__ import annotations

import math
from typing import Iterator, List, Optional, Sequence

from runtime_probe.paths.traced import Condition, Number, Wish

#: Integers in this range are tried one by one.
_LOW, _HIGH = -64, 1024
_SCALES = (0.0, 0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 5.0, 10.0, 30.0, 100.0, 1e3, 1e4, 1e6)
_MOST_CONDITIONS = 200


def value_for(
    wish: Wish, before: Sequence[Condition], current: Number, low: Optional[int], high: Optional[int]
) -> Optional[Number]:
    """The value nearest to the current one that grants the wish, or None if none was found."""
    for value in _candidates(wish, current):
        if (low is not None and value < low) or (high is not None and value > high):
            continue
        if _holds(wish, value) and all(_same(c, value) for c in before[:_MOST_CONDITIONS]):
            return value
    return None


def _holds(wish: Wish, value: Number) -> bool:
    try:
        return wish.holds(value)
    except Exception:  # a division by zero, a number too large
        return False


def _same(condition: Condition, value: Number) -> bool:
    try:
        return condition.holds(value) == condition.truth
    except Exception:
        return False


def _candidates(wish: Wish, current: Number) -> Iterator[Number]:
    """Nearest first; of integers those that are not negative before those that are: they are sizes and indices."""
    if isinstance(current, float):
        near = [v for r in [*_roots(wish, current), *map(float, wish.hints)] for v in _around(r)]
        found = {v for v in [*near, *_SCALES, *(-s for s in _SCALES)] if math.isfinite(v) and v != current}
        yield from sorted(found, key=lambda v: abs(v - current))
        return
    whole = {int(r) + step for r in _roots(wish, current) if math.isfinite(r) for step in (-1, 0, 1, 2)}
    whole |= {int(h) + step for h in wish.hints if math.isfinite(h) for step in (-1, 0, 1)}
    whole |= set(range(_LOW, _HIGH + 1))
    whole.discard(int(current))
    yield from sorted(whole, key=lambda v: (v < 0 <= current, abs(v - current)))


def _around(root: float) -> List[float]:
    """A root, and values a little to both sides of it, in short decimals."""
    step = 10.0 ** (math.floor(math.log10(abs(root))) - 2) if root else 0.01
    return [root, *(float(f"{root + sign * factor * step:.12g}") for sign in (-1, 1) for factor in (1, 100))]


def _roots(wish: Wish, current: Number) -> List[float]:
    """Where the two sides of the comparison meet, if they differ by something that is nearly linear there."""
    gap, found = wish.gap, []
    if gap is None:
        return []
    x = float(current) if isinstance(current, float) else current
    for _ in range(6):
        try:
            here, step = gap(x), (1 if isinstance(x, int) else 1e-3 * max(1.0, abs(x)))
            slope = (gap(x + step) - here) / step
            root = x - here / slope
        except Exception:
            break
        if not math.isfinite(root):
            break
        found.append(root)
        if abs(root - x) <= 1e-9 * max(1.0, abs(root)):
            break
        x = round(root) if isinstance(x, int) else root
    return found[-2:]
