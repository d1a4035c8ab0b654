"""CAP403: signatures that TorchScript does not compile"""

from __future__ import annotations

from analyzer.flow.script_events import ScriptSignature
from analyzer.rule import Bad, Good, Reporter, Rule


class VariadicScriptSignature(Rule):
    """`*args`, `**kwargs`, keyword-only defaults and mutable defaults in functions that torch.jit.script compiles.

    ## What it does
    Finds definitions with `*args`, `**kwargs`, keyword-only parameters with a default, or a list or dict as a
    default, among the functions and methods that a scripted root reaches, methods of ordinary classes included.

    ## Why it matters
    A TorchScript function has a fixed schema. The root is refused, also when the call passes nothing for the
    variable part.

    ## Use instead
    Spell the parameters out, pass a list or tuple, or keep the function out of compiled code with
    `@torch.jit.ignore`.

    ## Fix safety
    No fix is offered.

    ## References
    TorchScript language reference (https://docs.pytorch.org/docs/stable/jit_language_reference.html).
    Measured on torch 2.13.
    """

    code, name = "CAP403", "variadic-script-signature"
    outcomes = {"script": "refused"}
    examples = [
        Bad(
            """
import torch
from torch import nn


class Layer(nn.Module):
    def forward(self, x, **kwargs):  # CAP403
        return x * 2
""",
            entry="Layer()",
        ),
        Bad(
            """
import torch


def scaled(x, *factors):  # CAP403
    return x * 2


def fn(x):
    return scaled(x)
""",
        ),
        Bad(
            """
import torch


class Scope:
    def __init__(self):
        self.depth = 0

    def __enter__(self):
        return self

    def __exit__(self, *exc):  # CAP403
        pass


def fn(x):
    with Scope():
        y = x + 1
    return y
""",
        ),
        Bad(
            """
import torch


def fn(x, *, scale: float = 2.0):  # CAP403
    return x * scale
""",
        ),
        Good(
            """
from typing import Optional
import torch


def fn(x, scale: float = 2.0, shift: Optional[float] = None):
    if shift is not None:
        return x * scale + shift
    return x * scale
""",
            outcomes={"script": "captured"},
        ),
    ]

    def on_script_signature(self, event: ScriptSignature, report: Reporter) -> None:
        report(event, event.text)
