"""The recorded session typed into a real server: what is on the wire is what a fresh `check` of the texts says."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types as t

from analyzer.finding import Finding, Fix
from capture_lsp.check import Run, check
from capture_lsp.config.settings import Resolver
from capture_lsp.results import FileResult
from tests.cli.conftest import Project
from tests.server.conftest import Editor, Start, capabilities, project, range_, start

from .recording import applied, load, place, torch_text

__all__ = ["project", "start"]

FILES, EDITS = load()
COMPARED = 47  #: after every so many edits: each file in turn

pytestmark = [
    pytest.mark.asyncio,
    pytest.mark.skipif(not EDITS, reason="the recording is of another release of torch"),
]
#: Line and column of both ends of a range.
Spot = tuple[int, int, int, int]


def eager() -> t.ClientCapabilities:
    """A client that takes a fix's edits with its title."""
    caps = capabilities()
    assert caps.text_document is not None
    assert caps.text_document.code_action is not None
    caps.text_document.code_action.resolve_support = None
    return caps


def fresh(root: Path, texts: dict[str, str], path: str) -> FileResult:
    """What `check` of all the texts says of one of them."""
    settings = Resolver(str(root), {}).for_folder(str(root))
    overrides = {name: text.encode() for name, text in texts.items()}
    done = check(dict.fromkeys(texts, settings), Run(jobs=1, overrides=overrides))
    return next(file for file in done.files if file.path == path)


class Lines:
    """The lines of a text, for places from 1 in characters that become places from 0 in UTF-16 units."""

    def __init__(self, text: str) -> None:
        self._lines = text.split("\n")

    def spot(self, at: Any) -> Spot:
        return (*self._place(at.line, at.column), *self._place(at.end_line, at.end_column))

    def _place(self, line: int, column: int) -> tuple[int, int]:
        return line - 1, place(self._lines[line - 1], column - 1)[1]


def spot(range_: t.Range) -> Spot:
    return range_.start.line, range_.start.character, range_.end.line, range_.end.character


def told(diagnostics: list[t.Diagnostic]) -> list[tuple[Any, ...]]:
    return [
        (
            *spot(d.range),
            d.code,
            d.severity,
            d.message,
            [(i.location.range.start.line, i.message) for i in d.related_information or ()],
        )
        for d in diagnostics
        if d.code != "syntax"
    ]


SEVERITIES = dict(zip(("error", "warning", "info", "hint"), t.DiagnosticSeverity))


def expected(result: FileResult, text: str) -> list[tuple[Any, ...]]:
    lines = Lines(text)
    return [
        (
            *lines.spot(f),
            f.code,
            SEVERITIES[f.severity],
            f.message,
            [(p.line - 1, p.text) for p in (*f.provenance, *f.related)][:12],
        )
        for f in result.findings
    ]


def errors(result: FileResult) -> list[tuple[int, str]]:
    return [(error.line - 1, f"not checked: {error.message}") for error in result.errors]


def titled(fix: Fix) -> str:
    return fix.title[:1].upper() + fix.title[1:] + ("" if fix.safety == "safe" else " (unsafe)")


def fixes_of(findings: list[Finding], text: str) -> list[tuple[str, list[tuple[Spot, str]]]]:
    """Titles and edits of all fixes, in the order of the findings."""
    lines = Lines(text)
    return [
        (titled(fix), sorted({(lines.spot(edit), edit.text) for edit in fix.edits}))
        for finding in findings
        for fix in finding.fixes
    ]


async def offered(editor: Editor, uri: str) -> list[tuple[str, list[tuple[Spot, str]]]]:
    """Titles and edits of the fixes that the server offers for a whole file."""
    everywhere = range_(0, 0, 100_000, 0)
    context = t.CodeActionContext([], only=[t.CodeActionKind.QuickFix])
    params = t.CodeActionParams(t.TextDocumentIdentifier(uri), everywhere, context)
    found = await editor.client.text_document_code_action_async(params) or ()
    return [
        (action.title, sorted((spot(edit.range), edit.new_text) for edit in text_edits(action, uri)))
        for action in found
        if isinstance(action, t.CodeAction) and action.command is None and not action.title.startswith("Suppress ")
    ]


def text_edits(action: t.CodeAction, uri: str) -> list[Any]:
    assert action.edit is not None
    if action.edit.document_changes is None:
        return list((action.edit.changes or {})[uri])
    [change] = action.edit.document_changes
    assert isinstance(change, t.TextDocumentEdit)
    return list(change.edits)


async def test_the_recorded_session(project: Project, start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    project.write("pyproject.toml", '[tool.capture-lsp]\nroots = "all"\n')
    monkeypatch.setenv("VIRTUAL_ENV", sys.prefix)
    texts = {file: torch_text(file)[1] for file in FILES}
    names = {file: file.rpartition("/")[2] for file in FILES}
    paths = {file: str(project.write(names[file], texts[file])) for file in FILES}
    editor = await start(caps=eager())
    uris = {file: editor.open(names[file]) for file in FILES}
    versions = dict.fromkeys(FILES, 1)
    compared = fixed = 0
    for number, edit in enumerate(EDITS, 1):
        file = edit.file
        versions[file] = editor.change(uris[file], edit.text, (*edit.start, *edit.end))
        texts[file] = applied(texts[file], edit)
        if number % COMPARED and number != len(EDITS):
            continue
        pushed = await editor.pushed(uris[file], versions[file])
        wanted = fresh(project.root, {paths[name]: text for name, text in texts.items()}, paths[file])
        where = f"after edit {number} ({edit.kind} in {file})"
        assert told(pushed) == expected(wanted, texts[file]), where
        assert [(d.range.start.line, d.message) for d in pushed if d.code == "syntax"] == errors(wanted), where
        fixes = fixes_of(wanted.findings, texts[file])
        assert await offered(editor, uris[file]) == fixes, where
        compared += len(wanted.findings)
        fixed += len(fixes)
    assert compared > 40
    assert fixed > 5
