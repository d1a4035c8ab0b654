"""What the program does without any capture: the results that every frontend is measured by."""

from __future__ import annotations

import contextlib
import os
import sys
from dataclasses import dataclass, field
from typing import Any, Dict, Iterator, List, Optional, Sequence, Tuple

import torch

from runtime_probe.compare import difference, snapshot
from runtime_probe.dynamo.breaks import ids_of, reason_of
from runtime_probe.job import describe
from runtime_probe.matrix import isolate
from runtime_probe.matrix.blame import Place, raised_at
from runtime_probe.subject import Called, Instance, Subject

#: Modules of torch that compile what they were given.
_BY_OPERATORS = ("torch._higher_order_ops", "torch.nn.attention")


@dataclass
class Ran:
    """What one call did, as plain data that goes from process to process."""

    value: Any = None
    inputs: Any = None
    error: Optional[str] = None
    place: Optional[Place] = None
    shared: Sequence[str] = ()

    @classmethod
    def of(cls, called: Called, path: str) -> Ran:
        if called.error is None:
            return cls(called.value, called.inputs, shared=called.shared)
        return cls(None, called.inputs, message_of(called.error), raised_at(called.error, path))


def message_of(error: BaseException) -> str:
    """An error in words; one of Dynamo's in short, with its ids in the registry."""
    if not type(error).__module__.startswith("torch._dynamo") or not hasattr(error, "msg"):
        return describe(error)
    ids = ", ".join(ids_of(error))
    return f"{type(error).__name__}: {reason_of(str(error.msg))}" + (f" ({ids})" if ids else "")


@dataclass
class Reference:
    """What the given calls do eagerly.

    `unstable`: calls that give something else every time, from the same state and the same seed. `state`: what the
    calls changed, as far as it is the same every time. `unkept`: names of state that a capture need not keep: it is not
    the same every time, or a memo, which the same calls fill once and leave alone when repeated. `changes`: the first
    call repeated within one process gives something else: it reads a clock. `captures`: the calls themselves call
    `torch.compile`. `failed`: why the program could not be made or called at all, `endless` that it was for want of
    time, `place` where, and `by` the files on the error's stack.
    """

    calls: List[Ran] = field(default_factory=list)
    state: Dict[str, Any] = field(default_factory=dict)
    unstable: List[bool] = field(default_factory=list)
    unkept: List[str] = field(default_factory=list)
    changes: bool = False
    captures: bool = False
    failed: Optional[str] = None
    endless: bool = False
    place: Optional[Place] = None
    by: str = ""

    @classmethod
    def of(cls, subject: Subject, seconds: float = 60.0) -> Reference:
        """Runs the calls twice, each time in a child forked from here."""
        try:
            first = isolate.answer_of(lambda: _muted(subject, False) if subject.silent else _run(subject), seconds)
            if first.failed:
                return first  # type: ignore[no-any-return]
            second = isolate.answer_of(lambda: _muted(subject), seconds)
        except isolate.Ended as error:
            return cls(failed=str(error), endless=isinstance(error, isolate.OutOfTime))
        first.unstable = [_differ(a, b) for a, b in zip(first.calls, second.calls)]
        first.changes = second.changes
        for name in {**first.state, **second.state}:
            if name not in first.state or difference(first.state[name], second.state.get(name), exact=True) is not None:
                first.unkept.append(name)
                first.state.pop(name, None)
        first.unkept += [name for name in second.unkept if name in first.state]
        if all(call.error is not None for call in first.calls):
            first.failed, first.place = first.calls[0].error, first.calls[0].place
        return first  # type: ignore[no-any-return]


def reference_of(subject: Subject, seconds: float = 60.0) -> Reference:
    """The reference of a subject, made once: the parts forked after that share it."""
    known: Optional[Reference] = vars(subject).get("reference")
    if known is None:
        known = vars(subject)["reference"] = Reference.of(subject, seconds)
    return known


