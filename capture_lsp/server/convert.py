"""From the analyzer's places to the protocol's ranges."""

from __future__ import annotations

from lsprotocol import types

from analyzer.finding import Edit, Finding
from capture_lsp.server.documents import Text
from capture_lsp.server.session import Session


def position(text: Text, line: int, column: int) -> types.Position:
    """A 1-based place."""
    return types.Position(*text.position(line, column))


def span(text: Text, line: int, column: int, end_line: int, end_column: int) -> types.Range:
    """The range between two 1-based places."""
    return types.Range(position(text, line, column), position(text, end_line, end_column))


def range_of(text: Text, place: Finding | Edit) -> types.Range:
    """The range of a finding or an edit."""
    return span(text, place.line, place.column, place.end_line, place.end_column)


def location(session: Session, path: str, line: int, column: int) -> types.Location:
    """A place in any file, open or not."""
    text = session.text_of(path) or Text("")
    start = position(text, line, column)
    row = text.line(line - 1)
    word = len(row[: column - 1]) + max(1, len(row[column - 1 :].split(" ", 1)[0]))
    uri = text.owner(line, session.uri_of(path))
    return types.Location(uri, types.Range(start, position(text, line, word + 1)))


def overlaps(one: types.Range, other: types.Range) -> bool:
    """Whether two ranges touch; an empty one touches where it stands."""

    def key(at: types.Position) -> tuple[int, int]:
        return at.line, at.character

    return key(one.start) <= key(other.end) and key(other.start) <= key(one.end)
