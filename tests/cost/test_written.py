"""Arguments that a call writes into, and how they are put back between calls that are timed."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import pytest
import torch

from runtime_probe.cost.contender import Contender
from runtime_probe.cost.guards import Watch
from runtime_probe.cost.trial import Trial, eager_trial
from runtime_probe.cost.written import Written
from runtime_probe.subject import Instance, Subject

pytestmark = pytest.mark.truth
LARGE = 2048


@dataclasses.dataclass
class Box:
    held: torch.Tensor


class Cache:
    """An object that is no container: what is in it is seen by its attributes alone."""

    def __init__(self) -> None:
        self.rows = [Row()]


class Row:
    def __init__(self) -> None:
        self.keys = torch.zeros(2)


class Given(Subject):
    """A function with arguments that are made by another one."""

    def __init__(self, function: Callable[..., Any], made: Callable[[], tuple[Any, ...]]) -> None:
        self.path, self.entry, self.inputs = __file__, "function", ["made()"]
        self._function, self._made = function, made

    def fresh(self) -> Instance:
        return Instance(self._function, [lambda: (self._made(), {})], None, None)


def read(x: torch.Tensor) -> torch.Tensor:
    return x + 1


def doubled(x: torch.Tensor, box: Box) -> None:
    x.mul_(2)
    box.held.add_(1)


def longer(rows: list[torch.Tensor]) -> None:
    rows.append(rows[0] + 1)


def replaced(box: Box) -> None:
    box.held = box.held + 1


def resized(x: torch.Tensor) -> None:
    x.resize_(8)


def with_history(x: torch.Tensor, w: torch.Tensor) -> None:
    x.mul_(w)


def in_an_object(cache: Cache) -> None:
    cache.rows[0].keys = torch.cat([cache.rows[0].keys, torch.ones(2)])


@pytest.mark.parametrize(
    ("function", "made", "mutates", "written"),
    [
        (read, lambda: (torch.ones(3),), False, None),
        (doubled, lambda: (torch.ones(3), Box(torch.ones(2))), True, [0, 1]),
        (longer, lambda: ([torch.ones(3)],), True, None),
        (replaced, lambda: (Box(torch.ones(3)),), True, None),
        (resized, lambda: (torch.ones(4),), True, None),
        (with_history, lambda: (torch.ones(3), torch.full((3,), 2.0, requires_grad=True)), True, None),
        (in_an_object, lambda: (Cache(),), True, None),
    ],
)
def test_what_a_call_changes(function: Any, made: Any, mutates: bool, written: list[int] | None) -> None:
    trial = eager_trial(Given(function, made))
    assert (trial.error, trial.mutates, trial.written) == (None, mutates, written)


def test_large_numbers_go_on_and_counters_do_not() -> None:
    weights, count = torch.ones(LARGE), torch.zeros((), dtype=torch.int64)
    written = Written(((weights, count), {}), [0, 1])
    for _ in range(3):
        assert written.before_each is not None
        written.before_each()
        weights += 1
        count += 1
    assert (weights[0].item(), count.item()) == (4, 1)
    assert not written.odd()
    written.put_back()
    assert (weights[0].item(), count.item()) == (1, 0)


def test_large_numbers_alone_cost_nothing_between_calls() -> None:
    assert Written(((torch.ones(LARGE),), {}), [0]).before_each is None


@pytest.mark.parametrize("value", [float("nan"), float("inf"), 1e-40])
def test_numbers_that_drift_away_are_seen(value: float) -> None:
    weights = torch.ones(LARGE)
    written = Written(((weights,), {}), [0])
    weights.fill_(value)
    assert written.odd()
    written.put_back()
    assert weights[0].item() == 1


def test_numbers_that_were_odd_before_may_stay_so() -> None:
    written = Written(((torch.full((LARGE,), float("inf")),), {}), [0])
    assert not written.odd()


def test_floats_of_eight_bits_are_small_numbers() -> None:
    """Of which torch does not know whether they are finite."""
    weights = torch.ones(LARGE).to(torch.float8_e4m3fn)
    assert Written(((weights,), {}), [0]).before_each is not None


def test_what_an_expanded_tensor_repeats_is_put_back() -> None:
    rows = torch.zeros(1, 4).expand(3, 4)
    written = Written(((rows,), {}), [0])
    rows[0].add_(1)
    written.put_back()
    assert rows.tolist() == [[0.0] * 4] * 3


def test_numbers_that_drift_away_are_put_back_before_every_call() -> None:
    seen: list[float] = []

    def doubled_each_time(x: torch.Tensor) -> None:
        seen.append(x[0].item())
        x.mul_(1e30)

    contender = timed(Given(doubled_each_time, lambda: (torch.ones(LARGE),)), Trial(mutates=True, written=[0]))
    assert contender.each
    seen.clear()
    contender.block(4)
    assert seen == [1] * 4


def timed(subject: Subject, trial: Trial) -> Contender:
    with Watch() as watch:
        contender = Contender(subject, trial, watch, None)
        contender.warm()
    return contender


def test_a_call_that_runs_out_of_its_tensor_is_timed() -> None:
    """The position is large, so that only the error shows that it decides something."""
    seen: list[float] = []

    def next_row(rows: torch.Tensor, position: torch.Tensor) -> None:
        seen.append(position[0].item())
        rows[int(position[0])].add_(1)
        position.add_(1)

    def made() -> tuple[Any, ...]:
        return torch.zeros(4, 2), torch.zeros(LARGE)

    contender = timed(Given(next_row, made), Trial(mutates=True, written=[0, 1]))
    seen.clear()
    assert contender.block(6).seconds > 0
    assert seen == [0] * 6


@pytest.mark.parametrize(("made", "shared"), [(lambda: (torch.ones(3),), True), (lambda: (Cache(),), False)])
def test_contenders_are_given_the_same_tensors_but_no_objects(made: Any, shared: bool) -> None:
    """Objects may do something, and the program without a break is another one."""
    seen: list[Any] = []
    subject = Given(seen.append, made)
    with Watch() as watch:
        first = Contender(subject, Trial(), watch, None)
        second = Contender(subject, Trial(), watch, None, like=first)
        first.block(1)
        second.block(1)
    assert (seen[0] is seen[1]) == shared
