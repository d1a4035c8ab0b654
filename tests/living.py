"""Which processes of a test are still there: all that it starts have a mark in their environment."""

from __future__ import annotations

import time
from pathlib import Path

MARK = "CAPTURE_LSP_TEST_SESSION"


def living(mark: str) -> list[str]:
    """The command lines of the processes that live and were started, by whomever, with this mark."""
    wanted = f"{MARK}={mark}".encode()
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        try:
            if wanted in (path / "environ").read_bytes().split(b"\0"):
                found.append((path / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace"))
        except OSError:  # it ended, or is not ours
            continue
    return found


def assert_nothing_lives(mark: str) -> None:
    """After a moment: who starts a process does not always wait for its last breath."""
    end = time.monotonic() + 20.0
    while living(mark) and time.monotonic() < end:
        time.sleep(0.05)
    assert living(mark) == []
