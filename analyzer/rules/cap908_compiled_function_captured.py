"""CAP908: a compiled function or module handed to another capture API."""

from __future__ import annotations

from analyzer.flow.events import Capture
from analyzer.outcome import Frontend, Outcome
from analyzer.rule import Bad, Good, Reporter, Rule
from analyzer.values import Partial

_REFUSES: dict[str, Frontend] = {
    "torch.jit.script": "script",
    "torch.jit.trace": "trace",
    "torch.fx.symbolic_trace": "fx",
}


class CompiledFunctionCaptured(Rule):
    """A compiled function or module handed to another capture API.

    ## What it does
    Finds `torch.jit.script`, `torch.jit.trace` and `torch.fx.symbolic_trace` of what `torch.compile` returned.

    ## Why it matters
    They refuse it: torch.fx says so, torch.jit fails on the wrapper's signature or source.

    ## Use instead
    Give them the original function or module.

    ## Fix safety
    No fix is offered.

    ## References
    torch/_dynamo/eval_frame.py; measured on torch 2.13.
    """

    code, name = "CAP908", "compiled-function-captured"
    outside = True
    outcomes = {"script": "refused"}
    examples = [
        Bad(
            """
import torch


def fn(x):
    return x * 2


def main():
    fast = torch.compile(fn)
    return torch.fx.symbolic_trace(fast)  # CAP908
""",
            outcomes={"script": "unknown"},
        ),
        Good(
            """
import torch


def fn(x):
    return x * 2


def main():
    return torch.fx.symbolic_trace(fn)
""",
        ),
    ]

    def on_capture(self, event: Capture, report: Reporter) -> None:
        frontend = _REFUSES.get(event.capture.api)
        target = event.capture.target
        if frontend is None or not isinstance(target, Partial) or target.wrapper != "torch.compile":
            return
        outcomes: dict[Frontend, Outcome] = {frontend: "refused"}
        report(event, f"{event.capture.api} refuses what torch.compile returned", outcomes=outcomes)
