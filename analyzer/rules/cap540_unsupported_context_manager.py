"""CAP540: a context manager that TorchDynamo cannot enter."""

from __future__ import annotations

import ast

from analyzer.facts import body_facts
from analyzer.flow.events import Call, With
from analyzer.knowledge.tables import lookup
from analyzer.outcome import Frontend, Outcome
from analyzer.rule import Bad, Good, Reporter, Rule
from analyzer.values import Instance, Shape

_GRAD_MODES = frozenset({"torch.no_grad", "torch.enable_grad"})
_LOCKS = frozenset(f"threading.{n}" for n in ("Lock", "RLock", "Condition", "Semaphore", "BoundedSemaphore"))


class UnsupportedContextManager(Rule):
    """A context manager that TorchDynamo cannot enter.

    ## What it does
    Finds `with` over locks, devices, kept gradient modes and objects of the program that were made
    outside of the function.

    ## Why it matters
    TorchDynamo enters only the managers that it knows and those that the captured code makes
    itself: at any other `with` the rest of the function runs eagerly.

    ## Use instead
    Enter the manager outside of the captured function; make it in the `with` statement itself; pass
    `device=` to factories.

    ## Fix safety
    No fix is offered.

    ## References
    Registry id GB0142; measured on torch 2.13.
    """

    code, name = "CAP540", "unsupported-context-manager"
    calls = ("contextlib.ExitStack.",)
    outcomes = {
        "trace": "captured",
        "fx": "captured",
        "script": "refused",
        "dynamo": "skipped_frame",
        "fullgraph": "refused",
        "export": "captured",
    }
    graph_breaks = ("GB0142", "GB0007")
    examples = [
        Bad(
            """
import contextlib

import torch


def fn(x):
    with contextlib.ExitStack() as stack:
        stack.enter_context(torch.no_grad())  # CAP540
        return x * 2
""",
            title="entered by an ExitStack",
        ),
        Bad(
            """
import threading

import torch
from torch import nn


class Guarded(nn.Module):
    def __init__(self):
        super().__init__()
        self.lock = threading.Lock()

    def forward(self, x):
        y = x.sin()
        with self.lock:  # CAP540
            y = y * 2
        return y
""",
            entry="Guarded()",
        ),
        Bad(
            """
import torch


def fn(x):
    with torch.device("cpu"):  # CAP540
        return x + torch.ones(3)
""",
        ),
        Bad(
            """
import torch


class Scope:
    def __enter__(self):
        return self

    def __exit__(self, *args):
        return None


SCOPE = Scope()


def fn(x):
    with SCOPE:  # CAP540
        return x * 2
""",
        ),
        Bad(
            """
import torch
from torch import nn


class Frozen(nn.Module):
    def __init__(self):
        super().__init__()
        self.mode = torch.no_grad()

    def forward(self, x):
        y = x.sin()
        with self.mode:  # CAP540
            y = y * 2
        return y
""",
            entry="Frozen()",
            outcomes={"script": "captured"},
        ),
        Good(
            """
import contextlib

import torch


class Scope:
    def __enter__(self):
        return self

    def __exit__(self, *args):
        return None


def fn(x):
    with Scope(), torch.no_grad(), contextlib.nullcontext():
        return x * 2
""",
            outcomes={
                "dynamo": "captured",
                "fullgraph": "captured",
                "trace": "captured",
                "fx": "captured",
                "script": "refused",
                "export": "captured",
            },
        ),
        Good(
            """
import torch


@torch.no_grad()
def helper(x):
    return x * 2


def fn(x):
    with torch.autocast("cpu", enabled=False):
        return helper(x) + torch.ones(3, device="cpu")
""",
            outcomes={
                "dynamo": "captured",
                "fullgraph": "captured",
                "trace": "captured",
                "fx": "captured",
                "script": "captured",
                "export": "captured",
            },
        ),
    ]

    def on_call(self, event: Call, report: Reporter) -> None:
        manager = event.args[0] if event.args else None
        if (
            event.name == "contextlib.ExitStack.enter_context"
            and isinstance(manager, Instance)
            and manager.name in _GRAD_MODES
        ):
            message = "a gradient mode is entered by hand, not by `with`"
            report(
                event,
                message,
                value=manager,
                outcomes={**self.claims(report.torch), "dynamo": "graph_break"},
                graph_breaks=("GB0007",),
            )

    def on_with(self, event: With, report: Reporter) -> None:
        manager = event.manager
        if isinstance(event.node, ast.Call):
            if isinstance(manager, Shape) and manager.meta == "device":
                report(
                    event,
                    "torch.device as a context manager is not traced",
                    outcomes={**self.claims(report.torch), "script": "refused"},
                )
            return
        row = lookup(event.name) if event.name else None
        if event.name in _LOCKS or row is not None and row.effect == "thread" and isinstance(manager, Instance):
            report(event, "a lock cannot be taken in a graph", value=manager)
        elif event.name in _GRAD_MODES and _kept(event):
            outcomes: dict[Frontend, Outcome] = {**self.claims(report.torch), "script": "captured"}
            report(event, "a gradient mode made outside cannot be entered in a graph", value=manager, outcomes=outcomes)
        elif isinstance(manager, Instance) and manager.cls is not None and not manager.fresh:
            report(event, "a context manager made outside cannot be entered in a graph", value=manager)


def _kept(event: With) -> bool:
    """Whether the manager is an attribute or a global, not a variable of the function."""
    node = event.node
    return (
        isinstance(node, ast.Attribute)
        or isinstance(node, ast.Name)
        and node.id not in body_facts(event.function).bound
    )
