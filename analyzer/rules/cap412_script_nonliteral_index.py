"""CAP412: module containers and tuples indexed by what is no literal"""

from __future__ import annotations

from analyzer.flow.script_events import ScriptIndex
from analyzer.rule import Bad, Good, Reporter, Rule


class ScriptNonliteralIndex(Rule):
    """Module containers and tuples of several types, indexed by what is no literal.

    ## What it does
    Finds `self.layers[i]` with a variable index, modules taken from a slice, a list or a conditional expression
    and then called, and variable indices of a tuple whose elements have several types, in compiled code.

    ## Why it matters
    The type of a module is its class. TorchScript must know which one is meant when it compiles; the root is
    refused.

    ## Use instead
    Loop over the container itself (`for layer in self.layers`, `enumerate`, `zip`), and select with `if i ==
    chosen` inside the loop.

    ## Fix safety
    No fix is offered.

    ## References
    TorchScript language reference (https://docs.pytorch.org/docs/stable/jit_language_reference.html).
    Measured on torch 2.13.
    """

    code, name = "CAP412", "script-nonliteral-index"
    outcomes = {"script": "refused"}
    examples = [
        Bad(
            """
import torch
from torch import nn


class Stack(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(3, 3) for _ in range(3)])

    def forward(self, x):
        for i in range(len(self.layers)):
            x = self.layers[i](x)  # CAP412
        return x
""",
            entry="Stack()",
        ),
        Bad(
            """
import torch
from torch import nn


class Choice(nn.Module):
    def __init__(self):
        super().__init__()
        self.heads = nn.ModuleDict({"a": nn.Linear(3, 3)})

    def forward(self, x, head: str):
        return self.heads[head](x)  # CAP412
""",
            entry="Choice()",
            inputs='(torch.ones(3), "a")',
        ),
        Bad(
            """
import torch
from torch import nn


class Stack(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(3, 3) for _ in range(3)])

    def forward(self, x):
        for layer in self.layers[:2]:
            x = layer(x)  # CAP412
        return x
""",
            entry="Stack()",
        ),
        Good(
            """
import torch
from torch import nn


class Stack(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(3, 3) for _ in range(3)])
        self.norms = nn.ModuleList([nn.LayerNorm(3) for _ in range(3)])

    def forward(self, x):
        for i, (layer, norm) in enumerate(zip(self.layers, self.norms)):
            if i < 2:
                x = norm(layer(x))
        return self.layers[-1](x)
""",
            entry="Stack()",
            outcomes={"script": "captured"},
        ),
    ]

    def on_script_index(self, event: ScriptIndex, report: Reporter) -> None:
        report(event, event.text)
