"""CAP523: numpy functions that Dynamo cannot translate."""

from __future__ import annotations

from analyzer.flow.events import Call
from analyzer.rule import Bad, Good, Reporter, Rule
from analyzer.values import tensor_in
from analyzer.verdict import breaks, row_of


class NumpyCallNotTraced(Rule):
    """numpy functions that TorchDynamo cannot translate.

    ## What it does
    Finds calls of numpy functions that have no counterpart in `torch._numpy`.

    ## Why it matters
    TorchDynamo replaces numpy by its own implementation on tensors; what that lacks ends the graph.

    ## Use instead
    The torch function, or compute it outside.

    ## Fix safety
    No fix is offered.

    ## References
    Registry id GB0294; the list was measured on numpy 2.4 and torch 2.13.
    """

    code, name = "CAP523", "numpy-call-not-traced"
    calls = ("numpy.",)
    outcomes = {
        "trace": "captured",
        "fx": "captured",
        "script": "refused",
        "dynamo": "graph_break",
        "fullgraph": "refused",
        "export": "captured",
    }
    graph_breaks = ("GB0294",)
    examples = [
        Bad(
            """
import numpy as np
import torch


def fn(x: torch.Tensor):
    hist = np.interp(x.numpy(), [0.0, 1.0], [2.0, 4.0])  # CAP523
    return torch.from_numpy(hist).float()
""",
            inputs="torch.rand(8)",
            outcomes={"trace": "unknown", "fx": "refused", "export": "unknown"},
        ),
        Bad(
            """
import numpy as np
import torch
from torch import nn


class Shuffle(nn.Module):
    def forward(self, x):
        order = np.lexsort(([3, 1, 2],))  # CAP523
        return x * float(order.max())
""",
            entry="Shuffle()",
        ),
        Good(
            """
import numpy as np
import torch


def fn(x: torch.Tensor):
    return torch.from_numpy(np.sqrt(x.numpy()))
""",
            inputs="torch.rand(8)",
            outcomes={
                "dynamo": "captured",
                "fullgraph": "captured",
                "trace": "silently_wrong",
                "fx": "refused",
                "script": "refused",
                "export": "refused",
            },
        ),
        Good(
            """
import numpy as np
import torch

ORDER = np.lexsort(([3, 1, 2],))


def fn(x):
    return x * float(np.prod([1, 2, 3]))
""",
            outcomes={
                "dynamo": "graph_break",
                "fullgraph": "captured",
                "trace": "captured",
                "fx": "captured",
                "script": "refused",
                "export": "captured",
            },
        ),
    ]

    def on_call(self, event: Call, report: Reporter) -> None:
        if not event.name.startswith("numpy.") or event.name.startswith("numpy.random."):
            return
        row = row_of(event)
        if row is None:
            return
        broken, ids = breaks(event, row)
        arrays = [t for t in (tensor_in(v) for v in (*event.args, *event.kwargs.values())) if t is not None]
        outcomes = self.claims(report.torch)
        if not broken:
            outcomes.update({"dynamo": "captured", "fullgraph": "captured"})
        if any(t.taint for t in arrays):
            outcomes.update({"fx": "refused", "trace": "unknown", "export": "unknown"})  # the array's own story: CAP113
        elif not broken:
            return
        value = arrays[0] if arrays else None
        message = f"{event.name}() is not translated" if broken else f"{event.name}() cannot take a proxy"
        report(event, message, value=value, outcomes=outcomes, graph_breaks=ids)
