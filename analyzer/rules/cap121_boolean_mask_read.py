"""CAP121: a tensor read through a boolean mask."""

from __future__ import annotations

import ast

from analyzer.facts import body_facts
from analyzer.flow.events import Subscript
from analyzer.rule import SCALARS_IN_FULLGRAPH, Bad, Good, Reporter, Rule
from analyzer.values import Seq, Tensor, Value, tensor_in

#: In the name of an argument: it holds positions, whatever else its name says.
_NUMBERS = frozenset({"idx", "index", "indexes", "indices", "id", "ids", "ind", "inds", "positions"})


class BooleanMaskRead(Rule):
    """A tensor read through a boolean mask.

    ## What it does
    Finds `x[mask]` where `mask` is a boolean tensor, read or read and written (`x[mask] -= 1`). Writing alone
    (`x[mask] = 0`) is captured. A tensor argument that is named a mask (`mask`, `padding_mask`) counts as one if
    nothing says what it holds.

    ## Why it matters
    How many elements there are depends on the mask's contents: torch.compile with its defaults ends the graph.
    `fullgraph=True` and torch.export give the size a symbol and go on.

    ## Use instead
    Keep the full shape: `torch.where(mask, x, 0)`, `x * mask`, `masked_fill`; for an update,
    `torch.where(mask, new, x)`.

    ## Fix safety
    No fix is offered: what follows depends on the shape.

    ## References
    Registry id GB0036; 39 of 52 such reads in published packages broke (torch 2.13).
    `fullgraph=True` keeps it since torch 2.10 (torch/_dynamo/output_graph.py of 2.9.1 and 2.10.0:
    `allow_dynamic_output_shape_ops=one_graph or ...`).
    """

    code, name = "CAP121", "boolean-mask-read"
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


def fn(t):
    return t[t > 0.5]  # CAP121
""",
            inputs="torch.tensor([0.1, 0.9, 0.7])",
            variants=("torch.tensor([0.1, 0.2, 0.7])",),
        ),
        Bad(
            """
import torch


def fn(x: torch.Tensor, keep: torch.Tensor):
    y = x * 2
    y[keep == 0] -= 1  # CAP121
    return y
""",
            inputs="(torch.ones(3), torch.tensor([0, 1, 0]))",
            outcomes={"fx": "refused"},
        ),
        Bad(
            """
import torch
from torch import nn


class MaskedMean(nn.Module):
    def forward(self, hidden: torch.Tensor, mask: torch.BoolTensor):
        kept = hidden[mask]  # CAP121
        rest = hidden[:, ~mask[0]]  # CAP121
        return kept.mean() + rest.sum()
""",
            entry="MaskedMean()",
            inputs="(torch.ones(2, 3), torch.tensor([[True, False, True], [True, True, True]]))",
        ),
        Bad(
            """
import torch


def fn(x: torch.Tensor, y: torch.Tensor):
    positive = x > 0
    return x[positive].sum() + y[positive].mean()  # CAP121
""",
            inputs="(torch.tensor([1.0, -1.0]), torch.ones(2))",
        ),
        Bad(
            """
import torch


def fn(x: torch.Tensor, padding_mask: torch.Tensor):
    return x[padding_mask] * 2  # CAP121
""",
            title="an argument that is named a mask",
            inputs="(torch.ones(3), torch.tensor([True, False, True]))",
            variants=("(torch.ones(3), torch.tensor([True, True, True]))",),
        ),
        Good(
            """
import torch


def fn(x: torch.Tensor, idx_mask: torch.Tensor):
    return x[idx_mask] * 2
""",
            title="positions, as the name says",
            inputs="(torch.ones(3), torch.tensor([0, 2]))",
        ),
        Good(
            """
import torch


def fn(x: torch.Tensor):
    y = x.clone()
    y[y < 0] = 0.0
    return y
""",
            outcomes={
                "dynamo": "captured",
                "fullgraph": "captured",
                "trace": "captured",
                "fx": "refused",
                "script": "captured",
                "export": "captured",
            },
        ),
        Good(
            """
import torch


def fn(x, index):
    return x[index]
""",
            inputs="(torch.ones(3), torch.tensor([0, 2]))",
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


def fn(x: torch.Tensor, mask: torch.BoolTensor):
    y = x.masked_fill(mask, 0.0)
    return torch.where(mask, y, x)
""",
            inputs="(torch.ones(2), torch.tensor([True, False]))",
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

    def on_subscript(self, event: Subscript, report: Reporter) -> None:
        if event.access not in ("load", "augmented"):
            return
        base = tensor_in(event.value)
        if base is None or base.array:
            return
        parts = _parts(event.index)
        mask = next((m for m in parts if _is_mask(m)), None)
        if mask is None and len(parts) == 1 and _called_mask(event):
            mask = parts[0]
        if mask is None:
            return
        outcomes = self.claims(report.torch)
        if event.access == "augmented" and base.taint:
            outcomes["fx"] = "refused"
        report(event, "the contents of a mask decide the output's size", value=mask, outcomes=outcomes)


def _parts(index: Value) -> list[Value]:
    if isinstance(index, Seq) and index.type == "tuple":
        return list(index.items or ())
    return [index]


def _is_mask(value: Value) -> bool:
    tensor = tensor_in(value)
    return isinstance(tensor, Tensor) and tensor.dtype == "bool"


def _called_mask(event: Subscript) -> bool:
    """Whether the index is a tensor argument that its name calls a mask, of whose element type nothing is known."""
    node = event.node.slice if isinstance(event.node, ast.Subscript) else None
    tensor = tensor_in(event.index)
    if not isinstance(node, ast.Name) or tensor is None or tensor.dtype is not None:
        return False
    if node.id not in {p.arg for p in event.function.parameters} or node.id in body_facts(event.function).bound:
        return False
    words = node.id.lower().split("_")
    return "mask" in words and not _NUMBERS.intersection(words)
