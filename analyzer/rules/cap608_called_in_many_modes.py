"""CAP608: a compiled callable that is called in many grad modes and element types."""

from __future__ import annotations

from analyzer.flow.events import AnotherMode
from analyzer.rule import Bad, Good, Reporter, Rule


class CalledInManyModes(Rule):
    """A compiled callable that is called in many grad modes and element types.

    ## What it does
    Finds functions that call one compiled callable in three or more combinations of grad mode (`torch.no_grad`,
    `torch.inference_mode`, neither) and element types of the arguments (`x`, `x.half()`, `x.to(torch.bfloat16)`).

    ## Why it matters
    TorchDynamo guards on the grad mode and on the `dtype` of every tensor: each combination compiles the whole function
    again and counts towards its recompile limit (8). Two combinations, as in training and evaluation, are a single
    recompilation and not reported.

    ## Use instead
    One mode for all calls (warm up in the mode that is used later), inputs converted before the call, or a compiled
    callable for each mode.

    ## Fix safety
    No fix is offered.

    ## References
    Guards GRAD_MODE and TENSOR_MATCH; `torch._dynamo.config.recompile_limit`; measured on torch 2.13.
    """

    code, name = "CAP608", "called-in-many-modes"
    outside = True
    outcomes = {"dynamo": "recompiles"}
    examples = [
        Bad(
            """
import torch


def fn(x):
    return x * 2


def main(x):
    compiled = torch.compile(fn)
    compiled(x)
    with torch.no_grad():
        compiled(x)
    with torch.inference_mode():
        compiled(x)  # CAP608
    return x
""",
            entry="main",
        ),
        Bad(
            """
import torch


def fn(x):
    return x * 2


def main(x):
    compiled = torch.compile(fn)
    compiled(x.half())
    with torch.no_grad():
        compiled(x)
        compiled(x.to(torch.bfloat16))  # CAP608
    return x
""",
            entry="main",
        ),
        Bad(
            """
import torch


def fn(x):
    return x * 2


def main(rows):
    compiled = torch.compile(fn)
    x = torch.ones(rows)
    for dtype in (torch.float32, torch.float16, torch.bfloat16):
        compiled(x.to(dtype))  # CAP608
    return x
""",
            entry="main",
            inputs="3",
        ),
        Good(
            """
import torch


def fn(x):
    return x * 2


def main(x):
    compiled = torch.compile(fn)
    for _ in range(3):
        compiled(x)
        with torch.no_grad():
            compiled(x)
    return x
""",
            entry="main",
            outcomes={"dynamo": "guarded"},
            title="training and evaluation",
        ),
        Good(
            """
import torch


def fn(x):
    return x * 2


def main(x):
    compiled = torch.compile(fn)
    half = x.half()
    compiled(half)
    compiled(half.clone())
    compiled(x)
    return x
""",
            entry="main",
            outcomes={"dynamo": "guarded"},
            title="two element types",
        ),
    ]

    def on_another_mode(self, event: AnotherMode, report: Reporter) -> None:
        report(event, f"called in {len(event.modes)} modes by now ({event.modes[0]}, …): each compiles again")
