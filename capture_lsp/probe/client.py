"""Talks with the probe in the user's interpreter: one zygote, requests and replies as JSON lines.

zygote → client   {"hello": {...}} or {"fatal": {"kind", "message"}}, then
                  {"id", "progress": {"part", "entry"}} any number of times, {"id", "entries": [...]} for each request,
                  {"id", "error": text} where that failed
client → zygote   one request a line (`targets.request`), with an "id"; the end of its input ends the zygote
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from capture_lsp.errors import UserError
from capture_lsp.probe.injection import LAUNCHER
from capture_lsp.probe.launcher import OLDEST_PYTHON
from capture_lsp.probe.processes import descendants, kill_tree

if TYPE_CHECKING:
    from runtime_probe.report import Entry, Support

#: Importing torch took 37 s on two heavily loaded cores.
START_SECONDS = 180.0
#: The probe keeps its own limits; one that is silent for this much longer hangs.
GRACE_SECONDS = 90.0
#: How long a zygote whose input has ended may take to end its children.
END_SECONDS = 3.0
#: After so many deaths without one answer in between nothing more is tried.
MOST_DEATHS = 4
_KEPT_ERRORS = 40

#: Told of the number of a request, the part that begins, and of which entry it is.
Progress = Callable[[int, str, str], None]


class Cancelled(Exception):
    """Whoever asked does not want the answer any more; the zygote and everything below it has ended."""


class Unavailable(UserError):
    """The probe cannot run in this interpreter; the text says what to do."""


@dataclass(frozen=True)
class Hello:
    """What the probe said of itself when it was ready."""

    torch: str
    python: str
    device: str
    support: Support
    pid: int
    blind: tuple[str, ...] = ()


@dataclass(frozen=True)
class Reply:
    """The answer to one request, by its place among those given. `died`: why there is none."""

    number: int
    entries: list[Entry]
    died: str = ""


@dataclass
class _Asked:
    number: int
    request: dict[str, Any]
    since: float
    attempts: int = 1


class Client:
    """One interpreter's probe. Start it with `start`, ask with `run`, end it with `close` (or use it in a `with`)."""

    def __init__(
        self,
        python: str,
        folder: str,
        origin: str = "",
        cwd: str | None = None,
        jobs: int = 1,
        chooses: str = "--python",
    ) -> None:
        """`folder`: see `injection.injected`; for messages, `origin`: how the interpreter was found, and `chooses`:
        what names another one."""
        self.python = python
        self.notes: list[str] = []
        self.cancelled = threading.Event()  #: set, from any thread, it makes `start` and `run` raise Cancelled
        self._origin = origin
        self._chooses = chooses
        self._command = [python, "-u", os.path.join(folder, LAUNCHER)]
        self._cwd = cwd
        self._jobs = max(1, jobs)
        self._process: subprocess.Popen[bytes] | None = None
        self._lines: queue.Queue[dict[str, Any] | None] = queue.Queue()
        self._errors: deque[str] = deque(maxlen=_KEPT_ERRORS)
        self._threads: list[threading.Thread] = []
        self._hello: Hello | None = None
        self._next_id = 0

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # starting

    def start(self) -> Hello:
        """Start the zygote if it does not run, and wait until it is ready. Raises Unavailable."""
        if self._process is not None and self._process.poll() is None and self._hello is not None:
            return self._hello
        self.close()
        try:
            self._hello = self._started()
        except BaseException:
            self.close()
            raise
        return self._hello

    def _started(self) -> Hello:
        self._lines, self._errors = queue.Queue(), deque(maxlen=_KEPT_ERRORS)
        environment = {k: v for k, v in os.environ.items() if k != "__PYVENV_LAUNCHER__"}
        try:
            process = self._process = subprocess.Popen(
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=self._cwd,
                env=environment,
                start_new_session=sys.platform != "win32",
            )
        except OSError as error:
            why = error.strerror or str(error)
            raise Unavailable(
                f"cannot start {self._named()}: {why}; name the interpreter with {self._chooses}"
            ) from None
        self._threads = [
            threading.Thread(target=_read, args=(process, self._lines), daemon=True),
            threading.Thread(target=_listen, args=(process, self._errors), daemon=True),
        ]
        for thread in self._threads:
            thread.start()
        deadline = time.monotonic() + START_SECONDS
        while True:
            message = self._next(deadline - time.monotonic())
            if message is None:
                if process.poll() is None and time.monotonic() >= deadline:
                    raise Unavailable(f"{self._named()} was not ready after {START_SECONDS:.0f} s of importing torch")
                why = self._why_dead()
                raise Unavailable(
                    f"{self._named()} did not start the probe ({why}): is it a Python? "
                    f"name another with {self._chooses}"
                )
            if "fatal" in message:
                raise Unavailable(self._fatal(message["fatal"]))
            if "hello" in message:
                hello = message["hello"]
                known = (hello["torch"], hello["python"], hello["device"], hello["support"], hello["pid"])
                return Hello(*known, tuple(hello.get("blind") or ()))

    def _named(self) -> str:
        return f"{self.python} ({self._origin})" if self._origin else self.python

    def _fatal(self, fatal: dict[str, Any]) -> str:
        kind, text = fatal.get("kind"), str(fatal.get("message", ""))
        if kind == "no-torch":
            return f"no torch in {self._named()}; install it there, or name another interpreter with {self._chooses}"
        if kind == "old-torch":
            return f"the torch of {self._named()} is too old for the probe: {text}"
        if kind == "old-python":
            oldest = ".".join(map(str, OLDEST_PYTHON))
            needed = f"the probe needs {oldest} or later: name another with {self._chooses}"
            return f"{self._named()} is Python {text}; {needed}"
        return f"{self._named()} cannot run the probe: {text or kind}"

    @property
    def ready(self) -> bool:
        """Whether the zygote runs."""
        return self._process is not None and self._process.poll() is None and self._hello is not None

    # asking

    def run(self, requests: Sequence[dict[str, Any]], progress: Progress | None = None) -> Iterator[Reply]:
        """Answer requests in the order in which they end; at most `jobs` of them at a time.

        A zygote that dies is started again; what it was doing is tried once more, each alone, to find the culprit.
        """
        waiting = deque(_Asked(number, request, 0.0) for number, request in enumerate(requests))
        asked: dict[int, _Asked] = {}
        deaths = 0  # since the last answer
        try:
            self.start()
            while waiting or asked:
                self._ask(waiting, asked)
                message = self._next(1.0)
                if message is None:
                    if not self._dead() and not _overdue(asked):
                        continue
                    why = self._why_dead() if self._dead() else "it no longer answers"
                    deaths += 1
                    yield from self._after_death(why, waiting, asked, deaths > MOST_DEATHS)
                elif message.get("id") in asked:
                    if "entries" in message:
                        deaths = 0
                        yield Reply(asked.pop(message["id"]).number, message["entries"])
                    elif "error" in message:
                        yield Reply(asked.pop(message["id"]).number, [], str(message["error"]))
                    elif progress is not None and "progress" in message:
                        told = message["progress"]
                        progress(asked[message["id"]].number, str(told.get("part", "")), str(told.get("entry") or ""))
        except BaseException:
            self.close()
            raise

    def _ask(self, waiting: deque[_Asked], asked: dict[int, _Asked]) -> None:
        """Send what may be sent: a request that may have killed a zygote goes alone."""
        while waiting and len(asked) < self._jobs:
            risky = waiting[0].attempts > 1 or any(one.attempts > 1 for one in asked.values())
            if risky and asked:
                return
            one = waiting.popleft()
            one.since = time.monotonic()
            self._next_id += 1
            asked[self._next_id] = one
            assert self._process is not None
            assert self._process.stdin is not None
            with contextlib.suppress(OSError):  # it died: the end of its output tells
                self._process.stdin.write(json.dumps({"id": self._next_id, **one.request}).encode() + b"\n")
                self._process.stdin.flush()

    def _after_death(
        self, why: str, waiting: deque[_Asked], asked: dict[int, _Asked], hopeless: bool
    ) -> Iterator[Reply]:
        self.close()
        lost = list(asked.values())
        asked.clear()
        for one in reversed(lost):
            if one.attempts == 1:
                one.attempts = 2
                waiting.appendleft(one)
            else:  # it was alone
                yield Reply(one.number, [], f"the probe's process died of it: {why}")
        if hopeless:
            for one in waiting:
                yield Reply(one.number, [], f"not probed: the probe's process keeps dying: {why}")
            waiting.clear()
        if waiting:
            self.notes.append(f"the probe's process died ({why}) and was started again")
            self.start()

    def _dead(self) -> bool:
        return self._process is None or (self._process.poll() is not None and self._lines.empty())

    def _next(self, seconds: float) -> dict[str, Any] | None:
        """The next message; None at the end of the process's output, or after some time."""
        end = time.monotonic() + seconds
        while True:
            if self.cancelled.is_set():
                raise Cancelled
            try:
                return self._lines.get(timeout=0.2)  # short: a wait without end cannot be interrupted on Windows
            except queue.Empty:
                if time.monotonic() >= end:
                    return None

    def _why_dead(self) -> str:
        """The exit status and the last words."""
        assert self._process is not None
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(1.0)
        status = self._process.poll()
        for thread in self._threads:
            thread.join(0.5)
        words = next((line.strip() for line in reversed(self._errors) if line.strip()), "")
        return how_it_ended(status) + (f": {words[:300]}" if words else "")

    # ending

    def close(self) -> None:
        """End the zygote and everything below it."""
        process, self._process, self._hello = self._process, None, None
        if process is None:
            return
        below = descendants(process.pid)
        with contextlib.suppress(OSError):
            if process.stdin is not None:
                process.stdin.close()
        try:
            process.wait(END_SECONDS)
        except (subprocess.TimeoutExpired, KeyboardInterrupt):
            pass
        finally:
            kill_tree(process, below)
        for thread in self._threads:
            thread.join(1.0)


