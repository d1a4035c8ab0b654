"""The report of `capture-lsp probe`, as types. Standard library only, Python 3.9 and later.

Positions are 1-based, columns in characters, ends exclusive.
"""

from __future__ import annotations

from typing import Dict, List, Literal, Optional, Tuple, TypedDict

VERSION = 1

#: How much the probe could see of this torch: everything, lines only, or whatever there was.
Support = Literal["full", "lines", "best effort"]
EntryStatus = Literal["ok", "failed", "timeout", "killed"]


class Error(TypedDict):
    """Something that could not be probed."""

    path: str
    line: int
    kind: str
    message: str


class Location(TypedDict):
    """A line of a file."""

    path: str
    line: int


class StackEntry(Location):
    """One frame of a stack, innermost last."""

    function: str


class Cause(Location):
    """What a break is due to, where Dynamo names something else as its reason (a loop, a `with`)."""

    text: str
    graph_break: Optional[str]


class Break(TypedDict):
    """One graph break: where the graph ended and why. `resume`: the function that goes on behind it."""

    path: str
    line: int
    column: int
    end_line: int
    end_column: int
    reason: str
    graph_break: Optional[str]
    cause: Optional[Cause]
    stack: List[StackEntry]
    resume: Optional[str]


class Node(TypedDict):
    """One node of a graph. `inputs`: the names of the nodes that it reads, in their order; `module`: the module that it
    is of, as `layers.0.attn`, empty in the captured one itself."""

    op: str
    name: str
    target: str
    args: str
    inputs: List[str]
    module: str
    shape: Optional[List[str]]
    dtype: Optional[str]
    path: Optional[str]
    line: Optional[int]


class Graph(TypedDict):
    """One captured graph. `lines`: path → the lines that its nodes came from, as `12-18,20`; `evaluated`: in the same
    form, all lines that Dynamo evaluated on the way to it, that of the break which ended it included."""

    id: int
    lines: Dict[str, str]
    evaluated: Dict[str, str]
    code: str
    nodes: List[Node]


class Guard(TypedDict):
    """A condition under which a captured graph is valid."""

    kind: str
    source: str
    expression: str
    path: Optional[str]
    line: Optional[int]


class Bytecode(TypedDict):
    """A function's bytecode as the compiler found and left it, disassembled."""

    before: str
    after: Optional[str]


class Frame(TypedDict):
    """A function that Dynamo looked at. `bytecode`: before and after, where it was asked for."""

    function: str
    path: str
    line: int
    compile_id: Optional[str]
    skipped: bool
    skip_reason: Optional[str]
    breaks: List[Break]
    graphs: List[Graph]
    guards: List[Guard]
    bytecode: Optional[Bytecode]


class Recompile(TypedDict):
    """A guard missed: the function was compiled again for a later call."""

    path: str
    line: int
    function: str
    call: int
    guard: str
    dimension: Optional[str]
    limit_reached: bool


class Symbol(TypedDict):
    """A symbolic size, and the range that it may have."""

    name: str
    source: str
    range: str
    path: Optional[str]
    line: Optional[int]


class SizeRead(TypedDict):
    """An expression that reads the size of a tensor, or of several dimensions, as one compilation has it: numbers are
    baked into the graph, anything else is an expression of symbols."""

    path: str
    line: int
    column: int
    end_line: int
    end_column: int
    values: List[str]


class Loop(TypedDict):
    """A `for` that one compilation unrolled into the graph. The place is that of the statement, or of what it runs over
    (since Python 3.12)."""

    path: str
    line: int
    column: int
    times: int


class Counterexample(TypedDict):
    """Inputs for which a capture gives another result than the program itself."""

    inputs: str
    eager: str
    got: str
    difference: str


class Perturbed(TypedDict):
    """What became of a capture when its inputs changed in one way."""

    change: str
    outcome: str
    message: str


class Verdict(TypedDict):
    """What one frontend did with the entry."""

    outcome: str
    message: str
    path: Optional[str]
    line: Optional[int]
    counterexample: Optional[Counterexample]
    perturbed: List[Perturbed]


class Decision(TypedDict):
    """A data-dependent branch and the way that a path took there."""

    path: str
    line: int
    column: int
    value: str


class Traced(Location):
    """A function that Dynamo translated, wherever it stands; the probe's result holds as long as its text does."""

    function: str


#: Positions of instructions that Dynamo evaluated: line, column, end line, end column (columns in characters).
Span = Tuple[int, int, int, int]


class Path(TypedDict):
    """One path through the program's data-dependent decisions."""

    decisions: List[Decision]
    status: str
    breaks: List[Break]
    graphs: int


Measured = Literal["faster", "slower", "no difference measured", "not measured"]


class Without(TypedDict):
    """What the entry would be without some of its breaks: with the quick fix applied, with a call left out whose
    result nobody uses, with a tensor kept of which a number was made, or with host reads answered by the values that
    they gave. `ratio`: eager / this variant, compiled;
    `gain`: compiled as it stands / this variant, compiled; each with its 95 % interval. `verdict` is of the gain.
    `message`: why it could not be measured, or what else there is to say."""

    breaks: List[Location]
    how: Literal["fix", "answered", "kept", "removed"]
    ratio: Optional[float]
    low: Optional[float]
    high: Optional[float]
    verdict: Measured
    gain: Optional[float]
    gain_low: Optional[float]
    gain_high: Optional[float]
    message: str


