"""Edits of a file's text, several of which compose, and where its lines are afterwards."""

from __future__ import annotations

from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Tuple


class Edit(NamedTuple):
    """A range of a text and what takes its place; 1-based, columns in characters, ends exclusive."""

    line: int
    column: int
    end_line: int
    end_column: int
    text: str

    @classmethod
    def of(cls, given: Dict[str, Any]) -> Edit:
        """An edit from its JSON form."""
        line, column, end_line, end_column = (int(given[name]) for name in cls._fields[:4])
        return cls(line, column, end_line, end_column, str(given["text"]))

    @property
    def start(self) -> Tuple[int, int]:
        return self.line, self.column

    @property
    def end(self) -> Tuple[int, int]:
        return self.end_line, self.end_column


def composed(edits: Sequence[Edit]) -> Optional[List[Edit]]:
    """The edits in order, equal ones once; None if two of them touch the same text."""
    found: List[Edit] = []
    for edit in sorted(set(edits)):
        if found and edit.start < found[-1].end:
            return None
        found.append(edit)
    return found


def applied(text: str, edits: Sequence[Edit]) -> str:
    """The text with composed edits."""
    lines = text.split("\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    for edit in reversed(edits):
        begin, end = starts[edit.line - 1] + edit.column - 1, starts[edit.end_line - 1] + edit.end_column - 1
        text = text[:begin] + edit.text + text[end:]
    return text


def lines_after(line: int, edits: Sequence[Edit]) -> range:
    """The lines that a line became under composed edits."""
    first, more = line, 0
    for edit in edits:
        added = edit.text.count("\n") - (edit.end_line - edit.line)
        if edit.end_line < line or (edit.end_line == line and edit.column == 1 and edit.start == edit.end):
            first += added
        elif edit.line <= line <= edit.end_line:
            first -= line - edit.line
            more = max(more, edit.text.count("\n"))
    return range(first, first + more + 1)
