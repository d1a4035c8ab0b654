"""Whether the calls of a block do what the first one did, by the operations that they run eagerly.

A call goes on with the state and the arguments that the one before has left. Often it does the same with them, as an
optimizer's step; but a counter, a list that grows or a loop that ends at a value make it another program.
"""

from __future__ import annotations

import dataclasses
import time
import types
from typing import Any, List, Optional, Sequence, Set, Tuple

import torch
from torch.utils._python_dispatch import TorchDispatchMode

from runtime_probe.compare import difference
from runtime_probe.cost.written import Written
from runtime_probe.job import describe
from runtime_probe.matrix.reference import eager
from runtime_probe.structure import leaves
from runtime_probe.subject import Instance, Subject, reseed

#: So many calls are looked at, in about so many seconds, of a program whose call takes no longer than the last number:
#: a block has one call of a longer one.
_MOST_CALLS, _MOST_SECONDS, LONGEST = 64, 1.0, 0.2

_NO_VALUES = (type, types.ModuleType, types.FunctionType, types.MethodType)

#: What one call did: its operations with the shapes of their arguments, and its error.
Did = Tuple[Tuple[Any, ...], Optional[str]]


@dataclasses.dataclass(frozen=True)
class Repeats:
    """How the first call is repeated. `each`: state and arguments are put back before every call, not only before a
    block; `settled`: the first call filled what later ones leave alone, so nothing is put back; `anew`: each call has
    new arguments; `going_on`: all have the same, of which only numbers change from the second call on, as those of a
    model and its optimizer, and `begun`: the first call does something else with them. `other`: later calls do
    something else, whatever is put back; `error`: they fail."""

    each: bool = False
    settled: bool = False
    anew: bool = False
    going_on: bool = False
    begun: bool = False
    other: bool = False
    error: Optional[str] = None

    @property
    def differs(self) -> bool:
        """Whether what is timed is not the first call."""
        return self.settled or self.begun or self.other


class _Operations(TorchDispatchMode):
    supports_higher_order_operators = True

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.seen: List[Any] = []

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        self.seen.append((str(func), *_shapes(args)))
        return func(*args, **(kwargs or {}))


def _shapes(args: Sequence[Any]) -> List[Any]:
    found: List[Any] = []
    for one in args:
        if isinstance(one, (list, tuple)):
            found.append(tuple(_shapes(one)))
        elif isinstance(one, torch.Tensor):
            found.append(tuple(one.shape))
    return found


def how_it_repeats(subject: Subject, written: Optional[Sequence[int]], anew: bool) -> Repeats:
    """Repeat the first call. `written`: the arguments that it writes into; `anew`: they change in another way. Expects
    a process of its own."""
    going_on = _going_on(subject) if anew else None
    if going_on is not None:
        return going_on
    found = _looked(subject, written, anew)
    if found.other and not anew:  # a generator, an object that hides its attributes
        again = _looked(subject, None, True)
        return found if again.other else again
    return found


def _going_on(subject: Subject) -> Optional[Repeats]:
    """Whether calls can go on with the same arguments, though these are changed otherwise than in place."""
    repeated = _Repeated(subject.fresh(), None, False)
    first, second = repeated.call(), repeated.call()
    form, count, until = repeated.form(), 0, time.monotonic() + _MOST_SECONDS
    same = second[1] is None
    while same and count < _MOST_CALLS and time.monotonic() < until:
        count, same = count + 1, repeated.call() == second
    same = same and repeated.form() == form
    repeated.put_back()
    return Repeats(going_on=True, begun=first != second) if same else None


def _looked(subject: Subject, written: Optional[Sequence[int]], anew: bool) -> Repeats:
    repeated = _Repeated(subject.fresh(), written, anew)
    first = repeated.call()
    until = time.monotonic() + _MOST_SECONDS
    later = [repeated.call()]
    second = repeated.state()
    while len(later) < _MOST_CALLS and time.monotonic() < until:
        later.append(repeated.call())
    if all(did == first for did in later):
        repeated.put_back()
        return Repeats(anew=anew)
    settled = len(later) > 1 and all(did == later[0] for did in later)
    settled = settled and difference(second, repeated.state(), exact=True) is None
    if settled:
        repeated.put_back(state=False)
        settled = repeated.call() == later[0]
    repeated.put_back()
    again = repeated.call()
    repeated.put_back()
    if again == first:
        return Repeats(anew=anew, settled=settled, each=not settled)
    return Repeats(anew=anew, other=True, error=again[1])


def _form(value: Any, seen: Set[int]) -> List[Any]:
    found: List[Any] = []
    for _, leaf in leaves(value):
        inside = getattr(leaf, "__dict__", None)
        if isinstance(leaf, torch.Tensor):
            found.append((leaf.shape, leaf.dtype))
        elif isinstance(leaf, torch.nn.Module) or not isinstance(inside, dict) or isinstance(leaf, _NO_VALUES):
            found.append(type(leaf))
        elif id(leaf) not in seen:
            seen.add(id(leaf))
            found.append(_form(inside, seen))
    return found


class _Repeated:
    """One instance, called again and again."""

    def __init__(self, instance: Instance, written: Optional[Sequence[int]], anew: bool) -> None:
        self._instance, self._anew = instance, anew
        self._memento = instance.memento()
        self._arguments = instance.arguments(0)
        self._written = Written(self._arguments, written) if written else None
        reseed(0)

    def call(self) -> Did:
        """What the next call does."""
        args, kwargs = self._instance.arguments(0) if self._anew else self._arguments
        with eager(), _Operations() as operations:
            try:
                self._instance.function(*args, **kwargs)
            except Exception as error:
                return tuple(operations.seen), describe(error)
        return tuple(operations.seen), None

    def state(self) -> Any:
        return self._instance.state()

    def form(self) -> Any:
        """All of the arguments but their numbers."""
        return _form(self._arguments, set())

    def put_back(self, state: bool = True) -> None:
        """All that was before the first call, or the arguments alone."""
        if state:
            self._memento.restore()
        if self._written is not None:
            self._written.put_back()
        reseed(0)
