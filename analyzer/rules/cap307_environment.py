"""CAP307: the environment read in captured code."""

from __future__ import annotations

from analyzer.flow.events import Subscript
from analyzer.rule import Bad, Good, Reporter
from analyzer.table_rule import TableRule
from analyzer.values import External


class EnvironmentReadInCapturedCode(TableRule):
    """The environment read in captured code.

    ## What it does
    Finds reads of environment variables and of the process's surroundings.

    ## Why it matters
    torch.compile guards on `os.environ` and recompiles when it changes. torch.jit.trace and torch.fx keep what they saw,
    torch.jit.script refuses.

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
    outcomes = {"dynamo": "guarded", "fullgraph": "guarded", "export": "silently_wrong", "trace": "silently_wrong", "fx": "silently_wrong", "script": "refused"}
    graph_breaks = ()
    examples = [
        Bad(
            """
import os

import torch


def fn(x):
    if os.environ.get("FLAG_X", "0") == "1":  # CAP307
        return x * 10
    return x + 1
""",
            outcomes={"dynamo": "captured", "fullgraph": "captured", "export": "unknown", "trace": "unknown", "fx": "unknown"},
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
            outcomes={"dynamo": "captured", "trace": "captured"},
        ),
    ]

    def on_subscript(self, event: Subscript, report: Reporter) -> None:
        if event.access == "load" and isinstance(event.value, External) and event.value.name == "os.environ":
            report(event, self.message.format("os.environ"), outcomes={**self.claims(report.torch), "export": "unknown"})

