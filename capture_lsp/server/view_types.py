"""The answer of `capture-lsp.captureView`, as the client's `src/protocol.ts` declares it too."""

from __future__ import annotations

from typing import Literal, TypedDict

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


class MeasuredBreak(TypedDict):
    """A break that a variant of the program does not have; `line`: `14`, or `helpers.py:14` of another file."""

    at: Place | None
    line: str


class Without(TypedDict):
    """A variant without some breaks: `how` they were taken out; `ratio`: eager / variant; `gain`: as it is / variant,
    each with its interval; `verdict`: of the gain."""

    breaks: list[MeasuredBreak]
    how: str
    ratio: float | None
    low: float | None
    high: float | None
    verdict: str
    gain: float | None
    gain_low: float | None
    gain_high: float | None
    message: str


class Timing(TypedDict):
    """What one call takes, and what each break takes away. `ratio`: eager / compiled, with its interval."""

    eager_ms: float | None
    compiled_ms: float | None
    ratio: float | None
    low: float | None
    high: float | None
    verdict: str
    clock: str
    eager_cpu_ms: float | None
    compiled_cpu_ms: float | None
    rounds: int
    processes: int
    cold_s: float | None
    break_even_calls: int | None
    guards_us: float | None
    threads: int
    message: str
    without: list[Without]


class Setting(TypedDict):
    """Arguments of torch.compile that were tried, the fastest first."""

    arguments: str
    ratio: float | None
    low: float | None
    high: float | None
    verdict: str
    cold_s: float | None
    message: str


NotFused = TypedDict("NotFused", {"with": str, "why": str})


class Kernel(TypedDict):
    """A generated kernel, or a library's; `lines`: `model.py:12-13`; `graph`: none of one of the program's own."""

    graph: int | None
    name: str
    language: str
    source: str
    lines: str
    nodes: list[str]
    launches: int
    bytes: int
    flops: int
    eager_launches: int
    eager_bytes: int
    not_fused_because: list[NotFused]
    predicted_us: float | None
    measured_us: float | None
    target: str
    ptx: bool | None
    registers: int | None
    spills: int | None
    backward: bool


class Unmapped(TypedDict):
    """A node that no kernel computes."""

    node: str
    why: str


class GraphCost(TypedDict):
    """One run of a graph, eagerly and compiled."""

    graph: int
    eager_launches: int
    fused_launches: int
    eager_bytes: int
    fused_bytes: int
    flops: int
    predicted_ratio: float | None
    target: str
    unmapped: list[Unmapped]


class Skip(TypedDict):
    """Why CUDA graphs would not take a graph; `predicted`: it was not observed."""

    graph: int
    reason: str
    subject: str
    at: Place | None
    predicted: bool


class KernelError(TypedDict):
    """What is wrong with a Triton kernel of the program's own."""

    at: Place | None
    message: str


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
    timing: Timing | None
    settings: list[Setting] | None
    kernels: list[Kernel] | None
    graph_costs: list[GraphCost] | None
    cudagraphs: list[Skip] | None
    kernel_errors: list[KernelError] | None
    islands: list[Island]


class CaptureView(TypedDict):
    """All of one file; `torch`, `device`: empty if nothing was probed."""

    version: Literal[1]
    uri: str
    torch: str
    device: str
    entries: list[Entry]
