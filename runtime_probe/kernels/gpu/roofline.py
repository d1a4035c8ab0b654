"""A prediction of the time that a kernel takes on a device: the slower of moving its bytes and doing its operations,
and never less than its launch takes."""

from __future__ import annotations

from typing import Iterable

from runtime_probe.kernels.eager import Op
from runtime_probe.kernels.gpu.devices import Device


def on_device(device: Device, moved: int, flops: int, dtype: str) -> float:
    """µs that the device itself is busy."""
    moving = moved / (device.bandwidth * 1e9 * device.reached_bandwidth)
    computing = flops / (device.peak(dtype) * 1e12 * device.reached_flops)
    return max(moving, computing) * 1e6


def of_kernel(device: Device, launches: int, moved: int, flops: int, dtype: str) -> float:
    """µs of all launches of a generated kernel; bytes and operations are those of all launches."""
    return max(on_device(device, moved, flops, dtype), launches * device.launch_compiled)


def of_eager(device: Device, ops: Iterable[Op]) -> float:
    """µs of operations that are launched one by one."""
    return sum(max(on_device(device, op.bytes, op.flops, op.dtype), device.launch_eager) for op in ops)
