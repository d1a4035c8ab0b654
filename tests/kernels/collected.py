"""The kernels of the small programs, collected once in this process for each target."""

from __future__ import annotations

import functools
import pathlib

import torch

from runtime_probe.kernels import inductor
from runtime_probe.kernels.collect import Collector, collecting
from runtime_probe.kernels.gpu import devices
from tests.kernels import program

PATH = pathlib.Path(program.__file__)


@functools.cache
def collected(name: str, gpu: str | None = None) -> Collector:
    """What Inductor makes of a program, for this processor or for a GPU."""
    with inductor.own_caches(), collecting(devices.lookup(gpu) if gpu else None) as found:
        torch.compile(getattr(program, name))(*program.CALLS[name]())
    torch._dynamo.reset()
    assert found.errors() == []
    found.explain_breaks()
    return found


def line(comment: str) -> int:
    """The line of the program that a comment marks."""
    lines = PATH.read_text(encoding="utf-8").splitlines()
    return next(number for number, text in enumerate(lines, 1) if text.endswith("  # " + comment))
