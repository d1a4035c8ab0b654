"""CAP515: a scripted or traced module called from captured code."""

from __future__ import annotations

from analyzer.flow.events import Call
from analyzer.rule import Bad, Good, Reporter, Rule
from analyzer.values import Class, Function, Partial


class ScriptedModuleCalled(Rule):
    """A scripted or traced module called from captured code.

    ## What it does
    Finds calls of what torch.jit.script or torch.jit.trace returned inside of code that torch.compile captures.

    ## Why it matters
    TorchDynamo cannot look into TorchScript: the graph ends at the call.

    ## Use instead
    The Python module itself: torch.compile captures it.

    ## Fix safety
    No fix is offered.

    ## References
    Registry id GB4695; measured on torch 2.13.
    """

    code, name = "CAP515", "scripted-module-called"
    calls = ("torch.jit.",)
    outcomes = {
        "trace": "captured",
        "script": "captured",
        "fx": "captured",
        "dynamo": "skipped_frame",
        "fullgraph": "refused",
        "export": "refused",
    }
    graph_breaks = ("GB4695", "GB0007", "GB0008")
    examples = [
        Bad(
            """
import torch
from torch import nn


class Inner(nn.Module):
    def forward(self, x):
        return x * 2


class Mixed(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = torch.jit.script(Inner())

    def forward(self, x):
        return self.inner(x + 1).relu()  # CAP515
""",
            entry="Mixed()",
            inputs="torch.randn(2, 3)",
        ),
        Bad(
            """
import torch
from torch import nn


class Mixed(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = torch.jit.trace(nn.Linear(3, 3), torch.ones(1, 3))

    def forward(self, x):
        y = x.sin()
        return self.head(y) + 1  # CAP515
""",
            entry="Mixed()",
            inputs="torch.ones(2, 3)",
            outcomes={"dynamo": "graph_break", "export": "captured"},
        ),
        Good(
            """
import torch
from torch import nn


class Inner(nn.Module):
    def forward(self, x):
        return x * 2


class Mixed(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = Inner()

    def forward(self, x):
        return self.inner(x + 1).relu()
""",
            entry="Mixed()",
            inputs="torch.randn(2, 3)",
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


@torch.jit.script
def double(x):
    return x * 2


def fn(x):
    return double(x + 1)
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

    def on_call(self, event: Call, report: Reporter) -> None:
        if event.name in ("torch.jit.script.__call__", "torch.jit.trace.__call__") and not _is_function(event):
            outcomes = self.claims(report.torch)
            if event.name == "torch.jit.trace.__call__":
                outcomes.update({"dynamo": "graph_break", "export": "captured"})
            report(event, "TorchDynamo cannot look into TorchScript", outcomes=outcomes)


def _is_function(event: Call) -> bool:
    """Scripted functions and classes are captured: Dynamo traces the Python that they came from."""
    callee = event.callee
    target = callee.target if isinstance(callee, Partial) else None
    return isinstance(target, Class) or isinstance(target, Function) and target.self_value is None
