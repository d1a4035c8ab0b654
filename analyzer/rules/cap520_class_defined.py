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
        "export": "unknown",
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
        Good(
            """
import torch


class Cfg:
    k = 2


def fn(x):
    return x * Cfg.k
""",
        ),
    ]

    def on_syntax(self, event: Syntax, report: Reporter) -> None:
        if event.kind == "ClassDef":
            report(event, "a class made in captured code ends the graph")
