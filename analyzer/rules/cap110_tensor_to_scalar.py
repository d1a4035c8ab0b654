"""CAP110: the value of a tensor becomes a Python number."""

from __future__ import annotations

import ast

from analyzer.dependence import frozen
from analyzer.flow.events import HostRead
from analyzer.rule import Bad, Good, Reporter, Rule


class TensorToScalar(Rule):
    """The value of a tensor becomes a Python number.

    ## What it does
    Finds `.item()`, `int(t)`, `float(t)`, `bool(t)` and `complex(t)` on tensors in captured code.

    ## Why it matters
    torch.compile with its defaults ends the graph there (`fullgraph=True` and torch.export keep the number as an
    unbacked symbol); torch.jit.trace keeps the number of the example input for ever. On a GPU the read also waits for
    the device.

    ## Use instead
    Stay in tensors: a 0-dim tensor can be multiplied, compared and passed to `torch.where` as it is.

    ## Fix safety
    Removing `.item()` is unsafe: what follows may need a Python number.

    ## References
    Registry id GB0124; `torch._dynamo.config.capture_scalar_outputs`; measured on torch 2.13.
    """

    code, name = "CAP110", "tensor-to-scalar"
    outcomes = {
        "trace": "silently_wrong",
        "fx": "captured",
        "script": "captured",
        "dynamo": "graph_break",
        "fullgraph": "captured",
        "export": "captured",
    }
    graph_breaks = ("GB0124",)
    examples = [
        Bad(
            """
import torch


def fn(x):
    s = x.max().item()  # CAP110
    return x / s
""",
            variants=("torch.full((3,), 5.0)",),
        ),
        Bad(
            """
import torch


def fn(x, n):
    k = int(n + 1)  # CAP110
    return x * k
""",
            inputs="(torch.ones(3), torch.tensor(2))",
            variants=("(torch.ones(3), torch.tensor(5))",),
            outcomes={"fx": "refused"},
        ),
        Good(
            """
import torch


def fn(x):
    return x / x.max()
""",
        ),
    ]

    def on_host_read(self, event: HostRead, report: Reporter) -> None:
        how = event.how
        if how not in ("item", "int", "float", "bool"):
            return
        tensor = event.tensor
        outcomes = frozen(self.claims(report.torch), tensor)
        if how == "item":
            outcomes["fx"] = "captured"
        elif tensor.taint:
            outcomes["fx"] = "refused"
        if how == "bool":
            outcomes.update(fullgraph="refused", export="refused")
        if tensor.constant:
            outcomes.update(dynamo="captured", fullgraph="captured", export="captured")
        if tensor.array and how == "item":
            outcomes["dynamo"] = "graph_break"
        if event.logged:
            outcomes["trace"] = "captured"
        text = ".item()" if how == "item" else f"{how}()"
        node = event.node if isinstance(event.node, ast.expr) else None
        report(event, f"{text} reads the contents of a tensor", node=node, value=tensor, outcomes=outcomes)
