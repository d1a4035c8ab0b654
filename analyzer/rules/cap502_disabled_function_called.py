"""CAP502: a function that torch.compile is told to leave alone, called in captured code."""

from __future__ import annotations

from analyzer.flow.events import Call
from analyzer.rule import Bad, Good, Reporter, Rule


class DisabledFunctionCalled(Rule):
    """A function that torch.compile is told to leave alone, called in captured code.

    ## What it does
    Finds calls of functions and modules under `torch.compiler.disable`, and of `torch._dynamo.graph_break()`.

    ## Why it matters
    Each call ends the graph and starts another one after it; in a loop the whole function runs
    eagerly, and `fullgraph=True` refuses. The break is wanted, but it is a break.

    ## Use instead
    Call it before or after the captured function, or make it a custom operator (`torch.library.custom_op`).

    ## Fix safety
    No fix is offered.

    ## References
    Registry ids GB0098, GB0099 and GB0025; measured on torch 2.13.
    """

    code, name = "CAP502", "disabled-function-called"
    calls = ("torch.compiler.disable.", "torch._dynamo.")
    outcomes = {
        "trace": "captured",
        "fx": "captured",
        "script": "captured",
        "dynamo": "graph_break",
        "fullgraph": "refused",
        "export": "captured",
    }
    graph_breaks = ("GB0098", "GB0099", "GB0025")
    examples = [
        Bad(
            """
import torch


@torch.compiler.disable
def describe(x):
    return x.mean() * 2


def fn(x):
    y = x.sin()
    return y + describe(y)  # CAP502
""",
        ),
        Bad(
            """
import torch
from torch import nn


class Block(nn.Module):
    @torch.compiler.disable
    def eager(self, x):
        return x + 1

    def forward(self, x):
        for _ in range(2):
            x = self.eager(x.sin())  # CAP502
        return x
""",
            title="in a loop the whole forward runs eagerly",
            entry="Block()",
            outcomes={"dynamo": "skipped_frame"},
        ),
        Bad(
            """
import torch


def fn(x):
    y = x.sin()
    torch._dynamo.graph_break()  # CAP502
    return y + 1
""",
        ),
        Good(
            """
import torch


@torch.no_grad()
def describe(x):
    return x.mean() * 2


def fn(x):
    return x + describe(x)
""",
            outcomes={
                "dynamo": "captured",
                "fullgraph": "captured",
                "trace": "captured",
                "fx": "captured",
                "script": "captured",
                "export": "captured",
            },
        ),
        Good(
            """
import torch


@torch.compiler.disable
def describe(x):
    return x.mean() * 2


def fn(x):
    if not torch.compiler.is_compiling():
        describe(x)
    return x * 2
""",
            outcomes={
                "dynamo": "captured",
                "fullgraph": "captured",
                "trace": "captured",
                "fx": "captured",
                "script": "captured",
                "export": "captured",
            },
        ),
    ]

    def on_call(self, event: Call, report: Reporter) -> None:
        if event.name == "torch.compiler.disable.__call__":
            report(event, "a disabled function ends the graph", graph_breaks=("GB0098", "GB0099"))
        elif event.name in ("torch._dynamo.graph_break", "torch._dynamo.decorators.graph_break"):
            report(event, "graph_break() ends the graph", graph_breaks=("GB0025",))
