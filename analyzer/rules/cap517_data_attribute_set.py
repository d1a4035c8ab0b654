"""CAP517: `.data` of a tensor replaced in captured code."""

from __future__ import annotations

from analyzer.flow.events import AttributeStore
from analyzer.rule import Bad, Good, Reporter, Rule
from analyzer.values import tensor_in


class DataAttributeSet(Rule):
    """`.data` of a tensor replaced in captured code.

    ## What it does
    Finds assignments `tensor.data = ...` to tensors that the captured code made.

    ## Why it matters
    TorchDynamo cannot make one tensor take over the memory of another: torch.compile ends the
    graph. A trace, an FX graph and an exported program lose the assignment.

    ## Use instead
    Use the new tensor, or `copy_` under `torch.no_grad()`.

    ## Fix safety
    No fix is offered.

    ## References
    Registry ids GB0056 and GB0220; measured on torch 2.13.
    """

    code, name = "CAP517", "data-attribute-set"
    outcomes = {
        "trace": "silently_wrong",
        "fx": "silently_wrong",
        "script": "refused",
        "dynamo": "graph_break",
        "fullgraph": "refused",
        "export": "silently_wrong",
    }
    graph_breaks = ("GB0056", "GB0220")
    examples = [
        Bad(
            """
import torch


def fn(x: torch.Tensor):
    y = x.clone()
    y.data = x * 2  # CAP517
    return y + 1
""",
        ),
        Bad(
            """
import torch
from torch import nn


class Swap(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)

    def forward(self, x):
        y = self.fc(x)
        z = torch.zeros_like(y)
        z.data = y.relu()  # CAP517
        return z
""",
            entry="Swap()",
            inputs="torch.ones(2, 3)",
        ),
        Good(
            """
import torch


def fn(x: torch.Tensor):
    y = x.clone()
    y.copy_(x * 2)
    return y.data + 1
""",
            outcomes={
                "dynamo": "captured",
                "fullgraph": "captured",
                "trace": "captured",
                "fx": "captured",
                "script": "captured",
                "export": "refused",
            },
        ),
    ]

    def on_attribute_store(self, event: AttributeStore, report: Reporter) -> None:
        tensor = tensor_in(event.owner)
        if event.attribute == "data" and tensor is not None and tensor.origin is None and not tensor.array:
            report(event, "`.data` of a tensor made here is replaced", value=tensor)
