"""CAP522: an iterator passed into captured code."""

from __future__ import annotations

import ast

from analyzer.facts import body_facts
from analyzer.flow.events import Call, Iterate
from analyzer.outcome import Frontend, Outcome
from analyzer.rule import Bad, Good, Reporter, Rule
from analyzer.values import Instance, Seq, Value


class IteratorArgument(Rule):
    """An iterator or a data loader consumed in captured code.

    ## What it does
    Finds loops over iterators that were made outside (arguments, `DataLoader`s).

    ## Why it matters
    An iterator changes when it is read, which a graph cannot express: torch.compile ends the graph,
    and the whole function runs eagerly if the loop cannot be resumed.

    ## Use instead
    Pass a list, or loop outside and compile the body.

    ## Fix safety
    No fix is offered.

    ## References
    Registry ids GB0811 and GB0008; measured on torch 2.13.
    """

    code, name = "CAP522", "iterator-argument"
    calls = ("builtins.next", "builtins.iter")
    outcomes = {
        "trace": "refused",
        "fx": "refused",
        "script": "refused",
        "dynamo": "graph_break",
        "fullgraph": "refused",
        "export": "refused",
    }
    graph_breaks = ("GB0811", "GB0008", "GB4347")
    examples = [
        Bad(
            """
import torch


def fn(x, it):
    for k in it:  # CAP522
        x = x * k
    return x


if __name__ == "__main__":
    torch.compile(fn)(torch.ones(3), iter([1, 2, 3]))
""",
            inputs="(torch.ones(3), iter([1, 2, 3]))",
            outcomes={"dynamo": "skipped_frame"},
        ),
        Bad(
            """
import torch

NUMBERS = (i for i in range(100))


def fn(x):
    y = x * 2
    return y + next(NUMBERS)  # CAP522
""",
            variants=("torch.ones(3)",),
            outcomes={"trace": "silently_wrong", "fx": "silently_wrong", "export": "silently_wrong"},
        ),
        Good(
            """
import torch


def fn(x):
    for k in iter([1, 2, 3]):
        x = x * k
    return x
""",
            outcomes={
                "dynamo": "captured",
                "fullgraph": "captured",
                "trace": "captured",
                "fx": "captured",
                "script": "refused",
                "export": "captured",
            },
        ),
        Good(
            """
import torch


def numbers():
    yield 1
    yield 2


def fn(x):
    made = numbers()
    return x + next(made) + sum(i for i in range(3))
""",
            outcomes={
                "dynamo": "captured",
                "fullgraph": "captured",
                "trace": "captured",
                "fx": "captured",
                "script": "refused",
                "export": "captured",
            },
        ),
    ]

    def on_iterate(self, event: Iterate, report: Reporter) -> None:
        if isinstance(event.value, Seq) and event.value.type == "iterator argument":
            report(event, "an iterator made outside cannot be consumed in a graph", graph_breaks=("GB0811",))
        elif _is_loader(event.value):
            report(event, "a DataLoader cannot be iterated in a graph", graph_breaks=("GB0008",))

    def on_call(self, event: Call, report: Reporter) -> None:
        if event.name == "builtins.next" and event.args and self._from_outside(event):
            outcomes: dict[Frontend, Outcome] = {
                **self.claims(report.torch),
                "trace": "silently_wrong",
                "fx": "silently_wrong",
                "export": "silently_wrong",
            }
            report(
                event,
                "a generator made outside cannot be advanced in a graph",
                outcomes=outcomes,
                graph_breaks=("GB4347",),
            )
        if event.name in ("builtins.next", "builtins.iter") and event.args and _is_loader(event.args[0]):
            report(event, "a DataLoader cannot be iterated in a graph", graph_breaks=("GB0008",))

    def _from_outside(self, event: Call) -> bool:
        """A generator that a module-level name holds."""
        value, node = event.args[0], event.call.args[0]
        if not isinstance(value, Seq) or value.type != "generator" or not isinstance(node, ast.Name):
            return False
        return event.function.module.bound(node.id) is not None and node.id not in body_facts(event.function).bound


def _is_loader(value: Value) -> bool:
    return isinstance(value, Instance) and value.name in (
        "torch.utils.data.DataLoader",
        "torch.utils.data.dataloader.DataLoader",
    )
