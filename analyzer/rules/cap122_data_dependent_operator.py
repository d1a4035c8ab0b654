"""CAP122: operators that return a Python value read from tensors, or take a tensor where a size belongs."""

from __future__ import annotations

from analyzer.dependence import frozen
from analyzer.flow.events import Call, Subscript
from analyzer.knowledge.tables import Row
from analyzer.outcome import Frontend, Outcome
from analyzer.rule import Bad, Good, Reporter
from analyzer.table_rule import TableRule
from analyzer.values import Seq, Tensor, Value, tensor_in
from analyzer.verdict import computed_tensor


class DataDependentOperator(TableRule):
    """Operators that need the contents of a tensor for a Python number.

    ## What it does
    Finds `torch.equal`, `torch.allclose`, `torch.is_nonzero`, factories and reshapes whose size is a computed tensor
    (`torch.zeros(n.max())`, `torch.arange(total)`), and subscripts by a computed 0-dim tensor (`x[i]`, `x[:n]`).

    ## Why it matters
    The number is needed while the graph is built: torch.compile ends the graph there.

    ## Use instead
    `(a == b).all()` kept as a tensor, sizes known before the call, `torch.index_select` or
    `torch.gather` with an index of one dimension.

    ## Fix safety
    No fix is offered.

    ## References
    Registry id GB0033; a 0-dim CPU tensor that is itself an argument is specialised instead (measured on torch 2.13).
    """

    code, name = "CAP122", "data-dependent-operator"
    ids = frozenset({"GB0033"})
    message = "{} needs tensor contents as a number"
    outcomes = {
        "trace": "silently_wrong",
        "fx": "captured",
        "script": "captured",
        "dynamo": "graph_break",
        "fullgraph": "refused",
        "export": "refused",
    }
    graph_breaks = ("GB0033",)
    examples = [
        Bad(
            """
import torch


def fn(a, b):
    if torch.allclose(a, b):  # CAP122
        return a * 2
    return b * 3
""",
            inputs="(torch.ones(3), torch.ones(3))",
            variants=("(torch.ones(3), torch.zeros(3))",),
            outcomes={"fx": "unknown"},
        ),
        Bad(
            """
import torch


def fn(x: torch.Tensor):
    i = x.argmax()
    return x[i] * 2  # CAP122
""",
            outcomes={"trace": "captured", "export": "captured"},
        ),
        Bad(
            """
import torch
from torch import nn


class Converge(nn.Module):
    def forward(self, x: torch.Tensor):
        for _ in range(3):
            new = x.clamp(max=1.0) / 2
            if torch.equal(new, x):  # CAP122
                break
            x = new
        return x
""",
            title="in a loop the whole forward runs eagerly",
            entry="Converge()",
            inputs="torch.zeros(3)",
            variants=("torch.full((3,), 8.0)",),
            outcomes={"dynamo": "skipped_frame", "fx": "unknown"},
        ),
        Bad(
            """
import torch


def fn(x: torch.Tensor, lengths: torch.Tensor):
    longest = lengths.max()
    return x[0] * torch.arange(longest)  # CAP122
""",
            inputs="(torch.ones(2), torch.tensor([2, 3]))",
            variants=("(torch.ones(2), torch.tensor([1, 4]))",),
            outcomes={"fullgraph": "captured", "trace": "captured", "export": "captured"},
        ),
        Bad(
            """
import torch


def fn(x: torch.Tensor, scores: torch.Tensor):
    if len(scores.shape) != 1:
        raise ValueError("one score for each row")
    _, order = scores.sort(descending=True)
    return x[order[0]] * 2  # CAP122
""",
            inputs="(torch.ones(2, 3), torch.tensor([2.0, 3.0]))",
            variants=("(torch.ones(2, 3), torch.tensor([4.0, 1.0]))",),
            outcomes={"trace": "captured", "export": "captured", "fx": "unknown"},
        ),
        Good(
            """
import torch


def fn(a: torch.Tensor, b: torch.Tensor):
    return (a == b).all() * a + torch.isclose(a, b)
""",
            inputs="(torch.ones(3), torch.ones(3))",
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
    best = x.argmax(dim=-1, keepdim=True)
    return x.gather(-1, best) + x[0]
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
    ]

    def wanted(self, event: Call, row: Row, ids: tuple[str, ...]) -> bool:
        return event.name != "Tensor.tolist" and super().wanted(event, row, ids)  # CAP111 tells by dtype

    def judged(self, event: Call, row: Row, broken: bool) -> dict[Frontend, Outcome]:
        outcomes = super().judged(event, row, broken)
        outcomes.update({"script": "captured"})
        given = [event.receiver, *event.args, *event.kwargs.values()]
        tensors = [t for t in (tensor_in(v) for v in given if v is not None) if t is not None]
        if broken and tensors and not event.name.startswith("torch.random."):
            number = row.returns.startswith("data")
            outcomes["trace"] = "silently_wrong" if number else "captured"
            frozen(outcomes, next((t for t in tensors if t.taint), tensors[0]))
            outcomes["fx"] = "captured"
            outcomes["fullgraph"] = "captured" if row.fullgraph == "ok" else "refused"
            outcomes["export"] = "refused" if number else outcomes["fullgraph"]
        return outcomes

    def on_subscript(self, event: Subscript, report: Reporter) -> None:
        base = tensor_in(event.value)
        if base is None or base.array or event.access == "del":
            return
        parts = (
            list(event.index.items or ())
            if isinstance(event.index, Seq) and event.index.type == "tuple"
            else [event.index]
        )
        for part in parts:
            tensor = _number_in(part)
            if tensor is not None:
                outcomes = self.claims(report.torch)
                outcomes.update({"trace": "captured", "export": "captured"})
                report(event, "a computed 0-dim tensor is used as an index", value=tensor, outcomes=outcomes)
                return


def _number_in(part: Value) -> Tensor | None:
    """The 0-dim integer tensor that an index is, if Dynamo must read it (CAP112 speaks of a slice's bounds)."""
    if isinstance(part, Tensor) and part.ndim == 0 and part.dtype == "int" and computed_tensor(part):
        return part
    return None