def _overdue(asked: dict[int, _Asked]) -> bool:
    now = time.monotonic()
    return any(now - one.since > one.request["limits"]["seconds"] + GRACE_SECONDS for one in asked.values())


def how_it_ended(status: int | None) -> str:
    """An exit status in words."""
    if status is None:
        return "it ended its output"
    if status < 0:
        try:
            name = signal.Signals(-status).name
        except ValueError:
            name = f"signal {-status}"
        return f"killed by {name}" + (" (out of memory?)" if name == "SIGKILL" else "")
    return f"exit status {status}"


def _read(process: subprocess.Popen[bytes], lines: queue.Queue[dict[str, Any] | None]) -> None:
    """Pass on every message; whatever else stands on its output is nothing of ours."""
    assert process.stdout is not None
    with contextlib.suppress(OSError, ValueError), process.stdout:
        for line in process.stdout:
            try:
                message = json.loads(line)
            except ValueError:
                continue
            if isinstance(message, dict):
                lines.put(message)
    lines.put(None)


def _listen(process: subprocess.Popen[bytes], errors: deque[str]) -> None:
    assert process.stderr is not None
    with contextlib.suppress(OSError, ValueError), process.stderr:
        for line in process.stderr:
            errors.append(line.decode("utf-8", "replace"))
