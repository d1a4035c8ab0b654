"""The part `perturb`: capture with the first call, then make it again with one thing changed."""

from __future__ import annotations

from typing import Any, Callable, Dict, Iterator, List, Sequence, Tuple

from runtime_probe.job import Emit, Job
from runtime_probe.matrix import ahead, isolate
from runtime_probe.matrix.perturb.accepted import Plan, plan
from runtime_probe.matrix.perturb.change import Change
from runtime_probe.matrix.perturb.export import sessions_of_export
from runtime_probe.matrix.perturb.once import judge_changes
from runtime_probe.matrix.perturb.recompiling import judge_recompiling
from runtime_probe.matrix.reference import Ran, Reference, reference_of
from runtime_probe.report import Perturbed
from runtime_probe.subject import Subject

FRONTENDS = ("dynamo", "fullgraph", "trace", "fx", "script", "export")

Session = Callable[[isolate.Send], None]


def run(subject: Subject, emit: Emit, job: Job) -> None:
    """One event for each frontend and change that the program itself accepts, unless the frontend refuses to capture.
    `job.options["frontends"]` may name the frontends."""
    seconds = job.limits.part
    reference = reference_of(subject, seconds)
    if reference.failed is not None or reference.calls[0].error is not None:
        return
    found: Plan = plan(subject)
    wanted = job.options.get("frontends") or FRONTENDS
    for frontend in wanted:
        for session in _sessions(frontend, subject, reference, found):
            try:
                for perturbed in isolate.answers_of(session, seconds):
                    emit({"event": "perturbed", "frontend": frontend, "perturbed": perturbed})
            except isolate.Ended as error:
                ended: Perturbed = {"change": "", "outcome": "unknown", "message": str(error)}
                emit({"event": "perturbed", "frontend": frontend, "perturbed": ended})


def _sessions(frontend: str, subject: Subject, reference: Reference, found: Plan) -> Iterator[Session]:
    if frontend in ("dynamo", "fullgraph"):
        fullgraph = frontend == "fullgraph"
        yield lambda send: judge_recompiling(subject, reference, found, fullgraph, send)
    elif frontend == "export":
        yield from sessions_of_export(subject, found)
    else:
        capture = _CAPTURES[frontend]
        yield lambda send: judge_changes(subject, capture, found.changes, send)


_CAPTURES: Dict[str, Callable[[Any], Any]] = {"trace": ahead.trace, "fx": ahead.fx, "script": ahead.script}

Changes = Sequence[Tuple[Change, Ran]]
__all__ = ["FRONTENDS", "Changes", "List", "run"]
