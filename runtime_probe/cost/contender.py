"""One way to run the entry, ready to be timed: eagerly, compiled, or compiled without some of its breaks."""

from __future__ import annotations

import contextlib
import itertools
from typing import Any, Callable, ContextManager, Iterable, Optional

from runtime_probe.cost import clock
from runtime_probe.cost.guards import Watch
from runtime_probe.cost.rounds import MOST_CALLS, Block, calls_for
from runtime_probe.cost.trial import Trial
from runtime_probe.cost.written import Written
from runtime_probe.matrix.reference import eager
from runtime_probe.subject import Instance, Subject, reseed

#: Arguments that calls change otherwise than in place are made for a whole block beforehand, up to so many bytes and
#: calls. Each call then finds its arguments in no cache, unlike in a program that goes on with the same ones.
_MOST_BYTES, _MOST_COPIES = 1 << 28, 256
#: A program that compiles anew for a changed number settles after a few calls, or not at all.
_SETTLE = 4


class Contender:
    """`make` turns a fresh instance into what is called. `swap`: exchanges the program's code for the time of making
    and calling it. `cold`: the seconds of its first call."""

    def __init__(
        self,
        subject: Subject,
        trial: Trial,
        watch: Watch,
        make: Optional[Callable[[Instance], Callable[..., Any]]],
        swap: Optional[ContextManager[Any]] = None,
    ) -> None:
        self._trial, self._watch = trial, watch
        self._swap: ContextManager[Any] = swap if swap is not None else contextlib.nullcontext()
        self._around: Callable[[], ContextManager[Any]] = eager if make is None else contextlib.nullcontext
        self._clock = clock.events if trial.cuda else clock.wall
        self.cold = 0.0
        self.calls = 1
        with self._swap:
            self._instance = subject.fresh()
            self._memento = self._instance.memento() if trial.changes else None
            self._function = self._instance.function if make is None else make(self._instance)
            self._arguments = self._instance.arguments(0)
        self._copies = trial.mutates and trial.written is None
        self._written = Written(self._arguments, trial.written) if trial.written else None

    def warm(self) -> None:
        """Make the first calls, in which it is compiled, and find out how many fill a block."""
        self.cold = self.block(1).seconds
        self.block(1)
        most = MOST_CALLS
        if self._copies:
            most = min(_MOST_COPIES, max(1, _MOST_BYTES // max(1, self._trial.bytes)))
        self.calls = min(most, calls_for(self.block))
        if self._written is not None:
            self._settle(self._written)
        for _ in range(_SETTLE):
            if not self.block(self.calls).spoiled:
                break

    def _settle(self, written: Written) -> None:
        try:
            self.block(self.calls)
        except Exception:  # as of an index that has run out of its tensor
            written.give_up()
        else:
            written.settle()

    def block(self, calls: int) -> Block:
        """Time some calls, from the same state and seed as always."""
        with self._swap:
            self._put_back()
            before_each = None
            if self._written is not None:
                self._written.before_all()
                before_each = self._written.before_each
            batch = self._batch(calls)
            reseed(0)
            before = self._watch.compiles
            with self._around():
                seconds, cpu = self._clock(self._function, batch, before_each)
            return Block(seconds, cpu, self._watch.compiles > before)

    def _put_back(self) -> None:
        """The state of before the first call, but for what Dynamo has put among the program's globals since."""
        if self._memento is None:
            return
        names = getattr(self._instance.module, "__dict__", {})
        installed = {name: value for name, value in names.items() if name.startswith("__")}
        self._memento.restore()
        names.update(installed)

    def _batch(self, calls: int) -> Iterable[Any]:
        if not self._copies:
            return itertools.repeat(self._arguments, calls)
        return [self._instance.arguments(0) for _ in range(calls)]
