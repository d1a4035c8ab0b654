"""CAP605: `is` between objects that can be swapped."""

from __future__ import annotations

import ast

from analyzer.flow.events import Operation
from analyzer.project import dotted
from analyzer.rule import Bad, Good, Reporter, Rule
from analyzer.values import Bound, Const, Instance, Map, Seq, Unknown, Value


class IdentityOfSwappedObject(Rule):
    """`is` between two attributes that hold objects.

    ## What it does
    Finds `holder.current is holder.left`: a comparison by identity of two attributes that hold plain objects, modules
    or containers and that outlive the call.

    ## Why it matters
    TorchDynamo decides the comparison while it traces and (measured on torch 2.13) keeps no guard on the identity of
    the two objects. When the attribute is pointed to the other object later, the old branch runs, without a word.
    Traces and FX graphs keep the branch as well.

    ## Use instead
    Compare a value that is guarded: a `bool`, an `int` or an enum member that is set together with the attribute.
    `is None` and comparisons of functions and tensors are guarded.

    ## Fix safety
    No fix is offered.

    ## References
    Measured on torch 2.13.
    """

    code, name = "CAP605", "identity-of-swapped-object"
    outcomes = {
        "dynamo": "silently_wrong",
        "fullgraph": "silently_wrong",
        "trace": "silently_wrong",
        "fx": "silently_wrong",
    }
    examples = [
        Bad(
            """
import torch


class Holder:
    def __init__(self):
        self.left = object()
        self.right = object()
        self.current = self.left


HOLDER = Holder()


def swap(to):
    HOLDER.current = to
    return torch.ones(3)


def fn(x):
    if HOLDER.current is HOLDER.left:  # CAP605
        return x + 1
    return x - 1
""",
            inputs="swap(HOLDER.left)",
            variants=("swap(HOLDER.right)",),
        ),
        Good(
            """
import torch


class Holder:
    def __init__(self):
        self.left = True


HOLDER = Holder()


def swap(to):
    HOLDER.left = to
    return torch.ones(3)


def fn(x):
    if HOLDER.left is True:
        return x + 1
    return x - 1
""",
            inputs="swap(True)",
            variants=("swap(False)",),
            outcomes={"dynamo": "guarded"},
        ),
    ]

    def on_operation(self, event: Operation, report: Reporter) -> None:
        node = event.node
        if event.operator not in ("Is", "IsNot") or not isinstance(node, ast.Compare) or len(node.comparators) != 1:
            return
        left, right = node.left, node.comparators[0]
        if not isinstance(left, ast.Attribute) or not isinstance(right, ast.Attribute):
            return
        a, b = dotted(left), dotted(right)
        if a is None or b is None or a.rsplit(".", 1)[0] != b.rsplit(".", 1)[0]:
            return
        if _object(event.left) and _object(event.right):
            report(event, f"the identity of `{a}` is not guarded: a swap goes unnoticed", value=event.left)


def _object(value: Value) -> bool:
    if isinstance(value, Const) or value.taint:
        return False
    return isinstance(value, (Instance, Unknown, Seq, Map)) and not isinstance(value, Bound)
