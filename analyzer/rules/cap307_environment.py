"""CAP307: the environment read in captured code."""

from __future__ import annotations

from analyzer.flow.events import Call, Subscript
from analyzer.knowledge.tables import Row
from analyzer.outcome import Frontend, Outcome
from analyzer.rule import Bad, Good, Reporter
from analyzer.table_rule import TableRule
from analyzer.values import External


class EnvironmentReadInCapturedCode(TableRule):
    """The environment read in captured code.

    ## What it does
    Finds reads of environment variables and of the process's surroundings.

    ## Why it matters
    torch.compile guards on `os.environ` and recompiles when it changes; `os.getenv` it reads once,
    without a guard. torch.jit.trace and torch.fx keep what they saw, torch.jit.script refuses.

    ## Use instead
    Read it once, outside: in `__init__` or at module level.

    ## Fix safety
    No fix is offered.

    ## References
    Measured on torch 2.13.
    """

    code, name = "CAP307", "environment-read-in-captured-code"
    effects = frozenset({"env"})
    freezes = True
    message = "a trace keeps what {} gives while it is made"
    outcomes = {
        "dynamo": "guarded",
        "fullgraph": "guarded",
        "export": "silently_wrong",
        "trace": "silently_wrong",
        "fx": "silently_wrong",
        "script": "refused",
    }
    graph_breaks = ()
    examples = [
        Bad(
            """
import os

import torch


def fn(x):
    os.environ["MODE"] = "fast"  # CAP307
    return x + 1
""",
            title="the environment is set",
            outcomes={
                "dynamo": "graph_break",
                "fullgraph": "refused",
                "trace": "captured",
                "fx": "captured",
                "export": "captured",
            },
        ),
        Bad(
            """
import os

import torch


def fn(x):
    if os.environ.get("FLAG_X", "0") == "1":  # CAP307
        return x * 10
    return x + 1
""",
            inputs="(os.environ.update(FLAG_X='0'), torch.ones(3))[1]",
            variants=("(os.environ.update(FLAG_X='1'), torch.ones(3))[1]",),
        ),
        Bad(
            """
import os

import torch
from torch import nn


class Switch(nn.Module):
    def forward(self, x):
        x = x + 1
        if os.getenv("FLAG_Y") == "1":  # CAP307
            x = x * 2
        return x
""",
            entry="Switch()",
            inputs="(os.environ.update(FLAG_Y='0'), torch.ones(3))[1]",
            variants=("(os.environ.update(FLAG_Y='1'), torch.ones(3))[1]",),
            outcomes={"dynamo": "unknown", "fullgraph": "unknown"},
        ),
        Bad(
            """
import os

import torch

os.environ["LEVEL_Z"] = "2"


def fn(x):
    return x * int(os.environ["LEVEL_Z"])  # CAP307
""",
            inputs="(os.environ.update(LEVEL_Z='2'), torch.ones(3))[1]",
            variants=("(os.environ.update(LEVEL_Z='3'), torch.ones(3))[1]",),
        ),
        Good(
            """
import os

import torch

FLAG = os.environ.get("FLAG_X", "0") == "1"


def fn(x):
    if FLAG:
        return x * 10
    return x + 1
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


def fn(x):
    return x * len(os.sep)
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

    def judged(self, event: Call, row: Row, broken: bool) -> dict[Frontend, Outcome]:
        outcomes = super().judged(event, row, broken)
        if not broken and event.name.startswith("os.environ."):
            outcomes.update({"dynamo": "guarded", "fullgraph": "guarded"})
        return outcomes

    def on_subscript(self, event: Subscript, report: Reporter) -> None:
        if event.access == "load" and isinstance(event.value, External) and event.value.name == "os.environ":
            report(event, self.message.format("os.environ"), outcomes=self.claims(report.torch))
        elif event.access == "store" and isinstance(event.value, External) and event.value.name == "os.environ":
            outcomes: dict[Frontend, Outcome] = {
                "dynamo": "graph_break",
                "fullgraph": "refused",
                "script": "refused",
                "trace": "captured",
                "fx": "captured",
                "export": "captured",
            }
            report(event, "the environment is set: the graph ends", outcomes=outcomes, graph_breaks=("GB0007",))
