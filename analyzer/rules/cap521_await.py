"""CAP521: `await` in captured code."""

from __future__ import annotations

from analyzer.flow.events import Syntax, With
from analyzer.outcome import Frontend, Outcome
from analyzer.rule import Bad, Good, Reporter, Rule


class AwaitInGraph(Rule):
    """`await`, `async for` and `async with` in captured code.

    ## What it does
    Finds coroutines that wait inside of captured functions.

    ## Why it matters
    TorchDynamo has no event loop: it cannot trace an `await`.

    ## Use instead
    Await outside; compile the synchronous part.

    ## Fix safety
    No fix is offered.

    ## References
    Registry id GB0082; measured on torch 2.13.
    """

    code, name = "CAP521", "await-in-graph"
    outcomes = {
        "trace": "captured",
        "fx": "captured",
        "script": "refused",
        "dynamo": "refused",
        "fullgraph": "refused",
        "export": "captured",
    }
    graph_breaks = ("GB0082",)
    examples = [
        Bad(
            """
import torch


class Scope:
    async def __aenter__(self):
        return 2

    async def __aexit__(self, *error):
        return False


async def scaled(x):
    async with Scope() as factor:  # CAP521
        return x * factor


def fn(x):
    waiting = scaled(x)
    try:
        waiting.send(None)
    except StopIteration as stopped:
        return stopped.value
""",
            title="`async with`",
            outcomes={"dynamo": "skipped_frame", "fx": "unknown", "script": "unknown", "export": "unknown"},
        ),
        Bad(
            """
import asyncio

import torch


async def wait(x):
    await asyncio.sleep(0)  # CAP521
    return x + 1


def fn(x):
    coroutine = wait(x * 2)
    try:
        coroutine.send(None)
    except StopIteration:
        pass
    return x * 2
""",
        ),
        Good(
            """
import torch


async def wait(x):
    return x + 1


def fn(x):
    return x + 1
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

    def on_with(self, event: With, report: Reporter) -> None:
        if event.asynchronous:
            outcomes: dict[Frontend, Outcome] = {**self.claims(report.torch), "dynamo": "skipped_frame"}
            report(event, "TorchDynamo does not trace coroutines", outcomes=outcomes)

    def on_syntax(self, event: Syntax, report: Reporter) -> None:
        if event.kind in ("Await", "AsyncFor"):
            report(event, "TorchDynamo does not trace coroutines")
