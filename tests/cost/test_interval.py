"""The statistics behind what is claimed, on samples of known distributions."""

from __future__ import annotations

import math
import random

import pytest

from runtime_probe.cost import interval
from runtime_probe.cost.interval import Interval, interval_of, interval_of_processes, median, rank, verdict_of


def paired(dice: random.Random, speedup: float, rounds: int) -> list[float]:
    """Ratios of two programs, one `speedup` times as fast, on a machine with long-tailed noise of its own moods."""

    def took(seconds: float) -> float:
        return seconds * dice.lognormvariate(0, 0.2) + (dice.expovariate(1 / seconds) if dice.random() < 0.1 else 0)

    moods = [dice.choice((1.0, 1.0, 3.0)) for _ in range(rounds)]
    return [took(mood * speedup) / took(mood) for mood in moods]


@pytest.mark.parametrize(("count", "expected"), [(0, 0), (5, 0), (6, 1), (8, 1), (9, 2), (20, 6), (100, 40)])
def test_ranks_of_the_sign_test(count: int, expected: int) -> None:
    """From the tables of the binomial distribution with p = 1/2."""
    assert rank(count) == expected


def test_too_few_values_have_no_interval() -> None:
    assert interval.FEWEST == 6
    assert interval_of([1.0] * 5) is None
    assert interval_of([1.0, 2.0, 3.0, 4.0, 5.0, 6.0]) == Interval(3.5, 1.0, 6.0)
    assert verdict_of(None) == "not measured"


def test_the_median_lies_inside_19_times_out_of_20() -> None:
    dice, inside, trials = random.Random(1), 0, 2000
    for _ in range(trials):
        found = interval_of([dice.lognormvariate(0.5, 1.0) for _ in range(25)])
        assert found is not None
        inside += found.low <= math.exp(0.5) <= found.high
    assert 0.94 <= inside / trials <= 0.99


def test_equal_programs_differ_in_no_measured_way() -> None:
    dice, claims, trials = random.Random(2), 0, 1000
    for _ in range(trials):
        claims += verdict_of(interval_of(paired(dice, 1.0, 30))) != interval.SAME
    assert claims / trials <= 0.05


@pytest.mark.parametrize(("speedup", "verdict"), [(1.5, "faster"), (1 / 1.5, "slower")])
def test_a_clear_difference_is_found(speedup: float, verdict: str) -> None:
    dice = random.Random(3)
    found = [verdict_of(interval_of(paired(dice, speedup, 60))) for _ in range(100)]
    assert found.count(verdict) >= 98


@pytest.mark.parametrize(
    ("low", "high", "verdict"),
    [
        (0.97, 1.2, "no difference measured"),
        (1.0, 1.2, "no difference measured"),
        (1.005, 1.2, "no difference measured"),  # within what placement alone does
        (1.02, 1.2, "faster"),
        (0.8, 1.0, "no difference measured"),
        (0.8, 0.98, "slower"),
    ],
)
def test_what_an_interval_allows_to_say(low: float, high: float, verdict: str) -> None:
    assert verdict_of(Interval((low + high) / 2, low, high)) == verdict


def test_medians() -> None:
    assert median([3.0, 1.0, 2.0]) == 2.0
    assert median([4.0, 1.0, 2.0, 3.0]) == 2.5


@pytest.mark.parametrize("count", [3, 5, 9])
def test_what_is_the_same_within_a_process_and_not_between_them_is_in_the_interval(count: int) -> None:
    """The rounds of each process lie close together, about a ratio of its own."""
    dice, inside, pooled, trials = random.Random(4), 0, 0, 1000
    for _ in range(trials):
        groups = []
        for _ in range(count):
            mine = dice.lognormvariate(math.log(1.8), 0.15)
            groups.append([mine * dice.lognormvariate(0, 0.02) for _ in range(12)])
        found = interval_of_processes(groups)
        as_if_one = interval_of([value for group in groups for value in group])
        assert found is not None
        assert as_if_one is not None
        inside += found.low <= 1.8 <= found.high
        pooled += as_if_one.low <= 1.8 <= as_if_one.high
    assert 0.93 <= inside / trials <= 0.97
    assert pooled / trials < 0.8  # why it is not done so


def test_one_or_two_processes_are_taken_as_one() -> None:
    values = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]
    assert interval_of_processes([values]) == interval_of(values)
    assert interval_of_processes([values, values]) == interval_of(values * 2)
    assert interval_of_processes([]) is None


def test_a_process_with_too_few_rounds_is_no_value_of_its_own() -> None:
    many = [1.0, 1.1, 1.2, 1.3, 1.4, 1.5]
    assert interval_of_processes([many, many, [1.2]]) == interval_of([*many, *many, 1.2])
