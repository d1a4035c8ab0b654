"""Which lines of the functions that a probe entered went into which graph, and which ran eagerly.

Lines are those of the texts as they are now. A line of which a node came is its graph's; one that breaks runs eagerly;
what else Dynamo evaluated on the way to a graph is part of that, though it left no node: a loop that was unrolled, a
call that was inlined. What it evaluated without making a graph runs eagerly.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from capture_lsp.formats.probe.words import is_resume, short
from capture_lsp.formats.style import counted
from capture_lsp.probe.functions import Function
from capture_lsp.server.extents import Extent, extents, inner_bodies
from capture_lsp.server.line_numbers import parsed
from capture_lsp.server.probed_places import File, Places
from capture_lsp.server.shown_probe import first_frames, later_frames, operations
from capture_lsp.server.view_types import Island

if TYPE_CHECKING:
    from runtime_probe.report import Break, Entry, Frame

_Kind = Literal["graph", "eager", "skipped"]
_Key = tuple[_Kind, int]  #: kind and the graph's id, or for a skipped frame its number
_MOST_NAMES, _LONGEST_NAME = 3, 40


@dataclass
class _Lines:
    """What the probe says of the lines of one file."""

    file: File
    nodes: dict[int, int] = field(default_factory=dict)  #: → the graph
    on_the_way: dict[int, int] = field(default_factory=dict)  #: → the graph
    breaks: dict[int, dict[str, None]] = field(default_factory=dict)  #: → what breaks there
    evaluated: set[int] = field(default_factory=set)
    functions: dict[int, Function] = field(default_factory=dict)  #: those entered, by the line of their `def`
    skipped: dict[int, tuple[int, int]] = field(default_factory=dict)  #: `def` → from which line on, the frame's number


def islands(entry: Entry, places: Places) -> list[Island]:
    """Of every function that the probe entered, in the order of the texts."""
    # Lines that only a later compilation reached are its graph's: the first ones come first.
    first = first_frames(entry)
    frames = [*first, *later_frames(entry)]
    sizes = {graph["id"]: operations(graph) for frame in frames for graph in frame["graphs"]}
    found: list[Island] = []
    for lines in _Collected(entry, frames, len(first), places).files:
        for _, function in sorted(lines.functions.items()):
            found += _of_function(lines, function, frames, sizes)
    return found


class _Collected:
    """Brings the report's lines to the files as they are now."""

    def __init__(self, entry: Entry, frames: list[Frame], first: int, places: Places) -> None:
        """`first`: how many of the frames are their function's first compilation."""
        self._places = places
        self._by_path: dict[str, _Lines] = {}
        for one in (*entry["traced"], *frames):
            self._function(one["path"], one["line"])
        for number, frame in enumerate(frames):
            for graph in frame["graphs"]:
                for lines, now in self._ranges(graph["lines"]):
                    lines.nodes.setdefault(now, graph["id"])
                for lines, now in self._ranges(graph.get("evaluated", {})):
                    lines.on_the_way.setdefault(now, graph["id"])
            for found in frame["breaks"]:
                self._break(found)
            if frame["skipped"] and number < first:
                self._skipped(frame, number)
        for path, spans in entry["evaluated"].items():
            for span in spans:
                if (at := self._at(path, span[0])) is not None:
                    at[0].evaluated.add(at[1])

    @property
    def files(self) -> list[_Lines]:
        return list(self._by_path.values())

    def _at(self, path: str, line: int) -> tuple[_Lines, int] | None:
        file = self._places.file(path)
        now = file.now(line) if file is not None else None
        if file is None or now is None:
            return None
        return self._by_path.setdefault(file.path, _Lines(file)), now

    def _ranges(self, lines: dict[str, str]) -> Iterator[tuple[_Lines, int]]:
        for path, text in lines.items():
            for line in parsed(text):
                if (at := self._at(path, line)) is not None:
                    yield at

    def _function(self, path: str, line: int) -> None:
        file = self._places.file(path)
        function = file.definition(line) if file is not None else None
        if function is not None and (at := self._at(path, line)) is not None:
            at[0].functions.setdefault(function.line, function)

    def _break(self, found: Break) -> None:
        for step in found["stack"]:  # a function that breaks is called eagerly
            if (at := self._at(step["path"], step["line"])) is not None:
                at[0].breaks.setdefault(at[1], {})
        if (at := self._at(found["path"], found["line"])) is not None:
            at[0].breaks.setdefault(at[1], {})[_name(at[0].file, found)] = None

    def _skipped(self, frame: Frame, number: int) -> None:
        at = self._at(frame["path"], frame["line"])
        if at is None:
            return
        lines, now = at
        if not is_resume(frame["function"]):
            function = lines.file.definition(frame["line"])
            if function is not None:
                lines.skipped[function.line] = (function.line, number)
            return
        around = [f for f in lines.functions.values() if f.line <= now <= f.last]
        if around:  # what goes on behind a break in this line
            lines.skipped.setdefault(max(around, key=lambda f: f.line).line, (now + 1, number))


