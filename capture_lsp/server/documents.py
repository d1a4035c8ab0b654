"""The open documents: their text, and positions in it as the client counts them.

Lines end where Python and the protocol end them: at `\\n`, `\\r\\n` and `\\r`, nowhere else. (`str.splitlines` also
ends them at form feeds and at U+2028.) Positions of the protocol are 0-based, in code units of the encoding that was
agreed on; places of findings are 1-based, in characters.
"""

from __future__ import annotations

import os
import tokenize
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from capture_lsp.textfile import line_starts, normalised

Encoding = Literal["utf-8", "utf-16", "utf-32"]
#: (line, character, end line, end character) of a range, as the client counts.
Span = tuple[int, int, int, int]
_BOM = "\ufeff"


def units(text: str, encoding: Encoding) -> int:
    """The length of a text in code units."""
    if encoding == "utf-32" or text.isascii():
        return len(text)
    if encoding == "utf-16":
        return len(text) + sum(character > "\uffff" for character in text)
    return len(text.encode("utf-8", "surrogatepass"))


def characters(text: str, count: int, encoding: Encoding) -> int:
    """How many characters the first `count` code units of a text are; at most all, and none that is cut through."""
    if encoding == "utf-32" or text.isascii():
        return min(count, len(text))
    taken = 0
    for number, character in enumerate(text):
        taken += units(character, encoding)
        if taken > count:
            return number
    return len(text)


@dataclass(frozen=True)
class Text:
    """One version of a text. It never changes, so that whoever analyses it needs no lock."""

    text: str
    encoding: Encoding = "utf-16"

    @cached_property
    def starts(self) -> list[int]:
        """The offset of each line's first character."""
        return line_starts(self.text)

    @property
    def bom(self) -> bool:
        """Whether a byte order mark is part of the text: the analyzer does not count it as a character."""
        return self.text.startswith(_BOM)

    def line(self, number: int) -> str:
        """A 0-based line, without its end; empty behind the last one."""
        if not 0 <= number < len(self.starts):
            return ""
        end = self.starts[number + 1] if number + 1 < len(self.starts) else len(self.text)
        return self.text[self.starts[number] : end].rstrip("\r\n")

    def offset(self, line: int, character: int) -> int:
        """The offset of a position; one behind the end of its line is at that end."""
        if line >= len(self.starts):
            return len(self.text)
        return self.starts[line] + characters(self.line(line), character, self.encoding)

    def place(self, line: int, character: int) -> tuple[int, int]:
        """A position as 1-based line and column in characters."""
        column = characters(self.line(line), character, self.encoding)
        return line + 1, column + 1 - (self.bom and line == 0)

    def position(self, line: int, column: int) -> tuple[int, int]:
        """A 1-based place as a position; one behind the text is at its end."""
        if line > len(self.starts):
            last = len(self.starts) - 1
            return last, units(self.line(last), self.encoding)
        index = column - 1 + (self.bom and line == 1)
        return line - 1, units(self.line(line - 1)[:index], self.encoding)

    def place_in(self, uri: str, line: int, character: int) -> tuple[int, int]:
        """A position in a document of the client's (a notebook has one for each cell) as a place."""
        return self.place(line, character)

    def owner(self, line: int, uri: str) -> str:
        """The client's document that a 1-based line stands in; `uri`: that of the whole."""
        return uri

    def owners(self, uri: str, version: int) -> list[tuple[str, int]]:
        """(URI, version) of the client's documents that this text is made of."""
        return [(uri, version)]

    def changed(self, span: Span | None, new: str) -> Text:
        """The text after one change: of a range (line, character, end line, end character), or all of it."""
        if span is None:
            return Text(new, self.encoding)
        start, end = self.offset(span[0], span[1]), self.offset(span[2], span[3])
        return Text(self.text[:start] + new + self.text[max(start, end) :], self.encoding)

    @cached_property
    def plain(self) -> str:
        """The text as the analyzer sees it: `\\n` line ends, no byte order mark."""
        return normalised(self.text.removeprefix(_BOM))

    @cached_property
    def raw(self) -> bytes:
        """The bytes that a file of this text holds, by the encoding that it declares (PEP 263)."""
        text = self.text.removeprefix(_BOM)
        try:
            encoding, _ = tokenize.detect_encoding(_first_lines(text).__next__)
            return text.encode(encoding, "replace")
        except (SyntaxError, LookupError, ValueError):  # no encoding for this text: whoever decodes it says so
            return text.encode("utf-8", "replace")


