"""Places of a probe as ranges of the texts as they are now."""

from __future__ import annotations

import os
from functools import cached_property

from capture_lsp.probe.functions import Function, functions_of, innermost
from capture_lsp.server.documents import Text
from capture_lsp.server.moved import Moved
from capture_lsp.server.session import Session
from capture_lsp.server.verdicts import Probed
from capture_lsp.server.view_types import Place, Position, Range


class File:
    """A file that a probe ran, as it is now."""

    def __init__(self, path: str, uri: str, text: Text, moved: Moved | None) -> None:
        """`moved`: None for a file whose text was not kept, of which it is assumed that nobody edits it."""
        self.path = path
        self.uri = uri
        self._text = text
        self._moved = moved
        self._rows = text.plain.split("\n")
        self._known: dict[int, Place | None] = {}

    @cached_property
    def functions(self) -> list[Function]:
        """Those of the text as it is now."""
        return functions_of(self._text.plain) or []

    def now(self, line: int) -> int | None:
        """The line that one of the probed text is now; None if it is gone."""
        found = self._moved.near(line) if self._moved is not None else line
        return found if found is not None and 1 <= found <= len(self._rows) else None

    def source(self, line: int) -> str:
        """The text of a line as it is now, without what stands around it."""
        return self._rows[line - 1].strip()

    def line(self, line: int) -> Place | None:
        """The text of a line of the probed text."""
        if line not in self._known:
            now = self.now(line)
            self._known[line] = None if now is None else self.place(now)
        return self._known[line]

    def span(self, line: int, column: int, end_line: int, end_column: int) -> Place | None:
        """What stood between two places; where they are not known any more, the line's text."""
        start, end = (self.now_at(line, column), self.now_at(end_line, end_column))
        if start is None or end is None or start >= end:
            return self.line(line)
        return {"uri": self.uri, "range": {"start": self._position(*start), "end": self._position(*end)}}

    def now_at(self, line: int, column: int) -> tuple[int, int] | None:
        """Where a node of the probed text begins or ends now."""
        return self._moved.place(line, column) if self._moved is not None else (line, column)

    def place(self, line: int) -> Place:
        """The text of a line as it is now."""
        row = self._rows[line - 1]
        first, last = len(row) - len(row.lstrip()) + 1, len(row.rstrip()) + 1
        made: Range = {"start": self._position(line, min(first, last)), "end": self._position(line, last)}
        return {"uri": self.uri, "range": made}

    def lines(self, first: int, last: int) -> Range:
        """Whole lines as they are now."""
        return {"start": self._position(first, 1), "end": self._position(last, len(self._rows[last - 1]) + 1)}

    def text(self, line: int, column: int, end_line: int, end_column: int) -> str:
        """The source of a range of the text as it is now."""
        rows = self._rows[line - 1 : end_line]
        rows[-1] = rows[-1][: end_column - 1]
        rows[0] = rows[0][column - 1 :]
        return "\n".join(rows)

    def definition(self, line: int) -> Function | None:
        """The function that begins at a line of the probed text (that of a decorator, perhaps), as it is now."""
        now = self.now(line)
        found = innermost(self.functions, now) if now is not None else None
        return found if found is not None and now is not None and found.begins_at(now) else None

    def _position(self, line: int, column: int) -> Position:
        row, character = self._text.position(line, column)
        return {"line": row, "character": character}


class Places:
    """The files of one probe."""

    def __init__(self, session: Session, probed: Probed) -> None:
        self._session = session
        self._probed = probed
        self._open = {os.path.realpath(document.path): document.path for document in session.documents}
        self._files: dict[str, File | None] = {}

    def file(self, path: str | None) -> File | None:
        """A file by the path that the probe has for it; None where there is no text of it."""
        if not path:
            return None
        if path not in self._files:
            self._files[path] = self._file(path)
        return self._files[path]

    def line(self, path: str | None, line: int | None) -> Place | None:
        """A line of the probed text."""
        file = self.file(path)
        return file.line(line) if file is not None and line else None

    def definition(self, path: str | None, line: int | None) -> Place | None:
        """The `def` that begins at a line; any other line is itself."""
        file = self.file(path)
        if file is None or not line:
            return None
        function = file.definition(line)
        return file.place(function.line) if function is not None else file.line(line)

    def span(self, path: str, line: int, column: int, end_line: int, end_column: int) -> Place | None:
        """A range of the probed text."""
        file = self.file(path)
        return file.span(line, column, end_line, end_column) if file is not None and line else None

    def _file(self, path: str) -> File | None:
        own = self._open.get(os.path.realpath(path), path)
        text = self._session.text_of(own)
        if text is None:
            return None
        return File(own, self._session.uri_of(own), text, self._probed.moved(path, text.plain))
