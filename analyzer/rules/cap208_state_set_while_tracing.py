"""CAP208: state changed where a trace does not see it."""

from __future__ import annotations

import ast

from analyzer.dependence import varies
from analyzer.flow.events import Call, Subscript
from analyzer.rule import Bad, Good, Reporter, Rule
from analyzer.values import Bound, Data, Seq, Shape, Tensor, tensor_in

_SETTERS = frozenset({"torch.set_default_dtype", "torch.set_default_device", "torch.set_default_tensor_type"})


class StateSetWhileTracing(Rule):
    """State changed, or a value checked, in a way that a trace does not follow.

    ## What it does
    Finds changes of `parameter.data`, of torch's global defaults, masked stores of masked reads and
    `torch._check` on sizes.

    ## Why it matters
    torch.jit.trace records tensor operations: what `.data` hides from autograd, a default that was
    set and reset, or the number of elements that a mask selected is a constant of the trace, or an error for the next
    input.

    ## Use instead
    `with torch.no_grad():` and an in-place operation on the parameter; `dtype=` in the factory; `torch.where`.

    ## Fix safety
    No fix is offered.

    ## References
    Measured on torch 2.13.
    """

    code, name = "CAP208", "state-set-while-tracing"
    calls = (*_SETTERS, "torch._check", "Tensor.")
    outcomes = {
        "trace": "silently_wrong",
        "fx": "captured",
        "script": "refused",
        "dynamo": "captured",
        "fullgraph": "captured",
        "export": "silently_wrong",
    }
    examples = [
        Bad(
            """
import torch


def fn(x):
    torch.set_default_dtype(torch.float64)  # CAP208
    y = torch.zeros(3)
    torch.set_default_dtype(torch.float32)  # CAP208
    return x + y
""",
        ),
        Good(
            """
import torch


def fn(x):
    return x + torch.zeros(3, dtype=torch.float64)
""",
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


class Decay(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(3))

    def forward(self, x):
        with torch.no_grad():
            self.weight.mul_(0.5)
        return x * self.weight
""",
            entry="Decay()",
            outcomes={
                "dynamo": "captured",
                "fullgraph": "captured",
                "trace": "refused",
                "fx": "refused",
                "script": "captured",
                "export": "captured",
            },
        ),
    ]

    def on_call(self, event: Call, report: Reporter) -> None:
        if event.name in _SETTERS:
            previous = event.args[0] if event.args else None
            if not isinstance(previous, Shape) and getattr(previous, "type", "") != "dtype":
                report(event, "a trace does not record this setting")
        elif event.name == "torch._check" and event.args and _sized(event):
            report(event, "under a trace a size is a tensor, which torch._check refuses", outcomes={"trace": "refused"})
        elif isinstance(event.callee, Bound) and isinstance(event.callee.owner, Tensor):
            owner = event.callee.owner
            if owner.leaf and owner.origin == "parameter" and event.callee.method.endswith("_") and _hides(event):
                report(event, "a trace does not follow a change of `.data`", value=owner)

    def on_subscript(self, event: Subscript, report: Reporter) -> None:
        if event.access != "store" or event.stored is None:
            return
        stored, base = tensor_in(event.stored), tensor_in(event.value)
        index = event.index if not isinstance(event.index, Seq) else None
        mask = tensor_in(index) if index is not None else None
        if base is None or stored is None or mask is None or mask.dtype != "bool" or stored.ndim == 0:
            return
        if stored.selected and varies(stored):
            message = "how many elements the mask selects is a constant of the trace"
            report(event, message, value=mask, outcomes={"trace": "refused"})


def _sized(event: Call) -> bool:
    """Whether the condition compares a size: Shape alone, or data against a size."""
    condition = event.call.args[0] if event.call.args else None
    value = event.args[0]
    if isinstance(value, Shape) and value.taint:
        return True
    return (
        isinstance(value, Data)
        and condition is not None
        and ("shape" in ast.dump(condition) or "'size'" in ast.dump(condition))
    )


def _hides(event: Call) -> bool:
    func = event.call.func
    return isinstance(func, ast.Attribute) and isinstance(func.value, ast.Attribute) and func.value.attr == "data"
