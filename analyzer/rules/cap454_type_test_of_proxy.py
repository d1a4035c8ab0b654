"""CAP454: type tests that a proxy answers with no."""

from __future__ import annotations

import ast

from analyzer.fixes.code import code_of
from analyzer.flow.events import Call
from analyzer.proxy import is_fx_proxy
from analyzer.rule import Bad, Good, Reporter, Rule
from analyzer.values import External, Seq, Shape, Static, Tensor, Unknown, Value


def _holds(value: Value, cls: Value) -> bool:
    """Whether the real value is surely an instance."""
    if not isinstance(cls, External):
        return False
    if isinstance(value, (Tensor, Unknown)):
        return cls.name == "torch.Tensor" and not (isinstance(value, Tensor) and value.origin == "parameter")
    if isinstance(value, Shape):
        return value.type == "int" and cls.name == "builtins.int"
    return isinstance(value, Static) and cls.name == f"builtins.{value.type}"


class TypeTestOfProxy(Rule):
    """Type tests that hold for the real argument and not for the proxy.

    ## What it does
    Finds `isinstance(x, torch.Tensor)`, `torch.is_tensor(x)` and `isinstance(n, int)` on an argument of the
    traced function, or on what is computed from it, where the real value is one.

    ## Why it matters
    During symbolic tracing the argument is a Proxy, which is no Tensor and no int. The test answers False, and
    the graph silently keeps the branch for something else. An `assert isinstance(...)` fails.

    ## Use instead
    Leave the test out of traced code, test `x is None` instead, or split the function by type before tracing.

    ## Fix safety
    No fix is offered.

    ## References
    torch.fx (https://docs.pytorch.org/docs/stable/fx.html, "Limitations of Symbolic Tracing"); measured on torch 2.13.
    """

    code, name = "CAP454", "type-test-of-proxy"
    calls = ("torch.is_tensor", "builtins.isinstance")
    outcomes = {"fx": "silently_wrong"}
    examples = [
        Bad(
            """
import torch
def fn(x: torch.Tensor):
    if isinstance(x, torch.Tensor):  # CAP454
        return x * 2
    return torch.zeros(3)
""",
            inputs="torch.ones(2, 3)",
        ),
        Bad(
            """
import torch
def fn(x: torch.Tensor):
    return x.sin() if torch.is_tensor(x) else x  # CAP454
""",
            inputs="torch.ones(2, 3)",
        ),
        Bad(
            """
import torch
def fn(x: torch.Tensor):
    assert isinstance(x, torch.Tensor)  # CAP454
    return x.sin()
""",
            inputs="torch.ones(2, 3)",
            outcomes={"fx": "refused"},
        ),
        Good(
            """
import torch


def fn(x):
    if isinstance(x, (list, tuple)):
        x = x[0]
    if hasattr(x, "shape"):
        return x * 2
    return x
""",
            inputs="torch.ones(2, 3)",
            outcomes={"fx": "captured"},
        ),
    ]

    def on_call(self, event: Call, report: Reporter) -> None:
        if (
            event.name == "torch.is_tensor"
            and event.args
            and isinstance(event.args[0], (Tensor, Unknown))
            and is_fx_proxy(event.args[0])
        ):
            report(event, "is_tensor is False for a proxy: the other branch is kept", value=event.args[0])
        if event.name != "builtins.isinstance" or len(event.args) != 2 or not is_fx_proxy(event.args[0]):
            return
        value, cls = event.args
        classes = cls.items if isinstance(cls, Seq) and cls.items is not None else (cls,)
        if not any(_holds(value, c) for c in classes):
            return
        if isinstance(code_of(report.source, report.tree).statement(event.node), ast.Assert):
            report(event, "isinstance is False for a proxy: the assert fails", value=value, outcomes={"fx": "refused"})
        else:
            report(event, "isinstance is False for a proxy: the other branch is kept", value=value)
