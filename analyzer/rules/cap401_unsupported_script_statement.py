"""CAP401: statements that TorchScript has no form for"""

from __future__ import annotations

from analyzer.flow.script_events import ScriptConstruct
from analyzer.rule import Bad, Good, Reporter, Rule


class UnsupportedScriptStatement(Rule):
    """Statements that torch.jit.script refuses.

    ## What it does
    Finds `try`, `global`, `nonlocal`, `match`, imports, classes, functions and generators inside a function
    that torch.jit.script compiles, `else` of loops, `//=`, and `del` of an attribute.

    ## Why it matters
    TorchScript is a language of its own with the syntax of a part of Python. It reads the source of every
    function that the root calls, both sides of every branch, and refuses the whole root at the first statement
    that it has no form for.

    ## Use instead
    Move the statement out of compiled code: define helpers and classes at module level, pass state as
    arguments. Code that only eager mode needs goes to a function marked `@torch.jit.ignore` or
    `@torch.jit.unused`; a test of `torch.jit.is_scripting()` does not help, because the statement is read all
    the same.

    ## Fix safety
    No fix is offered.

    ## References
    TorchScript language reference (https://docs.pytorch.org/docs/stable/jit_language_reference.html).
    Measured on torch 2.13.
    """

    code, name = "CAP401", "unsupported-script-statement"
    outcomes = {"script": "refused"}
    examples = [
        Bad(
            """
import torch


def fn(x):
    try:  # CAP401
        return x + 1
    except ValueError:
        return x
""",
        ),
        Bad(
            """
import torch


STEP = 0


def fn(x):
    global STEP  # CAP401
    STEP += 1
    return x * STEP
""",
        ),
        Bad(
            """
import torch


def fn(x):
    def double(t):  # CAP401
        return t * 2

    return double(x)
""",
        ),
        Bad(
            """
import torch


def fn(x):
    n = x.size(0)
    n //= 2  # CAP401
    return x * n
""",
        ),
        Bad(
            """
import torch


def fn(x):
    for i in range(3):  # CAP401
        x = x + i
    else:
        x = x - 1
    return x
""",
        ),
        Good(
            """
import torch


def double(t):
    return t * 2


def fn(x):
    n = x.size(0)
    n = n // 2
    for i in range(3):
        x = x + i
    return double(x) * n
""",
            outcomes={"script": "captured"},
        ),
    ]

    def on_script_construct(self, event: ScriptConstruct, report: Reporter) -> None:
        if event.statement:
            report(
                event,
                f"TorchScript has no {event.text}" if event.text[0] == "`" else f"TorchScript refuses {event.text}",
            )
