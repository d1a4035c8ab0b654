"""Adds a code to a list of a configuration file, as insertions: comments and layout stay as they are.

A small scanner finds the places; whether the result says what it should is decided by the TOML parser. What cannot be
done so is not done.
"""

from __future__ import annotations

import copy
import json
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

Path = tuple[str, ...]
#: (offset, what to insert there), by offset.
Insertions = list[tuple[int, str]]

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_KEY_PART = re.compile(r"[A-Za-z0-9_-]+|\"(?:[^\"\\\n]|\\.)*\"|'[^'\n]*'")
_STRING = re.compile(r'"""(?:[^\\]|\\.)*?"{3,5}|\'\'\'.*?\'{3,5}|"(?:[^"\\\n]|\\.)*"|\'[^\'\n]*\'', re.DOTALL)
_BLANK = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_PLAIN = re.compile(r"[^,\]}#\n]*")


@dataclass
class _Value:
    start: int
    end: int = 0
    kind: str = "other"
    items: list[_Value] = field(default_factory=list)
    keys: list[Path] = field(default_factory=list)  #: of an inline table
    comma: int = 0  #: the offset behind a comma after the last item


@dataclass
class _Entry:
    """`section`: the table that it stands in; `key`: as written there."""

    section: Path
    key: Path
    value: _Value


@dataclass
class _Section:
    path: Path
    start: int
    end: int  #: of its header and its entries


def with_code(text: str, table: Path, key: Path, code: str) -> Insertions | None:
    """What to insert so that the list at `table` + `key` holds `code`; None if it does already, or if that is beyond
    this editor. Line ends are `\\n`."""
    try:
        before = tomllib.loads(text)
        wanted = _changed(before, (*table, *key), code)
    except tomllib.TOMLDecodeError:
        return None
    for insertions in _candidates(text, table, key, code) if wanted is not None else ():
        try:
            if tomllib.loads(inserted(text, insertions)) == wanted:
                return insertions
        except tomllib.TOMLDecodeError:
            continue
    return None


def inserted(text: str, insertions: Insertions) -> str:
    """A text after insertions."""
    for offset, new in reversed(insertions):
        text = text[:offset] + new + text[offset:]
    return text


def _changed(document: dict[str, Any], path: Path, code: str) -> dict[str, Any] | None:
    wanted = copy.deepcopy(document)
    place = wanted
    for part in path[:-1]:
        place = place.setdefault(part, {})
        if not isinstance(place, dict):
            return None
    codes = place.setdefault(path[-1], [])
    if not isinstance(codes, list) or code in codes:
        return None
    codes.append(code)
    return wanted


def _candidates(text: str, table: Path, key: Path, code: str) -> Iterator[Insertions]:
    entries, sections = _scan(text)
    full = (*table, *key)
    for entry in entries:
        path = (*entry.section, *entry.key)
        if full[: len(path)] == path:
            yield from _into(text, entry.value, full[len(path) :], code)
    owner = next((s for s in sections if s.path == full[:-1]), None)
    if owner is not None:
        yield [_line_after(text, owner.end, _row(key[-1:], code))]
    around = next((s for s in sections if s.path == table), None)
    if around is not None:  # dotted keys, as they may be written there
        siblings = [e for e in entries if e.section == table and e.key[:1] == key[:1] and len(e.key) > 1]
        if siblings and len(key) > 1:
            yield [_line_after(text, siblings[-1].value.end, _row(key, code))]
        if len(key) > 1:
            yield [_line_after(text, around.end, f"\n[{_dotted(full[:-1])}]\n{_row(key[-1:], code)}")]
        yield [_line_after(text, around.end, _row(key, code))]
    if full[:-1]:
        gap = "\n" if text.strip() else ""
        yield [_line_after(text, len(text.rstrip()), f"{gap}[{_dotted(full[:-1])}]\n{_row(key[-1:], code)}")]


