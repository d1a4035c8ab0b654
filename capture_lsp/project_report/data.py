"""The data of the report's page, as `pages/src/report/data.ts` declares it too.

Lines and columns are 1-based, columns in characters, ends exclusive. Words of outcomes, statuses and costs are those of
the text formats; the page only shows them.
"""

from __future__ import annotations

from typing import Literal, TypedDict

VERSION: Literal[1] = 1

Captured = Literal["whole", "parts", "nothing", "unknown"]


class Place(TypedDict):
    """A place in a file; `where`: `model.py:12`, or `notes.ipynb:cell 3:4`."""

    path: str
    line: int
    where: str


class Step(TypedDict):
    """One step of a value's history, or a related place."""

    text: str
    at: Place


class SourceLine(TypedDict):
    """A line of a source; `number`: as it is counted in its file or cell."""

    number: int
    text: str


class Source(TypedDict):
    """The lines of a file that something on the page shows, by their number in the file."""

    path: str
    lines: dict[str, SourceLine]


class Judgement(TypedDict):
    """What becomes of a finding under one frontend; `status`: what the probe says of that, empty where it said nothing;
    `in_use`: whether the finding is shown for it."""

    frontend: str
    outcome: str
    words: str
    status: str
    in_use: bool


class Change(TypedDict):
    """Lines of a file that a fix replaces."""

    at: Place
    removed: list[str]
    added: list[str]


class Fix(TypedDict):
    """A fix that `check --fix` or the editor would apply."""

    title: str
    safety: str
    changes: list[Change]


class Cost(TypedDict):
    """What a finding costs: `change`: `1.31× → 1.58×`; `gain` orders, 1 where no difference was measured."""

    change: str
    words: str
    gain: float


class BreakId(TypedDict):
    """A kind of graph break in PyTorch's registry."""

    id: str
    url: str


class Finding(TypedDict):
    """One finding. `id`: stays when lines move; `outcome`: the worst under the frontends in use; `status`: confirmed,
    refuted, not_reached or predicted; `mark`: new or known against the baseline, empty without one."""

    id: str
    code: str
    name: str
    severity: str
    at: Place
    column: int
    end_line: int
    end_column: int
    message: str
    function: str
    roots: list[str]
    count: int
    outcome: str
    outcome_words: str
    status: str
    status_words: str
    mark: Literal["new", "known", ""]
    judgements: list[Judgement]
    provenance: list[Step]
    related: list[Step]
    graph_breaks: list[BreakId]
    url: str
    fixes: list[Fix]
    cost: Cost | None


class Gone(TypedDict):
    """A finding of the baseline that no longer occurs."""

    code: str
    path: str
    function: str
    expression: str


class Problem(TypedDict):
    """A file that could not be checked, or not wholly."""

    at: Place
    kind: str
    message: str


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
    path: str | None
    line: int | None


class Count(TypedDict):
    """How often something occurs."""

    name: str
    count: int


class Graph(TypedDict):
    """A captured graph; `lines`: `model.py:12-18,20`. `again`: of a function that was compiled before, for a
    recompilation. Where it is too large for the page, it has no nodes, and `targets` says what it calls."""

    id: int
    again: bool
    function: str
    lines: str
    ops: int
    size: int
    nodes: list[Node]
    targets: list[Count]


class Break(TypedDict):
    """A graph break of the given calls."""

    at: Place | None
    reason: str
    graph_break: BreakId | None
    function: str


class Guard(TypedDict):
    """A condition under which a graph is valid; `on_a_value`: on a value of the program's own."""

    kind: str
    source: str
    expression: str
    at: Place | None
    on_a_value: bool


class Recompile(TypedDict):
    """A guard that a later call missed; `call`: counted from 1."""

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


class Perturbed(TypedDict):
    """What became of a capture with other inputs."""

    change: str
    outcome: str
    words: str
    message: str


class Counterexample(TypedDict):
    """Inputs for which a capture gives another result than the program."""

    inputs: str
    eager: str
    got: str
    difference: str


class FrontendResult(TypedDict):
    """What one frontend did with an entry."""

    frontend: str
    name: str
    outcome: str
    words: str
    message: str
    others: str
    at: Place | None
    counterexample: Counterexample | None
    perturbed: list[Perturbed]


