"""CAP306: random numbers of Python in captured code."""

from __future__ import annotations

from analyzer.flow.events import Call
from analyzer.knowledge.tables import Row
from analyzer.outcome import Frontend, Outcome
from analyzer.rule import Bad, Good
from analyzer.table_rule import TableRule

_SEEDS = (
    "torch.manual_seed",
    "torch.random.manual_seed",
    "torch.seed",
    "torch.set_rng_state",
    "torch.random.set_rng_state",
)


class PythonRandomInCapturedCode(TableRule):
    """Random numbers of Python or numpy, and seeding, in captured code.

    ## What it does
    Finds calls into `random`, `numpy.random`, `secrets` and `uuid`, and calls that seed torch's generators.

    ## Why it matters
    torch.compile knows only a few of them (`random.random` of a module-level generator is read once a call, `randint`,
    `uniform`) and ends the graph at the others. A trace or an FX graph keeps the numbers drawn while it was made.

    ## Use instead
    torch's own random operations (`torch.rand`, `torch.randperm`, `torch.randint`), which are part of the graph.

    ## Fix safety
    No fix is offered: the stream of numbers would change.

    ## References
    Registry id GB0007; measured on torch 2.13.
    """

    code, name = "CAP306", "python-random-in-captured-code"
    effects = frozenset({"random"})
    freezes = True
    message = "{} is no operation of the graph; a trace keeps the number drawn"
    outcomes = {
        "dynamo": "graph_break",
        "fullgraph": "refused",
        "export": "silently_wrong",
        "trace": "silently_wrong",
        "fx": "silently_wrong",
        "script": "refused",
    }
    graph_breaks = ("GB0007", "GB0156", "GB0008", "GB0033")
    examples = [
        Bad(
            """
import random

import torch


def fn(x):
    return x * random.choice([1, 2, 3, 4, 5, 6, 7, 8])  # CAP306
""",
            variants=("torch.ones(3)", "torch.ones(3)", "torch.ones(3)"),
        ),
        Bad(
            """
import torch


def fn(x):
    torch.manual_seed(0)  # CAP306
    return x + torch.rand(3)
""",
            variants=("torch.ones(3)",),
            outcomes={"fx": "captured", "script": "captured"},
        ),
        Bad(
            """
import random

import torch
from torch import nn


class StochasticDepth(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)

    def forward(self, x):
        y = self.fc(x)
        return x + y * random.random()  # CAP306
""",
            entry="StochasticDepth()",
            variants=("torch.ones(3)",),
        ),
        Bad(
            """
import numpy as np
import torch


def fn(x):
    y = x * 2
    return y + float(np.random.rand())  # CAP306
""",
            variants=("torch.ones(3)",),
        ),
        Good(
            """
import torch


def fn(x):
    return x + torch.rand_like(x) * torch.rand(1)
""",
            outcomes={
                "dynamo": "captured",
                "fullgraph": "captured",
                "trace": "captured",
                "fx": "silently_wrong",
                "script": "captured",
                "export": "captured",
            },
        ),
        Good(
            """
import random

import torch

SCALE = random.random()


def fn(x):
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

    @classmethod
    def speaks_of(cls, name: str) -> bool:
        return name in _SEEDS or name.startswith("numpy.random.") or super().speaks_of(name)

    def wanted(self, event: Call, row: Row, ids: tuple[str, ...]) -> bool:
        return event.name in _SEEDS or super().wanted(event, row, ids) or event.name.startswith("numpy.random.")

    def judged(self, event: Call, row: Row, broken: bool) -> dict[Frontend, Outcome]:
        outcomes = super().judged(event, row, broken)
        if event.name in _SEEDS:
            outcomes.update(
                {"trace": "silently_wrong", "export": "silently_wrong", "fx": "captured", "script": "captured"}
            )
        elif row.effect == "random" and outcomes["dynamo"] == "graph_break" and event.name.endswith("shuffle"):
            outcomes.update({"trace": "silently_wrong", "fx": "silently_wrong", "export": "silently_wrong"})
        elif event.name.startswith("numpy.random."):
            outcomes.update(
                {"trace": "silently_wrong", "fx": "silently_wrong", "export": "silently_wrong", "script": "refused"}
            )
        return outcomes
