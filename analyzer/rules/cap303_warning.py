"""CAP303: warnings in captured code."""

from __future__ import annotations

from collections.abc import Sequence

from analyzer.fixes import offers
from analyzer.fixes.offers import Maker
from analyzer.flow.events import Call
from analyzer.rule import Bad, Good, Reporter
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
    outcomes = {
        "dynamo": "graph_break",
        "fullgraph": "refused",
        "export": "captured",
        "trace": "captured",
        "fx": "captured",
        "script": "captured",
    }
    graph_breaks = ("GB0007",)
    strict_export = "captured"
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
            fixed="""
import warnings

import torch


def fn(x):
    y = x * 2
    if not torch.compiler.is_compiling():
        warnings.warn("deprecated")
    return y
""",
        ),
        Bad(
            """
import warnings

import torch
from torch import nn


class Old(nn.Module):
    def __init__(self, scale=2.0):
        super().__init__()
        self.scale = scale

    def forward(self, x):
        if self.scale > 1.0:
            warnings.warn("scale will be 1.0")  # CAP303
        return x * self.scale
""",
            fixed="""
import warnings

import torch
from torch import nn


class Old(nn.Module):
    def __init__(self, scale=2.0):
        super().__init__()
        self.scale = scale

    def forward(self, x):
        if not torch.compiler.is_compiling() and self.scale > 1.0:
            warnings.warn("scale will be 1.0")
        return x * self.scale
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
            fixed="""
import warnings

import torch


def fn(x):
    for _ in range(2):
        x = x.sin()
        if not torch.compiler.is_compiling():
            warnings.warn("in a loop")
    return x
""",
            title="in a loop the whole function runs eagerly",
            outcomes={"dynamo": "skipped_frame"},
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
            outcomes={
                "dynamo": "captured",
                "fullgraph": "captured",
                "trace": "captured",
                "fx": "refused",
                "script": "captured",
                "export": "captured",
            },
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
            outcomes={
                "dynamo": "captured",
                "fullgraph": "captured",
                "trace": "captured",
                "fx": "captured",
                "script": "captured",
                "export": "captured",
            },
        ),
    ]

    def fixes(self, event: Call, report: Reporter) -> Sequence[Maker]:
        return offers.after(offers.guard(report, event.node, tells=True), report, event, "warns")
