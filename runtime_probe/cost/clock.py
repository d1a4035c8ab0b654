"""What a block of calls takes."""

from __future__ import annotations

import time
from typing import Any, Callable, Iterable, Tuple

import torch

Calls = Iterable[Tuple[Tuple[Any, ...], Any]]
WALL, EVENTS = "wall", "cuda events"


def run(function: Callable[..., Any], calls: Calls) -> None:
    """Make the calls; results are dropped at once."""
    for args, kwargs in calls:
        function(*args, **kwargs)


def wall(function: Callable[..., Any], calls: Calls) -> Tuple[float, float]:
    """Seconds on the wall's clock, and those that the processors of this process worked."""
    cpu, began = time.process_time(), time.perf_counter()
    run(function, calls)
    took = time.perf_counter() - began
    return took, time.process_time() - cpu


def events(function: Callable[..., Any], calls: Calls) -> Tuple[float, float]:
    """Seconds between two events of the GPU's stream, before and behind the calls, and those of the processors."""
    start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))  # type: ignore[no-untyped-call]
    torch.cuda.synchronize()
    cpu = time.process_time()
    start.record()
    run(function, calls)
    end.record()
    cpu = time.process_time() - cpu
    torch.cuda.synchronize()
    return start.elapsed_time(end) / 1e3, cpu
