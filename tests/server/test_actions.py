"""Code actions: what is offered, and what the text is once an edit is applied."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from lsprotocol import types as t

from capture_lsp.server.documents import Text
from tests.cli.conftest import BRANCH, Project

from .conftest import SECONDS, Editor, Start, capabilities, places, range_

pytestmark = pytest.mark.asyncio

TWO = """\
import torch


@torch.compile
def fn(x: torch.Tensor) -> torch.Tensor:
    if x.sum() > 0:
        y = x + 1
    else:
        y = x - 1
    if y.mean() > 0:
        z = y * 2
    else:
        z = y * 3
    return z
"""


def eager() -> t.ClientCapabilities:
    """Emacs' way: no resolve, no document changes."""
    caps = capabilities()
    assert caps.text_document is not None
    assert caps.workspace is not None
    caps.text_document.code_action = t.CodeActionClientCapabilities()
    caps.workspace.workspace_edit = None
    return caps


async def actions(editor: Editor, uri: str, span: t.Range, only: list[str] | None = None) -> list[t.CodeAction]:
    context = t.CodeActionContext(diagnostics=[], only=only)  # type: ignore[arg-type]
    params = t.CodeActionParams(t.TextDocumentIdentifier(uri), span, context)
    found = await asyncio.wait_for(editor.client.text_document_code_action_async(params), SECONDS)
    return [action for action in found or () if isinstance(action, t.CodeAction)]


async def resolved(editor: Editor, action: t.CodeAction) -> t.CodeAction:
    assert action.edit is None
    return await asyncio.wait_for(editor.client.code_action_resolve_async(action), SECONDS)


def applied(text: str, edit: t.WorkspaceEdit | None, uri: str) -> str:
    """The text after the edits of one document, made from the last to the first as an editor does."""
    assert edit is not None
    edits: list[Any] = []
    for change in edit.document_changes or ():
        assert isinstance(change, t.TextDocumentEdit)
        assert change.text_document.uri == uri
        edits += change.edits
    edits += (edit.changes or {}).get(uri, ())
    for one in sorted(edits, key=lambda e: (e.range.start.line, e.range.start.character), reverse=True):
        start, end = one.range.start, one.range.end
        text = Text(text).changed((start.line, start.character, end.line, end.character), one.new_text).text
    return text


def by_title(found: list[t.CodeAction], begins: str) -> t.CodeAction:
    [one] = [action for action in found if action.title.startswith(begins)]
    return one


async def test_a_quick_fix_is_resolved_and_makes_the_finding_vanish(project: Project, start: Start) -> None:
    editor = await start()
    text = TWO.replace("\n", "\r\n")
    uri = editor.open("m.py", text)
    before = places(await editor.pushed(uri))
    assert len(before) == 2
    found = await actions(editor, uri, range_(5, 9, 5, 9), ["quickfix"])
    [fix] = [action for action in found if action.is_preferred]
    assert fix.kind == t.CodeActionKind.QuickFix
    assert [d.code for d in fix.diagnostics or ()] == ["CAP101"]
    done = await resolved(editor, fix)
    assert done.edit is not None
    assert done.edit.document_changes is not None
    new = applied(text, done.edit, uri)
    assert "torch.where(x.sum() > 0" in new
    assert "\n" not in new.replace("\r\n", "")
    version = editor.change(uri, new)
    assert len(await editor.pushed(uri, version)) == 1


async def test_without_resolve_the_edit_comes_at_once(project: Project, start: Start) -> None:
    editor = await start(caps=eager())
    uri = editor.open("m.py", TWO)
    await editor.pushed(uri)
    found = await actions(editor, uri, range_(5, 9, 5, 9))
    [fix] = [action for action in found if action.is_preferred]
    assert fix.edit is not None
    assert fix.edit.document_changes is None
    version = editor.change(uri, applied(TWO, fix.edit, uri))
    assert len(await editor.pushed(uri, version)) == 1
    for action in await actions(editor, uri, range_(0, 0, 20, 0)):
        assert action.edit is not None or action.command is not None


