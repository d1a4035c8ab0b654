"""CAP510: backward passes, gradients and optimizer steps in captured code."""

from __future__ import annotations

from analyzer.flow.events import Call
from analyzer.outcome import Frontend, Outcome
from analyzer.rule import Bad, Good, Reporter, Rule

_CALLS: dict[str, tuple[str, ...]] = {
    "Tensor.backward": ("GB0123",),
    "torch.autograd.backward": ("GB0007", "GB0123"),
    "torch.autograd.grad": ("GB9186",),
}
_OPTIMIZER = {"zero_grad": ("GB0008",), "step": ("GB0025",)}


class AutogradInGraph(Rule):
    """Backward passes, gradients and optimizer steps in captured code.

    ## What it does
    Finds `loss.backward()`, `torch.autograd.grad(...)`, `optimizer.zero_grad()` and
    `optimizer.step()` in captured code.

    ## Why it matters
    A forward graph does not hold its own backward pass: torch.compile ends the graph at each of these calls.

    ## Use instead
    Compile the model or the loss function and leave the step outside, or use `torch.func.grad`, which is captured.
    An optimizer's step can be compiled by itself: `torch.compile(optimizer.step)`.

    ## Fix safety
    No fix is offered.

    ## References
    Registry ids GB0123, GB9186, GB0008, GB0025; measured on torch 2.13.
    """

    code, name = "CAP510", "autograd-in-graph"
    calls = (*_CALLS, "torch.optim.")
    outcomes = {
        "trace": "captured",
        "fx": "captured",
        "script": "captured",
        "dynamo": "graph_break",
        "fullgraph": "refused",
        "export": "captured",
    }
    graph_breaks = ("GB0123", "GB9186", "GB0008", "GB0025", "GB0007")
    examples = [
        Bad(
            """
import torch


def fn(x, w):
    loss = (x * w).sum()
    loss.backward()  # CAP510
    return loss.detach()
""",
            inputs="(torch.ones(3), torch.ones(3, requires_grad=True))",
        ),
        Bad(
            """
import torch


def fn(x):
    y = (x**2).sum()
    (grad,) = torch.autograd.grad(y, x)  # CAP510
    return grad * 2
""",
            inputs="torch.ones(3, requires_grad=True)",
            outcomes={"script": "unknown"},
        ),
        Bad(
            """
import torch
from torch import nn


class Step(nn.Module):
    def __init__(self):
        super().__init__()
        self.model = nn.Linear(3, 1)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.1)

    def forward(self, x):
        self.optimizer.zero_grad()  # CAP510
        loss = self.model(x).sum()
        loss.backward()  # CAP510
        self.optimizer.step()  # CAP510
        return loss.detach()
""",
            entry="Step()",
            outcomes={"trace": "unknown", "fx": "unknown", "script": "refused", "export": "unknown"},
        ),
        Good(
            """
import torch


def loss(x):
    return (x**3).sum()


def fn(x):
    return torch.func.grad(loss)(x)
""",
            outcomes={
                "dynamo": "captured",
                "fullgraph": "captured",
                "trace": "refused",
                "fx": "refused",
                "script": "refused",
            },
        ),
        Good(
            """
import torch


def fn(x, w):
    loss = (x * w).sum()
    return loss, loss.detach()
""",
            inputs="(torch.ones(3), torch.ones(3, requires_grad=True))",
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
        ids = _CALLS.get(event.name)
        what = event.name.rsplit(".", 1)[-1]
        if (
            ids is None
            and event.name.startswith("torch.optim.")
            and not event.name.startswith("torch.optim.lr_scheduler.")
        ):
            ids = _OPTIMIZER.get(what)
        if ids is None:
            return
        outcomes: dict[Frontend, Outcome] = self.claims(report.torch)
        if what == "grad":
            outcomes["script"] = "unknown"  # it takes lists of tensors only
        elif what in _OPTIMIZER:
            outcomes["script"] = "refused"
        report(
            event,
            f"{what}() ends the graph: it is no part of a forward graph",
            value=event.receiver,
            outcomes=outcomes,
            graph_breaks=ids,
        )
