"""Runs with given facts, for what only reads them."""

from __future__ import annotations

from typing import Any

from runtime_probe.simulation import Answer, Branches, Call, Controls, Event, Extent, Frontend, Run, Survey

SOURCE = "def fn(x):\n    if x.sum() > 0:\n        return x * 2\n    return x - 1\n"

CONTROLS: Controls = {
    "decisions": [
        {"path": "m.py", "line": 2, "column": 8, "end_line": 2, "end_column": 19, "text": "x.sum() > 0"},
    ],
    "inputs": [{"name": "as given", "ways": ["True"]}, {"name": "x negated", "ways": ["False"]}],
    "sizes": [{"name": "x.shape[0]", "given": 4, "values": [1, 2, 4, 5]}],
    "numbers": [{"name": "steps", "given": "2", "values": ["1", "2"]}],
    "dtypes": ["float32", "float64"],
    "modes": ["train", "eval"],
    "frontends": ["eager", "trace", "fx", "script", "dynamo", "fullgraph", "export"],
}

SURVEY: Survey = {
    "controls": CONTROLS,
    "source": SOURCE,
    "path": "m.py",
    "entry": "fn",
    "inputs_text": "torch.ones(4)",
}


def call(
    kinds: tuple[str, ...] = (),
    answer: Answer = "right",
    branches: Branches = "none",
    **more: Any,
) -> Call:
    """One call. `kinds`: those of its events."""
    other = branches in ("kept", "lost")
    events: list[Any] = [Event(kind=kind, text=f"{kind} it", line=None, graph=None) for kind in kinds]  # type: ignore[typeddict-item]
    found: Call = {
        "combination": {"inputs": 0, "sizes": [2], "numbers": [1], "dtype": 0, "mode": 0},
        "events": events,
        "answer": answer,
        "difference": "",
        "largest": None,
        "eager": "",
        "got": "",
        "branches": branches,
        "ways": [] if branches == "none" else ["False" if other else "True"],
        "captured_ways": [] if branches == "none" else ["True"],
        "lines": "2,4",
        "missed": "4" if branches == "lost" else "",
        "recompiles": [],
        "limit": False,
        "graphs": 1,
        "breaks": 0,
        "frozen": [],
        "explanation": "",
    }
    found.update(more)  # type: ignore[typeddict-item]
    return found


def run(frontend: Frontend, captured: Extent, *calls: Call, message: str = "", line: int | None = None) -> Run:
    """A run of some calls."""
    return {
        "request": {"frontend": frontend, "calls": [one["combination"] for one in calls]},
        "captured": captured,
        "message": message,
        "line": line,
        "graphs": [],
        "guards": [],
        "breaks": [],
        "symbols": [],
        "code": "",
        "calls": list(calls),
    }
