"""CAP203: a size becomes a plain Python number."""

from __future__ import annotations

from analyzer.flow.events import ShapeRead
from analyzer.rule import Bad, Good, Reporter, Rule
from analyzer.values import Data, Shape, Tensor

_WORDS = {
    "int": "int() turns a size into a constant of the trace",
    "float": "float() turns a size into a constant of the trace",
    "bool": "bool() turns a size into a constant of the trace",
    "len": "len() turns a size into a constant of the trace",
    "math": "a math function turns a size into a constant of the trace",
    "round": "round() turns a size into a constant of the trace",
    "order": "min() and max() compare sizes while tracing: the trace keeps the one they chose",
    "ctor": "a size put into a new tensor is a constant of the trace",
}
_FX = frozenset({"int", "float", "bool", "len", "ctor", "round", "order"})


class SizeAsNumber(Rule):
    """A size becomes a plain Python number.

    ## What it does
    Finds `len(x)`, `int(x.shape[0])`, `math.floor(x.shape[0] * 0.5)` and sizes put into new tensors.

    ## Why it matters
    Under torch.jit.trace a size is a traced value until Python turns it into a number: from there
    on it is the example's size for every input. torch.fx refuses most of these. torch.compile and torch.export follow
    them.

    ## Use instead
    `x.shape[0]` and `x.size(0)` themselves, integer arithmetic (`//`), and factories that take sizes.

    ## Fix safety
    No fix is offered.

    ## References
    Measured on torch 2.13; the tracer warns about most of these.
    """

    code, name = "CAP203", "size-as-number"
    outcomes = {
        "trace": "silently_wrong",
        "fx": "refused",
        "script": "captured",
        "dynamo": "guarded",
        "fullgraph": "guarded",
        "export": "guarded",
    }
    examples = [
        Bad(
            """
import torch


def fn(x: torch.Tensor):
    shown = min(x.shape[0], 6)  # CAP203
    return x[:shown].sum()
""",
            inputs="torch.ones(4, 8)",
            variants=("torch.ones(12, 8)",),
            outcomes={"dynamo": "guarded", "fullgraph": "guarded", "export": "captured"},
        ),
        Bad(
            """
import torch


def fn(x: torch.Tensor):
    return x.sum(0) / len(x)  # CAP203
""",
            inputs="torch.ones(3, 2)",
            variants=("torch.ones(5, 2)",),
        ),
        Bad(
            """
import math

import torch


def fn(x: torch.Tensor):
    half = math.floor(x.shape[0] * 0.5)  # CAP203
    return x[:half].sum()
""",
            inputs="torch.arange(6.0)",
            variants=("torch.arange(9.0)",),
            outcomes={"fx": "captured", "export": "captured"},
        ),
        Bad(
            """
import torch
from torch import nn


class Crop(nn.Module):
    def __init__(self, ratio=0.5):
        super().__init__()
        self.ratio = ratio

    def forward(self, x):
        keep = int(x.size(1) * self.ratio)  # CAP203
        return x[:, :keep]
""",
            entry="Crop()",
            inputs="torch.ones(2, 4)",
            variants=("torch.ones(2, 8)",),
        ),
        Bad(
            """
import torch


def fn(x: torch.Tensor):
    sizes = torch.tensor([x.shape[0], 1])  # CAP203
    return x.sum() * sizes
""",
            inputs="torch.ones(4)",
            variants=("torch.ones(6)",),
            outcomes={"export": "captured"},
        ),
        Good(
            """
import torch


def fn(x: torch.Tensor):
    b = x.shape[0]
    return x.view(b, 2, 3).sum(-1) / x.shape[1]
""",
            inputs="torch.ones(2, 6)",
            variants=("torch.ones(4, 6)",),
            outcomes={
                "dynamo": "guarded",
                "fullgraph": "guarded",
                "trace": "captured",
                "fx": "captured",
                "script": "captured",
                "export": "captured",
            },
        ),
        Good(
            """
import torch


def fn(x: torch.Tensor):
    half = x.shape[0] // 2
    return x[:half], torch.zeros(half)
""",
            inputs="torch.ones(4)",
            variants=("torch.ones(6)",),
            outcomes={
                "dynamo": "guarded",
                "fullgraph": "guarded",
                "trace": "captured",
                "fx": "captured",
                "script": "captured",
                "export": "captured",
            },
        ),
    ]

    def on_shape_read(self, event: ShapeRead, report: Reporter) -> None:
        message = _WORDS.get(event.how)
        value = event.value
        if isinstance(value, Data) and event.how == "ctor" and value.taint:
            report(
                event,
                "a number put into a new tensor is a constant of the trace",
                value=value,
                outcomes={"trace": "silently_wrong"},
            )
        if message is None or not value.taint or not isinstance(value, (Shape, Tensor)):
            return
        outcomes = self.claims(report.torch)
        if event.how not in _FX:
            outcomes["fx"] = "captured"
        if event.how in ("math", "ctor", "order"):
            outcomes["export"] = "captured"
        if isinstance(value, Shape) and (value.meta != "size" or event.how == "len" and value.type == "size"):
            outcomes["trace"] = "captured"
        report(event, message, value=value, outcomes=outcomes)
