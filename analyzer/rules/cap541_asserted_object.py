"""CAP541: a bare assert of an object that has no place in a graph."""

from __future__ import annotations

from analyzer.flow.events import TruthTest
from analyzer.rule import Bad, Good, Reporter, Rule


class AssertedObject(Rule):
    """A bare assert of an object that has no place in a graph.

    ## What it does
    Finds `assert value` where `value` is a module, an object of a class of one's own, or a list, tuple or dict that
    holds tensors or such objects.

    ## Why it matters
    TorchDynamo turns a bare assert into an assertion in the graph unless the value is a constant. None of these is a
    constant, and none is a tensor: the whole function runs uncompiled. `if not value: raise ...` is captured.

    ## Use instead
    A test that is a bool: `len(values) > 0`, `value is not None`, `bool(values)`.

    ## Fix safety
    No fix is offered.

    ## References
    Registry ids GB0055 and GB0112; measured on torch 2.13.
    """

    code, name = "CAP541", "asserted-object"
    outcomes = {"dynamo": "skipped_frame", "fullgraph": "refused", "trace": "captured"}
    graph_breaks = ("GB0055", "GB0112")
    examples = [
        Bad(
            """
import torch


def fn(x, y):
    parts = [x.sin(), y.cos()]
    assert parts, "nothing to add"  # CAP541
    return sum(parts)
""",
            inputs="(torch.ones(2), torch.ones(2))",
        ),
        Bad(
            """
import torch


class Scale:
    def __init__(self, by):
        self.by = by


def apply(x, *scales):
    assert scales  # CAP541
    for scale in scales:
        x = x * scale.by
    return x


def fn(x):
    return apply(x, *(Scale(by) for by in (2, 3)))
""",
            title="objects passed as separate arguments",
        ),
        Bad(
            """
import torch
from torch import nn


class Stack(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(3, 3)])
        self.head = nn.Linear(3, 2)

    def forward(self, x):
        assert self.layers  # CAP541
        for layer in self.layers:
            x = layer(x)
        assert x.dim() == 1 and self.head  # CAP541
        return self.head(x)
""",
            entry="Stack()",
            inputs="torch.ones(3)",
            title="modules",
        ),
        Good(
            """
import torch
from torch import nn


class Stack(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(3, 3)])
        self.sizes = [3, 3]

    def forward(self, x):
        assert len(self.layers) > 0
        assert self.sizes
        assert self.layers and self.sizes
        if not self.layers:
            raise ValueError
        return self.layers[0](x)
""",
            entry="Stack()",
            inputs="torch.ones(3)",
            title="numbers, constants, and what is not tested last",
        ),
    ]

    def on_truth_test(self, event: TruthTest, report: Reporter) -> None:
        if event.asserted:
            report(event, f"the graph cannot hold an assertion of {event.asserted}", value=event.value)
