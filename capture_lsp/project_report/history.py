"""One line a run, in a file that a team keeps: how findings, breaks and graphs went on."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from typing import Any, cast

from capture_lsp.errors import UserError
from capture_lsp.project_report.data import Row
from capture_lsp.textfile import write_atomically

#: So many runs are drawn.
MOST_ROWS = 200
#: The largest number that a browser reads exactly.
_MOST_COUNT = 2**53 - 1
_TEXTS, _COUNTS = ("date", "commit", "torch"), ("kinds", "frontends")
_PROBED = ("breaks", "graphs", "recompiles", "entries", "whole")


def read(path: str) -> list[Row]:
    """The rows of a file; none where there is no file yet.

    Raises:
        UserError: the file cannot be read, or a line is none of ours.
    """
    if not os.path.exists(path):
        return []
    try:
        with open(path, encoding="utf-8-sig") as stream:
            lines = stream.read().split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"{path}: {getattr(error, 'strerror', None) or error}") from None
    found = []
    for number, line in enumerate(lines, 1):
        if line.strip():
            row = _row(line)
            if row is None:
                raise UserError(f"{path}:{number}: no line of `capture-lsp report --history`; name another file")
            found.append(row)
    return found


def append(path: str, known: Sequence[Row], row: Row) -> None:
    """Write the rows with one more. Raises UserError."""
    text = "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in (*known, row))
    try:
        write_atomically(path, text.encode("utf-8", "backslashreplace"))
    except OSError as error:
        raise UserError(f"{path}: {error.strerror or error}") from None


def _row(line: str) -> Row | None:
    try:
        found: Any = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(found, dict) or set(found) != set(Row.__annotations__):
        return None
    good = (
        all(isinstance(found[name], str) for name in _TEXTS)
        and _is_count(found["findings"])
        and all(isinstance(found[name], dict) and all(map(_is_count, found[name].values())) for name in _COUNTS)
        and all(found[name] is None or _is_count(found[name]) for name in _PROBED)
    )
    return cast(Row, found) if good else None


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= _MOST_COUNT
