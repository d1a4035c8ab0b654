"""CAP525: the text of an object made by its own `__str__`, in captured code."""

from __future__ import annotations

from analyzer.flow.events import Syntax
from analyzer.rule import Bad, Good, Reporter, Rule
from analyzer.values import Instance, Value


class TextOfObject(Rule):
    """The text of an object made by its own `__str__`, in captured code.

    ## What it does
    Finds f-strings and `str()` of objects whose class defines `__str__` or `__format__`.

    ## Why it matters
    TorchDynamo formats constants, tensors and sizes; a method of the program it does not call for a text: the rest of the
    function runs eagerly.

    ## Use instead
    Format the fields themselves, or make the text outside.

    ## Fix safety
    No fix is offered.

    ## References
    Registry ids GB0088 and GB0184; measured on torch 2.13.
    """

    code, name = "CAP525", "text-of-object"
    outcomes = {
        "trace": "captured",
        "fx": "captured",
        "script": "refused",
        "dynamo": "skipped_frame",
        "fullgraph": "refused",
        "export": "captured",
    }
    graph_breaks = ("GB0088", "GB0184", "GB0005")
    examples = [
        Bad(
            """
import torch


class Unit:
    def __str__(self):
        return "cm"


UNIT = Unit()


def fn(x):
    label = f"in {UNIT}"  # CAP525
    return x * len(label)
""",
        ),
        Good(
            """
import torch


class Unit:
    name = "cm"


UNIT = Unit()


def fn(x):
    label = f"in {UNIT.name}"
    return x * len(label)
""",
        ),
    ]

    def on_syntax(self, event: Syntax, report: Reporter) -> None:
        if event.kind == "JoinedStr":
            value = next((v for v in event.values.values() if _writes_itself(v)), None)
            if value is not None:
                report(event, "the text of this object is made by its own method", value=value)


def _writes_itself(value: Value) -> bool:
    return isinstance(value, Instance) and value.cls is not None and bool({"__str__", "__format__"} & value.cls.methods.keys())
