"""CAP456: results that a graph cannot hold."""

from __future__ import annotations

from analyzer.flow.events import Return, Syntax
from analyzer.proxy import holds_proxy
from analyzer.rule import Bad, Good, Reporter, Rule
from analyzer.values import Seq


class UntraceableResult(Rule):
    """Results that torch.fx cannot put into a graph.

    ## What it does
    Finds traced functions that return a set or a generator, or an iterator made by `iter`.

    ## Why it matters
    The result of the traced function becomes the output node, which holds tensors, numbers, texts, lists,
    tuples and dicts. Anything else is refused when tracing ends, with an error that names no line.

    ## Use instead
    Return a tuple, a list or a dict with constant keys.

    ## Fix safety
    No fix is offered.

    ## References
    torch.fx (https://docs.pytorch.org/docs/stable/fx.html, "Limitations of Symbolic Tracing"); measured on torch 2.13.
    """

    code, name = "CAP456", "untraceable-result"
    outcomes = {"fx": "refused"}
    examples = [
        Bad(
            """
import torch


def fn(x):
    return (x * i for i in range(2))  # CAP456
""",
            inputs="torch.ones(2, 3)",
        ),
        Bad(
            """
import torch


def fn(x):
    return {x}  # CAP456
""",
            inputs="torch.ones(2, 3)",
        ),
        Good(
            """
import torch


def fn(x):
    return {"a": x, "b": (x, [x * 2])}
""",
            inputs="torch.ones(2, 3)",
            outcomes={"fx": "captured"},
        ),
    ]

    def on_return(self, event: Return, report: Reporter) -> None:
        value = event.value
        if (
            event.context.depth == 0
            and isinstance(value, Seq)
            and value.type in ("generator", "set")
            and holds_proxy(value)
        ):
            report(event, f"a {value.type} cannot be the output of a graph", value=value)

    def on_syntax(self, event: Syntax, report: Reporter) -> None:
        if event.kind in ("Yield", "YieldFrom") and event.context.depth == 0:
            report(event, "a generator cannot be the output of a graph")
