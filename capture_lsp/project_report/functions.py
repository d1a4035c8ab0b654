"""The functions that a probe entered, with their islands, as the page's data."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from capture_lsp.formats.probe.words import breaks_of, short
from capture_lsp.probe.findings import names_of
from capture_lsp.probe.functions import Function, functions_of, innermost
from capture_lsp.probe.islands import islands
from capture_lsp.project_report import data
from capture_lsp.project_report.sources import Sources

if TYPE_CHECKING:
    from runtime_probe.report import Entry

#: Longer functions are shown by their islands' lines alone.
_MOST_LINES = 400


class ProbedFile:
    """A checked file as it was probed a moment ago: nothing has moved."""

    def __init__(self, path: str, sources: Sources) -> None:
        self.path = path
        self._sources = sources

    @cached_property
    def functions(self) -> list[Function]:
        return functions_of(self._sources.text(self.path)) or []

    def now(self, line: int) -> int | None:
        return line if 1 <= line <= len(self._sources.lines(self.path)) else None

    def now_at(self, line: int, column: int) -> tuple[int, int] | None:
        return (line, column) if self.now(line) is not None else None

    def source(self, line: int) -> str:
        return self._sources.lines(self.path)[line - 1].strip()

    def text(self, line: int, column: int, end_line: int, end_column: int) -> str:
        rows = self._sources.lines(self.path)[line - 1 : end_line]
        rows[-1] = rows[-1][: end_column - 1]
        rows[0] = rows[0][column - 1 :]
        return "\n".join(rows)

    def definition(self, line: int) -> Function | None:
        found = innermost(self.functions, line)
        return found if found is not None and found.begins_at(line) else None


class ProbedFiles:
    """The checked files among those of a probe."""

    def __init__(self, sources: Sources) -> None:
        self._sources = sources
        self._files: dict[str, ProbedFile] = {}

    def file(self, path: str | None) -> ProbedFile | None:
        own = self._sources.checked(path)
        return self._files.setdefault(own, ProbedFile(own, self._sources)) if own is not None else None


def functions(entry: Entry, files: ProbedFiles, sources: Sources) -> list[data.Function]:
    """Those that hold an island: the one that was captured first, then by place."""
    found: dict[tuple[str, int], data.Function] = {}
    for one in islands(entry, files):
        path, function = one.file.path, one.function
        key = (path, function.line)
        if key not in found:
            found[key] = {
                "name": function.name,
                "path": sources.name(path),
                "first": function.first,
                "last": function.last,
                "islands": [],
                "breaks": [],
            }
            sources.show(path, function.first, min(function.last, function.first + _MOST_LINES))
        ranges = [[first, last] for first, last in one.extents]
        found[key]["islands"].append({"kind": one.kind, "graph": one.graph, "label": one.label, "ranges": ranges})
    for broken in breaks_of(entry):
        path = sources.checked(broken["path"]) or ""
        around = [key for key, one in found.items() if key[0] == path and one["first"] <= broken["line"] <= one["last"]]
        if around:
            step: data.Step = {"text": short(broken["reason"]), "at": sources.place(path, broken["line"])}
            found[max(around, key=lambda key: key[1])]["breaks"].append(step)
    first = _first(entry, found, files)
    return [found[key] for key in sorted(found, key=lambda key: (key != first, sources.name(key[0]), key[1]))]


def _first(entry: Entry, found: Mapping[tuple[str, int], data.Function], files: ProbedFiles) -> tuple[str, int] | None:
    """The function that was captured: the one of the entry's name, else the first that was compiled."""
    names = names_of(entry["entry"])
    named = (key for key, one in found.items() if one["name"] in names)
    return next(named, None) or next(iter(_defined(entry, files)), None)


def _defined(entry: Entry, files: ProbedFiles) -> Iterable[tuple[str, int]]:
    for frame in entry["frames"]:
        file = files.file(frame["path"])
        function = file.definition(frame["line"]) if file is not None else None
        if file is not None and function is not None:
            yield file.path, function.line
