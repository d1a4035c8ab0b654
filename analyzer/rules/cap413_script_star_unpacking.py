"""CAP413: stars over lists of unknown length"""

from __future__ import annotations

from analyzer.flow.script_events import ScriptStar
from analyzer.rule import Bad, Good, Reporter, Rule


class ScriptStarUnpacking(Rule):
    """Stars over lists, and tuples made of lists, in compiled code.

    ## What it does
    Finds `*items` in calls, displays and assignments where `items` is a list (`x.shape` is one), and
    `tuple(items)`, in functions that torch.jit.script compiles.

    ## Why it matters
    A list has no length for the compiler, so it cannot tell how many arguments there are. The root is refused.
    A tuple can be unpacked.

    ## Use instead
    Pass the list itself (`x.view(x.shape)`), concatenate lists with `+`, name the sizes: `x.size(0)`.

    ## Fix safety
    No fix is offered.

    ## References
    TorchScript language reference (https://docs.pytorch.org/docs/stable/jit_language_reference.html).
    Measured on torch 2.13.
    """

    code, name = "CAP413", "script-star-unpacking"
    outcomes = {"script": "refused"}
    examples = [
        Bad(
            """
import torch


def fn(x):
    b, *rest = x.shape  # CAP413
    return x.reshape(b, -1)
""",
        ),
        Bad(
            """
import torch


def fn(x):
    return x.view(-1, *x.shape[1:])  # CAP413
""",
        ),
        Bad(
            """
import torch


def add(a, b):
    return a + b


def fn(pair):
    return add(*pair)  # CAP413
""",
            inputs="((torch.ones(3), torch.ones(3)),)",
        ),
        Bad(
            """
import torch


def fn(x):
    return x.reshape(tuple(x.shape))  # CAP413
""",
        ),
        Good(
            """
import torch


def add(a, b):
    return a + b


def fn(x):
    pair = (x, x)
    return add(*pair).view(x.shape)
""",
            outcomes={"script": "captured"},
        ),
    ]

    def on_script_star(self, event: ScriptStar, report: Reporter) -> None:
        report(event, event.text)
