"""CAP911: side effects in a function that `torch.compiler.allow_in_graph` puts into the graph."""

from __future__ import annotations

from analyzer.flow.events import ALLOWED, Call, StateChange
from analyzer.rule import Bad, Good, Reporter, Rule
from analyzer.state_rule import depends_on_itself
from analyzer.values import is_tainted


class SideEffectInAllowedFunction(Rule):
    """Side effects in a function that `torch.compiler.allow_in_graph` puts into the graph.

    ## What it does
    Finds counters, items, appends and inputs that are kept in globals, attributes and outer containers, and `print`, in
    a function given to `torch.compiler.allow_in_graph` that captured code calls. What is loaded once is left alone.

    ## Why it matters
    TorchDynamo does not look into the function: it becomes one operation of the graph. It runs with fake tensors while
    the graph is made, and the backend traces through it (Inductor does): what remains are its tensor operations. Its
    side effects happen a few times during compilation and never again; nothing is guarded.

    ## Use instead
    Keep the side effect outside; or make it a custom operator (`torch.library.custom_op`), which no compiler looks
    into.

    ## Fix safety
    No fix is offered.

    ## References
    https://docs.pytorch.org/docs/stable/generated/torch.compiler.allow_in_graph.html; measured on torch 2.13: of four
    calls under Inductor none ran an `append`, which ran three times while the first was compiled.
    """

    code, name = "CAP911", "side-effect-in-allowed-function"
    calls = ("builtins.print",)
    outcomes = {"dynamo": "silently_wrong", "fullgraph": "silently_wrong"}
    examples = [
        Bad(
            """
import torch

SEEN = []


@torch.compiler.allow_in_graph
def noted(x):
    SEEN.append(1)  # CAP911
    return x * 2


def fn(x):
    return noted(x) + 1
""",
            variants=("torch.ones(3)",) * 3,
        ),
        Bad(
            """
import torch

CALLS = 0


def counted(x):
    global CALLS
    CALLS += 1  # CAP911
    return x * 2


torch._dynamo.allow_in_graph(counted)


def fn(x):
    return counted(x) + 1
""",
            variants=("torch.ones(3)",) * 3,
        ),
        Bad(
            """
import torch


@torch.compiler.allow_in_graph
def shown(x):
    print("here")  # CAP911
    return x * 2


def fn(x):
    return shown(x) + 1
""",
            outcomes={"dynamo": "unknown", "fullgraph": "unknown"},
            title="no graph break, but printed while compiling alone",
        ),
        Good(
            """
import torch


@torch.compiler.allow_in_graph
def scaled(x):
    parts = []
    for k in range(3):
        parts.append(x * k)
    return torch.stack(parts).sum(0)


def fn(x):
    return scaled(x) + 1
""",
            variants=("torch.zeros(3)",),
            outcomes={"dynamo": "captured", "fullgraph": "captured"},
        ),
        Good(
            """
import torch

KERNEL = None


def load():
    print("loading")
    return torch.sin


@torch.compiler.allow_in_graph
def loaded(x):
    global KERNEL
    if KERNEL is None:
        KERNEL = load()
    return KERNEL(x)


def fn(x):
    return loaded(x) + 1
""",
            outcomes={"dynamo": "captured", "fullgraph": "captured"},
            title="loaded once",
        ),
        Good(
            """
import torch

SEEN = []


@torch.compiler.disable
def noted(x):
    SEEN.append(1)
    return x * 2


def fn(x):
    return noted(x) + 1
""",
            variants=("torch.ones(3)",) * 3,
            outcomes={"dynamo": "unknown"},
            title="disabled: it runs on every call",
        ),
    ]

    def on_state_change(self, event: StateChange, report: Reporter) -> None:
        lasting = event.how != "assign" or depends_on_itself(event) or is_tainted(event.stored)
        if event.context.region == ALLOWED and lasting:
            report(event, f"`{event.state}` changes while compiling, then never again", value=event.before)

    def on_call(self, event: Call, report: Reporter) -> None:
        if event.context.region == ALLOWED and event.context.body and event.name == "builtins.print":
            report(event, "this runs while compiling, then never again")
