"""Ending a process and everything that it started."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from dataclasses import dataclass


@dataclass(frozen=True)
class Known:
    """One process. `started`: its start time in ticks, which tells it from a later process with the same id."""

    pid: int
    started: str


def descendants(pid: int) -> list[Known]:
    """Every process below one, by what /proc says now; none where there is no /proc."""
    children: dict[int, list[Known]] = {}
    try:
        names = [name for name in os.listdir("/proc") if name.isdigit()]
    except OSError:
        return []
    for name in names:
        row = _stat(int(name))
        if row is not None:
            children.setdefault(int(row[1]), []).append(Known(int(name), row[19]))
    found: list[Known] = []
    waiting = [pid]
    while waiting:
        below = children.get(waiting.pop(), [])
        found += below
        waiting += [known.pid for known in below]
    return found


def _stat(pid: int) -> list[str] | None:
    """The fields of /proc/PID/stat behind the program's name: state, parent, …, start time (proc(5): field 22)."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as stream:
            return stream.read().rpartition(")")[2].split()
    except OSError:
        return None


def alive(known: Known) -> bool:
    row = _stat(known.pid)
    return row is not None and row[19] == known.started and row[0] != "Z"


def kill_tree(process: subprocess.Popen[bytes], earlier: list[Known]) -> None:
    """Kill a process, its group, its descendants, and those of `earlier` that still live."""
    if sys.platform == "win32":
        subprocess.run(["taskkill", "/T", "/F", "/PID", str(process.pid)], capture_output=True, check=False)
    else:
        if process.poll() is None:
            # Stopped first, so that it starts nothing between the look and the kill.
            with contextlib.suppress(OSError):
                os.kill(process.pid, signal.SIGSTOP)
            earlier = [*earlier, *descendants(process.pid)]
            with contextlib.suppress(OSError):
                os.killpg(process.pid, signal.SIGKILL)
        for known in dict.fromkeys(earlier):
            for one in (*descendants(known.pid), known) if alive(known) else ():
                with contextlib.suppress(OSError):
                    os.kill(one.pid, signal.SIGKILL)
    with contextlib.suppress(OSError):
        process.kill()
    process.wait()
