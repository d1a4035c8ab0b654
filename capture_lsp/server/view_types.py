"""The answer of `capture-lsp.captureView`, as the client's `src/protocol.ts` declares it too."""

from __future__ import annotations

from typing import Any, Literal, TypedDict

VERSION: Literal[1] = 1


class Position(TypedDict):
    """0-based, in the code units that were agreed on."""

    line: int
    character: int


class Range(TypedDict):
    """The end is exclusive."""

    start: Position
    end: Position


class Place(TypedDict):
    """A place in a text as it is now; of a line, its text."""

    uri: str
    range: Range


class Break(TypedDict):
    """A graph break; `graph_break`: its id in PyTorch's registry."""

    at: Place | None
    reason: str
    graph_break: str
    resume: str


class Node(TypedDict):
    """A node of a graph."""

    op: str
    name: str
    target: str
    args: str
    inputs: list[str]
    module: str
    shape: list[str] | None
    dtype: str | None
    at: Place | None


class Graph(TypedDict):
    """A captured graph; `lines`: `model.py:12-18,20`."""

    id: int
    lines: str
    ops: int
    code: str
    nodes: list[Node]


class Guard(TypedDict):
    """A condition under which the graphs of a frame are valid."""

    kind: str
    source: str
    expression: str
    at: Place | None


class Frame(TypedDict):
    """A function that Dynamo looked at, or the rest of one behind a break."""

    function: str
    at: Place | None
    skipped: bool
    skip_reason: str
    breaks: list[Break]
    graphs: list[Graph]
    guards: list[Guard]


class Recompile(TypedDict):
    """A guard that a later call missed."""

    at: Place | None
    function: str
    call: int
    guard: str
    dimension: str
    limit_reached: bool


class Symbol(TypedDict):
    """A symbolic size."""

    name: str
    source: str
    range: str
    at: Place | None


class Counterexample(TypedDict):
    """Inputs for which a capture gives another result than the program."""

    inputs: str
    eager: str
    got: str
    difference: str


class Perturbed(TypedDict):
    """What became of a capture with other inputs."""

    change: str
    outcome: str
    message: str


class FrontendResult(TypedDict):
    """What one frontend did."""

    frontend: str
    outcome: str
    message: str
    at: Place | None
    counterexample: Counterexample | None
    perturbed: list[Perturbed]


class Decision(TypedDict):
    """A data-dependent branch, and the way taken."""

    at: Place | None
    value: str


class ExploredPath(TypedDict):
    """One path through the decisions."""

    decisions: list[Decision]
    status: str
    breaks: list[Break]
    graphs: int


class Island(TypedDict):
    """Lines of one function that go into one graph, or into none."""

    kind: Literal["graph", "eager", "skipped"]
    graph: int | None
    function: str
    label: str
    uri: str
    ranges: list[Range]


class Entry(TypedDict):
    """The newest probe of one function."""

    name: str
    at: Place | None
    status: str
    message: str
    stale: bool
    probed: int
    figures: str
    inputs: list[str]
    frames: list[Frame]
    recompiles: list[Recompile]
    symbols: list[Symbol]
    matrix: list[FrontendResult]
    paths: list[ExploredPath]
    timing: Any
    kernels: Any
    islands: list[Island]


class CaptureView(TypedDict):
    """All of one file; `torch`, `device`: empty if nothing was probed."""

    version: Literal[1]
    uri: str
    torch: str
    device: str
    entries: list[Entry]
