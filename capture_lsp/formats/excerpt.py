"""Source lines with a range marked, for a terminal."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from analyzer.outcome import Severity
from capture_lsp.formats.style import Style, printable, width
from capture_lsp.reading import Readable, read_bytes, read_text

_CONTEXT = 2
_LINE_LIMIT = 160
_READ_LIMIT = 64_000_000


class Sources:
    """The lines of the files shown, each read once."""

    def __init__(self, overrides: Mapping[str, bytes]) -> None:
        """`overrides`: content that differs from what is on disk."""
        self._overrides = overrides
        self._lines: dict[str, list[str]] = {}

    def lines(self, path: str) -> list[str]:
        if path not in self._lines:
            raw = self._overrides[path] if path in self._overrides else read_bytes(path, _READ_LIMIT)
            readable = read_text(path, raw) if isinstance(raw, bytes) else None
            self._lines[path] = readable.text.split("\n") if isinstance(readable, Readable) else []
        return self._lines[path]


@dataclass(frozen=True)
class Range:
    """1-based, columns in characters, the end exclusive."""

    line: int
    column: int
    end_line: int
    end_column: int


def excerpt(
    lines: list[str],
    marked: Range,
    style: Style,
    severity: Severity,
    note: str = "",
    earliest: int = 1,
    number: Callable[[int], int] = int,
) -> list[str]:
    """The marked line with carets under the range and a note behind them, and the lines before it.

    `earliest`: the first line that may be shown; `number`: how a line is numbered (in a notebook's cell).
    """
    if not 1 <= marked.line <= len(lines):
        return []
    first, last = max(1, earliest, marked.line - _CONTEXT), marked.line
    while first < last and not lines[first - 1].strip():
        first += 1
    gutter = len(str(last))
    bar = style.plain("│")
    out = []
    for current in range(first, last + 1):
        text = printable(lines[current - 1].expandtabs(4))
        cut = text if len(text) <= _LINE_LIMIT else text[:_LINE_LIMIT] + style.plain("…")
        out.append(f"   {style.paint(f'{number(current):>{gutter}} {bar}', 'blue')} {cut}".rstrip())
    source = lines[marked.line - 1]
    start = source[: marked.column - 1].expandtabs(4)
    until = len(source.rstrip()) if marked.end_line > marked.line else marked.end_column - 1
    covered = source[:until].expandtabs(4)
    indent = width(printable(start))
    if indent <= _LINE_LIMIT:
        length = max(1, min(width(printable(covered)), _LINE_LIMIT) - indent)
        carets = style.severity("^" * length + (f" {style.plain(printable(note))}" if note else ""), severity)
        out.append(f"   {' ' * gutter} {style.paint(bar, 'blue')} {' ' * indent}{carets}")
    return out
