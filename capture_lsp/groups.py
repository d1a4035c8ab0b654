"""The files of a run in groups, which are analysed apart from each other, in one process or in several.

What is known of a function is shared within a group, and bounded. So groups are made of the files alone: the findings
are the same, however many processes there are and whichever comes first.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

#: What is worth a process of its own.
GROUP_BYTES = 800_000
#: Each group reads again what others have read: of diffusers, eight took 13 s of CPU time, four 10.5 s, one 9 s.
MOST_GROUPS = 4


def groups_of(files: Sequence[str]) -> list[list[str]]:
    """The files in as many groups as are worth it."""
    return split(files, min(MOST_GROUPS, sum(map(_size, files)) // GROUP_BYTES))


def split(files: Sequence[str], groups: int) -> list[list[str]]:
    """Neighbouring files stay together, for they import each other; groups are of about the same number of bytes."""
    sizes = [_size(path) for path in files]
    share = max(1, sum(sizes) // max(1, groups))
    parts: list[list[str]] = [[]]
    filled = 0
    for path, size in zip(files, sizes):
        if parts[-1] and filled + size / 2 > share and len(parts) < groups:
            parts.append([])
            filled = 0
        parts[-1].append(path)
        filled += size
    return parts


def _size(path: str) -> int:
    try:
        return os.stat(path).st_size + 1000
    except OSError:
        return 1000
