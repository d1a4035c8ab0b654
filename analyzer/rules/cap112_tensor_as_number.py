"""CAP112: a tensor stands where Python needs a number."""

from __future__ import annotations

from analyzer.dependence import frozen
from analyzer.flow.events import HostRead
from analyzer.rule import Bad, Good, Reporter, Rule

_WORDS = {
    "index": ("a tensor is used as an index of a Python sequence", ("GB0124",)),
    "slice": ("a tensor bounds a slice", ("GB0124",)),
    "range": ("range() needs the value of a tensor", ("GB0059", "GB4841")),
    "math": ("a math function reads the contents of a tensor", ("GB0033",)),
    "contains": ("`in` reads the contents of a tensor", ("GB0124",)),
    "member": ("`in` compares a tensor by its contents", ("GB0170",)),
    "sort": ("sorting compares tensors by their contents", ("GB0207",)),
    "order": ("min() and max() compare tensors by their contents", ()),
    "pow": ("the builtin pow() is not traced", ("GB0059",)),
    "round": ("round() reads the contents of a tensor", ("GB0059",)),
}
#: Reads that torch.jit.script can express.
_SCRIPTED = frozenset({"index", "slice", "sort", "pow", "math"})


class TensorAsNumber(Rule):
    """A tensor stands where Python needs a number.

    ## What it does
    Finds tensors used as the bound of `range()`, the index of a list or string, an argument of
    `math.*`, the container of `in`, and the elements that `sorted()` compares.

    ## Why it matters
    Python asks the tensor for its value: torch.compile ends the graph there, torch.fx refuses, and
    torch.jit.trace keeps the example's value.

    ## Use instead
    Tensor operations: `torch.arange` with a size known before the call, `torch.index_select`, `torch.sqrt`,
    `(x == value).any()`, `torch.sort`.

    ## Fix safety
    No fix is offered.

    ## References
    Registry ids GB0124, GB0059, GB0033, GB0207; measured on torch 2.13.
    """

    code, name = "CAP112", "tensor-as-number"
    outcomes = {
        "trace": "silently_wrong",
        "fx": "refused",
        "script": "refused",
        "dynamo": "graph_break",
        "fullgraph": "refused",
        "export": "refused",
    }
    graph_breaks = ("GB0124", "GB0059", "GB4841", "GB0033", "GB0207", "GB0170")
    examples = [
        Bad(
            """
import torch


def fn(a: torch.Tensor, b: torch.Tensor):
    return max(a, b) * 2  # CAP112
""",
            title="Dynamo makes it torch.maximum",
            inputs="(torch.tensor(1.0), torch.tensor(2.0))",
            variants=("(torch.tensor(4.0), torch.tensor(2.0))",),
            outcomes={"dynamo": "captured", "fullgraph": "captured", "export": "captured"},
        ),
        Bad(
            """
import torch


def fn(x, steps: torch.Tensor):
    for _ in range(steps):  # CAP112
        x = x * 2
    return x
""",
            inputs="(torch.ones(2), torch.tensor(3))",
            variants=("(torch.ones(2), torch.tensor(1))",),
        ),
        Bad(
            """
import math

import torch


def fn(x):
    return torch.sin(x) / math.sqrt(x.sum())  # CAP112
""",
            variants=("torch.full((3,), 7.0)",),
            outcomes={"fx": "captured", "script": "captured"},
        ),
        Bad(
            """
import torch


def fn(ids: torch.LongTensor):
    if 2 in ids:  # CAP112
        return ids + 1
    return ids - 1
""",
            inputs="torch.tensor([1, 2, 3])",
            variants=("torch.tensor([5, 6, 7])",),
            outcomes={"dynamo": "skipped_frame"},
        ),
        Bad(
            """
import torch
from torch import nn


class Experts(nn.Module):
    def __init__(self):
        super().__init__()
        self.experts = nn.ModuleList([nn.ReLU(), nn.Sigmoid()])

    def forward(self, x):
        best = x.softmax(-1).sum(0).argmax()
        return self.experts[best](x)  # CAP112
""",
            entry="Experts()",
            inputs="torch.tensor([[1.0, -2.0]])",
            variants=("torch.tensor([[-2.0, 1.0]])",),
            outcomes={"script": "unknown"},
        ),
        Bad(
            """
import torch


def fn(x, lengths: torch.LongTensor):
    end = lengths.max()
    return x[:end]  # CAP112
""",
            inputs="(torch.ones(5), torch.tensor([2, 3]))",
            variants=("(torch.ones(5), torch.tensor([4, 3]))",),
            outcomes={
                "dynamo": "skipped_frame",
                "fullgraph": "captured",
                "trace": "captured",
                "fx": "captured",
                "script": "captured",
                "export": "captured",
            },
        ),
        Bad(
            """
import torch


def fn(x):
    parts = [x.max(), torch.relu(x).min(), x.mean()]
    return sorted(parts)[0]  # CAP112
""",
            inputs="torch.tensor([1.0, 5.0])",
            variants=("torch.tensor([-3.0, 1.0])",),
            outcomes={"script": "captured"},
        ),
        Bad(
            """
import torch


def fn(x):
    total = torch.relu(x).sum()
    if total in (1, 2):  # CAP112
        return x
    return x + 1
""",
            variants=("torch.full((1,), 2.0)",),
        ),
        Bad(
            """
import torch


def fn(x):
    scores = [torch.relu(x).sum(), x.mean()]
    scores.sort(key=lambda score: -score)  # CAP112
    return x * scores[0]
""",
            outcomes={"trace": "unknown", "script": "unknown"},
        ),
        Bad(
            """
import torch


def fn(x: torch.Tensor):
    half = torch.ceil(torch.as_tensor(x.shape[0] / 2)).long()
    return x[:half] * 2  # CAP112
""",
            title="a number that was known all along, made a tensor",
            outcomes={
                "dynamo": "skipped_frame",
                "fullgraph": "captured",
                "trace": "unknown",
                "fx": "unknown",
                "script": "captured",
                "export": "captured",
            },
        ),
        Good(
            """
import math

import torch


def fn(x):
    return x / torch.sqrt(x.sum()) / math.sqrt(x.shape[-1])
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
        Good(
            """
import torch


def fn(x, names):
    if "relu" in names:
        x = x.relu()
    return x[: len(names)], sorted(names)[0] == "relu"
""",
            inputs="(torch.ones(3), ['relu', 'tanh'])",
            outcomes={
                "dynamo": "captured",
                "fullgraph": "captured",
                "trace": "refused",
                "fx": "refused",
                "script": "refused",
                "export": "captured",
            },
        ),
    ]

    def on_host_read(self, event: HostRead, report: Reporter) -> None:
        known = _WORDS.get(event.how)
        if known is None:
            return
        tensor = event.tensor
        message, ids = known
        outcomes = frozen(self.claims(report.torch), tensor)
        if event.how in _SCRIPTED:
            outcomes["script"] = "captured"
        if event.how == "index":
            outcomes["script"] = "unknown"  # a list's index may be one, a ModuleList's may not
        elif event.how == "math":
            outcomes["fx"] = "captured"  # math functions are recorded as they are
        elif event.how == "order":  # Dynamo and export make it torch.minimum or torch.maximum
            outcomes.update({"dynamo": "captured", "fullgraph": "captured", "export": "captured"})
        elif event.how == "slice":
            outcomes.update({"trace": "captured", "fx": "captured", "fullgraph": "captured", "export": "captured"})
        if tensor.constant and tensor.array:
            outcomes["dynamo"] = "captured"
        elif tensor.constant and event.how == "index":
            outcomes.update({"fullgraph": "captured", "export": "captured"})
        report(event, message, value=tensor, outcomes=outcomes, graph_breaks=ids)
