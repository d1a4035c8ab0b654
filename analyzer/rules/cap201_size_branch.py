"""CAP201: control flow on a size."""

from __future__ import annotations

from analyzer.dependence import is_proxy
from analyzer.flow.events import TruthTest
from analyzer.rule import Bad, Good, Reporter, Rule
from analyzer.values import Shape, is_tainted


class SizeBranch(Rule):
    """Control flow on a size of a tensor.

    ## What it does
    Finds tests of `x.shape[i]`, `x.size(i)`, `len(x)` and of numbers computed from them.

    ## Why it matters
    torch.compile guards on the size and compiles the other side when it is needed. torch.jit.trace keeps the side of the
    example input for every size; torch.fx has no size while it traces and refuses.

    ## Use instead
    Under a trace: operations that need no test (padding by zero is no operation), or torch.jit.script for that function.

    ## Fix safety
    No fix is offered.

    ## References
    Measured on torch 2.13; the tracer warns about most of these.
    """

    code, name = "CAP201", "size-branch"
    outcomes = {
        "trace": "silently_wrong",
        "fx": "refused",
        "script": "captured",
        "dynamo": "guarded",
        "fullgraph": "guarded",
        "export": "guarded",
    }
    examples = [
        Bad(
            """
import torch


def fn(x):
    if x.shape[0] > 4:  # CAP201
        return x * 2
    return x - 1
""",
            inputs="torch.ones(8)",
            variants=("torch.ones(3)",),
            outcomes={"export": "unknown"},
        ),
        Good(
            """
import torch


def fn(x):
    if x.dim() != 1:
        raise ValueError("one dimension is expected")
    return x * 2
""",
            outcomes={"dynamo": "captured", "trace": "captured"},
        ),
    ]

    def on_truth_test(self, event: TruthTest, report: Reporter) -> None:
        value = event.value
        if not isinstance(value, Shape) or not is_tainted(value) and not is_proxy(value):
            return
        outcomes = self.claims(report.torch)
        if value.meta != "size" or event.raises or event.form in ("assert", "any", "all"):
            outcomes["trace"] = "captured"
        if not value.taint:
            outcomes["fx"] = "captured"
        report(event, "a trace keeps the side that the example's size took", value=value, outcomes=outcomes)
