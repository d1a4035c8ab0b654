"""CAP409: parameters without annotation that are no tensors"""

from __future__ import annotations

from analyzer.flow.script_events import ScriptTensorParameter
from analyzer.rule import Bad, Good, Reporter, Rule


class UnannotatedScriptParameter(Rule):
    """Parameters without an annotation that are used or passed as something else than a tensor.

    ## What it does
    Finds uses of a parameter without an annotation that no Tensor allows (`range(n)`, methods of texts and
    dicts, comparison with a text, a list of tensors), calls that pass a number, text or list for such a
    parameter, and such a parameter with a number or text as its default.

    ## Why it matters
    For TorchScript a parameter without an annotation is a Tensor, whatever the caller passes and whatever its
    default is. The root is refused.

    ## Use instead
    Annotate the parameter: `n: int`, `mode: str`, `xs: List[torch.Tensor]`.

    ## Fix safety
    No fix is offered.

    ## References
    TorchScript language reference (https://docs.pytorch.org/docs/stable/jit_language_reference.html).
    Measured on torch 2.13.
    """

    code, name = "CAP409", "unannotated-script-parameter"
    outcomes = {"script": "refused"}
    examples = [
        Bad(
            """
import torch


def fn(x, n):
    for _ in range(n):  # CAP409
        x = x * 2
    return x
""",
            inputs="(torch.ones(3), 2)",
        ),
        Bad(
            """
import torch


def scaled(x, k):
    return x * k


def fn(x):
    return scaled(x, 3)  # CAP409
""",
        ),
        Bad(
            """
import torch


def fn(x, mode):
    if mode == "double":  # CAP409
        return x * 2
    return x
""",
            inputs='(torch.ones(3), "double")',
        ),
        Bad(
            """
import torch


def fn(x, power=2):  # CAP409
    return x**power
""",
        ),
        Bad(
            """
import torch


def fn(xs):
    return torch.cat(xs)  # CAP409
""",
            inputs="([torch.ones(2), torch.ones(3)],)",
        ),
        Good(
            """
from typing import List
import torch


def scaled(x, k: int):
    return x * k


def fn(x, n: int = 2, mode: str = "double"):
    for _ in range(n):
        x = scaled(x, 3)
    if mode == "double":
        return x * 2
    return x
""",
            outcomes={"script": "captured"},
        ),
    ]

    def on_script_tensor_parameter(self, event: ScriptTensorParameter, report: Reporter) -> None:
        report(event, event.text)
