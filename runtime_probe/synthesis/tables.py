"""The tables of names in this folder."""

from __future__ import annotations

import functools
import os
import re
from typing import List, Pattern, Tuple

Row = Tuple[Pattern[str], List[str]]


@functools.lru_cache(16)
def rows(table: str) -> List[Row]:
    """The rows of `table`.tsv: a pattern for a whole name in lower case, and the entries of the second column."""
    found: List[Row] = []
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), table + ".tsv")
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            text = line.rstrip("\n")
            if not text or text.startswith(("#", "pattern\t")):
                continue
            pattern, _, entries = text.partition("\t")
            found.append((re.compile(pattern), [entry.strip() for entry in entries.split(";")]))
    return found


def look_up(table: str, name: str) -> List[str]:
    """The entries for a name: those of the first row whose pattern is the whole name, less a number at its end."""
    plain = name.lower().lstrip("_")
    for candidate in (plain, plain.rstrip("0123456789_")):
        for pattern, entries in rows(table):
            if candidate and pattern.fullmatch(candidate):
                return entries
    return []
