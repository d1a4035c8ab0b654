"""CAP304: files, processes and networks in captured code."""

from __future__ import annotations

from analyzer.dependence import is_proxy
from analyzer.flow.events import Call
from analyzer.knowledge.tables import Row
from analyzer.outcome import Frontend, Outcome
from analyzer.rule import Bad, Good
from analyzer.table_rule import TableRule
from analyzer.values import Const


class InputOutputInCapturedCode(TableRule):
    """Files, processes, threads and networks in captured code.

    ## What it does
    Finds calls that open, read or write files, start processes or threads, or use a network.

    ## Why it matters
    They are no tensor operations: torch.compile ends the graph there, the other frontends refuse them or leave them out
    of the graph.

    ## Use instead
    Do it before or after the captured function.

    ## Fix safety
    No fix is offered.

    ## References
    Registry ids GB0007, GB0059, GB0156; measured on torch 2.13.
    """

    code, name = "CAP304", "io-in-captured-code"
    effects = frozenset({"io", "network", "process", "thread"})
    message = "{} ends the graph: it is no tensor operation"
    outcomes = {
        "dynamo": "graph_break",
        "fullgraph": "refused",
        "export": "captured",
        "trace": "captured",
        "fx": "captured",
        "script": "refused",
    }
    graph_breaks = ("GB0007", "GB0059", "GB0156", "GB0008", "GB0467")
    examples = [
        Bad(
            """
import os

import torch


def fn(x):
    if os.path.exists("/tmp"):  # CAP304
        return x + 1
    return x
""",
        ),
        Bad(
            """
import torch
from torch import nn


class Dumping(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)

    def forward(self, x):
        x = self.fc(x)
        torch.save(x, "activations.pt")  # CAP304
        return x.relu()
""",
            entry="Dumping()",
            outcomes={"fx": "refused", "script": "captured", "export": "refused"},
        ),
        Bad(
            """
import torch


def fn(x):
    y = x * 2
    file = open("trace.txt", "w")  # CAP304
    file.write("done")
    file.close()
    return y + 1
""",
        ),
        Bad(
            """
import gc

import torch


def tidy():
    gc.collect()  # CAP304


def fn(x):
    y = x * 2
    tidy()
    return y + 1
""",
            fixed="""
import gc

import torch


def tidy():
    if not torch.compiler.is_compiling():
        gc.collect()


def fn(x):
    y = x * 2
    tidy()
    return y + 1
""",
            title="a helper that only tidies",
        ),
        Good(
            """
import os

import torch


def fn(x):
    name = os.path.join("a", "b")
    return x + len(name)
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
import os

import torch

EXISTS = os.path.exists("/tmp")


def fn(x):
    return x + 1 if EXISTS else x
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

    @classmethod
    def speaks_of(cls, name: str) -> bool:
        return name in FILES or super().speaks_of(name)

    def wanted(self, event: Call, row: Row, ids: tuple[str, ...]) -> bool:
        return event.name in FILES or super().wanted(event, row, ids)

    def judged(self, event: Call, row: Row, broken: bool) -> dict[Frontend, Outcome]:
        outcomes = super().judged(event, row, broken)
        target = event.argument(1, "f")
        if event.name in FILES and not (isinstance(target, Const) and isinstance(target.value, str)):
            outcomes["script"] = "refused"  # it can save to a named file
        if event.name in FILES and any(is_proxy(v) for v in event.args):
            outcomes.update({"fx": "refused", "export": "refused"})  # a proxy and a fake tensor have nothing to save
        return outcomes


#: Functions of torch that read or write files.
FILES = frozenset({"torch.save", "torch.load", "torch.jit.save", "torch.jit.load"})
