"""What the server knows: open documents, settings by folder, and the newest result of each document.

Used from the event loop's thread alone; the analysis runs in `worker`'s.
"""

from __future__ import annotations

import asyncio
import logging
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar
from urllib.parse import unquote

from capture_lsp.config.settings import Settings
from capture_lsp.errors import UserError
from capture_lsp.paths import inside
from capture_lsp.results import FileResult
from capture_lsp.server.analysis import Analyser
from capture_lsp.server.client_settings import ClientSettings
from capture_lsp.server.documents import Document, Documents, Text, text_of_file
from capture_lsp.server.lasting import Good, LastingResolver
from capture_lsp.server.worker import Done, Finish, Job, Opened, Worker

log = logging.getLogger(__name__)
#: Seconds for which an answer may wait for fixes.
_PATIENCE = 2.0
_T = TypeVar("_T")
_SCHEME = re.compile(r"^[a-zA-Z][a-zA-Z0-9+.-]+:")


@dataclass(frozen=True)
class Analysed:
    """The result of one version of a document."""

    version: int
    text: Text
    result: FileResult
    raw: FileResult  #: as the analyzer sees it, without what probes said
    complete: bool = False  #: with all fixes


@dataclass
class Folder:
    """A folder of the workspace and the editor's settings for it."""

    path: str
    settings: ClientSettings = field(default_factory=ClientSettings)


class Closed(Exception):
    """The document was closed while its result was waited for."""


