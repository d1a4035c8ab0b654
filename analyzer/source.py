"""Reading a source file: bytes to text by PEP 263, and columns in characters."""

from __future__ import annotations

import io
import tokenize
from dataclasses import dataclass, field
from functools import cached_property

from analyzer.finding import FileError

#: Larger files are not checked: they are data in Python's clothing.
MAX_BYTES = 4_000_000


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
    except (SyntaxError, UnicodeDecodeError, LookupError) as error:
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
