"""What a probe saw, as Markdown: of a captured function, and of one line."""

from __future__ import annotations

import os
import time
from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING

from analyzer.finding import Finding
from capture_lsp.catalogue import graph_break_url
from capture_lsp.formats.probe.figures import figures
from capture_lsp.formats.probe.words import (
    MATRIX,
    breaks_of,
    frontend_name,
    on_a_value,
    outcome_words,
    short,
    with_other_inputs,
)
from capture_lsp.probe.frames import first_frames, operations
from capture_lsp.server import markdown, shown_cost
from capture_lsp.server.verdicts import Probed

if TYPE_CHECKING:
    from runtime_probe.report import Graph, Node

_MOST_NODES = 24
_MOST_GUARDS = 12


def of_function(name: str, probed: Probed, fresh: bool, refuted: Iterable[Finding]) -> str:
    """A captured function after its probe."""
    entry = probed.evidence.entry
    ago = max(0, int(time.time() - probed.when))
    when = f"{ago} s" if ago < 120 else f"{ago // 60} min"
    head = f"**{markdown.plain(name)}** · probed {when} ago, torch {probed.torch}, {probed.device}"
    parts = [head if fresh else f"{head} · stale: what it ran has changed since", figures(entry)]
    if entry["inputs"]:
        made_up = " (made up by the probe)" if entry["synthesised"] else ""
        parts.append(f"inputs {markdown.code(entry['inputs'][0])}{made_up}")
    graphs = [graph for frame in first_frames(entry) for graph in frame["graphs"]]
    if graphs:
        parts.append("\n".join(markdown.table(("graph", "lines", "ops"), [_graph_row(g) for g in graphs])))
    parts += shown_cost.in_short(entry)
    breaks = breaks_of(entry)
    if breaks:
        parts.append("\n".join(["Breaks:", *(f"- {_break(b['line'], b['reason'], b['graph_break'])}" for b in breaks)]))
    rows = {
        (g["source"], g["expression"]): [
            markdown.code(g["source"]),
            markdown.code(g["expression"]),
            str(g["line"] or ""),
        ]
        for frame in first_frames(entry)
        for g in frame["guards"]
        if on_a_value(g)
    }
    if rows:
        shown = list(rows.values())[:_MOST_GUARDS]
        parts.append(
            "\n".join(markdown.table(("guard on", "holds while", "line"), shown)) + _more(len(rows), len(shown))
        )
    matrix = [
        [
            frontend_name(n),
            outcome_words(entry["matrix"][n]["outcome"]),
            markdown.plain(_cut(with_other_inputs(entry["matrix"][n]))),
            markdown.plain(short(entry["matrix"][n]["message"])),
        ]
        for n in MATRIX
        if n in entry["matrix"]
    ]
    if matrix:
        parts.append("\n".join(markdown.table(("frontend", "these calls", "with other inputs", ""), matrix)))
    parts += [_nodes(graph) for graph in graphs]
    if gone := list(refuted):
        parts.append(of_refuted(gone, probed))
    return "\n\n".join(parts)


def of_refuted(findings: Iterable[Finding], probed: Probed) -> str:
    """What was predicted and did not happen."""
    return "\n".join(f"- {f.code} at {f.line}: captured here, torch {probed.torch}" for f in findings)


def of_lines(probed: Probed, path: str, lines: Collection[int]) -> str:
    """The nodes and the guards that the lines of a statement made, as they were; empty if there are none."""
    entry = probed.evidence.entry
    real = os.path.realpath(path)

    def same(other: str | None, line: int | None) -> bool:
        return line in lines and other is not None and os.path.realpath(other) == real

    parts = []
    for frame in first_frames(entry):
        for graph in frame["graphs"]:
            nodes = [n for n in graph["nodes"] if same(n["path"], n["line"])]
            if nodes:
                rows = [_node_row(node) for node in nodes]
                parts.append(f"graph {graph['id']}\n\n" + "\n".join(markdown.table(_NODE_HEAD, rows)))
        guards = {
            (g["source"], g["expression"]): [markdown.code(g["source"]), markdown.code(g["expression"])]
            for g in frame["guards"]
            if on_a_value(g) and same(g["path"], g["line"])
        }
        if guards:
            parts.append("\n".join(markdown.table(("guard on", "holds while"), list(guards.values()))))
    return "\n\n".join(parts)


_NODE_HEAD = ("op", "name", "target", "dtype", "shape")


def _graph_row(graph: Graph) -> list[str]:
    return [str(graph["id"]), ", ".join(graph["lines"].values()).replace(",", ", "), str(operations(graph))]


def _node_row(node: Node) -> list[str]:
    shape = "" if node["shape"] is None else f"[{', '.join(node['shape'])}]"
    dtype = (node["dtype"] or "").replace("torch.", "")
    return [node["op"], markdown.code(node["name"]), markdown.code(node["target"]), dtype, markdown.plain(shape)]


def _nodes(graph: Graph) -> str:
    rows = [[*_node_row(node), str(node["line"] or "")] for node in graph["nodes"][:_MOST_NODES]]
    table = "\n".join(markdown.table((*_NODE_HEAD, "line"), rows))
    return f"graph {graph['id']}\n\n{table}{_more(len(graph['nodes']), len(rows))}"


def _more(all_: int, shown: int) -> str:
    return f"\n\n… and {all_ - shown} more (Show report has all)" if all_ > shown else ""


def _cut(text: str, most: int = 110) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


def _break(line: int, reason: str, identifier: str | None) -> str:
    linked = f" ({markdown.link(identifier, graph_break_url(identifier))})" if identifier else ""
    return f"{line} {markdown.plain(short(reason))}{linked}"
