"""CAP110: the value of a tensor becomes a Python number."""

from __future__ import annotations

import ast

from analyzer.dependence import frozen
from analyzer.fixes import offers
from analyzer.flow.events import HostRead
from analyzer.rule import SCALARS_IN_FULLGRAPH, Bad, Good, Reporter, Rule


class TensorToScalar(Rule):
    """The value of a tensor becomes a Python number.

    ## What it does
    Finds `.item()`, `int(t)`, `float(t)`, `bool(t)` and `complex(t)` on tensors in captured code.

    ## Why it matters
    torch.compile with its defaults ends the graph there (`fullgraph=True` and torch.export keep the number as an
    unbacked symbol); torch.jit.trace keeps the number of the example input for ever. On a GPU the read also waits for
    the device.

    ## Use instead
    Stay in tensors: a 0-dim tensor can be multiplied, compared and passed to `torch.where` as it is.

    ## Fix safety
    A read that is only printed or logged is put behind `if not torch.compiler.is_compiling():`, which
    is safe. Where the number only meets tensors in arithmetic, `.detach()` keeps it a tensor: unsafe, it rounds to
    the tensor's dtype.

    ## References
    Registry id GB0124; `torch._dynamo.config.capture_scalar_outputs`; measured on torch 2.13.
    `fullgraph=True` keeps it since torch 2.10 (torch/_dynamo/output_graph.py of 2.9.1 and 2.10.0:
    `allow_scalar_outputs=one_graph or ...`).
    """

    code, name = "CAP110", "tensor-to-scalar"
    outcomes = {
        "trace": "silently_wrong",
        "fx": "captured",
        "script": "captured",
        "dynamo": "graph_break",
        "fullgraph": SCALARS_IN_FULLGRAPH,
        "export": "captured",
    }
    graph_breaks = ("GB0124",)
    strict_export = "captured"
    examples = [
        Bad(
            """
import torch


def fn(x):
    s = x.max().item()  # CAP110
    return x / s
""",
            fixed="""
import torch


def fn(x):
    s = x.max().detach()
    return x / s
""",
            variants=("torch.full((3,), 5.0)",),
        ),
        Bad(
            """
import torch


def fn(x, n: torch.Tensor):
    k = int(n + 1)  # CAP110
    return x * k
""",
            inputs="(torch.ones(3), torch.tensor(2))",
            variants=("(torch.ones(3), torch.tensor(5))",),
            outcomes={"fx": "refused", "export": "refused"},
        ),
        Bad(
            """
import torch
from torch import nn


class Norms(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(4, 4), nn.Linear(4, 4)])
        self.norms = []

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
            x = x / float(x.detach().norm())  # CAP110
        return x
""",
            title="in a loop the whole forward runs eagerly",
            entry="Norms()",
            inputs="torch.ones(2, 4)",
            variants=("torch.full((2, 4), 3.0)",),
            outcomes={"dynamo": "skipped_frame", "fx": "refused", "export": "refused"},
        ),
        Bad(
            """
import torch


def scale_of(x):
    return x.abs().max().item()  # CAP110


def fn(x):
    y = torch.relu(x)
    return y * scale_of(y)
""",
            title="in a helper",
            variants=("torch.full((3,), 2.0)",),
        ),
        Bad(
            """
import torch


def fn(lengths: torch.Tensor):
    longest = int(lengths.max())  # CAP110
    return torch.arange(longest)
""",
            inputs="torch.tensor([2, 3])",
            variants=("torch.tensor([4, 1])",),
            outcomes={"fx": "refused", "export": "refused"},
        ),
        Bad(
            """
import logging

import torch

logger = logging.getLogger(__name__)


def fn(x):
    y = x * 2
    logger.info(
        "mean %.3f",
        y.mean().item(),  # CAP110
    )
    return y + 1
""",
            fixed="""
import logging

import torch

logger = logging.getLogger(__name__)


def fn(x):
    y = x * 2
    if not torch.compiler.is_compiling():
        logger.info(
            "mean %.3f",
            y.mean().item(),
        )
    return y + 1
""",
            title="read for the log alone",
            outcomes={"fullgraph": "unknown", "trace": "captured", "script": "unknown"},
        ),
        Bad(
            """
from torch import nn


class Net(nn.Module):
    def forward(self, x):
        y = x * 2
        largest = y.max().item()  # CAP110
        print("largest", largest)
        return y + 1
""",
            fixed="""
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x):
        y = x * 2
        if not torch.compiler.is_compiling():
            largest = y.max().item()
            print("largest", largest)
        return y + 1
""",
            title="read, and then only printed",
            entry="Net()",
            outcomes={"fullgraph": "unknown", "trace": "unknown"},
        ),
        Bad(
            """
import torch


def fn(x: torch.Tensor):
    return x * torch.tensor(2).item()  # CAP110
""",
            fixed="""
import torch


def fn(x: torch.Tensor):
    return x * torch.tensor(2).detach()
""",
            title="a number that was known all along, made a tensor",
            outcomes={"fullgraph": "captured", "trace": "captured", "export": "captured"},
        ),
        Bad(
            """
import torch


def fn(x: torch.Tensor):
    lowest = (
        x.abs()
        .amin(
            dim=0,
        )
        .item()  # CAP110
    )
    return x - lowest
""",
            fixed="""
import torch


def fn(x: torch.Tensor):
    lowest = (
        x.abs()
        .amin(
            dim=0,
        )
        .detach()
    )
    return x - lowest
""",
            title="a call of several lines stands where its name stands",
            variants=("torch.zeros(3)",),
        ),
        Good(
            """
import torch


def fn(x):
    return x / x.max()
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
    if not torch.compiler.is_compiling():
        print("largest", x.shape[0])
    rate = float("0.5")
    return x * rate + int(x.dim())
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
    ]

    def on_host_read(self, event: HostRead, report: Reporter) -> None:
        how = event.how
        if how not in ("item", "int", "float", "bool", "complex"):
            return
        tensor = event.tensor
        outcomes = frozen(self.claims(report.torch), tensor)
        if how == "item":
            outcomes["fx"] = "captured"
        elif tensor.taint:
            outcomes["fx"] = "refused"
        if how != "item":
            outcomes["export"] = "refused"  # Python's int(), float() and bool() want a number at once
        if tensor.constant:  # Dynamo's defaults do not look whether the number is known
            outcomes.update({"fullgraph": "captured", "export": "captured"})
            if tensor.array:
                outcomes["dynamo"] = "captured"
        if tensor.array and how == "item":
            outcomes["dynamo"] = "graph_break"
        if event.logged or tensor.array:  # an array is no tensor of the trace: what was frozen is the way to numpy
            outcomes["trace"] = "captured"
        text = ".item()" if how == "item" else f"{how}()"
        node = event.node if isinstance(event.node, ast.expr) else None
        message = f"{text} reads the contents of a tensor"
        fixes = [offers.guard(report, event.node), offers.keep_tensor(report, event.node, tensor)]
        if outcomes.get("dynamo") == "captured":
            fixes = []
        report(event, message, node=node, value=tensor, outcomes=outcomes, fix=fixes)
