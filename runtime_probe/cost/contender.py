"""One way to run the entry, ready to be timed: eagerly, compiled, or compiled without some of its breaks."""

from __future__ import annotations

import contextlib
import itertools
import time
from typing import Any, Callable, ContextManager, Iterable, Optional

import torch

from runtime_probe.cost import clock
from runtime_probe.cost.guards import Watch
from runtime_probe.cost.rounds import MOST_CALLS, Block, calls_for
from runtime_probe.cost.trial import Trial, put_back
from runtime_probe.cost.written import Written
from runtime_probe.matrix.reference import eager
from runtime_probe.structure import leaves
from runtime_probe.subject import Instance, Memento, Subject, reseed

#: Arguments that calls change otherwise than in place are made for a whole block beforehand, up to so many bytes and
#: calls. A program that goes on with the same ones may take another time: see `written`.
_MOST_BYTES, _MOST_COPIES = 1 << 28, 256
#: Seconds that may be spent around the calls of one block, to make or put back what they change.
_ASIDE = 0.2
#: A program that compiles anew for a changed number settles after a few calls, or not at all.
_SETTLE = 4


class Contender:
    """`make` turns a fresh instance into what is called. `swap`: exchanges the program's code for the time of making
    and calling it. `like`: another one, whose tensors it is given: where they lie in memory is then no difference
    between the two. `cold`: the seconds of its first call; `each`: what calls change is put back before each."""

    def __init__(
        self,
        subject: Subject,
        trial: Trial,
        watch: Watch,
        make: Optional[Callable[[Instance], Callable[..., Any]]],
        swap: Optional[ContextManager[Any]] = None,
        like: Optional[Contender] = None,
    ) -> None:
        self._trial, self._watch = trial, watch
        self._swap: ContextManager[Any] = swap if swap is not None else contextlib.nullcontext()
        self._around: Callable[[], ContextManager[Any]] = eager if make is None else contextlib.nullcontext
        self._clock = clock.events if trial.cuda else clock.wall
        self.cold = 0.0
        self.calls = 1
        with self._swap:
            self._instance = subject.fresh()
            kept = (trial.changes or trial.repeats.each) and not trial.repeats.settled
            self._memento = self._instance.memento() if kept else Memento(None, None)
            self._function = self._instance.function if make is None else make(self._instance)
            self._arguments = self._instance.arguments(0)
        if like is not None and (not trial.mutates or trial.written) and _plain(self._arguments):
            self._arguments = like._arguments
        self._copies = trial.mutates and trial.written is None and not trial.repeats.going_on
        self._written = Written(self._arguments, trial.written) if trial.written else None
        self.each = trial.repeats.each

    def warm(self) -> None:
        """Make the first calls, in which it is compiled, and find out how many fill a block."""
        self.cold = self.block(1).seconds
        self.block(1)
        self.calls = min(self._most(), calls_for(self.block))
        if self._written is not None and not self.each:
            self._settle(self._written)
        for _ in range(_SETTLE):
            if not self.block(self.calls).spoiled:
                break

    def put_back_each(self) -> None:
        """Put everything back before every call from now on, as another contender has to."""
        self.each = True
        self.calls = min(self.calls, self._most())

    def _most(self) -> int:
        """How many calls a block has at most, for the sake of what is done around them."""
        if not (self._copies or self.each):
            return MOST_CALLS
        began = time.perf_counter()
        took = self.block(1).seconds
        aside = time.perf_counter() - began - took
        most = max(1, int(_ASIDE / max(aside, 1e-9)))
        if self._copies:
            most = min(most, _MOST_COPIES, max(1, _MOST_BYTES // max(1, self._trial.bytes)))
        return most

    def _settle(self, written: Written) -> None:
        """If large tensors hold what they never would in a program, or the program fails, as with an index that has run
        out of its tensor, everything is put back before every call."""

        def look() -> None:
            self.each = written.odd()

        try:
            self.block(self.calls, look)
        except Exception:
            self.each = True
        if self.each:
            self.put_back_each()

    def block(self, calls: int, look: Optional[Callable[[], None]] = None) -> Block:
        """Time some calls, from the same state and seed as always; `look` is called behind them."""
        with self._swap:
            batch = self._batch(calls)
            reseed(0)
            before = self._watch.compiles
            try:
                with self._around():
                    seconds, cpu = self._clock(self._function, batch, self._before_each())
                if look is not None:
                    look()
            finally:
                self._put_back()  # also for the next contender, which shares the program's globals
            return Block(seconds, cpu, self._watch.compiles > before)

    def _before_each(self) -> Optional[Callable[[], None]]:
        if not self.each:
            return self._written.before_each if self._written is not None else None

        def everything() -> None:
            self._put_back()
            reseed(0)

        return everything

    def _put_back(self) -> None:
        put_back(self._memento, self._instance)
        if self._written is not None:
            self._written.put_back()

    def _batch(self, calls: int) -> Iterable[Any]:
        if not self._copies:
            return itertools.repeat(self._arguments, calls)
        return [self._instance.arguments(0) for _ in range(calls)]


def _plain(arguments: Any) -> bool:
    """Whether arguments are tensors and values alone, which do nothing by themselves."""
    values = (torch.Tensor, bool, int, float, complex, str, bytes, type(None), torch.dtype, torch.device)
    return all(isinstance(leaf, values) for _, leaf in leaves(list(arguments)))
