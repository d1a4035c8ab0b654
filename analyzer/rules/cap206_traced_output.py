"""CAP206: a traced function returns what a trace cannot return."""

from __future__ import annotations

from analyzer.flow.events import Return
from analyzer.rule import Bad, Good, Reporter, Rule
from analyzer.values import Const, Data, Instance, Map, Seq, Shape, Static, Value, is_none


class TracedOutput(Rule):
    """A traced function returns what a trace cannot return.

    ## What it does
    Finds captured functions that return dictionaries, strings, numbers or None from torch.jit.trace.

    ## Why it matters
    torch.jit.trace returns tensors, and lists and tuples of tensors. A dictionary needs
    `strict=False` (its keys and order are frozen); anything else is an error.

    ## Use instead
    A tuple or a NamedTuple of tensors.

    ## Fix safety
    No fix is offered: callers depend on the structure.

    ## References
    Measured on torch 2.13.
    """

    code, name = "CAP206", "untraceable-output"
    outcomes = {
        "trace": "refused",
        "fx": "captured",
        "script": "captured",
        "dynamo": "captured",
        "fullgraph": "captured",
        "export": "captured",
    }
    examples = [
        Bad(
            """
import dataclasses

import torch


@dataclasses.dataclass
class Scores:
    logits: torch.Tensor


def fn(x):
    return Scores(x + 1)  # CAP206
""",
            outcomes={"fx": "unknown", "script": "unknown", "export": "unknown"},
        ),
        Bad(
            """
import torch


def fn(x):
    return x + 1, None  # CAP206
""",
        ),
        Bad(
            """
import torch


def fn(x):
    return {"a": x + 1, "b": x * 2}  # CAP206
""",
        ),
        Bad(
            """
import torch
from torch import nn


class Head(nn.Module):
    def forward(self, x):
        return x.sum(), "logits"  # CAP206
""",
            entry="Head()",
        ),
        Bad(
            """
import torch


def fn(x):
    return x, (x.shape[0], True)  # CAP206
""",
        ),
        Good(
            """
import torch


def fn(x):
    return x + 1, [x * 2, x * 3]
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


def parts(x):
    return {"a": x + 1}


def fn(x):
    return parts(x)["a"]
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
    ]

    def on_return(self, event: Return, report: Reporter) -> None:
        if event.context.depth == 0 and _untraceable(event.value):
            report(event, "a trace returns tensors and tuples of tensors only", value=event.value)


def _untraceable(value: Value) -> bool:
    if isinstance(value, Seq):
        return value.type in ("tuple", "list") and any(is_none(i) or _untraceable(i) for i in value.items or ())
    if isinstance(value, (Static, Data)) or isinstance(value, Const) and not is_none(value):
        return True
    if isinstance(value, Shape):
        return value.meta not in ("size", "any") or value.type == "bool"
    if isinstance(value, Instance) and value.cls is not None and not value.cls.node.bases:
        return True
    return isinstance(value, Map) or isinstance(value, Instance) and value.name.startswith("datetime.")
