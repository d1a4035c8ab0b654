"""CAP912: a compiled module is compiled again."""

from __future__ import annotations

from analyzer.flow.events import Capture
from analyzer.rule import Bad, Good, Reporter, Rule
from analyzer.values import Instance, Partial


class ModuleCompiledTwice(Rule):
    """A compiled module is compiled again.

    ## What it does
    Finds `torch.compile` of what `torch.compile` made of a module.

    ## Why it matters
    The second call returns a plain function, no module: `parameters()`, `eval()`, `state_dict()` raise
    `AttributeError`. Nothing is gained: the calls compile the same code once.

    ## Use instead
    Compile the module once.

    ## Fix safety
    No fix is offered.

    ## References
    `optimize` in torch/_dynamo/eval_frame.py; measured on torch 2.13.
    """

    code, name = "CAP912", "module-compiled-twice"
    outside = True
    outcomes = {"dynamo": "refused"}
    examples = [
        Bad(
            """
import torch


class Net(torch.nn.Module):
    def forward(self, x):
        return x + 1


def main():
    model = torch.compile(Net())
    model = torch.compile(model, mode="max-autotune")  # CAP912
    model.eval()
""",
            entry="Net()",
            outcomes={"dynamo": "unknown"},
        ),
        Good(
            """
import torch


class Net(torch.nn.Module):
    def forward(self, x):
        return x + 1


def main():
    net = Net()
    fast = torch.compile(net)
    faster = torch.compile(net, mode="max-autotune")
    fast.eval()
    faster.eval()
""",
            entry="Net()",
        ),
    ]

    def on_capture(self, event: Capture, report: Reporter) -> None:
        target = event.capture.target
        if event.capture.api != "torch.compile" or not isinstance(target, Partial):
            return
        if target.wrapper == "torch.compile" and isinstance(target.target, Instance):
            report(event, "compiled already; this one has no parameters(), eval() or state_dict()")
