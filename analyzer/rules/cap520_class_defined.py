"""CAP520: a class defined in captured code."""

from __future__ import annotations

from analyzer.flow.events import Syntax
from analyzer.rule import Bad, Good, Reporter, Rule


class ClassDefinedInGraph(Rule):
    """A class defined in captured code.

    ## What it does
    Finds class statements inside of captured functions.

    ## Why it matters
    TorchDynamo does not trace the making of a class: the graph ends there. torch.jit.script refuses it.

    ## Use instead
    Define the class at module level.

    ## Fix safety
    No fix is offered.

    ## References
    Registry id GB8977; measured on torch 2.13.
    """

    code, name = "CAP520", "class-defined-in-graph"
    outcomes = {
        "trace": "captured",
        "fx": "captured",
        "script": "refused",
        "dynamo": "graph_break",
        "fullgraph": "refused",
        "export": "captured",
    }
    graph_breaks = ("GB8977",)
    examples = [
        Bad(
            """
import torch


def fn(x):
    class Cfg:  # CAP520
        k = 2

    return x * Cfg.k
""",
        ),
        Bad(
            """
import torch
from torch import nn


class Outer(nn.Module):
    def helper(self):
        class Shift:  # CAP520
            def __call__(self, t):
                return t + 1

        return Shift()

    def forward(self, x):
        return self.helper()(x * 2)
""",
            entry="Outer()",
        ),
        Good(
            """
import torch


class Cfg:
    k = 2


def fn(x):
    return x * Cfg.k
""",
            outcomes={
                "dynamo": "captured",
                "fullgraph": "captured",
                "trace": "captured",
                "fx": "captured",
                "script": "refused",
                "export": "captured",
            },
        ),
        Good(
            """
import collections

import torch


def fn(x):
    pair = collections.namedtuple("pair", "a b")
    return x * pair(2, 3).b
""",
            outcomes={
                "dynamo": "captured",
                "fullgraph": "captured",
                "trace": "captured",
                "fx": "captured",
                "script": "refused",
                "export": "captured",
            },
        ),
    ]

    def on_syntax(self, event: Syntax, report: Reporter) -> None:
        if event.kind == "ClassDef":
            report(event, "a class made in captured code ends the graph")
