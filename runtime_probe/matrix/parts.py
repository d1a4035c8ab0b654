"""The parts of a probe that belong to the capture matrix."""

from __future__ import annotations

from typing import Callable, Sequence

from runtime_probe.job import Emit, Job
from runtime_probe.matrix.perturb import run as perturb
from runtime_probe.matrix.reference import reference_of
from runtime_probe.matrix.verdicts import verdict_on
from runtime_probe.subject import Subject


def several(frontends: Sequence[str]) -> Callable[[Subject, Emit, Job], None]:
    """A part that gives the verdicts of several frontends: they share the eager reference."""

    def run(subject: Subject, emit: Emit, job: Job) -> None:
        reference = reference_of(subject, job.limits.part)
        for frontend in frontends:
            verdict = verdict_on(frontend, subject, reference, job.limits.part)
            emit({"event": "verdict", "frontend": frontend, "verdict": verdict})

    return run


fullgraph = several(("fullgraph",))
trace = several(("trace",))
fx = several(("fx",))
script = several(("script",))
export = several(("export",))

__all__ = ["export", "fullgraph", "fx", "perturb", "script", "several", "trace"]
