"""Other values for the numbers that a path read: the path once more, eagerly, with numbers that note what they are
compared with. Nothing that is seen here is reported; it only says what to try."""

from __future__ import annotations

import contextlib
import sys
from dataclasses import dataclass, field
from types import FrameType
from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Set, Tuple

import torch

from runtime_probe.job import Job
from runtime_probe.paths import fakes, forked, lookups, shims, traced
from runtime_probe.paths.reads import Read, Value, answered
from runtime_probe.paths.script import Stopped, Taken, places_read
from runtime_probe.paths.sites import Place, module_names, reader
from runtime_probe.paths.solve import value_for
from runtime_probe.subject import Subject, reseed

#: So many other values of one decision are tried from one path.
MOST_VALUES = 10
_MOST_READS, _MOST_ARMS = 5000, 5000


class Other(NamedTuple):
    """Another value for a decision, and the arm that it leads to; None for a guess."""

    value: Value
    arm: Optional[int]


@dataclass
class Scouted:
    """By the number of the decision, the values with which a path would go on otherwise; and the arms that it took."""

    others: Dict[int, List[Other]] = field(default_factory=dict)
    arms: List[int] = field(default_factory=list)


def scout(subject: Subject, job: Job, taken: Sequence[Taken], guessed: Set[Place], seconds: float) -> Scouted:
    """What the numbers of a path could be. `guessed`: the places for which values were guessed already; once is
    enough."""
    result = Scouted()
    if all(t.kind == "bool" for t in taken):
        return result
    messages, _ = forked.messages_of(lambda send: _run(subject, job, taken, send), seconds)
    found = result.others
    for message in messages:
        if "arms" in message:
            result.arms = message["arms"]
        else:
            found[message["decision"]] = [Other(*one) for one in message["values"]]
    for number, one in enumerate(taken):
        if one.kind != "bool" and number not in found and one.site.place not in guessed:
            guessed.add(one.site.place)
            found[number] = [Other(value, None) for value in _guesses(one)]
    return result


def _run(subject: Subject, job: Job, taken: Sequence[Taken], send: forked.Send) -> None:
    log = traced.Log()
    replay = _Replay(taken, log)
    undo: Any = []
    with contextlib.suppress(BaseException), fakes.tensors(bool(job.options.get("fake"))) as mode:
        instance = subject.fresh()
        args, kwargs = instance.arguments(0)
        files = {*places_read(taken), job.path}
        undo = shims.put_in(files)
        reseed(0)
        with _eager(), answered(replay, module_names(instance.function), mode):
            sys.settrace(_tracer(files))
            try:
                instance.function(*args, **kwargs)
            finally:
                sys.settrace(None)
    shims.take_out(undo)
    log.finish()
    send({"arms": log.arms[:_MOST_ARMS]})
    for number, one in enumerate(taken):
        if any(w.decision == number for w in log.wishes):
            send({"decision": number, "values": _values(number, one, log)})


def _eager() -> Any:
    stance = getattr(torch.compiler, "set_stance", None)
    return stance("force_eager") if stance is not None else contextlib.nullcontext()


def _values(number: int, one: Taken, log: traced.Log) -> List[Other]:
    found: Dict[Value, Other] = {}
    conditions = log.conditions.get(number, [])
    for wish in (w for w in log.wishes if w.decision == number):
        value = value_for(wish, conditions[: wish.after], one.value, one.low, one.high)
        if value is not None:
            found.setdefault(value, Other(value, wish.arm))
    return list(found.values())[:MOST_VALUES]


def _guesses(one: Taken) -> List[Value]:
    """Where nothing was heard of a number: values around the constants that its function compares something with. Not
    of elements of lists: they are mostly handed on as they are."""
    if one.site.is_element:
        return []
    found: List[Value] = []
    for constant in lookups.constants_near(one.site.place)[:3]:
        steps: Tuple[float, ...] = (-1, 0, 1) if one.kind == "int" else (-0.01, 0, 0.01)
        for value in (int(constant + s) if one.kind == "int" else float(constant + s) for s in steps):
            if (one.low is None or value >= one.low) and (one.high is None or value <= one.high):
                found.append(value)
    return [v for v in dict.fromkeys(found) if v != one.value]


class _Replay:
    """Answers reads as on the path, by place and order there: the path under Dynamo has fewer reads than an eager run,
    for instance where an assert is part of a graph."""

    def __init__(self, taken: Sequence[Taken], log: traced.Log) -> None:
        self._log = log
        self._left: Dict[Place, List[Tuple[int, Taken]]] = {}
        for number, one in enumerate(taken):
            self._left.setdefault(one.site.place, []).append((number, one))
        self._reads = 0

    def __call__(self, read: Read) -> Any:
        self._reads += 1
        if self._reads > _MOST_READS:
            raise Stopped("too many reads")
        left = self._left.get(read.site.place)
        if not left:
            natural = read.natural
            return natural if natural is not None else {"bool": False, "int": 1, "float": 0.5}[read.kind]
        number, one = left.pop(0)
        if read.kind == "bool":
            self._log.took(read.site.place, bool(one.value))
            return bool(one.value)
        value = self._log.decision(number, one.value)
        frame = reader()
        if frame is not None:
            lookups.note_read(value, read.site.place, frame)
        return value


def _tracer(files: Any) -> Any:
    """A trace function that looks at every line of these files before it runs."""

    def line(frame: FrameType, event: str, _: Any) -> Any:
        if event == "line":
            lookups.note(frame)
        return line

    def call(frame: FrameType, _: str, __: Any) -> Any:
        return line if frame.f_code.co_filename in files else None

    return call
