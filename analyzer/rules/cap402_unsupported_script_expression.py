"""CAP402: expressions that TorchScript has no form for"""

from __future__ import annotations

from analyzer.flow.script_events import ScriptConstruct
from analyzer.rule import Bad, Good, Reporter, Rule


class UnsupportedScriptExpression(Rule):
    """Expressions that torch.jit.script refuses.

    ## What it does
    Finds lambdas, `yield`, `:=`, sets, comprehensions with `if` or with two `for`, `**` in dicts and calls,
    bytes, and conversions or format specifications in f-strings, in functions that torch.jit.script compiles.

    ## Why it matters
    TorchScript reads the source of every function that the root calls and refuses the whole root at the first
    expression that it has no form for, also in code that never runs.

    ## Use instead
    A module-level function for a lambda, a loop with `append` for a filtering comprehension, a dict or list for
    a set, plain `{value}` or `str.format` for a formatted f-string.

    ## Fix safety
    No fix is offered.

    ## References
    TorchScript language reference (https://docs.pytorch.org/docs/stable/jit_language_reference.html).
    Measured on torch 2.13.
    """

    code, name = "CAP402", "unsupported-script-expression"
    outcomes = {"script": "refused"}
    examples = [
        Bad(
            """
import torch


def fn(x):
    double = lambda t: t * 2  # CAP402
    return double(x)
""",
        ),
        Bad(
            """
from typing import List
import torch


def fn(xs: List[torch.Tensor]):
    keep = [x for x in xs if x.shape[0] == 2]  # CAP402
    return keep[0]
""",
            inputs="([torch.ones(2)],)",
        ),
        Bad(
            """
import torch


def fn(x):
    base = {"a": 1}
    merged = {**base}  # CAP402
    return x * merged["a"]
""",
        ),
        Bad(
            """
import torch


def fn(x):
    if x.dim() > 3:
        raise ValueError(f"{x.dim():03d} dimensions")  # CAP402
    return x + 1
""",
        ),
        Bad(
            """
import torch


def fn(x):
    if (n := x.size(0)) > 1:  # CAP402
        return x * n
    return x
""",
        ),
        Bad(
            """
import torch


def fn(x):
    if x.dim() in {1, 2}:  # CAP402
        return x
    return x + 1
""",
        ),
        Good(
            """
from typing import List
import torch


def fn(xs: List[torch.Tensor]):
    keep: List[torch.Tensor] = []
    for x in xs:
        if x.shape[0] == 2:
            keep.append(x)
    scale = sum(i for i in range(3))
    return keep[0] * scale
""",
            inputs="([torch.ones(2)],)",
            outcomes={"script": "captured"},
        ),
        Good(
            """
import torch


def fn(x):
    if x.dim() > 3:
        raise ValueError(f"{x.dim()} dimensions")
    return x + 1
""",
            outcomes={"script": "captured"},
        ),
    ]

    def on_script_construct(self, event: ScriptConstruct, report: Reporter) -> None:
        if not event.statement:
            report(
                event,
                f"TorchScript has no {event.text}" if event.text[0] == "`" else f"TorchScript refuses {event.text}",
            )
