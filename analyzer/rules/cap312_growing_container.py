"""CAP312: a list that outlives the call and grows in captured code."""

from __future__ import annotations

import ast

from analyzer.flow.events import StateChange
from analyzer.outcome import Frontend, Outcome
from analyzer.rule import Bad, Good, Reporter, Rule
from analyzer.state_rule import GROWING, depends_on_itself
from analyzer.values import Map, Seq, Value, is_tainted, options_of


class GrowingContainer(Rule):
    """A list that outlives the call and grows in captured code.

    ## What it does
    Finds `append`, `extend`, `insert` and `+=` on lists and deques that are kept on a module, in a class or in a
    global.

    ## Why it matters
    TorchDynamo guards on the length of a list that it reads, and appending reads it. The length is another one on every
    call: the function is compiled again up to the recompile limit (8) and runs eagerly from then on. The list also
    keeps every tensor alive. torch.jit.trace and torch.fx append once, while capturing, and never again.

    ## Use instead
    Return what is to be collected and append it in the calling code; collect intermediate values with forward hooks
    outside the compiled module; or write into a preallocated buffer. A list that is made anew in every call is fine.

    ## Fix safety
    No fix is offered.

    ## References
    `torch._dynamo.config.recompile_limit`; measured on torch 2.13.
    """

    code, name = "CAP312", "growing-container"
    outcomes = {
        "dynamo": "recompiles",
        "fullgraph": "recompiles",
        "trace": "captured",
        "fx": "captured",
    }
    examples = [
        Bad(
            """
from torch import nn


class Probe(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = []

    def forward(self, x):
        h = x * 2
        self.features.append(h)  # CAP312
        return h.sum()
""",
            entry="Probe()",
            variants=("torch.ones(3)",) * 9,
            outcomes={"trace": "unknown", "fx": "unknown"},
        ),
        Bad(
            """
import torch

LOSSES = []


def fn(x):
    LOSSES.append(x.sum())  # CAP312
    return x * 2
""",
            variants=("torch.ones(3)",) * 9,
            outcomes={"trace": "unknown", "fx": "unknown"},
        ),
        Bad(
            """
from torch import nn


class Window(nn.Module):
    def __init__(self):
        super().__init__()
        self.history = []

    def forward(self, x):
        self.history += [x]  # CAP312
        return sum(self.history)
""",
            entry="Window()",
            variants=("torch.ones(3)",) * 9,
            outcomes={"trace": "silently_wrong", "fx": "silently_wrong"},
        ),
        Good(
            """
from torch import nn


class Probe(nn.Module):
    def forward(self, x):
        self.features = []
        self.features.append(x * 2)
        return self.features[0].sum()
""",
            entry="Probe()",
            variants=("torch.ones(3)",) * 4,
            title="a new list in every call",
        ),
        Good(
            """
import torch


def fn(x):
    parts = []
    for k in range(3):
        parts.append(x * k)
    return torch.stack(parts)
""",
        ),
    ]

    def on_state_change(self, event: StateChange, report: Reporter) -> None:
        if event.lives in ("", "argument") or not _grows(event):
            return
        if event.how == "method" and not is_tainted(event.stored):
            return  # what does not depend on the inputs (a hook's handle) is mostly registered once
        outcomes: dict[Frontend, Outcome] = self.claims(report.torch)
        if event.lives == "closure":
            outcomes["dynamo"] = outcomes["fullgraph"] = "recompiles"
        if event.read_elsewhere:
            outcomes["trace"] = outcomes["fx"] = "silently_wrong"
        report(
            event,
            f"`{event.state}` is longer on every call: recompiles up to the limit, then runs eagerly",
            node=event.statement if event.how == "method" else event.node,
            outcomes=outcomes,
        )


def _grows(event: StateChange) -> bool:
    if event.how == "method":
        return event.method in GROWING and _is_list(event.before)
    if event.how == "augment":
        return (
            isinstance(event.statement, ast.AugAssign)
            and isinstance(event.statement.op, ast.Add)
            and _is_list(event.before)
        )
    value = event.statement.value if isinstance(event.statement, ast.Assign) else None
    adds = isinstance(value, ast.BinOp) and isinstance(value.op, ast.Add)
    return adds and depends_on_itself(event) and _is_list(event.stored)


def _is_list(value: Value | None) -> bool:
    return (
        value is not None
        and any(isinstance(o, Seq) and o.type in ("list", "deque") for o in options_of(value))
        and not isinstance(value, Map)
    )
