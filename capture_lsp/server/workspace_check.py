"""Findings of files that are not open: on the user's word, or when the client asks for the whole workspace.

Open files keep their own diagnostics, of the text that the editor has.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Callable
from typing import Any

from lsprotocol import types

from analyzer.finding import FileError
from capture_lsp.formats.style import counted
from capture_lsp.results import FileResult, finding_from_json
from capture_lsp.server import answers
from capture_lsp.server.diagnostics import Diagnostics, result_id
from capture_lsp.server.documents import Document, text_of_file
from capture_lsp.server.language_server import CaptureServer
from capture_lsp.server.progress import Progress

CHECK = "capture-lsp.checkWorkspace"
_LINE_LIMIT = 64_000_000


class WorkspaceCheck:
    """One check at a time."""

    def __init__(self, server: CaptureServer, diagnostics: Diagnostics) -> None:
        self._server = server
        self._diagnostics = diagnostics
        self._process: asyncio.subprocess.Process | None = None
        self._busy = asyncio.Lock()
        self.shown: set[str] = set()  #: files with diagnostics that were pushed and are not open

    async def check(self, quiet: bool = False) -> dict[str, list[types.Diagnostic]] | None:
        """The diagnostics of every file that is not open, by path; None if the user cancelled it."""
        found: dict[str, list[types.Diagnostic]] = {}
        async with self._busy, Progress(self._server, "Checking the workspace", quiet) as progress:
            for folder in list(self._server.session.folders):
                overrides = dict(folder.settings.overrides)
                results = await self._folder({"folder": folder.path, "overrides": overrides}, progress)
                if progress.stop.is_set():
                    return None
                for result in results:
                    if (items := self._items(result)) is not None:
                        found[result.path] = items
            problems = sum(map(len, found.values()))
            progress.outcome = f"{counted(problems, 'problem')} in files that are not open"
        return found

    async def _folder(self, asked: dict[str, Any], progress: Progress) -> list[FileResult]:
        # As a worker of `pool`: neither the working directory nor the workspace is on its import path.
        code = f"import sys; sys.path[:] = {sys.path!r}; from capture_lsp.server.workspace_worker import main; main()"
        pipe = asyncio.subprocess.PIPE
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-c", code, stdin=pipe, stdout=pipe, limit=_LINE_LIMIT
        )
        self._process = process
        assert process.stdin is not None
        assert process.stdout is not None
        watching = asyncio.create_task(_end_when(progress.stop.is_set, process))
        try:
            process.stdin.write(json.dumps(asked).encode() + b"\n")
            process.stdin.close()
            results: list[FileResult] = []
            total, done = 0, 0
            while line := await process.stdout.readline():
                message = json.loads(line)
                if "total" in message:
                    total += message["total"]
                elif "checked" in message:
                    done += 1
                    progress.tell(f"{done} of {total}: {os.path.basename(message['checked'])}")
                elif "error" in message:
                    self._server.session.say(message["error"], "warning")
                else:
                    findings = [finding_from_json(row) for row in message["findings"]]
                    results.append(FileResult(message["file"], findings, [FileError(*e) for e in message["errors"]]))
            if await process.wait() != 0 and not progress.stop.is_set():
                self._server.session.say("the check of the workspace failed; see the server's log", "error")
            return results
        finally:
            watching.cancel()
            self._process = None
            if process.returncode is None:
                process.kill()

    def _items(self, result: FileResult) -> list[types.Diagnostic] | None:
        session = self._server.session
        if session.documents.at(result.path) is not None:
            return None
        text = text_of_file(result.path, session.documents.encoding)
        return None if text is None else self._diagnostics.of_file(text, result)

    def publish(self, found: dict[str, list[types.Diagnostic]]) -> None:
        """Push what was found, and take back what was pushed before and is no more."""
        for path in {*self.shown, *(path for path, items in found.items() if items)}:
            uri = self._server.session.uri_of(path)
            if self._server.session.documents.at(path) is None:
                params = types.PublishDiagnosticsParams(uri, found.get(path, []))
                self._server.text_document_publish_diagnostics(params)
        self.shown = {path for path, items in found.items() if items}

    def stop(self) -> None:
        if self._process is not None and self._process.returncode is None:
            self._process.kill()


async def _end_when(stopped: Callable[[], bool], process: asyncio.subprocess.Process) -> None:
    while not stopped():
        await asyncio.sleep(0.1)
    if process.returncode is None:
        process.kill()


def register(server: CaptureServer, diagnostics: Diagnostics) -> None:
    """Add the command. `workspace/diagnostic` is added only for a client that asked for it when it started: some ask
    again and again for what the server offers."""
    checking = WorkspaceCheck(server, diagnostics)
    server.ending.append(checking.stop)

    def opened(document: Document) -> None:
        if document.path in checking.shown:
            checking.shown.discard(document.path)
            if diagnostics.pulls:  # what was pushed would stay beside what is pulled
                server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(document.uri, []))

    server.session.changed.append(opened)

    @server.command(CHECK)
    async def check(ls: CaptureServer, *arguments: Any) -> Any:
        """Check every file of the workspace; its answer is {files, problems}."""

        async def told() -> dict[str, Any]:
            found = await checking.check()
            if found is None:
                return {"status": "cancelled"}
            checking.publish(found)
            return {"status": "ok", "files": len(found), "problems": sum(map(len, found.values()))}

        return await answers.long(ls, told())

    def offer() -> None:
        @server.feature(types.WORKSPACE_DIAGNOSTIC)
        async def pull(ls: CaptureServer, params: types.WorkspaceDiagnosticParams) -> types.WorkspaceDiagnosticReport:
            previous = {known.uri: known.value for known in params.previous_result_ids}
            found = await checking.check(quiet=True) or {}
            items: list[types.WorkspaceDocumentDiagnosticReport] = []
            for path, diagnosed in found.items():
                uri, identifier = ls.session.uri_of(path), result_id(diagnosed)
                if previous.get(uri) == identifier:
                    items.append(types.WorkspaceUnchangedDocumentDiagnosticReport(uri, identifier))
                else:
                    items.append(types.WorkspaceFullDocumentDiagnosticReport(uri, diagnosed, result_id=identifier))
            return types.WorkspaceDiagnosticReport(items)

    server.offer_workspace = offer
