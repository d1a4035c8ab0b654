"""How each frontend captures, and what it then holds."""

from __future__ import annotations

import contextlib
import os
import sys
import types
import warnings
from dataclasses import dataclass, field
from typing import Any, Callable, Dict, Iterator, List, Optional, Set, Tuple

import torch
import torch.fx

from runtime_probe.dynamo import graphs
from runtime_probe.dynamo.listen import Listener
from runtime_probe.dynamo.places import is_inside
from runtime_probe.job import one_line
from runtime_probe.matrix import ahead
from runtime_probe.matrix.blame import Place, raised_at
from runtime_probe.matrix.export import export
from runtime_probe.matrix.reference import message_of
from runtime_probe.report import Graph
from runtime_probe.simulate import script_graph
from runtime_probe.simulate.watch import Lines
from runtime_probe.subject import Instance

AHEAD: Dict[str, Callable[[Instance], Any]] = {
    "trace": ahead.trace,
    "fx": ahead.fx,
    "script": ahead.script,
    "export": export,
}
#: Frontends that follow one path through the program while they capture.
ONE_PATH = ("trace", "fx", "export")
#: No more nodes in all graphs of one run.
MOST_NODES = 20_000
_MOST_WARNINGS = 5
_OWN = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep


@dataclass
class Captured:
    """What a capture ahead of the calls gave. `function` None: it was refused, for `message`. `lines`: those of the
    program's file that ran meanwhile. `warned`: what the tracer warned of, by place. `evaluated`: what a script
    evaluates itself, by path and line; None where that is not known."""

    function: Any = None
    message: str = ""
    place: Optional[Place] = None
    lines: Set[int] = field(default_factory=set)
    warned: List[Any] = field(default_factory=list)
    graph: Optional[Graph] = None
    code: str = ""
    evaluated: Optional[Set[Tuple[str, int]]] = None


def capture(frontend: str, instance: Instance, path: str) -> Captured:
    """Capture with the first call of an instance."""
    found, noted = Captured(), Lines(path)
    watched = noted.recording() if frontend in ONE_PATH else contextlib.nullcontext()
    told: List[Dict[str, Any]] = []
    listening = (
        Listener(told.append) if frontend == "export" else contextlib.nullcontext()
    )  # what it has Dynamo translate
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        try:
            with watched, listening, _placed():
                found.function = AHEAD[frontend](instance)
        except Exception as error:
            found.message, found.place = message_of(error), raised_at(error, path)
            return found
    evaluated = [span for one in told if one["event"] == "evaluated" and one["path"] == path for span in one["spans"]]
    found.lines = noted.lines | {line for first, _, last, _ in evaluated for line in (first, last)}
    found.warned = [
        ((w.filename, w.lineno), one_line(str(w.message), 300))
        for w in heard
        if "TracerWarning" in w.category.__name__ and is_inside(w.filename)
    ][:_MOST_WARNINGS]
    with contextlib.suppress(Exception):  # the calls can still be made
        if frontend in ("trace", "script"):
            found.graph, found.code = script_graph.of_captured(found.function, frontend == "trace", MOST_NODES)
            found.evaluated = script_graph.evaluated(found.function) if frontend == "script" else None
        else:
            found.graph = graphs.of_module(0, found.function)
            found.code = found.graph["code"]
    return found


@contextlib.contextmanager
def _placed() -> Iterator[None]:
    """Inside, the nodes of FX graphs know the lines of the program that made them: `symbolic_trace` notes none, and
    `export` only those in functions called `forward`."""
    real = torch.fx.proxy.TracerBase.create_node

    def create_node(self: Any, *args: Any, **kwargs: Any) -> Any:
        node = real(self, *args, **kwargs)
        frame: Optional[types.FrameType] = sys._getframe(1)
        lines: List[str] = []
        while frame is not None and not frame.f_code.co_filename.startswith(_OWN):
            code = frame.f_code
            if is_inside(code.co_filename):
                lines.append(f'  File "{code.co_filename}", line {frame.f_lineno}, in {code.co_name}\n')
            frame = frame.f_back
        if lines and node.op not in ("placeholder", "output"):
            node.meta["stack_trace"] = "".join(reversed(lines))
        return node

    torch.fx.proxy.TracerBase.create_node = create_node  # type: ignore[method-assign]
    try:
        yield
    finally:
        torch.fx.proxy.TracerBase.create_node = real  # type: ignore[method-assign]


def control_flow(graph: Graph) -> List[Optional[int]]:
    """The lines of the operations of a graph that branch or loop by themselves."""
    return [node["line"] for node in graph["nodes"] if node["target"].rpartition(".")[2] in _BRANCHING]


def assertions(graph: Graph) -> Set[int]:
    """The lines of the operations of a graph that raise an error by themselves."""
    found = {node["line"] for node in graph["nodes"] if node["target"].rpartition(".")[2] in _ASSERTING}
    return {line for line in found if line is not None}


_BRANCHING = ("cond", "while_loop", "map_impl", "map", "scan", "associative_scan", "switch", "prim::If", "prim::Loop")
_ASSERTING = ("_assert_async", "_functional_assert_async", "_assert_scalar", "_assert")
