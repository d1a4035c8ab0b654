"""CAP513: parameters and modules made in captured code."""

from __future__ import annotations

from analyzer.flow.events import Call
from analyzer.knowledge.tables import lookup
from analyzer.rule import Bad, Good, Reporter, Rule


class ModuleMadeInGraph(Rule):
    """Parameters and modules made in captured code.

    ## What it does
    Finds `nn.Parameter(...)` and constructions of modules that hold parameters (`nn.Linear(4, 4)`) in captured code.

    ## Why it matters
    They would be new at every call, so torch.compile ends the graph there; what is trained into them is lost.

    ## Use instead
    Make them in `__init__`; for a tensor that needs gradients use `.requires_grad_()` outside.

    ## Fix safety
    No fix is offered.

    ## References
    Registry ids GB0264 and those of the module tables; measured on torch 2.13.
    """

    code, name = "CAP513", "module-made-in-graph"
    calls = ("torch.nn.",)
    outcomes = {
        "trace": "captured",
        "fx": "refused",
        "script": "refused",
        "dynamo": "graph_break",
        "fullgraph": "refused",
        "export": "captured",
    }
    graph_breaks = ("GB0264",)
    examples = [
        Bad(
            """
import torch
from torch import nn


def fn(x):
    w = nn.Parameter(torch.ones(3))  # CAP513
    return (x * w).sum()
""",
        ),
        Bad(
            """
import torch
from torch import nn


class Adapter(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.LayerNorm(3)

    def forward(self, x):
        x = self.norm(x)
        second = nn.LayerNorm(3)  # CAP513
        return x + second(x)
""",
            entry="Adapter()",
            inputs="torch.ones(2, 3)",
        ),
        Good(
            """
import torch
from torch import nn


def fn(x):
    return nn.ReLU()(x)
""",
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


class Adapter(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(3))
        self.proj = nn.Linear(3, 3)

    def forward(self, x):
        return self.proj(x) * self.scale
""",
            entry="Adapter()",
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
        name = event.name
        if not name.startswith("torch.nn.") or event.function.name == "__init__":
            return
        if name == "torch.nn.Parameter":
            report(event, "a parameter made in captured code ends the graph")
        elif name.count(".") == 2 and name[9:10].isupper():
            row = lookup(name + ".__init__")
            if row is not None and row.dynamo == "break" or row is None and name in _PARAMETRIC:
                ids = row.ids if row is not None and row.ids else self.graph_breaks
                report(event, "a module made in captured code ends the graph", graph_breaks=ids)


_PARAMETRIC = frozenset(
    f"torch.nn.{n}" for n in "Linear Conv1d Conv2d Conv3d Embedding LayerNorm BatchNorm1d BatchNorm2d".split()
)
