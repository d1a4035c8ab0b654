"""The texts that the page shows lines of, and how its places are named."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable

from capture_lsp.lock.portable import portable
from capture_lsp.notebook import locate
from capture_lsp.paths import inside, relative
from capture_lsp.project_report.data import Place, Source, SourceLine
from capture_lsp.reading import Readable, read_bytes, read_text

_READ_LIMIT = 64_000_000
_LINE_LIMIT = 400
_ADDRESS = re.compile(r"\b0x[0-9a-fA-F]{6,}\b")
#: How guards name an object: by its address.
_OBJECT = re.compile(r"(___check_(?:obj|type)_id\(.*?, )\d+")


class Sources:
    """The files of the report, each read once; which of their lines are shown."""

    def __init__(self, checked: Iterable[str], cwd: str) -> None:
        """`checked`: the files whose lines may be shown."""
        self._cwd = cwd
        self._known = {os.path.realpath(path): path for path in checked}
        self._texts: dict[str, Readable | None] = {}
        self._lines: dict[str, list[str]] = {}
        self._shown: dict[str, set[int]] = {}

    def checked(self, path: str | None) -> str | None:
        """The path under which a file was checked; None if it was not."""
        return self._known.get(os.path.realpath(path)) if path else None

    def text(self, path: str) -> str:
        """A checked file's text; empty where it cannot be read."""
        found = self._readable(path)
        return found.text if found is not None else ""

    def lines(self, path: str) -> list[str]:
        """The lines of `text`."""
        if path not in self._lines:
            self._lines[path] = self.text(path).split("\n")
        return self._lines[path]

    def name(self, path: str) -> str:
        """A path as the page names it, the same on every machine."""
        own = self.checked(path)
        if own is not None:
            return relative(own, self._cwd)
        return relative(path, self._cwd) if inside(path, self._cwd) else portable(path, self._cwd)

    def place(self, path: str, line: int) -> Place:
        """A line of a file, named."""
        own = self.checked(path)
        found = self._readable(own) if own is not None else None
        shown = f"{self.name(path)}:{line}"
        if found is not None and found.cells:
            cell, row = locate(found.cells, line)
            shown = f"{self.name(path)}:cell {cell}:{row}"
        return {"path": self.name(path), "line": line, "where": shown}

    def place_or_none(self, path: str | None, line: int | None) -> Place | None:
        """The place where there is one."""
        return self.place(path, line) if path and line else None

    def show(self, path: str, first: int, last: int) -> None:
        """The page gets these lines of a checked file; in a notebook not those of another cell."""
        own = self.checked(path)
        found = self._readable(own) if own is not None else None
        if own is None or found is None:
            return
        rows = range(max(1, first), min(last, len(self.lines(own))) + 1)
        if found.cells:
            cell = locate(found.cells, last)[0]
            rows = range(next((row for row in rows if locate(found.cells, row)[0] == cell), last), rows.stop)
        self._shown.setdefault(own, set()).update(rows)

    def shown(self) -> list[Source]:
        """All lines that were asked for, by path."""
        return [
            {"path": self.name(path), "lines": {str(row): self._line(path, row) for row in sorted(rows)}}
            for path, rows in sorted(self._shown.items(), key=lambda item: self.name(item[0]))
        ]

    def steady(self, text: str) -> str:
        """A text of the probe without addresses and the folder: the same on every machine and in every run."""
        for base in dict.fromkeys((self._cwd, os.path.realpath(self._cwd))):
            text = text.replace(base.rstrip(os.sep) + os.sep, "")
        return _OBJECT.sub(r"\1…", _ADDRESS.sub("0x…", text))

    def _line(self, path: str, row: int) -> SourceLine:
        text = self.lines(path)[row - 1]
        readable = self._readable(path)
        number = locate(readable.cells, row)[1] if readable is not None and readable.cells else row
        return {"number": number, "text": text if len(text) <= _LINE_LIMIT else text[:_LINE_LIMIT] + "…"}

    def _readable(self, path: str) -> Readable | None:
        if path not in self._texts:
            raw = read_bytes(path, _READ_LIMIT)
            readable = read_text(path, raw) if isinstance(raw, bytes) else None
            self._texts[path] = readable if isinstance(readable, Readable) else None
        return self._texts[path]
