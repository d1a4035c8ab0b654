"""CAP404: Python values from outside a scripted function"""

from __future__ import annotations

from analyzer.flow.script_events import ScriptGlobal
from analyzer.rule import Bad, Good, Reporter, Rule


class ScriptPythonGlobal(Rule):
    """Python values from outside the function in code that torch.jit.script compiles.

    ## What it does
    Finds reads of module-level numbers, texts, lists, dicts, tensors, dtypes and objects, of closure variables
    and of class attributes, in functions that torch.jit.script compiles. Functions, classes, modules, enums and
    constants of Python modules such as `math.pi` may be read.

    ## Why it matters
    TorchScript compiles a function without the module around it; a value that lives in Python cannot become a
    constant of the program. The root is refused.

    ## Use instead
    Pass the value as an argument, keep it on the module (`self.scale = 2.5` in `__init__`, or a class attribute
    annotated with `Final`), or write the literal in the function.

    ## Fix safety
    No fix is offered.

    ## References
    TorchScript language reference (https://docs.pytorch.org/docs/stable/jit_language_reference.html).
    Measured on torch 2.13.
    """

    code, name = "CAP404", "script-python-global"
    outcomes = {"script": "refused"}
    examples = [
        Bad(
            """
import torch


SCALE = 2.5


def fn(x):
    return x * SCALE  # CAP404
""",
        ),
        Bad(
            """
import torch


TABLE = {"a": 2.0}


def fn(x):
    return x * TABLE["a"]  # CAP404
""",
        ),
        Bad(
            """
import torch
from torch import nn


class Recorder(nn.Module):
    items = []

    def forward(self, x):
        Recorder.items.append(x)  # CAP404
        return x + 1
""",
            entry="Recorder()",
        ),
        Good(
            """
import math
import torch
from torch import nn


class Scaled(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = 2.5

    def forward(self, x):
        return x * self.scale * math.pi
""",
            entry="Scaled()",
            outcomes={"script": "captured"},
        ),
    ]

    def on_script_global(self, event: ScriptGlobal, report: Reporter) -> None:
        report(event, event.text)
