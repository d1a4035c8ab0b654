"""CAP120: operators whose output shape depends on tensor contents."""

from __future__ import annotations

from analyzer.flow.events import Call
from analyzer.knowledge.tables import Row
from analyzer.outcome import Frontend, Outcome
from analyzer.rule import SCALARS_IN_FULLGRAPH, Bad, Good
from analyzer.table_rule import TableRule


class DynamicOutputShape(TableRule):
    """Operators whose output shape depends on tensor contents.

    ## What it does
    Finds `nonzero`, `argwhere`, `unique`, `masked_select`, `bincount`, `combinations`, `torch.where` with one argument,
    `repeat_interleave` with a tensor and without `output_size`, `one_hot` without `num_classes`, and their like.

    ## Why it matters
    With its defaults torch.compile does not know the size of what follows and ends the graph. `fullgraph=True` and
    torch.export give the size a symbol and go on.

    ## Use instead
    A form with a size known before the call: `torch.nonzero_static`, `output_size=`, `num_classes=`, a
    mask kept as a mask (`torch.where`, multiplication), or `torch._dynamo.config.capture_dynamic_output_shape_ops =
    True`.

    ## Fix safety
    No fix is offered: the size is the author's knowledge.

    ## References
    Registry id GB0036; measured on torch 2.13.
    `fullgraph=True` keeps it since torch 2.10 (torch/_dynamo/output_graph.py of 2.9.1 and 2.10.0:
    `allow_dynamic_output_shape_ops=one_graph or ...`).
    """

    code, name = "CAP120", "dynamic-output-shape"
    ids = frozenset({"GB0036", "GB0087"})
    message = "{}: the output's size depends on tensor contents"
    outcomes = {
        "trace": "captured",
        "fx": "captured",
        "script": "captured",
        "dynamo": "graph_break",
        "fullgraph": SCALARS_IN_FULLGRAPH,
        "export": "captured",
    }
    graph_breaks = ("GB0036",)
    strict_export = "captured"
    examples = [
        Bad(
            """
import torch


def fn(ids):
    u, inv = torch.unique(ids, return_inverse=True)  # CAP120
    return inv.float() * 2
""",
            inputs="torch.tensor([1, 1, 2, 3])",
            variants=("torch.tensor([1, 2, 2, 2])",),
        ),
        Bad(
            """
import torch


def fn(x, reps: torch.Tensor):
    return torch.repeat_interleave(x, reps)  # CAP120
""",
            inputs="(torch.tensor([1.0, 2.0]), torch.tensor([1, 3]))",
        ),
        Bad(
            """
import torch
from torch import nn


class Sparsify(nn.Module):
    def __init__(self):
        super().__init__()
        self.proj = nn.Linear(4, 4)

    def forward(self, x):
        scores = self.proj(x).sigmoid()
        rows, cols = torch.where(scores > 0.5)  # CAP120
        kept = scores.masked_select(scores > 0.5)  # CAP120
        return kept.sum() + rows.sum() + cols.sum()
""",
            entry="Sparsify()",
            inputs="torch.ones(2, 4)",
            variants=("torch.zeros(2, 4)",),
        ),
        Bad(
            """
import torch


def fn(x):
    for _ in range(2):
        x = x[x.nonzero()[:, 0]].sin()  # CAP120
    return x
""",
            title="in a loop the whole function runs eagerly",
            inputs="torch.tensor([0.0, 1.0, 2.0])",
            outcomes={"dynamo": "skipped_frame"},
        ),
        Good(
            """
import torch


def fn(x, reps: torch.Tensor):
    return torch.repeat_interleave(x, reps, output_size=4)
""",
            inputs="(torch.tensor([1.0, 2.0]), torch.tensor([1, 3]))",
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
import torch


def fn(x):
    return x.repeat_interleave(2) + torch.repeat_interleave(x, 2)
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
import torch


def fn(x):
    best = torch.where(x > 0.5, x, 0.0)
    first = torch.nonzero_static(x, size=2)
    return best.sum() + first.sum()
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
        outcomes.update(
            {"fullgraph": "captured", "export": "captured", "trace": "captured", "script": "captured", "fx": "captured"}
        )
        return outcomes
