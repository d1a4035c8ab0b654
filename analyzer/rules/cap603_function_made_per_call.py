"""CAP603: a lambda made anew for every call of captured code."""

from __future__ import annotations

from analyzer.flow.events import Call
from analyzer.rule import Bad, Good, Reporter, Rule
from analyzer.values import Function


class FunctionMadePerCall(Rule):
    """A lambda made anew for every call of captured code.

    ## What it does
    Finds calls inside captured code of a parameter for which the caller writes a lambda in the call:
    `compiled(x, lambda t: t + 1)`.

    ## Why it matters
    TorchDynamo guards on the identity of the code of a function that it inlines. Lambdas at different places have
    different code: each compiles again, up to the recompile limit (8).

    ## Use instead
    Define the functions once, at module level, and pass those; or compile one function for each of them.

    ## Fix safety
    No fix is offered.

    ## References
    Guard `___check_obj_id(f.__code__, …)`; measured on torch 2.13.
    """

    code, name = "CAP603", "function-made-per-call"
    outcomes = {"dynamo": "recompiles", "fullgraph": "recompiles"}
    examples = [
        Bad(
            """
import torch


def fn(x, post):
    return post(x * 2)  # CAP603


captured = torch.compile(fn)


def main():
    captured(torch.ones(3), lambda t: t + 1)
""",
            entry="captured",
            inputs="(torch.ones(3), lambda t: t + 1)",
            variants=(
                "(torch.ones(3), lambda t: t + 2)",
                "(torch.ones(3), lambda t: t + 3)",
                "(torch.ones(3), lambda t: t + 4)",
            ),
        ),
        Good(
            """
import torch


def shift(t):
    return t + 1


def fn(x, post):
    return post(x * 2)


captured = torch.compile(fn)


def main():
    captured(torch.ones(3), shift)
""",
            entry="captured",
            inputs="(torch.ones(3), shift)",
            variants=("(torch.ones(3), shift)",) * 3,
        ),
    ]

    def on_call(self, event: Call, report: Reporter) -> None:
        if isinstance(event.callee, Function) and event.callee.fresh:
            report(event, "the function is another object on every call: each compiles again")
