"""CAP906: torch.export.export called with what it does not take."""

from __future__ import annotations

from analyzer.flow.events import Capture
from analyzer.rule import Bad, Good, Reporter, Rule
from analyzer.values import Function, Tensor

_EXPORTS = frozenset({"torch.export.export", "torch.export.draft_export"})


class ExportCallForm(Rule):
    """`torch.export.export` called with what it does not take.

    ## What it does
    Finds calls that pass a function instead of a module, or one tensor instead of a tuple of positional inputs.

    ## Why it matters
    The call raises before anything is captured.

    ## Use instead
    `torch.export.export(module, (x,))`; wrap a function in a module whose `forward` calls it.

    ## Fix safety
    No fix is offered.

    ## References
    torch/export/__init__.py; measured on torch 2.13.
    """

    code, name = "CAP906", "export-call-form"
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
    return torch.export.export(Net(), torch.ones(3))  # CAP906
""",
            entry="Net()",
            outcomes={"export": "unknown"},
        ),
        Bad(
            """
import torch


def fn(x):
    return x * 2


def main():
    return torch.export.export(fn, (torch.ones(3),))  # CAP906
""",
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
    ]

    def on_capture(self, event: Capture, report: Reporter) -> None:
        if event.capture.api not in _EXPORTS:
            return
        if isinstance(event.capture.target, Function):
            report(event, "torch.export takes an nn.Module, not a function")
        elif event.args and isinstance(event.args[0], Tensor):
            report(event, "torch.export takes a tuple of positional inputs, not a tensor")
