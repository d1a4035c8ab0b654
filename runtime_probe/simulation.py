"""What the part `simulate` finds, as types: a program captured by a frontend with one combination of inputs, then
called with others. Standard library only, Python 3.9 and later.

Positions are 1-based, columns in characters, ends exclusive. Everything comes from a real run.
"""

from __future__ import annotations

from typing import List, Literal, Optional, TypedDict

from runtime_probe.report import Break, Entry, Graph, Guard, Recompile, Symbol

Frontend = Literal["eager", "trace", "fx", "script", "dynamo", "fullgraph", "export"]
#: In the order in which they are offered.
FRONTENDS: List[Frontend] = ["eager", "trace", "fx", "script", "dynamo", "fullgraph", "export"]

EventKind = Literal["eager", "capture", "compile", "hit", "recompile", "break", "skip", "limit", "refused", "error"]
Answer = Literal["right", "wrong", "error", "refused"]
Branches = Literal["kept", "lost", "same way", "none", "refused"]
Extent = Literal["whole", "parts", "nothing", "refused", "eager"]
FrozenKind = Literal["conversion", "draw", "state", "argument", "metadata", "mode", "size"]


class Decision(TypedDict):
    """A conditional jump of the program's own code that tried inputs took differently, or that reads tensor data.
    `text`: the source of its test."""

    path: str
    line: int
    column: int
    end_line: int
    end_column: int
    text: str


class Inputs(TypedDict):
    """One set of values. `ways`: per decision, how its test came out: `True`, `False`, `True, False, True` (several
    visits, at most six, then `…`), or empty where the decision was not reached."""

    name: str
    ways: List[str]


class Size(TypedDict):
    """Dimensions that vary together, named by the first: `x.shape[0]`. `values`: sizes that the program itself accepts,
    sorted, `given` among them."""

    name: str
    given: int
    values: List[int]


class Number(TypedDict):
    """A Python number or flag among the arguments; values as `repr` writes them, `given` among them."""

    name: str
    given: str
    values: List[str]


class Controls(TypedDict):
    """What can be varied. `inputs[0]`, `dtypes[0]` and `modes[0]` are as given; `modes` is empty where there is no
    module."""

    decisions: List[Decision]
    inputs: List[Inputs]
    sizes: List[Size]
    numbers: List[Number]
    dtypes: List[str]
    modes: List[str]
    frontends: List[Frontend]


class Combination(TypedDict):
    """One choice of each control, by index: `sizes` and `numbers` have one index per size and number, into its
    `values`."""

    inputs: int
    sizes: List[int]
    numbers: List[int]
    dtype: int
    mode: int


class Request(TypedDict):
    """What is to be run: the first call captures, each later one is a call of the same captured object, in order."""

    frontend: Frontend
    calls: List[Combination]


class Event(TypedDict):
    """One thing that happened in a call. `graph`: the id of the graph that it is about."""

    kind: EventKind
    text: str
    line: Optional[int]
    graph: Optional[int]


class Frozen(TypedDict):
    """A value read on the host while capturing, which the capture holds as a constant. `captured`: what it holds;
    `now`: what the program reads in this call; `differs`: whether they are different."""

    line: int
    what: str
    kind: FrozenKind
    captured: str
    now: str
    differs: bool


class Call(TypedDict):
    """One call. `eager`, `got`: the results in short; `difference`: the first one between them; `largest`: the largest
    absolute difference of numbers, None where there is none to take. `ways`: how eager takes each decision now,
    `captured_ways`: how it took them in the captured call. `lines`: those of the program's file that eager runs in this
    call; `missed`: those of them that the one path in the capture does not hold. `graphs`, `breaks`: how many so far.
    `explanation` is left empty here."""

    combination: Combination
    events: List[Event]
    answer: Answer
    difference: str
    largest: Optional[float]
    eager: str
    got: str
    branches: Branches
    ways: List[str]
    captured_ways: List[str]
    lines: str
    missed: str
    recompiles: List[Recompile]
    limit: bool
    graphs: int
    breaks: int
    frozen: List[Frozen]
    explanation: str


class Run(TypedDict):
    """One request carried out. `message`, `line`: why nothing was captured, or why the run ended early. `graphs`,
    `guards`, `breaks`: of the capture and all calls. `code`: the graph as the frontend itself writes it."""

    request: Request
    captured: Extent
    message: str
    line: Optional[int]
    graphs: List[Graph]
    guards: List[Guard]
    breaks: List[Break]
    symbols: List[Symbol]
    code: str
    calls: List[Call]


class Survey(TypedDict):
    """What can be varied in a program, and its source. `inputs_text`: the expression of the given inputs."""

    controls: Controls
    source: str
    path: str
    entry: str
    inputs_text: str


class Simulation(TypedDict):
    """What the part found; `survey` is None where it was not asked for."""

    survey: Optional[Survey]
    runs: List[Run]


class SimulatedEntry(Entry):
    """An entry of a probe whose parts had `simulate` among them; in all others the key is not there."""

    simulation: Simulation
