"""Watches over the worker of one target: time, memory and output are limited, and nothing of it is left behind."""

from __future__ import annotations

import dataclasses
import os
import time
from typing import Any, Callable, Dict, List, Optional, Tuple

from runtime_probe import channel, descendants, launch
from runtime_probe.assemble import Assembler
from runtime_probe.job import GIB, Job
from runtime_probe.report import Entry

#: A program that prints more than this is stopped, bytes.
MOST_OUTPUT = 64 << 20
_LOOK = 0.1  #: seconds between two looks at memory and clocks


def supervise(job: Job, progress: Callable[[str, str], None], parent: int = 0) -> List[Entry]:
    """Probe one target to its end or to its limits; one entry, or several if the file captures several objects.
    `progress` is told of each part that begins, and of which entry it is. Stops with everything below it when `parent`
    is gone."""
    watch = _Watch(job, progress, parent)
    if not parent:  # not a process of its own: what is below it may belong to another target
        watch.run()
        return watch.entries()
    descendants.adopt_orphans()
    try:
        watch.run()
    finally:
        descendants.kill_all()
    return watch.entries()


class _Watch:
    def __init__(self, job: Job, progress: Callable[[str, str], None], parent: int) -> None:
        self.job = job
        self.progress = progress
        self.parent = parent
        self.whole = Assembler(job.entry, list(job.inputs))  #: the target itself
        self.objects: Dict[Any, Assembler] = {}  #: what the file captures, in a job without an entry
        self.current = self.whole
        self.started = time.monotonic()
        self.part_started = self.started
        self.kept = b""
        self.printed = 0
        self.baseline = descendants.resident(os.getpid())
        self.restart: Optional[List[str]] = None
        self.left: List[str] = []
        self.discover = False

    def entries(self) -> List[Entry]:
        """What was found of each object; of the target itself where there is none, or where something is to be said."""
        found = [assembler.result() for assembler in self.objects.values()]
        whole = self.whole.result()
        if not found or whole["status"] != "ok":
            found.insert(0, whole)
        for entry in found:
            if not entry["output"]:
                entry["output"] = self.kept.decode("utf-8", "replace")
        return found

    def run(self) -> None:
        """One worker after the other: more than one where the file captures what it does not call, and where a worker
        could not fork."""
        if self._parts(self.job) and self.discover and not self.left:
            self._parts(dataclasses.replace(self.job, options={**self.job.options, "discover": True}))
        for number, entry in enumerate(self.left):
            self.current = self.objects[f"left {number}"] = Assembler(entry, [])
            self.kept = b""
            within = self._parts(dataclasses.replace(self.job, entry=entry))
            self.current.entry["output"] = self.kept.decode("utf-8", "replace")
            if not within:
                return

    def _parts(self, job: Job) -> bool:
        """Run a job to its end; False if a limit of the whole target was hit."""
        parts: Optional[List[str]] = list(job.parts)
        while parts is not None:
            self.restart = None
            if not self._one(dataclasses.replace(job, parts=tuple(parts))):
                return False
            parts = self.restart
        return True

    def _one(self, job: Job) -> bool:
        """Whether a worker ended without a limit being hit."""
        worker = launch.start(job)
        lines, open_now = channel.Lines(), {launch.EVENTS, launch.OUTPUT}
        looked = 0.0
        while open_now:
            arrived = worker.wait(_LOOK)
            for stream, data in arrived:
                if not data:
                    open_now.discard(stream)
                elif stream == launch.OUTPUT:
                    self._keep(data)
                else:
                    for event in lines.feed(data):
                        self._take(event)
            now = time.monotonic()
            if now - looked >= _LOOK:
                looked = now
                stop = self._over(now)
                if stop is not None:
                    launch.kill(worker)
                    return self._stop(*stop)
            if not arrived and worker.ended():
                break  # what it left behind may hold its streams open
        status = worker.close()
        if status != 0:
            from runtime_probe.worker import death

            self.current.failed("killed", death(status))
        return True

    def _keep(self, data: bytes) -> None:
        self.printed += len(data)
        self.kept = (self.kept + data)[-self.job.limits.output :]

    def _take(self, event: Any) -> None:
        kind = event.get("event")
        if kind == "restart":
            self.restart = list(event["parts"])
        elif kind == "left":
            self.left += [entry for entry in event["entries"] if entry not in self.left]
        elif kind == "discover":
            self.discover = True
        else:
            if "of" in event:
                self.current = self.objects.setdefault(event["of"], Assembler(None, []))
            elif event.get("name") == "program" or (kind == "failed" and "name" not in event and self.objects):
                self.current = self.whole if not self.left else self.current
            if kind == "part":
                self.part_started = time.monotonic()
                self.progress(event["name"], self.current.entry["entry"])
            self.current.take(event)

    def _over(self, now: float) -> Optional[Tuple[str, str]]:
        """The limit of the whole target that is passed, as a status and a message; a part that is late is ended."""
        limits = self.job.limits
        if self.parent and os.getppid() != self.parent:
            descendants.kill_all()
            os._exit(1)
        if now - self.started > limits.seconds:
            less = "raise it with --timeout, or do less (--no-perturb, --no-paths)"
            return "timeout", f"stopped after {limits.seconds:g} s{self._during()}: {less}"
        if self.printed > MOST_OUTPUT:
            return "killed", f"stopped after printing {MOST_OUTPUT >> 20} MiB{self._during()}"
        held = self._memory()
        if held > limits.memory:
            wanted = f"stopped at {held / GIB:.1f} GiB of memory (limit {limits.memory / GIB:.1f}){self._during()}"
            return "killed", wanted + ": give --memory, smaller inputs, or --fake"
        running = self.current.running
        if running not in (None, "program") and now - self.part_started > limits.of_part(running):
            self._stop_part(running)
        return None

    def _during(self) -> str:
        running = self.current.running
        return f" in the part {running}" if running not in (None, "program") else ""

    def _memory(self) -> int:
        below = descendants.descendants(os.getpid())
        return sum(max(0, descendants.resident(pid) - self.baseline) for pid in below)

    def _stop(self, status: str, message: str) -> bool:
        running = self.current.running
        if running is not None:
            self.current.part_failed(running, status, message)
        (self.current if self.job.entry is not None or self.left else self.whole).failed(status, message)
        return False

    def _stop_part(self, name: Any) -> None:
        """End one part that takes too long; the others still run."""
        assembler = self.current
        seconds = self.job.limits.of_part(name)
        option = "--budget" if name in self.job.limits.parts else "--timeout"
        assembler.part_failed(name, "timeout", f"no answer after {seconds:g} s: raise it with {option}")
        assembler.running = None
        self.part_started = time.monotonic()
        descendants.kill_group(assembler.running_pid)
