"""CAP908: what one capture API made, handed to another."""

from __future__ import annotations

from analyzer.flow.events import Capture
from analyzer.outcome import Frontend, Outcome
from analyzer.rule import Bad, Good, Reporter, Rule
from analyzer.values import Instance, Partial

_REFUSES: dict[str, Frontend] = {
    "torch.jit.script": "script",
    "torch.jit.trace": "trace",
    "torch.fx.symbolic_trace": "fx",
}
_REFUSES_SCRIPTED: dict[str, Frontend] = {"torch.compile": "dynamo", "torch.export.export": "export"}
_SINCE = (2, 13)


class CompiledFunctionCaptured(Rule):
    """What one capture API made, handed to another.

    ## What it does
    Finds `torch.jit.script`, `torch.jit.trace` and `torch.fx.symbolic_trace` of what `torch.compile` returned, and
    `torch.compile` and `torch.export.export` of a module that `torch.jit.script` returned.

    ## Why it matters
    They refuse it: torch.fx and torch.compile say so, torch.jit fails on the wrapper's signature or source.

    ## Use instead
    Give them the original function or module.

    ## Fix safety
    No fix is offered.

    ## References
    torch/_dynamo/eval_frame.py; measured on torch 2.13. `torch.compile` of a scripted module is told for that version
    or newer.
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
        Bad(
            """
import torch


class Net(torch.nn.Module):
    def forward(self, x):
        return x * 2


def main():
    scripted = torch.jit.script(Net())
    return torch.compile(scripted)  # CAP908
""",
            entry="Net()",
            outcomes={"script": "unknown"},
        ),
        Bad(
            """
import torch


class Net(torch.nn.Module):
    def forward(self, x):
        return x * 2


def main():
    scripted = torch.jit.script(Net())
    return torch.export.export(scripted, (torch.ones(3),))  # CAP908
""",
            entry="Net()",
            outcomes={"script": "unknown"},
        ),
        Good(
            """
import torch


def fn(x):
    return x * 2


def main():
    return torch.compile(torch.jit.script(fn))
""",
            title="a scripted function may be compiled",
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
        api, target = event.capture.api, event.capture.target
        if not isinstance(target, Partial):
            return
        if target.wrapper == "torch.compile":
            frontend = _REFUSES.get(api)
        elif target.wrapper == "torch.jit.script" and isinstance(target.target, Instance):
            frontend = _REFUSES_SCRIPTED.get(api) if report.torch >= _SINCE or api != "torch.compile" else None
        else:
            return
        if frontend is not None:
            outcomes: dict[Frontend, Outcome] = {frontend: "refused"}
            report(event, f"{api} refuses what {target.wrapper} returned", outcomes=outcomes)
