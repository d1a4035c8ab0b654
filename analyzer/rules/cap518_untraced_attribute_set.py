"""CAP518: an attribute of a function or an exception set in captured code."""

from __future__ import annotations

from analyzer.flow.events import AttributeStore
from analyzer.rule import Bad, Good, Reporter, Rule
from analyzer.values import Function, Instance


class UntracedAttributeSet(Rule):
    """An attribute of a function or an exception set in captured code.

    ## What it does
    Finds assignments like `function.calls = 1` and `error.code = 3` to functions and to exceptions.

    ## Why it matters
    TorchDynamo does not follow changes of these objects: the graph ends there.

    ## Use instead
    A module attribute, or an argument of the exception.

    ## Fix safety
    No fix is offered.

    ## References
    Registry ids GB0467 and GB0135; measured on torch 2.13.
    """

    code, name = "CAP518", "untraced-attribute-set"
    outcomes = {
        "trace": "captured",
        "fx": "captured",
        "script": "refused",
        "dynamo": "graph_break",
        "fullgraph": "refused",
        "export": "captured",
    }
    graph_breaks = ("GB0467", "GB0135")
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
        Bad(
            """
import torch


def fn(x):
    y = x.sin()
    error = ValueError("too small")
    error.code = 3  # CAP518
    return y + len(error.args)
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
        owner = event.owner
        if isinstance(owner, Function) and owner.self_value is None:
            report(event, "an attribute of a function is set", graph_breaks=("GB0467",))
        elif isinstance(owner, Instance) and owner.cls is None and _is_exception(owner.name):
            report(event, "an attribute of an exception is set", graph_breaks=("GB0135",))


def _is_exception(name: str) -> bool:
    return name.startswith("builtins.") and name.endswith(("Error", "Exception", "Warning"))
