"""Worker processes that share the files of a run.

Not `multiprocessing`: its helper processes start with the working directory on the import path, where a workspace's own
`struct.py` or `libcst.py` would be imported.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Sequence

from analyzer.finding import FileError
from capture_lsp.analysis import Progress, Task
from capture_lsp.results import Unit
from capture_lsp.worker import task_to_json


def workers_for(groups: int, jobs: int) -> int:
    """How many processes to use: at most `jobs`, or as many as there are cores (0)."""
    return max(1, min(jobs or os.cpu_count() or 1, groups))


class Pool:
    """Runs one task over groups of files in worker processes."""

    def __init__(self, task: Task, workers: int, progress: Progress | None) -> None:
        self._task = json.dumps(task_to_json(task))
        self._workers = workers
        self._progress = progress
        self._groups: queue.Queue[list[str]] = queue.Queue()
        self._units: dict[str, Unit] = {}
        self._processes: list[subprocess.Popen[str]] = []
        self._pending = 0
        self._lock = threading.Lock()
        self._done = threading.Event()

    def run(self, groups: Sequence[list[str]]) -> list[Unit]:
        """The units of the files, in their order."""
        self._pending = len(groups)
        for group in groups:
            self._groups.put(group)
        threads = [threading.Thread(target=self._serve, daemon=True) for _ in range(self._workers)]
        for thread in threads:
            thread.start()
        try:
            while not self._done.wait(0.2):  # a wait without limit cannot be interrupted on Windows
                pass
        finally:
            self._done.set()
            for process in self._processes:
                process.kill()
        for thread in threads:
            thread.join()
        return [self._units[path] for group in groups for path in group]

    def _serve(self) -> None:
        process: subprocess.Popen[str] | None = None
        while not self._done.is_set():
            try:
                group = self._groups.get(timeout=0.1)
            except queue.Empty:
                continue
            if process is None:
                process = self._start()
            answer = _ask(process, group, self._progress)
            if self._done.is_set():
                return
            if answer is None:
                process.kill()
                process.wait()
                process = None
                self._split_further(group)
            else:
                self._finish(answer)

    def _start(self) -> subprocess.Popen[str]:
        code = f"import sys; sys.path[:] = {sys.path!r}; from capture_lsp.worker import main; main()"
        process = subprocess.Popen(
            [sys.executable, "-c", code],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="utf-8",
        )
        with self._lock:
            self._processes.append(process)
        assert process.stdin is not None
        with contextlib.suppress(OSError):  # it died at once: the first request will tell
            process.stdin.write(self._task + "\n")
        return process

    def _split_further(self, group: list[str]) -> None:
        """The process died: find the file that kills it, and report that one alone."""
        if len(group) == 1:
            message = "internal error: the process that analysed this file died"
            self._finish([Unit(group[0], errors=[FileError(group[0], 1, "internal", message)])])
            return
        with self._lock:
            self._pending += 1
        half = len(group) // 2
        self._groups.put(group[:half])
        self._groups.put(group[half:])

    def _finish(self, units: list[Unit]) -> None:
        with self._lock:
            self._units.update((unit.path, unit) for unit in units)
            self._pending -= 1
            if self._pending == 0:
                self._done.set()


def _ask(process: subprocess.Popen[str], files: list[str], progress: Progress | None) -> list[Unit] | None:
    """The answer of a worker to one request; None if it died."""
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        process.stdin.write(json.dumps(files) + "\n")
        process.stdin.flush()
        for line in process.stdout:
            answer = json.loads(line)
            if "units" in answer:
                return [Unit.from_json(unit) for unit in answer["units"]]
            if progress is not None:
                progress(answer["progress"])
    except (OSError, ValueError):
        pass
    return None
