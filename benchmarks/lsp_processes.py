"""What a process and all that it started use, from /proc: nothing of it on systems that have none."""

from __future__ import annotations

import os
from pathlib import Path

_PROC = Path("/proc")
KNOWN = (_PROC / "self" / "stat").exists()


def _fields(pid: int) -> list[str]:
    """The fields of a process' stat from its state on; none if it is gone. Its name may hold blanks and brackets."""
    try:
        return (_PROC / str(pid) / "stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []


def tree(pid: int) -> list[int]:
    """A process and its living descendants."""
    parents: dict[int, list[int]] = {}
    for entry in _PROC.glob("[0-9]*"):
        fields = _fields(int(entry.name))
        if fields and fields[0] != "Z":
            parents.setdefault(int(fields[1]), []).append(int(entry.name))
    found = [pid]
    for one in found:
        found += parents.get(one, [])
    return found


def alive(pid: int) -> bool:
    fields = _fields(pid)
    return bool(fields) and fields[0] != "Z"


def cpu_seconds(pid: int) -> float | None:
    """User and system time of the tree, with that of children that ended and were waited for."""
    if not KNOWN:
        return None
    ticks = sum(int(field) for one in tree(pid) for field in _fields(one)[11:15])
    return ticks / os.sysconf("SC_CLK_TCK")


def resident(pid: int) -> int | None:
    """Bytes of memory that the tree holds; pages that two of its processes share count twice."""
    if not KNOWN:
        return None
    pages = 0
    for one in tree(pid):
        try:
            pages += int((_PROC / str(one) / "statm").read_text().split()[1])
        except OSError:
            continue
    return pages * os.sysconf("SC_PAGE_SIZE")
