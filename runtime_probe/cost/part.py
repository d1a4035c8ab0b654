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
from runtime_probe.cost.allocator import keep_memory
from runtime_probe.cost.contender import Contender
from runtime_probe.cost.guards import Watch, microseconds
from runtime_probe.cost.neutral import places_of
from runtime_probe.cost.result import no_timing, race, timing_of, without_of
from runtime_probe.cost.trial import Captured, Trial, apart, captured_trial, eager_trial
from runtime_probe.cost.variants import Variant, how_many, without, without_all
from runtime_probe.job import Emit, Job, describe
from runtime_probe.matrix import isolate
from runtime_probe.report import Timing
from runtime_probe.subject import Subject

BUDGET = 60.0
#: So many lines with breaks have a row of their own.
BREAKS = 6
#: Of the budget: for looking for breaks, for finding variants, for timing the program as it is, and until when another
#: variant is compiled.
_LOOK, _FIND, _AS_IT_IS, _LAST_COMPILE = 0.5, 0.35, 0.15, 0.75
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


class _Telling:
    """Tells what is known, and with it what comes next: if nothing more is heard, it was stopped there."""

    def __init__(self, emit: Emit) -> None:
        self._emit = emit
        self.known = no_timing("")

    def before(self, step: str) -> None:
        """A step that may not end."""
        message = _joined(self.known["message"], f"stopped while {step}")
        self._emit({"event": "timing", "timing": {**self.known, "message": message}})

    def end(self, timing: Timing) -> None:
        """All that there will be."""
        self._emit({"event": "timing", "timing": timing})


def run(subject: Subject, emit: Emit, job: Job) -> None:
    """Measure the first of the given calls."""
    clock, telling = Clock(job, "measure"), _Telling(emit)
    telling.before("the program ran eagerly")
    if job.options.get("fake"):
        telling.end(no_timing("tensors without data cannot be timed"))
        return
    try:
        trial: Trial = apart(lambda: eager_trial(subject), clock.left)
    except isolate.Ended as error:
        telling.end(no_timing(f"without capture: {error}"))
        return
    if trial.error is not None:
        telling.end(no_timing(f"the call fails without capture: {trial.error}"))
        return
    telling.before("looking for breaks")
    try:
        as_it_is: Captured = apart(lambda: captured_trial(subject, trial), clock.left * _LOOK)
    except isolate.Ended as error:
        telling.end(no_timing(f"under TorchDynamo: {error}"))
        return
    variants, more = _variants(subject, trial, as_it_is, job, clock, telling)
    telling.before("Inductor was started")
    keep_memory()
    compiled.prepare()
    compiled.allow_variants(len(variants) + 1)
    with compiled.fresh_cache(), Watch() as watch:
        threads = compiled.use_threads(job.options.get("threads"))
        try:
            timing = _measured(subject, trial, variants, threads, clock, watch, telling)
        except Exception as error:
            timing = no_timing(f"it cannot be compiled: {describe(error)}")
            timing["without"] = [without_of(v, message="the program as it is cannot be compiled") for v in variants]
    timing["message"] = _joined(timing["message"], _FORWARD if trial.grad else "", more)
    telling.end(timing)


def _joined(*messages: str) -> str:
    return "; ".join(message for message in messages if message)


def _variants(
    subject: Subject, trial: Trial, as_it_is: Captured, job: Job, clock: Clock, telling: _Telling
) -> Tuple[List[Variant], str]:
    """What can be measured beside the program as it is, and what is left out."""
    places = places_of(as_it_is.breaks)
    most = int(job.options.get("breaks", BREAKS))
    found: List[Variant] = []
    for place in places[:most]:
        if clock.used > _FIND:
            found.append(Variant([place], "answered", reason="there was no time to look at it: raise it with --budget"))
            continue
        telling.before(f"looking for a way to do without line {place.line}")
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
    telling: _Telling,
) -> Timing:
    telling.before("Inductor compiled something small")
    compiled.warm_up()

    def make(instance: Any) -> Any:
        return compiled.for_timing(instance, trial.captures)

    telling.before("the program was compiled")
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
    telling.known = timing
    contenders, numbers, messages = [eager, as_it_is], {}, {}
    for number in sorted(range(len(variants)), key=lambda n: -len(variants[n].places)):  # all of them together first
        variant = variants[number]
        if not variant.ways:
            continue
        telling.before(f"the program was compiled without {len(variant.places)} of its breaks")
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
