"""Dynamo heard in a test. Imports torch."""

from __future__ import annotations

import inspect
import os
from typing import TYPE_CHECKING, Any

import runtime_probe.inprocess as inprocess
from capture_lsp.testing.explained import explained
from capture_lsp.testing.limits import Limits, exceeded

if TYPE_CHECKING:
    from runtime_probe.report import Entry, Report

Observation = inprocess.Observation


def failure(entry: Entry, limits: Limits, cwd: str) -> str:
    """Why a test fails; empty if it does not."""
    if limits.fullgraph and (unseen := inprocess.unseen_breaks()):
        return f"fullgraph cannot be checked: this torch does not show {', '.join(unseen)}"
    found = exceeded(entry, limits, cwd)
    if not found:
        return ""
    lines = [one.text for one in found]
    if any(one.breaks for one in found):
        lines += ["", explained(entry, cwd)]
    return "\n".join(lines)


def probed(function: Any, calls: tuple[Any, ...], limits: Limits, cwd: str) -> tuple[Report, str]:
    """The report of a function's calls, and why the test fails; empty if it does not."""
    report = inprocess.probe(function, calls, _name(function, cwd))
    return report, failure(report["entries"][0], limits, cwd)


def _name(function: Any, cwd: str) -> str:
    """`model.py::Net` for an instance, `model.py::fn` for a function."""
    named = function if hasattr(function, "__qualname__") else type(function)
    try:
        path = inspect.getsourcefile(inspect.unwrap(named)) or ""
    except TypeError:
        path = ""
    return f"{os.path.relpath(path, cwd).replace(os.sep, '/')}::{named.__qualname__}" if path else named.__qualname__
