"""The table of GPUs that can be a target, with the source of each figure beside it."""

from __future__ import annotations

import functools
import os
from dataclasses import dataclass
from typing import Dict, List, Optional, Tuple

_TABLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "devices.tsv")
_ANY = "any"
_DTYPES = ("float64", "float32", "bfloat16", "float16")


@dataclass(frozen=True)
class Device:
    """A GPU. `tflops`: dense peak by type; `bandwidth` in GB/s, `launch_*` in µs, `reached_*` as parts of the peak."""

    key: str
    name: str
    capability: Tuple[int, int]
    bandwidth: float
    memory: float
    tflops: Dict[str, float]
    processors: int
    cache: int
    shared: int
    threads: int
    reached_bandwidth: float
    reached_flops: float
    launch_eager: float
    launch_compiled: float

    def peak(self, dtype: str) -> float:
        """Dense TFLOPS of a type; those of float32 for one that is not in the table."""
        return self.tflops.get(dtype, self.tflops["float32"])


@functools.cache
def _figures() -> Dict[str, Dict[str, str]]:
    found: Dict[str, Dict[str, str]] = {}
    with open(_TABLE, encoding="utf-8") as file:
        for line in file:
            if line.strip() and not line.startswith("#"):
                device, figure, value = line.split("\t")[:3]
                found.setdefault(device, {})[figure] = value
    return found


def known() -> List[str]:
    """The targets of the table."""
    return [key for key in _figures() if key != _ANY]


def lookup(key: str) -> Device:
    """A target by its name in the table; raises KeyError."""
    table = _figures()
    if key == _ANY:
        raise KeyError(key)
    own, shared = table[key], table[_ANY]
    major, _, minor = own["capability"].partition(".")
    return Device(
        key=key,
        name=own["name"],
        capability=(int(major), int(minor)),
        bandwidth=float(own["bandwidth"]),
        memory=float(own["memory"]),
        tflops={dtype: float(own[dtype]) for dtype in _DTYPES},
        processors=int(own["processors"]),
        cache=int(own["cache"]) << 20,
        shared=int(own["shared"]) << 10,
        threads=int(own["threads"]),
        reached_bandwidth=float(shared["reached_bandwidth"]),
        reached_flops=float(shared["reached_flops"]),
        launch_eager=float(shared["launch_eager"]),
        launch_compiled=float(shared["launch_compiled"]),
    )


def here() -> Optional[Device]:
    """The row of the GPU that programs run on; none for one that is not in the table."""
    import torch

    key = key_of(torch.cuda.get_device_name())
    return lookup(key) if key else None


def key_of(name: str) -> str:
    """The row of the table for the name that CUDA reports; "" if there is none."""
    words = name.upper().replace("-", " ").split()
    return next((key for key in known() if key.upper() in words), "")
