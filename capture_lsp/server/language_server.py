"""The server object: pygls' own, but for the documents, which are ours (`documents` says why)."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import threading
from collections.abc import Callable
from typing import Any

from lsprotocol import types
from pygls.exceptions import FeatureRequestError
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol, default_converter, lsp_method

from capture_lsp import __version__
from capture_lsp.server.analysis import IncrementalAnalyser
from capture_lsp.server.documents import Document
from capture_lsp.server.session import Session

log = logging.getLogger(__name__)

NAME = "capture-lsp"
ISSUES = "https://github.com/capture-lsp/capture-lsp/issues"
_LEVELS = {
    "error": types.MessageType.Error,
    "warning": types.MessageType.Warning,
    "info": types.MessageType.Info,
}


class Protocol(LanguageServerProtocol):
    """Leaves the texts of documents to `Session.documents`; pygls would keep, and split into lines, its own. Tells
    commands that the client cancels them, which pygls only answers. Lets go of what came of notifications, which pygls
    2.1 keeps for ever."""

    def __init__(self, *arguments: Any) -> None:
        self._stops: dict[str | int, threading.Event] = {}
        super().__init__(*arguments)

    def _execute_handler(self, msg_id: str | int, *arguments: Any, **named: Any) -> None:
        super()._execute_handler(msg_id, *arguments, **named)
        future = self._request_futures.get(msg_id)
        if future is not None:
            future.add_done_callback(lambda _: self._request_futures.pop(msg_id, None))

    @property
    def stop(self) -> threading.Event:
        """What is set when the client cancels the command that is being run; another for whatever is no command."""
        identifier = self.msg_id
        return self._stops.get(identifier, threading.Event()) if identifier is not None else threading.Event()

    @lsp_method(types.WORKSPACE_EXECUTE_COMMAND)
    def lsp_workspace__execute_command(self, params: types.ExecuteCommandParams) -> Any:
        identifier = self.msg_id
        if identifier is None:
            return (yield from super().lsp_workspace__execute_command(params))
        self._stops[identifier] = threading.Event()
        try:
            return (yield from super().lsp_workspace__execute_command(params))
        finally:  # one that was cancelled is closed once its handler has ended
            del self._stops[identifier]

    def _handle_cancel_notification(self, msg_id: str | int) -> None:
        if msg_id in self._stops:
            self._stops[msg_id].set()
        super()._handle_cancel_notification(msg_id)

    @lsp_method(types.TEXT_DOCUMENT_DID_OPEN)
    def lsp_text_document__did_open(self, params: types.DidOpenTextDocumentParams) -> Any:
        yield self.fm.features[types.TEXT_DOCUMENT_DID_OPEN], (params,), None

    @lsp_method(types.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(self, params: types.DidChangeTextDocumentParams) -> Any:
        yield self.fm.features[types.TEXT_DOCUMENT_DID_CHANGE], (params,), None

    @lsp_method(types.TEXT_DOCUMENT_DID_CLOSE)
    def lsp_text_document__did_close(self, params: types.DidCloseTextDocumentParams) -> Any:
        yield self.fm.features[types.TEXT_DOCUMENT_DID_CLOSE], (params,), None

    @lsp_method(types.NOTEBOOK_DOCUMENT_DID_OPEN)
    def lsp_notebook_document__did_open(self, params: types.DidOpenNotebookDocumentParams) -> Any:
        yield self.fm.features[types.NOTEBOOK_DOCUMENT_DID_OPEN], (params,), None

    @lsp_method(types.NOTEBOOK_DOCUMENT_DID_CHANGE)
    def lsp_notebook_document__did_change(self, params: types.DidChangeNotebookDocumentParams) -> Any:
        yield self.fm.features[types.NOTEBOOK_DOCUMENT_DID_CHANGE], (params,), None

    @lsp_method(types.NOTEBOOK_DOCUMENT_DID_CLOSE)
    def lsp_notebook_document__did_close(self, params: types.DidCloseNotebookDocumentParams) -> Any:
        yield self.fm.features[types.NOTEBOOK_DOCUMENT_DID_CLOSE], (params,), None

    @property
    def ended_well(self) -> bool:
        """Whether the client asked for the shutdown."""
        return self._shutdown


class CaptureServer(LanguageServer):
    """`session` is what the server knows; each feature is a module that registers its handlers here."""

    protocol: Protocol

    def __init__(self, notebooks: types.NotebookDocumentSyncOptions | None = None) -> None:
        # Two of the threads read standard input; the analysis and the probe have their own.
        super().__init__(
            NAME,
            __version__,
            protocol_cls=Protocol,
            converter_factory=default_converter,
            max_workers=2,
            notebook_document_sync=notebooks,
        )
        self.session = Session(IncrementalAnalyser(), self.tell)
        self.loop: asyncio.AbstractEventLoop | None = None
        self.closed: list[Callable[[Document], None]] = []  #: told of each document that is closed
        self.saved: list[Callable[[Document], None]] = []  #: told of each document that is saved
        self.workspace_changed: list[Callable[[], None]] = []  #: told when folders, settings or files are others
        self.cell_gone: list[Callable[[str], None]] = []  #: told of each cell that is no more, by its URI
        self.offering: list[Callable[[], None]] = []  #: called once the client's capabilities are known, ours not told
        self.offer_workspace: Callable[[], None] = lambda: None  #: adds `workspace/diagnostic`
        self.ending: list[Callable[[], None]] = []  #: called when the client asks for the shutdown

    @property
    def listening(self) -> bool:
        """Whether clients can connect, or could."""
        return self._server is not None

    @property
    def initialised(self) -> bool:
        """Whether the client has said what it can do: before that it may be sent next to nothing."""
        return self.loop is not None

    def in_loop(self, action: Callable[..., Any], *arguments: Any) -> None:
        """Call something in the event loop's thread, from whichever thread."""
        try:
            running: asyncio.AbstractEventLoop | None = asyncio.get_running_loop()
        except RuntimeError:
            running = None
        if running is not None and running is self.loop:
            action(*arguments)
        elif self.loop is not None:
            with contextlib.suppress(RuntimeError):  # the loop is closed: the server ends
                self.loop.call_soon_threadsafe(action, *arguments)

    def tell(self, text: str, level: str) -> None:
        """Show the user a message; it is in the log as well."""
        log.log(logging.ERROR if level == "error" else logging.INFO, "%s", text)
        self.window_show_message(types.ShowMessageParams(_LEVELS[level], f"capture-lsp: {text}"))

    def tell_workspace_changed(self) -> None:
        """Folders, settings, or files on disk are not what they were."""
        for listener in self.workspace_changed:
            listener()

    def restart_analysis(self) -> None:
        """Analyse everything anew, with nothing kept from before."""
        self.session.use(IncrementalAnalyser())

    def report_server_error(self, error: Exception, source: Any) -> None:
        """A defect in a handler: told once. A request is answered with it as well."""
        log.error("%s", error, exc_info=error)
        if source is not FeatureRequestError and not isinstance(error, FeatureRequestError):
            self.session.say(f"internal error: {error}; please report it at {ISSUES}", "error")

    def supports(self, path: str) -> bool:
        """Whether the client said that it has a capability, named as the protocol does with `_` for humps."""
        return bool(self.capability(path))

    def capability(self, path: str) -> Any:
        """A part of the client's capabilities; None where it says nothing."""
        found: Any = self.client_capabilities
        for name in path.split("."):
            found = getattr(found, name, None)
            if found is None:
                return None
        return found
