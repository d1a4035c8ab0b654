"""Colours, and the signs that a terminal can show."""

from __future__ import annotations

import os
import re
import sys
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import IO, Any

_CODES = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33", "blue": "34", "cyan": "36"}
_SEVERITY = {"error": "red", "warning": "yellow", "info": "blue", "hint": "dim"}
_LINE_END = re.compile(r"[ \t]*(?:\r\n|[\n\v\f\r\x1c-\x1e\x85\u2028\u2029])\s*")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_ASCII = {"·": "|", "→": "->", "│": "|", "…": "...", "–": "-", "✓": "ok", "×": "x", "µ": "u"}


@dataclass(frozen=True)
class Style:
    """How to write text for one stream."""

    colour: bool = False
    unicode: bool = True

    def paint(self, text: str, *names: str) -> str:
        if not self.colour or not text:
            return text
        return f"\x1b[{';'.join(_CODES[n] for n in names)}m{text}\x1b[0m"

    def severity(self, text: str, severity: str) -> str:
        return self.paint(text, _SEVERITY[severity])

    def plain(self, text: str) -> str:
        """The text with signs that the stream cannot show spelled in ASCII."""
        if self.unicode:
            return text
        return "".join(_ASCII.get(c, c) for c in text)


def style_for(stream: IO[Any], colour: str = "auto", environ: Mapping[str, str] = os.environ) -> Style:
    """What a stream can show. `colour`: auto, always or never; NO_COLOR and FORCE_COLOR decide for auto."""
    encoding = getattr(stream, "encoding", None) or "ascii"
    try:
        "·→│…–×µ".encode(encoding)
        shows_unicode = True
    except (UnicodeError, LookupError):
        shows_unicode = False
    if colour != "auto":
        return Style(colour == "always", shows_unicode)
    if environ.get("NO_COLOR"):
        return Style(False, shows_unicode)
    if environ.get("FORCE_COLOR", "0") not in ("", "0", "false"):
        return Style(True, shows_unicode)
    wanted = bool(stream.isatty()) and environ.get("TERM") != "dumb"
    return Style(wanted and _terminal_takes_colour(), shows_unicode)


def _terminal_takes_colour() -> bool:
    """Windows consoles must be asked to understand escape sequences."""
    if sys.platform != "win32":
        return True
    try:
        import ctypes

        kernel = ctypes.windll.kernel32
        handle = kernel.GetStdHandle(-11)
        mode = ctypes.c_ulong()
        return bool(kernel.GetConsoleMode(handle, ctypes.byref(mode)) and kernel.SetConsoleMode(handle, mode.value | 4))
    except (AttributeError, OSError):
        return False


def counted(number: int, noun: str) -> str:
    """`1 file`, `2 files`."""
    return f"{number:,} {noun}{'s' * (number != 1)}"


def printable(text: str) -> str:
    """Source text made safe for one line of a terminal: ends of lines become blanks, other control characters, escape
    sequences above all, `?`."""
    return _CONTROL.sub("?", _LINE_END.sub(" ", text))


def width(text: str) -> int:
    """How many columns a terminal uses for a text."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in ("W", "F") else 1 for c in text
    )
