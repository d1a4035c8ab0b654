"""Histories of calls made eagerly on a fresh instance: what every frontend's run of the same history is measured by."""

from __future__ import annotations

import contextlib
import json
from dataclasses import dataclass, field
from typing import Any, Callable, Dict, List, Optional, Sequence, Set, Tuple

from runtime_probe.job import describe
from runtime_probe.matrix import isolate
from runtime_probe.matrix.judge import CAPTURE_SEED
from runtime_probe.matrix.reference import Ran, changed, eager
from runtime_probe.simulate.conditions import Key
from runtime_probe.simulate.play import Modes, Played
from runtime_probe.simulate.watch import Watch, What
from runtime_probe.simulation import Combination
from runtime_probe.subject import Called, Instance, call_with

#: How many histories are remembered.
_MOST = 1000


@dataclass
class Made:
    """One eager call: its result, and what was seen of it. `state`: what the calls so far have changed. `raised`: the
    program itself raised its error, in a line of its own."""

    ran: Ran
    ways: Dict[Key, List[bool]] = field(default_factory=dict)
    reads: Set[Key] = field(default_factory=set)
    lines: Set[int] = field(default_factory=set)
    read: Dict[What, List[str]] = field(default_factory=dict)
    state: Dict[str, Any] = field(default_factory=dict)
    raised: bool = False


@dataclass
class History:
    """The calls of a history as far as they came; `message`: why it ended early."""

    made: List[Made] = field(default_factory=list)
    message: str = ""


class Histories:
    """Runs each history once, in a child of its own. `played`: makes the subject of a history. `apart`: calls change
    what a later instance sees, so that one process is not to make two."""

    def __init__(self, played: Callable[[Sequence[Combination]], Played], seconds: float, apart: bool) -> None:
        self._played = played
        self._seconds = seconds
        self._apart = apart
        self._known: Dict[str, History] = {}
        self._captures: Dict[str, Optional[Made]] = {}

    def of(self, calls: Sequence[Combination]) -> History:
        """All calls of a history."""
        known = self._known.get(_key(calls))
        if known is not None:
            return known
        played = self._played(calls)
        found, key = History(), _key(calls[:1])
        try:
            for made in isolate.answers_of(lambda send: self._run(played, key, send), self._seconds):
                if len(found.made) < len(calls):
                    found.made.append(made)
                else:
                    self._captures[key] = made
        except isolate.Ended as error:
            if len(found.made) < len(calls):
                found.message = f"call {len(found.made) + 1} without capture: {error}"
        if len(self._known) > _MOST:
            self._known.clear()
        self._known[_key(calls)] = found
        for number in range(1, len(found.made)):
            self._known.setdefault(_key(calls[:number]), History(found.made[:number]))
        return found

    def _run(self, played: Played, key: str, send: isolate.Send) -> None:
        """The calls, and in the same process the capturing one if it is not known yet: a fork costs more than it."""
        _run(played, send)
        if not self._apart and key not in self._captures:
            send(_captured(played))

    def capturing(self, call: Combination) -> Optional[Made]:
        """The call that captures, made eagerly under the seed of captures; None if it does not end."""
        key = _key([call])
        if key not in self._captures:
            played = self._played([call])
            self._captures[key] = None
            with contextlib.suppress(isolate.Ended):
                self._captures[key] = isolate.answer_of(lambda: _captured(played), self._seconds)
        return self._captures[key]


def _key(calls: Sequence[Combination]) -> str:
    return json.dumps([[c["inputs"], c["sizes"], c["numbers"], c["dtype"], c["mode"]] for c in calls])


def _run(played: Played, send: isolate.Send) -> None:
    instance = played.fresh()
    before, modes = instance.state(), Modes(instance)
    with eager():
        for number, mode in enumerate(played.modes):
            modes.set(mode)
            made = watched(instance, number, number, played.path)
            made.state = changed(before, instance.state())
            send(made)


def _captured(played: Played) -> Made:
    instance = played.fresh()
    with eager():
        Modes(instance).set(played.modes[0])
        return watched(instance, 0, CAPTURE_SEED, played.path)


def watched(instance: Instance, number: int, seed: int, path: str) -> Made:
    """Make one call of an instance and watch it."""
    watch = Watch(path)
    try:
        args, kwargs = instance.arguments(number, number)
    except Exception as error:
        return Made(Ran(error=f"the inputs cannot be made: {describe(error)}"))
    with watch.recording():
        called = call_with(instance.function, args, kwargs, seed)
    return Made(
        Ran.of(called, path), watch.ways, watch.reads, watch.lines, watch.read, raised=_by_program(called, path)
    )


def _by_program(called: Called, path: str) -> bool:
    step: Any = called.error.__traceback__ if called.error is not None else None
    last: Tuple[str, ...] = ()
    while step is not None:
        last = (step.tb_frame.f_code.co_filename,)
        step = step.tb_next
    return path in last
