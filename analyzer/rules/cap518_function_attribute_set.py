"""CAP518: an attribute of a function set in captured code."""

from __future__ import annotations

from analyzer.flow.events import AttributeStore
from analyzer.rule import Bad, Good, Reporter, Rule
from analyzer.values import Function


class FunctionAttributeSet(Rule):
    """An attribute of a function set in captured code.

    ## What it does
    Finds assignments like `function.calls = 1` where `function` is a Python function.

    ## Why it matters
    TorchDynamo does not follow changes of function objects: the graph ends there.

    ## Use instead
    A module attribute or a global that is written outside of the captured function.

    ## Fix safety
    No fix is offered.

    ## References
    Registry id GB0467; measured on torch 2.13.
    """

    code, name = "CAP518", "function-attribute-set"
    outcomes = {
        "trace": "captured",
        "fx": "captured",
        "script": "refused",
        "dynamo": "graph_break",
        "fullgraph": "refused",
        "export": "captured",
    }
    graph_breaks = ("GB0467",)
    examples = [
        Bad(
            """
import torch


def helper(x):
    helper.called = True  # CAP518
    return x * 2


def fn(x):
    return helper(x.sin())
""",
        ),
        Bad(
            """
import torch


def scale(x):
    return x * scale.by


def fn(x):
    y = x + 1
    scale.by = 2  # CAP518
    return scale(y)
""",
        ),
        Good(
            """
import torch


def scale(x):
    return x * scale.by


scale.by = 2


def fn(x):
    return scale(x)
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

    def on_attribute_store(self, event: AttributeStore, report: Reporter) -> None:
        if isinstance(event.owner, Function) and event.owner.self_value is None:
            report(event, "an attribute of a function is set")
