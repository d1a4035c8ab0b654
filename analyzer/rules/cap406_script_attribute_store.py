"""CAP406: attributes that TorchScript does not let a method set"""

from __future__ import annotations

from analyzer.flow.script_events import ScriptAttributeStore
from analyzer.rule import Bad, Good, Reporter, Rule


class ScriptAttributeStoreMismatch(Rule):
    """Attributes that are made, or change their type, in code that torch.jit.script compiles.

    ## What it does
    Finds `self.x = ...` in compiled code where `x` is not there after `__init__`, or holds another type there.

    ## Why it matters
    The attributes of a scripted module and their types are fixed when it is scripted: after `__init__`, from
    the values found. A number is not converted, and None alone is the type None, so that no tensor can be
    stored later. The root is refused.

    ## Use instead
    Make the attribute in `__init__` with a value of its type; for one that starts as None, annotate it in the
    class body as `Optional[torch.Tensor]`; for a tensor, `register_buffer`.

    ## Fix safety
    No fix is offered.

    ## References
    TorchScript language reference (https://docs.pytorch.org/docs/stable/jit_language_reference.html).
    Measured on torch 2.13.
    """

    code, name = "CAP406", "script-attribute-store"
    outcomes = {"script": "refused"}
    examples = [
        Bad(
            """
import torch
from torch import nn


class Lazy(nn.Module):
    def forward(self, x):
        self.last = x  # CAP406
        return x + 1
""",
            entry="Lazy()",
        ),
        Bad(
            """
import torch
from torch import nn


class Memory(nn.Module):
    def __init__(self):
        super().__init__()
        self.state = None

    def forward(self, x):
        self.state = x  # CAP406
        return x + 1
""",
            entry="Memory()",
        ),
        Bad(
            """
import torch
from torch import nn


class Count(nn.Module):
    def __init__(self):
        super().__init__()
        self.total = 0

    def forward(self, x):
        self.total = x.sum()  # CAP406
        return x + 1
""",
            entry="Count()",
        ),
        Good(
            """
from typing import Optional
import torch
from torch import nn


class Memory(nn.Module):
    state: Optional[torch.Tensor]

    def __init__(self):
        super().__init__()
        self.state = None
        self.steps = 0
        self.register_buffer("total", torch.zeros(()))

    def forward(self, x):
        self.state = x
        self.steps += 1
        self.total = self.total + x.sum()
        return x + 1
""",
            entry="Memory()",
            outcomes={"script": "captured"},
        ),
    ]

    def on_script_attribute_store(self, event: ScriptAttributeStore, report: Reporter) -> None:
        report(event, event.text)
