"""CAP909: the compiled callable is never used, the original is called."""

from __future__ import annotations

from analyzer.flow.events import Capture
from analyzer.rule import Bad, Good, Reporter, Rule


class CompiledCallableUnused(Rule):
    """The compiled callable is never used, the original is called.

    ## What it does
    Finds `fast = torch.compile(model)` where nothing reads `fast`, but `model` itself is called afterwards.

    ## Why it matters
    `torch.compile` does not change its argument. The program runs eagerly, without a word; what was measured as
    compiled was not.

    ## Use instead
    `model = torch.compile(model)`, a call of the new name, or `model.compile()`, which compiles in place.

    ## Fix safety
    No fix is offered.

    ## References
    https://docs.pytorch.org/docs/stable/generated/torch.compile.html; measured on torch 2.13.
    """

    code, name = "CAP909", "compiled-callable-unused"
    outside = True
    outcomes = {"dynamo": "skipped_frame"}
    examples = [
        Bad(
            """
import torch


class Net(torch.nn.Module):
    def forward(self, x):
        return x + 1


def main(x):
    model = Net()
    fast = torch.compile(model)  # CAP909
    return model(x)
""",
            entry="Net()",
            outcomes={"dynamo": "unknown"},
        ),
        Bad(
            """
import torch


def fn(x):
    return x + 1


fast = torch.compile(fn)  # CAP909

for _ in range(3):
    fn(torch.ones(3))
""",
            outcomes={"dynamo": "unknown"},
            title="in a script",
        ),
        Good(
            """
import torch


class Net(torch.nn.Module):
    def forward(self, x):
        return x + 1


def main(x):
    model = Net()
    fast = torch.compile(model)
    assert torch.equal(model(x), fast(x))
    return fast
""",
            entry="Net()",
            title="compared with the original",
        ),
        Good(
            """
import torch


def fn(x):
    return x + 1


fast = torch.compile(fn)


def check(x):
    return fn(x)
""",
            title="others may import it",
        ),
        Good(
            """
import torch


class Net(torch.nn.Module):
    def forward(self, x):
        return x + 1


def main(x):
    model = Net()
    model = torch.compile(model)
    return model(x)
""",
            entry="Net()",
        ),
    ]

    def on_capture(self, event: Capture, report: Reporter) -> None:
        if event.capture.unused:
            report(event, f"nothing reads `{event.capture.unused}`: the original is called, and runs eagerly")
