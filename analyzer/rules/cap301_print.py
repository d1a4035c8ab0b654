"""CAP301: print in captured code."""

from __future__ import annotations

from collections.abc import Sequence

from analyzer.fixes import offers
from analyzer.fixes.offers import Maker
from analyzer.flow.events import Call
from analyzer.rule import Bad, Good, Reporter
from analyzer.table_rule import TableRule


class PrintInCapturedCode(TableRule):
    """Printing in captured code.

    ## What it does
    Finds `print()` and its like in code that a capture system runs.

    ## Why it matters
    A graph cannot print. torch.compile ends it at the call, prints, and starts another one; in a
    loop the whole function runs eagerly. Traces and FX graphs lose the call.

    ## Use instead
    Print outside of the captured function, or only when eager: `if not torch.compiler.is_compiling(): print(...)`.

    ## Fix safety
    The guard with `is_compiling()` is safe: eager runs print as before, captured ones print nothing.

    ## References
    Registry id GB0059; measured on torch 2.13.
    """

    code, name = "CAP301", "print-in-captured-code"
    effects = frozenset({"print"})
    message = "{} ends the graph: a graph cannot print"
    outcomes = {
        "dynamo": "graph_break",
        "fullgraph": "refused",
        "export": "captured",
        "trace": "captured",
        "fx": "captured",
        "script": "captured",
    }
    graph_breaks = ("GB0059",)
    strict_export = "captured"
    examples = [
        Bad(
            """
import torch


def fn(x):
    y = x * 2
    print("doubled")  # CAP301
    return y + 1
""",
            fixed="""
import torch


def fn(x):
    y = x * 2
    if not torch.compiler.is_compiling():
        print("doubled")
    return y + 1
""",
        ),
        Bad(
            """
import torch


def fn(x):
    for i in range(3):
        x = x * 2
        print("iter", i)  # CAP301
    return x
""",
            fixed="""
import torch


def fn(x):
    for i in range(3):
        x = x * 2
        if not torch.compiler.is_compiling():
            print("iter", i)
    return x
""",
            title="in a loop the whole function runs eagerly",
            outcomes={"dynamo": "skipped_frame"},
        ),
        Bad(
            """
import torch
from torch import nn


class Traced(nn.Module):
    def __init__(self, verbose=True):
        super().__init__()
        self.verbose = verbose
        self.fc = nn.Linear(3, 3)

    def report(self, x):
        if self.verbose:
            print("mean", x.mean())  # CAP301

    def forward(self, x):
        x = self.fc(x)
        self.report(x)
        return x.relu()
""",
            fixed="""
import torch
from torch import nn


class Traced(nn.Module):
    def __init__(self, verbose=True):
        super().__init__()
        self.verbose = verbose
        self.fc = nn.Linear(3, 3)

    def report(self, x):
        if not torch.compiler.is_compiling() and self.verbose:
            print("mean", x.mean())

    def forward(self, x):
        x = self.fc(x)
        self.report(x)
        return x.relu()
""",
            title="in a helper, behind a flag that is on",
            entry="Traced()",
        ),
        Bad(
            """
import torch


def fn(x):
    try:
        y = x * 2
        print("try")  # CAP301
    except ValueError:
        y = x
    return y + 1
""",
            fixed="""
import torch


def fn(x):
    try:
        y = x * 2
        if not torch.compiler.is_compiling():
            print("try")
    except ValueError:
        y = x
    return y + 1
""",
            title="in a `try` the rest of the function runs eagerly",
            outcomes={"dynamo": "skipped_frame", "script": "unknown"},
        ),
        Good(
            """
import torch


def fn(x):
    if not torch.compiler.is_compiling():
        print("eager")
    return x + 1
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

VERBOSE = False


def fn(x):
    if VERBOSE:
        print("x", x)
    return x * 2
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
import torch


@torch.compiler.disable
def report(x):
    print("mean", x.mean())


def fn(x):
    text = f"mean {x.mean()}"
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

    def fixes(self, event: Call, report: Reporter) -> Sequence[Maker]:
        return offers.after(offers.guard(report, event.node, tells=True), report, event, "prints")
