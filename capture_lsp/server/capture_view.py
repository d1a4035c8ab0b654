"""`capture-lsp.captureView`: everything that the newest probes saw of the functions of a file, as data for a client's
own view. Places are those of the texts as they are now; of what is gone there is none."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from capture_lsp.formats.probe.figures import figures
from capture_lsp.formats.probe.words import MATRIX, function_name, on_a_value
from capture_lsp.probe.frames import first_frames, later_frames, operations
from capture_lsp.probe.functions import functions_of, innermost
from capture_lsp.probe.islands import Island, islands
from capture_lsp.reading import is_notebook
from capture_lsp.server import view_types as view
from capture_lsp.server.language_server import CaptureServer
from capture_lsp.server.probed_places import File, Places
from capture_lsp.server.probing import Probing
from capture_lsp.server.verdicts import Probed
from capture_lsp.server.view_costs import lines_now, measured

if TYPE_CHECKING:
    from runtime_probe.report import Break, Frame, Graph, Path, Recompile, Symbol, Verdict

COMMAND = "capture-lsp.captureView"


def register(server: CaptureServer, probing: Probing) -> None:
    """Add the command."""

    @server.command(COMMAND)
    def capture_view(ls: CaptureServer, *arguments: Any) -> view.CaptureView:
        """[uri]: what was probed of a file; `entries` is empty where nothing was."""
        return of_file(probing, str(arguments[0]) if arguments else "")


def of_file(probing: Probing, uri: str) -> view.CaptureView:
    """The view of a file, open or not."""
    chosen = probed_in(probing, uri)
    newest = max(chosen.values(), key=lambda probed: probed.when, default=None)
    entries = [_entry(probing, uri, name, probed) for name, probed in chosen.items()]
    _share_islands(entries, uri)
    return {
        "version": view.VERSION,
        "uri": uri,
        "torch": newest.torch if newest is not None else "",
        "device": newest.device if newest is not None else "",
        "entries": entries,
    }


def _share_islands(entries: Sequence[view.Entry], uri: str) -> None:
    """Where several probes ran a function, its islands are those of its own entry, else of the newest: no line is
    in two."""
    owners: dict[tuple[str, str], view.Entry] = {}
    for entry in sorted(entries, key=lambda entry: entry["probed"], reverse=True):
        for island in entry["islands"]:
            key = island["uri"], island["function"]
            if key not in owners or key == (uri, entry["name"]):
                owners[key] = entry
    for entry in entries:
        entry["islands"] = [i for i in entry["islands"] if owners[i["uri"], i["function"]] is entry]


def probed_in(probing: Probing, uri: str) -> dict[str, Probed]:
    """The newest probe of each function of a file: of its roots, as their lenses have it, and of what else was probed
    by name. Those that a probe was about come before those that it only ran."""
    found = {}
    for label in _labels(probing, uri):
        if (probed := probing.verdicts.of(label, probing.plain)) is not None:
            found[label] = probed
    ordered = sorted(found.items(), key=lambda item: not item[1].about(item[0]))
    return {label.partition("::")[2]: probed for label, probed in ordered}


def has_entries(probing: Probing, uri: str) -> bool:
    """Whether a function of a file was probed."""
    return any(p.about(label) or p.ran(label) for label in _labels(probing, uri) for p in probing.verdicts.probed)


def _labels(probing: Probing, uri: str) -> list[str]:
    """What may have been probed of a file."""
    path = probing.session.path_of(uri)
    if is_notebook(path) or not probing.verdicts:
        return []
    analysed = probing.session.current(uri)
    labels = [root.label for root in analysed.result.roots] if analysed is not None else []
    labels += [label for probed in reversed(probing.verdicts.probed) if (label := _label(probed, path)) is not None]
    return [label for label in dict.fromkeys(labels) if label.partition("::")[0] == path]


def _label(probed: Probed, path: str) -> str | None:
    """The function of a file that a probe was started for, or that it compiled first."""
    if probed.evidence.label is not None:
        return probed.evidence.label
    first = next(iter(probed.evidence.entry["frames"]), None)
    text = probed.text_then(path)
    if first is None or text is None or os.path.realpath(first["path"]) != os.path.realpath(path):
        return None
    function = innermost(functions_of(text) or [], first["line"])
    return f"{path}::{function.name}" if function is not None else None


def _entry(probing: Probing, uri: str, name: str, probed: Probed) -> view.Entry:
    entry, places = probed.evidence.entry, Places(probing.session, probed)
    lines = [_island(one) for one in islands(entry, places)]
    shown = {island["graph"] for island in lines}
    later = [f for f in later_frames(entry) if any(graph["id"] in shown for graph in f["graphs"])]
    return {
        "name": name,
        "at": _definition(probing, uri, name),
        "status": entry["status"],
        "message": entry["message"],
        "stale": not probed.fresh(probing.plain),
        "probed": int(probed.when),
        "figures": figures(entry),
        "inputs": list(entry["inputs"]),
        "frames": [_frame(frame, places) for frame in (*first_frames(entry), *later)],
        "recompiles": [_recompile(one, places) for one in entry["recompiles"]],
        "symbols": [_symbol(one, places) for one in entry["symbols"]],
        "matrix": [_frontend(n, entry["matrix"][n], places) for n in MATRIX if n in entry["matrix"]],
        "paths": [_path(one, places) for one in entry["paths"]],
        **measured(entry, places),
        "islands": lines,
    }


def _island(one: Island[File]) -> view.Island:
    return {
        "kind": one.kind,
        "graph": one.graph,
        "function": one.function.name,
        "label": one.label,
        "uri": one.file.uri,
        "ranges": [one.file.lines(first, last) for first, last in one.extents],
    }


def _definition(probing: Probing, uri: str, name: str) -> view.Place | None:
    path = probing.session.path_of(uri)
    text = probing.session.text_of(path)
    file = File(path, uri, text, None) if text is not None else None
    same = [function for function in file.functions if function.name == name] if file is not None else []
    return file.place(same[-1].line) if file is not None and same else None


def _frame(frame: Frame, places: Places) -> view.Frame:
    guards = sorted(frame["guards"], key=lambda guard: not on_a_value(guard))
    unique = {(g["kind"], g["source"], g["expression"], g["path"], g["line"]): g for g in guards}
    return {
        "function": function_name(frame["function"]),
        "at": places.definition(frame["path"], frame["line"]),
        "skipped": frame["skipped"],
        "skip_reason": frame["skip_reason"] or "",
        "breaks": _breaks(frame["breaks"], places),
        "graphs": [_graph(graph, places) for graph in frame["graphs"]],
        "guards": [
            {
                "kind": guard["kind"],
                "source": guard["source"],
                "expression": guard["expression"],
                "at": places.line(guard["path"], guard["line"]),
            }
            for guard in unique.values()
        ],
    }


def _breaks(breaks: Sequence[Break], places: Places) -> list[view.Break]:
    return [
        {
            "at": places.span(one["path"], one["line"], one["column"], one["end_line"], one["end_column"]),
            "reason": one["reason"],
            "graph_break": one["graph_break"] or "",
            "resume": function_name(one["resume"]) if one["resume"] else "",
        }
        for one in breaks
    ]


def _graph(graph: Graph, places: Places) -> view.Graph:
    return {
        "id": graph["id"],
        "lines": lines_now(graph["lines"], places),
        "ops": operations(graph),
        "code": graph["code"],
        "nodes": [
            {
                "op": node["op"],
                "name": node["name"],
                "target": node["target"],
                "args": node["args"],
                "inputs": list(node.get("inputs", ())),
                "module": node.get("module", ""),
                "shape": node["shape"],
                "dtype": node["dtype"],
                "at": places.line(node["path"], node["line"]),
            }
            for node in graph["nodes"]
        ],
    }


def _recompile(one: Recompile, places: Places) -> view.Recompile:
    return {
        "at": places.line(one["path"], one["line"]),
        "function": function_name(one["function"]),
        "call": one["call"],
        "guard": one["guard"],
        "dimension": one["dimension"] or "",
        "limit_reached": one["limit_reached"],
    }


def _symbol(one: Symbol, places: Places) -> view.Symbol:
    at = places.line(one["path"], one["line"])
    return {"name": one["name"], "source": one["source"], "range": one["range"], "at": at}


def _frontend(name: str, verdict: Verdict, places: Places) -> view.FrontendResult:
    wrong = verdict["counterexample"]
    return {
        "frontend": name,
        "outcome": verdict["outcome"],
        "message": verdict["message"],
        "at": places.line(verdict["path"], verdict["line"]),
        "counterexample": None
        if wrong is None
        else {
            "inputs": wrong["inputs"],
            "eager": wrong["eager"],
            "got": wrong["got"],
            "difference": wrong["difference"],
        },
        "perturbed": [
            {"change": one["change"], "outcome": one["outcome"], "message": one["message"]}
            for one in verdict["perturbed"]
        ],
    }


def _path(one: Path, places: Places) -> view.ExploredPath:
    return {
        "decisions": [
            {"at": places.line(decision["path"], decision["line"]), "value": decision["value"]}
            for decision in one["decisions"]
        ],
        "status": one["status"],
        "breaks": _breaks(one["breaks"], places),
        "graphs": one["graphs"],
    }
