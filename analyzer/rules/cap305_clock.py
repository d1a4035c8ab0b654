"""CAP305: clocks in captured code."""

from __future__ import annotations

from analyzer.rule import Bad, Good
from analyzer.table_rule import TableRule


class ClockInCapturedCode(TableRule):
    """Clocks in captured code.

    ## What it does
    Finds calls that read a clock or sleep.

    ## Why it matters
    torch.compile ends the graph at the call. A trace or an FX graph keeps the moment of the capture
    for ever, so that what is computed from it is wrong later.

    ## Use instead
    Measure around the captured function (with `torch.cuda.Event` or a profiler on a GPU).

    ## Fix safety
    No fix is offered.

    ## References
    Registry ids GB0007, GB0156; measured on torch 2.13.
    """

    code, name = "CAP305", "clock-in-captured-code"
    effects = frozenset({"time"})
    freezes = True
    message = "{} ends the graph; a trace keeps the moment of the capture"
    outcomes = {
        "dynamo": "graph_break",
        "fullgraph": "refused",
        "export": "silently_wrong",
        "trace": "silently_wrong",
        "fx": "silently_wrong",
        "script": "refused",
    }
    graph_breaks = ("GB0007", "GB0156", "GB0808")
    examples = [
        Bad(
            """
import time

import torch


def fn(x):
    return x * 0.0 + time.perf_counter()  # CAP305
""",
            variants=("torch.ones(3)",),
        ),
        Bad(
            """
import time

import torch
from torch import nn


class Timed(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)

    def forward(self, x):
        begin = time.time()  # CAP305
        y = self.fc(x)
        return y.relu(), y.sum() * 0 + (time.time() - begin)  # CAP305
""",
            entry="Timed()",
        ),
        Bad(
            """
import datetime

import torch


def fn(x):
    hour = datetime.datetime.now().microsecond  # CAP305
    return x + hour
""",
        ),
        Bad(
            """
import time

import torch


def fn(x):
    y = x * 2
    time.sleep(0.001)  # CAP305
    return y + 1
""",
            fixed="""
import time

import torch


def fn(x):
    y = x * 2
    if not torch.compiler.is_compiling():
        time.sleep(0.001)
    return y + 1
""",
            title="waiting",
            outcomes={"trace": "captured", "fx": "captured", "export": "captured"},
        ),
        Good(
            """
import time

import torch

START = time.perf_counter()


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
        Good(
            """
import datetime

import torch


def fn(x, begin: datetime.timedelta = datetime.timedelta(seconds=2)):
    return x * 2
""",
            outcomes={
                "dynamo": "captured",
                "fullgraph": "captured",
                "trace": "captured",
                "fx": "refused",
                "script": "refused",
                "export": "captured",
            },
        ),
    ]
