"""CAP458: a tensor of the module that torch.fx changes once, while it traces."""

from __future__ import annotations

from analyzer.flow.events import AttributeStore, Call, Event, Subscript
from analyzer.proxy import holds_proxy, is_fx_proxy
from analyzer.rule import Bad, Good, Reporter, Rule
from analyzer.values import Bound, Tensor, Value

_KEPT = frozenset({"buffer", "attribute", "global"})


class BufferChangedWhileTracing(Rule):
    """A tensor of the module that torch.fx changes once, while it traces.

    ## What it does
    Finds in-place operations on buffers and other kept tensors, none of whose operands depends on the input:
    `self.steps.add_(1)`, `self.mean.mul_(0.9)`, `self.mask[0] = 1.0`.

    ## Why it matters
    torch.fx records an operation only if a Proxy is among its operands, and a buffer is none. The change is made
    to the real tensor while the function is traced; the graph does not repeat it.

    ## Use instead
    Compute the new value out of the input and return it, or keep the module that counts out of the traced part
    (`torch.fx.wrap`, a leaf module).

    ## Fix safety
    No fix is offered.

    ## References
    torch.fx (https://docs.pytorch.org/docs/stable/fx.html, "Limitations of Symbolic Tracing"); measured on torch 2.13.
    """

    code, name = "CAP458", "buffer-changed-while-tracing"
    calls = ("Tensor.",)
    outcomes = {"fx": "silently_wrong"}
    examples = [
        Bad(
            """
import torch
from torch import nn


class Decayed(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("mean", torch.zeros(3))

    def forward(self, x):
        self.mean.mul_(0.9).add_(x)  # CAP458
        return x - self.mean
""",
            entry="Decayed()",
            variants=("torch.full((3,), 3.0)",),
        ),
        Bad(
            """
import torch
from torch import nn


class Masked(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("mask", torch.zeros(3))

    def forward(self, x):
        self.mask[0] = 2.0  # CAP458
        return x * self.mask.clone()
""",
            entry="Masked()",
            outcomes={"fx": "unknown"},
        ),
        Good(
            """
import torch
from torch import nn


class Last(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("seen", torch.zeros(3))

    def forward(self, x):
        self.seen.copy_(x)
        return x + self.seen
""",
            entry="Last()",
            outcomes={"fx": "captured"},
        ),
    ]

    def on_call(self, event: Call, report: Reporter) -> None:
        callee = event.callee
        if isinstance(callee, Bound) and callee.method.endswith("_") and not callee.method.endswith("__"):
            self._check(event, callee.owner, (*event.args, *event.kwargs.values()), report)

    def on_subscript(self, event: Subscript, report: Reporter) -> None:
        if event.access in ("store", "augmented") and event.stored is not None:
            self._check(event, event.value, (event.index, event.stored), report)

    def on_attribute_store(self, event: AttributeStore, report: Reporter) -> None:
        if event.augmented and event.before is not None:
            self._check(event, event.before, (event.stored,), report)

    def _check(self, event: Event, kept: Value, operands: tuple[Value, ...], report: Reporter) -> None:
        if not isinstance(kept, Tensor) or kept.origin not in _KEPT or kept.array or is_fx_proxy(kept):
            return
        if not any(map(holds_proxy, operands)):
            report(event, "torch.fx makes this change once, while it traces", value=kept)
