"""What the analyzer gets to see of a file: its text, or the one line that says why it is not checked."""

from __future__ import annotations

import os
from dataclasses import dataclass

from analyzer.finding import FileError
from capture_lsp import notebook, textfile
from capture_lsp.notebook import Cell

_READ_LIMIT = 64_000_000


@dataclass(frozen=True)
class Readable:
    """A file's text with `\\n` line ends; for a notebook, the module of its cells."""

    text: str
    cells: tuple[Cell, ...] = ()
    errors: tuple[FileError, ...] = ()


def read_bytes(path: str, limit: int) -> bytes | FileError:
    """The content of a regular file of at most `limit` bytes."""
    try:
        if not os.path.isfile(path):
            return FileError(path, 1, "unreadable", "not a regular file")
        with open(path, "rb") as stream:
            raw = stream.read(min(limit, os.fstat(stream.fileno()).st_size) + 1)  # never asks for more than there is
    except OSError as error:
        return FileError(path, 1, "unreadable", f"cannot read the file: {error.strerror or error}")
    if len(raw) > limit:
        return FileError(path, 1, "too-large", f"file is larger than {limit:,} bytes (setting max-file-size)")
    return raw


def stamp(path: str) -> tuple[int, int] | None:
    """What tells whether a file changed: modification time (ns) and size (bytes); None if it is not there."""
    try:
        stat = os.stat(path)
    except OSError:
        return None
    return stat.st_mtime_ns, stat.st_size


def is_notebook(path: str) -> bool:
    return path.endswith(".ipynb")


def read_text(path: str, raw: bytes) -> Readable | FileError:
    """Decode a file's content; a notebook becomes a module."""
    if b"\0" in raw:
        return FileError(path, 1, "binary", "binary file: it holds null bytes")
    if is_notebook(path):
        try:
            book = notebook.parse(path, raw.decode("utf-8-sig"))
        except (UnicodeError, notebook.NotANotebook) as error:
            return FileError(path, 1, "unreadable", str(error))
        return Readable(book.text, book.cells, book.errors)
    try:
        return Readable(textfile.decode(raw).text)
    except (SyntaxError, UnicodeError, LookupError) as error:
        return FileError(path, 1, "unreadable", f"cannot decode the file: {error}")


def text_of(path: str) -> str | None:
    """The text of a file on disk; None where it cannot be read."""
    raw = read_bytes(path, _READ_LIMIT)
    readable = read_text(path, raw) if isinstance(raw, bytes) else None
    return readable.text if isinstance(readable, Readable) else None
