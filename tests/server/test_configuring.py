"""Suppressing in the configuration: the file that holds for the finding, with its layout, or a new one."""

from __future__ import annotations

from pathlib import Path

import pytest
from lsprotocol import types as t

from tests.cli.conftest import BRANCH, Project

from .conftest import Editor, Start, capabilities, range_
from .test_actions import actions, applied, by_title, eager, resolved

pytestmark = pytest.mark.asyncio


async def chosen(editor: Editor, uri: str, begins: str) -> t.WorkspaceEdit:
    action = by_title(await actions(editor, uri, range_(4, 8, 4, 8), ["quickfix"]), begins)
    edit = action.edit or (await resolved(editor, action)).edit
    assert edit is not None
    return edit


async def renewed(editor: Editor, path: Path, text: str, uri: str) -> list[t.Diagnostic]:
    """The diagnostics once a configuration file has a text."""
    count = len(editor.client.published)
    path.write_bytes(text.encode())
    event = t.FileEvent(path.as_uri(), t.FileChangeType.Changed)
    editor.client.workspace_did_change_watched_files(t.DidChangeWatchedFilesParams([event]))
    return await editor.pushed(uri, count=count)


@pytest.mark.parametrize("caps", [None, eager()])
async def test_in_the_nearest_file(project: Project, start: Start, caps: t.ClientCapabilities | None) -> None:
    text = '# Ours\r\n[tool.capture-lsp]\r\nignore = ["CAP205"]  # sizes\r\n\r\n[tool.other]\r\nx = 1\r\n'
    config = project.write("pyproject.toml", text)
    project.write("pkg/a [1].py")
    editor = await start(caps=caps)
    uri = editor.open("pkg/a [1].py")
    assert len(await editor.pushed(uri)) == 1
    edit = await chosen(editor, uri, "Suppress CAP101 for pkg/a [1].py in pyproject.toml")
    new = applied(text, edit, editor.uri("pyproject.toml"))
    row = '[tool.capture-lsp.per-file-ignores]\r\n"pkg/a\\\\ \\\\[1\\\\].py" = ["CAP101"]\r\n'
    assert new == text.replace("sizes\r\n", f"sizes\r\n\r\n{row}")
    assert await renewed(editor, config, new, uri) == []
    assert len(await renewed(editor, config, text, uri)) == 1
    edit = await chosen(editor, uri, "Suppress CAP101 everywhere in pyproject.toml")
    new = applied(text, edit, editor.uri("pyproject.toml"))
    assert new == text.replace('["CAP205"]', '["CAP205", "CAP101"]')
    assert await renewed(editor, config, new, uri) == []


async def test_the_text_that_the_editor_has(project: Project, start: Start) -> None:
    project.write("capture-lsp.toml", "ignore = []\n")
    project.write("m.py")
    editor = await start()
    config = editor.open("capture-lsp.toml", "# new\nignore = ['CAP205']\n", language="toml")
    uri = editor.open("m.py")
    await editor.pushed(uri)
    edit = await chosen(editor, uri, "Suppress CAP101 everywhere")
    assert applied("# new\nignore = ['CAP205']\n", edit, config) == "# new\nignore = ['CAP205', \"CAP101\"]\n"


async def test_the_table_or_the_file_is_made(project: Project, start: Start) -> None:
    editor = await start()
    project.write("m.py")
    uri = editor.open("m.py")
    assert len(await editor.pushed(uri)) == 1
    edit = await chosen(editor, uri, "Suppress CAP101 for m.py in capture-lsp.toml")
    assert edit.document_changes is not None
    create, change = edit.document_changes
    assert isinstance(create, t.CreateFile)
    assert isinstance(change, t.TextDocumentEdit)
    assert create.uri == change.text_document.uri == editor.uri("capture-lsp.toml")
    [inserted] = change.edits
    assert isinstance(inserted, t.TextEdit)
    assert await renewed(editor, project.root / "capture-lsp.toml", inserted.new_text, uri) == []
    (project.root / "capture-lsp.toml").unlink()
    text = "[project]\nname = 'x'"
    assert len(await renewed(editor, project.root / "pyproject.toml", text, uri)) == 1
    edit = await chosen(editor, uri, "Suppress CAP101 everywhere in pyproject.toml")
    new = applied(text, edit, editor.uri("pyproject.toml"))
    assert new == f'{text}\n\n[tool.capture-lsp]\nignore = ["CAP101"]\n'
    assert await renewed(editor, project.root / "pyproject.toml", new, uri) == []


async def test_not_where_it_would_be_in_vain(project: Project, start: Start) -> None:
    """The editor's settings come before the file's; a client that makes no files is offered none."""
    project.write("m.py", BRANCH)
    caps = capabilities()
    assert caps.workspace is not None
    assert caps.workspace.workspace_edit is not None
    caps.workspace.workspace_edit.resource_operations = None
    editor = await start(caps=caps, settings={"ignore": []})
    uri = editor.open("m.py")
    await editor.pushed(uri)

    async def titles() -> list[str]:
        found = await actions(editor, uri, range_(4, 8, 4, 8), ["quickfix"])
        return [action.title for action in found if ".toml" in action.title]

    assert await titles() == []
    await renewed(editor, project.root / "pyproject.toml", "", uri)
    assert await titles() == ["Suppress CAP101 for m.py in pyproject.toml"]
