"""CAP202: a Python loop over a size."""

from __future__ import annotations

from analyzer.flow.events import Iterate
from analyzer.rule import Bad, Good, Reporter, Rule
from analyzer.values import Seq, Shape


class LoopOverSize(Rule):
    """A Python loop over a size.

    ## What it does
    Finds `for i in range(x.shape[0])` and comprehensions over such ranges.

    ## Why it matters
    Every frontend unrolls the loop. A trace runs the example's number of steps for every input;
    torch.compile compiles again for each new length, and the graph grows with it; torch.fx refuses.

    ## Use instead
    A tensor operation over the dimension, `torch.vmap`, or `torch._higher_order_ops.scan`.

    ## Fix safety
    No fix is offered.

    ## References
    Measured on torch 2.13; the tracer does not warn about it.
    """

    code, name = "CAP202", "loop-over-size"
    unrolls = True
    outcomes = {
        "trace": "silently_wrong",
        "fx": "refused",
        "script": "captured",
        "dynamo": "recompiles",
        "fullgraph": "recompiles",
        "export": "guarded",
    }
    examples = [
        Bad(
            """
import torch


def fn(x: torch.Tensor):
    outs = []
    for t in range(x.size(0)):  # CAP202
        outs.append(x[t].cumsum(0))
    return torch.stack(outs)
""",
            inputs="torch.ones(2, 3)",
            variants=("torch.ones(3, 3)", "torch.ones(4, 3)", "torch.ones(5, 3)"),
        ),
        Bad(
            """
import torch
from torch import nn


class Unrolled(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = nn.GRUCell(3, 4)

    def forward(self, x):
        h = x.new_zeros(x.size(0), 4)
        for t in range(x.size(1)):  # CAP202
            h = self.cell(x[:, t], h)
        return h
""",
            entry="Unrolled()",
            inputs="torch.ones(2, 2, 3)",
            variants=("torch.ones(2, 3, 3)", "torch.ones(2, 4, 3)", "torch.ones(2, 5, 3)"),
        ),
        Bad(
            """
import torch


def fn(x: torch.Tensor):
    rows = [x[i] * i for i in range(x.shape[0])]  # CAP202
    return torch.stack(rows)
""",
            inputs="torch.ones(2, 3)",
            variants=("torch.ones(3, 3)",),
            outcomes={"dynamo": "guarded", "fullgraph": "guarded"},
        ),
        Good(
            """
import torch

STEPS = 4


def fn(x: torch.Tensor):
    for t in range(STEPS):
        x = x + t
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
        Good(
            """
import torch
from torch import nn


class Stack(nn.Module):
    def __init__(self, depth=3):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(2, 2) for _ in range(depth)])

    def forward(self, x):
        for i in range(len(self.layers)):
            x = self.layers[i](x)
        return x
""",
            entry="Stack()",
            inputs="torch.ones(1, 2)",
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

    def on_iterate(self, event: Iterate, report: Reporter) -> None:
        value = event.value
        if not isinstance(value, Seq) or value.type != "range" or event.form not in ("for", "comprehension"):
            return
        element = value.element
        if not isinstance(element, Shape) or not element.taint:
            return
        outcomes = self.claims(report.torch)
        if element.meta != "size":
            outcomes.update({"trace": "captured", "dynamo": "guarded", "fullgraph": "guarded"})
        elif element.dim is None or element.dim not in (0, 1) or event.form == "comprehension":
            # sizes of inner dimensions belong to the model, not to the batch
            outcomes.update({"dynamo": "guarded", "fullgraph": "guarded"})
        report(event, "the loop is unrolled for the size at hand", value=element, outcomes=outcomes)
