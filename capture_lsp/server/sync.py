"""Documents, folders, settings and configuration files, as the client tells of them."""

from __future__ import annotations

import asyncio
import logging
import os
from typing import Any, cast

from lsprotocol import types
from pygls.uris import to_fs_path

from capture_lsp.reading import is_notebook
from capture_lsp.server.cells import ModuleText
from capture_lsp.server.client_settings import SECTION, plain
from capture_lsp.server.documents import Encoding, Span
from capture_lsp.server.language_server import CaptureServer
from capture_lsp.server.notebooks import names_a_cell
from capture_lsp.server.session import Folder, folder_settings

log = logging.getLogger(__name__)
_CONFIGURATION = ("capture-lsp.toml", "pyproject.toml")


def register(server: CaptureServer) -> None:
    """Add the handlers."""

    @server.feature(types.INITIALIZE)
    def initialize(ls: CaptureServer, params: types.InitializeParams) -> None:
        ls.loop = asyncio.get_running_loop()
        session = ls.session
        options = plain(params.initialization_options)
        options = options if isinstance(options, dict) else {}
        if options.get("workspaceDiagnostics") is True:
            ls.offer_workspace()
        for offer in ls.offering:
            offer()
        session.trusted = options.get("trusted") is not False
        session.command_links = options.get("commandLinks") is True
        session.capture_view = options.get("captureView") is True
        uris = [folder.uri for folder in params.workspace_folders or ()]
        if not uris and params.root_uri:
            uris = [params.root_uri]
        paths = [path for uri in uris if (path := to_fs_path(uri))]
        if not paths and params.root_path:
            paths = [params.root_path]
        session.folders = [Folder(os.path.normpath(path)) for path in paths]
        session.documents.encoding = cast(Encoding, str(_encoding(params)))
        _take(ls, {"": options.get("settings", options.get(SECTION))})

    @server.feature(types.INITIALIZED)
    async def initialized(ls: CaptureServer, params: types.InitializedParams) -> None:
        await asyncio.gather(_ask_settings(ls), _watch(ls))
        ls.tell_workspace_changed()

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def did_open(ls: CaptureServer, params: types.DidOpenTextDocumentParams) -> None:
        item = params.text_document
        session = ls.session
        if session.documents.is_cell(item.uri) or names_a_cell(item.uri):
            return  # its notebook tells of it
        path = session.path_of(item.uri)
        if str(item.language_id) == "python" and is_notebook(path):
            path += ".py"  # some editors show a notebook's cells as one program
        session.documents.open(item.uri, path, str(item.language_id), item.version, item.text)
        session.schedule()

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def did_change(ls: CaptureServer, params: types.DidChangeTextDocumentParams) -> None:
        identifier = params.text_document
        if _of_notebook(ls, identifier.uri):
            return
        changes = [(span(change), change.text) for change in params.content_changes]
        if ls.session.documents.change(identifier.uri, identifier.version, changes) is None:
            log.warning("a change of %s, which is not open", identifier.uri)
            return
        ls.session.schedule()

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    def did_save(ls: CaptureServer, params: types.DidSaveTextDocumentParams) -> None:
        if _of_notebook(ls, params.text_document.uri):
            return
        document = ls.session.documents.get(params.text_document.uri)
        if document is not None:
            document.saved = True
            for listener in ls.saved:
                listener(document)
        if ls.session.path_of(params.text_document.uri).endswith(_CONFIGURATION):
            ls.session.configuration_changed()

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def did_close(ls: CaptureServer, params: types.DidCloseTextDocumentParams) -> None:
        if _of_notebook(ls, params.text_document.uri):
            return
        document = ls.session.documents.close(params.text_document.uri)
        if document is not None:
            ls.session.closed(document)
            for listener in ls.closed:
                listener(document)

    @server.feature(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)
    async def did_change_folders(ls: CaptureServer, params: types.DidChangeWorkspaceFoldersParams) -> None:
        removed = {os.path.normpath(path) for folder in params.event.removed if (path := to_fs_path(folder.uri))}
        added = [path for folder in params.event.added if (path := to_fs_path(folder.uri))]
        kept = [folder for folder in ls.session.folders if folder.path not in removed]
        ls.session.folders = kept + [Folder(os.path.normpath(p), ls.session.global_settings) for p in added]
        await _ask_settings(ls)
        ls.session.configuration_changed()
        ls.tell_workspace_changed()

    @server.feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)
    async def did_change_configuration(ls: CaptureServer, params: types.DidChangeConfigurationParams) -> None:
        pushed = plain(params.settings)
        if isinstance(pushed, dict) and SECTION in pushed:
            _take(ls, {"": pushed[SECTION]})
        await _ask_settings(ls)
        ls.session.configuration_changed()
        ls.tell_workspace_changed()

    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def did_change_watched_files(ls: CaptureServer, params: types.DidChangeWatchedFilesParams) -> None:
        paths = [ls.session.path_of(change.uri) for change in params.changes]
        if any(path.endswith(_CONFIGURATION) for path in paths):
            ls.session.configuration_changed()
        else:  # a file that an open one imports, perhaps, or would
            ls.session.files_changed()
        ls.tell_workspace_changed()

    @server.feature(types.SHUTDOWN)
    async def shutdown(ls: CaptureServer, params: None) -> None:
        ls.session.stop()
        for end in ls.ending:  # a probe's processes take a moment to end
            await asyncio.to_thread(end)

    @server.feature(types.SET_TRACE)
    def set_trace(ls: CaptureServer, params: types.SetTraceParams) -> None:
        off = params.value == types.TraceValue.Off
        logging.getLogger("capture_lsp").setLevel(logging.INFO if off else logging.DEBUG)


