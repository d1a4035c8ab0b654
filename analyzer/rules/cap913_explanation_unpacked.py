"""CAP913: the result of `torch._dynamo.explain` is unpacked or indexed."""

from __future__ import annotations

from analyzer.flow.events import Iterate, Subscript
from analyzer.rule import Bad, Good, Reporter, Rule
from analyzer.values import Instance, Value

_SINCE = (2, 1)


class ExplanationUnpacked(Rule):
    """The result of `torch._dynamo.explain` is unpacked or indexed.

    ## What it does
    Finds `explanation, guards, graphs, *rest = torch._dynamo.explain(fn)(x)` and `torch._dynamo.explain(fn)(x)[0]`.

    ## Why it matters
    Since torch 2.1 the result is an object with named fields: unpacking it raises `TypeError`. Older guides unpack six
    values.

    ## Use instead
    `report = torch._dynamo.explain(fn)(x)`, then `report.break_reasons`, `report.graph_count`, `report.graphs`.

    ## Fix safety
    No fix is offered.

    ## References
    `ExplainOutput` in torch/_dynamo/backends/debugging.py; measured on torch 2.13.
    """

    code, name = "CAP913", "explanation-unpacked"
    outside = True
    outcomes = {"dynamo": "refused"}
    examples = [
        Bad(
            """
import torch


def fn(x):
    return x + 1


def main():
    explanation, guards, graphs, ops, reasons, text = torch._dynamo.explain(fn, torch.ones(3))  # CAP913
    return explanation
""",
            outcomes={"dynamo": "unknown"},
        ),
        Bad(
            """
import torch


def fn(x):
    return x + 1


def main():
    report = torch._dynamo.explain(fn)(torch.ones(3))
    return report[0]  # CAP913
""",
            outcomes={"dynamo": "unknown"},
        ),
        Good(
            """
import torch


def fn(x):
    return x + 1


def main():
    report = torch._dynamo.explain(fn)(torch.ones(3))
    return report.break_reasons, report.graph_count
""",
        ),
    ]

    def on_iterate(self, event: Iterate, report: Reporter) -> None:
        if event.form in ("unpack", "unpack_star"):
            self._check(event, event.value, report)

    def on_subscript(self, event: Subscript, report: Reporter) -> None:
        if event.access == "load":
            self._check(event, event.value, report)

    def _check(self, event: Iterate | Subscript, value: Value, report: Reporter) -> None:
        if report.torch >= _SINCE and isinstance(value, Instance) and value.name == "torch._dynamo.ExplainOutput":
            report(event, "an explanation has named fields; it cannot be unpacked or indexed")
