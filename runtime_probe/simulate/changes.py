"""Changes of the given call by name. The name alone says what a change is: it means the same in every process.

A name of values is `as given`, `call 2` (the second of the given calls), `another seed (3)`, a change of all tensors
(`values negated`), of one argument (`x negated`), or two of these (`x negated, mask reversed`).
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence, Tuple

import torch

from runtime_probe.matrix.perturb import sizes, values
from runtime_probe.matrix.perturb.change import label, leaves_of, unchanged
from runtime_probe.subject import Instance

Leaf = Callable[[str, Any], Any]

GIVEN = "as given"
_SEED, _CALL = re.compile(r"another seed \((\d+)\)"), re.compile(r"call (\d+)")
_BETWEEN = ", "


@dataclass(frozen=True)
class Choice:
    """The arguments of a given call, made after a seed, with every leaf put through `leaf`."""

    leaf: Leaf = unchanged
    seed: int = 0
    call: int = 0


def _reversed(tensor: torch.Tensor) -> torch.Tensor:
    return tensor.flatten().flip(0).reshape(tensor.shape)


def _negated(tensor: torch.Tensor) -> torch.Tensor:
    return ~tensor if tensor.dtype is torch.bool else -tensor


#: What can be done to one argument: a function of a tensor without gradient that keeps its dtype.
_ONE: Dict[str, Callable[[torch.Tensor], torch.Tensor]] = {
    "negated": _negated,
    "zero": torch.zeros_like,
    "one": torch.ones_like,
    "reversed": _reversed,
    "× 10": lambda t: t * 10,
    "÷ 10": lambda t: (t / 10).to(t.dtype),
    "+ 1": lambda t: t + 1,
    "− 1": lambda t: t - 1,
    "absolute": lambda t: t.abs(),
    "× 100": lambda t: t * 100,
    "÷ 100": lambda t: (t / 100).to(t.dtype),
}
_ARITHMETIC = ("× 10", "÷ 10", "+ 1", "− 1", "absolute", "× 100", "÷ 100")


def _of_all() -> Dict[str, Leaf]:
    found = {change.text: change.leaf for change in values.other_values()}
    for what in ("absolute", "× 100", "÷ 100"):
        found["values " + what] = values.floats(_ONE[what])
    return found


ALL: Dict[str, Leaf] = _of_all()


class Changes:
    """The changes that the given call of a program has; `instance` is only looked at."""

    def __init__(self, instance: Instance, calls: int) -> None:
        self._instance = instance
        self._calls = calls
        self._leaves = list(leaves_of(instance))
        self.labels: Dict[str, str] = {label(path, instance): path for path, _ in self._leaves}
        self.groups: Dict[str, sizes.Group] = {}
        for group in (group for candidates in sizes.groups(instance) for group in candidates):
            self.groups.setdefault(self.size_name(group), group)

    # values

    def choice(self, name: str) -> Choice:
        """The change of a name; raises ValueError for what is none."""
        if name == GIVEN:
            return Choice()
        seed, call = _SEED.fullmatch(name), _CALL.fullmatch(name)
        if seed:
            return Choice(seed=int(seed.group(1)))
        if call and 1 <= int(call.group(1)) <= self._calls:
            return Choice(call=int(call.group(1)) - 1)
        one = self._single(name)
        if one is not None:
            return Choice(one)
        start = name.find(_BETWEEN)
        while start >= 0:
            first, second = self._single(name[:start]), self._single(name[start + len(_BETWEEN) :])
            if first is not None and second is not None:
                return Choice(composed([first, second]))
            start = name.find(_BETWEEN, start + 1)
        raise ValueError(f"no values are called {name!r}")

    def _single(self, name: str) -> Optional[Leaf]:
        if name in ALL:
            return ALL[name]
        for what, change in _ONE.items():
            path = self.labels.get(name[: -len(what) - 1]) if name.endswith(" " + what) else None
            if path is not None:
                return _at(path, change)
        return None

    def other_calls(self) -> List[str]:
        """The given calls behind the first."""
        return [f"call {number + 1}" for number in range(1, self._calls)]

    def seeds(self) -> List[str]:
        """Other draws of the given call, where it draws."""
        given = self._instance.arguments(0, 0)
        other = self._instance.arguments(0, 1)
        return [] if _same(given, other) else [f"another seed ({number})" for number in range(1, 7)]

    def of_one(self) -> Iterator[str]:
        """Changes of one tensor alone, of all tensors in turn."""
        found = [(label(path, self._instance), leaf) for path, leaf in self._leaves if isinstance(leaf, torch.Tensor)]
        for what in _ONE:
            for name, leaf in found[:6]:
                if what not in _ARITHMETIC or leaf.dtype is not torch.bool:
                    yield f"{name} {what}"

    def of_two(self) -> Iterator[str]:
        """Two changes, one after the other: of different arguments where there are several."""
        found = [label(path, self._instance) for path, leaf in self._leaves if isinstance(leaf, torch.Tensor)][:4]
        if len(found) > 1:
            for first, second in ((a, b) for n, a in enumerate(found) for b in found[n + 1 :]):
                for one in ("negated", "zero", "one", "reversed"):
                    for other in ("negated", "zero", "one", "reversed"):
                        yield f"{first} {one}, {second} {other}"
        for first in ("values negated", "values × 10", "values ÷ 10", "values absolute"):
            for second in ("values × 10", "values + 1", "values − 1", "values negated", "values × 100"):
                if first != second:
                    yield f"{first}, {second}"

    # sizes

    def size_name(self, group: sizes.Group) -> str:
        """The dimensions of a group, as the program would write them."""
        names = [f"{label(path, self._instance)}.shape[{d}]" for path, d in group]
        return ", ".join(names[:3]) + (", …" if len(names) > 3 else "")

    def size(self, name: str, value: int) -> Leaf:
        """Another size for the dimensions of a name; raises ValueError for what is none."""
        group = self.groups.get(name)
        if group is None:
            raise ValueError(f"no size is called {name!r}")
        return sizes.resized(self._instance, group, value).leaf

    # numbers

    def numbers(self) -> List[Tuple[str, Any]]:
        """The Python numbers and flags among the arguments, by label."""
        return [(label(path, self._instance), value) for path, value in values.numbers(self._instance)]

    def number(self, name: str, text: str) -> Leaf:
        """Another number in place of one, from its `repr`; raises ValueError for what is none."""
        path = self.labels.get(name)
        if path is None:
            raise ValueError(f"no number is called {name!r}")
        value = parsed(text)
        return lambda p, v: value if p == path else v

    # element types

    def dtype(self) -> str:
        """The element type of the floating-point tensors, or empty where there are several or none."""
        found = {leaf.dtype for _, leaf in self._leaves if isinstance(leaf, torch.Tensor) and leaf.is_floating_point()}
        return str(found.pop()).replace("torch.", "") if len(found) == 1 else ""


def to_dtype(name: str) -> Leaf:
    """Another element type for the floating-point tensors."""
    dtype = getattr(torch, name)

    def leaf(path: str, value: Any) -> Any:
        if not isinstance(value, torch.Tensor) or not value.is_floating_point():
            return value
        return value.detach().to(dtype).requires_grad_(value.requires_grad)

    return leaf


def composed(changes: Sequence[Leaf]) -> Leaf:
    """One change after the other."""

    def leaf(path: str, value: Any) -> Any:
        for change in changes:
            value = change(path, value)
        return value

    return leaf


def parsed(text: str) -> Any:
    """A number from its `repr`."""
    return float(text) if text in ("nan", "inf", "-inf") else ast.literal_eval(text)


def _at(path: str, change: Callable[[torch.Tensor], torch.Tensor]) -> Leaf:
    def leaf(at: str, value: Any) -> Any:
        if at != path or not isinstance(value, torch.Tensor):
            return value
        with torch.no_grad():
            made = change(value.detach())
        return made.requires_grad_(value.requires_grad)

    return leaf


def _same(one: Any, other: Any) -> bool:
    from runtime_probe.compare import difference, snapshot

    return difference(snapshot(list(one)), snapshot(list(other)), exact=True) is None
