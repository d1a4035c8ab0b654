"""From the text of a lock to what it holds; of a text that a merge or an editor has damaged what is wrong in it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from analyzer.outcome import FRONTENDS, RANK
from capture_lsp.lock.records import VERSION, Entries, Fingerprint, Lock, Locked, LockedBreak

_T = TypeVar("_T")


class Malformed(ValueError):
    """The text is not a lock that this release reads; the message says why."""


def loads(text: str) -> Lock:
    """The inverse of `records.dumps`. Raises Malformed."""
    try:
        document = json.loads(text)
    except RecursionError:
        raise Malformed("it is not JSON: it is nested too deeply") from None
    except ValueError as error:
        if "\n<<<<<<<" in f"\n{text}":
            raise Malformed("it holds the marks of a merge conflict") from None
        raise Malformed(f"it is not JSON: {error}") from None
    if not isinstance(document, dict):
        raise Malformed("it is not a capture lock: no JSON object")
    if "version" not in document:
        raise Malformed("it is not a capture lock: no `version`")
    if document["version"] != VERSION or isinstance(document["version"], bool):
        raise Malformed(f"it is of version {json.dumps(document['version'])}, this release reads {VERSION}")
    targets = _member(document, "targets", _list(_target), "")
    return Lock(targets, _member(document, "torch", _table(_entries), ""))


#: What reads a value: gets it and its place in the document.
_Read = Callable[[Any, str], _T]


def _wrong(place: str, what: str) -> Malformed:
    return Malformed(f"{place or 'it'} is not {what}")


def _member(row: Mapping[str, Any], name: str, read: _Read[_T], place: str) -> _T:
    if name not in row:
        raise Malformed(f"{place or 'it'} has no `{name}`")
    return read(row[name], f"{place}.{name}" if place else name)


def _text(value: Any, place: str) -> str:
    if not isinstance(value, str):
        raise _wrong(place, "a string")
    return value


def _name(value: Any, place: str) -> str:
    if not _text(value, place):
        raise Malformed(f"{place} is empty")
    return str(value)


def _number(value: Any, place: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise _wrong(place, "a number of things")
    return value


def _outcome(value: Any, place: str) -> str:
    if value not in RANK:
        raise _wrong(place, f"one of {', '.join(RANK)}")
    return str(value)


def _object(value: Any, place: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise _wrong(place, "an object")
    return value


def _list(read: _Read[_T]) -> _Read[list[_T]]:
    def every(value: Any, place: str) -> list[_T]:
        if not isinstance(value, list):
            raise _wrong(place, "a list")
        return [read(one, f"{place}[{number}]") for number, one in enumerate(value)]

    return every


def _table(read: _Read[_T]) -> _Read[dict[str, _T]]:
    def every(value: Any, place: str) -> dict[str, _T]:
        return {name: read(one, f"{place}[{name!r}]") for name, one in _object(value, place).items()}

    return every


def _by_frontend(read: _Read[_T]) -> _Read[dict[str, _T]]:
    def every(value: Any, place: str) -> dict[str, _T]:
        for name in _object(value, place):
            if name not in FRONTENDS:
                raise Malformed(f"{place}: {name!r} is no frontend")
        return _table(read)(value, place)

    return every


_TEXTS = _list(_text)


def _target(value: Any, place: str) -> dict[str, Any]:
    row = dict(_object(value, place))
    text = _member(row, "target", _name, place)
    path, separator, entry = text.partition("::")
    if not path or (separator and not entry.strip()):
        raise Malformed(f"{place}.target: {text!r} is not FILE or FILE::ENTRY")
    if "inputs" in row:
        _TEXTS(row["inputs"], f"{place}.inputs")
    if row.get("init") is not None:
        _text(row["init"], f"{place}.init")
    return row


def _entries(value: Any, place: str) -> Entries:
    return _table(_entry)(value, place)


def _entry(value: Any, place: str) -> Locked:
    row = _object(value, place)
    return Locked(
        target=_member(row, "target", _name, place),
        inputs=tuple(_member(row, "inputs", _TEXTS, place)),
        graphs=_member(row, "graphs", _number, place),
        ops=_member(row, "ops", _number, place),
        eager=tuple(_member(row, "eager", _TEXTS, place)),
        breaks=tuple(_member(row, "breaks", _list(_break), place)),
        guards=tuple(_member(row, "guards", _TEXTS, place)),
        recompiles=_member(row, "recompiles", _number, place),
        matrix=_member(row, "matrix", _by_frontend(_outcome), place),
        changes=_member(row, "changes", _by_frontend(_table(_outcome)), place),
    )


def _break(value: Any, place: str) -> LockedBreak:
    row = _object(value, place)
    names = (_member(row, name, _text, place) for name in ("id", "function", "expression"))
    return LockedBreak(
        Fingerprint(*names), _member(row, "at", _text, place), _member(row, "reached_from", _text, place)
    )
