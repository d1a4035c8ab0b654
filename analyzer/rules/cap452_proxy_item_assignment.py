"""CAP452: assignment to an element of a proxy."""

from __future__ import annotations

from analyzer.flow.events import Subscript
from analyzer.proxy import is_fx_proxy
from analyzer.rule import Bad, Good, Reporter, Rule


class ProxyItemAssignment(Rule):
    """Assignment to, or deletion of, an element of a proxy.

    ## What it does
    Finds `y[index] = value`, `y[index] += value` and `del y[index]` where `y` depends on an argument, or is an
    argument.

    ## Why it matters
    torch.fx records what a Proxy is asked for, and Python does not let it record an assignment: symbolic_trace
    stops with "does not support item assignment".

    ## Use instead
    `torch.where`, `masked_fill`, `index_put`, `index_copy`, `scatter`, or `torch.cat` of the parts.

    ## Fix safety
    No fix is offered.

    ## References
    torch.fx (https://docs.pytorch.org/docs/stable/fx.html, "Limitations of Symbolic Tracing"); measured on torch 2.13.
    """

    code, name = "CAP452", "proxy-item-assignment"
    outcomes = {"fx": "refused"}
    examples = [
        Bad(
            """
import torch


def fn(x):
    y = x.clone()
    y[0] = 7.0  # CAP452
    return y
""",
            inputs="torch.ones(2, 3)",
        ),
        Bad(
            """
import torch


def fn(x):
    y = torch.zeros_like(x)
    mask = x > 0
    y[mask] = x[mask]  # CAP452
    return y
""",
            inputs="torch.ones(2, 3)",
        ),
        Bad(
            """
import torch


def fn(x):
    y = x * 2
    y[:, 0] += 1  # CAP452
    return y
""",
            inputs="torch.ones(2, 3)",
        ),
        Good(
            """
import torch


def fn(x):
    table = torch.zeros(2, 3)
    table[0] = 1.0
    parts = {}
    parts["a"] = x
    return torch.where(x > 0, parts["a"], table)
""",
            inputs="torch.ones(2, 3)",
            outcomes={"fx": "captured"},
        ),
    ]

    def on_subscript(self, event: Subscript, report: Reporter) -> None:
        if event.access != "load" and is_fx_proxy(event.value):
            report(event, "torch.fx cannot record an assignment to an element", value=event.value)
