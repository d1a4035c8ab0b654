"""The part `measure`: eager against compiled, and against compiled without each break.

Options of the job: `budget`, the seconds that all of it may take; `fixes`, edits of the program's text that do away
with breaks; `threads`; `breaks`, how many lines with breaks are looked at. First the variants are found and checked, in
forks and with one thread; then everything is compiled and timed here, where nothing forks any more. Each step is told
before it begins, so that what was stopped says where.
"""

from __future__ import annotations

import time
from typing import Any, List, Tuple

from runtime_probe.cost import compiled
from runtime_probe.cost.contender import Contender
from runtime_probe.cost.guards import Watch, microseconds
from runtime_probe.cost.neutral import places_of
from runtime_probe.cost.result import no_timing, race, timing_of, without_of
from runtime_probe.cost.trial import Captured, Trial, apart, captured_trial, eager_trial
from runtime_probe.cost.variants import Variant, how_many, without, without_all
from runtime_probe.job import Emit, Job, describe
from runtime_probe.report import Timing
from runtime_probe.subject import Subject

BUDGET = 60.0
#: So many lines with breaks have a row of their own.
BREAKS = 6
#: Of the budget: for finding variants, for timing the program as it is, and the latest for compiling another variant.
_FIND, _AS_IT_IS, _LAST_COMPILE = 0.35, 0.2, 0.75
_FORWARD = "the forward pass alone: the entry makes no backward pass"


class Clock:
    """What is left of a budget."""

    def __init__(self, job: Job, name: str) -> None:
        self.budget = min(float(job.options.get("budget", BUDGET)), 0.9 * job.limits.of_part(name))
        self._began = time.monotonic()

    @property
    def used(self) -> float:
        """The fraction of it that is gone."""
        return (time.monotonic() - self._began) / self.budget

    @property
    def left(self) -> float:
        """Seconds, at least a little: one that is passed ends what it limits, and nothing else."""
        return max(0.1, self.budget * (1 - self.used))


def run(subject: Subject, emit: Emit, job: Job) -> None:
    """Measure the first of the given calls."""
    clock = Clock(job, "measure")
    timing = no_timing("")

    def tell(step: str) -> None:
        emit({"event": "timing", "timing": {**timing, "message": _joined(timing["message"], f"stopped while {step}")}})

    tell("the program ran eagerly")
    if job.options.get("fake"):
        emit({"event": "timing", "timing": no_timing("tensors without data cannot be timed")})
        return
    trial: Trial = apart(lambda: eager_trial(subject), clock.left)
    if trial.error is not None:
        emit({"event": "timing", "timing": no_timing(f"the call fails without capture: {trial.error}")})
        return
    variants, more = _variants(subject, trial, job, clock, tell)
    tell("Inductor was started")
    compiled.prepare()
    with compiled.fresh_cache(), Watch() as watch:
        threads = compiled.use_threads(job.options.get("threads"))
        try:
            timing = _measured(subject, trial, variants, threads, clock, watch, tell, emit)
        except Exception as error:
            timing = no_timing(f"it cannot be compiled: {describe(error)}")
            timing["without"] = [without_of(v, message="the program as it is cannot be compiled") for v in variants]
    timing["message"] = _joined(timing["message"], _FORWARD if trial.grad else "", more)
    emit({"event": "timing", "timing": timing})


def _joined(*messages: str) -> str:
    return "; ".join(message for message in messages if message)


def _variants(subject: Subject, trial: Trial, job: Job, clock: Clock, tell: Any) -> Tuple[List[Variant], str]:
    """What can be measured beside the program as it is, and what is left out."""
    tell("looking for breaks")
    as_it_is: Captured = apart(lambda: captured_trial(subject, trial), clock.left)
    places = places_of(as_it_is.breaks)
    most = int(job.options.get("breaks", BREAKS))
    found: List[Variant] = []
    for place in places[:most]:
        if clock.used > _FIND:
            found.append(Variant([place], "answered", reason="there was no time to look at it: raise it with --budget"))
            continue
        tell(f"looking for a way to do without line {place.line}")
        found.append(without(subject, place, trial, job.options.get("fixes") or (), clock.left))
    if clock.used <= _FIND:
        together = without_all(subject, found, trial, clock.left)
        found += [together] if together is not None else []
    return found, how_many(len(places), most)


def _measured(
    subject: Subject,
    trial: Trial,
    variants: List[Variant],
    threads: int,
    clock: Clock,
    watch: Watch,
    tell: Any,
    emit: Emit,
) -> Timing:
    tell("Inductor compiled something small")
    compiled.warm_up()

    def make(instance: Any) -> Any:
        return compiled.for_timing(instance, trial.captures)

    tell("the program was compiled")
    eager = Contender(subject, trial, watch, None)
    eager.warm()
    watch.kept.clear()
    as_it_is = Contender(subject, trial, watch, make)
    as_it_is.warm()
    guards = microseconds(watch.kept)
    measurable = [variant for variant in variants if variant.ways]
    seconds = clock.left * (_AS_IT_IS if measurable else 0.9)
    timing = timing_of(race([eager, as_it_is], seconds), trial, as_it_is.cold, guards, threads)
    if not measurable:
        timing["without"] = [without_of(variant) for variant in variants]
        return timing
    emit({"event": "timing", "timing": {**timing, "message": _joined(timing["message"], "stopped before its breaks")}})
    contenders, numbers, messages = [eager, as_it_is], {}, {}
    for number, variant in enumerate(variants):
        if not variant.ways:
            continue
        if clock.used > _LAST_COMPILE:
            messages[number] = "there was no time to compile it: raise it with --budget"
            continue
        try:
            contender = Contender(subject, trial, watch, make, variant.swap())
            contender.warm()
        except Exception as error:
            messages[number] = f"it cannot be compiled: {describe(error)}"
            continue
        numbers[number] = len(contenders)
        contenders.append(contender)
    samples = race(contenders, clock.left * 0.95) if numbers else None
    timing["without"] = [
        without_of(variant, samples, numbers[number])
        if number in numbers
        else without_of(variant, message=messages.get(number, ""))
        for number, variant in enumerate(variants)
    ]
    return timing
