"""CAP527: an augmented assignment to an attribute that holds an `nn.Buffer`."""

from __future__ import annotations

import ast

from analyzer.flow.events import StateChange
from analyzer.project import dotted
from analyzer.rule import Bad, Good, Reporter, Rule
from analyzer.values import Tensor


class BufferObjectAugmented(Rule):
    """An augmented assignment to an attribute that holds an `nn.Buffer`.

    ## What it does
    Finds `self.steps += 1` (and `-=`, `*=`, …) where `self.steps` was made with `torch.nn.Buffer(…)`. Tensors given to
    `register_buffer` are left alone.

    ## Why it matters
    TorchDynamo has no rule for the augmented assignment of a `Buffer` object and ends the graph there.

    ## Use instead
    `self.steps.add_(1)`, or `self.steps = self.steps + 1`.

    ## Fix safety
    No fix is offered.

    ## References
    Registry id GB4841; measured on torch 2.13.
    """

    code, name = "CAP527", "buffer-object-augmented"
    outcomes = {"dynamo": "graph_break", "fullgraph": "refused", "trace": "captured", "export": "captured"}
    graph_breaks = ("GB4841",)
    examples = [
        Bad(
            """
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.steps = nn.Buffer(torch.zeros(3))

    def forward(self, x):
        y = x.sin()
        self.steps += 1  # CAP527
        return y + self.steps
""",
            entry="Net()",
            variants=("torch.ones(3)",),
        ),
        Bad(
            """
import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.mean = torch.nn.Buffer(torch.zeros(3))

    def forward(self, x):
        y = x.sin()
        self.mean *= 0.9  # CAP527
        return y + self.mean
""",
            entry="Net()",
        ),
        Good(
            """
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("steps", torch.zeros(3))
        self.mean = nn.Buffer(torch.zeros(3))

    def forward(self, x):
        self.steps += 1
        self.mean.add_(1)
        return x + self.steps + self.mean
""",
            entry="Net()",
            variants=("torch.ones(3)",),
        ),
        Good(
            """
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.mean = nn.Buffer(torch.zeros(3))

    def forward(self, x):
        mean = self.mean
        mean += 1
        self.mean = self.mean + x
        return x + self.mean
""",
            entry="Net()",
            variants=("torch.ones(3)",),
            outcomes={"dynamo": "captured", "fullgraph": "captured"},
        ),
    ]

    def on_state_change(self, event: StateChange, report: Reporter) -> None:
        statement, before = event.statement, event.before
        if event.how != "augment" or event.key is not None or not isinstance(statement, ast.AugAssign):
            return
        if not isinstance(statement.target, ast.Attribute) or isinstance(statement.op, ast.MatMult):
            return
        made = before.why.node if isinstance(before, Tensor) and before.why is not None else None
        if isinstance(made, ast.Call) and (dotted(made.func) or "").endswith("Buffer"):
            report(event, "Dynamo cannot augment an nn.Buffer object: the graph ends here", value=before)
