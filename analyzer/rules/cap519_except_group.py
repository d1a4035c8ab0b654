"""CAP519: `except*` in captured code."""

from __future__ import annotations

from analyzer.flow.events import Syntax
from analyzer.rule import Bad, Good, Reporter, Rule


class ExceptGroup(Rule):
    """`except*` in captured code.

    ## What it does
    Finds `try` statements with `except*` clauses.

    ## Why it matters
    TorchDynamo does not know their bytecode: the whole function runs eagerly, even if nothing is raised.

    ## Use instead
    `except`.

    ## Fix safety
    No fix is offered.

    ## References
    Registry id GB0082; measured on torch 2.13 with Python 3.11.
    """

    code, name = "CAP519", "except-group"
    outcomes = {
        "trace": "captured",
        "fx": "captured",
        "script": "refused",
        "dynamo": "graph_break",
        "fullgraph": "refused",
        "export": "captured",
    }
    graph_breaks = ("GB0082",)
    examples = [
        Bad(
            """
import torch


def fn(x):
    try:
        raise ExceptionGroup("a", [ValueError()])
    except* ValueError:  # CAP519
        x = x * 2
    return x
""",
            outcomes={"dynamo": "skipped_frame"},
        ),
        Good(
            """
import torch


def fn(x):
    try:
        raise ValueError("a")
    except ValueError:
        x = x * 2
    return x
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
        handlers = getattr(event.node, "handlers", None)
        if handlers and type(event.node).__name__ == "TryStar":
            report(event, "`except*` is not traced", node=handlers[0])
