"""The part `measure`: eager against compiled, and against compiled without each break.

Options of the job: `budget`, the seconds that all of it may take; `fixes`, edits of the program's text that do away
with breaks; `threads`; `breaks`, how many lines with breaks are looked at; `processes`, in how many it is measured.
First the variants are found and checked; then everything is compiled and timed in processes, one after the other, which
share Inductor's cache. All of them are forked from here, where one thread runs. Each step is told before it begins, so
that what was stopped says where.
"""

from __future__ import annotations

import time
from typing import Any, Dict, List, Sequence, Tuple

import torch

from runtime_probe.cost import compiled
from runtime_probe.cost.allocator import keep_memory
from runtime_probe.cost.interval import FEWEST_PROCESSES
from runtime_probe.cost.measured import COMPILED, Measured, measured
from runtime_probe.cost.neutral import places_of
from runtime_probe.cost.result import no_timing, timing_of, without_of
from runtime_probe.cost.rounds import MOST_ROUNDS, Samples, tight
from runtime_probe.cost.trial import Captured, Trial, apart, captured_trial, eager_trial
from runtime_probe.cost.variants import Variant, how_many, without, without_all
from runtime_probe.job import Emit, Job, describe
from runtime_probe.matrix import isolate
from runtime_probe.report import Timing
from runtime_probe.subject import Subject

BUDGET = 60.0
#: So many lines with breaks have a row of their own.
BREAKS = 6
#: Processes that measure, if there is time.
PROCESSES = 5
#: Another one is begun if so much of what the last one took is left.
_AGAIN = 0.7
#: Of the budget: for looking for breaks, for finding variants, and until when another variant is compiled.
_LOOK, _FIND, _LAST_COMPILE = 0.5, 0.35, 0.75
#: Of what is left of it: for the race of a process that took long to compile.
_LEAST_RACE = 0.15
_FORWARD = "the forward pass alone: the entry makes no backward pass"
_OTHER = (
    "the program keeps something that cannot be put back: later calls, which do not do what the first does, were timed"
)


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
        self.step = ""

    def before(self, step: str) -> None:
        """A step that may not end."""
        self.step = step
        self._emit({"event": "timing", "timing": self.stopped()})

    def stopped(self) -> Timing:
        """What is known if the last step does not end."""
        return {**self.known, "message": _joined(self.known["message"], f"stopped while {self.step}")}

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
    with compiled.fresh_cache():
        try:
            timing = _measured(subject, trial, variants, job, clock, telling)
        except isolate.OutOfTime:
            timing = telling.stopped()
        except Exception as error:
            why = str(error) if isinstance(error, isolate.Ended) else describe(error)
            what = "it cannot be compiled" if telling.step == COMPILED else f"it failed while {telling.step}"
            timing = no_timing(f"{what}: {why}")
            timing["without"] = [without_of(v, message="the program as it is cannot be compiled") for v in variants]
    notes = [_FORWARD if trial.grad else "", _OTHER if trial.repeats.other else "", more]
    timing["message"] = _joined(timing["message"], *notes)
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
    subject: Subject, trial: Trial, variants: List[Variant], job: Job, clock: Clock, telling: _Telling
) -> Timing:
    """Measure in several processes, one after the other: see `interval`."""
    # All breaks together first: if the time is up before the rest, that is the variant to have.
    order = sorted((n for n, v in enumerate(variants) if v.ways), key=lambda n: -len(variants[n].places))
    measurable = {number: variants[number] for number in order}
    done: List[Measured] = []
    took = 0.0
    most = int(job.options.get("processes", PROCESSES))
    for number in range(most):
        if number and clock.left < took * _AGAIN:
            break
        began = time.monotonic()
        try:
            done.append(_in_a_process(subject, trial, measurable, job, clock, telling, most, number))
        except isolate.Ended:
            if not done:
                raise
            break  # what the others measured stands
        took = time.monotonic() - began
        measurable = {number: measurable[number] for number in done[0].variants}
        telling.known = _timing(trial, variants, done)
        if len(done) >= FEWEST_PROCESSES and tight(_joint(done)[0]):
            break
        if torch.cuda.is_initialized():  # type: ignore[no-untyped-call]
            break  # it was measured in this process
    return _timing(trial, variants, done)


def _in_a_process(
    subject: Subject,
    trial: Trial,
    variants: Dict[int, Variant],
    job: Job,
    clock: Clock,
    telling: _Telling,
    most: int,
    number: int,
) -> Measured:
    """The process `number` of at most `most`."""
    first = number == 0
    ends = time.monotonic() + clock.left / (most - number)

    def work(send: isolate.Send) -> None:
        send(
            measured(
                subject,
                trial,
                variants,
                job.options.get("threads"),
                lambda: max(clock.left * _LEAST_RACE, ends - time.monotonic()),
                MOST_ROUNDS // most,
                lambda: not first or clock.used < _LAST_COMPILE,
                send if first else lambda step: None,
            )
        )

    if torch.cuda.is_initialized():  # type: ignore[no-untyped-call]
        answers: List[Any] = []
        work(answers.append)
    else:
        answers = isolate.answers_of(work, clock.left)  # type: ignore[assignment]
    for answer in answers:
        if isinstance(answer, Measured):
            return answer
        telling.before(answer)
    raise isolate.Ended("the process ended without an answer")


def _joint(done: Sequence[Measured]) -> Tuple[Samples, List[int]]:
    """What all processes measured, and the variants that each of them did."""
    common = [number for number in done[0].variants if all(number in one.variants for one in done)]
    return Samples.joined([one.samples for one in done], [one.programs(common) for one in done]), common


def _timing(trial: Trial, variants: List[Variant], done: Sequence[Measured]) -> Timing:
    samples, common = _joint(done)
    first = done[0]
    timing = timing_of(samples, trial, first.cold, first.guards_us, first.threads)
    timing["without"] = [
        without_of(variant, samples, 2 + common.index(number))
        if number in common
        else without_of(variant, message=first.messages.get(number, ""))
        for number, variant in enumerate(variants)
    ]
    return timing
