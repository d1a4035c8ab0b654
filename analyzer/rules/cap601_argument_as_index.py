"""CAP601: an argument that selects a module or an element."""

from __future__ import annotations

import ast

from analyzer.flow.events import Subscript
from analyzer.rule import Bad, Good, Reporter, Rule
from analyzer.values import Map, Seq, Static

_CONTAINERS = frozenset({"ModuleList", "ParameterList", "Sequential", "list", "tuple"})


class ArgumentAsIndex(Rule):
    """An argument of captured code that selects a module or a list element.

    ## What it does
    Finds `self.layers[index](x)` and `WEIGHTS[index]` where `index` is an `int` argument of the captured function.

    ## Why it matters
    Which module runs cannot stay open in a graph: TorchDynamo specialises the argument on its value and compiles once
    for every index that is passed, up to the recompile limit (8). Then the function runs eagerly.

    ## Use instead
    Compile the parts (`for layer in self.layers: layer.compile()`) and select outside, or gather from one stacked
    tensor with a tensor index.

    ## Fix safety
    No fix is offered.

    ## References
    `torch._dynamo.config.recompile_limit`; measured on torch 2.13.
    """

    code, name = "CAP601", "argument-as-index"
    outcomes = {"dynamo": "recompiles", "fullgraph": "recompiles"}
    examples = [
        Bad(
            """
from torch import nn


class Blocks(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(3, 3) for _ in range(5)])

    def forward(self, x, index: int):
        return self.layers[index](x)  # CAP601
""",
            entry="Blocks()",
            inputs="(torch.ones(2, 3), 0)",
            variants=tuple(f"(torch.ones(2, 3), {k})" for k in range(1, 5)),
        ),
        Bad(
            """
import torch

WEIGHTS = [0.1, 0.2, 0.3, 0.4, 0.5]


def fn(x, level: int):
    return x * WEIGHTS[level]  # CAP601
""",
            inputs="(torch.ones(3), 0)",
            variants=tuple(f"(torch.ones(3), {k})" for k in range(1, 5)),
        ),
        Good(
            """
import torch


def fn(x, row: int):
    return x[row] * 2
""",
            inputs="(torch.ones(9, 3), 2)",
            variants=tuple(f"(torch.ones(9, 3), {k})" for k in range(3, 6)),
            outcomes={"dynamo": "guarded"},
            title="an index into a tensor becomes dynamic",
        ),
        Good(
            """
from torch import nn


class Blocks(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(3, 3) for _ in range(5)])

    def forward(self, x):
        for index in range(5):
            x = self.layers[index](x)
        return x
""",
            entry="Blocks()",
            inputs="torch.ones(2, 3)",
        ),
    ]

    def on_subscript(self, event: Subscript, report: Reporter) -> None:
        if (
            event.access != "load"
            or not isinstance(event.index, Static)
            or not event.index.taint
            or event.index.type != "int"
        ):
            return
        node = event.node
        if not isinstance(node, ast.Subscript) or not isinstance(node.slice, ast.Name):
            return
        name = node.slice.id
        if not any(a.arg == name for a in event.function.parameters) or name in event.function.defaults:
            return
        value = event.value
        if (
            isinstance(value, Seq)
            and value.type in _CONTAINERS
            and not value.taint
            or isinstance(value, Map)
            and not value.taint
        ):
            report(
                event,
                f"the element is selected by the argument `{name}`: every value compiles again",
                value=event.index,
            )
