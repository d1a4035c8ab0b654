"""CAP414: context managers that TorchScript cannot enter"""

from __future__ import annotations

from analyzer.flow.script_events import ScriptWith
from analyzer.rule import Bad, Good, Reporter, Rule


class UnscriptableContextManager(Rule):
    """Context managers that torch.jit.script cannot enter.

    ## What it does
    Finds `with` in compiled code over anything else than `torch.no_grad`, autocast, `record_function` or a
    class that compiles.

    ## Why it matters
    A context manager in compiled code is a TorchScript object with `__enter__` and `__exit__`. Those of
    contextlib are Python objects, `torch.enable_grad` and `torch.inference_mode` are not known; the root is
    refused.

    ## Use instead
    Put the `with` around the call of the scripted module.

    ## Fix safety
    No fix is offered.

    ## References
    TorchScript language reference (https://docs.pytorch.org/docs/stable/jit_language_reference.html).
    Measured on torch 2.13.
    """

    code, name = "CAP414", "unscriptable-context-manager"
    outcomes = {"script": "refused"}
    examples = [
        Bad(
            """
import contextlib
import torch


def fn(x):
    with contextlib.nullcontext():  # CAP414
        y = x * 2
    return y
""",
        ),
        Bad(
            """
import torch


def fn(x):
    with torch.enable_grad():  # CAP414
        y = x * 2
    return y
""",
        ),
        Good(
            """
import torch


def fn(x):
    with torch.no_grad():
        y = x * 2
    with torch.autograd.profiler.record_function("tail"):
        y = y + 1
    return y
""",
            outcomes={"script": "captured"},
        ),
    ]

    def on_script_with(self, event: ScriptWith, report: Reporter) -> None:
        report(event, event.text)
