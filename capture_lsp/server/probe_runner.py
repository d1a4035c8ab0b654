"""Runs probes, one after the other, in a thread of its own; each interpreter's zygote stays warm for a while."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from capture_lsp.check_probe import MATRIX, entry_of
from capture_lsp.config.settings import Settings
from capture_lsp.formats.probe.words import part_words
from capture_lsp.interpreter import executable, find_environment
from capture_lsp.options import search_paths
from capture_lsp.probe.client import Client, Unavailable
from capture_lsp.probe.evidence import Evidence, Files
from capture_lsp.probe.injection import injected
from capture_lsp.probe.measuring import Measuring
from capture_lsp.probe.run import run
from capture_lsp.probe.targets import Target, Work

if TYPE_CHECKING:
    from runtime_probe.report import Report

#: A zygote holds torch in memory; unused, it goes after this long (s).
IDLE_SECONDS = 600.0


@dataclass
class Asked:
    """What to probe. `labels`: roots of the file; `own`: whether to run what the file captures itself, with its own
    inputs; `frontends`: those that some finding waits for, or that the user wants to compare. `only`: the functions
    for which these, and other inputs, are tried, and that are measured; None for all. `measuring`: what is measured,
    with `fixes` of the file's findings (see `probe.fixes`)."""

    path: str
    settings: Settings
    cwd: str
    labels: Sequence[str]
    own: bool
    frontends: Sequence[str]
    perturb: bool
    only: Sequence[str] | None = None
    measuring: Measuring | None = None
    fixes: Sequence[dict[str, Any]] = ()
    told: Callable[[str], None] = lambda _: None
    stop: threading.Event = field(default_factory=threading.Event)


@dataclass
class Answer:
    """The reports, and each entry as evidence. `torch`, `device`: what they were made with."""

    reports: list[Report] = field(default_factory=list)
    evidences: list[Evidence] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def about(self) -> tuple[str, str]:
        return (self.reports[0]["torch"], self.reports[0]["device"]) if self.reports else ("", "")


def client_of(settings: Settings, cwd: str) -> tuple[str, str]:
    """The interpreter of a project and how it was found. Raises Unavailable where there is none."""
    environment = find_environment(settings.base, settings.python)
    python = executable(environment.python) if environment.python else None
    if python is None:
        named = f"no interpreter at {environment.python}" if environment.python else "no Python found"
        raise Unavailable(f"{named}; name one that has torch with the setting python")
    return python, environment.origin


class Runner:
    """Used from the event loop's thread."""

    def __init__(self) -> None:
        self._executor = ThreadPoolExecutor(1, "probe")
        self._clients: dict[tuple[str, str], Client] = {}
        self._running: threading.Event | None = None
        self._idle: threading.Timer | None = None
        self._lock = threading.Lock()

    def probe(self, asked: Asked, files: Files) -> Future[Answer]:
        """Raises Unavailable or Cancelled in the future."""
        return self._executor.submit(self._probe, asked, files)

    def hello(self, settings: Settings, cwd: str) -> Future[str]:
        """What the interpreter of a project says of itself; the text says why it does not, too."""
        return self._executor.submit(self._hello, settings, cwd)

    def restart(self) -> Future[None]:
        """End every zygote; the next probe starts a new one."""
        return self._executor.submit(self._close)

    def stop(self) -> None:
        """End everything, and wait for that."""
        with self._lock:
            if self._running is not None:
                self._running.set()
        self._executor.shutdown(wait=True, cancel_futures=True)
        self._close()

    def _client(self, settings: Settings, cwd: str, stop: threading.Event) -> Client:
        python, origin = client_of(settings, cwd)
        key = (python, cwd)
        if key not in self._clients:
            self._clients[key] = Client(python, injected(settings.cache_dir), origin, cwd, chooses="the setting python")
        client = self._clients[key]
        client.cancelled = stop
        client.notes.clear()
        return client

    def _probe(self, asked: Asked, files: Files) -> Answer:
        with self._busy(asked.stop):
            client = self._client(asked.settings, asked.cwd, asked.stop)
            answer = Answer()
            wanted = [name for name in MATRIX if name in asked.frontends]
            options = {} if asked.only is None else {"only": list(asked.only)}
            work = Work(parts=("dynamo", *wanted, *(("perturb",) if asked.perturb else ())), options=options)
            if asked.measuring is not None:
                work = asked.measuring.added_to(work, {asked.path: asked.fixes})
            extra = {asked.path: search_paths(asked.settings)}
            rounds: list[tuple[Target, str | None]] = [(Target(asked.path, asked.path), None)] if asked.own else []
            self._round(client, rounds, work, extra, files, asked, answer)
            left = []
            for label in asked.labels:
                entry = entry_of(label.partition("::")[2])
                seen = any(e.whole and e.entered(label) for e in answer.evidences)
                if entry is not None and not seen:
                    left.append((Target(label, asked.path, entry), label))
            self._round(client, left, work, extra, files, asked, answer)
            answer.notes += client.notes
            return answer

    @staticmethod
    def _round(
        client: Client,
        targets: Sequence[tuple[Target, str | None]],
        work: Work,
        extra: dict[str, tuple[str, ...]],
        files: Files,
        asked: Asked,
        answer: Answer,
    ) -> None:
        if not targets:
            return
        labels = {target.text: label for target, label in targets}

        def told(number: int, part: str, entry: str) -> None:
            name = entry if part != "program" else ""
            name = name or targets[number][0].entry or os.path.basename(asked.path)
            if part:
                asked.told(f"{name}: {part_words(part, work.parts)}")

        if not client.ready:
            asked.told("starting the interpreter")
        report = run(client, [target for target, _ in targets], work, extra, told)
        answer.reports.append(report)
        for entry in report["entries"]:
            if entry["status"] == "ok" or entry["frames"]:
                answer.evidences.append(Evidence(entry, files, labels[entry["target"]]))
            if entry["status"] != "ok" and (labels[entry["target"]] is not None or not asked.labels):
                answer.notes.append(f"{entry['entry'] or 'the file itself'}: {entry['message']}")

    def _hello(self, settings: Settings, cwd: str) -> str:
        stop = threading.Event()
        with self._busy(stop):
            hello = self._client(settings, cwd, stop).start()
            blind = f"; not seen with this torch: {', '.join(hello.blind)}" if hello.blind else ""
            return f"torch {hello.torch}, Python {hello.python}, {hello.device}; the probe sees: {hello.support}{blind}"

    def _busy(self, stop: threading.Event) -> _Busy:
        return _Busy(self, stop)

    def began(self, stop: threading.Event) -> None:
        with self._lock:
            self._running = stop
            if self._idle is not None:
                self._idle.cancel()

    def ended(self) -> None:
        with self._lock:
            self._running = None
            self._idle = threading.Timer(IDLE_SECONDS, self._when_idle)
            self._idle.daemon = True
            self._idle.start()

    def _when_idle(self) -> None:
        try:
            self._executor.submit(self._close)
        except RuntimeError:  # it has been shut down
            return

    def _close(self) -> None:
        with self._lock:
            if self._idle is not None:
                self._idle.cancel()
        for client in self._clients.values():
            client.close()
        self._clients.clear()


class _Busy:
    """While something runs, `stop` ends it, and nothing is idle."""

    def __init__(self, runner: Runner, stop: threading.Event) -> None:
        self._runner = runner
        self._stop = stop

    def __enter__(self) -> None:
        self._runner.began(self._stop)

    def __exit__(self, *_: object) -> None:
        self._runner.ended()
