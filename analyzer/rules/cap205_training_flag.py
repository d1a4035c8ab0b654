"""CAP205: `self.training` baked into a trace."""

from __future__ import annotations

from analyzer.flow.events import Call, TruthTest
from analyzer.rule import Bad, Good, Reporter, Rule
from analyzer.values import Static, Value


class TrainingFlagBaked(Rule):
    """`self.training` baked into a trace or an FX graph.

    ## What it does
    Finds branches on `self.training` and calls that pass it on (`F.dropout(x, training=self.training)`).

    ## Why it matters
    torch.compile guards on the flag. torch.jit.trace and torch.fx keep its value at capture: a
    model traced in training mode drops activations for ever, one traced in evaluation mode never does, whatever
    `.train()` and `.eval()` say.

    ## Use instead
    `nn.Dropout` under torch.fx (a leaf module keeps its flag); capture once for each mode.

    ## Fix safety
    No fix is offered.

    ## References
    Measured on torch 2.13; the tracer does not warn about it.
    """

    code, name = "CAP205", "training-flag-baked"
    calls = ("torch.",)
    outcomes = {
        "trace": "silently_wrong",
        "fx": "silently_wrong",
        "script": "captured",
        "dynamo": "guarded",
        "fullgraph": "guarded",
        "export": "silently_wrong",
    }
    examples = [
        Bad(
            """
import torch
from torch import nn


class Scale(nn.Module):
    def forward(self, x):
        if self.training:  # CAP205
            return x * 2
        return x


NET = Scale()
""",
            entry="NET",
            variants=("(NET.eval(), torch.ones(3))[1]",),
            outcomes={"script": "unknown"},
        ),
        Bad(
            """
import torch
import torch.nn.functional as F
from torch import nn


class Drop(nn.Module):
    def forward(self, x):
        return F.dropout(x, 0.5, training=self.training)  # CAP205


NET = Drop()
""",
            entry="NET",
            inputs="torch.ones(64)",
            variants=("(NET.eval(), torch.ones(64))[1]",),
            outcomes={"script": "unknown"},
        ),
        Good(
            """
import torch
from torch import nn


class Drop(nn.Module):
    def __init__(self):
        super().__init__()
        self.drop = nn.Dropout(0.5)

    def forward(self, x):
        return self.drop(x)
""",
            entry="Drop().eval()",
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
from torch import nn


class Frozen(nn.Module):
    def __init__(self, training=False):
        super().__init__()
        self.scaled = training

    def forward(self, x):
        return x * 2 if self.scaled else x
""",
            entry="Frozen()",
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

    def on_truth_test(self, event: TruthTest, report: Reporter) -> None:
        if _is_flag(event.value) and not event.raises:
            report(event, "a trace keeps the value of `self.training`", value=event.value)

    def on_call(self, event: Call, report: Reporter) -> None:
        if event.name.startswith("torch.") and any(_is_flag(v) for v in (*event.args, *event.kwargs.values())):
            report(event, "a trace keeps the value of `self.training`")


def _is_flag(value: Value) -> bool:
    return isinstance(value, Static) and value.type == "training"
