"""Findings as diagnostics: pushed, or pulled with result ids, never both for one document."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable

from lsprotocol import types
from lsprotocol.converters import get_converter

from analyzer.finding import FileError, Finding, Place
from analyzer.suppress import ABOUT_SUPPRESSIONS
from capture_lsp.catalogue import url
from capture_lsp.formats.probe.cost_words import of_finding
from capture_lsp.merge_probe import refuted, why_not_reached
from capture_lsp.results import FileResult
from capture_lsp.server import convert
from capture_lsp.server.cells import ModuleText
from capture_lsp.server.documents import Document, Text
from capture_lsp.server.language_server import CaptureServer
from capture_lsp.server.session import Analysed

SOURCE = "capture-lsp"
SEVERITIES = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "info": types.DiagnosticSeverity.Information,
    "hint": types.DiagnosticSeverity.Hint,
}
_MOST_RELATED = 12
_converter = get_converter()


class Diagnostics:
    """Makes a document's diagnostics, as this client understands them."""

    def __init__(self, server: CaptureServer) -> None:
        self._server = server
        self._known: dict[str, tuple[Analysed, list[types.Diagnostic], str]] = {}

    @property
    def pulls(self) -> bool:
        """Whether the client asks for diagnostics itself. One that cannot be told to ask again, as most releases of
        Neovim, would miss what changes without an edit, verdicts of probes first of all: it is pushed to."""
        asks = self._server.capability("text_document.diagnostic") is not None
        return asks and self._server.supports("workspace.diagnostics.refresh_support")

    def of(self, uri: str, analysed: Analysed) -> tuple[list[types.Diagnostic], str]:
        """The diagnostics of a result, and their result id."""
        known = self._known.get(uri)
        if known is None or known[0] is not analysed:
            syntax = self._server.session.own_of(uri, "show-syntax-errors")
            items = self.of_file(analysed.text, analysed.result, syntax, uri)
            known = self._known[uri] = (analysed, items, result_id(items))
        return known[1], known[2]

    def outdated(self, uri: str, analysed: Analysed) -> bool:
        """Whether other diagnostics were told for the very text that this result is of."""
        known = self._known.get(uri)
        return known is not None and known[0].text is analysed.text and self.of(uri, analysed)[1] != known[2]

    def forget(self, uri: str) -> None:
        self._known.pop(uri, None)

    def of_file(self, text: Text, result: FileResult, syntax: bool = True, uri: str = "") -> list[types.Diagnostic]:
        """Those of a file; of a notebook, those of the cell that `uri` names."""
        findings = [f for f in result.findings if not refuted(f) and text.owner(f.line, uri) == uri]
        hidden = ("internal",) if syntax else ("internal", "syntax")  # a defect of ours is told in a message
        errors = [error for error in result.errors if error.kind not in hidden]
        alone = text
        if isinstance(text, ModuleText):
            errors, alone = text.errors_of(uri, errors), text.text_of(uri)
        return [self.of_finding(text, f) for f in findings] + [self._error(alone, error) for error in errors]

    def of_finding(self, text: Text, finding: Finding) -> types.Diagnostic:
        """One finding."""
        return types.Diagnostic(
            range=convert.range_of(text, finding),
            message=message(finding),
            severity=SEVERITIES[finding.severity],
            code=finding.code,
            code_description=self._description(finding.code),
            source=SOURCE,
            related_information=self._related(finding),
            tags=self._tags(finding),
            data=data_of(finding),
        )

    def _description(self, code: str) -> types.CodeDescription | None:
        if self._can("code_description_support"):
            return types.CodeDescription(url(code))
        return None

    def _related(self, finding: Finding) -> list[types.DiagnosticRelatedInformation] | None:
        if not self._can("related_information"):
            return None
        places: Iterable[Place] = [*finding.provenance, *finding.related][:_MOST_RELATED]
        session = self._server.session
        return [
            types.DiagnosticRelatedInformation(convert.location(session, p.path, p.line, p.column), p.text)
            for p in places
        ] or None

    def _tags(self, finding: Finding) -> list[types.DiagnosticTag] | None:
        if finding.code not in ABOUT_SUPPRESSIONS and not finding.stale:
            return None
        return [types.DiagnosticTag.Unnecessary] if self._can("tag_support") else None

    def _can(self, name: str) -> bool:
        """Clients that pull say so in another place than those that are pushed to; some in the older one alone."""
        return any(
            self._server.supports(f"text_document.{kind}.{name}") for kind in ("diagnostic", "publish_diagnostics")
        )

    def _error(self, text: Text, error: FileError) -> types.Diagnostic:
        row = text.line(error.line - 1)
        column = len(row) - len(row.lstrip()) + 1
        return types.Diagnostic(
            range=convert.span(text, error.line, column, error.line, len(row.rstrip()) + 1),
            message=f"not checked: {error.message}",
            severity=types.DiagnosticSeverity.Information,
            code=error.kind,
            source=SOURCE,
        )


