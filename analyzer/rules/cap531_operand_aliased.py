"""CAP531: operands of a higher-order operator that its body changes or returns."""

from __future__ import annotations

import ast

from analyzer.facts import body_facts
from analyzer.flow.events import Call, Event, Operation, Return
from analyzer.rule import Bad, Good, Reporter, Rule
from analyzer.values import tensor_in

_BODIES = frozenset({"cond", "while_loop"})


class OperandAliased(Rule):
    """A body of `torch.cond` or `while_loop` changes its operand in place, or returns it as it is.

    ## What it does
    Finds in-place operations on parameters of such bodies, and parameters that they return unchanged.

    ## Why it matters
    The body becomes a graph of its own, whose inputs must stay as they are and whose outputs must
    be new tensors: torch.compile and torch.export raise an error.

    ## Use instead
    The out-of-place operation; `x.clone()` for what is returned unchanged.

    ## Fix safety
    No fix is offered.

    ## References
    Registry ids GB0040 (aliasing) and GB0041 (mutation); measured on torch 2.13.
    """

    code, name = "CAP531", "operand-aliased"
    calls = ("Tensor.",)
    outcomes = {"dynamo": "refused", "fullgraph": "refused", "export": "refused"}
    graph_breaks = ("GB0040", "GB0041")
    examples = [
        Bad(
            """
import torch


def double(x):
    return x * 2


def same(x):
    return x  # CAP531


def fn(x):
    return torch.cond(x.sum() > 0, double, same, (x,))
""",
        ),
        Bad(
            """
import torch


def grow(x):
    x.mul_(2)  # CAP531
    return x + 1


def fn(x):
    y = x.sin()
    return torch.cond(y.sum() > 0, grow, lambda t: t * 3, (y,))
""",
        ),
        Good(
            """
import torch


def helper(x):
    return x


def double(x):
    y = helper(x)
    y = y * 2
    return y


def fn(x):
    return torch.cond(x.sum() > 0, double, lambda t: t.clone(), (x,))
""",
            outcomes={
                "dynamo": "captured",
                "fullgraph": "captured",
                "trace": "refused",
                "fx": "refused",
                "script": "refused",
                "export": "captured",
            },
        ),
    ]

    def on_return(self, event: Return, report: Reporter) -> None:
        if not event.context.body or event.context.region not in _BODIES:
            return
        value = event.node.value if isinstance(event.node, ast.Return) else event.node
        parts = value.elts if isinstance(value, ast.Tuple) else [value]
        returned = next((p for p in parts if isinstance(p, ast.Name) and _parameter(event, p.id)), None)
        if returned is not None:
            report(event, "the body returns an operand as it is", node=returned, graph_breaks=("GB0040",))

    def on_call(self, event: Call, report: Reporter) -> None:
        if not event.context.body or event.context.region not in _BODIES:
            return
        func = event.call.func
        method = event.name.removeprefix("Tensor.")
        changes = event.name.startswith("Tensor.") and method.endswith("_") and not method.endswith("__")
        if (
            changes
            and isinstance(func, ast.Attribute)
            and isinstance(func.value, ast.Name)
            and _parameter(event, func.value.id)
        ):
            report(event, "the body changes an operand in place", value=event.receiver, graph_breaks=("GB0041",))

    def on_operation(self, event: Operation, report: Reporter) -> None:
        node = event.node
        if not event.context.body or event.context.region not in _BODIES or not isinstance(node, ast.AugAssign):
            return
        target = node.target
        names = {a.arg for a in event.function.parameters}
        if isinstance(target, ast.Name) and target.id in names and tensor_in(event.left) is not None:
            report(event, "the body changes an operand in place", value=event.left, graph_breaks=("GB0041",))


def _parameter(event: Event, name: str) -> bool:
    """Whether a name is a parameter that the body does not bind anew."""
    return name in {a.arg for a in event.function.parameters} and name not in body_facts(event.function).bound
