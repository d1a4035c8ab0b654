"""CAP532: a higher-order operator under torch.jit.trace or torch.fx."""

from __future__ import annotations

from analyzer.dependence import is_proxy
from analyzer.flow.events import Call
from analyzer.rule import Bad, Good, Reporter, Rule
from analyzer.values import Partial

_OPERATORS = frozenset(
    {
        "torch.cond",
        "torch.while_loop",
        "torch._higher_order_ops.while_loop",
        "torch._higher_order_ops.while_loop.while_loop",
    }
)


class OperatorTakesNoProxy(Rule):
    """A higher-order operator under torch.jit.trace or torch.fx.

    ## What it does
    Finds `torch.cond`, `while_loop`, and the transforms of `torch.func` in captured code.

    ## Why it matters
    These operators are made for torch.compile and torch.export: torch.jit.trace and
    torch.fx.symbolic_trace refuse them.

    ## Use instead
    torch.compile or torch.export; `torch.where` where both sides are cheap.

    ## Fix safety
    No fix is offered.

    ## References
    Measured on torch 2.13.
    """

    code, name = "CAP532", "operator-takes-no-proxy"
    outcomes = {
        "trace": "refused",
        "fx": "refused",
        "dynamo": "captured",
        "fullgraph": "captured",
        "export": "captured",
    }
    graph_breaks = ()
    examples = [
        Bad(
            """
import torch


def double(x):
    return x * 2


def triple(x):
    return x * 3


def fn(x):
    return torch.cond(x.sum() > 0, double, triple, (x,))  # CAP532
""",
        ),
        Bad(
            """
import torch


def fn(x):
    return torch.vmap(torch.sin)(x) + torch.vmap(lambda row: row * 2)(x)  # CAP532
""",
            inputs="torch.ones(2, 3)",
            outcomes={"trace": "captured"},
        ),
        Good(
            """
import torch


def fn(x):
    return torch.where(x.sum() > 0, x * 2, x * 3)
""",
            outcomes={
                "dynamo": "captured",
                "fullgraph": "captured",
                "trace": "captured",
                "fx": "captured",
                "script": "captured",
                "export": "captured",
            },
        ),
    ]

    def on_call(self, event: Call, report: Reporter) -> None:
        if event.name in _OPERATORS:
            report(event, f"{event.name.rsplit('.', 1)[-1]} takes neither traced tensors nor proxies")
        elif (
            isinstance(event.callee, Partial)
            and event.callee.wrapper == "torch.vmap"
            and any(map(is_proxy, event.args))
        ):
            report(event, "a transform of torch.func takes no proxies", outcomes={"fx": "refused"})
