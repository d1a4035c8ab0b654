"""CAP310: a global that captured code changes and reads."""

from __future__ import annotations

from analyzer.flow.events import Call, StateChange
from analyzer.rule import Bad, Good, Reporter, Rule
from analyzer.state_rule import explained, outcomes_of
from analyzer.values import Instance


class MutatedGlobalRead(Rule):
    """A global (or class attribute, or closure variable) that captured code both changes and reads.

    ## What it does
    Finds counters and other values at module level that a captured function updates from their own old value:
    `STEP += 1`, `STATE["step"] += 1`, `Config.calls += 1`, `next(COUNTER)`.

    ## Why it matters
    TorchDynamo specialises on an `int` or `str` that it reads from a global. A counter misses that guard on every call:
    the function is compiled again up to the recompile limit (8) and runs eagerly from then on. torch.jit.trace and
    torch.fx run the update once, while capturing, and keep the value of that moment for ever.

    ## Use instead
    Keep the count in a tensor (a registered buffer, updated in place), pass it as an argument and return the new value,
    or update it in the code around the captured call. A `float` in a global is guarded without a storm.

    ## Fix safety
    No fix is offered.

    ## References
    Registry id GB0039 (the recompile limit); `torch._dynamo.config.recompile_limit`; measured on torch 2.13.
    """

    code, name = "CAP310", "mutated-global-read"
    calls = ("builtins.next",)
    outcomes = {
        "dynamo": "recompiles",
        "fullgraph": "recompiles",
        "trace": "silently_wrong",
        "fx": "silently_wrong",
        "export": "silently_wrong",
    }
    examples = [
        Bad(
            """
import torch

STEP = 0


def fn(x):
    global STEP
    STEP += 1  # CAP310
    return x * STEP
""",
            variants=("torch.ones(3)",) * 9,
        ),
        Bad(
            """
import torch

STATE = {"step": 0}


def fn(x):
    STATE["step"] += 1  # CAP310
    return x / (1 - 0.9 ** STATE["step"])
""",
            variants=("torch.ones(3)",) * 9,
        ),
        Bad(
            """
import torch


class Stats:
    calls = 0


def fn(x):
    Stats.calls = Stats.calls + 1  # CAP310
    return x * Stats.calls
""",
            variants=("torch.ones(3)",) * 9,
        ),
        Bad(
            """
import itertools

import torch

COUNTER = itertools.count()


def fn(x):
    return x * next(COUNTER)  # CAP310
""",
            variants=("torch.ones(3)",) * 9,
        ),
        Bad(
            """
import torch

SCALE = 0.5


def fn(x):
    global SCALE
    SCALE *= 1.5  # CAP310
    return x * SCALE
""",
            variants=("torch.ones(3)",) * 4,
            outcomes={"dynamo": "guarded", "fullgraph": "guarded"},
            title="a float is only guarded, but a trace keeps it",
        ),
        Bad(
            """
import torch


def make():
    count = 0

    def fn(x):
        nonlocal count
        count += 1  # CAP310
        return x * count

    return fn


counted = torch.compile(make())
""",
            entry="counted",
            variants=("torch.ones(3)",) * 4,
            outcomes={"dynamo": "unknown", "fullgraph": "unknown"},
            title="a closure variable becomes dynamic after its first change",
        ),
        Good(
            """
import torch

LAST = {"shape": None}


def fn(x):
    LAST["shape"] = tuple(x.shape)
    return x * 2
""",
            variants=("torch.ones(3)",),
            title="a store that nothing reads back",
        ),
        Good(
            """
import torch

COUNT = torch.zeros(())


def fn(x):
    COUNT.add_(1)
    return x * COUNT
""",
            variants=("torch.ones(3)",) * 4,
        ),
    ]

    def on_state_change(self, event: StateChange, report: Reporter) -> None:
        if event.lives not in ("global", "class", "closure") or event.how == "method":
            return
        outcomes = outcomes_of(event)
        if outcomes:
            report(event, explained(event, outcomes), value=event.before, outcomes=outcomes)

    def on_call(self, event: Call, report: Reporter) -> None:
        if event.name != "builtins.next" or not event.args:
            return
        counter = event.args[0]
        if isinstance(counter, Instance) and counter.name == "itertools.count" and not counter.fresh:
            report(event, "the counter advances on every call: recompiles up to the limit, then runs eagerly")
