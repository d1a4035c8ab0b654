"""A history of calls, from combinations: a subject whose calls are the given one with changes in it."""

from __future__ import annotations

import contextlib
import functools
from typing import Any, Callable, Dict, List, Sequence

import torch

from runtime_probe.matrix.perturb.change import module_of
from runtime_probe.simulate.changes import Changes, Choice, Leaf, composed, to_dtype
from runtime_probe.simulation import Combination, Controls
from runtime_probe.structure import replaced
from runtime_probe.subject import Arguments, Instance, Subject


class Played(Subject):
    """`subject` with the calls of `combinations`; raises ValueError for indices that the controls do not have."""

    def __init__(self, subject: Subject, controls: Controls, changes: Changes, calls: Sequence[Combination]) -> None:
        self.path, self.entry, self.silent = subject.path, subject.entry, True
        self.inputs = [controls["inputs"][_index(call["inputs"], controls["inputs"])]["name"] for call in calls]
        self.modes = [_mode(controls, call) for call in calls]
        self._subject = subject
        self._made = [_maker(controls, changes, call) for call in calls]

    def fresh(self) -> Instance:
        return self.over(self._subject.fresh())

    def given(self) -> Instance:
        """A new instance with the given calls."""
        return self._subject.fresh()

    def over(self, base: Instance) -> Instance:
        """An instance with the given calls, with these calls in their place."""
        arguments = [functools.partial(make, base) for make in self._made]
        return Instance(base.function, arguments, base.module, base.settings)


def given_as(controls: Controls) -> Combination:
    """The combination of everything as given."""
    return {
        "inputs": 0,
        "sizes": [size["values"].index(size["given"]) for size in controls["sizes"]],
        "numbers": [number["values"].index(number["given"]) for number in controls["numbers"]],
        "dtype": 0,
        "mode": 0,
    }


def _maker(controls: Controls, changes: Changes, call: Combination) -> Callable[[Instance], Arguments]:
    choice = changes.choice(controls["inputs"][_index(call["inputs"], controls["inputs"])]["name"])
    steps: List[Leaf] = [] if choice == Choice() else [choice.leaf]
    for size, index in _paired(controls["sizes"], call["sizes"], "sizes"):
        value = size["values"][_index(index, size["values"])]
        if value != size["given"]:
            steps.append(changes.size(size["name"], value))
    for number, index in _paired(controls["numbers"], call["numbers"], "numbers"):
        text = number["values"][_index(index, number["values"])]
        if text != number["given"]:
            steps.append(changes.number(number["name"], text))
    if call["dtype"]:
        steps.append(to_dtype(controls["dtypes"][_index(call["dtype"], controls["dtypes"])]))
    return functools.partial(_arguments, choice, steps)


def _arguments(choice: Choice, steps: Sequence[Leaf], base: Instance) -> Arguments:
    given = base.arguments(choice.call, choice.seed)
    if not steps:
        return given
    args, kwargs = replaced(list(given), composed(steps))
    return args, kwargs


def _mode(controls: Controls, call: Combination) -> str:
    return controls["modes"][_index(call["mode"], controls["modes"])] if call["mode"] else ""


def _index(index: int, of: Sequence[Any]) -> int:
    if not 0 <= index < len(of):
        raise ValueError(f"index {index} is out of range (0 to {len(of) - 1})")
    return index


def _paired(controls: Sequence[Any], indices: Sequence[int], what: str) -> List[Any]:
    if len(controls) != len(indices):
        raise ValueError(f"{len(indices)} {what} were chosen, and there are {len(controls)}")
    return list(zip(controls, indices))


class Modes:
    """Sets the training mode of an instance's module between calls, and of the captured object that stands for it. A
    mode is only set where it changes: `""` is as given."""

    def __init__(self, instance: Instance) -> None:
        module = module_of(instance)
        self._module = module
        self._given: Dict[Any, bool] = {}
        if module is not None:
            self._given = {inner: inner.training for inner in module.modules()}
        self._now = ""

    def set(self, mode: str, captured: Any = None) -> None:
        """Raises what the captured object raises: an exported program has no modes."""
        if mode == self._now or self._module is None:
            return
        training = mode == "train" if mode else self._given[self._module]
        for module in (self._module, captured):
            if isinstance(module, torch.nn.Module):
                module.train(training)
        if not mode:
            for inner, before in self._given.items():
                with contextlib.suppress(AttributeError):  # a scripted one
                    inner.training = before
        self._now = mode

    def again(self, mode: str) -> None:
        """Set a mode whatever was set before: the state was put back."""
        self._now = ""
        self.set(mode)
