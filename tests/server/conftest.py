"""A real server over standard input and output, driven by a real client."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Union

import pytest
import pytest_asyncio
from lsprotocol import types as t
from pygls.protocol import default_converter
from pygls.uris import from_fs_path
from pytest_lsp import LanguageClient, client_capabilities
from pytest_lsp.client import DEFAULT_CLIENT_FEATURES, register_lsp_features

from tests.cli.conftest import BRANCH, CLEAN, Project

__all__ = ["BRANCH", "CLEAN", "Editor", "Start"]

SECONDS = 30.0


def capabilities(pull: bool = False, encodings: Sequence[str] = ("utf-16",)) -> t.ClientCapabilities:
    """Those of a recent VS Code; without `pull`, of a client that waits for diagnostics."""
    found = client_capabilities("visual-studio-code")
    assert found.text_document is not None
    assert found.workspace is not None
    found.text_document.diagnostic = t.DiagnosticClientCapabilities(related_document_support=True) if pull else None
    found.workspace.diagnostics = t.DiagnosticWorkspaceClientCapabilities(refresh_support=True) if pull else None
    found.workspace.code_lens = t.CodeLensWorkspaceClientCapabilities(refresh_support=True)
    found.workspace.inlay_hint = t.InlayHintWorkspaceClientCapabilities(refresh_support=True)
    found.notebook_document = t.NotebookDocumentClientCapabilities(t.NotebookDocumentSyncClientCapabilities())
    found.general = t.GeneralClientCapabilities(position_encodings=list(encodings))
    return found


@lru_cache(maxsize=1)
def _converter() -> Any:
    """Making one takes a third of a second. lsprotocol's takes a code action that has a command for a bare command."""
    made = default_converter()
    made.register_structure_hook(
        Union[t.Command, t.CodeAction],  # noqa: UP007
        lambda o, _: made.structure(o, t.Command if isinstance(o.get("command"), str) else t.CodeAction),
    )
    return made


