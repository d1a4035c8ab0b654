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
    outcomes = {"dynamo": "graph_break", "fullgraph": "refused", "export": "refused", "trace": "captured", "fx": "captured", "script": "captured"}
    graph_breaks = ("GB0007",)
    examples = [
        Bad(
            """
import warnings

import torch


def fn(x):
    if x.shape[0] < 8:
        warnings.warn("small batch")  # CAP303
    return x * 2
""",
            outcomes={"trace": "unknown", "fx": "unknown", "export": "unknown"},
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
    ]
