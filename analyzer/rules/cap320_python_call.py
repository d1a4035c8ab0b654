"""CAP320: calls of Python functions that Dynamo does not trace."""

from __future__ import annotations

from analyzer.flow.events import Call
from analyzer.knowledge.tables import Row
from analyzer.outcome import Frontend, Outcome
from analyzer.rule import Bad, Good
from analyzer.table_rule import TableRule
from analyzer.values import tensor_in

#: Calls that the interpreter itself tells as reads, tests and iterations: other rules judge those.
_NATIVE = frozenset(
    f"builtins.{n}"
    for n in "sorted filter map any all int float bool len range min max sum isinstance getattr iter next".split()
)


class PythonCallNotTraced(TableRule):
    """Calls of Python functions that TorchDynamo does not trace.

    ## What it does
    Finds calls of builtins, of the standard library and of third-party packages that Dynamo skips or cannot express
    (C functions, introspection, serialisation, copies of tensors).

    ## Why it matters
    torch.compile ends the graph at the call and runs it eagerly; in a loop the whole function runs eagerly.

    ## Use instead
    Call it outside of the captured function, or mark the helper with
    `torch.compiler.disable(reason=...)` (`reason` since torch 2.8) so that the break is named. A pure function of
    constants can be wrapped with `torch.compiler.assume_constant_result`.

    ## Fix safety
    No fix is offered.

    ## References
    Registry ids GB0007, GB0059, GB0156 and others; every row was measured on torch 2.13.
    """

    code, name = "CAP320", "python-call-not-traced"
    effects = frozenset({"other", "introspect", "copy", "pure", "mutate"})
    message = "{} is not traced: the graph ends at the call"
    outcomes = {
        "dynamo": "graph_break",
        "fullgraph": "refused",
        "export": "captured",
        "trace": "captured",
        "fx": "captured",
        "script": "refused",
    }
    graph_breaks = ()
    scripted = True
    examples = [
        Bad(
            """
import json

import torch


def fn(x):
    key = json.dumps({"n": 1})  # CAP320
    return x + len(key)
""",
        ),
        Bad(
            """
import torch


def fn(x):
    env = {}
    exec("k = 3", env)  # CAP320
    return x * env["k"]
""",
        ),
        Bad(
            """
import pickle

import torch


def fn(x):
    y = x * 2
    text = pickle.dumps([1, 2])  # CAP320
    return y + len(text)
""",
        ),
        Bad(
            """
import copy

import torch


def fn(x: torch.Tensor):
    y = x * 2
    z = copy.deepcopy(y)  # CAP320
    return z + 1
""",
            variants=("torch.zeros(3)",),
            outcomes={"trace": "silently_wrong", "fx": "refused", "export": "refused"},
        ),
        Bad(
            """
import hashlib

import torch
from torch import nn


class Hashed(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)

    def forward(self, x):
        for _ in range(2):
            x = self.fc(x)
            hashlib.md5(b"step")  # CAP320
        return x
""",
            title="in a loop the whole forward runs eagerly",
            entry="Hashed()",
            outcomes={"dynamo": "skipped_frame"},
        ),
        Bad(
            """
import torch


def fn(x: torch.Tensor):
    y = x + 1
    z = pow(y, 2)  # CAP320
    return z + len(dir(torch))  # CAP320
""",
        ),
        Good(
            """
import functools

import torch


@functools.lru_cache(maxsize=None)
def table(n):
    return n * 2


def fn(x):
    return x + table(3)
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
import math

import torch


def fn(x):
    return x / math.sqrt(x.shape[-1]) + pow(2, 3)
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
        Good(
            """
import copy
import itertools
import operator

import torch


def fn(x):
    pairs = list(itertools.product([1, 2], [3]))
    settings = copy.deepcopy({"a": 1})
    return x * operator.add(*pairs[0]) + settings["a"]
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
    ]

    def wanted(self, event: Call, row: Row, ids: tuple[str, ...]) -> bool:
        if row.dynamo != "break" or event.name in _NATIVE:
            return False
        return super().wanted(event, row, ids)

    def judged(self, event: Call, row: Row, broken: bool) -> dict[Frontend, Outcome]:
        outcomes = super().judged(event, row, broken)
        if row.effect == "copy" and event.args and tensor_in(event.args[0]) is not None:
            outcomes.update({"trace": "silently_wrong", "export": "refused"})  # a copy is cut off from the graph
        return outcomes
