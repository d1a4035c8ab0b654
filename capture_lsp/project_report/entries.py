"""The probed entries as the page's data, with bounds: what is left out of a large one is said."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from capture_lsp.catalogue import graph_break_url
from capture_lsp.formats.probe.figures import figures
from capture_lsp.formats.probe.words import (
    MATRIX,
    breaks_of,
    frontend_name,
    function_name,
    on_a_value,
    outcome_words,
    with_other_inputs,
)
from capture_lsp.formats.style import counted
from capture_lsp.probe.frames import first_frames, later_frames, operations
from capture_lsp.project_report import costs, data
from capture_lsp.project_report.functions import ProbedFiles, functions
from capture_lsp.project_report.sources import Sources

if TYPE_CHECKING:
    from runtime_probe.report import Break, Entry, Frame, Graph, Guard, Node, Path, Verdict

#: Of one entry, the page shows so many nodes, guards, recompilations and paths in full.
MOST_NODES, MOST_GUARDS, MOST_RECOMPILES, MOST_PATHS = 500, 200, 100, 64
_LONGEST = 2_000

CAPTURED_WORDS: dict[data.Captured, str] = {
    "whole": "captured whole",
    "parts": "captured in parts",
    "nothing": "not captured",
    "unknown": "not probed to the end",
}


class Entries:
    """Makes them; names that occur twice get a number."""

    def __init__(self, sources: Sources) -> None:
        self._sources = sources
        self._files = ProbedFiles(sources)
        self._names: Counter[str] = Counter()

    def of(self, entry: Entry, torch: str) -> data.Entry:
        """`torch`: the one that probed it."""
        sources = self._sources
        path, _, named = entry["target"].partition("::")
        name = f"{sources.name(path)}::{named or entry['entry']}"
        self._names[name] += 1
        captured = captured_of(entry)
        first = first_frames(entry)
        frames = [*first, *later_frames(entry)]
        graphs, omitted = self._graphs(first, frames)
        guards, guard_kinds = self._guards(first, frames)
        if guard_kinds:
            omitted.append(f"{counted(sum(one['count'] for one in guard_kinds), 'guard')} more, by kind")
        recompiles = entry["recompiles"][:MOST_RECOMPILES]
        if len(entry["recompiles"]) > len(recompiles):
            omitted.append(f"{len(entry['recompiles']) - len(recompiles)} further recompilations")
        paths = entry["paths"][:MOST_PATHS]
        if len(entry["paths"]) > len(paths):
            omitted.append(f"{len(entry['paths']) - len(paths)} further paths")
        if len(entry["kernels"] or ()) > costs.MOST_SOURCES:
            omitted.append(f"the source of all kernels but the first {costs.MOST_SOURCES}")
        return {
            "id": name if self._names[name] == 1 else f"{name}#{self._names[name]}",
            "name": name,
            "target": sources.name(path) + (f"::{named}" if named else ""),
            "at": self._at(entry),
            "captured": captured,
            "captured_words": CAPTURED_WORDS[captured],
            "figures": figures(entry),
            "message": sources.steady(entry["message"]),
            "inputs": [sources.steady(one) for one in entry["inputs"]],
            "synthesised": entry["synthesised"],
            "torch": torch,
            "functions": functions(entry, self._files, sources),
            "graphs": graphs,
            "breaks": [self._break(one) for one in breaks_of(entry)],
            "eager": self._eager(frames),
            "guards": guards,
            "guard_kinds": guard_kinds,
            "recompiles": [
                {
                    "at": sources.place_or_none(one["path"], one["line"]),
                    "function": function_name(one["function"]),
                    "call": one["call"] + 1,
                    "guard": self._text(one["guard"]),
                    "dimension": one["dimension"] or "",
                    "limit_reached": one["limit_reached"],
                }
                for one in recompiles
            ],
            "symbols": [
                {
                    "name": one["name"],
                    "source": one["source"],
                    "range": one["range"],
                    "at": sources.place_or_none(one["path"], one["line"]),
                }
                for one in entry["symbols"]
            ],
            "matrix": [self._frontend(n, entry["matrix"][n]) for n in MATRIX if n in entry["matrix"]],
            "paths": [self._path(one) for one in paths],
            "timing": costs.timing(entry, sources),
            "fused": costs.fused(entry),
            "kernels": costs.kernels(entry, sources),
            "cudagraphs": costs.cudagraphs(entry, sources),
            "kernel_errors": costs.kernel_errors(entry, sources),
            "omitted": omitted,
        }

    def _at(self, entry: Entry) -> data.Place | None:
        for frame in entry["frames"]:
            file = self._files.file(frame["path"])
            if file is not None:
                function = file.definition(frame["line"])
                return self._sources.place(file.path, function.line if function is not None else frame["line"])
        return None

    def _graphs(self, first: Sequence[Frame], frames: Sequence[Frame]) -> tuple[list[data.Graph], list[str]]:
        """In the order of their numbers; whole as long as they fit."""
        found: list[data.Graph] = []
        left, cut, new = MOST_NODES, 0, {id(frame) for frame in first}
        pairs = [(graph, frame) for frame in frames for graph in frame["graphs"]]
        for graph, frame in sorted(pairs, key=lambda pair: pair[0]["id"]):
            fits = len(graph["nodes"]) <= left
            left -= len(graph["nodes"]) if fits else 0
            cut += 0 if fits else 1
            found.append(self._graph(graph, frame, fits, id(frame) not in new))
        return found, [f"the nodes of {counted(cut, 'graph')}: what they call is counted instead"] if cut else []

    def _graph(self, graph: Graph, frame: Frame, whole: bool, again: bool) -> data.Graph:
        called = Counter(n["target"] for n in graph["nodes"] if n["op"] not in ("placeholder", "output", "get_attr"))
        return {
            "id": graph["id"],
            "again": again,
            "function": function_name(frame["function"]),
            "lines": costs.lines(graph["lines"], self._sources),
            "ops": operations(graph),
            "size": len(graph["nodes"]),
            "nodes": [self._node(node) for node in graph["nodes"]] if whole else [],
            "targets": [] if whole else _most(called),
        }

    def _node(self, node: Node) -> data.Node:
        own = self._sources.checked(node["path"])
        return {
            "op": node["op"],
            "name": node["name"],
            "target": self._text(node["target"]),
            "args": self._text(node["args"]),
            "inputs": list(node["inputs"]),
            "module": node["module"],
            "shape": node["shape"],
            "dtype": node["dtype"],
            "path": self._sources.name(own) if own is not None else None,
            "line": node["line"] if own is not None else None,
        }

    def _guards(self, first: Sequence[Frame], frames: Sequence[Frame]) -> tuple[list[data.Guard], list[data.Count]]:
        """Those of the first compilations, on the program's own values before others; the rest by kind. Later
        compilations mostly repeat them."""
        unique: dict[tuple[object, ...], Guard] = {}
        for frame in first:
            for one in frame["guards"]:
                unique.setdefault((one["kind"], one["source"], one["expression"], one["path"], one["line"]), one)
        ordered = sorted(unique.values(), key=lambda guard: not on_a_value(guard))
        rest = Counter(guard["kind"] for guard in ordered[MOST_GUARDS:])
        return [self._guard(guard) for guard in ordered[:MOST_GUARDS]], _most(rest)

    def _guard(self, guard: Guard) -> data.Guard:
        return {
            "kind": guard["kind"],
            "source": guard["source"],
            "expression": self._text(guard["expression"]),
            "at": self._sources.place_or_none(self._sources.checked(guard["path"]), guard["line"]),
            "on_a_value": on_a_value(guard),
        }

    def _break(self, one: Break) -> data.Break:
        own = self._sources.checked(one["path"])
        if own is not None:
            self._sources.show(own, one["line"], one["line"])
        return {
            "at": self._sources.place_or_none(one["path"], one["line"]),
            "reason": self._text(one["reason"]),
            "graph_break": {"id": one["graph_break"], "url": graph_break_url(one["graph_break"])}
            if one["graph_break"]
            else None,
            "function": function_name(one["stack"][-1]["function"]) if one["stack"] else "",
        }

    def _eager(self, frames: Sequence[Frame]) -> list[data.Remark]:
        """The functions that run eagerly, each once."""
        found: dict[str, data.Remark] = {}
        for frame in frames:
            if frame["skipped"]:
                reason = self._text(frame["skip_reason"] or "no reason given")
                text = f"{function_name(frame['function'])} runs eagerly: {reason}"
                found.setdefault(text, {"at": self._sources.place_or_none(frame["path"], frame["line"]), "text": text})
        return list(found.values())

    def _frontend(self, name: str, verdict: Verdict) -> data.FrontendResult:
        wrong = verdict["counterexample"]
        return {
            "frontend": name,
            "name": frontend_name(name),
            "outcome": verdict["outcome"],
            "words": outcome_words(verdict["outcome"]),
            "message": self._text(verdict["message"]),
            "others": with_other_inputs(verdict),
            "at": self._sources.place_or_none(verdict["path"], verdict["line"]),
            "counterexample": None
            if wrong is None
            else {
                "inputs": self._text(wrong["inputs"]),
                "eager": self._text(wrong["eager"]),
                "got": self._text(wrong["got"]),
                "difference": self._text(wrong["difference"]),
            },
            "perturbed": [
                {
                    "change": one["change"],
                    "outcome": one["outcome"],
                    "words": outcome_words(one["outcome"]),
                    "message": self._text(one["message"]),
                }
                for one in verdict["perturbed"]
            ],
        }

    def _path(self, one: Path) -> data.Explored:
        return {
            "decisions": [
                {"text": decision["value"], "at": self._sources.place(decision["path"], decision["line"])}
                for decision in one["decisions"]
            ],
            "status": one["status"],
            "breaks": [self._break(found) for found in one["breaks"]],
            "graphs": one["graphs"],
        }

    def _text(self, text: str) -> str:
        steady = self._sources.steady(text)
        return steady if len(steady) <= _LONGEST else steady[:_LONGEST] + "…"


def captured_of(entry: Entry) -> data.Captured:
    """How much of an entry torch.compile captured in the given calls."""
    frames = entry["frames"]
    if entry["status"] != "ok":
        return "unknown"
    if not any(frame["graphs"] for frame in frames):
        return "nothing"
    return "parts" if any(frame["breaks"] or frame["skipped"] for frame in frames) else "whole"


def _most(counts: Counter[str]) -> list[data.Count]:
    """The most frequent first; equal ones by name."""
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return [{"name": name, "count": number} for name, number in ordered]
