"""Work in a process of its own, whose messages are kept even if it dies."""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import time
import warnings
from typing import Any, Callable, Dict, List, Optional, Tuple

Message = Dict[str, Any]
Send = Callable[[Message], None]


def can_fork() -> bool:
    """Whether this system has `fork`."""
    return hasattr(os, "fork")


def messages_of(work: Callable[[Send], None], seconds: float) -> Tuple[List[Message], Optional[str]]:
    """Run `work` in a fork of this process and collect what it sends. The second value says why it ended early. Where
    nothing can fork it runs here, and the limit does not hold."""
    if not can_fork():
        here: List[Message] = []
        work(here.append)
        return here, None
    reading, writing = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # threads: the caller has none that hold a lock
        child = os.fork()
    if child == 0:
        os.close(reading)
        _work(work, writing)
    os.close(writing)
    try:
        return _collect(reading, child, time.monotonic() + seconds, seconds)
    finally:
        os.close(reading)


def _work(work: Callable[[Send], None], writing: int) -> None:
    """The child: never returns."""

    def send(message: Message) -> None:
        data = json.dumps(message, default=str).encode() + b"\n"
        while data:
            data = data[os.write(writing, data) :]

    status = 1
    with contextlib.suppress(BaseException):
        work(send)
        status = 0
    os._exit(status)


def _collect(reading: int, child: int, deadline: float, seconds: float) -> Tuple[List[Message], Optional[str]]:
    data, late = bytearray(), False
    while True:
        left = deadline - time.monotonic()
        if left <= 0 or not select.select([reading], [], [], left)[0]:
            late = True
            break
        part = os.read(reading, 1 << 16)
        if not part:
            break
        data += part
    if late:
        with contextlib.suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    messages = []
    for line in bytes(data).split(b"\n"):
        with contextlib.suppress(ValueError):  # the last line of a process that was killed
            messages.append(json.loads(line))
    if late:
        return messages, f"no end within {seconds:.0f} s"
    if os.WIFSIGNALED(status):
        return messages, f"the process was ended by signal {os.WTERMSIG(status)}"
    return messages, None
