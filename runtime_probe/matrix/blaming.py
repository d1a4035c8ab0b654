"""Which line of the program made a capture silently wrong: what it froze, or what wrote the state that was lost."""

from __future__ import annotations

import contextlib
from typing import Any, List, Optional, Sequence

from runtime_probe.matrix import isolate
from runtime_probe.matrix.blame import Place
from runtime_probe.matrix.decisions import Reading, Recorder, first_difference
from runtime_probe.matrix.judge import CAPTURE_SEED, Judged
from runtime_probe.matrix.reference import eager
from runtime_probe.subject import Instance, Subject, call_with, owner_of


def blame(subject: Subject, judged: Judged, seconds: float = 60.0) -> Optional[Place]:
    """The line, if one can be told. The calls run eagerly in a child of this process."""
    with contextlib.suppress(isolate.Ended):
        return isolate.answer_of(lambda: _blame(subject, judged), seconds)  # type: ignore[no-any-return]
    return None


def _blame(subject: Subject, judged: Judged) -> Optional[Place]:
    if judged.lost is not None:
        return _writer(subject, judged.lost)
    if judged.wrong is None:
        return None
    if judged.wrong.text.startswith("arguments"):
        return _writer_of_arguments(subject, judged.wrong.call)
    found = first_frozen(subject, judged.wrong.call, judged.warned)
    return found.place if found is not None else None


def _writer(subject: Subject, name: str) -> Optional[Place]:
    """The line that first changes a piece of state in the given calls."""
    instance = subject.fresh()
    recorder = Recorder(lambda: _looked_up(instance, name))
    with eager():
        for number in range(len(subject.inputs)):
            args, kwargs = instance.arguments(number, number)
            with recorder.recording():
                call_with(instance.function, args, kwargs, number)
    return recorder.written


def _writer_of_arguments(subject: Subject, call: int) -> Optional[Place]:
    """The line that first changes an argument of a call."""
    instance = subject.fresh()
    with eager():
        for number in range(call):
            instance.call(instance.function, number, number)
        args, kwargs = instance.arguments(call, call)
        recorder = Recorder(lambda: [args, kwargs])
        with recorder.recording():
            call_with(instance.function, args, kwargs, call)
    return recorder.written


def _looked_up(instance: Instance, name: str) -> Any:
    """A piece of state by its name in `Instance.state`; None where it is not there yet."""
    owner, *attributes = name.split(".")
    value = instance.module if owner == "globals" else owner_of(instance.function)
    for attribute in attributes:
        value = getattr(value, attribute, None)
    return value


def first_frozen(subject: Subject, call: int, warned: Sequence[Place]) -> Optional[Reading]:
    """What the capturing run and the wrong call read differently."""
    instance = subject.fresh()
    memento = instance.memento()
    with eager():
        capturing = _recorded(instance, 0, CAPTURE_SEED)
        memento.restore()
        for number in range(call):
            instance.call(instance.function, number, number)
        wrong = _recorded(instance, call, call)
    return first_difference(capturing, wrong, warned)


def _recorded(instance: Instance, number: int, seed: int) -> List[Reading]:
    args, kwargs = instance.arguments(number, number)
    recorder = Recorder()
    with recorder.recording():
        call_with(instance.function, args, kwargs, seed)
    return recorder.readings
