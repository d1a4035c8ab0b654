"""The graphs and the guards of a probed function as documents: tables, and the code of the graphs; what it costs."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from capture_lsp.formats.probe import cost, kernels
from capture_lsp.formats.probe.figures import figures
from capture_lsp.formats.probe.table import table
from capture_lsp.formats.probe.words import function_name, on_a_value
from capture_lsp.formats.style import Style, counted, printable
from capture_lsp.probe.frames import first_frames, operations
from capture_lsp.server.verdicts import Probed

if TYPE_CHECKING:
    from runtime_probe.report import Frame, Graph

_MOST_ROWS = 2000
_WIDEST = 100
_PLAIN = Style()


def has_graphs(probed: Probed) -> bool:
    return any(frame["graphs"] for frame in first_frames(probed.evidence.entry))


def has_guards(probed: Probed) -> bool:
    return any(frame["guards"] for frame in first_frames(probed.evidence.entry))


def graphs(name: str, probed: Probed, fresh: bool) -> str:
    """A row for each node."""
    lines = _head(name, probed, fresh)
    for frame in first_frames(probed.evidence.entry):
        for graph in frame["graphs"]:
            lines += ["", _title(frame, graph)]
            rows = [
                [
                    node["op"],
                    node["name"],
                    f"{node['target']}({node['args']})" if node["args"] else node["target"],
                    node["dtype"] or "",
                    "" if node["shape"] is None else f"[{', '.join(node['shape'])}]",
                    str(node["line"] or ""),
                ]
                for node in graph["nodes"][:_MOST_ROWS]
            ]
            lines += table(("op", "name", "target", "dtype", "shape", "line"), rows, _PLAIN, _WIDEST)
            lines += _more(len(graph["nodes"]))
    return "\n".join(lines) + "\n"


def code(name: str, probed: Probed, fresh: bool) -> str:
    """The Python code of each graph, as torch.fx makes it."""
    lines = [f"# {row}" for row in _head(name, probed, fresh)]
    for frame in first_frames(probed.evidence.entry):
        for graph in frame["graphs"]:
            lines += ["", "", f"# {_title(frame, graph)}", graph["code"]]
    return "\n".join(lines) + "\n"


def guards(name: str, probed: Probed, fresh: bool) -> str:
    """A row for each guard: those on the program's own values first."""
    lines = _head(name, probed, fresh)
    for frame in first_frames(probed.evidence.entry):
        if not frame["guards"]:
            continue
        ordered = sorted(frame["guards"], key=lambda guard: not on_a_value(guard))
        rows = [[g["source"], g["expression"], g["kind"], str(g["line"] or "")] for g in ordered]
        unique = list(dict.fromkeys(map(tuple, rows)))
        lines += ["", f"{printable(function_name(frame['function']))}: {counted(len(unique), 'guard')}"]
        lines += table(("guard on", "holds while", "kind", "line"), unique[:_MOST_ROWS], _PLAIN, _WIDEST)
        lines += _more(len(unique))
    return "\n".join(lines) + "\n"


def costs(name: str, probed: Probed, fresh: bool) -> str:
    """All that was measured, and the kernels, as the report has it."""
    lines, entry = _head(name, probed, fresh), probed.evidence.entry
    for rows in (cost.section(entry, _PLAIN), kernels.section(entry, "", _PLAIN)):
        lines += ["", *rows] if rows else []
    return "\n".join(lines) + "\n"


def _head(name: str, probed: Probed, fresh: bool) -> list[str]:
    lines = [f"{printable(name)} · {figures(probed.evidence.entry)}", f"torch {probed.torch}, {probed.device}"]
    if probed.evidence.entry["inputs"]:
        lines.append(f"inputs {printable(' '.join(probed.evidence.entry['inputs'][0].split()))}")
    return lines if fresh else [*lines, "stale: what it ran has changed since"]


def _title(frame: Frame, graph: Graph) -> str:
    where = ", ".join(f"{os.path.basename(path)}:{rows}" for path, rows in graph["lines"].items())
    name = printable(function_name(frame["function"]))
    return f"graph {graph['id']} · {name} · {printable(where)} · {counted(operations(graph), 'op')}"


def _more(count: int) -> list[str]:
    return [f"… and {count - _MOST_ROWS:,} more"] if count > _MOST_ROWS else []
