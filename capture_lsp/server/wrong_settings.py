"""What is wrong in configuration files, as diagnostics at its place; the rest is told in a message, once."""

from __future__ import annotations

from lsprotocol import types
from pygls.uris import from_fs_path

from capture_lsp.errors import ConfigError
from capture_lsp.server import convert
from capture_lsp.server.diagnostics import SOURCE
from capture_lsp.server.documents import Document
from capture_lsp.server.language_server import CaptureServer


def register(server: CaptureServer) -> None:
    """Show the problems whenever a result is there, and take back those that are solved."""
    told: dict[str, list[types.Diagnostic]] = {}
    session = server.session

    def show() -> None:
        found: dict[str, list[types.Diagnostic]] = {}
        for problem in session.problems():
            session.say(str(problem), "warning")
            if isinstance(problem, ConfigError):
                uri = session.uri_of(problem.path) or from_fs_path(problem.path) or ""
                found.setdefault(uri, []).append(_diagnostic(problem))
        for uri in [*told, *(uri for uri in found if uri not in told)]:
            if told.get(uri) != found.get(uri):
                items = found.get(uri, [])
                server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, items))
        told.clear()
        told.update(found)

    def _diagnostic(problem: ConfigError) -> types.Diagnostic:
        text = session.text_of(problem.path)
        row = text.line(problem.line - 1) if text is not None else ""
        start, end = len(row) - len(row.lstrip()) + 1, len(row.rstrip()) + 1
        where = (
            convert.span(text, problem.line, start, problem.line, max(start, end))
            if text is not None
            else types.Range(types.Position(problem.line - 1, 0), types.Position(problem.line, 0))
        )
        message = f"{problem.what}; what was right before, else the default, holds until it is mended"
        return types.Diagnostic(where, message, types.DiagnosticSeverity.Error, code="configuration", source=SOURCE)

    def changed(document: Document) -> None:
        show()

    def idle() -> None:
        if not any(document.python for document in session.documents):
            show()

    session.changed.append(changed)
    server.workspace_changed.append(idle)
