"""What is too large for the page is counted, and it is said."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from capture_lsp.probe import entries as made
from capture_lsp.probe.targets import Target
from capture_lsp.project_report.entries import MOST_GUARDS, MOST_NODES, Entries
from capture_lsp.project_report.sources import Sources

if TYPE_CHECKING:
    from runtime_probe.report import Entry, Frame, Graph, Guard


def large(path: str, sizes: list[int], guards: int) -> Entry:
    """An entry with graphs of these sizes."""
    entry = made.failed(Target(f"{path}::fn", path, "fn"), "")
    entry["status"] = "ok"
    entry["frames"] = [frame(path, number, size, guards) for number, size in enumerate(sizes)]
    return entry


def frame(path: str, number: int, size: int, guards: int) -> Frame:
    graph: Graph = {"id": number, "lines": {path: "2"}, "evaluated": {}, "code": "", "nodes": []}
    for position in range(size):
        graph["nodes"].append(
            {
                "op": "call_function",
                "name": f"n{position}",
                "target": "torch.sin" if position % 3 else "torch.cos",
                "args": "",
                "inputs": [],
                "module": "",
                "shape": None,
                "dtype": None,
                "path": path,
                "line": 2,
            }
        )
    conditions: list[Guard] = [
        {
            "kind": "TYPE_MATCH",
            "source": f"L['a{position}']",
            "expression": f"___check_type_id(a{position}, {94_000_000_000_000 + position})",
            "path": path,
            "line": 2,
        }
        for position in range(guards)
    ]
    return {
        "function": "fn",
        "path": path,
        "line": 1,
        "compile_id": f"{number}/0",
        "skipped": False,
        "skip_reason": None,
        "breaks": [],
        "graphs": [graph],
        "guards": conditions,
        "bytecode": None,
    }


def test_graphs_that_do_not_fit_say_what_they_call(tmp_path: Path) -> None:
    path = str(tmp_path / "a.py")
    Path(path).write_text("def fn(x):\n    return x.sin()\n", encoding="utf-8")
    entry = Entries(Sources([path], str(tmp_path))).of(large(path, [MOST_NODES - 10, 30, 10], 3), "2.13")
    sizes = [(graph["size"], len(graph["nodes"])) for graph in entry["graphs"]]
    assert sizes == [(MOST_NODES - 10, MOST_NODES - 10), (30, 0), (10, 10)]
    assert entry["graphs"][1]["targets"] == [{"name": "torch.sin", "count": 20}, {"name": "torch.cos", "count": 10}]
    assert any("1 graph" in text for text in entry["omitted"])


def test_guards_beyond_the_bound_are_counted_by_kind(tmp_path: Path) -> None:
    path = str(tmp_path / "a.py")
    Path(path).write_text("def fn(x):\n    return x.sin()\n", encoding="utf-8")
    entry = Entries(Sources([path], str(tmp_path))).of(large(path, [2], MOST_GUARDS + 7), "2.13")
    assert len(entry["guards"]) == MOST_GUARDS
    assert entry["guard_kinds"] == [{"name": "TYPE_MATCH", "count": 7}]
    assert any("7 guards more" in text for text in entry["omitted"])
    # The address of a type is another one in each process.
    assert entry["guards"][0]["expression"] == "___check_type_id(a0, …)"


def test_graphs_of_a_recompilation_are_told_from_the_others(tmp_path: Path) -> None:
    path = str(tmp_path / "a.py")
    Path(path).write_text("def fn(x):\n    return x.sin()\n", encoding="utf-8")
    entry = large(path, [2, 2, 2], 0)
    for one, compile_id in zip(entry["frames"], ("0/0", "1/0", "0/1")):
        one["compile_id"] = compile_id
    shown = Entries(Sources([path], str(tmp_path))).of(entry, "2.13")
    assert [graph["again"] for graph in shown["graphs"]] == [False, False, True]
    assert shown["figures"].startswith("2 graphs")


def test_names_that_occur_twice_are_numbered(tmp_path: Path) -> None:
    path = str(tmp_path / "a.py")
    Path(path).write_text("def fn(x):\n    return x.sin()\n", encoding="utf-8")
    entries = Entries(Sources([path], str(tmp_path)))
    assert [entries.of(large(path, [1], 0), "2.13")["id"] for _ in range(2)] == ["a.py::fn", "a.py::fn#2"]
