"""Entries of the report that the probe itself could not send."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capture_lsp.probe.targets import Target

if TYPE_CHECKING:
    from runtime_probe.report import Entry, EntryStatus


def failed(target: Target, message: str, status: EntryStatus = "failed") -> Entry:
    """A target of which nothing was learned, and why."""
    return {
        "target": target.text,
        "entry": target.entry or "",
        "inputs": list(target.inputs),
        "synthesised": False,
        "status": status,
        "message": message,
        "frames": [],
        "recompiles": [],
        "symbols": [],
        "matrix": {},
        "paths": [],
        "timing": None,
        "settings": None,
        "kernels": None,
        "graph_costs": None,
        "cudagraphs": None,
        "kernel_errors": [],
        "evaluated": {},
        "traced": [],
        "sizes": [],
        "loops": [],
        "output": "",
    }


def complete(entry: Entry) -> Entry:
    """An entry that an earlier release kept, with what it did not ask for yet."""
    empty = failed(Target(entry["target"], ""), "")
    return {**empty, **entry}
