"""CAP204: Python iterates over a tensor."""

from __future__ import annotations

import ast

from analyzer.flow.events import Iterate
from analyzer.rule import Bad, Good, Reporter, Rule
from analyzer.values import Seq, tensor_in


class IterateTensor(Rule):
    """Python iterates over a tensor.

    ## What it does
    Finds `for row in tensor`, comprehensions and star-unpacking over tensors.

    ## Why it matters
    The loop is unrolled: a trace expects the example's number of rows and fails for another,
    torch.compile compiles again for each new length, torch.fx refuses (plain unpacking `a, b = x` is allowed).

    ## Use instead
    An operation over the dimension, or `torch.unbind` where the number of rows is fixed.

    ## Fix safety
    No fix is offered.

    ## References
    Measured on torch 2.13.
    """

    code, name = "CAP204", "iterate-tensor"
    unrolls = True
    outcomes = {
        "trace": "refused",
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
    return torch.stack([part.sum(0) for part in torch.split(x, 2)])  # CAP204
""",
            title="pieces of a given length",
            inputs="torch.ones(4, 2)",
            variants=("torch.ones(6, 2)",),
            outcomes={"dynamo": "guarded", "fullgraph": "guarded", "trace": "refused", "export": "unknown"},
        ),
        Bad(
            """
import torch


def fn(rows: torch.Tensor):
    acc = torch.zeros(())
    for r in rows:  # CAP204
        acc = acc + r
    return acc
""",
            inputs="torch.ones(4)",
            variants=("torch.ones(5)", "torch.ones(6)", "torch.ones(7)"),
        ),
        Bad(
            """
import torch
from torch import nn


class PerImage(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.LayerNorm(3)

    def forward(self, images: torch.Tensor):
        done = [self.norm(image) for image in images]  # CAP204
        return torch.stack(done)
""",
            entry="PerImage()",
            inputs="torch.ones(2, 3)",
            variants=("torch.ones(3, 3)",),
            outcomes={"dynamo": "guarded", "fullgraph": "guarded"},
        ),
        Bad(
            """
import torch


def fn(x: torch.Tensor, y: torch.Tensor):
    total = torch.zeros(())
    for a, b in zip(x, y):  # CAP204
        total = total + a * b
    return total
""",
            inputs="(torch.ones(3), torch.ones(3))",
            variants=("(torch.ones(4), torch.ones(4))",),
            outcomes={"dynamo": "guarded", "fullgraph": "guarded"},
        ),
        Good(
            """
import torch


def fn(x: torch.Tensor):
    a, b = x
    return a + b
""",
            inputs="torch.ones(2)",
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


def fn(x: torch.Tensor):
    total = torch.zeros(())
    for part in x.chunk(2):
        total = total + part.sum()
    return total
""",
            inputs="torch.ones(4)",
            outcomes={
                "dynamo": "captured",
                "fullgraph": "captured",
                "trace": "captured",
                "fx": "refused",
                "script": "captured",
                "export": "captured",
            },
        ),
    ]

    def on_iterate(self, event: Iterate, report: Reporter) -> None:
        if isinstance(event.value, Seq):
            self._pieces(event, event.value, report)
        tensor = tensor_in(event.value)
        if tensor is None or not tensor.taint or event.form == "unpack":
            return
        outcomes = self.claims(report.torch)
        if event.form != "for":
            outcomes.update({"dynamo": "guarded", "fullgraph": "guarded"})
        if event.form in ("star", "unpack_star") or event.form == "builtin" and _collects(event.node):
            outcomes["trace"] = "captured"
        if event.form == "builtin" and tensor.ndim == 0:
            return
        report(event, "the loop is unrolled for the rows at hand", value=tensor, outcomes=outcomes)

    def _pieces(self, event: Iterate, pieces: Seq, report: Reporter) -> None:
        """`x.split(2)`, `x.unbind()`: a list, but as long as the example's size made it."""
        unrolled = event.form in ("for", "comprehension") or event.form == "builtin" and not _collects(event.node)
        if pieces.sized and pieces.taint and unrolled:
            outcomes = self.claims(report.torch)
            outcomes.update({"dynamo": "guarded", "fullgraph": "guarded", "trace": "refused", "export": "unknown"})
            report(event, "the loop is unrolled for the pieces at hand", value=pieces, outcomes=outcomes)


def _collects(node: ast.AST) -> bool:
    """`list(x)`, `max(x)` and their like, unlike `zip(x, y)` and `enumerate(x)`, whose rows a loop takes one by one."""
    return getattr(getattr(node, "func", None), "id", "") not in ("zip", "enumerate", "map", "filter", "reversed")
