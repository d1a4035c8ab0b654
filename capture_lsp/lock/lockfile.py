"""`capture-lsp lock`: from targets to a lock, and from a lock to what has become worse."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

from capture_lsp.errors import UserError
from capture_lsp.lock.portable import portable
from capture_lsp.lock.reading import Malformed, loads
from capture_lsp.lock.records import Entries, Lock, dumps
from capture_lsp.paths import absolute
from capture_lsp.probe.targets import Target
from capture_lsp.textfile import write_atomically

_ANEW = "restore it, or delete it and `capture-lsp lock` writes a new one"


def read(path: str) -> Lock | None:
    """The lock in a file; None if there is no such file. Raises UserError."""
    try:
        with open(path, encoding="utf-8-sig") as stream:
            return loads(stream.read())
    except FileNotFoundError:
        return None
    except UnicodeDecodeError:
        raise UserError(f"{path}: it is not UTF-8; {_ANEW}") from None
    except OSError as error:
        raise UserError(f"{path}: cannot read it: {error.strerror or error}") from None
    except Malformed as error:
        raise UserError(f"{path}: {error}; {_ANEW}") from None


def write(path: str, lock: Lock) -> None:
    """Write a lock, if it is another than what is there. Raises UserError."""
    raw = dumps(lock).encode("utf-8")
    try:
        with open(path, "rb") as stream:
            if stream.read() == raw:
                return
    except OSError:
        pass
    try:
        write_atomically(path, raw)
    except OSError as error:
        raise UserError(f"{path}: {error.strerror or error}") from None


def row_of(target: Target, root: str) -> dict[str, Any]:
    """A target as the lock names it."""
    text = portable(target.path, root) + (f"::{target.entry}" if target.entry else "")
    row: dict[str, Any] = {"target": text}
    if target.inputs:
        row["inputs"] = list(target.inputs)
    if target.init is not None:
        row["init"] = target.init
    return row


def target_of(row: dict[str, Any], root: str) -> Target:
    """The target of a row."""
    path, _, entry = row["target"].partition("::")
    return named(Target("", absolute(path, root), entry or None, tuple(row.get("inputs", ())), row.get("init")))


def named(target: Target) -> Target:
    """The target with its absolute path as its text: that of the report."""
    text = f"{target.path}::{target.entry}" if target.entry else target.path
    return Target(text, target.path, target.entry, target.inputs, target.init)


def recorded_with(lock: Lock, rows: list[dict[str, Any]], release: str, entries: Entries, whole: bool) -> Lock:
    """The lock with what was found for a release. `whole`: everything was probed; else the other targets stay."""
    probed = {row["target"] for row in rows}
    kept_rows = [] if whole else [row for row in lock.targets if row["target"] not in probed]
    kept = {} if whole else {n: e for n, e in lock.torch.get(release, {}).items() if e.target not in probed}
    return Lock(kept_rows + rows, {**lock.torch, release: {**kept, **entries}})


def of_targets(entries: Entries, rows: Iterable[dict[str, Any]]) -> Entries:
    """The recorded entries of some targets."""
    names = {row["target"] for row in rows}
    return {name: entry for name, entry in entries.items() if entry.target in names}


def path_in(root: str, given: str | None, cwd: str) -> str:
    """Where the lock lies."""
    return absolute(given, cwd) if given is not None else os.path.join(root, "capture.lock")
