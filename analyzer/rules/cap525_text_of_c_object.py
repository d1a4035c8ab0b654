"""CAP525: `str()` of an object whose text is made in C, in captured code."""

from __future__ import annotations

from analyzer.flow.events import Call
from analyzer.rule import Bad, Good, Reporter, Rule
from analyzer.values import Instance

_TYPES = frozenset(f"datetime.{n}" for n in ("date", "datetime", "time", "timedelta", "timezone")) | {"decimal.Decimal"}


class TextOfCObject(Rule):
    """`str()` of an object whose text is made in C, in captured code.

    ## What it does
    Finds `str()` of dates, times, decimals and their like.

    ## Why it matters
    TorchDynamo calls `__str__` methods that are Python functions: for one in C the graph ends there.

    ## Use instead
    Make the text outside of the captured function.

    ## Fix safety
    No fix is offered.

    ## References
    Registry id GB0005; measured on torch 2.13.
    """

    code, name = "CAP525", "text-of-c-object"
    calls = ("builtins.str",)
    outcomes = {
        "trace": "captured",
        "fx": "captured",
        "script": "refused",
        "dynamo": "graph_break",
        "fullgraph": "refused",
        "export": "captured",
    }
    graph_breaks = ("GB0005",)
    examples = [
        Bad(
            """
import datetime

import torch

DAY = datetime.date(2024, 1, 1)


def fn(x):
    y = x.sin()
    label = str(DAY)  # CAP525
    return y + len(label)
""",
        ),
        Bad(
            """
import decimal

import torch
from torch import nn


class Priced(nn.Module):
    def __init__(self):
        super().__init__()
        self.price = decimal.Decimal("1.5")

    def forward(self, x):
        return x * len(str(self.price))  # CAP525
""",
            entry="Priced()",
        ),
        Good(
            """
import datetime

import torch

LABEL = str(datetime.date(2024, 1, 1))


def fn(x):
    return x + len(LABEL) + len(str(x.dim()))
""",
            outcomes={
                "dynamo": "captured",
                "fullgraph": "captured",
                "trace": "captured",
                "fx": "silently_wrong",
                "script": "refused",
                "export": "captured",
            },
        ),
    ]

    def on_call(self, event: Call, report: Reporter) -> None:
        if event.name != "builtins.str" or not event.args:
            return
        value = event.args[0]
        if isinstance(value, Instance) and value.name in _TYPES:
            report(event, f"the text of a {value.name} is made in C", value=value)
