"""Talk to judge workers: start a few, give each programs, read verdicts, end them all."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
from collections.abc import Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
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
        assert self._process.stdin is not None
        assert self._process.stdout is not None
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


class Pool:
    """A few workers side by side. `ask` begins to judge, `judge` waits; the same request is judged once."""

    def __init__(self, workers: int = 2) -> None:
        self._idle: queue.SimpleQueue[Worker | None] = queue.SimpleQueue()
        self._workers: list[Worker] = []
        for _ in range(workers):
            self._idle.put(None)
        self._threads = ThreadPoolExecutor(workers)
        self._asked: dict[str, Future[dict[str, Any]]] = {}

    def ask(self, request: dict[str, Any]) -> Future[dict[str, Any]]:
        key = json.dumps(request, sort_keys=True)
        if key not in self._asked:
            self._asked[key] = self._threads.submit(self._judge, request)
        return self._asked[key]

    def judge(self, request: dict[str, Any]) -> dict[str, Any]:
        return self.ask(request).result()

    def _judge(self, request: dict[str, Any]) -> dict[str, Any]:
        worker = self._idle.get()
        if worker is None:
            worker = Worker()
            self._workers.append(worker)
        try:
            return worker.judge(request)
        finally:
            self._idle.put(worker)

    def __enter__(self) -> Pool:
        return self

    def __exit__(self, *_: object) -> None:
        self._threads.shutdown(cancel_futures=True)
        for worker in self._workers:
            worker.close()


def judge_all(requests: Sequence[dict[str, Any]], workers: int = 2) -> list[dict[str, Any]]:
    """Replies in the order of the requests."""
    with Pool(max(1, min(workers, len(requests)))) as pool:
        return [future.result() for future in [pool.ask(request) for request in requests]]


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