class Session:
    """`told` is called with each user's message once; `changed` with each document that has a new result."""

    def __init__(self, analyser: Analyser, told: Callable[[str, str], None]) -> None:
        self.documents = Documents()
        self.folders: list[Folder] = []
        self.global_settings = ClientSettings()
        self.trusted = True
        self.command_links = False  #: whether the client follows links to commands in Markdown
        self.capture_view = False  #: whether the client shows `captureView` in a view of its own
        self.cwd = os.getcwd()
        self.capturing: tuple[str, ...] = ()  #: files of the workspace that may hold capture calls
        self.analysed: dict[str, Analysed] = {}
        self.changed: list[Callable[[Document], None]] = []
        self.configured: list[Callable[[], None]] = []  #: told when settings may have changed
        self.analysing: list[
            Callable[[bool, str], None]
        ] = []  #: told whether one is to come; of its end, what was wrong
        self.finish: Callable[[], Finish] | None = None  #: makes the last step of a job from what is known now
        self._told = told
        self._worker = Worker(analyser, self._deliver)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._resolvers: dict[str, LastingResolver] = {}
        self._good: Good = {}
        self._waiting: dict[str, list[asyncio.Future[None]]] = {}
        self._said: set[str] = set()
        self._scheduled = False
        self._newest: Job | None = None

    # folders and settings

    def folder_of(self, path: str) -> Folder:
        """The innermost folder of the workspace around a path; for one outside, the first, or one made up."""
        around = [folder for folder in self.folders if inside(path, folder.path)]
        if around:
            return max(around, key=lambda folder: len(folder.path))
        if self.folders:
            return Folder(self.folders[0].path, self.global_settings)
        return Folder(os.path.dirname(path) if os.path.isabs(path) else self.cwd, self.global_settings)

    def any_path(self) -> str:
        """That of a file that there could be, in the first folder of the workspace."""
        return os.path.join(self.folders[0].path if self.folders else self.cwd, "x.py")

    def settings_of(self, path: str) -> Settings:
        """The settings that hold for a file; while its configuration is wrong, the last that were right."""
        return self._resolver(path).for_folder(os.path.dirname(path))

    def own(self, path: str, name: str) -> bool:
        """A setting of the server itself, see `client_settings.OWN`."""
        return bool(self.folder_of(path).settings.own[name])

    def own_text(self, path: str, name: str) -> str:
        """One that is a text."""
        return str(self.folder_of(path).settings.own[name])

    def own_number(self, path: str, name: str) -> float:
        """One that is a number."""
        return float(self.folder_of(path).settings.own[name])

    def own_of(self, uri: str, name: str) -> bool:
        """`own`, of a document."""
        return self.own(self.path_of(uri), name)

    def configuration_changed(self) -> None:
        """Read the configuration files again, and analyse again."""
        self._resolvers.clear()
        self._said.clear()
        for listener in self.configured:
            listener()
        self.schedule()

    def files_changed(self) -> None:
        """Analyse again: files on disk changed, came or went."""
        self._worker.refresh()
        self.schedule()

    def problems(self) -> list[UserError]:
        """What is wrong with the configuration that was looked at since it was read last."""
        found = {text: error for one in self._resolvers.values() for text, error in list(one.problems.items())}
        return list(found.values())

    def _resolver(self, path: str) -> LastingResolver:
        folder = self.folder_of(path)
        found = self._resolvers.get(folder.path)
        if found is None:
            made = LastingResolver(folder.path, folder.settings.overrides, self._good)
            found = self._resolvers[folder.path] = made
        return found

    def _settings_snapshot(self) -> Callable[[str], Settings | None]:
        """For the worker: which resolver answers for which document is decided now."""
        resolvers = {document.path: self._resolver(document.path) for document in self.documents}
        enabled = {document.path: self.own(document.path, "enable") for document in self.documents}

        def settings_of(path: str) -> Settings | None:
            return resolvers[path].for_folder(os.path.dirname(path)) if enabled[path] else None

        return settings_of

    # documents

    def path_of(self, uri: str) -> str:
        """The path of a URI; for a document without a file, one in the workspace that no file has."""
        from pygls.uris import to_fs_path

        document = self.documents.get(uri)
        if document is not None:
            return document.path
        path = to_fs_path(uri) if uri.startswith("file:") else None
        if path:
            return os.path.normpath(path)
        folder = self.folders[0].path if self.folders else self.cwd
        name = re.sub(r"[\\/:]+", "-", unquote(_SCHEME.sub("", uri))) or "untitled"
        return os.path.join(folder, f"<{name}>")

    def uri_of(self, path: str) -> str:
        """The URI of a path: the client's own for an open document."""
        from pygls.uris import from_fs_path

        document = self.documents.at(path)
        return document.uri if document is not None else from_fs_path(path) or path

    def text_of(self, path: str) -> Text | None:
        """The text of a file as the editor has it, else as it is on disk."""
        document = self.documents.at(path)
        return document.text if document is not None else text_of_file(path, self.documents.encoding)

    def closed(self, document: Document) -> None:
        """Forget a document."""
        self.analysed.pop(document.uri, None)
        for future in self._waiting.pop(document.uri, ()):
            if not future.done():
                future.set_exception(Closed())
        self.schedule()

    # analysis

    def schedule(self) -> None:
        """Analyse what is open now, once all messages that are here already are read."""
        loop = self._loop = asyncio.get_running_loop()
        if not self._scheduled:
            self._scheduled = True
            loop.call_soon(self._submit)

    def _submit(self) -> None:
        self._scheduled = False
        opened = tuple(Opened(d.path, d.version, d.text) for d in self.documents if d.python)
        if not opened:
            self._newest = None
            self._tell_analysing(False)
            return
        finish = self.finish() if self.finish is not None else None
        self._newest = Job(opened, self._settings_snapshot(), finish, self.capturing)
        self._worker.submit(self._newest)
        self._tell_analysing(True)

    def _tell_analysing(self, runs: bool, problem: str = "") -> None:
        for listener in self.analysing:
            listener(runs, problem)

    def _deliver(self, done: Done) -> None:
        assert self._loop is not None
        try:
            self._loop.call_soon_threadsafe(self._accept, done)
        except RuntimeError:  # the loop is closed: the server ends
            log.debug("a result came too late")

    def _accept(self, done: Done) -> None:
        if done.problem:
            self.say(done.problem, "warning")
        crash = f"{done.crash[0]}; please report it, with the server's log" if done.crash is not None else ""
        if done.crash is not None:
            log.error("%s", done.crash[1])
            self.say(crash, "error")
        if done.job is self._newest:
            self._tell_analysing(False, crash or done.problem)
        for opened in done.job.opened:
            document = self.documents.at(opened.path)
            if document is None or document.text is not opened.text:
                continue  # newer work is on its way
            result = done.results[opened.path]
            for error in result.errors:
                if error.kind == "internal":
                    self.say(f"{opened.path}: {error.message}", "error")
            raw, before = done.raw[opened.path], self.analysed.get(document.uri)
            complete = done.complete or bool(done.problem or done.crash)  # no more is to come
            self.analysed[document.uri] = Analysed(opened.version, opened.text, result, raw, complete)
            for future in self._waiting.pop(document.uri, ()):
                if not future.done():
                    future.set_result(None)
            if done.complete and before is not None and _shown(before.result) == _shown(result):
                continue
            for listener in self.changed:
                listener(document)

    async def settled(self, uri: str, complete: bool = False) -> Analysed | None:
        """The result of a document's newest version, waited for; None for one that is not open, or no Python. For a
        cell, that of its notebook. `complete`: with all fixes."""
        while True:
            document = self.documents.get(uri)
            if document is None or not document.python:
                return None
            found = self.analysed.get(document.uri)
            if found is not None and found.text is document.text and found.complete >= complete:
                return found
            if complete:
                self._worker.complete()
            future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._waiting.setdefault(document.uri, []).append(future)
            try:
                await future
            except Closed:
                return None

    async def at_hand(self, uri: str) -> Analysed | None:
        """What is known of the text that the client has now, with all fixes; None if that text is analysed only now:
        what the client asks about may have moved, and it will ask again."""
        document = self.documents.get(uri)
        if document is None:
            return None
        text, found = document.text, self.current(uri)
        if found is None or found.text is not text:
            return None
        if not found.complete:  # that is a matter of milliseconds, but for a file with hundreds of fixes
            try:
                found = await asyncio.wait_for(self.settled(uri, complete=True), _PATIENCE) or found
            except asyncio.TimeoutError:
                found = self.current(uri) or found  # the other fixes are there next time
        return found if found.text is text else None

    def current(self, uri: str) -> Analysed | None:
        """What is known of a document now, of a cell's notebook; its text may have changed since."""
        document = self.documents.get(uri)
        return self.analysed.get(document.uri) if document is not None else None

    def say(self, text: str, level: str) -> None:
        """Tell the user something, once."""
        if text not in self._said:
            self._said.add(text)
            self._told(text, level)

    async def beside(self, work: Callable[[], _T]) -> _T:
        """Have something done in the thread of the analyses."""
        return await asyncio.wrap_future(self._worker.call(work))

    def settings_of_open(self) -> Callable[[str], Settings | None]:
        """Answers, from any thread, which settings hold for an open document; None where the server is off."""
        return self._settings_snapshot()

    def use(self, analyser: Analyser) -> None:
        """Go on with another analyser."""
        before, self._worker = self._worker, Worker(analyser, self._deliver)
        before.stop(self._worker)
        self.configuration_changed()

    def stop(self) -> None:
        self._worker.stop()


def _shown(result: FileResult) -> object:
    """All but the fixes."""
    return [replace(finding, fixes=()) for finding in result.findings], result.errors, result.roots


def folder_settings(session: Session, values: Mapping[str, Any]) -> list[str]:
    """Take over the editor's settings: by folder path, "" for those without one. What is wrong with them."""
    from capture_lsp.server.client_settings import read

    problems: list[str] = []
    for path, value in values.items():
        settings, wrong = read(value, path or session.cwd)
        problems += wrong
        if not path:
            session.global_settings = settings
        for folder in session.folders:
            if folder.path == path or (not path and folder.path not in values):
                folder.settings = settings
    return list(dict.fromkeys(problems))
