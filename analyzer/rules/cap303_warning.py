"""CAP303: warnings in captured code."""

from __future__ import annotations

from analyzer.rule import Bad, Good
from analyzer.table_rule import TableRule


class WarningInCapturedCode(TableRule):
    """Warnings in captured code.

    ## What it does
    Finds `warnings.warn()` and its like.

    ## Why it matters
    torch.compile ends the graph at the call.

    ## Use instead
    Warn outside of the captured function, or behind `if not torch.compiler.is_compiling():`.

    ## Fix safety
    The guard with `is_compiling()` is safe: eager runs warn as before.

    ## References
    Registry id GB0007; measured on torch 2.13.
    """

    code, name = "CAP303", "warning-in-captured-code"
    effects = frozenset({"warn"})
    message = "{} ends the graph"
    outcomes = {"dynamo": "graph_break", "fullgraph": "refused", "export": "captured", "trace": "captured", "fx": "captured", "script": "captured"}
    graph_breaks = ("GB0007",)
    examples = [
        Bad(
            """
import warnings

import torch


def fn(x):
    y = x * 2
    warnings.warn("deprecated")  # CAP303
    return y
""",
        ),
        Bad(
            """
import warnings

import torch
from torch import nn


class Old(nn.Module):
    def forward(self, x, scale=None):
        if scale is None:
            warnings.warn("scale will be required", FutureWarning, stacklevel=2)  # CAP303
            scale = 1.0
        return x * scale
""",
            entry="Old()",
        ),
        Bad(
            """
import warnings

import torch


def fn(x):
    for _ in range(2):
        x = x.sin()
        warnings.warn("in a loop")  # CAP303
    return x
""",
            title="in a loop the whole function runs eagerly",
        ),
        Good(
            """
import warnings

import torch


def fn(x):
    if x.dim() > 8:
        raise ValueError("too many dimensions")
    return x * 2
""",
        ),
        Good(
            """
import warnings

import torch


def fn(x):
    if not torch.compiler.is_compiling():
        warnings.warn("eager")
    return x * 2
""",
        ),
    ]
