"""CAP207: a decision by the text of a tensor."""

from __future__ import annotations

from analyzer.flow.events import Subscript, TruthTest
from analyzer.rule import Bad, Good, Reporter, Rule
from analyzer.values import Data, Value


class TextOfTensorDecides(Rule):
    """A decision by the text of a tensor.

    ## What it does
    Finds dictionary keys and tests that are made from a formatted tensor (`TABLE[f"k{t}"]`).

    ## Why it matters
    Formatting a tensor is captured as long as nobody looks at the text. A lookup or a comparison looks: torch.compile ends
    the graph, and torch.jit.trace keeps the example's text.

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
    graph_breaks = ("GB0059", "GB0156", "GB4841", "GB0124")
    examples = [
        Bad(
            """
import torch

TABLE = {"k1": 1.0, "k2": 2.0}


def fn(k):
    scale = TABLE[f"k{k}"]  # CAP207
    return torch.ones(2) * scale
""",
            inputs="torch.tensor(2)",
            variants=("torch.tensor(1)",),
            outcomes={"export": "unknown"},
        ),
        Good(
            """
import torch


def fn(x):
    label = f"mean {x.mean()}"
    return x * 2
""",
        ),
    ]

    def on_subscript(self, event: Subscript, report: Reporter) -> None:
        if _is_text(event.index):
            report(event, "the key is made from the contents of a tensor", value=event.index)

    def on_truth_test(self, event: TruthTest, report: Reporter) -> None:
        if _is_text(event.value):
            report(event, "the test looks at the text of a tensor", value=event.value)


def _is_text(value: Value) -> bool:
    return isinstance(value, Data) and value.type == "str"
