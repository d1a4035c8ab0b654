"""CAP602: an argument that takes many values where the compiler needs one."""

from __future__ import annotations

import ast

from analyzer.flow.events import Call, Event, Operation
from analyzer.rule import Bad, Good, Reporter, Rule
from analyzer.values import Seq, Static, Value

_COUNTS = frozenset({"Tensor.chunk", "torch.chunk", "Tensor.tensor_split", "torch.tensor_split"})


class SpecialisedArgument(Rule):
    """An argument that takes many values where the compiler needs one.

    ## What it does
    Finds `int` and `str` arguments to which the calls in the project pass three or more different values (or the
    counter of a loop) and that decide the shape of the graph: the count of `range`, the length of a repeated list, a
    number of chunks, a `dim`, a text that is compared.

    ## Why it matters
    An `int` that is only computed with becomes dynamic after its first change. One that unrolls a loop or names a
    dimension is a constant of the graph, as is every text: each new value compiles again, up to the recompile limit
    (8).

    ## Use instead
    One compiled function for each of the few values (`functools.partial`), a tensor operation instead of the loop, or
    `torch.compiler.disable` on the part that only looks at the value.

    ## Fix safety
    No fix is offered.

    ## References
    `torch._dynamo.config.recompile_limit`; measured on torch 2.13.
    """

    code, name = "CAP602", "specialised-argument"
    calls = ("builtins.range", "torch.", "Tensor.")
    outcomes = {"dynamo": "recompiles", "fullgraph": "recompiles"}
    examples = [
        Bad(
            """
import torch


def fn(x, steps):
    for _ in range(steps):  # CAP602
        x = x.sin()
    return x


captured = torch.compile(fn)


def main():
    captured(torch.ones(3), 1)
    captured(torch.ones(3), 2)
    captured(torch.ones(3), 3)
    captured(torch.ones(3), 4)
""",
            entry="captured",
            inputs="(torch.ones(3), 1)",
            variants=tuple(f"(torch.ones(3), {k})" for k in (2, 3, 4)),
        ),
        Bad(
            """
import torch


def fn(x, name):
    if name == "query":  # CAP602
        return x + 1
    return x * 2


captured = torch.compile(fn)


def main():
    captured(torch.ones(3), "query")
    captured(torch.ones(3), "key")
    captured(torch.ones(3), "value")
    captured(torch.ones(3), "output")
""",
            entry="captured",
            inputs="(torch.ones(3), 'query')",
            variants=tuple(f"(torch.ones(3), '{k}')" for k in ("key", "value", "output")),
        ),
        Bad(
            """
import torch


def fn(x, depth):
    for _ in range(depth):  # CAP602
        x = x.sin()
    return x


def main(x):
    captured = torch.compile(fn)
    for depth in range(1, 12):
        captured(x, depth)
    return x
""",
            entry="main",
            outcomes={"fullgraph": "unknown"},
            title="the counter of a loop",
        ),
        Bad(
            """
import torch


def fn(x, kind):
    return x + 1 if kind == "key" else x * 2  # CAP602


def main(x):
    captured = torch.compile(fn)
    for kind in ("query", "key", "value", "output"):
        captured(x, kind)
    return x
""",
            entry="main",
            outcomes={"fullgraph": "unknown"},
            title="texts in turn",
        ),
        Good(
            """
import torch


def fn(x, step):
    return x * step


def main(x):
    captured = torch.compile(fn)
    for step in range(2, 12):
        captured(x, step)
    return x
""",
            entry="main",
            outcomes={"dynamo": "guarded"},
            title="a counter that is only computed with",
        ),
        Good(
            """
import torch


def fn(x, step):
    return x * step


captured = torch.compile(fn)


def main():
    captured(torch.ones(3), 1)
    captured(torch.ones(3), 2)
    captured(torch.ones(3), 3)
    captured(torch.ones(3), 4)
""",
            entry="captured",
            inputs="(torch.ones(3), 2)",
            variants=tuple(f"(torch.ones(3), {k})" for k in (3, 4)),
            outcomes={"dynamo": "guarded"},
        ),
        Good(
            """
import torch


def fn(x, steps):
    for _ in range(steps):
        x = x.sin()
    return x


captured = torch.compile(fn)


def main():
    captured(torch.ones(3), 3)
    captured(torch.ones(5), 3)
""",
            entry="captured",
            inputs="(torch.ones(3), 3)",
        ),
    ]

    def on_call(self, event: Call, report: Reporter) -> None:
        if event.name == "builtins.range":
            values = event.args
        elif event.name in _COUNTS:
            values = tuple(v for v in (event.argument(len(event.args) - 1, "chunks"),) if v is not None)
        elif event.name.startswith(("torch.", "Tensor.")) and "dim" in event.kwargs:
            values = (event.kwargs["dim"],)
        else:
            return
        self._check(event, values, report)

    def on_operation(self, event: Operation, report: Reporter) -> None:
        if event.operator in ("Eq", "NotEq", "In", "NotIn"):
            self._check(
                event, tuple(v for v in (event.left, event.right) if isinstance(v, Static) and v.type == "str"), report
            )
        elif event.operator == "Mult" and isinstance(event.left, Seq):
            self._check(event, (event.right,), report)

    def _check(self, event: Event, values: tuple[Value, ...], report: Reporter) -> None:
        for value in values:
            if isinstance(value, Static) and value.varies and value.taint:
                where = event.node if isinstance(event.node, ast.expr) else None
                report(
                    event,
                    "an argument with many values decides the graph: each compiles again",
                    node=where,
                    value=value,
                )
                return
