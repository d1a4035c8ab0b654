"""Rounds on a clock that the programs themselves move on."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from runtime_probe.cost.interval import SAME, verdict_of
from runtime_probe.cost.rounds import (
    BLOCK,
    FEWEST_ROUNDS,
    MOST_CALLS,
    MOST_ROUNDS,
    MOST_SPOILED,
    Block,
    calls_for,
    sample,
)


class Clock:
    def __init__(self) -> None:
        self.now = 0.0
        self.ran: list[str] = []

    def __call__(self) -> float:
        return self.now

    def program(
        self, name: str, seconds: Callable[[], float], spoiled: Callable[[], bool] = lambda: False
    ) -> Callable[[int], Block]:
        def timed(calls: int) -> Block:
            took = sum(seconds() for _ in range(calls))
            self.now += took
            self.ran.append(name)
            return Block(took, took / 2, spoiled())

        return timed


def noisy(seconds: float, seed: int) -> Callable[[], float]:
    dice = random.Random(seed)
    return lambda: seconds * dice.lognormvariate(0, 0.3)


def test_it_stops_as_soon_as_the_intervals_are_tight() -> None:
    clock = Clock()
    found = sample([clock.program("a", lambda: 0.02), clock.program("b", lambda: 0.01)], [1, 1], 1e6, now=clock)
    assert found.rounds == FEWEST_ROUNDS
    ratio = found.ratio(0, 1)
    assert ratio is not None
    assert (ratio.low, ratio.middle, ratio.high) == pytest.approx((2.0, 2.0, 2.0))
    assert found.middle(0) == pytest.approx((0.02, 0.01))


def test_noise_takes_more_rounds_and_has_an_end() -> None:
    clock = Clock()
    found = sample([clock.program("a", noisy(2, 1)), clock.program("b", noisy(1, 2))], [1, 1], 1e9, now=clock)
    assert found.rounds == MOST_ROUNDS
    ratio = found.ratio(0, 1)
    assert ratio is not None
    assert ratio.low < 2 < ratio.high


def test_stopping_early_makes_no_claims() -> None:
    """Equal programs, a hundred times, with so little noise that most races end at once."""
    claims = rounds = 0
    for seed in range(100):
        clock, dice = Clock(), random.Random(seed)
        programs = [clock.program(name, lambda: dice.lognormvariate(0, 0.01)) for name in "ab"]  # noqa: B023
        found = sample(programs, [1, 1], 1e9, now=clock)
        claims += verdict_of(found.ratio(0, 1)) != SAME
        rounds += found.rounds
    assert rounds < 100 * 2 * FEWEST_ROUNDS
    assert claims <= 5


@pytest.mark.parametrize(("budget", "rounds"), [(0.0, 0), (9.0, 3), (29.0, 9)])
def test_the_budget_is_kept(budget: float, rounds: int) -> None:
    """No round begins behind it, and none that would end behind it once there are enough for an interval."""
    clock = Clock()
    programs = [clock.program(name, lambda: 1.0) for name in "abc"]
    found = sample(programs, [1, 1, 1], budget, now=clock)
    assert found.rounds == rounds
    assert len(clock.ran) == 3 * found.rounds


def test_every_program_runs_once_a_round_in_changing_order() -> None:
    clock = Clock()
    programs = [clock.program(name, noisy(1, number)) for number, name in enumerate("abc")]
    found = sample(programs, [1, 1, 1], 1e9, now=clock)
    rounds = [tuple(clock.ran[n : n + 3]) for n in range(0, len(clock.ran), 3)]
    assert len(rounds) == found.rounds
    assert {tuple(sorted(one)) for one in rounds} == {("a", "b", "c")}
    assert len(set(rounds)) == 6


def test_rounds_in_which_something_was_compiled_do_not_count() -> None:
    clock = Clock()
    turn = iter([True, True, *[False] * 1000])
    programs = [clock.program("a", lambda: 1.0), clock.program("b", lambda: 1.0, lambda: next(turn))]
    found = sample(programs, [1, 1], 1e9, now=clock)
    assert (found.rounds, found.spoiled) == (FEWEST_ROUNDS, 2)
    always = [clock.program("a", lambda: 1.0), clock.program("b", lambda: 1.0, lambda: True)]
    found = sample(always, [1, 1], 1e9, now=clock)
    assert (found.rounds, found.spoiled) == (0, MOST_SPOILED)
    assert found.ratio(0, 1) is None
    assert found.middle(0) == (None, None)


def test_blocks_are_long_enough_for_the_clock() -> None:
    clock = Clock()
    assert calls_for(clock.program("a", lambda: 1e-3)) == round(BLOCK / 1e-3)
    assert calls_for(clock.program("a", lambda: 3.0)) == 1
    assert calls_for(clock.program("a", lambda: 1e-12)) == MOST_CALLS