def _first_lines(text: str) -> Iterator[bytes]:
    for line in text[:2000].split("\n", 2)[:2]:
        yield line.encode("utf-8", "replace") + b"\n"


@dataclass
class Document:
    """An open document, or notebook. `path`: that of its file, or one made up for what has none."""

    uri: str
    path: str
    language: str
    version: int
    text: Text
    saved: bool = field(default=True)  #: whether it has not been changed since it was opened or saved
    second: bool = field(default=False)  #: whether the same file is open under another URI already

    @property
    def python(self) -> bool:
        """Whether it is analysed: a file that is open under two URIs is the text of the first."""
        return not self.second and self._of_python

    @property
    def _of_python(self) -> bool:
        return self.language == "python" or (not self.language and self.path.endswith((".py", ".pyi")))


class Documents:
    """The open documents by URI, as the client writes it; a notebook also by those of its cells."""

    def __init__(self) -> None:
        self.encoding: Encoding = "utf-16"
        self._by_uri: dict[str, Document] = {}
        self._of_cell: dict[str, str] = {}

    def __iter__(self) -> Iterator[Document]:
        return iter(self._by_uri.values())

    def get(self, uri: str) -> Document | None:
        return self._by_uri.get(self._of_cell.get(uri, uri))

    def is_cell(self, uri: str) -> bool:
        """Whether a document is a cell of an open notebook."""
        return uri in self._of_cell

    def at(self, path: str) -> Document | None:
        """The document of a path; of several, the one that was opened first."""
        return next((document for document in self if document.path == path), None)

    def open(self, uri: str, path: str, language: str, version: int, text: str) -> Document:
        document = Document(uri, path, language, version, Text(text, self.encoding))
        self._by_uri[uri] = document
        self._number(path)
        return document

    def change(self, uri: str, version: int, changes: Iterable[tuple[Span | None, str]]) -> Document | None:
        """Apply changes, one after the other; None for a document that is not open."""
        document = self._by_uri.get(uri)
        if document is None:
            return None
        for span, new in changes:
            document.text = document.text.changed(span, new)
        document.version = version
        document.saved = False
        return document

    def close(self, uri: str) -> Document | None:
        document = self._by_uri.pop(uri, None)
        if document is not None:
            self._cells(document, ())
            self._number(document.path)
        return document

    def set_notebook(self, document: Document, cells: Iterable[str]) -> None:
        """Keep a notebook, new or changed; `cells`: the URIs that stand for it from now on."""
        self._by_uri[document.uri] = document
        self._cells(document, cells)
        self._number(document.path)

    def _number(self, path: str) -> None:
        for number, document in enumerate(document for document in self if document.path == path):
            document.second = number > 0

    def _cells(self, document: Document, cells: Iterable[str]) -> None:
        for uri in [uri for uri, owner in self._of_cell.items() if owner == document.uri]:
            del self._of_cell[uri]
        self._of_cell.update((uri, document.uri) for uri in cells)


def text_of_file(path: str, encoding: Encoding, limit: int = 64_000_000) -> Text | None:
    """A file on disk; None if it cannot be read, or is a notebook: its text is none that a client could show."""
    from capture_lsp import textfile
    from capture_lsp.reading import is_notebook, read_bytes

    raw = read_bytes(path, limit) if os.path.isfile(path) and not is_notebook(path) else None
    if not isinstance(raw, bytes):
        return None
    try:
        return Text(textfile.decode(raw).raw_text, encoding)
    except (SyntaxError, UnicodeError, LookupError):
        return None
