"""The worker of a target as its supervisor sees it: events, prints, and an end.

Where the system can fork, a worker is a fork of the process that has torch imported. Elsewhere (Windows) it is a fresh
process, which imports torch first.
"""

from __future__ import annotations

import contextlib
import dataclasses
import json
import os
import queue
import select
import subprocess
import sys
import threading
import time
from typing import Any, Callable, List, Optional, Tuple

from runtime_probe import channel, descendants
from runtime_probe.job import Job

EVENTS, OUTPUT = "events", "output"
_CHUNK = 1 << 16
#: The argument with which the launcher script makes a worker.
AS_WORKER = "--worker"


#: Fresh workers that have not ended: nothing else would end them with this process.
RUNNING: List[Worker] = []


class Worker:
    """A running worker. `wait` gives what arrived, as (EVENTS or OUTPUT, data); empty data ends that stream."""

    pid: int

    def wait(self, seconds: float) -> List[Tuple[str, bytes]]:
        raise NotImplementedError

    def ended(self) -> bool:
        """Whether the process is gone, whoever else may hold its streams open."""
        raise NotImplementedError

    def close(self) -> int:
        """Release the streams and give the status as `os.waitpid` would, 0 for a good end."""
        raise NotImplementedError


class Forked(Worker):
    """A worker forked from here."""

    def __init__(self, job: Job) -> None:
        self._events, events = os.pipe()
        self._output, output = os.pipe()
        self._open = {self._events: EVENTS, self._output: OUTPUT}
        self._status: Optional[int] = None
        self.pid = os.fork()
        if self.pid == 0:
            os.close(self._events)
            os.close(self._output)
            _work(job, events, output)
        os.close(events)
        os.close(output)

    def wait(self, seconds: float) -> List[Tuple[str, bytes]]:
        found = []
        for descriptor in select.select(list(self._open), [], [], seconds)[0]:
            data = os.read(descriptor, _CHUNK)
            found.append((self._open[descriptor], data))
            if not data:
                del self._open[descriptor]
        return found

    def ended(self) -> bool:
        if self._status is None:
            try:
                pid, status = os.waitpid(self.pid, os.WNOHANG)
            except ChildProcessError:
                pid, status = self.pid, 0
            if pid:
                self._status = status
        return self._status is not None

    def close(self) -> int:
        while not self.ended():
            time.sleep(0.001)
        os.close(self._events)
        os.close(self._output)
        return self._status or 0


class Fresh(Worker):
    """A worker in a process of its own, started by the script that started this one."""

    def __init__(self, job: Job) -> None:
        command = [sys.executable, "-u", sys.argv[0], AS_WORKER]
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe)
        self.pid = self._process.pid
        RUNNING.append(self)
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        self._process.stdin.write(json.dumps(dataclasses.asdict(job)).encode() + b"\n")
        self._process.stdin.close()
        self._arrived: queue.Queue[Tuple[str, bytes]] = queue.Queue()
        for name, stream in ((EVENTS, self._process.stdout), (OUTPUT, self._process.stderr)):
            threading.Thread(target=self._read, args=(name, stream.fileno()), daemon=True).start()

    def _read(self, name: str, descriptor: int) -> None:
        while True:
            with contextlib.suppress(OSError):
                data = os.read(descriptor, _CHUNK)
                self._arrived.put((name, data))
                if data:
                    continue
            return

    def wait(self, seconds: float) -> List[Tuple[str, bytes]]:
        found: List[Tuple[str, bytes]] = []
        with contextlib.suppress(queue.Empty):
            found.append(self._arrived.get(timeout=seconds))
            while True:
                found.append(self._arrived.get_nowait())
        return found

    def ended(self) -> bool:
        return self._process.poll() is not None

    def close(self) -> int:
        code = self._process.wait()
        RUNNING.remove(self)
        return code << 8 if code >= 0 else -code


def can_fork(job: Job) -> bool:
    """Whether this system forks; a job can ask for fresh processes."""
    return hasattr(os, "fork") and bool(job.options.get("fork", True))


def start(job: Job) -> Worker:
    """Start a worker in the way that this system has."""
    return Forked(job) if can_fork(job) else Fresh(job)


def kill(worker: Worker) -> None:
    """End a worker and everything below it."""
    if sys.platform == "win32":
        subprocess.run(["taskkill", "/F", "/T", "/PID", str(worker.pid)], capture_output=True)
    else:
        descendants.kill_group(worker.pid)


def _work(job: Job, events: int, output: int) -> None:
    """The worker's side of the fork: its own session, nothing to read, prints into a pipe. Never returns."""
    status = 1
    try:
        from runtime_probe.worker import die_with_parent

        os.setsid()
        die_with_parent()
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.dup2(output, 1)
        os.dup2(output, 2)
        _serve(job, channel.sender(events))
        status = 0
    finally:
        os._exit(status)


def work_fresh() -> None:
    """The side of a fresh process: a job on standard input, events on what was standard output. Never returns."""
    import torch

    from runtime_probe import versions

    torch.set_num_threads(1)
    versions.skip_statistics()
    events = os.dup(1)
    os.dup2(2, 1)
    job = Job.of(json.loads(sys.stdin.readline()))
    _serve(job, channel.sender(events))
    os._exit(0)


def _serve(job: Job, emit: Callable[[Any], None]) -> None:
    from runtime_probe.worker import work

    sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115
    sys.stdout = open(1, "w", encoding="utf-8", errors="replace", buffering=1, closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", encoding="utf-8", errors="replace", buffering=1, closefd=False)  # noqa: SIM115
    work(job, emit)
