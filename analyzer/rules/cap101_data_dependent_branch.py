"""CAP101: control flow that needs the contents of a tensor."""

from __future__ import annotations

import ast

from analyzer.dependence import from_read
from analyzer.fixes import offers
from analyzer.flow.events import TruthTest
from analyzer.outcome import Frontend, Outcome
from analyzer.rule import Bad, Good, Reporter, Rule
from analyzer.values import Const, Data, Static, Tensor, Union, Value, is_none, tensor_in

_WORDS = {
    "if": "the `if`",
    "while": "the `while`",
    "ternary": "the conditional expression",
    "and": "`and`",
    "or": "`or`",
    "not": "`not`",
    "comprehension": "the comprehension's `if`",
    "match": "the `match`",
    "any": "`any()`",
    "all": "`all()`",
    "filter": "`filter()`",
}


class DataDependentBranch(Rule):
    """Control flow that needs the contents of a tensor.

    ## What it does
    Finds `if`, `while`, conditional expressions, `and`/`or`/`not`, `any()`/`all()` and comprehension conditions whose
    test is a tensor.

    ## Why it matters
    A graph has no branches. While it is being built there is no value to decide by: TorchDynamo ends the graph there
    and runs the test eagerly (inside a loop or a `try` the whole function runs eagerly), `fullgraph=True`, torch.export
    and torch.fx refuse, and torch.jit.trace keeps the side that the example input took, for every later input.

    ## Use instead
    `torch.where` if both sides are cheap and have one shape, `torch.cond` if they are not, `torch._check` for a test
    that only guards against bad input.

    ## Fix safety
    `torch.where` computes both sides. It is safe only if the test is one bool and both sides are
    elementwise functions of one tensor, of one dtype and with finite slopes; else shapes, dtypes, aliases or
    gradients may differ. `torch.cond` and `torch._assert_async` are unsafe: one compiles, one raises RuntimeError. A
    branch that only prints or logs is put behind `not torch.compiler.is_compiling()`, which is safe.

    ## References
    Registry ids GB0170, and GB0033 for `not`; measured on torch 2.13.
    """

    code, name = "CAP101", "data-dependent-branch"
    outcomes = {
        "trace": "silently_wrong",
        "fx": "refused",
        "script": "captured",
        "dynamo": "graph_break",
        "fullgraph": "refused",
        "export": "refused",
    }
    graph_breaks = ("GB0170", "GB0033")
    examples = [
        Bad(
            """
import torch


def fn(x: torch.Tensor):
    match x:
        case 1:  # CAP101
            return x + 10
        case _:
            return x - 10
""",
            title="the first value that a tensor is matched with",
            inputs="torch.tensor(1)",
            variants=("torch.tensor(5)",),
            outcomes={"script": "refused"},
        ),
        Bad(
            """
import torch


def fn(x):
    if x.sum() > 0:  # CAP101
        return x.sin()
    return x.cos()
""",
            fixed="""
import torch


def fn(x):
    return torch.where(x.sum() > 0, x.sin(), x.cos())
""",
            inputs="torch.ones(4)",
            variants=("-torch.ones(4)",),
        ),
        Bad(
            """
import torch


def fn(x: torch.Tensor, y: torch.Tensor):
    scale = 2.0 if x.mean() > y.mean() else 0.5  # CAP101
    return x * scale
""",
            fixed="""
import torch


def fn(x: torch.Tensor, y: torch.Tensor):
    scale = torch.where(x.mean() > y.mean(), 2.0, 0.5)
    return x * scale
""",
            inputs="(torch.ones(3), torch.zeros(3))",
            variants=("(-torch.ones(3), torch.zeros(3))",),
        ),
        Bad(
            """
import torch
from torch import nn


class Halving(nn.Module):
    def forward(self, x: torch.Tensor):
        for _ in range(3):
            if x.norm() > 1.0:  # CAP101
                x = x / 2
        return x
""",
            fixed="""
import torch
from torch import nn


class Halving(nn.Module):
    def forward(self, x: torch.Tensor):
        for _ in range(3):
            x = torch.where(x.norm() > 1.0, x / 2, x)
        return x
""",
            title="in a loop the whole forward runs eagerly",
            entry="Halving()",
            inputs="torch.full((4,), 8.0)",
            variants=("torch.full((4,), 0.1)",),
            outcomes={"dynamo": "skipped_frame"},
        ),
        Bad(
            """
import torch
from torch import nn


class Gate(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("threshold", torch.tensor(0.5))

    def open(self, x):
        return x.mean() > self.threshold

    def forward(self, x):
        y = x * 2
        if self.open(y) and y.shape[0] > 1:  # CAP101
            y = y + 1
        return y
""",
            title="a helper computes the test",
            entry="Gate()",
            inputs="torch.ones(4)",
            variants=("-torch.ones(4)",),
        ),
        Bad(
            """
import torch


def fn(x: torch.Tensor):
    while x.max() > 1.0:  # CAP101
        x = x / 2
    return x
""",
            inputs="torch.full((3,), 5.0)",
            variants=("torch.full((3,), 0.5)",),
        ),
        Bad(
            """
import torch


def fn(x: torch.Tensor):
    y = x * 2
    empty = not y.any()  # CAP101
    return y + [1.0, 2.0][empty]
""",
            title="`not` asks for the value at once",
            inputs="torch.tensor(2.0)",
            variants=("torch.tensor(0.0)",),
            outcomes={"dynamo": "skipped_frame"},
        ),
        Bad(
            """
import torch


def fn(x):
    y = x * 2
    if y.isnan().any():  # CAP101
        print("not a number:", y)
    return y + 1
""",
            fixed="""
import torch


def fn(x):
    y = x * 2
    if not torch.compiler.is_compiling() and y.isnan().any():
        print("not a number:", y)
    return y + 1
""",
            title="it only tells",
            outcomes={"trace": "unknown"},
        ),
        Bad(
            """
import torch


def fn(x: torch.Tensor):
    y = x * 2
    if (y < 0).any():  # CAP101
        raise ValueError("negative input")
    return y.sqrt()
""",
            fixed="""
import torch


def fn(x: torch.Tensor):
    y = x * 2
    torch._assert_async(~(y < 0).any(), "negative input")
    return y.sqrt()
""",
            title="it only checks",
            outcomes={"trace": "unknown"},
        ),
        Bad(
            """
import torch
from torch import nn


class Experts(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(3, 2)
        self.second = nn.Linear(3, 2)

    def forward(self, x: torch.Tensor):
        x = x * 2
        if not (x > 0).all():  # CAP101
            y = self.first(x)
        else:
            y = self.second(x)  # the usual way
        return y
""",
            fixed="""
import torch
from torch import nn


class Experts(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(3, 2)
        self.second = nn.Linear(3, 2)

    def forward(self, x: torch.Tensor):
        x = x * 2
        y = torch.cond((x > 0).all(), lambda: self.second(x), lambda: self.first(x))  # CAP101  # the usual way
        return y
""",
            title="whole layers are chosen",
            entry="Experts()",
            variants=("-torch.ones(3)",),
        ),
        Good(
            """
import torch


def fn(x):
    return torch.where(x.sum() > 0, x.sin(), x.cos())
""",
            variants=("-torch.ones(3)",),
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
    if x.shape[0] > 1 and x.dtype == torch.float32:
        return x.mean(0)
    return x.squeeze(0)
""",
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


def fn(x, mask=None):
    if mask is not None:
        x = x * mask
    return x * 2
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
        Good(
            """
import torch
from torch import nn


class Scaled(nn.Module):
    def __init__(self, scale=2.0):
        super().__init__()
        self.scale = scale

    def forward(self, x):
        if self.scale > 1.0:
            x = x * self.scale
        return x
""",
            entry="Scaled()",
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
        if tensor is None:
            tensor = _flag(event.value)
            if tensor is not None and _set_in_training(report.tree, tensor, event):
                return
        if isinstance(event.value, Data) and event.form != "assert" and event.value.type != "str":
            self._number(event, event.value, report)
            return
        if tensor is None or event.form == "assert" or tensor.array and tensor.constant:
            return
        outcomes = self.claims(report.torch)
        if not tensor.taint and tensor.origin not in ("buffer", "attribute", "global"):
            outcomes["trace"] = outcomes["fx"] = "captured"
        elif tensor.origin in ("buffer", "attribute", "global") and not tensor.taint:
            outcomes["fx"] = "silently_wrong"
        elif tensor.array:
            outcomes["trace"] = "captured"  # what was frozen is the way to numpy
        if event.form == "match":
            outcomes["script"] = "refused"
        where = event.node if isinstance(event.node, ast.expr) else event.statement
        word = _WORDS.get(event.form, "a test")
        ids = ("GB0033",) if event.form == "not" else ("GB0170",)
        message = f"{word} reads the contents of a tensor"
        fixes = self._fixes(event, tensor, report) if tensor_in(event.value) is not None else []
        report(event, message, node=where, value=tensor, outcomes=outcomes, graph_breaks=ids, fix=fixes)

    def _fixes(self, event: TruthTest, tensor: Tensor, report: Reporter) -> list[offers.Maker]:
        if event.form not in ("if", "ternary"):
            return []
        if event.raises:
            return [offers.assert_async(report, event.statement, event.node, tensor)]
        return [offers.guard(report, event.node), offers.branch(report, event.statement, event.node, tensor)]

    def _number(self, event: TruthTest, value: Data, report: Reporter) -> None:
        """A test of a number that was read from a tensor: what breaks Dynamo's defaults is the read, not the test."""
        outcomes: dict[Frontend, Outcome] = {"trace": "captured", "script": "captured", "dynamo": "captured"}
        outcomes["fx"] = "refused" if value.taint else "captured"
        read = from_read(value)
        outcomes["fullgraph"] = outcomes["export"] = "refused" if read else "captured"
        where = event.node if isinstance(event.node, ast.expr) else event.statement
        word = _WORDS.get(event.form, "a test")
        message = f"{word} reads a number out of a tensor"
        fixes = [offers.guard(report, event.node)] if event.form == "if" else []
        report(event, message, node=where, value=value, outcomes=outcomes, fix=fixes)


def _flag(value: Value) -> Tensor | None:
    """The tensor in what is True or False at first and then the answer of a comparison."""
    if not isinstance(value, Union):
        return None
    answers = [o for o in value.options if isinstance(o, Tensor) and o.dtype == "bool"]
    rest = [o for o in value.options if o not in answers and not is_none(o)]
    known = all(isinstance(o.value, bool) if isinstance(o, Const) else _is_bool(o) for o in rest)
    return answers[0] if answers and known else None


def _set_in_training(tree: ast.Module, flag: Tensor, event: TruthTest) -> bool:
    """Whether an `if self.training` that is over has set the flag: a model that is evaluated passes by."""
    made = getattr(flag.why.node, "lineno", 0) if flag.why is not None else 0
    used = getattr(event.node, "lineno", 0)
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and node.lineno <= made <= (node.end_lineno or 0) < used:
            if any(isinstance(n, ast.Attribute) and n.attr == "training" for n in ast.walk(node.test)):
                return True
    return False


def _is_bool(value: Value) -> bool:
    return isinstance(value, Static) and value.type == "bool"
