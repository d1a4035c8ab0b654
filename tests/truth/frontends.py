"""Judge one program under one frontend and say in the project's words what became of it.

The calls are run, compared and blamed by the capture matrix of `runtime_probe`; what Dynamo does is heard here by other
means than the probe's, so that a deaf spot of one shows against the other.
"""

from __future__ import annotations

import collections
import functools
import inspect
import os
import re
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from runtime_probe.compare import difference
from runtime_probe.job import describe
from runtime_probe.matrix import isolate
from runtime_probe.matrix.blame import Place, raised_at
from runtime_probe.matrix.fullgraph import LIMIT_HIT, compiled
from runtime_probe.matrix.judge import Judged, weigh
from runtime_probe.matrix.reference import Ran, Reference, wrong_state
from runtime_probe.matrix.verdicts import JUDGES, judged_by
from runtime_probe.subject import ExpressionSubject, LoadedFile, same_file
from tests.truth import dynamo_log, triton_kernels

MODULE = "judged_program"
SECONDS = 120.0
_ID = re.compile(r"\bGB\d+\b")


@dataclass
class Verdict:
    """What a frontend did with a program. `lines`: where, innermost first. `lost`: changes of state that it dropped."""

    outcome: str
    message: str = ""
    lines: list[int] = field(default_factory=list)
    ids: list[str] = field(default_factory=list)
    breaks: list[dict[str, Any]] = field(default_factory=list)
    skipped: list[dict[str, Any]] = field(default_factory=list)
    recompiles: int = 0
    graphs: int = 0
    lost: list[str] = field(default_factory=list)
    bad_calls: list[dict[str, Any]] = field(default_factory=list)


@dataclass
class Task:
    """One program with its calls: `calls[0]` captures, the others come later."""

    path: str
    entry: str
    calls: Sequence[str]
    other: str = ""  #: a second version of the program, for `same`

    @functools.cached_property
    def file(self) -> LoadedFile:
        return LoadedFile(self.path, MODULE)

    def load(self, file: LoadedFile | None = None, again: bool = True) -> ExpressionSubject:
        """The program with its calls, and the first `again`: what changes from call to call shows there."""
        calls = [*self.calls, self.calls[0]] if again else self.calls
        return ExpressionSubject(file or self.file, self.entry, calls)


