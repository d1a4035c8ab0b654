"""CAP907: a capture function that newer versions of torch removed."""

from __future__ import annotations

import ast

from analyzer.flow.events import Capture
from analyzer.knowledge.capture_apis import REMOVED
from analyzer.rule import Bad, Good, Reporter, Rule


class RemovedCaptureFunction(Rule):
    """A capture function that newer versions of torch removed.

    ## What it does
    Finds calls of `torch.onnx.dynamo_export`, `torch.export.export_for_training` and
    `torch._export.capture_pre_autograd_graph` where the target version of torch has them no more.

    ## Why it matters
    The call raises `AttributeError`.

    ## Use instead
    `torch.onnx.export(..., dynamo=True)` and `torch.export.export`.

    ## Fix safety
    No fix is offered.

    ## References
    PyTorch release notes; absent from torch 2.13.
    """

    code, name = "CAP907", "removed-capture-function"
    outside = True
    outcomes = {"export": "refused"}
    examples = [
        Bad(
            """
import torch


class Net(torch.nn.Module):
    def forward(self, x):
        return x * 2


def main():
    return torch.export.export_for_training(Net(), (torch.ones(3),))  # CAP907
""",
            entry="Net()",
            outcomes={"export": "unknown"},
        ),
        Good(
            """
import torch


class Net(torch.nn.Module):
    def forward(self, x):
        return x * 2


def main():
    return torch.export.export(Net(), (torch.ones(3),))
""",
            entry="Net()",
        ),
        Good(
            """
import torch


class Net(torch.nn.Module):
    def forward(self, x):
        return x * 2


def main():
    if hasattr(torch.export, "export_for_training"):
        return torch.export.export_for_training(Net(), (torch.ones(3),))
    return torch.export.export(Net(), (torch.ones(3),))
""",
            title="asked for first",
            entry="Net()",
        ),
    ]

    def on_capture(self, event: Capture, report: Reporter) -> None:
        removed = REMOVED.get(event.capture.api)
        if removed is not None and report.torch >= removed[0] and not _asked_for(event):
            report(event, f"{event.capture.api} was removed; use {removed[1]}")


def _asked_for(event: Capture) -> bool:
    """Whether the function asks with `hasattr` whether this release has the name."""
    name = event.capture.api.rpartition(".")[2]
    return any(
        isinstance(n, ast.Call)
        and isinstance(n.func, ast.Name)
        and n.func.id == "hasattr"
        and len(n.args) == 2
        and isinstance(n.args[1], ast.Constant)
        and n.args[1].value == name
        for n in ast.walk(event.function.node)
    )
