"""CAP320: calls of Python functions that Dynamo does not trace."""

from __future__ import annotations

from analyzer.flow.events import Call
from analyzer.knowledge.tables import Row
from analyzer.rule import Bad, Good
from analyzer.table_rule import TableRule


#: Calls that the interpreter itself tells as reads, tests and iterations: other rules judge those.
_NATIVE = frozenset(
    f"builtins.{n}" for n in "sorted filter map any all int float bool len range min max sum isinstance getattr iter next".split()
)


class PythonCallNotTraced(TableRule):
    """Calls of Python functions that TorchDynamo does not trace.

    ## What it does
    Finds calls of builtins, of the standard library and of third-party packages that Dynamo skips or cannot express
    (C functions, introspection, serialisation, copies of tensors).

    ## Why it matters
    torch.compile ends the graph at the call and runs it eagerly; in a loop the whole function runs eagerly.

    ## Use instead
    Call it outside of the captured function, or mark the helper with `torch.compiler.disable(reason=...)` so that the break
    is named. A pure function of constants can be wrapped with `torch.compiler.assume_constant_result`.

    ## Fix safety
    No fix is offered.

    ## References
    Registry ids GB0007, GB0059, GB0156 and others; every row was measured on torch 2.13.
    """

    code, name = "CAP320", "python-call-not-traced"
    effects = frozenset({"other", "introspect", "copy", "pure", "mutate"})
    message = "{} is not traced: the graph ends at the call"
    outcomes = {"dynamo": "graph_break", "fullgraph": "refused", "export": "refused", "trace": "captured", "fx": "captured", "script": "refused"}
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
            outcomes={"export": "unknown", "script": "refused"},
        ),
        Bad(
            """
import torch


def fn(x):
    env = {}
    exec("k = 3", env)  # CAP320
    return x * env["k"]
""",
            outcomes={"export": "unknown", "script": "unknown"},
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
        ),
        Good(
            """
import math

import torch


def fn(x):
    return x / math.sqrt(x.shape[-1])
""",
        ),
    ]

    def wanted(self, event: Call, row: Row, ids: tuple[str, ...]) -> bool:
        if row.dynamo != "break" or event.name in _NATIVE:
            return False
        return super().wanted(event, row, ids)
