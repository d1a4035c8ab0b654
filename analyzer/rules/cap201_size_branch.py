"""CAP201: control flow on a size."""

from __future__ import annotations

from analyzer.dependence import is_proxy
from analyzer.flow.events import TruthTest
from analyzer.rule import Bad, Good, Reporter, Rule
from analyzer.values import Shape, is_tainted


class SizeBranch(Rule):
    """Control flow on a size of a tensor.

    ## What it does
    Finds tests of `x.shape[i]`, `x.size(i)`, `len(x)` and of numbers computed from them.

    ## Why it matters
    torch.compile guards on the size and compiles the other side when it is needed. torch.jit.trace
    keeps the side of the example input for every size; torch.fx has no size while it traces and refuses.

    ## Use instead
    Under a trace: operations that need no test (padding by zero is no operation), or torch.jit.script
    for that function.

    ## Fix safety
    No fix is offered.

    ## References
    Measured on torch 2.13; the tracer warns about most of these.
    """

    code, name = "CAP201", "size-branch"
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
    if x.shape[0] > 4:  # CAP201
        return x * 2
    return x - 1
""",
            inputs="torch.ones(8)",
            variants=("torch.ones(3)",),
        ),
        Bad(
            """
import torch
from torch import nn


class Pad(nn.Module):
    def __init__(self, multiple=4):
        super().__init__()
        self.multiple = multiple

    def missing(self, x):
        return -x.size(-1) % self.multiple

    def forward(self, x):
        extra = self.missing(x)
        if extra:  # CAP201
            x = nn.functional.pad(x, (0, extra))
        return x
""",
            title="a helper computes the size",
            entry="Pad()",
            inputs="torch.ones(2, 8)",
            variants=("torch.ones(2, 6)",),
            outcomes={"dynamo": "unknown"},
        ),
        Bad(
            """
import torch


def fn(x: torch.Tensor, y: torch.Tensor):
    steps = 1 if x.shape == y.shape else 2  # CAP201
    return x.sum() * steps
""",
            inputs="(torch.ones(3), torch.ones(3))",
            variants=("(torch.ones(3), torch.ones(4))",),
        ),
        Good(
            """
import torch

WIDTH = 4


def fn(x: torch.Tensor):
    if WIDTH > 2:
        x = x * 2
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
    ]

    def on_truth_test(self, event: TruthTest, report: Reporter) -> None:
        value = event.value
        if not isinstance(value, Shape) or not is_tainted(value) and not is_proxy(value):
            return
        outcomes = self.claims(report.torch)
        if value.meta != "size" or event.raises or event.form in ("assert", "any", "all"):
            outcomes["trace"] = "captured"
        if not value.taint:
            outcomes["fx"] = "captured"
        report(event, "a trace keeps the side that the example's size took", value=value, outcomes=outcomes)
