"""What calls leave for the next one, and how the first of them is repeated while it is timed."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

import pytest
import torch

from runtime_probe.cost.contender import Contender
from runtime_probe.cost.guards import Watch
from runtime_probe.cost.repeats import Repeats
from runtime_probe.cost.result import race
from runtime_probe.cost.trial import Trial, captured_trial, eager_trial
from runtime_probe.subject import Instance, Subject

pytestmark = pytest.mark.truth
LARGE = 2048
PROGRAM = """
import torch

ROWS = []
COUNT = 0

def adds(x):
    return x + 1

def writes(x):
    x.mul_(2)

def loops(x):
    while x.mean() < 4:
        x += 1
    return x

def collects(x):
    ROWS.append(x)
    return torch.stack(ROWS)

def counts(x):
    global COUNT
    COUNT += 1
    return x.exp() if COUNT > 20 else x.sin()

def takes(rows):
    return next(rows) + 1

class Slots:
    __slots__ = ("rows",)

    def __init__(self):
        self.rows = []

def hides(x, slots):
    slots.rows.append(x)
    return torch.stack(slots.rows)

def trains(model, optimizer, x):
    optimizer.zero_grad()
    model(x).sum().backward()
    optimizer.step()

def accumulates_gradients(model, optimizer, x):
    model(x).sum().backward()
    optimizer.step()

def model():
    made = torch.nn.Linear(2, 2)
    return made, torch.optim.Adam(made.parameters()), torch.ones(2, 2)

def grows(rows):
    rows.append(1)
    return torch.ones(2)

class Filled(torch.nn.Module):
    mask = None

    def forward(self, x):
        if self.mask is None:
            self.mask = torch.eye(2).tril()
        return x @ self.mask

class Mean(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = torch.nn.BatchNorm1d(2)

    def forward(self, x):
        return self.norm(x)

def closed():
    count = 0
    def inner(x):
        nonlocal count
        count += 1
        return x + 1 if count < 3 else x.sin()
    return inner

def once():
    called = False
    def inner(x):
        nonlocal called
        if called:
            raise RuntimeError("once only")
        called = True
        return x
    return inner

def sets(x):
    torch.set_default_dtype(torch.float64)
    torch.set_num_threads(1)
    torch.set_grad_enabled(False)
    return x + 1

def accumulates(x, w):
    (x * w).sum().backward()
    return w.grad
"""


class InModule(Subject):
    """An entry of a module that is made from the text above, once."""

    def __init__(self, make: Callable[[Any], Any], made: Callable[[Any], tuple[Any, ...]]) -> None:
        self.path, self.entry, self.inputs = __file__, "function", ["made()"]
        self.module = types.ModuleType("repeated")
        exec(PROGRAM, vars(self.module))
        self._make, self._made = make, made

    def fresh(self) -> Instance:
        return Instance(self._make(self.module), [lambda: (self._made(self.module), {})], self.module, None)


def square(_: Any) -> tuple[Any, ...]:
    return (torch.ones(2, 2),)


def large(_: Any) -> tuple[Any, ...]:
    return (torch.zeros(LARGE),)


def leaf(_: Any) -> tuple[Any, ...]:
    return torch.ones(2), torch.ones(2, requires_grad=True)


@pytest.mark.parametrize(
    ("make", "made", "expected"),
    [
        (lambda m: m.adds, square, Repeats()),
        (lambda m: m.writes, large, Repeats()),
        (lambda m: m.loops, large, Repeats(each=True)),
        (lambda m: m.collects, square, Repeats(each=True)),
        (lambda m: m.counts, square, Repeats(each=True)),
        (lambda m: m.takes, lambda m: (iter([torch.ones(2)]),), Repeats(anew=True)),
        (lambda m: m.hides, lambda m: (torch.ones(2), m.Slots()), Repeats(anew=True)),
        (lambda m: m.trains, lambda m: m.model(), Repeats(going_on=True, begun=True)),
        (lambda m: m.grows, lambda m: ([],), Repeats(anew=True)),
        (lambda m: m.accumulates, leaf, Repeats(anew=True)),
        (lambda m: m.Filled(), square, Repeats(settled=True)),
        (lambda m: m.Mean(), square, Repeats()),
        (lambda m: m.closed(), square, Repeats(other=True, anew=False)),
    ],
)
def test_how_it_is_repeated(make: Any, made: Any, expected: Repeats) -> None:
    trial = eager_trial(InModule(make, made))
    assert (trial.error, trial.repeats) == (None, expected)


def test_what_can_be_called_once_alone_is_an_error() -> None:
    assert eager_trial(InModule(lambda m: m.once(), square)).error == "called again, it fails: RuntimeError: once only"


@pytest.mark.parametrize("name", ["collects", "counts", "loops", "writes"])
def test_contenders_leave_nothing_behind(name: str) -> None:
    """The second one begins with what the first one began with, though they share the program's globals."""
    subject = InModule(lambda m: getattr(m, name), large)
    trial = eager_trial(subject)
    with Watch() as watch:
        for _ in range(2):
            contender = Contender(subject, trial, watch, None)
            contender.block(3)
    assert (subject.module.ROWS, subject.module.COUNT) == ([], 0)
    assert contender._arguments[0][0].sum() == 0


def test_what_a_program_sets_for_all_of_torch_is_put_back() -> None:
    before = torch.get_default_dtype(), torch.get_num_threads(), torch.is_grad_enabled()
    subject = InModule(lambda m: m.sets, square)
    with Watch() as watch:
        Contender(subject, Trial(), watch, None).block(3)
    assert (torch.get_default_dtype(), torch.get_num_threads(), torch.is_grad_enabled()) == before


def test_every_call_is_the_first_one() -> None:
    subject = InModule(lambda m: m.collects, square)
    trial = eager_trial(subject)
    sizes: list[int] = []
    with Watch() as watch:
        contender = Contender(subject, trial, watch, lambda instance: noted(instance.function, sizes))
        contender.block(4)
    assert sizes == [1] * 4


def noted(function: Callable[..., torch.Tensor], sizes: list[int]) -> Callable[..., None]:
    def call(x: torch.Tensor) -> None:
        sizes.append(len(function(x)))

    return call


def test_what_one_contender_needs_all_of_a_race_do() -> None:
    subject = InModule(lambda m: m.writes, large)
    with Watch() as watch:
        contenders = [Contender(subject, Trial(mutates=True, written=[0]), watch, None) for _ in range(2)]
        contenders[1].put_back_each()
        race(contenders, 0.0)
    assert all(one.each for one in contenders)


def test_what_only_a_second_call_shows_is_a_difference() -> None:
    """As a step without `zero_grad`, which some call before may have done."""
    expected = eager_trial(InModule(lambda m: m.trains, lambda m: m.model()))
    other = InModule(lambda m: m.accumulates_gradients, lambda m: m.model())
    assert captured_trial(other, expected).difference is None
    difference = captured_trial(other, expected, twice=True).difference
    assert difference is not None
    assert difference.startswith("a second call[1][0][0]['weight']")
