"""Which lines of the functions that a probe entered went into which graph, and which ran eagerly.

Lines are those of the texts as they are now. A line of which a node came is its graph's; one that breaks runs eagerly;
what else Dynamo evaluated on the way to a graph is part of that, though it left no node: a loop that was unrolled, a
call that was inlined. What it evaluated without making a graph runs eagerly.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Generic, Literal, Protocol, TypeVar

from capture_lsp.formats.probe.words import is_resume, short
from capture_lsp.formats.style import counted
from capture_lsp.probe.extents import Extent, extents, inner_bodies
from capture_lsp.probe.frames import first_frames, later_frames, operations
from capture_lsp.probe.functions import Function
from capture_lsp.probe.line_numbers import parsed

if TYPE_CHECKING:
    from runtime_probe.report import Break, Entry, Frame

Kind = Literal["graph", "eager", "skipped"]
_Key = tuple[Kind, int]  #: kind and the graph's id, or for a skipped frame its number
_MOST_NAMES, _LONGEST_NAME = 3, 40


class File(Protocol):
    """A file that a probe ran, as it is now; lines and columns that are asked for are those of the probed text."""

    @property
    def path(self) -> str: ...

    def now(self, line: int) -> int | None:
        """The line that one of the probed text is now; None if it is gone."""

    def now_at(self, line: int, column: int) -> tuple[int, int] | None:
        """Where a node of the probed text begins or ends now."""

    def source(self, line: int) -> str:
        """The text of a line as it is now, without what stands around it."""

    def text(self, line: int, column: int, end_line: int, end_column: int) -> str:
        """The source of a range of the text as it is now."""

    def definition(self, line: int) -> Function | None:
        """The function that begins at a line (that of a decorator, perhaps), as it is now."""


F = TypeVar("F", bound=File)
F_co = TypeVar("F_co", bound=File, covariant=True)


class Files(Protocol[F_co]):
    """The files of one probe."""

    def file(self, path: str | None) -> F_co | None:
        """A file by the path that the probe has for it; None where there is no text of it."""


@dataclass(frozen=True)
class Island(Generic[F]):
    """Lines of one function, as they are now, that go into one graph or into none; `graph`: its id."""

    kind: Kind
    graph: int | None
    function: Function
    label: str
    file: F
    extents: list[Extent]


@dataclass
class _Lines(Generic[F]):
    """What the probe says of the lines of one file."""

    file: F
    nodes: dict[int, int] = field(default_factory=dict)  #: → the graph
    on_the_way: dict[int, int] = field(default_factory=dict)  #: → the graph
    breaks: dict[int, dict[str, None]] = field(default_factory=dict)  #: → what breaks there
    evaluated: set[int] = field(default_factory=set)
    functions: dict[int, Function] = field(default_factory=dict)  #: those entered, by the line of their `def`
    skipped: dict[int, tuple[int, int]] = field(default_factory=dict)  #: `def` → from which line on, the frame's number


def islands(entry: Entry, files: Files[F]) -> list[Island[F]]:
    """Of every function that the probe entered, in the order of the texts."""
    # Lines that only a later compilation reached are its graph's: the first ones come first.
    first = first_frames(entry)
    frames = [*first, *later_frames(entry)]
    sizes = {graph["id"]: operations(graph) for frame in frames for graph in frame["graphs"]}
    found: list[Island[F]] = []
    for lines in _Collected(entry, frames, len(first), files).lines:
        for _, function in sorted(lines.functions.items()):
            found += _of_function(lines, function, frames, sizes)
    return found


class _Collected(Generic[F]):
    """Brings the report's lines to the files as they are now."""

    def __init__(self, entry: Entry, frames: list[Frame], first: int, files: Files[F]) -> None:
        """`first`: how many of the frames are their function's first compilation."""
        self._files = files
        self._by_path: dict[str, _Lines[F]] = {}
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
    def lines(self) -> list[_Lines[F]]:
        return list(self._by_path.values())

    def _at(self, path: str, line: int) -> tuple[_Lines[F], int] | None:
        file = self._files.file(path)
        now = file.now(line) if file is not None else None
        if file is None or now is None:
            return None
        return self._by_path.setdefault(file.path, _Lines(file)), now

    def _ranges(self, lines: dict[str, str]) -> Iterator[tuple[_Lines[F], int]]:
        for path, text in lines.items():
            for line in parsed(text):
                if (at := self._at(path, line)) is not None:
                    yield at

    def _function(self, path: str, line: int) -> None:
        file = self._files.file(path)
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


def _of_function(
    lines: _Lines[F], function: Function, frames: list[Frame], sizes: dict[int, int]
) -> Iterator[Island[F]]:
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
        yield Island(kind, which if kind == "graph" else None, function, label, lines.file, extents_)


def _key(lines: _Lines[F], extent: Extent) -> _Key | None:
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


def _eager(lines: _Lines[F], extent: Extent) -> str:
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
