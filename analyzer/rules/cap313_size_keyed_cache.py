"""CAP313: a cache keyed by a size, filled in captured code."""

from __future__ import annotations

from analyzer.flow.events import StateChange
from analyzer.rule import Bad, Good, Reporter, Rule
from analyzer.values import Seq, Shape, Value


class SizeKeyedCache(Rule):
    """A cache keyed by a size, filled in captured code.

    ## What it does
    Finds `self.cache[x.shape[1]] = …` and `CACHE[n] = …` where the key is (or contains) a size of a tensor and the
    dictionary outlives the call.

    ## Why it matters
    A size that becomes a key must be a plain number: TorchDynamo specialises the dimension on it instead of making it
    dynamic, and guards on the keys of the dictionary. Every new size compiles again, up to the recompile limit.

    ## Use instead
    Compute the value every time (it is fused into the graph and mostly free), or keep one buffer for the largest size
    and slice it.

    ## Fix safety
    No fix is offered.

    ## References
    Measured on torch 2.13: five sizes give five graphs with the cache, two without.
    """

    code, name = "CAP313", "size-keyed-cache"
    outcomes = {"dynamo": "recompiles", "fullgraph": "recompiles"}
    examples = [
        Bad(
            """
import torch
from torch import nn


class Rope(nn.Module):
    def __init__(self):
        super().__init__()
        self.cache = {}

    def forward(self, x):
        n = x.shape[0]
        if n not in self.cache:
            self.cache[n] = torch.arange(n) * 0.5  # CAP313
        return x + self.cache[n]
""",
            entry="Rope()",
            variants=tuple(f"torch.ones({n})" for n in (4, 5, 6, 7)),
        ),
        Good(
            """
import torch


def fn(x):
    return x + torch.arange(x.shape[0]) * 0.5
""",
            variants=tuple(f"torch.ones({n})" for n in (4, 5, 6, 7)),
            outcomes={"dynamo": "guarded"},
        ),
    ]

    def on_state_change(self, event: StateChange, report: Reporter) -> None:
        if (
            event.how == "item"
            and event.lives not in ("", "argument")
            and event.key is not None
            and _is_size(event.key)
        ):
            report(event, f"`{event.state}` is keyed by a size: every new size compiles again", value=event.key)


def _is_size(value: Value) -> bool:
    if isinstance(value, Shape):
        return value.meta == "size"
    return isinstance(value, Seq) and value.items is not None and any(_is_size(i) for i in value.items)