class Explored(TypedDict):
    """A path through the decisions on data."""

    decisions: list[Step]
    status: str
    breaks: list[Break]
    graphs: int


class Variant(TypedDict):
    """The entry as it stands, or without some of its breaks; `ratio`: eager over compiled, with its interval."""

    label: str
    words: str
    how: str
    ratio: float | None
    low: float | None
    high: float | None
    message: str


class Timing(TypedDict):
    """What one call takes: `facts` in words, and the variants that were measured."""

    facts: list[str]
    how: str
    message: str
    variants: list[Variant]


class Kernel(TypedDict):
    """A generated kernel, or a library's; `graph`: none of one of the program's own. `source` is left out where there
    are too many."""

    graph: int | None
    name: str
    language: str
    lines: str
    launches: int
    eager_launches: int
    moved: str
    bytes: int
    operations: str
    flops: int
    time: str
    compiled: str
    not_fused: str
    backward: bool
    source: str


class Fused(TypedDict):
    """One run of a graph, eagerly and compiled, in words."""

    graph: int
    words: str


class Remark(TypedDict):
    """Why CUDA graphs would not take a graph, or what is wrong with a kernel of the program's own."""

    at: Place | None
    text: str


class Island(TypedDict):
    """Lines of one function that go into one graph, or into none; `ranges`: first and last lines."""

    kind: Literal["graph", "eager", "skipped"]
    graph: int | None
    label: str
    ranges: list[list[int]]


class Function(TypedDict):
    """A function that the probe entered, with its islands."""

    name: str
    path: str
    first: int
    last: int
    islands: list[Island]
    breaks: list[Step]


class Entry(TypedDict):
    """A captured object, as a probe saw it. `omitted`: what the page
    leaves out of it, in words."""

    id: str
    name: str
    target: str
    at: Place | None
    captured: Captured
    captured_words: str
    figures: str
    message: str
    inputs: list[str]
    synthesised: bool
    torch: str
    functions: list[Function]
    graphs: list[Graph]
    breaks: list[Break]
    eager: list[Remark]
    guards: list[Guard]
    guard_kinds: list[Count]
    recompiles: list[Recompile]
    symbols: list[Symbol]
    matrix: list[FrontendResult]
    paths: list[Explored]
    timing: Timing | None
    fused: list[Fused]
    kernels: list[Kernel]
    cudagraphs: list[Remark]
    kernel_errors: list[Remark]
    omitted: list[str]


class Column(TypedDict):
    """A frontend that some finding is shown for; `name`: as people write it."""

    frontend: str
    name: str


class OutcomeRow(TypedDict):
    """How many findings have an outcome under each frontend; those that the probe refuted are not counted."""

    outcome: str
    words: str
    counts: list[int]


class Costly(TypedDict):
    """The finding that costs most."""

    finding: str
    where: str
    words: str


class Summary(TypedDict):
    """What stands at the top. `new`, `known`, `gone`: against the baseline, None without one; `entries`: by how much
    was captured, None without a probe."""

    files: int
    findings: int
    refuted: int
    severities: list[Count]
    statuses: list[Count]
    columns: list[Column]
    outcomes: list[OutcomeRow]
    new: int | None
    known: int | None
    gone: int | None
    baseline: str
    entries: list[Count] | None
    costly: Costly | None


class Row(TypedDict):
    """One run, as a line of the history. `kinds`: findings by outcome; `breaks` to `whole`: None where nothing was
    probed."""

    date: str
    commit: str
    torch: str
    findings: int
    kinds: dict[str, int]
    frontends: dict[str, int]
    breaks: int | None
    graphs: int | None
    recompiles: int | None
    entries: int | None
    whole: int | None


class Data(TypedDict):
    """All of the page. `probed`: `torch 2.13.0 (cpu)`, for each interpreter that probed; `outcome_words`: by outcome,
    for the history; `notes`: what the run has to say of itself."""

    version: Literal[1]
    project: str
    date: str
    commit: str
    made_by: str
    torch: str
    probed: list[str]
    measured: bool
    summary: Summary
    findings: list[Finding]
    gone: list[Gone]
    problems: list[Problem]
    entries: list[Entry]
    history: list[Row]
    outcome_words: dict[str, str]
    frontend_names: dict[str, str]
    sources: list[Source]
    notes: list[str]
