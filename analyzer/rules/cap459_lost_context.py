"""CAP459: a context manager that torch.fx enters only while it traces."""

from __future__ import annotations

import ast

from analyzer.flow.events import With
from analyzer.rule import Bad, Good, Reporter, Rule

_CASTS = ("torch.autocast", "torch.amp.autocast", "torch.cpu.amp.autocast", "torch.amp.autocast_mode.autocast")


class LostContext(Rule):
    """A context manager that torch.fx enters only while it traces.

    ## What it does
    Finds `with torch.autocast(...)`.

    ## Why it matters
    torch.fx records calls, not `with` statements: the manager is entered and left while the function is traced, and
    the graph later runs its operations in the types of their inputs.

    ## Use instead
    Enter the manager around the call of the traced module.

    ## Fix safety
    No fix is offered.

    ## References
    torch.fx (https://docs.pytorch.org/docs/stable/fx.html, "Limitations of Symbolic Tracing"); measured on torch 2.13.
    """

    code, name = "CAP459", "lost-context"
    outcomes = {"fx": "silently_wrong"}
    examples = [
        Bad(
            """
import torch


def fn(a, b):
    with torch.autocast("cpu", dtype=torch.bfloat16):  # CAP459
        return a @ b
""",
            inputs="(torch.ones(2, 2), torch.ones(2, 2))",
        ),
        Good(
            """
import torch


def fn(x):
    with torch.no_grad():
        return x * 2
""",
            outcomes={"fx": "captured"},
        ),
    ]

    def on_with(self, event: With, report: Reporter) -> None:
        if event.name not in _CASTS or not isinstance(event.node, ast.Call):
            return
        given = [*event.node.args, *(k.value for k in event.node.keywords if k.arg == "device_type")]
        off = any(
            k.arg == "enabled" and isinstance(k.value, ast.Constant) and not k.value.value for k in event.node.keywords
        )
        elsewhere = bool(given) and isinstance(given[0], ast.Constant) and given[0].value != "cpu"
        if not off and not elsewhere:  # what another device computes was not measured
            report(event, "the graph of torch.fx does not enter this manager", node=event.node)
