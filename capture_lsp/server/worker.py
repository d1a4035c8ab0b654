"""The thread that analyses. It takes the newest texts there are; those that came in between are never looked at."""

from __future__ import annotations

import logging
import threading
import traceback
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field
from functools import partial
from typing import TypeVar

from capture_lsp.analysis import describe
from capture_lsp.config.settings import Settings
from capture_lsp.errors import UserError
from capture_lsp.patterns import Patterns
from capture_lsp.results import FileResult
from capture_lsp.server.analysis import Analyser
from capture_lsp.server.documents import Text

#: A deeply nested function is analysed in a thread of its own; this one only prepares and finishes.
_NAME = "analysis queue"
_T = TypeVar("_T")
#: Seconds without an edit after which the analyser may tidy up.
QUIET = 0.5
#: Seconds without an edit after which fixes are made that nobody asked for yet.
PAUSE = 0.1

log = logging.getLogger(__name__)


#: Brings what else is known of a file into its result: (result, the open texts by path, its settings).
Finish = Callable[[FileResult, Mapping[str, Text], Settings], FileResult]


@dataclass(frozen=True)
class Opened:
    """A document as it was when the work was asked for."""

    path: str
    version: int
    text: Text


@dataclass(frozen=True)
class Job:
    """`settings_of`: the settings of a path, None where the server is off; raises UserError."""

    opened: tuple[Opened, ...]
    settings_of: Callable[[str], Settings | None]
    finish: Finish | None = None
    capturing: tuple[str, ...] = ()  #: files that are not open and capture something


@dataclass
class Done:
    """The results by path, for the versions in `job`. `problem`: what is wrong with the user's configuration; `crash`:
    a defect of ours, with its traceback; `complete`: all fixes are made."""

    job: Job
    complete: bool = False
    results: dict[str, FileResult] = field(default_factory=dict)
    raw: dict[str, FileResult] = field(default_factory=dict)  #: before `finish`
    problem: str = ""
    crash: tuple[str, str] | None = None


class Worker:
    """Analyses one job after the other. `deliver` is called in this thread."""

    def __init__(self, analyser: Analyser, deliver: Callable[[Done], None]) -> None:
        self._analyser = analyser
        self._deliver = deliver
        self._newest: Job | None = None
        self._stopped = False
        self._refresh = False
        self._calls: list[Callable[[], None]] = []
        self._wake = threading.Condition()
        self._thread = threading.Thread(target=self._work, name=_NAME, daemon=True)

    def submit(self, job: Job) -> None:
        """Ask for an analysis; one that was asked for before, and has not begun, is dropped."""
        with self._wake:
            if self._thread.ident is None:
                self._thread.start()
            self._newest = job
            self._wake.notify()

    def complete(self) -> None:
        """Make the fixes of the last answer now."""
        with self._wake:
            self._asked = True
            self._wake.notify()

    def refresh(self) -> None:
        """Before the next analysis: files changed on disk."""
        self._refresh = True

    def call(self, work: Callable[[], _T]) -> Future[_T]:
        """Have something else done in the thread of the analyses, of which there is to be one at a time."""
        future: Future[_T] = Future()

        def run() -> None:
            if future.set_running_or_notify_cancel():
                try:
                    future.set_result(work())
                except BaseException as error:
                    future.set_exception(error)

        with self._wake:
            if self._thread.ident is None:
                self._thread.start()
            self._calls.append(run)
            self._wake.notify()
        return future

    def stop(self, heir: Worker | None = None) -> None:
        """Begin nothing more; another worker does what was asked for by `call`."""
        with self._wake:
            self._stopped = True
            self._newest = None
            calls, self._calls = self._calls, []
            self._wake.notify()
        if heir is not None and calls:
            heir.take_over(calls)

    def take_over(self, calls: list[Callable[[], None]]) -> None:
        """Do what another worker was asked for."""
        with self._wake:
            if self._thread.ident is None:
                self._thread.start()
            self._calls += calls
            self._wake.notify()

    def _work(self) -> None:
        last: Job | None = None  # whose answer is yet to be completed
        tidied = True
        while True:
            pause = PAUSE if last is not None else None if tidied else QUIET
            with self._wake:
                self._wake.wait_for(partial(self._wanted, last is not None), pause)
                if self._stopped:
                    return
                self._asked = False
                calls, self._calls = self._calls, []
                job, self._newest = (None, self._newest) if calls else (self._newest, None)
            if calls:
                for call in calls:
                    call()
                continue
            if job is not None:
                done, tidied = self._done(job, complete=False), False
                last = job if not done.problem and done.crash is None else None
            elif last is not None:
                done, last = self._done(last, complete=True), None
            else:
                tidied = True
                self._tidy()
                continue
            if not self._stopped:
                self._deliver(done)

    def _wanted(self, incomplete: bool) -> bool:
        return bool(self._newest or self._stopped or self._calls or incomplete and self._asked)

    def _tidy(self) -> None:
        try:
            self._analyser.tidy()
        except Exception:  # the next analysis will find the same, and tell
            log.exception("while nothing was to be done")

    def _done(self, job: Job, complete: bool) -> Done:
        done = Done(job, complete)
        try:
            self._analyse(job, done)
        except UserError as error:
            done.problem = str(error)
        except BaseException as error:  # the server goes on: the next text may be another matter
            done.crash = describe(error), traceback.format_exc()
        for opened in job.opened:
            done.raw.setdefault(opened.path, FileResult(opened.path))
            done.results.setdefault(opened.path, done.raw[opened.path])
        return done

    def _analyse(self, job: Job, done: Done) -> None:
        settings: dict[str, Settings] = {}
        for opened in job.opened:
            found = job.settings_of(opened.path)
            if found is not None and not excluded(opened.path, found):
                settings[opened.path] = found
        texts = {opened.path: opened.text for opened in job.opened if opened.path in settings}
        if self._refresh:
            self._refresh = False
            self._analyser.refresh()
        if done.complete:
            done.raw = self._analyser.completed()
        else:
            raw = {path: text.raw for path, text in texts.items()}
            done.raw = self._analyser.analyse(raw, settings, job.capturing)
        for path, result in done.raw.items():
            done.results[path] = job.finish(result, texts, settings[path]) if job.finish is not None else result


def excluded(path: str, settings: Settings) -> bool:
    """Whether the configuration leaves a file out."""
    return Patterns(settings.base, settings.exclude + settings.extend_exclude).excludes_within(path)
