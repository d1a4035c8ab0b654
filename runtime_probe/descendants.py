"""The processes that a probe started, wherever they hide: found, weighed and killed.

On Linux a supervisor adopts every orphan below it (`PR_SET_CHILD_SUBREAPER`), so that a process that left its session
or its parent is still found. Elsewhere the table of `ps` is read, and what left its parent may be missed.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import time
from typing import Dict, List, Tuple

_ADOPT_ORPHANS = 36  # PR_SET_CHILD_SUBREAPER in <linux/prctl.h>
_PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096
_PROC = os.path.isdir("/proc/self/task")


def adopt_orphans() -> bool:
    """Become the parent of every orphan below this process; False where the system has no such thing."""
    if not sys.platform.startswith("linux"):
        return False
    try:
        return int(ctypes.CDLL(None).prctl(_ADOPT_ORPHANS, 1, 0, 0, 0)) == 0
    except (OSError, AttributeError):
        return False


def descendants(pid: int) -> List[int]:
    """The living processes below one, children before grandchildren."""
    found: List[int] = []
    waiting = [pid]
    table = {} if _PROC else _children_by_ps()
    while waiting:
        parent = waiting.pop()
        children = _children(parent) if _PROC else table.get(parent, [])
        found += children
        waiting += children
    return found


def _children(pid: int) -> List[int]:
    found: List[int] = []
    try:
        for task in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{task}/children", encoding="ascii") as file:
                found += map(int, file.read().split())
    except (OSError, ValueError):
        return found
    return found


def _ps() -> List[Tuple[int, int, int]]:
    """(pid, parent, resident KiB) of every process."""
    try:
        text = subprocess.run(["ps", "-axo", "pid=,ppid=,rss="], capture_output=True, text=True, timeout=5).stdout
    except (OSError, subprocess.SubprocessError):
        return []
    rows = [line.split() for line in text.splitlines()]
    return [(int(r[0]), int(r[1]), int(r[2])) for r in rows if len(r) == 3]


def _children_by_ps() -> Dict[int, List[int]]:
    table: Dict[int, List[int]] = {}
    for pid, parent, _ in _ps():
        table.setdefault(parent, []).append(pid)
    return table


def resident(pid: int) -> int:
    """Bytes of memory that a process holds, those that it shares included; 0 if it is gone."""
    if not _PROC:
        return next((kib * 1024 for found, _, kib in _ps() if found == pid), 0)
    try:
        with open(f"/proc/{pid}/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * _PAGE
    except (OSError, ValueError, IndexError):
        return 0


def kill_group(pid: int) -> None:
    """Kill a process, its group and all that is below it now."""
    below = descendants(pid)
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)
    for one in (pid, *below):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(one, signal.SIGKILL)


def kill_all(seconds: float = 5.0) -> bool:
    """Kill and reap everything below this process, however often it forks; whether nothing is left."""
    end = time.monotonic() + seconds
    while True:
        left = descendants(os.getpid())
        for pid in left:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        reap()
        if not left:
            return True
        if time.monotonic() > end:
            return False
        time.sleep(0.005)


def reap() -> None:
    """Collect the children that have ended."""
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
