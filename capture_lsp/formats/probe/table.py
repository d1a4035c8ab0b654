"""Rows in columns, for a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from capture_lsp.formats.style import Style, printable, width

#: No cell is wider.
_CELL = 44


def table(head: Sequence[str], rows: Sequence[Sequence[str]], style: Style, widest: int = _CELL) -> list[str]:
    """A head and rows; columns that are empty throughout are left out, long cells are cut."""
    cells = [[_cut(printable(cell), style, widest) for cell in row] for row in rows]
    used = [c for c in range(len(head)) if any(row[c] for row in cells)]
    wide = {c: max(width(text) for text in (head[c], *(row[c] for row in cells))) for c in used}

    def line(row: Sequence[str]) -> str:
        return "  ".join(row[c] + " " * (wide[c] - width(row[c])) for c in used).rstrip()

    return [style.paint(line(list(head)), "dim"), *(line(row) for row in cells)] if used else []


def _cut(text: str, style: Style, widest: int) -> str:
    shown = style.plain(" ".join(text.split()))
    return shown if len(shown) <= widest else shown[: widest - 3] + style.plain("…")
