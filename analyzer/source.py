"""Reading a source file: bytes to text by PEP 263, and columns in characters."""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from analyzer.finding import FileError

#: Larger files are not checked: they are data in Python's clothing.
MAX_BYTES = 4_000_000
#: From here on a line is data. Splitting it into tokens takes time that grows with the square of its length.
_LONG_LINE = 20_000
_PLAIN_TEXT = re.compile(r"'[^'\\\n]*'|\"[^\"\\\n]*\"")
_NO_BRACKET = re.compile(r"[^()\[\]{}]+")


@dataclass(slots=False)
class SourceText:
    """The text of one file. `lines` keeps no line ends; columns of `ast` (UTF-8 bytes) convert by `column`."""

    path: str
    text: str
    _ascii: bool = field(init=False)

    def __post_init__(self) -> None:
        self._ascii = self.text.isascii()

    @cached_property
    def lines(self) -> list[str]:
        return self.text.split("\n")

    def column(self, line: int, byte_offset: int) -> int:
        """0-based column in characters of a byte offset in a 1-based line."""
        if self._ascii or not 0 < line <= len(self.lines):
            return byte_offset
        return len(self.lines[line - 1].encode("utf-8", "surrogatepass")[:byte_offset].decode("utf-8", "replace"))


def decode(path: str, raw: bytes) -> SourceText | FileError:
    """Decode the bytes of a file, or say why not. Line ends become `\\n`; a byte order mark is dropped."""
    if len(raw) > MAX_BYTES:
        return FileError(path, 1, "too-large", f"file of {len(raw):,} bytes is not checked (limit {MAX_BYTES:,})")
    if b"\0" in raw:
        return FileError(path, 1, "binary", "binary file: it holds null bytes")
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(raw).readline)
        text = raw.decode(encoding)
    except (SyntaxError, UnicodeError, LookupError) as error:
        return FileError(path, 1, "unreadable", f"cannot decode the file: {error}")
    if text.startswith("\ufeff"):
        text = text[1:]
    return SourceText(path, text.replace("\r\n", "\n").replace("\r", "\n"))


def read(path: str) -> SourceText | FileError:
    """Read and decode a file from disk."""
    try:
        with open(path, "rb") as stream:
            raw = stream.read(MAX_BYTES + 1)
    except OSError as error:
        return FileError(path, 1, "unreadable", f"cannot read the file: {error.strerror or error}")
    return decode(path, raw)


def tokens(text: str) -> Iterator[tokenize.TokenInfo]:
    """The tokens of a text, those of long lines of mere data left out. Raises what `tokenize` raises."""
    if len(text) > _LONG_LINE:
        text = "\n".join(_without_data(line) if len(line) > _LONG_LINE else line for line in text.split("\n"))
    return tokenize.generate_tokens(io.StringIO(text).readline)


def _without_data(line: str) -> str:
    """A short line of the same indentation and open brackets; the line itself if comments or long strings are in it."""
    code = _PLAIN_TEXT.sub("0", line)
    if any(mark in code for mark in "'\"#\\"):
        return line
    open_: list[str] = []
    for bracket in _NO_BRACKET.sub("", code):
        if bracket in ")]}" and open_ and open_[-1] in "([{":
            open_.pop()
        else:
            open_.append(bracket)
    return line[: len(line) - len(line.lstrip())] + "0" + "".join(open_)
