"""The frontends that capture a program and what can become of one construct under each (DESIGN words)."""

from __future__ import annotations

from typing import Literal

Frontend = Literal["trace", "fx", "script", "dynamo", "fullgraph", "export", "cudagraph", "triton"]
Outcome = Literal[
    "captured",
    "guarded",
    "recompiles",
    "graph_break",
    "skipped_frame",
    "refused",
    "silently_wrong",
    "unknown",
]
Severity = Literal["error", "warning", "info", "hint"]

FRONTENDS: tuple[Frontend, ...] = (
    "trace",
    "fx",
    "script",
    "dynamo",
    "fullgraph",
    "export",
    "cudagraph",
    "triton",
)

#: Outcomes that make a finding visible when one of its roots uses the frontend.
BAD: frozenset[Outcome] = frozenset({"graph_break", "skipped_frame", "refused", "silently_wrong", "recompiles"})

#: Worst first; used to choose a severity and to merge two contexts of the same place.
RANK: tuple[Outcome, ...] = (
    "silently_wrong",
    "skipped_frame",
    "refused",
    "graph_break",
    "recompiles",
    "guarded",
    "captured",
    "unknown",
)

#: Every frontend that runs TorchDynamo's symbolic evaluation.
DYNAMO_FAMILY: frozenset[Frontend] = frozenset({"dynamo", "fullgraph", "export", "cudagraph"})


def worse(first: Outcome, second: Outcome) -> Outcome:
    """The worse of two outcomes of the same construct."""
    return first if RANK.index(first) <= RANK.index(second) else second


#: Outcomes under `fullgraph=True` that a strict torch.export shares.
STRICT: frozenset[Outcome | None] = frozenset({"refused", "captured", "guarded"})


def strictly(export: Outcome, strict: Outcome) -> Outcome:
    """The outcome under a strict torch.export from the ones without `strict` and under Dynamo: where Dynamo refuses, so
    does it; where Dynamo does not, only what is kept as a constant is lost, in both."""
    return strict if "refused" in (export, strict) else export


def severity_of(outcomes: frozenset[Outcome]) -> Severity:
    """Severity of a finding from the outcomes under the frontends in use (DESIGN section 4)."""
    if outcomes & {"silently_wrong", "skipped_frame"}:
        return "error"
    if outcomes & {"graph_break", "refused", "recompiles"}:
        return "warning"
    return "info" if "guarded" in outcomes else "hint"
