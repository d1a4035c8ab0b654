"""CAP111: the contents of a tensor become a Python list."""

from __future__ import annotations

from analyzer.dependence import frozen
from analyzer.fixes import offers
from analyzer.flow.events import HostRead
from analyzer.rule import SCALARS_IN_FULLGRAPH, Bad, Good, Reporter, Rule


class TensorToList(Rule):
    """The contents of a tensor become a Python list.

    ## What it does
    Finds `.tolist()` on tensors in captured code.

    ## Why it matters
    The graph ends there. `fullgraph=True` and torch.export can keep the numbers of an integer
    tensor as unbacked symbols, those of a float tensor they refuse. torch.jit.trace keeps the example's numbers;
    torch.jit.script needs the type of the result written down.

    ## Use instead
    Index with the tensor, `torch.split` by sizes known before the call, or `torch.unbind`.

    ## Fix safety
    No fix is offered.

    ## References
    Registry ids GB0033 (integers) and GB0109 (other dtypes); measured on torch 2.13.
    `fullgraph=True` keeps it since torch 2.10 (torch/_dynamo/output_graph.py of 2.9.1 and 2.10.0:
    `allow_scalar_outputs=one_graph or ...`).
    """

    code, name = "CAP111", "tensor-to-list"
    outcomes = {
        "trace": "silently_wrong",
        "fx": "captured",
        "script": "refused",
        "dynamo": "graph_break",
        "fullgraph": SCALARS_IN_FULLGRAPH,
        "export": "captured",
    }
    graph_breaks = ("GB0033", "GB0109")
    strict_export = "captured"
    examples = [
        Bad(
            """
from typing import List

import torch


def fn(counts: torch.Tensor):
    sizes: List[int] = counts.tolist()  # CAP111
    return torch.ones(9)[: sizes[0]]
""",
            title="torch.jit.script knows the type that is written down",
            inputs="torch.tensor([1, 2])",
            variants=("torch.tensor([3, 4])",),
            outcomes={"script": "captured", "fx": "unknown", "fullgraph": "unknown", "export": "unknown"},
        ),
        Bad(
            """
import torch


def fn(x):
    first = (x * 2).float().tolist()[0]  # CAP111
    return x * first
""",
            variants=("torch.full((3,), 4.0)",),
            outcomes={"fullgraph": "refused"},
        ),
        Bad(
            """
import torch


def fn(x, counts: torch.LongTensor):
    first, second = counts.tolist()  # CAP111
    return x * first + second
""",
            inputs="(torch.ones(2), torch.tensor([2, 4]))",
            variants=("(torch.ones(2), torch.tensor([3, 5]))",),
        ),
        Bad(
            """
import torch
from torch import nn


class Ragged(nn.Module):
    def forward(self, tokens, counts: torch.LongTensor):
        sizes = counts.tolist()  # CAP111
        parts = torch.split(tokens, sizes, dim=0)
        return parts[0].sum(0)
""",
            entry="Ragged()",
            inputs="(torch.ones(6, 2), torch.tensor([2, 4]))",
            variants=("(torch.ones(6, 2), torch.tensor([3, 3]))",),
        ),
        Bad(
            """
import torch


def fn(x: torch.Tensor):
    y = x * 2
    print("values", y.tolist())  # CAP111
    return y + 1
""",
            fixed="""
import torch


def fn(x: torch.Tensor):
    y = x * 2
    if not torch.compiler.is_compiling():
        print("values", y.tolist())
    return y + 1
""",
            title="read to be printed",
            outcomes={"trace": "captured", "fullgraph": "unknown", "script": "unknown", "export": "unknown"},
        ),
        Bad(
            """
import torch


def fn(x: torch.Tensor):
    steps = torch.linspace(0, 1, 5).tolist()  # CAP111
    return x * steps[1]
""",
            title="numbers that were known all along, made a tensor",
            outcomes={"fullgraph": "refused", "trace": "captured", "export": "captured"},
        ),
        Good(
            """
import torch


def fn(tokens):
    return torch.split(tokens, [2, 4], dim=0)[0]
""",
            inputs="torch.randn(6, 2)",
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

SIZES = torch.tensor([2, 4]).tolist()


def fn(tokens):
    return torch.split(tokens, SIZES, dim=0)[0]
""",
            inputs="torch.randn(6, 2)",
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

    def on_host_read(self, event: HostRead, report: Reporter) -> None:
        if event.how != "tolist":
            return
        tensor = event.tensor
        outcomes = frozen(self.claims(report.torch), tensor)
        outcomes["fx"] = "captured"
        ids = ("GB0033",) if tensor.dtype == "int" else ("GB0109",) if tensor.dtype else ("GB0033", "GB0109")
        if tensor.dtype == "float":
            outcomes["fullgraph"] = "refused"
        elif tensor.dtype is None:
            outcomes["fullgraph"] = "unknown"
        if tensor.constant:
            outcomes["export"] = "captured"
            if tensor.array:
                outcomes.update({"dynamo": "captured", "fullgraph": "captured"})
        if event.logged:
            outcomes["trace"] = "captured"
        if event.declared:
            outcomes["script"] = "captured"
        message, fix = ".tolist() reads the contents of a tensor", offers.guard(report, event.node)
        report(event, message, value=tensor, outcomes=outcomes, graph_breaks=ids, fix=fix)