def message(finding: Finding) -> str:
    """The message, with what the probe said of it."""
    words = {word for word in finding.status.values() if word not in ("predicted", "refuted")}
    if finding.stale:
        return f"{finding.message} (the probe's result is stale)"
    if "confirmed" in words:
        costs = f" · {of_finding(finding.cost)}" if finding.cost is not None else ""
        return f"{finding.message} (confirmed){costs}"
    if "not_reached" in words:
        why = why_not_reached(finding)
        return f"{finding.message} ({f'not reached: {why}' if why else 'not reached by the probe'})"
    return finding.message


def data_of(finding: Finding) -> dict[str, object]:
    """What names a finding when the client sends its diagnostic back."""
    key = [finding.code, finding.line, finding.column, finding.end_line, finding.end_column]
    return {"key": key, "status": dict(finding.status)}


def result_id(items: list[types.Diagnostic]) -> str:
    """The same for the same diagnostics."""
    text = json.dumps(_converter.unstructure(items), sort_keys=True)
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def register(server: CaptureServer) -> Diagnostics:
    """Add the handlers."""
    made = Diagnostics(server)

    def changed(document: Document) -> None:
        analysed = server.session.current(document.uri)
        if analysed is None:
            return
        owners = analysed.text.owners(document.uri, analysed.version)
        if made.pulls:
            if any(made.outdated(uri, analysed) for uri, _ in owners):
                server.workspace_diagnostic_refresh(None)
        else:
            for uri, version in owners:
                items, _ = made.of(uri, analysed)
                server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, items, version))

    def gone(uri: str) -> None:
        made.forget(uri)
        server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))

    def closed(document: Document) -> None:
        for uri, _ in document.text.owners(document.uri, document.version):
            gone(uri)

    server.session.changed.append(changed)
    server.closed.append(closed)
    server.cell_gone.append(gone)

    options = types.DiagnosticOptions(inter_file_dependencies=True, workspace_diagnostics=False, identifier=SOURCE)

    async def pull(
        ls: CaptureServer, params: types.DocumentDiagnosticParams
    ) -> types.RelatedFullDocumentDiagnosticReport | types.RelatedUnchangedDocumentDiagnosticReport:
        analysed = await ls.session.settled(params.text_document.uri)
        if analysed is None:
            return types.RelatedFullDocumentDiagnosticReport([])
        items, identifier = made.of(params.text_document.uri, analysed)
        if identifier == params.previous_result_id:
            return types.RelatedUnchangedDocumentDiagnosticReport(identifier)
        return types.RelatedFullDocumentDiagnosticReport(items, result_id=identifier)

    def offer() -> None:
        if made.pulls:
            server.feature(types.TEXT_DOCUMENT_DIAGNOSTIC, options)(pull)

    server.offering.append(offer)
    return made
