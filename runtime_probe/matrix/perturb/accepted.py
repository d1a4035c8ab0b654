"""Which changes the program itself accepts, and what it does with them eagerly."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from typing import Any, List, Optional, Tuple

from runtime_probe.matrix import isolate
from runtime_probe.matrix.decisions import Reading, Recorder, first_difference
from runtime_probe.matrix.perturb import sizes, values
from runtime_probe.matrix.perturb.change import Change
from runtime_probe.matrix.reference import Ran, eager
from runtime_probe.subject import Instance, Subject, call_with

#: What the program may take for one changed call.
SECONDS = 10.0
#: How many changes of values are kept besides the first.
MOST_FLIPS = 5


@dataclass
class Plan:
    """The changes with what they give eagerly, and sweeps over many values of one size or number."""

    changes: List[Tuple[Change, Ran]] = field(default_factory=list)
    sweeps: List[Tuple[str, List[Change]]] = field(default_factory=list)


@dataclass
class _Tried:
    ran: Ran
    #: The predicates that the call evaluated, if they were recorded.
    predicates: List[Reading]


def plan(subject: Subject) -> Plan:
    """Runs the program with every change, each in a child forked from behind the capturing call."""
    instance = subject.fresh()
    memento = instance.memento()  # what the program shares with later instances: its globals
    with eager():
        instance.call(instance.function, 0, 0)
        found = Plan()
        _sizes(subject, instance, found)
        _values(subject, instance, found)
        for change in [*values.other_types(), *values.other_modes(instance)]:
            _keep(found, change, _try(subject, instance, change))
        for path, old in values.numbers(instance):
            change = values.other_number(instance, path, old)
            if _keep(found, change, _try(subject, instance, change)) and not isinstance(old, bool):
                found.sweeps.append((_span(change, sizes.SWEEP), values.number_sweep(instance, path, old)))
    memento.restore()
    return found


def _sizes(subject: Subject, instance: Instance, found: Plan) -> None:
    for candidates in sizes.groups(instance):
        grown = _first_growth(subject, instance, candidates)
        if grown is None:
            continue
        group, change, tried, old, new = grown
        _keep(found, change, tried)
        for size in (0, 1):
            if size != old:
                smaller = sizes.resized(instance, group, size)
                _keep(found, smaller, _try(subject, instance, smaller))
        found.sweeps.append((_span(change, sizes.SWEEP), sizes.sweep(instance, group, new - old)))


def _first_growth(subject: Subject, instance: Instance, candidates: List[sizes.Group]) -> Any:
    for group in candidates:
        old = sizes.size_of(instance, group)
        for new in sizes.growths(old):
            change = sizes.resized(instance, group, new)
            tried = _try(subject, instance, change)
            if tried is not None:
                return group, change, tried, old, new
    return None


def _values(subject: Subject, instance: Instance, found: Plan) -> None:
    """The first change of values, and those for which a predicate goes a way that it has not gone yet."""
    first = _try(subject, instance, Change(""), recorded=True)
    ways = [first.predicates if first is not None else []]
    if not ways[0]:
        change = next(values.other_values())
        _keep(found, change, _try(subject, instance, change))
        return
    for number, change in enumerate(values.other_values()):
        tried = _try(subject, instance, change, recorded=True)
        if tried is None or len(ways) > MOST_FLIPS:
            continue
        if number == 0 or tried.predicates not in ways:
            flipped = first_difference(ways[0], tried.predicates, ())
            ways.append(tried.predicates)
            where = f" (another way at line {flipped.place[1]})" if flipped is not None else ""
            _keep(found, dataclasses.replace(change, text=change.text + where), tried)


def _keep(found: Plan, change: Change, tried: Optional[_Tried]) -> bool:
    if tried is not None:
        found.changes.append((change, tried.ran))
    return tried is not None


def _span(change: Change, steps: int) -> str:
    return f"{change.text} and {steps - 1} more values"


def _try(subject: Subject, instance: Instance, change: Change, recorded: bool = False) -> Optional[_Tried]:
    """What the changed call gives eagerly; None if the program does not accept it."""

    def work() -> Optional[_Tried]:
        args, kwargs = change.arguments(instance)
        recorder = Recorder()
        with change.around(instance, instance.function):
            if recorded:
                with recorder.recording():
                    called = call_with(instance.function, args, kwargs, change.seed)
            else:
                called = call_with(instance.function, args, kwargs, change.seed)
        if called.error is not None:
            return None
        predicates = [r for r in recorder.readings if r.kind == "conversion"]
        return _Tried(Ran.of(called, subject.path), predicates)

    try:
        return isolate.answer_of(work, SECONDS)  # type: ignore[no-any-return]
    except isolate.Ended:
        return None
