"""The verdict of each frontend on the given calls, in forked children, with the line that it is blamed on."""

from __future__ import annotations

import functools
from typing import Callable, Dict

from runtime_probe.matrix import ahead, isolate
from runtime_probe.matrix.blaming import blame
from runtime_probe.matrix.export import export
from runtime_probe.matrix.fullgraph import judge_fullgraph
from runtime_probe.matrix.judge import Judged, judge_ahead
from runtime_probe.matrix.reference import Reference
from runtime_probe.report import Verdict
from runtime_probe.subject import Subject

Judge = Callable[[Subject, Reference], Judged]


def _export(subject: Subject, reference: Reference) -> Judged:
    """Non-strict, the default of torch 2.13, decides; the strict way is told beside it."""
    try:
        strict: Judged = isolate.answer_of(lambda: _exported(subject, reference, strict=True))
    except isolate.Ended as error:
        strict = Judged("unknown", str(error))
    judged = _exported(subject, reference)
    judged.notes.append({"change": "strict=True", "outcome": strict.outcome, "message": strict.message})
    return judged


def _exported(subject: Subject, reference: Reference, strict: bool = False) -> Judged:
    return judge_ahead(subject, reference, functools.partial(export, strict=strict, calls=len(subject.inputs)))


#: `strict` and `nonstrict` are `export` in one way alone.
JUDGES: Dict[str, Judge] = {
    "fullgraph": judge_fullgraph,
    "trace": lambda subject, reference: judge_ahead(subject, reference, ahead.trace),
    "fx": lambda subject, reference: judge_ahead(subject, reference, ahead.fx),
    "script": lambda subject, reference: judge_ahead(subject, reference, ahead.script),
    "export": _export,
    "strict": lambda subject, reference: _exported(subject, reference, strict=True),
    "nonstrict": _exported,
}


def verdict_on(frontend: str, subject: Subject, reference: Reference, seconds: float = 60.0) -> Verdict:
    """The verdict of one frontend. This process stays as it is."""
    return judged_by(frontend, subject, reference, seconds).verdict(subject.inputs)


def judged_by(frontend: str, subject: Subject, reference: Reference, seconds: float = 60.0) -> Judged:
    """The same with what only callers in Python need."""
    if reference.failed is not None:
        refused = frontend == "script" and "torch/jit" in reference.by  # the program scripts while it is made
        message = reference.failed if refused else f"the program fails without capture: {reference.failed}"
        return Judged("refused" if refused else "unknown", message, reference.place)
    try:
        judged: Judged = isolate.answer_of(lambda: JUDGES[frontend](subject, reference), seconds)
    except isolate.Ended as error:
        return Judged("unknown", str(error))
    if judged.outcome == "silently_wrong":
        judged.place = blame(subject, judged, seconds) or judged.place
    return judged