def _encoding(params: types.InitializeParams) -> str:
    from pygls.capabilities import ServerCapabilitiesBuilder

    found = ServerCapabilitiesBuilder.choose_position_encoding(params.capabilities)
    return str(getattr(found, "value", found))


def _of_notebook(ls: CaptureServer, uri: str) -> bool:
    """Whether a document is kept as a notebook, or a part of one."""
    document = ls.session.documents.get(uri)
    return names_a_cell(uri) or (document is not None and isinstance(document.text, ModuleText))


def span(change: types.TextDocumentContentChangeEvent) -> Span | None:
    """The range of a change; None for one of the whole text."""
    if isinstance(change, types.TextDocumentContentChangePartial):
        start, end = change.range.start, change.range.end
        return start.line, start.character, end.line, end.character
    return None


def _take(ls: CaptureServer, values: dict[str, Any]) -> None:
    for problem in folder_settings(ls.session, values):
        ls.session.say(problem, "warning")


async def _ask_settings(ls: CaptureServer) -> None:
    """Ask the client for its settings, those of each folder."""
    if not ls.supports("workspace.configuration"):
        return
    folders = [folder.path for folder in ls.session.folders]
    items = [types.ConfigurationItem(section=SECTION)]
    items += [types.ConfigurationItem(ls.session.uri_of(path), SECTION) for path in folders]
    try:
        values = await ls.workspace_configuration_async(types.ConfigurationParams(items))
    except Exception as error:  # the client's own trouble
        log.warning("the client did not tell its settings: %s", error)
        return
    given = {path: value for path, value in zip(["", *folders], values) if value is not None}
    if given:
        _take(ls, given)
        ls.session.configuration_changed()


async def _watch(ls: CaptureServer) -> None:
    """Have the client tell of configuration files and of Python files that change on disk."""
    if not ls.supports("workspace.did_change_watched_files.dynamic_registration"):
        return
    watchers = [types.FileSystemWatcher(f"**/{name}") for name in (*_CONFIGURATION, "*.py", "*.ipynb")]
    options = types.DidChangeWatchedFilesRegistrationOptions(watchers)
    registration = types.Registration("watched-files", types.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
    try:
        await ls.client_register_capability_async(types.RegistrationParams([registration]))
    except Exception as error:
        log.warning("the client watches no files: %s", error)
