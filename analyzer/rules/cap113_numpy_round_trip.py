"""CAP113: tensors leave for numpy and come back."""

from __future__ import annotations

import ast

from analyzer.dependence import frozen, is_proxy
from analyzer.flow.events import Call, HostRead
from analyzer.rule import Bad, Good, Reporter, Rule
from analyzer.values import is_tainted, tensor_in


class NumpyRoundTrip(Rule):
    """Tensors leave for numpy and come back.

    ## What it does
    Finds `.numpy()`, `np.asarray(tensor)` and `torch.from_numpy(array)` where the array depends on an argument.

    ## Why it matters
    TorchDynamo follows numpy and keeps one graph. torch.jit.trace sees only the tensors on both
    sides: what numpy computed for the example is a constant of the trace. torch.jit.script has no numpy.

    ## Use instead
    The torch function of the same name.

    ## Fix safety
    No fix is offered.

    ## References
    Measured on torch 2.13: trace warns with TracerWarning, dynamo captures, export refuses.
    """

    code, name = "CAP113", "numpy-round-trip"
    calls = ("torch.from_numpy", "torch.as_tensor", "torch.tensor")
    outcomes = {
        "trace": "silently_wrong",
        "fx": "captured",
        "script": "refused",
        "dynamo": "captured",
        "fullgraph": "captured",
        "export": "refused",
    }
    examples = [
        Bad(
            """
import torch


def fn(x):
    arr = x.numpy()  # CAP113
    return torch.from_numpy(arr * 2.0)  # CAP113
""",
            variants=("torch.full((3,), 9.0)",),
            outcomes={"fx": "refused"},
        ),
        Bad(
            """
import numpy as np
import torch
from torch import nn


class Quantile(nn.Module):
    def forward(self, x):
        host = np.asarray(x.detach().cpu())  # CAP113
        return x / torch.as_tensor(host.max())  # CAP113
""",
            entry="Quantile()",
            variants=("torch.full((3,), 9.0)",),
            outcomes={"fx": "refused"},
        ),
        Good(
            """
import numpy as np
import torch

TABLE = np.arange(3.0)


def fn(x):
    return x + torch.from_numpy(TABLE)
""",
            outcomes={
                "dynamo": "captured",
                "fullgraph": "captured",
                "trace": "captured",
                "fx": "captured",
                "script": "refused",
                "export": "captured",
            },
        ),
        Good(
            """
import numpy as np
import torch


def fn(x):
    scale = np.sqrt(2.0)
    return x * float(scale)
""",
            outcomes={
                "dynamo": "captured",
                "fullgraph": "captured",
                "trace": "captured",
                "fx": "captured",
                "script": "refused",
                "export": "captured",
            },
        ),
    ]

    def on_host_read(self, event: HostRead, report: Reporter) -> None:
        if event.how != "numpy":
            return
        outcomes = frozen(self.claims(report.torch), event.tensor)
        # a method of a proxy is recorded, a function of numpy cannot take one
        method = isinstance(event.call, ast.Call) and not event.call.args
        outcomes["fx"] = "captured" if method or not is_proxy(event.tensor) else "refused"
        if event.logged:
            outcomes["trace"] = "captured"
        report(
            event, "the trace loses the tensor here: it becomes a numpy array", value=event.tensor, outcomes=outcomes
        )

    def on_call(self, event: Call, report: Reporter) -> None:
        if event.name not in ("torch.from_numpy", "torch.as_tensor", "torch.tensor") or not event.args:
            return
        array = tensor_in(event.args[0])
        if array is None or not array.array or not is_tainted(array):
            return
        message = "what numpy computed for the example becomes a constant of the trace"
        report(event, message, value=array, outcomes={"trace": "silently_wrong", "fx": "refused", "dynamo": "captured"})
