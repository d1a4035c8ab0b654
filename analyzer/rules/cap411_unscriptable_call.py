"""CAP411: calls of what TorchScript can neither find nor compile"""

from __future__ import annotations

from analyzer.flow.script_events import ScriptCall
from analyzer.rule import Bad, Good, Reporter, Rule


class UnscriptableCall(Rule):
    """Calls that torch.jit.script can neither look up nor compile.

    ## What it does
    Finds calls, in compiled code, of builtins (`map`, `filter`, `reversed`, `iter`, `set`, `repr`, `setattr`),
    of torch functions and tensor methods that TorchScript does not know, of Python library code that it cannot
    compile, `super().method()`, constructors of modules and parameters, `getattr` with a computed name, and
    keywords such as `key=` that its builtins lack.

    ## Why it matters
    A call in TorchScript is an operator of torch, a builtin that it knows, or Python source that it can
    compile. Anything else refuses the root.

    ## Use instead
    Call it outside of the compiled code, make modules in `__init__`, write loops for `map` and `filter`, or put
    the call into a method marked `@torch.jit.ignore`.

    ## Fix safety
    No fix is offered.

    ## References
    TorchScript language reference (https://docs.pytorch.org/docs/stable/jit_language_reference.html).
    Measured on torch 2.13.
    """

    code, name = "CAP411", "unscriptable-call"
    outcomes = {"script": "refused"}
    examples = [
        Bad(
            """
import torch
from torch import nn


def fn(x):
    w = nn.Parameter(torch.ones(3))  # CAP411
    return x * w
""",
        ),
        Bad(
            """
from typing import List
import torch


def fn(x, sizes: List[int]):
    for s in reversed(sizes):  # CAP411
        x = x + s
    return x
""",
            inputs="(torch.ones(3), [1, 2])",
        ),
        Bad(
            """
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = 2.0

    def forward(self, x, name: str):
        return x * getattr(self, name)  # CAP411
""",
            entry="Net()",
            inputs='(torch.ones(3), "scale")',
        ),
        Bad(
            """
import torch
from torch import nn


class Base(nn.Module):
    def forward(self, x):
        return x + 1


class Net(Base):
    def forward(self, x):
        return super().forward(x) * 2  # CAP411
""",
            entry="Net()",
        ),
        Bad(
            """
import torch


def fn(x):
    return x.masked_fill(x > 0, torch.finfo(x.dtype).min)  # CAP411
""",
        ),
        Bad(
            """
import functools
import torch


def fn(x):
    return functools.reduce(torch.add, [x, x])  # CAP411
""",
        ),
        Good(
            """
import math
from typing import List
import torch


def fn(x, sizes: List[int]):
    for i in range(len(sizes) - 1, -1, -1):
        x = x + sizes[i]
    text = ",".join([str(s) for s in sorted(sizes)])
    return x * math.sqrt(x.size(0)) * len(text)
""",
            inputs="(torch.ones(3), [1, 2])",
            outcomes={"script": "captured"},
        ),
    ]

    def on_script_call(self, event: ScriptCall, report: Reporter) -> None:
        report(event, event.text)