def _into(text: str, value: _Value, rest: Path, code: str) -> Iterator[Insertions]:
    """Into a value: a list, or an inline table that is to hold it."""
    if not rest and value.kind == "array":
        yield _appended(text, value, json.dumps(code))
    elif rest and value.kind == "table":
        for key, item in zip(value.keys, value.items):
            if rest[: len(key)] == key:
                yield from _into(text, item, rest[len(key) :], code)
        comma = ", " if value.items else " "
        yield [(value.items[-1].end if value.items else value.start + 1, comma + _row(rest, code))]


def _appended(text: str, array: _Value, item: str) -> Insertions:
    if not array.items:
        return [(array.start + 1, item)]
    last = array.items[-1]
    line = text.rfind("\n", 0, last.start) + 1
    after = array.comma or last.end
    end = _line_end(text, after)
    if line <= array.start or end >= array.end:  # on one line, or its last lines are one
        return [(last.end, f", {item}")]
    indent = text[line : last.start] if not text[line : last.start].strip() else " " * 4
    if array.comma:
        return [(end, f"\n{indent}{item},")]
    if end == last.end:
        return [(end, f",\n{indent}{item}")]
    return [(last.end, ","), (end, f"\n{indent}{item}")]


def _line_after(text: str, offset: int, row: str) -> tuple[int, str]:
    """A line, or more, after the one that an offset is in; at the top for offset 0."""
    if offset == 0:
        return 0, f"{row.lstrip()}\n"
    end = _line_end(text, offset)
    return end, f"\n{row}" if end < len(text) else f"\n{row}\n"


def _line_end(text: str, offset: int) -> int:
    found = text.find("\n", offset)
    return found if found >= 0 else len(text)


def _row(key: Path, code: str) -> str:
    return f"{_dotted(key)} = [{json.dumps(code)}]"


def _dotted(key: Path) -> str:
    return ".".join(part if _BARE.fullmatch(part) else json.dumps(part, ensure_ascii=False) for part in key)


def _scan(text: str) -> tuple[list[_Entry], list[_Section]]:
    entries: list[_Entry] = []
    sections = [_Section((), 0, 0)]
    at = _skip(text, 0)
    while at < len(text):
        if text[at] == "[":
            several = text.startswith("[[", at)
            path, end = _key(text, at + 1 + several)
            end = text.index("]", end) + 1 + several
            # Of an array of tables nothing is ours.
            sections.append(_Section((*path, "[]") if several else path, at, end))
        else:
            key, end = _key(text, at)
            value = _value(text, _skip(text, text.index("=", end) + 1))
            entries.append(_Entry(sections[-1].path, key, value))
            end = sections[-1].end = value.end
        at = _skip(text, end)
    return entries, sections


def _skip(text: str, at: int) -> int:
    found = _BLANK.match(text, at)
    return found.end() if found is not None else at


def _key(text: str, at: int) -> tuple[Path, int]:
    parts = []
    while True:
        found = _KEY_PART.match(text, _skip(text, at))
        if found is None:
            raise ValueError("no key")
        part = found[0]
        parts.append(str(tomllib.loads(f"k = {part}")["k"]) if part[0] in "\"'" else part)
        at = _skip(text, found.end())
        if text[at : at + 1] != ".":
            return tuple(parts), found.end()
        at += 1


def _value(text: str, at: int) -> _Value:
    value = _Value(at)
    if text[at] in "[{":
        value.kind, close = ("array", "]") if text[at] == "[" else ("table", "}")
        at = _skip(text, at + 1)
        while text[at] != close:
            if value.kind == "table":
                key, at = _key(text, at)
                value.keys.append(key)
                at = _skip(text, text.index("=", at) + 1)
            item = _value(text, at)
            value.items.append(item)
            at = _skip(text, item.end)
            value.comma = 0
            if text[at] == ",":
                value.comma = at + 1
                at = _skip(text, at + 1)
        value.end = at + 1
    else:
        found = _STRING.match(text, at) or _PLAIN.match(text, at)
        assert found is not None
        value.end = at + len(found[0].rstrip())
    return value
