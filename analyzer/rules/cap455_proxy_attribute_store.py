"""CAP455: attributes set on a proxy."""

from __future__ import annotations

from analyzer.flow.events import AttributeStore
from analyzer.proxy import is_fx_proxy
from analyzer.rule import Bad, Good, Reporter, Rule
from analyzer.values import Tensor


class ProxyAttributeStore(Rule):
    """Attributes of a tensor that are set on a proxy.

    ## What it does
    Finds `y.data = ...` and `y.grad = ...` on a tensor that depends on an argument of the traced function.

    ## Why it matters
    The assignment changes the Proxy and is recorded nowhere: the graph computes as if it were not there,
    without a warning.

    ## Use instead
    `y.copy_(value)` in place of `y.data = value`, or a new name for the new tensor.

    ## Fix safety
    No fix is offered.

    ## References
    torch.fx (https://docs.pytorch.org/docs/stable/fx.html, "Limitations of Symbolic Tracing"); measured on torch 2.13.
    """

    code, name = "CAP455", "proxy-attribute-store"
    outcomes = {"fx": "silently_wrong"}
    examples = [
        Bad(
            """
import torch
def fn(x: torch.Tensor):
    y = x * 2
    y.data = x + 5  # CAP455
    return y.sin()
""",
            inputs="torch.ones(2, 3)",
        ),
        Good(
            """
import torch


def fn(x):
    y = x * 2
    y.copy_(x + 1)
    return y.sin()
""",
            inputs="torch.ones(2, 3)",
            outcomes={"fx": "captured"},
        ),
    ]

    def on_attribute_store(self, event: AttributeStore, report: Reporter) -> None:
        owner = event.owner
        if event.attribute in ("data", "grad") and isinstance(owner, Tensor) and owner.taint and is_fx_proxy(owner):
            report(event, f"`.{event.attribute} =` on a proxy is recorded nowhere", value=owner)