class Client(LanguageClient):
    """Also keeps what pytest-lsp's own does not: registrations, refreshes, and every publication."""

    def __init__(self) -> None:
        super().__init__(converter_factory=_converter)
        self.registrations: list[t.Registration] = []
        self.lens_refreshes = 0
        self.hint_refreshes = 0
        self.published: list[t.PublishDiagnosticsParams] = []
        self.notices: list[tuple[str, Any, int]] = []  #: of our own: name, parameters, publications before it
        others = {k: v for k, v in DEFAULT_CLIENT_FEATURES.items() if k != t.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS}
        register_lsp_features(self, others)

        @self.feature(t.CLIENT_REGISTER_CAPABILITY)
        def register(params: t.RegistrationParams) -> None:
            self.registrations += params.registrations

        @self.feature(t.WORKSPACE_CODE_LENS_REFRESH)
        def refresh(params: None) -> None:
            self.lens_refreshes += 1

        @self.feature(t.WORKSPACE_INLAY_HINT_REFRESH)
        def refresh_hints(params: None) -> None:
            self.hint_refreshes += 1

        @self.feature(t.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def published(params: t.PublishDiagnosticsParams) -> None:
            self.diagnostics[params.uri] = params.diagnostics
            self.published.append(params)

        @self.feature("capture-lsp/state")
        def state(params: Any) -> None:
            self.notices.append(("state", params, len(self.published)))

        @self.feature("capture-lsp/viewChanged")
        def view_changed(params: Any) -> None:
            self.notices.append(("viewChanged", params, len(self.published)))


class Editor:
    """One session of an editor."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self.client = Client()
        self.result: t.InitializeResult
        self._versions: dict[str, int] = {}

    async def start(
        self,
        caps: t.ClientCapabilities | None = None,
        options: Any = None,
        settings: Any = None,
        arguments: Sequence[str] = (),
        command: Sequence[str] | None = None,
        folders: Sequence[Path] | None = None,
    ) -> None:
        if settings is not None:
            self.client.set_configuration({"capture-lsp": settings})
        command = command or self.project.command("server", *arguments)
        await self.client.start_io(*command, cwd=self.project.root, env=self.project.env)
        roots = [self.project.root] if folders is None else folders
        self.result = await asyncio.wait_for(
            self.client.initialize_session(
                t.InitializeParams(
                    capabilities=caps or capabilities(),
                    root_uri=self.uri(""),
                    workspace_folders=[t.WorkspaceFolder(from_fs_path(str(p)) or "", p.name) for p in roots],
                    initialization_options=options,
                )
            ),
            SECONDS,
        )

    @property
    def server(self) -> asyncio.subprocess.Process:
        assert self.client._server is not None
        return self.client._server

    async def stop(self) -> int:
        """Shut the server down as an editor does; its exit status."""
        if self.server.returncode is None:
            await asyncio.wait_for(self.client.shutdown_session(), SECONDS)
        status = await asyncio.wait_for(self.server.wait(), SECONDS)
        await self.client.stop()
        return status

    def uri(self, name: str) -> str:
        if name.startswith("untitled:"):
            return name
        return (from_fs_path(str(self.project.root / name) if name else str(self.project.root))) or ""

    def open(self, name: str, text: str | None = None, language: str = "python") -> str:
        """Open a file; its URI."""
        uri = self.uri(name)
        if text is None:
            text = (self.project.root / name).read_bytes().decode("utf-8")
        self._versions[uri] = 1
        item = t.TextDocumentItem(uri=uri, language_id=language, version=1, text=text)
        self.client.text_document_did_open(t.DidOpenTextDocumentParams(item))
        return uri

    def change(self, uri: str, text: str, span: tuple[int, int, int, int] | None = None) -> int:
        """Replace a range, or everything; the new version."""
        self._versions[uri] += 1
        change: t.TextDocumentContentChangeEvent = (
            t.TextDocumentContentChangeWholeDocument(text)
            if span is None
            else t.TextDocumentContentChangePartial(text=text, range=range_(*span))
        )
        identifier = t.VersionedTextDocumentIdentifier(version=self._versions[uri], uri=uri)
        self.client.text_document_did_change(t.DidChangeTextDocumentParams(identifier, [change]))
        return self._versions[uri]

    def save(self, uri: str) -> None:
        self.client.text_document_did_save(t.DidSaveTextDocumentParams(t.TextDocumentIdentifier(uri)))

    def close(self, uri: str) -> None:
        self.client.text_document_did_close(t.DidCloseTextDocumentParams(t.TextDocumentIdentifier(uri)))

    async def pushed(self, uri: str, version: int | None = 1, count: int = 0) -> list[t.Diagnostic]:
        """The diagnostics pushed for a version; `count`: only what was pushed after so many messages."""

        def newest() -> t.PublishDiagnosticsParams | None:
            sent = self.client.published[count:]
            return next((p for p in reversed(sent) if p.uri == uri and p.version == version), None)

        await until(lambda: newest() is not None)
        found = newest()
        assert found is not None
        return list(found.diagnostics)

    async def pull(self, uri: str, previous: str | None = None) -> Any:
        params = t.DocumentDiagnosticParams(t.TextDocumentIdentifier(uri), previous_result_id=previous)
        return await asyncio.wait_for(self.client.text_document_diagnostic_async(params), SECONDS)

    async def hover(self, uri: str, line: int, character: int) -> str:
        """The text of a hover; empty for none."""
        params = t.HoverParams(t.TextDocumentIdentifier(uri), t.Position(line, character))
        found = await asyncio.wait_for(self.client.text_document_hover_async(params), SECONDS)
        if found is None:
            return ""
        assert isinstance(found.contents, t.MarkupContent)
        return found.contents.value

    async def lenses(self, uri: str) -> list[t.CodeLens]:
        params = t.CodeLensParams(t.TextDocumentIdentifier(uri))
        return list(await asyncio.wait_for(self.client.text_document_code_lens_async(params), SECONDS) or ())

    async def hints(self, uri: str, first: int = 0, last: int = 100_000) -> list[t.InlayHint]:
        """The inlay hints of some 0-based lines."""
        params = t.InlayHintParams(t.TextDocumentIdentifier(uri), range_(first, 0, last, 0))
        return list(await asyncio.wait_for(self.client.text_document_inlay_hint_async(params), SECONDS) or ())

    async def run(self, command: str, *arguments: Any, seconds: float = SECONDS) -> Any:
        params = t.ExecuteCommandParams(command, list(arguments))
        return await asyncio.wait_for(self.client.workspace_execute_command_async(params), seconds)

    async def messages(self, text: str) -> list[str]:
        """The messages shown to the user that hold a text, of which there will be one."""
        await until(lambda: any(text in m.message for m in self.client.messages))
        return [m.message for m in self.client.messages if text in m.message]


Start = Callable[..., Awaitable[Editor]]


def range_(line: int, character: int, end_line: int, end_character: int) -> t.Range:
    return t.Range(t.Position(line, character), t.Position(end_line, end_character))


def places(diagnostics: Sequence[t.Diagnostic]) -> list[tuple[Any, int, int, int, int]]:
    """(code, line, character, end line, end character) of each, 0-based."""
    return [
        (d.code, d.range.start.line, d.range.start.character, d.range.end.line, d.range.end.character)
        for d in diagnostics
    ]


async def until(condition: Callable[[], Any], seconds: float = SECONDS) -> None:
    end = asyncio.get_running_loop().time() + seconds
    while not condition():
        assert asyncio.get_running_loop().time() < end, "waited in vain"
        await asyncio.sleep(0.01)


@pytest.fixture
def project(tmp_path: Path) -> Project:
    made = Project.in_folder(tmp_path)
    made.env["VIRTUAL_ENV"] = sys.prefix
    made.env["CAPTURE_LSP_CACHE_DIR"] = str(made.home / "cache")
    return made


@pytest_asyncio.fixture
async def start(project: Project) -> AsyncIterator[Start]:
    """Start an editor and a server; both end with the test."""
    started: list[Editor] = []

    async def begin(**how: Any) -> Editor:
        editor = Editor(project)
        started.append(editor)
        await editor.start(**how)
        return editor

    yield begin
    for editor in started:
        await editor.stop()


def alive(pid: int) -> bool:
    """Whether a process runs (one that ended and was not waited for does not)."""
    try:
        os.kill(pid, 0)
    except OSError:
        return False
    stat = Path(f"/proc/{pid}/stat")
    return not stat.exists() or stat.read_text().rpartition(")")[2].split()[0] != "Z"


def children(pid: int) -> list[int]:
    """The processes that a process has started and that live."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == pid and fields[0] != "Z":
            found.append(int(path.parent.name))
    return found
