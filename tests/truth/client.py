"""Talk to judge workers: start a few, give each programs, read verdicts, end them all."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]


class Worker:
    """One judge process. Torch is imported once, when the first request comes."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.truth.judge"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=None if os.environ.get("JUDGE_TRACEBACK") else subprocess.DEVNULL,
            cwd=ROOT,
            text=True,
        )

    def judge(self, request: dict[str, Any]) -> dict[str, Any]:
        """The reply to one request; raises if the worker is gone."""
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"the judge ended with status {self._process.wait()}")
        return dict(json.loads(line))

    def close(self) -> None:
        """End the process; its children end with their time limit or before."""
        if self._process.stdin is not None:
            self._process.stdin.close()
        try:
            self._process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._process.stdout is not None:
            self._process.stdout.close()

    def __enter__(self) -> Worker:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def judge_all(requests: Sequence[dict[str, Any]], workers: int = 2) -> list[dict[str, Any]]:
    """Replies in the order of the requests, from a few workers side by side."""
    replies: list[dict[str, Any]] = [{} for _ in requests]
    todo: queue.SimpleQueue[int] = queue.SimpleQueue()
    for number in range(len(requests)):
        todo.put(number)
    failures: list[BaseException] = []

    def work() -> None:
        try:
            with Worker() as worker:
                while True:
                    try:
                        number = todo.get_nowait()
                    except queue.Empty:
                        return
                    replies[number] = worker.judge(requests[number])
        except BaseException as error:  # handed to the caller below
            failures.append(error)

    threads = [threading.Thread(target=work) for _ in range(max(1, min(workers, len(requests))))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]
    return replies


def request_of(
    source: str, entry: str, inputs: str, variants: Iterable[str], frontends: Iterable[str], **more: Any
) -> dict[str, Any]:
    """One request in the form that the judge reads."""
    return {
        "source": source,
        "entry": entry,
        "inputs": inputs,
        "variants": list(variants),
        "frontends": list(frontends),
        **more,
    }
