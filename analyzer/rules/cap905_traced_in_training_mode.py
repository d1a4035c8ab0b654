"""CAP905: a module with dropout or batch norm is traced in training mode."""

from __future__ import annotations

from analyzer.flow.events import Capture
from analyzer.rule import Bad, Good, Reporter, Rule


class TracedInTrainingMode(Rule):
    """A module with dropout or batch norm is traced in training mode.

    ## What it does
    Finds `torch.jit.trace` of a module that holds dropout or batch norm layers in a file that never calls `.eval()`.

    ## Why it matters
    Modules begin in training mode, and a trace keeps the mode of its capture: the traced module drops values (or
    updates running statistics) on every call, whatever `.eval()` says later.

    ## Use instead
    `model.eval()` before the trace.

    ## Fix safety
    No fix is offered.

    ## References
    https://docs.pytorch.org/docs/stable/generated/torch.jit.trace.html; measured on torch 2.13.
    """

    code, name = "CAP905", "traced-in-training-mode"
    outside = True
    outcomes = {"trace": "silently_wrong"}
    examples = [
        Bad(
            """
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.drop = nn.Dropout(0.5)

    def forward(self, x):
        return self.drop(x)


def main():
    return torch.jit.trace(Net(), torch.ones(64))  # CAP905
""",
            entry="Net()",
            inputs="torch.ones(64)",
            outcomes={"trace": "unknown"},
        ),
        Good(
            """
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.drop = nn.Dropout(0.5)

    def forward(self, x):
        return self.drop(x)


def main():
    net = Net()
    net.eval()
    return torch.jit.trace(net, torch.ones(64))
""",
            entry="Net().eval()",
            inputs="torch.ones(64)",
        ),
    ]

    def on_capture(self, event: Capture, report: Reporter) -> None:
        if event.capture.training_layers:
            report(event, "traced in training mode: dropout and batch norm stay in it for ever")
