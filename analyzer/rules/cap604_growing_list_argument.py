"""CAP604: a list argument that grows from call to call."""

from __future__ import annotations

import ast

from analyzer.flow.events import Call, Event, Iterate
from analyzer.rule import Bad, Good, Reporter, Rule
from analyzer.values import Seq, Value

#: What people call a list that collects. Lists of pyramid levels, layers or heads have another length only in another
#: model.
_COLLECTS = frozenset(
    """history hist histories past buffer memory queue log logs trail trajectory seen generated collected previous
    window records accumulated""".split()
)
_JOINS = frozenset({"torch.stack", "torch.cat", "torch.concat", "builtins.len", "builtins.sum"})


class GrowingListArgument(Rule):
    """A list argument that grows from call to call.

    ## What it does
    Finds loops over (and `torch.stack`, `torch.cat`, `sum`, `len` of) a list argument of captured code that the loop
    around the call appends to, or whose name says that it collects: `history`, `past`, `buffer`, `queue`, `window`, …

    ## Why it matters
    TorchDynamo guards on the length of a list that it reads and unrolls a loop over it. A list that is longer on
    every call compiles again on every call, up to the recompile limit (8).

    ## Use instead
    One tensor of a fixed size that is written by index, with the number of valid rows beside it; or stack outside
    and pass the tensor, whose size becomes dynamic.

    ## Fix safety
    No fix is offered.

    ## References
    `torch._dynamo.config.recompile_limit`; measured on torch 2.13.
    """

    code, name = "CAP604", "growing-list-argument"
    calls = tuple(_JOINS)
    outcomes = {"dynamo": "recompiles", "fullgraph": "recompiles"}
    examples = [
        Bad(
            """
import torch


def fn(history):
    total = torch.zeros(3)
    for h in history:  # CAP604
        total = total + h
    return total


captured = torch.compile(fn)


def main():
    captured([torch.ones(3)])
""",
            entry="captured",
            inputs="([torch.ones(3)],)",
            variants=tuple(f"([torch.ones(3)] * {k},)" for k in range(2, 6)),
        ),
        Bad(
            """
import torch


def fn(states):
    return torch.stack(states).mean(0)  # CAP604


def main(x):
    compiled = torch.compile(fn)
    states = [x]
    for _ in range(12):
        states.append(compiled(states))
    return states[-1]
""",
            entry="main",
            outcomes={"fullgraph": "unknown"},
            title="the loop around the call appends to it",
        ),
        Good(
            """
import torch


def fn(states):
    return torch.stack(states).mean(0)


def main(x):
    compiled = torch.compile(fn)
    for _ in range(12):
        states = []
        for k in range(3):
            states.append(x * k)
        x = compiled(states)
    return x
""",
            entry="main",
            title="made anew in every turn",
        ),
        Good(
            """
import torch


def fn(x, parts):
    return x + torch.stack(parts).mean(0)


def main(x):
    compiled = torch.compile(fn)
    parts = []
    for k in range(3):
        parts.append(x * k)
    for _ in range(12):
        x = compiled(x, parts)
    return x
""",
            entry="main",
            title="grown before the calls",
        ),
        Good(
            """
import torch


def fn(pair):
    total = torch.zeros(3)
    for part in pair:
        total = total + part
    return total


captured = torch.compile(fn)


def main():
    captured([torch.ones(3), torch.ones(3)])
""",
            entry="captured",
            inputs="([torch.ones(3)] * 2,)",
            variants=("([torch.ones(3)] * 2,)",) * 3,
        ),
    ]

    def on_iterate(self, event: Iterate, report: Reporter) -> None:
        if event.form in ("for", "comprehension"):
            self._check(event, event.node, event.value, report)

    def on_call(self, event: Call, report: Reporter) -> None:
        if event.name in _JOINS and event.args and event.call.args:
            self._check(event, event.call.args[0], event.args[0], report)

    def _check(self, event: Event, node: ast.AST, value: Value, report: Reporter) -> None:
        if (
            event.context.depth
            or not isinstance(value, Seq)
            or value.type not in ("list", "deque")
            or not isinstance(node, ast.Name)
        ):
            return
        words = set(node.id.lower().split("_"))
        if (words & _COLLECTS or value.grows) and any(a.arg == node.id for a in event.function.parameters):
            report(event, f"`{node.id}` has another length on every call: each compiles again", value=value)
