"""CAP607: an `int` attribute of a compiled module that is set anew before every call."""

from __future__ import annotations

from analyzer.flow.events import AttributeLoad
from analyzer.rule import Bad, Good, Reporter, Rule
from analyzer.values import Instance, Static


class AttributeSetBetweenCalls(Rule):
    """An `int` attribute of a compiled module that is set anew before every call.

    ## What it does
    Finds attributes that captured code reads and that a loop which calls the compiled module sets to the loop's
    counter: `for step in range(n): net.step = step; compiled(x)`.

    ## Why it matters
    An `int` attribute of an `nn.Module` is a constant of the graph, guarded by its value: each value compiles again, up
    to the recompile limit (8). Then the module runs eagerly.

    ## Use instead
    Pass the number as an argument (an `int` argument that is only computed with becomes dynamic after its first
    change), keep it as a `float`, or in a buffer that is filled outside (`net.step.fill_(step)`).

    ## Fix safety
    No fix is offered.

    ## References
    `torch._dynamo.config.allow_unspec_int_on_nn_module`, `torch._dynamo.config.recompile_limit`; measured on torch
    2.13.
    """

    code, name = "CAP607", "attribute-set-between-calls"
    outcomes = {"dynamo": "recompiles", "fullgraph": "recompiles"}
    examples = [
        Bad(
            """
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.step = 0

    def forward(self, x):
        return x * self.step  # CAP607


def main(x):
    net = Net()
    compiled = torch.compile(net)
    for step in range(12):
        net.step = step
        compiled(x)
    return x
""",
            entry="main",
            outcomes={"fullgraph": "unknown"},
        ),
        Bad(
            """
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.depth = 1

    def forward(self, x):
        for _ in range(self.depth):  # CAP607
            x = x.sin()
        return x


def main(x):
    compiled = torch.compile(Net())
    for depth in (1, 2, 4, 8):
        compiled.depth = depth
        x = compiled(x)
    return x
""",
            entry="main",
            outcomes={"fullgraph": "unknown"},
        ),
        Good(
            """
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x, step):
        return x * step


def main(x):
    compiled = torch.compile(Net())
    for step in range(2, 12):
        compiled(x, step)
    return x
""",
            entry="main",
            outcomes={"dynamo": "guarded"},
        ),
        Good(
            """
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.step = 0

    def forward(self, x):
        return x * 2


def main(x):
    net = Net()
    compiled = torch.compile(net)
    for step in range(12):
        net.step = step
        compiled(x)
    return x
""",
            entry="main",
            title="never read in captured code",
        ),
        Good(
            """
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.depth = 1

    def forward(self, x):
        for _ in range(self.depth):
            x = x.sin()
        return x


def main(x):
    for depth in range(1, 4):
        net = Net()
        net.depth = 3
        compiled = torch.compile(net)
        compiled(x)
    return x
""",
            entry="main",
            outcomes={"dynamo": "captured"},
            title="one value",
        ),
    ]

    def on_attribute_load(self, event: AttributeLoad, report: Reporter) -> None:
        result = event.result
        if isinstance(event.value, Instance) and isinstance(result, Static) and result.varies and not result.taint:
            report(event, f"`{event.attribute}` is set anew for every call: each value compiles again", value=result)