async def test_fix_all(project: Project, start: Start) -> None:
    editor = await start()
    uri = editor.open("m.py", TWO)
    await editor.pushed(uri)
    [action] = await actions(editor, uri, range_(0, 0, 0, 0), ["source.fixAll"])
    assert action.kind == "source.fixAll.capture"
    done = await resolved(editor, action)
    version = editor.change(uri, applied(TWO, done.edit, uri))
    assert await editor.pushed(uri, version) == []
    assert await actions(editor, uri, range_(0, 0, 0, 0), ["source.fixAll.capture"]) == []
    assert await actions(editor, uri, range_(0, 0, 0, 0), ["refactor"]) == []


@pytest.mark.parametrize("where", ["on this line", "in fn", "in this file"])
async def test_suppressions(project: Project, start: Start, where: str) -> None:
    """The finding goes, nothing is unused, and the text still parses."""
    text = "#!/usr/bin/python\n# -*- coding: utf-8 -*-\n" + BRANCH.replace(
        "x.sum() > 0", "(\n        x.sum() > 0\n    )"
    )
    editor = await start(caps=eager())
    uri = editor.open("m.py", text)
    assert len(await editor.pushed(uri)) == 1
    found = await actions(editor, uri, range_(7, 10, 7, 10))
    new = applied(text, by_title(found, f"Suppress CAP101 {where}").edit, uri)
    assert new.count("# capture: ignore") == 1
    compile(new, "m.py", "exec")
    version = editor.change(uri, new)
    assert await editor.pushed(uri, version) == []


async def test_a_suppression_joins_the_one_that_is_there(project: Project, start: Start) -> None:
    text = BRANCH.replace("> 0:", "> 0:  # noqa  # capture: ignore[CAP301] because")
    editor = await start(caps=eager())
    uri = editor.open("m.py", text)
    await editor.pushed(uri)
    found = await actions(editor, uri, range_(4, 8, 4, 8), ["quickfix"])
    new = applied(text, by_title(found, "Suppress CAP101 on this line").edit, uri)
    assert "> 0:  # noqa  # capture: ignore[CAP301, CAP101] because\n" in new
    version = editor.change(uri, new)
    assert [d.code for d in await editor.pushed(uri, version)] == ["CAP001"]


async def test_a_suppression_replaces_one_that_is_over(project: Project, start: Start) -> None:
    text = BRANCH.replace("> 0:", "> 0:  # capture: ignore[CAP101] until=torch>=2.6 -- because")
    project.write("capture-lsp.toml", 'target-torch = "2.13"\n')
    editor = await start(caps=eager())
    uri = editor.open("m.py", text)
    assert sorted(str(d.code) for d in await editor.pushed(uri)) == ["CAP002", "CAP101"]
    found = await actions(editor, uri, range_(4, 8, 4, 8), ["quickfix"])
    new = applied(text, by_title(found, "Suppress CAP101 on this line").edit, uri)
    assert "> 0:  # capture: ignore[CAP101]\n" in new
    version = editor.change(uri, new)
    assert await editor.pushed(uri, version) == []


async def test_the_page_of_a_rule(project: Project, start: Start) -> None:
    editor = await start()
    uri = editor.open("m.py", BRANCH)
    await editor.pushed(uri)
    action = by_title(await actions(editor, uri, range_(4, 8, 4, 8)), "Open the page of CAP101")
    assert action.command is not None
    params = t.ExecuteCommandParams(action.command.command, action.command.arguments)
    address = await asyncio.wait_for(editor.client.workspace_execute_command_async(params), SECONDS)
    assert str(address).endswith("/CAP101.md")
    assert [shown.uri for shown in editor.client.shown_documents] == [address]


async def test_nothing_is_offered_for_a_text_that_has_changed(project: Project, start: Start) -> None:
    editor = await start()
    uri = editor.open("m.py", BRANCH)
    await editor.pushed(uri)
    found = await actions(editor, uri, range_(4, 8, 4, 8))
    action = by_title(found, "Suppress CAP101 on this line")
    version = editor.change(uri, "\n\n\n", (0, 0, 0, 0))
    assert (await editor.client.code_action_resolve_async(action)).edit is None
    await editor.pushed(uri, version)
    assert (await editor.client.code_action_resolve_async(action)).edit is None