def judge(task: Task, frontends: Sequence[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The verdict on one program under each frontend, as plain data. Expects a process of its own, in which the program
    is loaded once; each frontend has a fork of it."""
    warnings.simplefilter("ignore")
    references: dict[bool, Reference] = {}
    for frontend in frontends:
        yield frontend, asdict(_judge(task, frontend, references))


def _judge(task: Task, frontend: str, references: dict[bool, Reference]) -> Verdict:
    if frontend in ("triton", "same"):  # what there is to load is part of their verdict
        return _forked(lambda: _triton(task) if frontend == "triton" else _same(task))
    if frontend not in ("dynamo", *JUDGES):
        return Verdict("unknown", f"{frontend} cannot be judged on a machine without a GPU")
    again = frontend != "fullgraph"  # where it might count as a recompilation
    try:
        subject = task.load(again=again)
    except Exception as error:
        refused = frontend == "script" and "torch/jit" in _files_of(error)
        message = describe(error) if refused else f"the program does not load: {describe(error)}"
        return Verdict("refused" if refused else "unknown", message, _lines(raised_at(error, task.path), task))
    if again not in references:
        references[again] = Reference.of(subject)
    reference = references[again]
    if frontend == "dynamo" and reference.failed is None:
        return _forked(lambda: _dynamo(task, subject, reference))
    asked = {"dynamo": "trace", "export": "nonstrict"}.get(frontend, frontend)
    return _verdict(task, judged_by(asked, subject, reference))


def _forked(work: Callable[[], Verdict]) -> Verdict:
    try:
        return isolate.answer_of(work, SECONDS)  # type: ignore[no-any-return]
    except isolate.Ended as error:
        return Verdict("unknown", str(error))


def _verdict(task: Task, judged: Judged) -> Verdict:
    """A verdict of the capture matrix in the judge's form."""
    verdict = Verdict(judged.outcome, judged.message, _lines(judged.place, task), _ID.findall(judged.message))
    if judged.lost is not None:
        verdict.lost = [judged.message]
    elif judged.wrong is not None:
        verdict.bad_calls = [{"call": judged.wrong.call, "kind": judged.wrong.kind, "text": judged.wrong.text}]
    return verdict


def _lines(place: Place | None, task: Task) -> list[int]:
    return [place[1]] if place is not None and same_file(place[0], task.path) else []


def _files_of(error: BaseException) -> str:
    names, step = [], error.__traceback__
    while step is not None:
        names.append(step.tb_frame.f_code.co_filename)
        step = step.tb_next
    return " ".join(names)


# TorchDynamo


def _dynamo(task: Task, subject: ExpressionSubject, reference: Reference) -> Verdict:
    log = dynamo_log.Listener(task.path).install()
    instance = subject.fresh()
    before = instance.state()
    function = compiled(instance, reference)
    given = len(task.calls)
    got = [Ran.of(instance.call(function, n, n), task.path) for n in range(given)]
    breaks, skipped, graphs = list(log.breaks), list(log.skipped), log.graphs
    reasons, limit = list(log.recompiles), log.limit
    got.append(Ran.of(instance.call(function, given, given), task.path))
    judged = weigh(subject, reference, got)
    lost = wrong_state(reference, before, instance, function)
    verdict = _verdict(task, judged)
    verdict.recompiles = max(collections.Counter(r["frame"] for r in reasons).values(), default=0)
    verdict.graphs = graphs
    verdict.breaks = [asdict(b) for b in breaks]
    verdict.skipped = [s for s in skipped if not s["harmless"]]
    verdict.lost = [lost[1]] if lost is not None else []
    if judged.outcome == "refused" and any(word in judged.message for word in LIMIT_HIT):
        verdict.outcome = "recompiles"
    if judged.outcome != "captured":
        return verdict
    for kind, chosen in (("skipped_frame", [b for b in breaks if b.skips]), ("graph_break", breaks)):
        if chosen:
            verdict.lines = [b.lines[0] for b in chosen if b.lines]
            verdict.ids = list(dict.fromkeys(i for b in chosen for i in b.ids))
            return _worst(verdict, kind, chosen[0].reason)
    if verdict.lost:
        return _worst(verdict, "silently_wrong", f"state: {verdict.lost[0]}")
    verdict.lines = _guard_lines(reasons, task.path)
    if verdict.recompiles > 1 or limit:
        return _worst(verdict, "recompiles", reasons[0]["reason"] if reasons else "")
    if verdict.recompiles == 1:
        return _worst(verdict, "guarded", reasons[0]["reason"])
    return verdict


def _guard_lines(reasons: list[dict[str, Any]], path: str) -> list[int]:
    """Lines of the program that failing guards name; torch cuts long paths short."""
    name = re.escape(os.path.basename(path))
    found = [int(n) for r in reasons for n in re.findall(rf"\b{name}(?::|\", line )(\d+)", r["reason"])]
    return list(dict.fromkeys(found))


def _worst(verdict: Verdict, outcome: str, message: str) -> Verdict:
    verdict.outcome, verdict.message = outcome, " ".join(message.split())[:600]
    return verdict


# Two versions of a program


def _same(task: Task) -> Verdict:
    """`captured` if the other version computes the same without capture, else `silently_wrong`."""
    try:
        subject = task.load()
        first = Reference.of(subject)
        second = Reference.of(task.load(LoadedFile(task.other, MODULE)))
    except Exception as error:
        return Verdict("refused", describe(error), _lines(raised_at(error, task.path), task))
    if not first.calls or not second.calls:
        return Verdict("refused", first.failed or second.failed or "")
    judged = weigh(subject, first, second.calls)
    if judged.outcome == "captured":
        lost = difference(first.state, {k: second.state.get(k) for k in first.state}, "state")
        return Verdict("silently_wrong", lost) if lost else Verdict("captured")
    bad = {"call": 0, "kind": "wrong", "text": judged.message}
    return Verdict("silently_wrong", judged.message, bad_calls=[bad])


# Triton


def _triton(task: Task) -> Verdict:
    """Kernels are compiled; an entry that is a plain function is called as well: it launches them, up to the driver."""
    try:
        program = task.load().fresh()
    except Exception as error:
        return Verdict("refused", describe(error), _lines(raised_at(error, task.path), task))
    kernels = triton_kernels.kernels_of(program)
    for kernel, signature, constants in kernels:
        failure = triton_kernels.compile_kernel(kernel, signature, constants)
        if failure is not None:
            return Verdict("refused", failure.message, failure.lines)
    if inspect.isfunction(program.function):
        launched = program.call(program.function, 0)
        if launched.error is not None and "active drivers" not in launched.text:
            lines = _lines(raised_at(launched.error, task.path), task)
            return Verdict("refused" if lines else "unknown", launched.text, lines)
    return Verdict("captured", graphs=len(kernels)) if kernels else Verdict("unknown", "no kernel found")
