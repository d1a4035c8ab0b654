"""Files as text and back: encoding, byte order mark and line ends survive an edit."""

from __future__ import annotations

import codecs
import io
import os
import re
import tempfile
import tokenize
from collections import Counter
from dataclasses import dataclass

_LINE_END = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True)
class TextFile:
    """Decoded text as it stands in the file, and what is needed to write it back."""

    raw_text: str
    encoding: str
    bom: bool

    @property
    def text(self) -> str:
        """The text with `\\n` line ends."""
        return normalised(self.raw_text)

    @property
    def line_end(self) -> str:
        """The line end that most lines have."""
        found = Counter(_LINE_END.findall(self.raw_text)).most_common(1)
        return found[0][0] if found else "\n"

    def encode(self, raw_text: str) -> bytes:
        """The bytes of a changed text. Raises UnicodeError."""
        raw = raw_text.encode(self.encoding)
        return codecs.BOM_UTF8 + raw if self.bom else raw


def decode(raw: bytes) -> TextFile:
    """Decode by PEP 263. Raises SyntaxError, UnicodeError or LookupError."""
    encoding, _ = tokenize.detect_encoding(io.BytesIO(raw).readline)
    bom = raw.startswith(codecs.BOM_UTF8)
    encoding = "utf-8" if encoding == "utf-8-sig" else encoding
    return TextFile(raw.removeprefix(codecs.BOM_UTF8).decode(encoding), encoding, bom)


def normalised(text: str) -> str:
    """A text with `\\n` line ends."""
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def line_starts(text: str) -> list[int]:
    """The offset of each line's first character; whatever ends a line for Python ends it here."""
    return [0, *(match.end() for match in _LINE_END.finditer(text))]


def write_atomically(path: str, raw: bytes) -> None:
    """Replace a file's contents in one step, keeping its mode; a symbolic link keeps pointing where it did. What is no
    file, as `/dev/stdout` or a named pipe, is written into."""
    if os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path):
        with open(path, "wb") as stream:
            stream.write(raw)
        return
    target = os.path.realpath(path)
    handle, temporary = tempfile.mkstemp(dir=os.path.dirname(target), prefix=".capture-lsp-")
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(raw)
        if os.path.exists(target):
            os.chmod(temporary, os.stat(target).st_mode & 0o7777)
        else:
            umask = os.umask(0)
            os.umask(umask)
            os.chmod(temporary, 0o666 & ~umask)
        os.replace(temporary, target)
    except BaseException:
        os.unlink(temporary)
        raise
