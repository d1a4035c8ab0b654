"""The report of a real run has the form that `runtime_probe/report.py` declares: every key, and every value's type."""

from __future__ import annotations

import os
import sys
import types
import typing
from collections.abc import Iterator
from typing import Any

import pytest

from runtime_probe import report
from tests.cli.conftest import Project

pytestmark = pytest.mark.truth

PROGRAM = """\
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, width: int = 4) -> None:
        super().__init__()
        self.gate = nn.Linear(width, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for scale in (1, 2):
            x = x * scale * x.shape[1]
        if self.gate(x).sum() > 0:
            return x * 3
        for number in range(2):
            print(number)
            x = x + 1
        return x


def fails(x: torch.Tensor) -> torch.Tensor:
    raise RuntimeError("no")
"""

#: Values that this run of the probe has, so that the types inside of them are compared, too.
SEEN = [
    "entries.frames.breaks.cause.graph_break",
    "entries.frames.breaks.stack.function",
    "entries.frames.bytecode.before",
    "entries.frames.graphs.evaluated.*",
    "entries.frames.graphs.nodes.inputs",
    "entries.frames.graphs.nodes.line",
    "entries.frames.graphs.nodes.module",
    "entries.frames.guards.expression",
    "entries.recompiles.guard",
    "entries.symbols.range",
    "entries.matrix.*.counterexample.difference",
    "entries.matrix.*.perturbed.outcome",
    "entries.paths.decisions.value",
    "entries.evaluated.*",
    "entries.traced.function",
    "entries.sizes.values",
    "entries.loops.times",
    "errors.message",
]


def deviations(value: Any, declared: Any, at: str, seen: set[str]) -> Iterator[str]:
    """Where a value is not what is declared; `seen` gets every place that was compared."""
    seen.add(at)
    origin, arguments = typing.get_origin(declared), typing.get_args(declared)
    if typing.is_typeddict(declared):
        fields = typing.get_type_hints(declared)
        if not isinstance(value, dict) or set(value) != set(fields):
            yield f"{at}: {sorted(value) if isinstance(value, dict) else value!r}, declared {sorted(fields)}"
            return
        for name, kind in fields.items():
            yield from deviations(value[name], kind, f"{at}.{name}".lstrip("."), seen)
    elif declared is Any:
        return
    elif origin in (typing.Union, types.UnionType):
        if value is not None or type(None) not in arguments:
            (kind,) = [argument for argument in arguments if argument is not type(None)]
            yield from deviations(value, kind, at, seen)
    elif origin is list:
        if not isinstance(value, list):
            yield f"{at}: {value!r} is no list"
            return
        for part in value:
            yield from deviations(part, arguments[0], at, seen)
    elif origin is tuple:
        if not isinstance(value, list) or len(value) != len(arguments):
            yield f"{at}: {value!r} does not have {len(arguments)} parts"
            return
        for part, kind in zip(value, arguments, strict=True):
            yield from deviations(part, kind, at, seen)
    elif origin is dict:
        if not isinstance(value, dict) or not all(isinstance(key, str) for key in value):
            yield f"{at}: {value!r} is no object"
            return
        for part in value.values():
            yield from deviations(part, arguments[1], f"{at}.*", seen)
    elif origin is typing.Literal:
        if value not in arguments:
            yield f"{at}: {value!r} is none of {arguments}"
    elif type(value) is not declared and not (declared is float and type(value) is int):
        yield f"{at}: {value!r} is no {declared.__name__}"


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder = tmp_path_factory.mktemp("contract")
    project = Project(folder / "project", folder / "home")
    project.root.mkdir()
    project.home.mkdir()
    project.env["PYTHONPATH"] = os.pathsep.join(p for p in sys.path if p)
    project.write("net.py", PROGRAM)
    done = project.run(
        "probe", "--python", sys.executable, "--bytecode", "--perturb", "--paths", "--output-format", "json",
        "--inputs=torch.ones(2, 4)", "--inputs=-torch.ones(3, 4)", "--inputs=torch.ones(4, 4)",
        "net.py::Net", "net.py::fails", "gone.py::Net",
    )  # fmt: skip
    return done.json


