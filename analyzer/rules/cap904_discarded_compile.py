"""CAP904: the result of torch.compile is thrown away."""

from __future__ import annotations

import ast

from analyzer.flow.events import Capture
from analyzer.rule import Bad, Good, Reporter, Rule


class DiscardedCompile(Rule):
    """The result of `torch.compile` is thrown away.

    ## What it does
    Finds `torch.compile(model)` as a statement of its own.

    ## Why it matters
    `torch.compile` does not change its argument: it returns a compiled callable, and compiles at that one's first call.
    A program that drops the result runs eagerly, without a word.

    ## Use instead
    `model = torch.compile(model)`, or `model.compile()`, which does compile in place.

    ## Fix safety
    No fix is offered.

    ## References
    https://docs.pytorch.org/docs/stable/generated/torch.compile.html
    """

    code, name = "CAP904", "discarded-compile"
    outside = True
    outcomes = {"dynamo": "skipped_frame"}
    examples = [
        Bad(
            """
import torch


def fn(x):
    return x + 1


def main(x):
    torch.compile(fn)  # CAP904
    return fn(x)
""",
            outcomes={"dynamo": "unknown"},
        ),
        Good(
            """
import torch


class Net(torch.nn.Module):
    def forward(self, x):
        return x + 1


def main(x):
    net = Net()
    net.compile()
    return net(x)
""",
            entry="Net()",
        ),
    ]

    def on_capture(self, event: Capture, report: Reporter) -> None:
        capture = event.capture
        node = capture.node
        if (
            capture.discarded
            and capture.api == "torch.compile"
            and isinstance(node, ast.Call)
            and (node.args or _named(node))
        ):
            report(event, "torch.compile returns the compiled callable; dropped, nothing is compiled")


def _named(node: ast.Call) -> bool:
    return any(k.arg == "model" for k in node.keywords)
