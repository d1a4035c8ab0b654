"""CAP450: control flow on arguments and host values under torch.fx."""

from __future__ import annotations

import ast

from analyzer.flow.events import Operation, TruthTest
from analyzer.proxy import is_fx_proxy
from analyzer.rule import Bad, Good, Reporter, Rule
from analyzer.values import Data, Map, Seq, Shape, Static, Tensor, Unknown


class ProxyControlFlow(Rule):
    """Control flow on proxies that are neither tensors nor sizes.

    ## What it does
    Finds `if`, `while`, `assert`, conditional expressions, `and`/`or`/`not` and `match` on an argument of any
    type (a flag, a number, a text, a dict), on what is computed from it, on the result of `.item()`, and on the
    size of a parameter of a module.

    ## Why it matters
    torch.fx calls the function with a Proxy for every argument, also for ints, flags and texts, and for every
    parameter of a module. A Proxy has no truth value; symbolic_trace stops with an error. (`x is None` is
    allowed, and False.)

    ## Use instead
    `concrete_args` of symbolic_trace to fix an argument that selects a mode, an attribute of the module for
    what is known before the call, a helper marked with `torch.fx.wrap`.

    ## Fix safety
    No fix is offered.

    ## References
    torch.fx (https://docs.pytorch.org/docs/stable/fx.html, "Limitations of Symbolic Tracing"); measured on torch 2.13.
    """

    code, name = "CAP450", "proxy-control-flow"
    outcomes = {"fx": "refused"}
    examples = [
        Bad(
            """
import torch


def fn(x, flag):
    if flag:  # CAP450
        return x.sin()
    return x.cos()
""",
            inputs="(torch.ones(2, 3), True)",
        ),
        Bad(
            """
import torch


def fn(x, mode):
    return x.sin() if mode == "sin" else x.cos()  # CAP450
""",
            inputs='(torch.ones(2, 3), "sin")',
        ),
        Bad(
            """
import torch


def fn(x):
    match x.sum().item():
        case 0:  # CAP450
            return x.sin()
        case _:
            return x.cos()
""",
            inputs="torch.ones(2, 3)",
        ),
        Bad(
            """
import torch
from torch import nn


class Scaled(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(3))

    def forward(self, x):
        if self.weight.shape[0] < 10:  # CAP450
            return x * self.weight
        return x
""",
            entry="Scaled()",
            inputs="torch.ones(2, 3)",
        ),
        Good(
            """
import torch
from torch import nn


class Mode(nn.Module):
    def __init__(self):
        super().__init__()
        self.double = True

    def forward(self, x, y=None):
        if self.double:
            x = x * 2
        if y is not None:
            x = x + y
        return x
""",
            entry="Mode()",
            inputs="(torch.ones(2, 3), torch.ones(3))",
            outcomes={"fx": "captured"},
        ),
    ]

    def on_truth_test(self, event: TruthTest, report: Reporter) -> None:
        value = event.value
        kinds = (Data, Static, Unknown, Seq, Map, Shape, Tensor)
        if not isinstance(value, kinds) or not is_fx_proxy(value) or isinstance(value, Tensor) and value.taint:
            return
        if isinstance(value, Shape) and value.taint:
            return  # a branch on a size is CAP201
        node: ast.AST | None = event.node
        if isinstance(event.statement, ast.Match):
            tested = [c for c in event.statement.cases if not isinstance(c.pattern, ast.MatchAs)]
            node = tested[0].pattern if tested else None
        if node is not None:
            report(event, "torch.fx has no value to branch on here", node=node, value=value)

    def on_operation(self, event: Operation, report: Reporter) -> None:
        inside = (
            event.operator in ("In", "NotIn") and isinstance(event.right, Seq) and event.right.type in ("tuple", "list")
        )
        if inside and is_fx_proxy(event.left) and not is_fx_proxy(event.right):
            report(event, "`in` compares one by one, and torch.fx has no value to compare", value=event.left)