def _of_function(lines: _Lines, function: Function, frames: list[Frame], sizes: dict[int, int]) -> Iterator[Island]:
    owners: dict[int, _Key | None] = {}
    for first, last in inner_bodies(function):
        owners.update((line, None) for line in range(first, last + 1))
    from_, number = lines.skipped.get(function.line, (0, -1))
    for extent in extents(function):
        key = _key(lines, extent)
        if number >= 0 and extent[0] >= from_ and (key is None or key[0] != "graph"):
            key = ("skipped", number)
        for line in range(extent[0], extent[1] + 1):
            if owners.get(line) is None or (key is not None and key[0] == "graph"):
                owners[line] = key
    runs: dict[tuple[_Key, int], list[Extent]] = {}
    for count, (key, first, last) in enumerate(_runs(owners)):
        runs.setdefault((key, count if key[0] == "eager" else -1), []).append((first, last))
    for (key, _), extents_ in runs.items():
        kind, which = key
        if kind == "graph":
            label = f"graph {which} · {counted(sizes[which], 'op')}"
        elif kind == "skipped":
            label = f"skipped: {short(frames[which]['skip_reason'] or 'no reason given')}"
        else:
            label = _eager(lines, extents_[0])
        yield {
            "kind": kind,
            "graph": which if kind == "graph" else None,
            "function": function.name,
            "label": label,
            "uri": lines.file.uri,
            "ranges": [lines.file.lines(first, last) for first, last in extents_],
        }


def _key(lines: _Lines, extent: Extent) -> _Key | None:
    rows = range(extent[0], extent[1] + 1)
    nodes = [lines.nodes[row] for row in rows if row in lines.nodes]
    if nodes:
        return "graph", nodes[0]
    if any(row in lines.breaks for row in rows):
        return "eager", 0
    passed = [lines.on_the_way[row] for row in rows if row in lines.on_the_way]
    if passed:
        return "graph", passed[0]
    return ("eager", 0) if any(row in lines.evaluated for row in rows) else None


def _runs(owners: dict[int, _Key | None]) -> Iterator[tuple[_Key, int, int]]:
    """Lines of one owner without another's in between; what is no statement is bridged."""
    present: tuple[_Key, int, int] | None = None
    for line, key in sorted(owners.items(), key=lambda item: item[0]):
        if present is not None and present[0] == key:
            present = (present[0], present[1], line)
            continue
        if present is not None:
            yield present
        present = (key, line, line) if key is not None else None
    if present is not None:
        yield present


def _eager(lines: _Lines, extent: Extent) -> str:
    names: dict[str, None] = {}
    for line in range(extent[0], extent[1] + 1):
        if line in lines.breaks:
            names.update(lines.breaks[line] or {_shortened(lines.file.source(line)): None})
    shown = [name for name in names if name]
    more = ", …" if len(shown) > _MOST_NAMES else ""
    return f"runs eagerly: {', '.join(shown[:_MOST_NAMES])}{more}" if shown else "runs eagerly"


def _name(file: File, found: Break) -> str:
    start = file.now_at(found["line"], found["column"])
    end = file.now_at(found["end_line"], found["end_column"])
    if start is None or end is None:
        now = file.now(found["line"])
        return _shortened(file.source(now)) if now is not None else ""
    return _shortened(file.text(*start, *end))


def _shortened(text: str) -> str:
    """The name of what is called; else the beginning of the text."""
    try:
        body = ast.parse(text.strip()).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        body = []
    value = getattr(body[0], "value", None) if body else None
    if isinstance(value, ast.Await):
        value = value.value
    name = ast.unparse(value.func) if isinstance(value, ast.Call) else " ".join(text.split())
    return name if len(name) <= _LONGEST_NAME else name[: _LONGEST_NAME - 1] + "…"
