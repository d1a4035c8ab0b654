"""CAP804: an exported program is called with another constant than it was exported for."""

from __future__ import annotations

from analyzer.flow.events import Call
from analyzer.rule import Bad, Good, Reporter, Rule
from analyzer.values import Const, Partial, Seq

_KINDS = (bool, int, float, str)


class ExportedConstantChanged(Rule):
    """An exported program is called with another constant than it was exported for.

    ## What it does
    Finds `torch.export.export(net, (x, 3)).module()(x, 4)`: an `int`, `float`, `bool` or `str` argument (or None) that
    differs from that of the example inputs.

    ## Why it matters
    An argument that is no tensor is a constant of the exported program. The program checks it: "Guard failed: n == 3".

    ## Use instead
    `dynamic_shapes={"n": torch.export.Dim.DYNAMIC}` for an `int` that is computed with, a tensor, or a program for each
    value.

    ## Fix safety
    No fix is offered.

    ## References
    https://docs.pytorch.org/docs/stable/export.html; measured on torch 2.13, strict and non-strict.
    """

    code, name = "CAP804", "exported-constant-changed"
    outside = True
    outcomes = {"export": "refused"}
    examples = [
        Bad(
            """
import torch


class Net(torch.nn.Module):
    def forward(self, x, n):
        return x * n


def main():
    x = torch.ones(3)
    program = torch.export.export(Net(), (x, 3))
    run = program.module()
    run(x, 3)
    return run(x, 4)  # CAP804
""",
            entry="Net()",
            inputs="(torch.ones(3), 3)",
            outcomes={"export": "unknown"},
        ),
        Bad(
            """
import torch


class Net(torch.nn.Module):
    def forward(self, x, reduce="mean"):
        return x.mean() if reduce == "mean" else x.sum()


def main():
    x = torch.ones(3)
    program = torch.export.export(Net(), (x, "mean"))
    return program.module()(x, "sum")  # CAP804
""",
            entry="Net()",
            outcomes={"export": "unknown"},
        ),
        Good(
            """
import torch


class Net(torch.nn.Module):
    def forward(self, x, n):
        return x * n


def main():
    x = torch.ones(3)
    shapes = {"x": None, "n": torch.export.Dim.DYNAMIC}
    program = torch.export.export(Net(), (x, 3), dynamic_shapes=shapes)
    return program.module()(x, 4)
""",
            entry="Net()",
            inputs="(torch.ones(3), 3)",
        ),
        Good(
            """
import torch


class Net(torch.nn.Module):
    def forward(self, x, n):
        return x * n


def main():
    x = torch.ones(3)
    program = torch.export.export(Net(), (x, 3))
    return program.module()(x * 2, 3)
""",
            entry="Net()",
            inputs="(torch.ones(3), 3)",
        ),
    ]

    def on_call(self, event: Call, report: Reporter) -> None:
        callee = event.callee
        if not isinstance(callee, Partial) or callee.wrapper != "torch.export.export.module":
            return
        example = callee.kwargs.get("args")
        if not isinstance(example, Seq) or example.items is None or "dynamic_shapes" in callee.kwargs or event.starred:
            return
        for given, known, node in zip(event.args, example.items, event.call.args):
            if isinstance(given, Const) and isinstance(known, Const) and isinstance(known.value, _KINDS):
                if given.value != known.value:
                    report(event, f"exported for {known.value!r}: the program refuses {given.value!r}", node=node)
