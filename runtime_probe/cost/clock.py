"""What a block of calls takes."""

from __future__ import annotations

import time
from typing import Any, Callable, Iterable, Optional, Tuple

import torch

Calls = Iterable[Tuple[Tuple[Any, ...], Any]]
#: Done in front of every call, off the clock.
Before = Optional[Callable[[], None]]
WALL, EVENTS = "wall", "cuda events"


def run(function: Callable[..., Any], calls: Calls) -> None:
    """Make the calls; results are dropped at once."""
    for args, kwargs in calls:
        function(*args, **kwargs)


def wall(function: Callable[..., Any], calls: Calls, before: Before = None) -> Tuple[float, float]:
    """Seconds on the wall's clock, and those that the processors of this process worked."""
    if before is not None:
        return _wall_each(function, calls, before)
    cpu, began = time.process_time(), time.perf_counter()
    run(function, calls)
    took = time.perf_counter() - began
    return took, time.process_time() - cpu


def events(function: Callable[..., Any], calls: Calls, before: Before = None) -> Tuple[float, float]:
    """Seconds between two events of the GPU's stream, before and behind the calls, and those of the processors."""
    if before is not None:
        return _events_each(function, calls, before)
    start, end = _event(), _event()
    torch.cuda.synchronize()
    cpu = time.process_time()
    start.record()
    run(function, calls)
    end.record()
    cpu = time.process_time() - cpu
    torch.cuda.synchronize()
    return start.elapsed_time(end) / 1e3, cpu


def _wall_each(function: Callable[..., Any], calls: Calls, before: Callable[[], None]) -> Tuple[float, float]:
    took = worked = 0.0
    for args, kwargs in calls:
        before()
        cpu, began = time.process_time(), time.perf_counter()
        function(*args, **kwargs)
        took += time.perf_counter() - began
        worked += time.process_time() - cpu
    return took, worked


def _events_each(function: Callable[..., Any], calls: Calls, before: Callable[[], None]) -> Tuple[float, float]:
    pairs, worked = [], 0.0
    torch.cuda.synchronize()
    for args, kwargs in calls:
        before()
        start, end = _event(), _event()
        cpu = time.process_time()
        start.record()
        function(*args, **kwargs)
        end.record()
        worked += time.process_time() - cpu
        pairs.append((start, end))
    torch.cuda.synchronize()
    return sum(start.elapsed_time(end) for start, end in pairs) / 1e3, worked


def _event() -> Any:
    return torch.cuda.Event(enable_timing=True)  # type: ignore[no-untyped-call]
