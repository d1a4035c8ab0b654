"""The state of one analysed call: its variables, its surroundings, and what came out of it."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, MutableMapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from analyzer.flow.events import Context
from analyzer.project import FunctionInfo, ModuleInfo
from analyzer.values import UNKNOWN, Value

if TYPE_CHECKING:
    from analyzer.flow.reporting import RawFinding

Env = MutableMapping[str, Value]


@dataclass(eq=False, slots=True)
class Edge:
    """A call from one run to another: where, and how often per execution of the caller if that is known."""

    node: ast.AST
    target: Run
    times: int = 1


@dataclass(eq=False, slots=True)
class Run:
    """One function analysed for one combination of argument kinds; its summary and its findings.

    Callers with the same kinds share it: `returns` is the summary, `edges` lead to the runs it called.
    """

    info: FunctionInfo
    returns: Value = UNKNOWN
    findings: dict[tuple[str, int, int, int, int], RawFinding] = field(default_factory=dict)
    edges: dict[int, list[Edge]] = field(default_factory=dict)
    done: bool = False
    breaks: bool = False  #: some finding in it or below it breaks the graph

    def add_edge(self, node: ast.AST, target: Run, times: int) -> None:
        known = self.edges.setdefault(id(node), [])
        if all(edge.target is not target for edge in known):
            known.append(Edge(node, target, times))


class RunKey:
    """What tells a run from others of its analysis. Its hash is worked out once: it has many parts."""

    __slots__ = ("_hash", "_parts")

    def __init__(self, *parts: object) -> None:
        self._parts = parts
        self._hash = hash(parts)

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RunKey) and self._parts == other._parts


def reachable(run: Run) -> Iterator[Run]:
    """A run and all that it called, each once."""
    seen: set[int] = set()
    stack = [run]
    while stack:
        current = stack.pop()
        if id(current) not in seen:
            seen.add(id(current))
            yield current
            stack.extend(edge.target for edges in current.edges.values() for edge in edges)


@dataclass(eq=False, slots=True)
class Frame:
    """One execution of a function's (or module's) body by the interpreter.

    `quiet`: evaluated for its values only, no events. `driver`: code that runs outside any capture.
    """

    info: FunctionInfo
    module: ModuleInfo
    env: Env
    context: Context
    run: Run
    quiet: bool = False
    driver: bool = False
    scope: Mapping[str, Value] | None = None
    locals: frozenset[str] = frozenset()
    globals: frozenset[str] = frozenset()
    reads: set[str] = field(default_factory=set)  #: paths whose value from before this call was read
    returned: list[Value] = field(default_factory=list)
    yielded: list[Value] = field(default_factory=list)
    times: int = 1
    discarding: ast.AST | None = None  #: the expression statement at hand: its value is thrown away
    annotated: ast.AST | None = None  #: the value of an annotated assignment at hand
    grad_mode: str = "grad"  #: of code outside any capture: grad, no_grad, inference_mode; "" if it is not known
    repeating: int = 0  #: >0 in the element of a comprehension
    logging: int = 0  #: >0 while evaluating what is only printed or logged
    steps: int = 0
