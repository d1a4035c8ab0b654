"""Documents and folders that clients name in unusual ways, and texts that the parser gives up on."""

from __future__ import annotations

import ast

import pytest
from lsprotocol import types as t

from capture_lsp.probe.functions import dumped, functions_of
from tests.cli.conftest import BRANCH, CLEAN, Project

from .conftest import Start, capabilities, places, range_, until
from .test_actions import actions
from .test_probe import lens_titles

AT = [("CAP101", 4, 7, 4, 18)]


@pytest.mark.asyncio
@pytest.mark.parametrize("pull", [False, True])
async def test_a_file_under_two_uris_is_the_first_text(project: Project, start: Start, pull: bool) -> None:
    editor = await start(caps=capabilities(pull=pull))
    first = editor.open("a.py", BRANCH)
    second = first.replace("a.py", "%61.py")
    item = t.TextDocumentItem(second, "python", 1, "\n\n\n" + BRANCH + "\n")
    editor.client.text_document_did_open(t.DidOpenTextDocumentParams(item))
    if pull:
        assert places((await editor.pull(first)).items) == AT
        assert not (await editor.pull(second)).items
    else:
        assert places(await editor.pushed(first)) == AT
    assert await editor.hover(second, 7, 8) == ""
    assert await lens_titles(editor, second) == []
    assert await actions(editor, second, range_(7, 8, 7, 8)) == []
    assert len(await lens_titles(editor, first)) == 3
    editor.close(first)
    if pull:
        [found] = (await editor.pull(second)).items
    else:
        [found] = await editor.pushed(second)
    assert found.range.start.line == 7


@pytest.mark.asyncio
async def test_a_folder_whose_uri_ends_in_a_slash_can_be_removed(project: Project, start: Start) -> None:
    """What is left has other settings, those of the folder that is around it."""
    inner = project.root / "inner"
    project.write("inner/m.py", BRANCH)
    editor = await start(folders=[project.root, inner])
    editor.client.set_configuration({"capture-lsp": {"ignore": ["CAP101"]}}, scope_uri=inner.as_uri())
    editor.client.workspace_did_change_configuration(t.DidChangeConfigurationParams(None))
    uri = editor.open("inner/m.py")
    await until(lambda: not editor.client.diagnostics.get(uri, [None]))
    count = len(editor.client.published)
    event = t.WorkspaceFoldersChangeEvent(added=[], removed=[t.WorkspaceFolder(f"{inner.as_uri()}/", "inner")])
    editor.client.workspace_did_change_workspace_folders(t.DidChangeWorkspaceFoldersParams(event))
    assert places(await editor.pushed(uri, count=count)) == AT


@pytest.mark.asyncio
@pytest.mark.parametrize("deep", ["-" * 30000 + "1", "(" * 3000 + "1" + ")" * 3000, "1" + " + 1" * 30000])
async def test_a_text_that_is_nested_too_deeply_is_answered(project: Project, start: Start, deep: str) -> None:
    editor = await start()
    uri = editor.open("m.py", f"{CLEAN}\n\na = {deep}\n")
    await editor.pushed(uri)
    for line in range(9):
        await editor.hover(uri, line, 5)  # an error would be raised here
        await actions(editor, uri, range_(line, 5, line, 5))
    await lens_titles(editor, uri)
    assert not [m for m in editor.client.messages if "internal error" in m.message]


def test_trees_that_are_too_deep_to_be_dumped_are_compared() -> None:
    def tree(last: int) -> ast.AST:
        found = functions_of(f"def f():\n    return 0{' + 1' * 1200} + {last}\n")
        assert found is not None
        return found[0].node

    assert dumped(tree(2)) == dumped(tree(2)) != dumped(tree(3))
