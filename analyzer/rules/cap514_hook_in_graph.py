"""CAP514: module hooks registered or removed in captured code."""

from __future__ import annotations

from analyzer.flow.events import Call
from analyzer.outcome import Frontend, Outcome
from analyzer.rule import Bad, Good, Reporter, Rule


class HookInGraph(Rule):
    """Module hooks registered or removed in captured code.

    ## What it does
    Finds `module.register_forward_hook(...)` and its like, and `handle.remove()`, in captured code, and calls of
    submodules on which the constructor put a backward hook.

    ## Why it matters
    Hooks change what a module call means; torch.compile ends the graph at each registration and removal.

    ## Use instead
    Register hooks before capture. `tensor.register_hook` is captured.

    ## Fix safety
    No fix is offered.

    ## References
    Registry ids GB0467, GB0013 and GB0083; measured on torch 2.13.
    """

    code, name = "CAP514", "hook-in-graph"
    calls = ("torch.nn.Module.register_", "torch.utils.hooks.")
    outcomes = {
        "trace": "captured",
        "fx": "silently_wrong",
        "script": "refused",
        "dynamo": "graph_break",
        "fullgraph": "refused",
        "export": "captured",
    }
    graph_breaks = ("GB0467", "GB0013", "GB0083")
    examples = [
        Bad(
            """
import torch
from torch import nn


def scale(module, grad_input, grad_output):
    return None


class Scaled(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)
        self.fc.register_full_backward_hook(scale)

    def forward(self, x):
        return self.fc(x) + 1  # CAP514
""",
            title="a backward hook that the constructor registers",
            entry="Scaled()",
            inputs="torch.ones(2, 3)",
            outcomes={"trace": "refused", "fx": "unknown", "script": "unknown", "export": "unknown"},
        ),
        Bad(
            """
import torch
from torch import nn


class Hooked(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)

    def forward(self, x):
        h = self.fc.register_forward_hook(lambda m, i, o: o * 2)  # CAP514
        y = self.fc(x)
        h.remove()  # CAP514
        return y
""",
            entry="Hooked()",
            inputs="torch.ones(2, 3)",
        ),
        Bad(
            """
import torch
from torch import nn


class Recorded(nn.Module):
    def __init__(self):
        super().__init__()
        self.act = nn.ReLU()

    def shift(self, module, args):
        return (args[0] + 1,)

    def forward(self, x):
        x = x.sin()
        handle = self.act.register_forward_pre_hook(self.shift)  # CAP514
        x = self.act(x)
        handle.remove()  # CAP514
        return x
""",
            entry="Recorded()",
        ),
        Good(
            """
import torch


def fn(x):
    y = x * 2
    y.register_hook(lambda g: g * 0.5)
    return y.sum()
""",
            inputs="torch.ones(3, requires_grad=True)",
            outcomes={
                "dynamo": "captured",
                "fullgraph": "captured",
                "trace": "captured",
                "fx": "refused",
                "script": "refused",
                "export": "captured",
            },
        ),
        Good(
            """
import torch
from torch import nn


class Hooked(nn.Module):
    def __init__(self):
        super().__init__()
        self.act = nn.ReLU()
        self.act.register_forward_hook(lambda m, i, o: o * 2)

    def forward(self, x):
        return self.act(x)
""",
            entry="Hooked()",
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

    def on_call(self, event: Call, report: Reporter) -> None:
        name = event.name
        if name.startswith("torch.nn.Module.register_") and name.endswith("backward_hook.__call__"):
            outcomes: dict[Frontend, Outcome] = {
                **self.claims(report.torch),
                "trace": "refused",
                "fx": "captured",
                "script": "unknown",
            }
            report(
                event,
                "the module has a backward hook, for which the graph ends",
                outcomes=outcomes,
                graph_breaks=("GB0083",),
            )
        elif name.startswith("torch.nn.Module.register_") and name.endswith("hook"):
            report(event, "a hook registered in captured code ends the graph", graph_breaks=("GB0467",))
        elif name == "torch.utils.hooks.RemovableHandle.remove":
            report(event, "a hook removed in captured code ends the graph", graph_breaks=("GB0013",))
