"""What the probe saw, by place: breaks brought to the files that are checked, and what Dynamo evaluated there."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from capture_lsp.formats.excerpt import Range
from capture_lsp.probe.functions import Function, functions_of

if TYPE_CHECKING:
    from runtime_probe.report import Break, Entry, Frame


@dataclass(frozen=True)
class Hit:
    """A break at a place of a checked file. `exact`: the range is the break's own; else only the line is known, of the
    call that led there. `causes`: further lines that the break is due to."""

    path: str
    range: Range
    exact: bool
    ids: tuple[str, ...]
    found: Break
    skipped: bool
    causes: tuple[tuple[str, int], ...] = ()


class Files:
    """The checked files: paths that other processes may spell otherwise, and the functions in them."""

    def __init__(self, paths: Iterable[str], text_of: Callable[[str], str | None]) -> None:
        self._known = {os.path.realpath(path): path for path in paths}
        self._text_of = text_of
        self._functions: dict[str, list[Function]] = {}

    def checked(self, path: str | None) -> str | None:
        """The path under which a file is checked; None if it is not."""
        if not path:
            return None
        return self._known.get(path) or self._known.get(os.path.realpath(path))

    def functions(self, path: str) -> list[Function]:
        if path not in self._functions:
            self._functions[path] = functions_of(self._text_of(path) or "") or []
        return self._functions[path]

    def text(self, path: str, place: Range) -> str:
        """The source of a range."""
        lines = (self._text_of(path) or "").split("\n")[place.line - 1 : place.end_line]
        if not lines:
            return ""
        lines[-1] = lines[-1][: place.end_column - 1]
        lines[0] = lines[0][place.column - 1 :]
        return "\n".join(lines)

    def whole_line(self, path: str, line: int) -> Range:
        """The range of a line's text."""
        text = self.text(path, Range(line, 1, line, 10_000)).rstrip()
        return Range(line, len(text) - len(text.lstrip()) + 1, line, max(2, len(text) + 1))

    def function(self, label: str) -> tuple[str, Function] | None:
        """The function that `path::qualname` names."""
        path, _, name = label.partition("::")
        found = [f for f in self.functions(path) if f.name == name]
        return (path, found[-1]) if found else None


class Evidence:
    """One entry of the report, indexed."""

    def __init__(self, entry: Entry, files: Files, label: str | None) -> None:
        """`label`: the root that was probed, where one was named."""
        self.entry = entry
        self.label = label
        self.whole = entry["status"] == "ok"
        self.calls = len(entry["inputs"])
        self._files = files
        self.hits = [hit for frame in entry["frames"] for b in frame["breaks"] if (hit := self._hit(b, frame))]
        self.path_hits = [hit for path in entry["paths"] for b in path["breaks"] if (hit := self._hit(b, None))]
        self.spans: dict[str, set[tuple[int, int, int, int]]] = {}
        for name, spans in entry["evaluated"].items():
            if (path := files.checked(name)) is not None:
                self.spans.setdefault(path, set()).update((s[0], s[1], s[2], s[3]) for s in spans)
        self._begun = {
            (path, line)
            for name, line in (
                *((frame["path"], frame["line"]) for frame in entry["frames"]),
                *((one["path"], one["line"]) for one in entry["traced"]),
            )
            if (path := files.checked(name)) is not None
        }

    @property
    def broken(self) -> bool:
        """Whether anything ran outside of the graphs."""
        return any(frame["breaks"] or frame["skipped"] for frame in self.entry["frames"])

    def entered(self, label: str) -> bool:
        """Whether Dynamo began to translate a function, or the probe was started for it."""
        if label == self.label:
            return True
        found = self._files.function(label)
        return found is not None and any(p == found[0] and found[1].begins_at(line) for p, line in self._begun)

    def begins_with(self, label: str) -> bool:
        """Whether a function is the first that Dynamo translated: what was probed, not only something that it ran."""
        first = next(iter(self.entry["frames"]), None)
        found = self._files.function(label)
        if first is None or found is None:
            return False
        return self._files.checked(first["path"]) == found[0] and found[1].begins_at(first["line"])

    def own_paths(self) -> set[str]:
        """The checked files that hold something of what was probed."""
        return {path for path, _ in self._begun}

    def evaluated(self, path: str, place: Range) -> bool:
        """Whether Dynamo evaluated the expression itself, not only a part of it or something around it."""
        spans = self.spans.get(path, ())
        if (place.line, place.column, place.end_line, place.end_column) in spans:
            return True
        # A finding about a class or function stands at its header, the instruction spans all of it.
        return any(s[:2] == (place.line, place.column) and s[2] > place.end_line for s in spans)

    def evaluated_line(self, path: str, line: int) -> bool:
        return any(span[0] == line for span in self.spans.get(path, ()))

    def _hit(self, found: Break, frame: Frame | None) -> Hit | None:
        cause = found["cause"]
        ids = dict.fromkeys(i for i in (found["graph_break"], cause and cause["graph_break"]) if i)
        causes: tuple[tuple[str, int], ...] = ()
        if cause is not None and (path := self._files.checked(cause["path"])) is not None:
            causes = ((path, cause["line"]),)
        skipped = frame is not None and frame["skipped"]
        own = self._files.checked(found["path"])
        if own is not None:
            place = Range(found["line"], found["column"], found["end_line"], found["end_column"])
            return Hit(own, place, True, tuple(ids), found, skipped, causes)
        for step in reversed(found["stack"]):
            path = self._files.checked(step["path"])
            if path is not None:
                return Hit(path, Range(step["line"], 1, step["line"], 1), False, tuple(ids), found, skipped, causes)
        return None
