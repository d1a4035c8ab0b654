"""CAP457: random tensors that torch.fx draws once."""

from __future__ import annotations

from analyzer.flow.events import Call
from analyzer.proxy import holds_proxy
from analyzer.rule import Bad, Good, Reporter, Rule

_DRAWS = frozenset("torch.rand torch.randn torch.randint torch.randperm torch.normal torch.bernoulli".split())


class FrozenRandomTensor(Rule):
    """Random tensors that torch.fx draws once, while it traces.

    ## What it does
    Finds `torch.rand`, `torch.randn`, `torch.randint`, `torch.randperm`, `torch.normal` and `torch.bernoulli`
    without an argument that depends on the input.

    ## Why it matters
    torch.fx records a call only if a Proxy is among its arguments. These have none: they run while the function
    is traced, and the numbers drawn then become a constant of the graph, the same for every later call.

    ## Use instead
    `torch.rand_like(x)`, or sizes taken from the input: `torch.rand(x.shape)`.

    ## Fix safety
    No fix is offered.

    ## References
    torch.fx (https://docs.pytorch.org/docs/stable/fx.html, "Limitations of Symbolic Tracing"); measured on torch 2.13.
    """

    code, name = "CAP457", "frozen-random-tensor"
    calls = tuple(_DRAWS)
    outcomes = {"fx": "silently_wrong"}
    examples = [
        Bad(
            """
import torch


def fn(x):
    return x + torch.rand(3)  # CAP457
""",
            inputs="torch.ones(2, 3)",
        ),
        Good(
            """
import torch


def fn(x):
    return x + torch.rand_like(x) * 0 + torch.rand(x.shape) * 0
""",
            inputs="torch.ones(2, 3)",
            outcomes={"fx": "captured"},
        ),
    ]

    def on_call(self, event: Call, report: Reporter) -> None:
        if event.name in _DRAWS and not any(map(holds_proxy, (*event.args, *event.kwargs.values()))):
            report(event, "torch.fx draws these numbers once and keeps them")
