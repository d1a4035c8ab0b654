"""What kernels take on a GPU that is here, by the profiler. Unverified: written for CUDA, run on none so far."""

from __future__ import annotations

from typing import Any, Callable, Dict

import torch

_WARM, _CALLS = 3, 20


def by_name(call: Callable[[], Any]) -> Dict[str, float]:
    """µs of one call, by the name of the kernel."""
    from torch.profiler import ProfilerActivity, profile

    for _ in range(_WARM):
        call()
    torch.cuda.synchronize()
    with profile(activities=[ProfilerActivity.CUDA]) as profiled:
        for _ in range(_CALLS):
            call()
        torch.cuda.synchronize()
    found: Dict[str, float] = {}
    for event in profiled.key_averages():
        spent = getattr(event, "self_device_time_total", getattr(event, "self_cuda_time_total", 0.0))
        if spent:
            found[event.key] = found.get(event.key, 0.0) + float(spent) / _CALLS
    return found
