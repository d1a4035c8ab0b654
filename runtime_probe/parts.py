"""The parts of a probe, by name. Each runs in a process of its own, on a fresh subject."""

from __future__ import annotations

import importlib
from typing import Callable, Dict

from runtime_probe.job import Emit, Job
from runtime_probe.subject import Subject

Part = Callable[[Subject, Emit, Job], None]

#: Where each part's `run` stands, in the order in which they are useful to a reader.
_MODULES: Dict[str, str] = {
    "dynamo": "runtime_probe.dynamo.run:run",
    "fullgraph": "runtime_probe.matrix.parts:fullgraph",
    "trace": "runtime_probe.matrix.parts:trace",
    "fx": "runtime_probe.matrix.parts:fx",
    "script": "runtime_probe.matrix.parts:script",
    "export": "runtime_probe.matrix.parts:export",
    "perturb": "runtime_probe.matrix.parts:perturb",
    "paths": "runtime_probe.paths.part:run",
    "measure": "runtime_probe.cost.part:run",
    "kernels": "runtime_probe.kernels.part:run",
    "settings": "runtime_probe.cost.settings_part:run",
    "simulate": "runtime_probe.simulate.part:run",
}

PARTS = tuple(_MODULES)


def part(name: str) -> Part:
    """The function of a part; raises KeyError for an unknown name."""
    module, _, function = _MODULES[name].partition(":")
    found: Part = getattr(importlib.import_module(module), function)
    return found
