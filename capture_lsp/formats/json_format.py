"""The JSON contract: positions 1-based, columns in characters, ends exclusive, paths with `/`."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from analyzer.finding import Edit, Finding, Fix, Place
from analyzer.outcome import BAD
from capture_lsp.catalogue import url
from capture_lsp.notebook import Cell, locate
from capture_lsp.paths import display
from capture_lsp.results import FileResult, RunResult
from capture_lsp.torch_versions import text as version_text

VERSION = 1


def render(result: RunResult, cwd: str, counted: list[tuple[tuple[str, str], int]] | None = None) -> str:
    """The report as one JSON object; `counted`: its statistics, if wanted."""
    writer = finding_writer(cwd, result.files)
    document: dict[str, Any] = {
        "version": VERSION,
        "torch": version_text(result.torch),
        "findings": [writer.finding(f) for file in result.files for f in file.findings],
        "errors": [
            {"path": display(e.path, cwd), "line": e.line, "kind": e.kind, "message": e.message}
            for e in result.all_errors()
        ],
    }
    if counted is not None:
        document["statistics"] = [{"code": code, "name": name, "count": number} for (code, name), number in counted]
    if result.known is not None:
        gone = [
            {
                "code": g.code,
                "path": display(result.known.gone_path(g), cwd),
                "function": g.function,
                "expression": g.expression,
            }
            for g in result.known.gone
        ]
        document["known"] = {"source": result.known.source, "count": len(result.known.findings), "gone": gone}
    return _lines(document)


def _lines(document: dict[str, Any]) -> str:
    """One member a line, one finding a line: legible, and the indenting encoder would take ten times as long."""
    rows = []
    for name, value in document.items():
        if isinstance(value, list) and value:
            text = "[\n  " + ",\n  ".join(json.dumps(item) for item in value) + "\n ]"
        else:
            text = json.dumps(value)
        rows.append(f" {json.dumps(name)}: {text}")
    return "{\n" + ",\n".join(rows) + "\n}\n"


def finding_writer(cwd: str, files: Iterable[FileResult]) -> FindingWriter:
    """Writes the findings of files."""
    return FindingWriter(cwd, {f.path: f.cells for f in files if f.cells})


class FindingWriter:
    """Findings as JSON objects."""

    def __init__(self, cwd: str, cells: dict[str, tuple[Cell, ...]]) -> None:
        self._cwd = cwd
        self._cells = cells

    def finding(self, f: Finding) -> dict[str, Any]:
        status = {**{name: "predicted" for name, outcome in f.outcomes.items() if outcome in BAD}, **f.status}
        return {
            "code": f.code,
            "name": f.name,
            "severity": f.severity,
            **self._range(f.path, f.line, f.column, f.end_line, f.end_column),
            "message": f.message,
            "function": f.function,
            "roots": [self.root(r) for r in f.roots],
            "count": f.count,
            "provenance": [self._place(p) for p in f.provenance],
            "related": [self._place(p) for p in f.related],
            "outcomes": f.outcomes,
            "status": status,
            "stale": f.stale,
            "graph_breaks": list(f.graph_breaks),
            "url": url(f.code),
            "fixes": [self._fix(x) for x in f.fixes],
            **({} if f.cost is None else {"cost": {"gain": f.cost.gain, "low": f.cost.low, "high": f.cost.high}}),
        }

    def root(self, root: str) -> str:
        path, separator, name = root.partition("::")
        return f"{display(path, self._cwd)}{separator}{name}"

    def _range(self, path: str, line: int, column: int, end_line: int, end_column: int) -> dict[str, Any]:
        found: dict[str, Any] = {"path": display(path, self._cwd)}
        if path in self._cells:
            found["cell"], line = locate(self._cells[path], line)
            last, end_line = locate(self._cells[path], end_line)
            if last != found["cell"]:  # up to the end of its cell
                end_line, end_column = line, column
        return {**found, "line": line, "column": column, "end_line": end_line, "end_column": end_column}

    def _place(self, p: Place) -> dict[str, Any]:
        ranged = self._range(p.path, p.line, p.column, p.line, p.column)
        del ranged["end_line"], ranged["end_column"]
        return {**ranged, "text": p.text}

    def _fix(self, x: Fix) -> dict[str, Any]:
        return {"title": x.title, "safety": x.safety, "edits": [self._edit(e) for e in x.edits]}

    def _edit(self, e: Edit) -> dict[str, Any]:
        return {**self._range(e.path, e.line, e.column, e.end_line, e.end_column), "text": e.text}
