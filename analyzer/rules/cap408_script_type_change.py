"""CAP408: variables and results that change their type under TorchScript"""

from __future__ import annotations

from analyzer.flow.script_events import ScriptTypeChange
from analyzer.rule import Bad, Good, Reporter, Rule


class ScriptTypeMismatch(Rule):
    """Variables, conditional expressions and returned values of more than one type.

    ## What it does
    Finds variables that get another type inside a branch or loop, that are set in one branch only or only
    inside a loop and read afterwards, conditional expressions with two types, several `return` of different
    types, and empty lists without annotation that get something else than tensors.

    ## Why it matters
    In TorchScript a variable has one type and a function returns one type; int and float are different ones,
    and so are a tensor and a tuple. The root is refused.

    ## Use instead
    Use one type on every path (`2.0` instead of `2`, always a tuple), set the variable before the branch,
    annotate an empty container (`sizes: List[int] = []`) and what may be None (`y: Optional[torch.Tensor] =
    None`).

    ## Fix safety
    No fix is offered.

    ## References
    TorchScript language reference (https://docs.pytorch.org/docs/stable/jit_language_reference.html).
    Measured on torch 2.13.
    """

    code, name = "CAP408", "script-type-change"
    outcomes = {"script": "refused"}
    examples = [
        Bad(
            """
import torch


def fn(x: torch.Tensor) -> torch.Tensor:  # CAP408
    if x.dim() == 1:
        return x
""",
            title="a path without a result",
        ),
        Bad(
            """
import torch


def fn(x):
    if x.dim() == 1:
        return x
    return x, x  # CAP408
""",
        ),
        Bad(
            """
import torch


def fn(x):
    scale = 1 if x.dim() > 1 else 0.5  # CAP408
    return x * scale
""",
        ),
        Bad(
            """
import torch


def fn(x):
    if x.dim() > 1:  # CAP408
        y = x.sum(0)
    return y
""",
            inputs="torch.ones(2, 3)",
        ),
        Bad(
            """
import torch


def fn(x):
    scale = 1
    if x.dim() > 1:
        scale = 0.5  # CAP408
    return x * scale
""",
        ),
        Bad(
            """
import torch


def fn(x):
    sizes = []
    for i in range(x.dim()):
        sizes.append(x.size(i))  # CAP408
    return x.reshape(sizes)
""",
        ),
        Bad(
            """
import torch


def fn(x):
    best = None
    for i in range(x.size(0)):
        best = x[i]  # CAP408
    return best
""",
        ),
        Good(
            """
from typing import List, Optional
import torch


def fn(x):
    scale = 1.0 if x.dim() > 1 else 0.5
    sizes: List[int] = []
    parts = []
    best: Optional[torch.Tensor] = None
    for i in range(x.dim()):
        sizes.append(x.size(i))
        parts.append(x * i)
        best = x
    if x.dim() > 1:
        y = x.sum(0)
    else:
        y = x
    n = 0
    n = 1.5
    return y * scale + n, best
""",
            outcomes={"script": "captured"},
        ),
    ]

    def on_script_type_change(self, event: ScriptTypeChange, report: Reporter) -> None:
        report(event, event.text)
