"""CAP534: an autograd function with a forward-mode rule called in captured code."""

from __future__ import annotations

from analyzer.flow.events import Call
from analyzer.rule import Bad, Good, Reporter, Rule
from analyzer.values import Bound, Class


class ForwardModeRule(Rule):
    """An autograd function with a forward-mode rule called in captured code.

    ## What it does
    Finds calls of `apply` for classes of `torch.autograd.Function` that define `jvp`.

    ## Why it matters
    TorchDynamo makes an operator of `forward` and `backward`; a class that has `jvp` as well it
    does not trace: the graph ends at the call.

    ## Use instead
    A function without `jvp` where it is compiled, or a custom operator.

    ## Fix safety
    No fix is offered.

    ## References
    Registry id GB0144; measured on torch 2.13.
    """

    code, name = "CAP534", "forward-mode-rule"
    calls = ("torch.autograd.Function.apply",)
    outcomes = {
        "trace": "captured",
        "fx": "captured",
        "script": "captured",
        "dynamo": "graph_break",
        "fullgraph": "refused",
        "export": "captured",
    }
    graph_breaks = ("GB0144",)
    examples = [
        Bad(
            """
import torch


class Double(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, grad):
        return grad * 2

    @staticmethod
    def jvp(ctx, tangent):
        return tangent * 2


def fn(x):
    y = x + 1
    return Double.apply(y)  # CAP534
""",
            inputs="torch.ones(3, requires_grad=True)",
        ),
        Good(
            """
import torch


class Double(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, grad):
        return grad * 2


def fn(x):
    y = x + 1
    return Double.apply(y)
""",
            inputs="torch.ones(3, requires_grad=True)",
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

    def on_call(self, event: Call, report: Reporter) -> None:
        if event.name != "torch.autograd.Function.apply" or not isinstance(event.callee, Bound):
            return
        owner = event.callee.owner
        if isinstance(owner, Class) and owner.info.method("jvp") is not None:
            report(event, f"{owner.info.name} has a forward-mode rule (jvp)")
