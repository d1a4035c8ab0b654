"""CAP530: side effects in the body of a higher-order operator."""

from __future__ import annotations

from analyzer.flow.events import AttributeStore, Event, GlobalStore
from analyzer.rule import Bad, Good, Reporter, Rule
from analyzer.values import Instance

BODIES = frozenset({"cond", "while_loop", "checkpoint"})


class SideEffectInOperatorBody(Rule):
    """Side effects in the body of a higher-order operator.

    ## What it does
    Finds assignments to globals, attributes and outer containers in functions given to `torch.cond`, `while_loop` and
    `torch.utils.checkpoint.checkpoint`.

    ## Why it matters
    The body becomes a graph of its own, which must not change anything outside: torch.compile
    breaks (checkpoint) or refuses (cond, while_loop).

    ## Use instead
    Return the value and assign it outside.

    ## Fix safety
    No fix is offered.

    ## References
    Registry ids GB0067 and GB4413; measured on torch 2.13.
    """

    code, name = "CAP530", "side-effect-in-operator-body"
    outcomes = {"dynamo": "graph_break", "fullgraph": "refused", "export": "captured"}
    graph_breaks = ("GB0067", "GB4413")
    examples = [
        Bad(
            """
import torch
from torch.utils.checkpoint import checkpoint

ROWS = 0


def block(x):
    global ROWS
    ROWS = x.shape[0]  # CAP530
    return x.sin()


def fn(x):
    return checkpoint(block, x, use_reentrant=False).sum()
""",
            inputs="torch.ones(3, requires_grad=True)",
            outcomes={"trace": "captured", "fx": "captured"},
        ),
        Bad(
            """
import torch
from torch import nn
from torch.utils.checkpoint import checkpoint


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)
        self.last = None

    def block(self, x):
        y = self.fc(x)
        self.last = y.detach()  # CAP530
        return y

    def forward(self, x):
        return checkpoint(self.block, x.sin(), use_reentrant=False)
""",
            entry="Layer()",
            inputs="torch.ones(2, 3, requires_grad=True)",
            outcomes={"trace": "captured", "fx": "captured"},
        ),
        Bad(
            """
import torch

DOUBLED = False


def double(x):
    global DOUBLED
    DOUBLED = True  # CAP530
    return x * 2


def triple(x):
    return x * 3


def fn(x):
    return torch.cond(x.sum() > 0, double, triple, (x,))
""",
            outcomes={"dynamo": "refused", "export": "refused"},
        ),
        Good(
            """
import torch
from torch.utils.checkpoint import checkpoint


def block(x):
    return x.sin()


def fn(x):
    return checkpoint(block, x, use_reentrant=True).sum()
""",
            inputs="torch.ones(3, requires_grad=True)",
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


def double(x):
    parts = [x, x]
    parts.append(x)
    return parts[0] * 2


def fn(x):
    return torch.cond(x.sum() > 0, double, lambda t: t * 3, (x,))
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

    def on_global_store(self, event: GlobalStore, report: Reporter) -> None:
        if event.context.region in BODIES:
            self._report(event, report, "GB0067")

    def on_attribute_store(self, event: AttributeStore, report: Reporter) -> None:
        if event.context.region in BODIES and isinstance(event.owner, Instance) and not event.owner.fresh:
            self._report(event, report, "GB4413" if event.context.region == "checkpoint" else "GB0067")

    def _report(self, event: Event, report: Reporter, graph_break: str) -> None:
        region = event.context.region
        outcomes = self.claims(report.torch)
        if region != "checkpoint":
            outcomes["export"] = "refused"
        report(
            event, f"a {region} body must not change anything outside", outcomes=outcomes, graph_breaks=(graph_break,)
        )
