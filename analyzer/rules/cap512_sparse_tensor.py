"""CAP512: sparse tensors in captured code."""

from __future__ import annotations

from functools import lru_cache

from analyzer.dependence import is_proxy
from analyzer.flow.events import Call, Operation, Return
from analyzer.knowledge.tables import lookup
from analyzer.outcome import Frontend, Outcome
from analyzer.rule import Bad, Good, Reporter, Rule
from analyzer.values import Function, Value, tensor_in

_MAKERS: dict[str, tuple[str, ...]] = {
    "torch.sparse_coo_tensor": ("GB0007",),
    "torch.sparse_csr_tensor": ("GB0374",),
    "torch.sparse_csc_tensor": ("GB0374",),
    "torch.sparse_bsr_tensor": ("GB0374",),
    "torch.sparse_compressed_tensor": ("GB0374",),
}


class SparseTensor(Rule):
    """Sparse tensors in captured code.

    ## What it does
    Finds calls that make sparse tensors, and operations on them.

    ## Why it matters
    TorchDynamo does not follow sparse tensors: the graph ends at each.

    ## Use instead
    Keep the sparse part outside of the captured function, or use indices and `index_add_`/`scatter_add_`.

    ## Fix safety
    No fix is offered.

    ## References
    Registry ids GB0277, GB0015, GB0007, GB0374; measured on torch 2.13.
    """

    code, name = "CAP512", "sparse-tensor"
    outcomes = {
        "trace": "captured",
        "fx": "captured",
        "script": "captured",
        "dynamo": "graph_break",
        "fullgraph": "refused",
        "export": "captured",
    }
    graph_breaks = ("GB0277", "GB0015", "GB0007", "GB0374")
    strict_export = "unknown"
    examples = [
        Bad(
            """
import torch


def fn(x: torch.Tensor):
    s = x.to_sparse()  # CAP512
    return torch.sparse.mm(s, x)  # CAP512
""",
            inputs="torch.eye(3)",
        ),
        Bad(
            """
import torch
from torch import nn


class Graph(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 2)

    def forward(self, x, edges, weights):
        x = self.fc(x)
        adjacency = torch.sparse_coo_tensor(edges, weights, (2, 2))  # CAP512
        return adjacency @ x  # CAP512
""",
            entry="Graph()",
            inputs="(torch.ones(2, 2), torch.tensor([[0, 1], [1, 0]]), torch.ones(2))",
            outcomes={"dynamo": "skipped_frame", "fx": "refused"},
        ),
        Good(
            """
import torch


def fn(x):
    return x @ x
""",
            inputs="torch.eye(3)",
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


def fn(x: torch.Tensor):
    if x.is_sparse:
        return x.to_dense()
    return x * 2
""",
            inputs="torch.eye(3)",
            outcomes={
                "dynamo": "captured",
                "fullgraph": "captured",
                "trace": "captured",
                "fx": "refused",
                "script": "captured",
                "export": "captured",
            },
        ),
    ]

    def on_call(self, event: Call, report: Reporter) -> None:
        if isinstance(event.callee, Function):
            if _is_sparse(event.result):
                message = "a sparse tensor comes back from the call, which ends the graph"
                report(event, message, value=event.result, graph_breaks=("GB0015",))
            return
        ids = _made_by(event.name)
        if ids is not None:
            outcomes: dict[Frontend, Outcome] = self.claims(report.torch)
            if event.name in _MAKERS and any(is_proxy(v) for v in event.args):
                outcomes["fx"] = "refused"
            report(event, "TorchDynamo does not follow sparse tensors", outcomes=outcomes, graph_breaks=ids)
        elif event.name.startswith(("torch.", "Tensor.")) and not event.name.endswith((".size", ".dim")):
            given = [event.receiver, *event.args, *event.kwargs.values()]
            sparse = next((v for v in given if v is not None and _is_sparse(v)), None)
            if sparse is not None:
                message = "an operation on a sparse tensor ends the graph"
                report(event, message, value=sparse, graph_breaks=("GB0015",))

    def on_return(self, event: Return, report: Reporter) -> None:
        if _is_sparse(event.value) and event.context.depth > 0:
            report(
                event,
                "a sparse tensor is handed back, which ends the graph",
                value=event.value,
                graph_breaks=("GB0015",),
            )

    def on_operation(self, event: Operation, report: Reporter) -> None:
        sparse = event.left if _is_sparse(event.left) else event.right
        if _is_sparse(sparse) and event.operator not in ("Is", "IsNot"):
            report(event, "an operation on a sparse tensor ends the graph", value=sparse, graph_breaks=("GB0015",))


def _is_sparse(value: Value) -> bool:
    tensor = tensor_in(value)
    return tensor is not None and tensor.layout == "sparse"


@lru_cache(maxsize=4096)
def _made_by(name: str) -> tuple[str, ...] | None:
    """The registry ids of a call that makes a sparse tensor, None for other calls."""
    row = lookup(name) if name else None
    if name not in _MAKERS and row is not None:
        return row.ids if "GB0277" in row.ids or row.returns == "sparse" and row.dynamo == "break" else None
    return _MAKERS.get(name)
