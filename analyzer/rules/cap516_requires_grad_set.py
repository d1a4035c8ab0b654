"""CAP516: `requires_grad` changed in captured code."""

from __future__ import annotations

from analyzer.flow.events import AttributeStore, Call
from analyzer.outcome import Frontend, Outcome
from analyzer.rule import Bad, Good, Reporter, Rule
from analyzer.values import Bound, Const, Tensor, Value, tensor_in


class RequiresGradSet(Rule):
    """`requires_grad` changed in captured code.

    ## What it does
    Finds `tensor.requires_grad = True` and `tensor.requires_grad_()` on tensors that are no fresh leaves.

    ## Why it matters
    torch.compile ends the graph: the flag of an input is part of the guards, not of the graph.

    ## Use instead
    Set it before the captured function, or use `torch.func.grad`.

    ## Fix safety
    No fix is offered.

    ## References
    Registry ids GB0206 and GB0125; measured on torch 2.13.
    """

    code, name = "CAP516", "requires-grad-set"
    outcomes = {
        "trace": "captured",
        "fx": "captured",
        "script": "captured",
        "dynamo": "graph_break",
        "fullgraph": "refused",
        "export": "captured",
    }
    graph_breaks = ("GB0206", "GB0125", "GB0225", "GB8985")
    examples = [
        Bad(
            """
import torch


def fn(x):
    y = (x * 2).detach()
    y.requires_grad = True  # CAP516
    return (y * 3).sum()
""",
            outcomes={"script": "refused"},
        ),
        Bad(
            """
import torch


def fn(x: torch.Tensor):
    y = x * 2
    x.requires_grad_()  # CAP516
    return y.sum()
""",
        ),
        Bad(
            """
import torch


def fn(x):
    w = torch.ones(3, requires_grad=True)  # CAP516
    return x * w
""",
            outcomes={"script": "refused"},
        ),
        Good(
            """
import torch


def fn(x: torch.Tensor):
    if x.requires_grad:
        return x * 2
    return x
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
        Good(
            """
import torch


def fn(x: torch.Tensor):
    y = x.clone().requires_grad_(False)
    return y.sum()
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

    def on_attribute_store(self, event: AttributeStore, report: Reporter) -> None:
        tensor = tensor_in(event.owner)
        if event.attribute == "requires_grad" and tensor is not None:
            outcomes: dict[Frontend, Outcome] = {**self.claims(report.torch), "script": "refused"}
            report(
                event, "setting requires_grad ends the graph", value=tensor, outcomes=outcomes, graph_breaks=("GB0206",)
            )

    @classmethod
    def speaks_of(cls, name: str) -> bool:
        return name in _FACTORIES or name == "Tensor.requires_grad_"

    def on_call(self, event: Call, report: Reporter) -> None:
        if event.name in _FACTORIES and _is_true(event.kwargs.get("requires_grad")):
            outcomes: dict[Frontend, Outcome] = {**self.claims(report.torch), "script": "refused"}
            report(
                event,
                "a tensor made with requires_grad=True ends the graph",
                outcomes=outcomes,
                graph_breaks=("GB0225",),
            )
            return
        if event.name != "Tensor.requires_grad_" or not isinstance(event.callee, Bound):
            return
        tensor = event.callee.owner
        wanted = event.argument(0, "requires_grad")
        if isinstance(wanted, Const) and wanted.value is False:
            return
        if isinstance(tensor, Tensor) and not tensor.leaf and (tensor.origin is not None or tensor.taint):
            report(
                event, "requires_grad_() on an input ends the graph", value=tensor, graph_breaks=("GB0125", "GB8985")
            )


_FACTORIES = frozenset(f"torch.{n}" for n in "zeros ones full empty rand randn tensor arange linspace eye".split())


def _is_true(value: Value | None) -> bool:
    return isinstance(value, Const) and value.value is True
