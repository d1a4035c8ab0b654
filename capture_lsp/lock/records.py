"""What a lock holds, as types, and as JSON: one entry, one break or one outcome a line, sorted.

JSON, because the standard library of every supported Python reads and writes it.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from typing import Any

VERSION = 1


@dataclass(frozen=True, order=True)
class Fingerprint:
    """What tells a break from others wherever it stands: `id` of Dynamo's registry, or the kind of break; the function
    that it is in; its expression, normalised."""

    id: str
    function: str
    expression: str


@dataclass(frozen=True, order=True)
class LockedBreak:
    """A break. `at` and `reached_from`, both `path:line`, are for people: they are not compared."""

    fingerprint: Fingerprint
    at: str
    reached_from: str = ""


@dataclass(frozen=True)
class Locked:
    """One entry. `target`: what was probed for it; `ops`: operations in graphs; `eager`: functions that run eagerly as
    a whole; `recompiles` of the given calls; `changes`: frontend → change of the inputs → outcome."""

    target: str
    inputs: tuple[str, ...]
    graphs: int
    ops: int
    eager: tuple[str, ...] = ()
    breaks: tuple[LockedBreak, ...] = ()
    guards: tuple[str, ...] = ()
    recompiles: int = 0
    matrix: dict[str, str] = field(default_factory=dict)
    changes: dict[str, dict[str, str]] = field(default_factory=dict)


#: Name of an entry, `train.py::step`, → the entry.
Entries = dict[str, Locked]


@dataclass
class Lock:
    """`targets`: what is probed, as rows of a batch; `torch`: release → its entries."""

    targets: list[dict[str, Any]] = field(default_factory=list)
    torch: dict[str, Entries] = field(default_factory=dict)


def dumps(lock: Lock) -> str:
    """The same text for the same lock."""
    rows = sorted(json.dumps(row, sort_keys=True, ensure_ascii=False) for row in lock.targets)
    releases = [
        _object([f"{_quoted(name)}: {_entry(entry)}" for name, entry in sorted(entries.items())], 2)
        for _, entries in sorted(lock.torch.items())
    ]
    torch = [f"{_quoted(release)}: {text}" for release, text in zip(sorted(lock.torch), releases)]
    members = [f'"version": {VERSION}', f'"targets": {_array(rows, 1)}', f'"torch": {_object(torch, 1)}']
    return _object(members, 0) + "\n"


def _entry(entry: Locked) -> str:
    breaks = [
        json.dumps({**asdict(one.fingerprint), "at": one.at, "reached_from": one.reached_from}, ensure_ascii=False)
        for one in sorted(entry.breaks)
    ]
    changes = [
        f"{_quoted(frontend)}: {_object([f'{_quoted(c)}: {_quoted(o)}' for c, o in sorted(tried.items())], 5)}"
        for frontend, tried in sorted(entry.changes.items())
    ]
    members = [
        f'"target": {_quoted(entry.target)}',
        f'"inputs": {json.dumps(list(entry.inputs), ensure_ascii=False)}',
        f'"graphs": {entry.graphs}',
        f'"ops": {entry.ops}',
        f'"eager": {_array([_quoted(name) for name in sorted(entry.eager)], 4)}',
        f'"breaks": {_array(breaks, 4)}',
        f'"guards": {json.dumps(sorted(entry.guards))}',
        f'"recompiles": {entry.recompiles}',
        f'"matrix": {json.dumps(entry.matrix, sort_keys=True)}',
        f'"changes": {_object(changes, 4)}',
    ]
    return _object(members, 3)


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _object(members: list[str], depth: int) -> str:
    return _lines("{", members, "}", depth)


def _array(items: list[str], depth: int) -> str:
    return _lines("[", items, "]", depth)


def _lines(opening: str, rows: list[str], closing: str, depth: int) -> str:
    if not rows:
        return opening + closing
    inner = "\n" + " " * (depth + 1)
    return opening + inner + f",{inner}".join(rows) + "\n" + " " * depth + closing
