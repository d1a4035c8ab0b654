"""CAP407: Optional values used without a test that TorchScript sees"""

from __future__ import annotations

from analyzer.flow.script_events import ScriptOptional
from analyzer.rule import Bad, Good, Reporter, Rule


class UnrefinedOptional(Rule):
    """Optional values that are used where TorchScript still sees None as possible.

    ## What it does
    Finds operations on, attributes of, loops over, conditions of and calls with a value of an Optional type, in
    compiled code, where no test has ruled None out. Tests of a local variable or parameter count: `if x is
    None`, `assert x is not None`, `isinstance`. A test of `self.x` does not, nor does one whose result was
    stored.

    ## Why it matters
    TorchScript checks types before anything runs. It narrows an Optional only for local variables, because an
    attribute could change between the test and the use; everything else refuses the root.

    ## Use instead
    Copy the attribute to a local variable before the test (`bias = self.bias`); test with `is None`, not by
    truth; replace `x or default` by `if x is None: x = default`.

    ## Fix safety
    No fix is offered.

    ## References
    TorchScript language reference (https://docs.pytorch.org/docs/stable/jit_language_reference.html).
    Measured on torch 2.13.
    """

    code, name = "CAP407", "unrefined-optional"
    outcomes = {"script": "refused"}
    examples = [
        Bad(
            """
from typing import Optional
import torch
from torch import nn


class Biased(nn.Module):
    bias: Optional[torch.Tensor]

    def __init__(self):
        super().__init__()
        self.bias = torch.ones(3)

    def forward(self, x):
        if self.bias is not None:
            return x + self.bias  # CAP407
        return x
""",
            entry="Biased()",
        ),
        Bad(
            """
from typing import Optional
import torch


def fn(x, y: Optional[torch.Tensor] = None):
    has = y is not None
    if has:
        return x + y  # CAP407
    return x
""",
        ),
        Bad(
            """
from typing import Optional
import torch


def fn(x, n: Optional[int] = None):
    k = n or 3  # CAP407
    return x * k
""",
        ),
        Good(
            """
from typing import Optional
import torch
from torch import nn


class Biased(nn.Module):
    bias: Optional[torch.Tensor]

    def __init__(self):
        super().__init__()
        self.bias = torch.ones(3)

    def forward(self, x, y: Optional[torch.Tensor] = None, n: Optional[int] = None):
        bias = self.bias
        if bias is not None:
            x = x + bias
        if y is not None and y.dim() > 0:
            x = x + y
        if n is None:
            n = 2
        return x * n
""",
            entry="Biased()",
            outcomes={"script": "captured"},
        ),
    ]

    def on_script_optional(self, event: ScriptOptional, report: Reporter) -> None:
        report(event, event.text)
