"""CAP102: an assert on tensor contents in a form that Dynamo cannot keep."""

from __future__ import annotations

from analyzer.dependence import frozen
from analyzer.fixes import offers
from analyzer.flow.events import TruthTest
from analyzer.rule import Bad, Good, Reporter, Rule
from analyzer.values import tensor_in


class DataDependentAssert(Rule):
    """An assert on tensor contents in a form that Dynamo cannot keep.

    ## What it does
    Finds asserts that test a tensor. A bare tensor expression with no message or a constant one is
    turned into an assertion in the graph; `not`, a chained comparison, a computed message, and all but the last
    part of an `and` or `or` are not, and break.

    ## Why it matters
    The graph ends at the assert; torch.fx refuses every form.

    ## Use instead
    `torch._check` on a size, `torch._assert_async(condition)` or the bare form with a constant message.

    ## Fix safety
    `not t` becomes `~t`, and `and` or a chain becomes several asserts: safe. A message that is computed
    becomes a constant one, and `torch._assert_async` raises RuntimeError: unsafe.

    ## References
    Registry id GB0170; the rewrite is `torch._dynamo`'s handling of a failed assert, measured on torch 2.13.
    """

    code, name = "CAP102", "data-dependent-assert"
    outcomes = {
        "trace": "captured",
        "fx": "refused",
        "script": "captured",
        "dynamo": "graph_break",
        "fullgraph": "refused",
        "export": "refused",
    }
    graph_breaks = ("GB0170",)
    examples = [
        Bad(
            """
import torch


def fn(x):
    assert not (x < 0).any(), "negative input"  # CAP102
    return x.sqrt()
""",
            fixed="""
import torch


def fn(x):
    assert ~(x < 0).any(), "negative input"
    return x.sqrt()
""",
        ),
        Bad(
            """
import torch


def fn(x):
    assert (x > 0).all(), f"got a minimum of {x.min()}"  # CAP102
    return x.log()
""",
            fixed="""
import torch


def fn(x):
    assert (x > 0).all(), "got a minimum of ..."
    return x.log()
""",
        ),
        Bad(
            """
import torch


def fn(x):
    assert (x > 0).all(), "inputs must be positive"  # CAP102
    return x.log()
""",
            fixed="""
import torch


def fn(x):
    torch._assert_async((x > 0).all(), "inputs must be positive")
    return x.log()
""",
            title="only torch.fx and torch.export refuse this form",
            outcomes={"dynamo": "captured", "fullgraph": "captured"},
        ),
        Bad(
            """
import torch


def fn(x: torch.Tensor):
    assert x.min() >= 0.0 and x.max() <= 2.0  # CAP102
    return x / 2.0
""",
            fixed="""
import torch


def fn(x: torch.Tensor):
    assert x.min() >= 0.0
    assert x.max() <= 2.0
    return x / 2.0
""",
        ),
        Bad(
            """
import torch
from torch import nn


class Checked(nn.Module):
    def check(self, x):
        assert not torch.isnan(x).any(), "not a number"  # CAP102

    def forward(self, x):
        y = x * 2
        self.check(y)
        return y + 1
""",
            fixed="""
import torch
from torch import nn


class Checked(nn.Module):
    def check(self, x):
        assert ~torch.isnan(x).any(), "not a number"

    def forward(self, x):
        y = x * 2
        self.check(y)
        return y + 1
""",
            title="in a helper",
            entry="Checked()",
        ),
        Good(
            """
import torch


def fn(x: torch.Tensor):
    assert x.dim() == 1 and (x > 0).all()
    return x.log()
""",
            outcomes={
                "dynamo": "captured",
                "fullgraph": "captured",
                "trace": "captured",
                "fx": "refused",
                "script": "captured",
                "export": "refused",
            },
            title="what `and` tests last is kept",
        ),
        Good(
            """
import torch


def fn(x: torch.Tensor):
    assert x.dim() == 2 or (x > 0).all()
    return x.log()
""",
            outcomes={
                "dynamo": "captured",
                "fullgraph": "captured",
                "trace": "captured",
                "fx": "refused",
                "script": "captured",
                "export": "refused",
            },
            title="what `or` tests last is kept",
        ),
        Good(
            """
import torch


def fn(a, b):
    assert a.shape == b.shape, f"shape mismatch: {a.shape} and {b.shape}"
    return a + b
""",
            inputs="(torch.ones(2), torch.ones(2))",
            outcomes={
                "dynamo": "captured",
                "fullgraph": "captured",
                "trace": "captured",
                "fx": "refused",
                "script": "captured",
                "export": "captured",
            },
        ),
        Good(
            """
import torch


def fn(x):
    torch._assert_async((x > 0).all())
    return x.log()
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

    def on_truth_test(self, event: TruthTest, report: Reporter) -> None:
        tensor = tensor_in(event.value)
        if event.form != "assert" or tensor is None:
            return
        outcomes = frozen(self.claims(report.torch), tensor)
        if event.plain:
            outcomes.update({"dynamo": "captured", "fullgraph": "captured"})
        message = "the assert reads the contents of a tensor"
        makers = [
            make(report, event.statement, event.node, tensor) for make in (offers.bare_assert, offers.assert_async)
        ]
        report(event, message, value=tensor, outcomes=outcomes, fix=makers)