def test_every_key_and_type(full: Any) -> None:
    seen: set[str] = set()
    assert list(deviations(full, report.Report, "", seen)) == []
    assert [place for place in SEEN if place not in seen] == []
    assert [entry["status"] for entry in full["entries"]] == ["ok", "failed"]


def test_what_became_of_sizes_and_loops(full: Any) -> None:
    """A number in the compilations for one size of a dimension, a symbol in those for all."""
    [net, _] = full["entries"]
    lines = PROGRAM.split("\n")
    assert {(tuple(one["values"]), lines[one["line"] - 1][one["column"] - 1 :]) for one in net["sizes"]} == {
        (("4",), "x.shape[1]")
    }
    assert {(one["times"], lines[one["line"] - 1].strip()) for one in net["loops"]} == {(2, "for scale in (1, 2):")}


def test_what_nodes_read_and_which_module_they_are_of(full: Any) -> None:
    [net, _] = full["entries"]
    graph = next(graph for frame in net["frames"] for graph in frame["graphs"])
    nodes = {node["name"]: node for node in graph["nodes"]}
    for node in graph["nodes"]:
        read = [name for name in node["args"].replace("(", "").replace(")", "").split(", ") if name in nodes]
        assert node["inputs"] == list(dict.fromkeys(read))
    assert {(node["op"], node["module"]) for node in graph["nodes"]} == {
        ("placeholder", ""),  # x
        ("placeholder", "gate"),  # its weight and bias
        ("call_function", ""),
        ("call_function", "gate"),
        ("call_method", ""),
        ("output", ""),
    }


def test_the_lines_evaluated_for_a_graph(full: Any) -> None:
    """Those that add no node are among them, those behind the break are not."""
    [net, _] = full["entries"]
    graph = next(graph for frame in net["frames"] for graph in frame["graphs"])
    lines = PROGRAM.split("\n")
    [evaluated] = graph["evaluated"].values()
    first, last = lines.index("        for scale in (1, 2):") + 1, lines.index("        if self.gate(x).sum() > 0:") + 1
    assert evaluated == f"{first}-{last}"
    [nodes] = graph["lines"].values()
    assert nodes == f"{first + 1}-{last}"


def test_long_code_is_cut_at_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    graphs = pytest.importorskip("runtime_probe.dynamo.graphs")
    monkeypatch.setattr(graphs, "MOST_CODE", 11)
    assert graphs._bounded("a = 1\nb = 2") == "a = 1\nb = 2"
    assert graphs._bounded("a = 1\nb = 2\nc = 3") == "a = 1\n    # … and 2 more lines"


def test_positions_lie_in_the_text(full: Any) -> None:
    """1-based, columns in characters, ends exclusive."""
    lines = PROGRAM.split("\n")
    spans = [span for entry in full["entries"] for spans in entry["evaluated"].values() for span in spans]
    breaks = [b for entry in full["entries"] for frame in entry["frames"] for b in frame["breaks"]]
    spans += [[b["line"], b["column"], b["end_line"], b["end_column"]] for b in breaks]
    assert breaks
    for line, column, end_line, end_column in spans:
        assert 1 <= line <= end_line <= len(lines)
        assert 1 <= column <= len(lines[line - 1])
        assert 1 < end_column <= len(lines[end_line - 1]) + 1
        assert (line, column) < (end_line, end_column)


@pytest.mark.parametrize(
    ("value", "declared", "what"),
    [
        ({"path": "a", "line": 1}, report.StackEntry, ": ['line', 'path'], declared ['function', 'line', 'path']"),
        ({"path": "a", "line": "1"}, report.Location, "line: '1' is no int"),
        ({"a": [[1, 2, 3]]}, dict[str, list[report.Span]], ".*: [1, 2, 3] does not have 4 parts"),
        ("perhaps", report.Support, ": 'perhaps' is none of ('full', 'lines', 'best effort')"),
        (True, int, ": True is no int"),
        (None, str, ": None is no str"),
    ],
)
def test_deviations_are_noticed(value: Any, declared: Any, what: str) -> None:
    assert list(deviations(value, declared, "", set())) == [what]
