"""Work done in a forked child: it sees this process as it is now, and changes nothing in it.

Without fork (Windows) the work is done here, and what it changes stays changed.
"""

from __future__ import annotations

import contextlib
import functools
import gc
import io
import os
import pickle
import select
import signal
import struct
import sys
import time
from typing import Any, Callable, Iterator, Optional, Sequence

import torch

from runtime_probe import channel
from runtime_probe.job import describe

Send = Callable[[Any], None]

_LENGTH = struct.Struct("<q")


class Ended(Exception):
    """A child ended without its answer: it failed, died or took too long."""


class OutOfTime(Ended):
    """It took too long, and was killed."""


_END = object()


class _Failed:
    def __init__(self, message: str) -> None:
        self.message = message


def answer_of(work: Callable[[], Any], seconds: float = 60.0) -> Any:
    """What `work` returns, which must be picklable; raises Ended."""
    for answer in answers_of(lambda send: send(work()), seconds):
        return answer
    raise Ended("the process ended without an answer")


def answers_of(work: Callable[[Send], None], seconds: float = 60.0) -> Iterator[Any]:
    """Everything that `work` sends, while it works, each within `seconds` of the one before; raises Ended behind the
    last answer if it did not end well."""
    if not hasattr(os, "fork"):
        yield from _here(work)
        return
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        _work_in_child(work, writing)
    os.close(writing)
    status = None
    try:
        while True:
            message = _receive(reading, time.monotonic() + seconds)
            if message is _END:
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
        if status >> 8 == channel.LOST:
            raise Ended("the program closed the descriptors of the probe")
        raise Ended(f"the process was ended by signal {number}" if number else "the program ended the process")


def answers_in_turn(works: Sequence[Callable[[], Any]], seconds: float, apart: bool) -> Iterator[Any]:
    """The answer of each piece of work, an Ended in its place if it has none. `apart`: each in a child of its own; else
    they share one for as long as it lives. `seconds` for each."""
    done = 0
    while done < len(works):
        batch = works[done : done + 1] if apart else works[done:]
        received = 0
        try:
            for answer in answers_of(functools.partial(_send_all, batch), seconds):
                yield Ended(answer.message) if isinstance(answer, _Told) else answer
                received += 1
        except Ended as error:
            if received < len(batch):
                yield error
                received += 1
        done += max(received, 1)


def _send_all(works: Sequence[Callable[[], Any]], send: Send) -> None:
    for work in works:
        try:
            send(work())
        except Exception as error:
            send(_Told(describe(error)))


class _Told:
    """One of several pieces of work failed; the next ones go on."""

    def __init__(self, message: str) -> None:
        self.message = message


def mute() -> None:
    """What is printed from here on is lost: another run of the same program has printed it."""
    with contextlib.suppress(Exception):
        sys.stdout.flush()
        sys.stderr.flush()
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    os.close(nowhere)


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
    """The next message, _END at the end; raises Ended at the deadline."""
    head = _read(descriptor, _LENGTH.size, deadline)
    if head is None:
        return _END
    body = _read(descriptor, _LENGTH.unpack(head)[0], deadline)
    if body is None:
        return _END
    try:
        return pickle.loads(body)
    except Exception as error:
        raise Ended(f"its answer cannot be read: {describe(error)}") from None


class _Pickler(pickle.Pickler):
    """torch 2.13 cannot read back tensors of its newer dtypes (float8, uint16) that it pickled: their bytes go."""

    def reducer_override(self, value: Any) -> Any:
        if type(value) is not torch.Tensor or value.dtype in _PICKLED or value.device.type != "cpu":
            return NotImplemented
        if value.layout is not torch.strided or value.is_quantized:
            return NotImplemented
        raw = value.detach().contiguous().reshape(-1).view(torch.uint8)
        return _of_bytes, (raw, value.dtype, tuple(value.shape))


#: Dtypes that torch pickles and reads back.
_PICKLED = {torch.float64, torch.float32, torch.float16, torch.bfloat16, torch.complex64, torch.complex128,
            torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8, torch.bool}  # fmt: skip


def _of_bytes(raw: torch.Tensor, dtype: torch.dtype, shape: Sequence[int]) -> torch.Tensor:
    return raw.view(dtype).reshape(tuple(shape))


def _packed(answer: Any) -> bytes:
    body = io.BytesIO()
    _Pickler(body, protocol=4).dump(answer)
    return body.getvalue()


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
        check = channel.guard(writing)
        gc.disable()  # a collection would copy every page of the parent

        def send(answer: Any) -> None:
            body = _packed(answer)
            check()
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
