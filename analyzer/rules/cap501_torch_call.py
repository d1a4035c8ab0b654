"""CAP501: torch functions and tensor methods that Dynamo does not trace."""

from __future__ import annotations

import ast

from analyzer.flow.events import Call, Operation
from analyzer.knowledge.script import REFUSED_CALLS, REFUSED_PREFIXES, refused
from analyzer.knowledge.tables import Row, lookup
from analyzer.outcome import Frontend, Outcome
from analyzer.rule import Bad, Good, Reporter
from analyzer.rules.cap304_input_output import FILES
from analyzer.table_rule import TableRule, troubles
from analyzer.values import Instance, Value

#: Ids that another rule explains better.
ELSEWHERE = frozenset(
    {
        "GB0036",
        "GB0087",
        "GB0033",
        "GB0124",
        "GB0109",
        "GB0277",
        "GB0123",
        "GB9186",
        "GB0264",
        "GB0014",
        "GB0025",
        "GB0374",
    }
)


#: Calls that Dynamo refuses while it traces: they tell it about values that it has already seen.
_FORBIDDEN = frozenset(f"torch._dynamo.{n}" for n in ("mark_dynamic", "maybe_mark_dynamic", "mark_static"))
#: Calls that break whatever they are given, if they are given something.
_WITH_ARGUMENTS = {"Tensor.set_": ("GB0128",)}


class TorchCallNotTraced(TableRule):
    """Torch functions and tensor methods that TorchDynamo does not trace.

    ## What it does
    Finds calls of torch functions that return something other than tensors, change what a tensor is (`set_`, `resize_`,
    `share_memory_`, storages), or ask for global state.

    ## Why it matters
    torch.compile ends the graph at the call.

    ## Use instead
    See the registry page of the id; most of these belong outside of the captured function.

    ## Fix safety
    No fix is offered.

    ## References
    Registry ids in each finding; every row was measured on torch 2.13.
    """

    code, name = "CAP501", "torch-call-not-traced"
    message = "{} is not traced: the graph ends at the call"
    outcomes = {
        "dynamo": "graph_break",
        "fullgraph": "refused",
        "export": "captured",
        "trace": "captured",
        "fx": "captured",
        "script": "captured",
    }
    graph_breaks = ()
    scripted = False
    examples = [
        Bad(
            """
import torch


def fn(x):
    torch._dynamo.mark_dynamic(x, 0)  # CAP501
    return x * 2
""",
            title="the compiler is told too late",
            outcomes={"dynamo": "refused", "script": "refused", "fx": "unknown"},
        ),
        Bad(
            """
import torch


def fn(x: torch.Tensor):
    y = x.clone()
    y.resize_(2, 2)  # CAP501
    return y + 1
""",
            inputs="torch.ones(4)",
        ),
        Bad(
            """
import torch


def fn(x):
    if torch.is_inference_mode_enabled():  # CAP501
        return x
    return x * 2
""",
            outcomes={"script": "refused"},
        ),
        Bad(
            """
import torch
from torch import nn


class Shared(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)

    def forward(self, x):
        x = self.fc(x)
        torch.set_num_threads(1)  # CAP501
        return x.relu()
""",
            entry="Shared()",
            outcomes={"script": "refused"},
        ),
        Bad(
            """
import torch


def fn(x: torch.Tensor, y: torch.Tensor):
    kind = torch.result_type(x, y)  # CAP501
    return x.to(kind) + y
""",
            inputs="(torch.ones(3), torch.ones(3))",
        ),
        Bad(
            """
import torch

GENERATOR = torch.Generator()


def fn(x):
    y = x * 2
    return y + torch.rand(3, generator=GENERATOR) * 0  # CAP501
""",
            outcomes={"script": "refused"},
        ),
        Bad(
            """
import torch


def fn(x: torch.Tensor, y: torch.Tensor):
    z = x * 2
    if x.data_ptr() == y.data_ptr():  # CAP501
        z = z + 1
    return z
""",
            inputs="(torch.ones(3), torch.ones(3))",
            outcomes={"fx": "unknown", "script": "refused", "export": "refused"},
        ),
        Bad(
            """
import torch


def fn(x: torch.Tensor):
    y = x * 2
    if y.data_ptr() == 0:  # CAP501
        return x
    return y
""",
            outcomes={"script": "refused", "fx": "unknown", "export": "refused"},
        ),
        Good(
            """
import torch


def fn(x):
    if torch.is_autocast_enabled() or torch.is_grad_enabled():
        return x.float()
    return x + 1
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


def fn(x):
    size = torch.broadcast_shapes((2, 1), (1, 3))
    return x.reshape(1, 3).expand(size).to(torch.promote_types(torch.float32, torch.float64))
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

    @classmethod
    def speaks_of(cls, name: str) -> bool:
        row = lookup(name) if name else None
        troubled = row is not None and not row.effect and troubles(row)
        return name.startswith("torch.UntypedStorage.") or name in _WITH_ARGUMENTS or troubled

    def on_call(self, event: Call, report: Reporter) -> None:
        ids = (
            ("GB0156",)
            if event.name.startswith("torch.UntypedStorage.")
            else _WITH_ARGUMENTS.get(event.name)
            if event.args
            else None
        )
        generator = event.kwargs.get("generator")
        if (
            isinstance(generator, Instance)
            and generator.name == "torch.Generator"
            and event.name.startswith(("torch.", "Tensor."))
        ):
            outcomes: dict[Frontend, Outcome] = {**self.claims(report.torch), "script": "refused"}
            report(event, "a torch.Generator cannot be given to the graph", outcomes=outcomes, graph_breaks=("GB0055",))
            return
        if ids is not None:
            report(event, self.message.format(self.display(event)), value=event.receiver, graph_breaks=ids)
            return
        super().on_call(event, report)

    def on_operation(self, event: Operation, report: Reporter) -> None:
        if isinstance(event.node, ast.Compare) and (_address(event.left) or _address(event.right)):
            outcomes: dict[Frontend, Outcome] = {**self.claims(report.torch), "script": "refused", "export": "refused"}
            report(
                event,
                "comparing addresses of tensors ends the graph",
                value=event.left if _address(event.left) else event.right,
                outcomes=outcomes,
                graph_breaks=("GB5976",),
            )

    def wanted(self, event: Call, row: Row, ids: tuple[str, ...]) -> bool:
        if event.name in _FORBIDDEN:
            return True
        if (
            row.effect
            or not ids
            or set(ids) & ELSEWHERE
            or event.name in ("torch.manual_seed", "torch.seed", "Tensor.requires_grad_")
            or event.name in FILES
            or event.name == "torch.sparse_coo_tensor"
        ):
            return False
        return event.name.startswith(("torch.", "Tensor.")) and row.dynamo == "break"

    def judged(self, event: Call, row: Row, broken: bool) -> dict[Frontend, Outcome]:
        outcomes = super().judged(event, row, broken)
        outcomes.update({"export": "captured", "trace": "captured", "fx": "captured"})
        if _unscripted(event.name):
            outcomes["script"] = "refused"
        if event.name in _FORBIDDEN:
            outcomes.update({"dynamo": "refused", "fullgraph": "refused"})
        return outcomes


def _address(value: Value) -> bool:
    """Whether a number is what `data_ptr()` gave."""
    node = value.why.node if value.why is not None else None
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "data_ptr"


def _unscripted(name: str) -> bool:
    """Whether torch.jit.script has no such function."""
    return name in refused() or name in REFUSED_CALLS or name.startswith(REFUSED_PREFIXES)
