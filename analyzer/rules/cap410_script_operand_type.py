"""CAP410: operations without an overload in TorchScript"""

from __future__ import annotations

from analyzer.flow.script_events import ScriptOperand
from analyzer.rule import Bad, Good, Reporter, Rule


class ScriptOperandType(Rule):
    """Operations and calls that TorchScript has no overload for.

    ## What it does
    Finds operations of a tensor and a text, list or None, `in` on a tensor, unpacking of a tensor, `sum`, `any`
    and `all` of a list of tensors, the result of `and`, `or` or `not` used as a tensor, assignment to an
    attribute of a tensor, and arguments of another type than a function of the project declares, in compiled
    code.

    ## Why it matters
    TorchScript picks an overload by the types of the arguments. Where Python would dispatch at run time, the
    root is refused: `a or b` is a bool there, also for tensors, and the builtin `sum` knows no tensors.

    ## Use instead
    Elementwise `&`, `|`, `~` for tensors, `torch.stack(parts).sum(0)` for `sum(parts)`, `x.unbind()` to take a
    tensor apart, `(x == 2).any()` for `2 in x`, a conversion of the argument.

    ## Fix safety
    No fix is offered.

    ## References
    TorchScript language reference (https://docs.pytorch.org/docs/stable/jit_language_reference.html).
    Measured on torch 2.13.
    """

    code, name = "CAP410", "script-operand-type"
    outcomes = {"script": "refused"}
    examples = [
        Bad(
            """
import torch


def fn(x, y):
    hit = x.any() or y.any()
    return torch.where(hit, x, y)  # CAP410
""",
            inputs="(torch.ones(3), torch.ones(3))",
        ),
        Bad(
            """
import torch


def fn(x):
    return sum([x, x + 1])  # CAP410
""",
        ),
        Bad(
            """
import torch
def fn(x: torch.Tensor):
    a, b = x  # CAP410
    return a + b
""",
            inputs="torch.ones(2, 3)",
        ),
        Bad(
            """
import torch


def fn(x):
    y = x + 1
    y.requires_grad = True  # CAP410
    return y
""",
        ),
        Bad(
            """
import torch


def scaled(x, k: float):
    return x * k


def fn(x):
    return scaled(x, 3)  # CAP410
""",
        ),
        Good(
            """
import torch


def scaled(x, k: float):
    return x * k


def fn(x):
    a, b = x.unbind(0)
    y = torch.stack([a, b]).sum(0)
    return torch.where((a > 0) | (b > 0), scaled(y, 3.0), y)
""",
            inputs="torch.ones(2, 3)",
            outcomes={"script": "captured"},
        ),
    ]

    def on_script_operand(self, event: ScriptOperand, report: Reporter) -> None:
        report(event, event.text)
