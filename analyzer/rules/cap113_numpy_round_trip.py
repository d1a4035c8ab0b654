"""CAP113: tensors leave for numpy and come back."""

from __future__ import annotations

from analyzer.dependence import frozen, varies
from analyzer.flow.events import Call, HostRead
from analyzer.rule import Bad, Good, Reporter, Rule
from analyzer.values import tensor_in


class NumpyRoundTrip(Rule):
    """Tensors leave for numpy and come back.

    ## What it does
    Finds `.numpy()`, `np.asarray(tensor)` and `torch.from_numpy(array)` where the array depends on an argument.

    ## Why it matters
    TorchDynamo follows numpy and keeps one graph. torch.jit.trace sees only the tensors on both sides: what numpy computed
    for the example is a constant of the trace. torch.jit.script has no numpy.

    ## Use instead
    The torch function of the same name.

    ## Fix safety
    No fix is offered.

    ## References
    Measured on torch 2.13: trace warns with TracerWarning, dynamo captures.
    """

    code, name = "CAP113", "numpy-round-trip"
    outcomes = {
        "trace": "silently_wrong",
        "fx": "captured",
        "script": "refused",
        "dynamo": "captured",
        "fullgraph": "captured",
        "export": "unknown",
    }
    examples = [
        Bad(
            """
import numpy as np
import torch


def fn(x):
    arr = x.numpy()  # CAP113
    arr = np.sqrt(arr) + 1.0
    return torch.from_numpy(arr)  # CAP113
""",
            variants=("torch.full((3,), 9.0)",),
            outcomes={"fx": "unknown", "script": "refused"},
        ),
        Good(
            """
import numpy as np
import torch

TABLE = np.arange(3.0)


def fn(x):
    return x + torch.from_numpy(TABLE)
""",
            outcomes={"dynamo": "captured", "trace": "captured"},
        ),
    ]

    def on_host_read(self, event: HostRead, report: Reporter) -> None:
        if event.how != "numpy":
            return
        outcomes = frozen(self.claims(report.torch), event.tensor)
        outcomes["fx"] = "captured"
        if event.logged:
            outcomes["trace"] = "captured"
        report(event, "the trace loses the tensor here: it becomes a numpy array", value=event.tensor, outcomes=outcomes)

    def on_call(self, event: Call, report: Reporter) -> None:
        if event.name not in ("torch.from_numpy", "torch.as_tensor", "torch.tensor") or not event.args:
            return
        array = tensor_in(event.args[0])
        if array is None or not array.array or not varies(array):
            return
        message = "what numpy computed for the example becomes a constant of the trace"
        report(event, message, value=array, outcomes={"trace": "silently_wrong", "dynamo": "captured"})