class Timing(TypedDict):
    """What one call costs eagerly and compiled. Times are medians, of one call; `ratio` is eager / compiled, above 1
    where compiled is faster, with its 95 % interval. `rounds`: in all `processes`. `cold_s`: the first compiled call,
    with an empty cache; `break_even_calls`: how many calls make up for it, None where they never do. `guards_us`: what
    checking all guards of one call takes."""

    eager_ms: Optional[float]
    compiled_ms: Optional[float]
    ratio: Optional[float]
    low: Optional[float]
    high: Optional[float]
    verdict: Measured
    clock: Literal["wall", "cuda events"]
    eager_cpu_ms: Optional[float]
    compiled_cpu_ms: Optional[float]
    rounds: int
    processes: int
    cold_s: Optional[float]
    break_even_calls: Optional[int]
    guards_us: Optional[float]
    threads: int
    message: str
    without: List[Without]


class Setting(TypedDict):
    """Arguments of `torch.compile` that were tried; none where they are the program's own. See `Timing`."""

    arguments: str
    ratio: Optional[float]
    low: Optional[float]
    high: Optional[float]
    verdict: Measured
    cold_s: Optional[float]
    message: str


#: `cpu`, or a row of the table of devices.
Target = str


#: Why a kernel is not one with a neighbour: a class of reasons, then the compiler's own words.
NotFused = TypedDict("NotFused", {"with": str, "why": str})


class Kernel(TypedDict):
    """A kernel that the compiler generated for a graph, or a library's that it calls (`extern`); `triton` is also one
    of the user's own, whose graph is None. `nodes`: those of the graph that it computes, or whose gradients if it is of
    the `backward`; `launches`: calls of it in one run of the graph. `bytes`, `flops`: of all launches; operations are
    counted for matrix products, convolutions and attention alone. `eager_launches`, `eager_bytes`: what the same nodes
    take without compilation; a node that several kernels compute counts in the first. `predicted_us`: by a roofline of
    `target`; `measured_us`: by the profiler, on a GPU. `ptx`: whether it could be compiled for the target, None where
    that was not tried."""

    graph: Optional[int]
    name: str
    language: Literal["triton", "cpp", "extern"]
    source: str
    lines: Dict[str, str]
    nodes: List[str]
    launches: int
    bytes: int
    flops: int
    eager_launches: int
    eager_bytes: int
    not_fused_because: List[NotFused]
    predicted_us: Optional[float]
    measured_us: Optional[float]
    target: Target
    ptx: Optional[bool]
    registers: Optional[int]
    spills: Optional[int]
    backward: bool


class Unmapped(TypedDict):
    """A node of a graph that no kernel computes, and why."""

    node: str
    why: str


class GraphCost(TypedDict):
    """What one run of a graph takes, without compilation and with it; its backward pass, if the program ran it,
    included. `predicted_ratio`: eager / compiled by a roofline of `target`."""

    graph: int
    eager_launches: int
    fused_launches: int
    eager_bytes: int
    fused_bytes: int
    flops: int
    predicted_ratio: Optional[float]
    target: Target
    unmapped: List[Unmapped]


class Skip(TypedDict):
    """Why CUDA graphs (`mode="reduce-overhead"`) would not take a graph, or not all of it. `subject`: the name of the
    argument, parameter or operation that is the reason. `predicted`: it was not observed on a GPU."""

    graph: int
    reason: str
    subject: str
    path: Optional[str]
    line: Optional[int]
    predicted: bool


class KernelError(Location):
    """A Triton kernel of the user's that does not compile for the target, or computes something else than the program
    without it."""

    message: str


class Entry(TypedDict):
    """One probed entry. `synthesised`: its inputs were made up from annotations and use. `evaluated`: the instructions
    that Dynamo evaluated symbolically, by path. `sizes`, `loops`: in the order of the compilations, each different one
    once. `output`: the end of what the program printed."""

    target: str
    entry: str
    inputs: List[str]
    synthesised: bool
    status: EntryStatus
    message: str
    frames: List[Frame]
    recompiles: List[Recompile]
    symbols: List[Symbol]
    matrix: Dict[str, Verdict]
    paths: List[Path]
    timing: Optional[Timing]
    settings: Optional[List[Setting]]
    kernels: Optional[List[Kernel]]
    graph_costs: Optional[List[GraphCost]]
    cudagraphs: Optional[List[Skip]]
    kernel_errors: List[KernelError]
    evaluated: Dict[str, List[Span]]
    traced: List[Traced]
    sizes: List[SizeRead]
    loops: List[Loop]
    output: str


class Report(TypedDict):
    """Everything that one run of the probe found. `blind`: what this torch does not let it see."""

    version: int
    torch: str
    python: str
    device: str
    support: Support
    blind: List[str]
    errors: List[Error]
    entries: List[Entry]
