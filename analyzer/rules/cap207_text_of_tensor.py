"""CAP207: a decision by the text of a tensor."""

from __future__ import annotations

import ast

from analyzer.flow.events import Operation, Subscript, TruthTest
from analyzer.outcome import Frontend, Outcome
from analyzer.rule import Bad, Good, Reporter, Rule
from analyzer.values import Const, Data, Seq, Value, tensor_in


class TextOfTensorDecides(Rule):
    """A decision by the text of a tensor.

    ## What it does
    Finds dictionary keys and tests that are made from a formatted tensor (`TABLE[f"k{t}"]`).

    ## Why it matters
    Formatting a tensor is captured as long as nobody looks at the text. A lookup or a comparison
    looks: torch.compile ends the graph, and torch.jit.trace keeps the example's text.

    ## Use instead
    A tensor index into a stacked table.

    ## Fix safety
    No fix is offered.

    ## References
    Measured on torch 2.13.
    """

    code, name = "CAP207", "text-of-tensor-decides"
    outcomes = {
        "trace": "silently_wrong",
        "fx": "refused",
        "script": "refused",
        "dynamo": "graph_break",
        "fullgraph": "refused",
        "export": "refused",
    }
    graph_breaks = ("GB0088", "GB0059", "GB0156", "GB4841", "GB0124", "GB0208", "GB9648")
    examples = [
        Bad(
            """
import torch

TABLE = {"k1": 1.0, "k2": 2.0}


def fn(k: torch.Tensor):
    scale = TABLE[f"k{k}"]  # CAP207
    return torch.ones(2) * scale
""",
            inputs="torch.tensor(2)",
            variants=("torch.tensor(1)",),
            outcomes={"dynamo": "skipped_frame"},
        ),
        Bad(
            """
import torch


def fn(k: torch.Tensor):
    y = torch.ones(2)
    if f"{k}" == "2":  # CAP207
        return y + 1
    return y
""",
            inputs="torch.tensor(2)",
            variants=("torch.tensor(1)",),
            outcomes={"fx": "silently_wrong", "script": "silently_wrong", "export": "silently_wrong"},
        ),
        Bad(
            """
import torch


def fn(x: torch.Tensor):
    y = x * 2
    label = "%s" % y  # CAP207
    return y + 1
""",
            outcomes={
                "dynamo": "skipped_frame",
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
    label = f"mean {x.mean()}"
    return x * 2
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

TABLE = {"k1": 1.0, "k2": 2.0}


def fn(x: torch.Tensor):
    return x * TABLE[f"k{x.dim()}"]
""",
            outcomes={
                "dynamo": "captured",
                "fullgraph": "captured",
                "trace": "captured",
                "fx": "refused",
                "script": "refused",
                "export": "captured",
            },
        ),
    ]

    def on_subscript(self, event: Subscript, report: Reporter) -> None:
        if _is_text(event.index):
            outcomes: dict[Frontend, Outcome] = {
                **self.claims(report.torch),
                "dynamo": "skipped_frame",
            }  # the key is not found
            report(
                event,
                "the key is made from the contents of a tensor",
                value=event.index,
                outcomes=outcomes,
                graph_breaks=("GB0088",),
            )

    def on_truth_test(self, event: TruthTest, report: Reporter) -> None:
        if _is_text(event.value):
            report(event, "the test looks at the text of a tensor", value=event.value)

    def on_operation(self, event: Operation, report: Reporter) -> None:
        if isinstance(event.node, ast.Compare):
            text = next((v for v in (event.left, event.right) if _is_text(v)), None)
            if text is not None and event.operator in ("Eq", "NotEq", "In", "NotIn"):
                outcomes = self.claims(report.torch)
                outcomes.update({"fx": "silently_wrong", "script": "silently_wrong", "export": "silently_wrong"})
                report(event, "the comparison looks at the text of a tensor", value=text, outcomes=outcomes)
        elif event.operator == "Mod" and isinstance(event.left, Const) and isinstance(event.left.value, str):
            right = event.right
            parts = right.items if isinstance(right, Seq) and right.items is not None else (right,)
            tensor = next((t for t in map(tensor_in, parts) if t is not None), None)
            if tensor is not None:
                outcomes = self.claims(report.torch)
                outcomes.update({"trace": "captured", "fx": "captured", "script": "captured", "export": "captured"})
                report(event, "`%` formats a tensor", value=tensor, outcomes=outcomes, graph_breaks=("GB0208",))


def _is_text(value: Value) -> bool:
    return isinstance(value, Data) and value.type == "str"
