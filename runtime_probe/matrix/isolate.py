"""Work done in a forked child: it sees this process as it is now, and changes nothing in it.

Without fork (Windows) the work is done here, and what it changes stays changed.
"""

from __future__ import annotations

import contextlib
import gc
import os
import pickle
import select
import signal
import struct
import sys
import time
from typing import Any, Callable, Iterator, Optional

from runtime_probe.job import describe

Send = Callable[[Any], None]

_LENGTH = struct.Struct("<q")


class Ended(Exception):
    """A child ended without its answer: it failed, died or took too long."""


class OutOfTime(Ended):
    """It took too long, and was killed."""


class _Failed:
    def __init__(self, message: str) -> None:
        self.message = message


def answer_of(work: Callable[[], Any], seconds: float = 60.0) -> Any:
    """What `work` returns, which must be picklable; raises Ended."""
    for answer in answers_of(lambda send: send(work()), seconds):
        return answer
    raise Ended("the process ended without an answer")


def answers_of(work: Callable[[Send], None], seconds: float = 60.0) -> Iterator[Any]:
    """Everything that `work` sends, while it works; raises Ended behind the last answer if it did not end well."""
    if not hasattr(os, "fork"):
        yield from _here(work)
        return
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        _work_in_child(work, writing)
    os.close(writing)
    deadline, status = time.monotonic() + seconds, None
    try:
        while True:
            message = _receive(reading, deadline)
            if message is None:
                _, status = os.waitpid(child, 0)
                break
            if isinstance(message, _Failed):
                raise Ended(message.message)
            yield message
    finally:
        os.close(reading)
        if status is None:
            _kill(child)
    if status:
        number = status & 127
        raise Ended(f"the process was ended by signal {number}" if number else "the program ended the process")


def _here(work: Callable[[Send], None]) -> Iterator[Any]:
    sent: list[Any] = []
    try:
        work(sent.append)
    except Exception as error:
        sent.append(_Failed(describe(error)))
    for message in sent:
        if isinstance(message, _Failed):
            raise Ended(message.message)
        yield message


def _receive(descriptor: int, deadline: float) -> Any:
    """The next message, None at the end; raises Ended at the deadline."""
    head = _read(descriptor, _LENGTH.size, deadline)
    if head is None:
        return None
    body = _read(descriptor, _LENGTH.unpack(head)[0], deadline)
    return None if body is None else pickle.loads(body)


def _read(descriptor: int, size: int, deadline: float) -> Optional[bytes]:
    parts = bytearray()
    while len(parts) < size:
        left = deadline - time.monotonic()
        if left <= 0 or not select.select([descriptor], [], [], left)[0]:
            raise OutOfTime("no answer within the time limit")
        part = os.read(descriptor, min(size - len(parts), 1 << 20))
        if not part:
            return None
        parts += part
    return bytes(parts)


def _kill(child: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(child, signal.SIGKILL)
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.kill(child, signal.SIGKILL)
    with contextlib.suppress(ChildProcessError):
        os.waitpid(child, 0)


def _work_in_child(work: Callable[[Send], None], writing: int) -> None:
    status = 1
    try:
        os.setpgid(0, 0)
        _die_with_parent()
        gc.disable()  # a collection would copy every page of the parent

        def send(answer: Any) -> None:
            body = pickle.dumps(answer, protocol=4)
            data = memoryview(_LENGTH.pack(len(body)) + body)
            while data:
                data = data[os.write(writing, data) :]

        try:
            work(send)
            status = 0
        except BaseException as error:
            send(_Failed(describe(error)))
            status = 0
    finally:
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(Exception):
                stream.flush()
        os._exit(status)


def _die_with_parent() -> None:
    """On Linux a child ends when the process that waits for it is killed."""
    if not sys.platform.startswith("linux"):
        return
    import ctypes

    kill_on_parent_death = 1
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(kill_on_parent_death, signal.SIGKILL)
