"""Values of a number for which a comparison turns out otherwise, given what was decided before it."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest

from runtime_probe.paths import shims
from runtime_probe.paths.solve import value_for
from runtime_probe.paths.traced import Log, TracedInt, plain


def _others(program: Callable[[Any], Any], value: Any) -> set[Any]:
    log = Log()
    program(log.decision(0, value))
    log.finish()
    conditions = log.conditions.get(0, [])
    found = {value_for(w, conditions[: w.after], value, None, None) for w in log.wishes if w.decision == 0}
    return found - {None}


def _ladder(n: Any) -> str:
    if n > 17:
        return "large"
    if n == 3:
        return "three"
    return "one" if n * 7 - 2 < 10 else "rest"


@pytest.mark.parametrize("value", [5, 20, 3, 1])
def test_every_arm_of_a_ladder(value: int) -> None:
    tried: set[int] = set()
    waiting = [value]
    while waiting and len(tried) < 12:
        tried.add(waiting[0])
        waiting = [*waiting[1:], *(_others(_ladder, waiting[0]) - tried - set(waiting))]
    assert {_ladder(n) for n in tried} == {"large", "three", "one", "rest"}


def test_remainders_and_powers() -> None:
    assert all((v * 3 + 1) % 5 == 4 for v in _others(lambda n: (n * 3 + 1) % 5 == 4, 3))
    assert all(v**2 > 5000 for v in _others(lambda n: n**2 > 5000, 3))
    assert _others(lambda n: n * 1000 > 7_000_000, 3) == {7001}


def test_floats() -> None:
    (hot,) = _others(lambda t: t / 4 > 0.9, 0.5)
    assert 3.6 < hot < 4
    (zero,) = _others(lambda t: abs(t) < 1e-6, 0.5)
    assert abs(zero) < 1e-6
    (cold,) = _others(lambda t: math.floor(t) < -3, 0.5)
    assert cold < -3


def test_through_math_and_builtins() -> None:
    undo = shims.put_in([])
    try:
        (deep,) = _others(lambda v: math.log(abs(v) + 1) > 7.5, 0.5)
        assert math.log(deep + 1) > 7.5
    finally:
        shims.take_out(undo)
    assert math.log.__module__ == "math"


def test_a_condition_that_contradicts_an_earlier_one_has_no_value() -> None:
    def program(n: Any) -> None:
        if n < 10:
            assert n < 20

    assert _others(program, 5) == {10}


def test_late_arms_of_loops() -> None:
    def program(n: Any) -> None:
        for i in n.log.range((n,), "here"):
            if i == 9:
                return

    assert _others(program, 5) == {0, 10}


def test_numbers_stay_numbers() -> None:
    number = Log().decision(0, 7)
    assert isinstance(number, TracedInt)
    assert [number + 1, 1 + number, number / 2, -number, number & 3, divmod(number, 4)] == [8, 8, 3.5, -7, 3, (1, 3)]
    assert type(plain(number)) is int
    assert {7: "seven"}[number] == "seven"
    assert f"{number:03d}" == "007"
