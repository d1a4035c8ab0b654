"""The part `perturb`: what becomes of each capture when its inputs or surroundings change in one way."""

from __future__ import annotations

from runtime_probe.job import Emit, Job
from runtime_probe.subject import Subject


def run(subject: Subject, emit: Emit, job: Job) -> None:
    """Capture with the first call, then make it again with one thing changed."""
