"""Probes on a Ray cluster: one actor a worker, each with an interpreter of its own that stays warm.

The cluster is the one that RAY_ADDRESS names, else a new one on this machine. Its machines need capture-lsp, the
project's interpreter and the project's files at the same paths. Where the cluster has GPUs, each worker takes one.
"""

from __future__ import annotations

import importlib
import importlib.util
import logging
import os
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from capture_lsp.errors import UserError
from capture_lsp.probe.client import Client, Hello, Progress, Reply, Unavailable
from capture_lsp.probe.injection import injected

#: A target whose worker died so often is given up.
MOST_ATTEMPTS = 3


def _ray() -> Any:
    """The package, which is not always there."""
    return importlib.import_module("ray")


class Prober:
    """What runs in a worker."""

    def __init__(self, python: str, cwd: str, cache: str | None) -> None:
        self._client = Client(python, injected(cache), "", cwd)

    def start(self) -> tuple[Hello | None, str]:
        """What the interpreter's probe says of itself, or why there is none."""
        try:
            return self._client.start(), ""
        except Unavailable as error:
            return None, str(error)

    def probe(self, request: dict[str, Any]) -> tuple[list[Any], str]:
        """The entries of a request, or why there are none."""
        reply = next(iter(list(self._client.run([request]))))
        return reply.entries, reply.died

    def pid(self) -> int:
        """The worker's process."""
        return os.getpid()


@dataclass
class _Asked:
    number: int
    request: dict[str, Any]
    attempts: int = 0


class RayExecutor:
    """Answers requests like a `client.Client`; use it in a `with`. `jobs`: workers, 0 for one a CPU (or a GPU)."""

    def __init__(self, python: str, cwd: str, cache: str | None = None, jobs: int = 0) -> None:
        if importlib.util.find_spec("ray") is None:
            raise UserError("--executor ray needs the package ray: pip install 'capture-lsp[ray]'")
        self.python = python
        self.notes: list[str] = []
        self.workers: list[Any] = []  #: handles of the actors
        self._arguments = (python, cwd, cache)
        self._jobs = jobs
        self._started = False
        self._hello: Hello | None = None

    def __enter__(self) -> RayExecutor:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def start(self) -> Hello:
        """Connect, and start one worker to learn what its interpreter is. Raises Unavailable."""
        ray = _ray()

        if self._hello is not None:
            return self._hello
        if not ray.is_initialized():
            # The local cluster needs neither a dashboard nor the probes' output on our terminal.
            ray.init(include_dashboard=False, log_to_driver=False, logging_level=logging.ERROR)
            self._started = True
        self._gpus = 1 if ray.cluster_resources().get("GPU", 0) >= 1 else 0
        resource = "GPU" if self._gpus else "CPU"
        self._jobs = self._jobs or max(1, int(ray.cluster_resources().get(resource, 1)))
        hello, problem = ray.get(self._new().start.remote())
        if hello is None:
            raise Unavailable(problem)
        self._hello = hello
        return self._hello

    def _new(self) -> Any:
        ray = _ray()

        made = ray.remote(num_cpus=1, num_gpus=self._gpus)(Prober).remote(*self._arguments)
        self.workers.append(made)
        return made

    def run(self, requests: Sequence[dict[str, Any]], progress: Progress | None = None) -> Iterator[Reply]:
        """Answer requests in the order in which they end; what a dead worker did is done again by a new one."""
        ray = _ray()

        self.start()
        waiting = deque(_Asked(number, request) for number, request in enumerate(requests))
        idle = list(self.workers)
        asked: dict[Any, tuple[_Asked, Any]] = {}
        while waiting or asked:
            while waiting and len(asked) < self._jobs:
                worker = idle.pop() if idle else self._new()
                one = waiting.popleft()
                one.attempts += 1
                asked[worker.probe.remote(one.request)] = (one, worker)
            ready, _ = ray.wait(list(asked), num_returns=1, timeout=1.0)
            for reference in ready:
                one, worker = asked.pop(reference)
                try:
                    entries, died = ray.get(reference)
                except ray.exceptions.RayError as error:
                    self.workers.remove(worker)
                    if one.attempts < MOST_ATTEMPTS:
                        self.notes.append(f"a Ray worker died ({type(error).__name__}); what it did is done again")
                        waiting.appendleft(one)
                    else:
                        yield Reply(one.number, [], f"{one.attempts} Ray workers died of it: {type(error).__name__}")
                    continue
                idle.append(worker)
                yield Reply(one.number, entries, died)

    def close(self) -> None:
        """End the workers, and the cluster if it was started here."""
        ray = _ray()

        workers, self.workers, self._hello = self.workers, [], None
        if not ray.is_initialized():
            return
        for worker in workers:
            ray.kill(worker)
        if self._started:
            ray.shutdown()
            self._started = False
