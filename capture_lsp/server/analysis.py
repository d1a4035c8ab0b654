"""The one place where the server asks what is to be said of texts.

The files that were edited last have an `analyzer.session.Session` each, which analyses again only what an edit reaches;
the others are analysed as `check` does it, if what they depend on changed.
"""

from __future__ import annotations

import gc
from collections import OrderedDict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from time import monotonic
from typing import Protocol

from analyzer.api import Options, Report, Surroundings, forget
from analyzer.session import Session
from capture_lsp.analysis import Progress, Task, analyse
from capture_lsp.check import Run, check
from capture_lsp.config.settings import Settings
from capture_lsp.reading import stamp
from capture_lsp.results import FileResult, Unit
from capture_lsp.server.captures import TRUSTED_FOR, Captures
from capture_lsp.server.memory_cache import MemoryCache

#: So many files have a session. One of a file that imports a large library takes up to 100 MB.
MOST_SESSIONS = 4
#: After so many analyses the analyzer's memos are emptied: they hold the trees of texts that are gone.
RUNS_REMEMBERED = 20
#: After so many analyses the garbage among what is new is collected: what piles up is memory that stays in pieces.
RUNS_YOUNG = 25
#: So many analyses later, and while nobody types, all garbage is collected: that takes too long between two keys.
RUNS_UNCOLLECTED = 100
#: And after so many in any case.
MOST_UNCOLLECTED = 600


class Analyser(Protocol):
    """Answers for open texts; told of them again and again, it may keep what it likes between two calls.

    Called from one thread.
    """

    def analyse(
        self, texts: Mapping[str, bytes], settings: Mapping[str, Settings], capturing: Collection[str] = ()
    ) -> dict[str, FileResult]:
        """The findings of each text, by path: those of one `check` of them all. Some may be without their fixes.

        `texts`: the content of every open file; what they import is read from disk. `capturing`: other files of the
        workspace whose capture calls may make functions of the open files roots.
        """
        ...

    def completed(self) -> dict[str, FileResult]:
        """The last answer, with all fixes."""
        ...

    def tidy(self) -> None:
        """Do what would take too long between two edits: nobody is typing."""
        ...

    def refresh(self) -> None:
        """Files changed on disk."""
        ...


@dataclass
class _Open:
    """A file with a session, and the files on disk that it read, as they were."""

    session: Session
    seen: dict[str, tuple[int, int] | None] = field(default_factory=dict)
    looked: float = 0.0

    def stale(self, open_paths: Collection[str]) -> bool:
        """Whether a file on disk changed. They are not looked at with every key."""
        now = monotonic()
        if now - self.looked < TRUSTED_FOR:
            return False
        self.looked = now
        stamps = {path: stamp(path) for path in self.session.paths() if path not in open_paths}
        changed = any(self.seen.get(path, stamp) != stamp for path, stamp in stamps.items())
        self.seen = stamps
        return changed


class IncrementalAnalyser:
    """`capture_lsp.check` over the open files, with sessions for those that are edited."""

    def __init__(self) -> None:
        self._cache = MemoryCache()
        self._captures = Captures()
        self._open: OrderedDict[str, _Open] = OrderedDict()
        self._last: dict[str, bytes] = {}
        self._asked: tuple[Mapping[str, bytes], Mapping[str, Settings], Collection[str]] = ({}, {}, ())
        self._runs = 0
        self._collected = 0
        self._begun: dict[Session, int] = {}

    def analyse(
        self, texts: Mapping[str, bytes], settings: Mapping[str, Settings], capturing: Collection[str] = ()
    ) -> dict[str, FileResult]:
        self._runs += 1
        if self._runs % RUNS_REMEMBERED == 0:
            forget()
        if self._lost() or self._runs - self._collected >= MOST_UNCOLLECTED:
            self._collect()
        elif self._runs % RUNS_YOUNG == 0:
            gc.collect()
        edited = [path for path, raw in texts.items() if self._last.get(path) != raw]
        self._last = dict(texts)
        self._choose(edited, texts)
        self._asked = texts, settings, capturing
        return self._check(complete=False)

    def completed(self) -> dict[str, FileResult]:
        return self._check(complete=True)

    def tidy(self) -> None:
        import libcst  # noqa: F401  (wanted for the first text that does not parse; it takes a while)

        for opened in self._open.values():
            opened.session.settle()
        if self._runs - self._collected >= RUNS_UNCOLLECTED or not self._collected:
            self._collect()

    def _lost(self) -> bool:
        """Whether a session gave up what it had, or is gone: megabytes, of which the next one is to have the place."""
        before = self._begun
        self._begun = {opened.session: opened.session.begun for opened in self._open.values()}
        return any(self._begun.get(session) != begun for session, begun in before.items())

    def _collect(self) -> None:
        self._collected = self._runs
        gc.unfreeze()
        gc.collect()
        gc.freeze()  # what is there now is mostly there to stay: the next collections need not look at it

    def refresh(self) -> None:
        self._captures.refresh()
        for opened in self._open.values():
            opened.session.refresh()

    def _choose(self, edited: Sequence[str], texts: Mapping[str, bytes]) -> None:
        """Have sessions for the files that were edited, or opened, last."""
        for path in [path for path in self._open if path not in texts]:
            del self._open[path]
        for path in edited[-MOST_SESSIONS:]:
            if path in self._open:
                self._open.move_to_end(path)
            else:
                self._open[path] = _Open(Session([path], Options()))
        while len(self._open) > MOST_SESSIONS:
            self._open.popitem(last=False)

    def _check(self, complete: bool) -> dict[str, FileResult]:
        texts, settings, capturing = self._asked

        closed = {path: self._captures.closed(path, capturing, texts, monotonic()) for path in texts}

        def known(path: str, task: Task) -> Unit | None:
            if path not in self._open:
                return None
            around = task.around
            mine = closed[path] | self._captures.opened(path, around.capturing, texts)
            task = replace(task, around=replace(around, capturing=tuple(p for p in around.capturing if p in mine)))
            return analyse([path], task, texts, session=_Followed(self._open, path, texts, complete))[0]

        further = sorted(frozenset[str]().union(*closed.values()))
        run = Run(jobs=1, cache=self._cache, overrides=dict(texts), known=known, capturing=further)
        return {file.path: file for file in check(settings, run).files}


@dataclass
class _Followed:
    """A file's session, in the place of `analyzer.api.Session`."""

    sessions: OrderedDict[str, _Open]
    path: str
    texts: Mapping[str, bytes]
    complete: bool

    def analyze(
        self,
        files: Sequence[str],
        options: Options,
        sources: Mapping[str, str],
        progress: Progress | None,
        around: Surroundings,
    ) -> Report:
        opened = self.sessions[self.path]
        if tuple(files) != opened.session.files or options != opened.session.options:
            opened = self.sessions[self.path] = _Open(Session(files, options))
        if opened.stale(self.texts):
            opened.session.refresh()
        report = opened.session.follow(sources, around)
        return opened.session.completed() if self.complete else report