def _muted(subject: Subject, repeat: bool = True) -> Reference:
    if hasattr(os, "fork"):  # else it is this process that would be muted
        isolate.mute()
    return _run(subject, repeat)


def _run(subject: Subject, repeat: bool = False) -> Reference:
    try:
        instance = subject.fresh()
    except Exception as error:
        return Reference(failed=describe(error), place=raised_at(error, subject.path), by=_files_of(error))
    found = Reference()
    before = instance.state()
    with eager(), counted_compiles() as compiles:
        if repeat:
            memento = instance.memento()
            one = Ran.of(instance.call(instance.function, 0, 0), subject.path)
            memento.restore()
            two = Ran.of(instance.call(instance.function, 0, 0), subject.path)
            memento.restore()
            found.changes = _differ(one, two)
        for number in range(len(subject.inputs)):
            found.calls.append(Ran.of(instance.call(instance.function, number, number), subject.path))
    found.captures = bool(compiles)
    found.state = changed(before, instance.state())
    if repeat and found.state:
        found.unkept = _memos(subject, instance)
    return found


def _memos(subject: Subject, instance: Instance) -> List[str]:
    """The state that the calls do not write when they are repeated."""
    filled = instance.identities()
    with eager():
        for number in range(len(subject.inputs)):
            instance.call(instance.function, number, number)
    return [name for name, made_of in instance.identities().items() if filled.get(name) == made_of]


def changed(before: Dict[str, Any], after: Dict[str, Any]) -> Dict[str, Any]:
    """The entries that are new or not exactly as they were."""
    return {k: v for k, v in after.items() if k not in before or difference(before[k], v, exact=True) is not None}


def _differ(one: Ran, other: Ran) -> bool:
    return difference(one.value, other.value, exact=True) is not None


def _files_of(error: BaseException) -> str:
    names, step = [], error.__traceback__
    while step is not None:
        names.append(step.tb_frame.f_code.co_filename)
        step = step.tb_next
    return " ".join(names)


@contextlib.contextmanager
def eager() -> Iterator[None]:
    """Inside, what the program itself compiled runs as plain Python."""
    stance = getattr(torch.compiler, "set_stance", None)  # since 2.6
    if stance is not None:
        with stance("force_eager"):
            yield
    else:
        with torch._dynamo.config.patch(disable=True):
            yield


@contextlib.contextmanager
def counted_compiles() -> Iterator[List[Any]]:
    """Inside, the list grows by one with every call of `torch.compile`, but for those that torch makes to run an
    operator eagerly: `torch.cond` does."""
    real, seen = torch.compile, []  # type: ignore[var-annotated]

    def compile(*args: Any, **kwargs: Any) -> Any:
        if not str(sys._getframe(1).f_globals.get("__name__")).startswith(_BY_OPERATORS):
            seen.append(None)
        return real(*args, **kwargs)

    torch.compile = compile
    try:
        yield seen
    finally:
        torch.compile = real


def wrong_state(
    reference: Reference, before: Dict[str, Any], instance: Instance, captured: Any
) -> Optional[Tuple[str, str]]:
    """(name, difference) of what the captured calls leave otherwise than eager calls do. Attributes of what is captured
    may live in the captured object itself."""
    after = instance.state()
    for name, value in {**before, **reference.state}.items():
        if name in reference.unkept:
            continue
        if name not in after:
            if name in reference.state:
                return name, f"{name} is missing"
            continue
        text = difference(value, after[name], name)
        if text and not (name.startswith("entry.") and _own(captured, name, value)):
            return name, text
    return None


def _own(captured: Any, name: str, expected: Any) -> bool:
    """Whether the captured object itself holds what is expected under a name."""
    try:
        for part in name.split(".")[1:]:
            captured = getattr(captured, part)
    except Exception:
        return False
    return difference(expected, snapshot(captured), name) is None
