"""CAP204: Python iterates over a tensor."""

from __future__ import annotations

from analyzer.flow.events import Iterate
from analyzer.rule import Bad, Good, Reporter, Rule
from analyzer.values import tensor_in


class IterateTensor(Rule):
    """Python iterates over a tensor.

    ## What it does
    Finds `for row in tensor`, comprehensions and star-unpacking over tensors.

    ## Why it matters
    The loop is unrolled: a trace runs the example's number of rows for every input, torch.compile compiles again for each
    new length, torch.fx refuses (plain unpacking `a, b = x` is allowed).

    ## Use instead
    An operation over the dimension, or `torch.unbind` where the number of rows is fixed.

    ## Fix safety
    No fix is offered.

    ## References
    Measured on torch 2.13.
    """

    code, name = "CAP204", "iterate-tensor"
    outcomes = {
        "trace": "silently_wrong",
        "fx": "refused",
        "script": "captured",
        "dynamo": "recompiles",
        "fullgraph": "recompiles",
        "export": "refused",
    }
    examples = [
        Bad(
            """
import torch


def fn(rows):
    acc = torch.zeros(())
    for r in rows:  # CAP204
        acc = acc + r
    return acc
""",
            inputs="torch.ones(4)",
            variants=("torch.ones(5)", "torch.ones(6)", "torch.ones(7)"),
            outcomes={"export": "unknown"},
        ),
        Good(
            """
import torch


def fn(x):
    a, b = x
    return a + b
""",
            inputs="torch.ones(2)",
            outcomes={"dynamo": "captured", "fx": "captured"},
        ),
    ]

    def on_iterate(self, event: Iterate, report: Reporter) -> None:
        tensor = tensor_in(event.value)
        if tensor is None or not tensor.taint or event.form == "unpack":
            return
        outcomes = self.claims(report.torch)
        if event.form != "for":
            outcomes.update(dynamo="guarded", fullgraph="guarded")
        if event.form in ("star", "builtin", "unpack_star"):
            outcomes["trace"] = "captured"
        if event.form == "builtin" and tensor.ndim == 0:
            return
        report(event, "the loop is unrolled for the rows at hand", value=tensor, outcomes=outcomes)
