"""CAP405: module attributes that TorchScript cannot hold"""

from __future__ import annotations

from analyzer.flow.script_events import ScriptAttribute
from analyzer.rule import Bad, Good, Reporter, Rule


class UnscriptableAttribute(Rule):
    """Attributes of a module that torch.jit.script cannot convert.

    ## What it does
    Finds reads, in compiled code, of attributes that hold an empty list or dict without an annotation in the
    class body, a Python list or dict of modules, a container of several types, a set, a dataclass object or a
    lambda, and of class attributes without an annotation.

    ## Why it matters
    A scripted module has typed attributes, taken from the values after `__init__` and from annotations in the
    class body (an annotation inside `__init__` is not seen). What cannot be typed is left out, and the first
    use of it refuses the root.

    ## Use instead
    Annotate the attribute in the class body (`feats: List[torch.Tensor]`), hold modules in `nn.ModuleList` or
    `nn.ModuleDict`, copy the fields of a configuration object to the module, annotate class constants with
    `Final`.

    ## Fix safety
    No fix is offered.

    ## References
    TorchScript language reference (https://docs.pytorch.org/docs/stable/jit_language_reference.html).
    Measured on torch 2.13.
    """

    code, name = "CAP405", "unscriptable-attribute"
    outcomes = {"script": "refused"}
    examples = [
        Bad(
            """
import torch
from torch import nn


class Probe(nn.Module):
    def __init__(self):
        super().__init__()
        self.feats = []

    def forward(self, x):
        self.feats.append(x)  # CAP405
        return x + 1
""",
            entry="Probe()",
        ),
        Bad(
            """
from dataclasses import dataclass
import torch
from torch import nn


@dataclass
class Config:
    scale: float = 2.0


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.config = Config()

    def forward(self, x):
        return x * self.config.scale  # CAP405
""",
            entry="Net()",
        ),
        Bad(
            """
import torch
from torch import nn


class Stack(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = [nn.Linear(3, 3)]

    def forward(self, x):
        for layer in self.layers:  # CAP405
            x = layer(x)
        return x
""",
            entry="Stack()",
        ),
        Bad(
            """
import torch
from torch import nn


class Scaled(nn.Module):
    factor = 3

    def forward(self, x):
        return x * self.factor  # CAP405
""",
            entry="Scaled()",
        ),
        Good(
            """
from typing import Dict, Final, List
import torch
from torch import nn


class Net(nn.Module):
    feats: List[torch.Tensor]
    cache: Dict[int, torch.Tensor]
    factor: Final[int] = 3

    def __init__(self):
        super().__init__()
        self.feats = []
        self.cache = {}
        self.sizes = [1, 2]
        self.layers = nn.ModuleList([nn.Linear(3, 3)])

    def forward(self, x):
        self.feats.append(x)
        for layer in self.layers:
            x = layer(x)
        if x.dim() not in self.cache:
            self.cache[x.dim()] = x
        return x * self.factor * self.sizes[0]
""",
            entry="Net()",
            outcomes={"script": "captured"},
        ),
    ]

    def on_script_attribute(self, event: ScriptAttribute, report: Reporter) -> None:
        report(event, event.text)
