"""CAP606: a number that differs in every block of a model whose blocks are compiled one by one."""

from __future__ import annotations

from analyzer.flow.events import AttributeLoad
from analyzer.flow.numbering import counts
from analyzer.rule import Bad, Good, Reporter, Rule
from analyzer.values import Instance


class NumberedBlocks(Rule):
    """A number that differs in every block of a model whose blocks are compiled one by one.

    ## What it does
    Finds `self.layer_idx` read in a block that is compiled in a loop over the blocks
    (`for block in model.blocks: block.compile()`) and that the constructor got from a loop's counter
    (`Block(i) for i in range(n)`).

    ## Why it matters
    Blocks of one class share the code of `forward`, and TorchDynamo keeps all its compiled versions there. An `int`
    attribute of a module is a constant of the graph: every block compiles again, up to the recompile limit (8), and
    the blocks after that run eagerly (under `fullgraph=True`: `FailOnRecompileLimitHit`). Without such a number all
    blocks share one or two versions.

    ## Use instead
    Decide in the constructor what depends on the number (`self.is_first = index == 0`), pass each block its own part
    of a cache; or `torch.compile(block, isolate_recompiles=True)` (torch 2.12 and newer) to give every block a limit of
    its own.

    ## Fix safety
    No fix is offered.

    ## References
    https://github.com/huggingface/transformers/issues/36484, https://github.com/pytorch/pytorch/issues/167504;
    `torch._dynamo.config.recompile_limit`; measured on torch 2.13.
    """

    code, name = "CAP606", "numbered-blocks"
    outcomes = {"dynamo": "recompiles", "fullgraph": "recompiles"}
    examples = [
        Bad(
            """
from torch import nn


class Block(nn.Module):
    def __init__(self, index):
        super().__init__()
        self.index = index
        self.fc = nn.Linear(3, 3)

    def forward(self, x):
        if self.index % 2 == 0:  # CAP606
            x = x + 1
        return self.fc(x)


class Net(nn.Module):
    def __init__(self, depth):
        super().__init__()
        self.blocks = nn.ModuleList([Block(i) for i in range(depth)])

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return x


def run(x):
    net = Net(12)
    for block in net.blocks:
        block.compile()
    return net(x)
""",
            entry="run",
            inputs="torch.ones(2, 3)",
            outcomes={"fullgraph": "unknown"},
        ),
        Bad(
            """
import torch
from torch import nn


class Attention(nn.Module):
    def __init__(self, width, layer_idx=None):
        super().__init__()
        self.layer_idx = layer_idx
        self.proj = nn.Linear(width, width)

    def forward(self, x, cache):
        x = self.proj(x)
        cache[self.layer_idx] = x  # CAP606
        return x


class Layer(nn.Module):
    def __init__(self, width, layer_idx):
        super().__init__()
        self.attention = Attention(width, layer_idx=layer_idx)

    def forward(self, x, cache):
        return x + self.attention(x, cache)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList(Layer(3, layer_idx=i) for i in range(12))
        for i, layer in enumerate(self.layers):
            self.layers[i] = torch.compile(layer)

    def forward(self, x):
        cache = {}
        for layer in self.layers:
            x = layer(x, cache)
        return x


def run(x):
    return Net()(x)
""",
            entry="run",
            inputs="torch.ones(2, 3)",
            outcomes={"fullgraph": "unknown"},
            title="passed on to a part of the block",
        ),
        Good(
            """
import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, index):
        super().__init__()
        self.even = index % 2 == 0
        self.fc = nn.Linear(3, 3)

    def forward(self, x):
        if self.even:
            x = x + 1
        return self.fc(x)


def run(x):
    blocks = [torch.compile(Block(i)) for i in range(12)]
    for block in blocks:
        x = block(x)
    return x
""",
            entry="run",
            inputs="torch.ones(2, 3, requires_grad=True)",
            outcomes={"dynamo": "guarded"},
            title="two values",
        ),
        Good(
            """
import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, index):
        super().__init__()
        self.index = index
        self.fc = nn.Linear(3, 3)

    def forward(self, x):
        return self.fc(x) * self.index


class Net(nn.Module):
    def __init__(self, depth):
        super().__init__()
        self.blocks = nn.ModuleList([Block(i) for i in range(depth)])

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return x


net = torch.compile(Net(12))
""",
            entry="net",
            inputs="torch.ones(2, 3)",
            outcomes={"dynamo": "captured"},
            title="compiled as a whole, every block is traced for itself",
        ),
        Good(
            """
import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, index):
        super().__init__()
        self.index = index
        self.fc = nn.Linear(3, 3)

    def forward(self, x):
        return self.fc(x)

    def extra_repr(self):
        return f"index={self.index}"


def run(x):
    blocks = [torch.compile(Block(i)) for i in range(12)]
    for block in blocks:
        x = block(x)
    return x
""",
            entry="run",
            inputs="torch.ones(2, 3)",
            outcomes={"dynamo": "guarded"},
            title="never read in the captured code",
        ),
    ]

    def on_attribute_load(self, event: AttributeLoad, report: Reporter) -> None:
        owner = event.value
        if isinstance(owner, Instance) and owner.apart is not None and counts(event.result):
            report(
                event,
                f"`{event.attribute}` differs in every block compiled here: each compiles again",
                value=event.result,
            )
