"""The part `perturb`: capture with the first call, then make it again with one thing changed."""

from __future__ import annotations

import functools
import gc
from typing import Any, Callable, Dict, Iterator

from runtime_probe.job import Emit, Job
from runtime_probe.matrix import ahead, isolate
from runtime_probe.matrix.perturb.accepted import Plan, plan
from runtime_probe.matrix.perturb.export import sessions_of_export
from runtime_probe.matrix.perturb.frozen import Frozen
from runtime_probe.matrix.perturb.once import judge_changes
from runtime_probe.matrix.perturb.recompiling import judge_recompiling
from runtime_probe.matrix.reference import Reference, reference_of
from runtime_probe.report import Perturbed
from runtime_probe.subject import Subject

FRONTENDS = ("dynamo", "fullgraph", "trace", "fx", "script", "export")

Session = Callable[[isolate.Send], None]


def run(subject: Subject, emit: Emit, job: Job) -> None:
    """One event for each frontend and change that the program itself accepts, unless the frontend refuses to capture.
    The frontends are those that `job.options["frontends"]` names, else those among the job's parts, else all."""
    reference = reference_of(subject, job.limits.part)
    if reference.failed is not None or reference.calls[0].error is not None:
        return
    gc.freeze()  # so that collections in children do not copy pages
    found = plan(subject)
    frozen = Frozen(subject, found)
    beside = [frontend for frontend in FRONTENDS if frontend in job.parts]
    for frontend in job.options.get("frontends") or beside or FRONTENDS:
        for session in _sessions(frontend, subject, reference, found):
            for perturbed in _told(session, job.limits.part):
                if perturbed["outcome"] == "silently_wrong":
                    perturbed["message"] = frozen.with_line(perturbed["change"], perturbed["message"])
                emit({"event": "perturbed", "frontend": frontend, "perturbed": perturbed})


def _told(session: Session, seconds: float) -> Iterator[Perturbed]:
    try:
        yield from isolate.answers_of(session, seconds)
    except isolate.Ended as error:
        yield {"change": "capture", "outcome": "unknown", "message": str(error)}


def _sessions(frontend: str, subject: Subject, reference: Reference, found: Plan) -> Iterator[Session]:
    apart = bool(reference.state or reference.unkept)  # what a call changes must not be seen by the next change
    if frontend in ("dynamo", "fullgraph"):
        yield functools.partial(judge_recompiling, subject, reference, found, frontend == "fullgraph")
    elif frontend == "export":
        yield from sessions_of_export(subject, found, apart)
    else:
        yield functools.partial(judge_changes, subject, _CAPTURES[frontend], found.changes, apart)


_CAPTURES: Dict[str, Callable[[Any], Any]] = {"trace": ahead.trace, "fx": ahead.fx, "script": ahead.script}
