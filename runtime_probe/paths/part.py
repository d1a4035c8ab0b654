"""The part `paths`: follow the paths that the given inputs do not take, and report what Dynamo does on each.

Options of the job: `paths`, how many at most; `visits`, how often one loop's decision is answered otherwise on a path;
`fake`, to run with tensors that have no data. A path is reported as soon as it was followed, the natural one first; the
last report has no decisions and says so if a limit was met. Forced answers may contradict each other: that a break was
found says that it is there if the decisions can be had, and an exception on a forced path says nothing.
"""

from __future__ import annotations

import contextlib
import functools
import time
import warnings
from typing import Any, Dict, Optional, Set

import torch

from runtime_probe.job import Emit, Job
from runtime_probe.paths.follow import follow
from runtime_probe.paths.scout import scout
from runtime_probe.paths.script import visits_of
from runtime_probe.paths.search import Search, Steps
from runtime_probe.paths.sites import Place
from runtime_probe.subject import Subject

PATHS = 64
VISITS = 3
#: Of the part's time, what one path may take, and what is kept for the end.
_ONE_PATH, _RESERVE = 0.25, 0.05


def run(subject: Subject, emit: Emit, job: Job) -> None:
    """Follow paths until all are known to have been followed, or until a limit."""
    ends = time.monotonic() + job.limits.part * (1 - _RESERVE)
    most = int(job.options.get("paths", PATHS))
    search = Search(int(job.options.get("visits", VISITS)))
    _warm_up()
    visits: Optional[Dict[Place, int]] = None
    guessed: Set[Place] = set()
    steps: Optional[Steps] = ()
    number = 0
    while steps is not None and number < most:
        left = ends - time.monotonic()
        if left <= 0:
            break
        share = left if number == 0 else min(left, max(job.limits.part * _ONE_PATH, 1.0))
        followed = follow(subject, job, steps, visits, share)
        number += 1
        emit({"event": "path", "path": followed.report()})
        scouted = scout(subject, job, followed.taken, guessed, max(1.0, ends - time.monotonic()))
        search.add(steps, followed.taken, scouted)
        if visits is None:
            visits = visits_of(followed.taken)
        steps = search.next()
    if steps is not None:
        _tell_limit(emit, len(search) + 1, number >= most, most)


def _tell_limit(emit: Emit, left: int, counted: bool, most: int) -> None:
    limit = f"limit of {most} paths" if counted else "out of time"
    plural = "s" if left > 1 else ""
    status = f"stopped: {limit}; at least {left} more path{plural} not followed"
    emit({"event": "path", "path": {"decisions": [], "status": status, "breaks": [], "graphs": 0}})


@functools.cache
def _warm_up() -> None:
    """Load what every path needs, before they fork: a graph, a break, an item."""

    def small(x: Any) -> Any:
        if x.sum() > 0:
            return x.sum().item()
        return x

    with warnings.catch_warnings(), contextlib.suppress(Exception):
        warnings.simplefilter("ignore")
        torch.compile(small, backend="eager")(torch.ones(2))
    torch._dynamo.reset()
