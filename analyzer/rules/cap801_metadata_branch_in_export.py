"""CAP801: a branch on dtype, requires_grad or layout, which torch.export keeps without a guard."""

from __future__ import annotations

from analyzer.flow.events import TruthTest
from analyzer.rule import Bad, Good, Reporter, Rule
from analyzer.values import Bound, Shape, Value

_UNGUARDED = frozenset({"dtype", "requires_grad"})


class MetadataBranchInExport(Rule):
    """A branch on the dtype or `requires_grad` of an input under torch.export.

    ## What it does
    Finds `if x.dtype == torch.float32:` and `if x.requires_grad:` in exported code. Tests that only raise are left
    alone.

    ## Why it matters
    torch.export takes one side and, unlike torch.compile, keeps no guard: the exported program accepts an input of
    another dtype and computes the side of the example.

    ## Use instead
    Convert the input outside (`x.float()`), export one program for each dtype, or check with an `assert`.

    ## Fix safety
    No fix is offered.

    ## References
    Measured on torch 2.13, strict and non-strict.
    """

    code, name = "CAP801", "metadata-branch-in-export"
    outcomes = {"export": "silently_wrong"}
    examples = [
        Bad(
            """
import torch


class Net(torch.nn.Module):
    def forward(self, x: torch.Tensor):
        if x.dtype == torch.float32:  # CAP801
            return x * 2
        return x * 3
""",
            entry="Net()",
            variants=("torch.ones(3, dtype=torch.float64)",),
        ),
        Good(
            """
import torch


class Net(torch.nn.Module):
    def forward(self, x: torch.Tensor):
        if x.dtype != torch.float32:
            raise TypeError("float32 wanted")
        return x * 2
""",
            entry="Net()",
            outcomes={"dynamo": "captured", "export": "captured"},
        ),
    ]

    def on_truth_test(self, event: TruthTest, report: Reporter) -> None:
        value = event.value
        if event.raises or event.form == "assert" or not isinstance(value, Shape) or not value.taint:
            return
        if value.meta in _UNGUARDED or value.why is not None and _reads_requires_grad(value):
            report(event, "torch.export keeps this side without a guard", value=value)


def _reads_requires_grad(value: Value) -> bool:
    node = value.why.node if value.why is not None else None
    return getattr(node, "attr", "") == "requires_grad" and not isinstance(value, Bound)
