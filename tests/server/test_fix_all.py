"""All safe fixes: as many rounds as there are, the text that the command line makes."""

from __future__ import annotations

import asyncio

import pytest
from lsprotocol import types as t

from tests.cli.conftest import BRANCH, Project

from .conftest import SECONDS, Start, range_
from .test_actions import actions, applied, eager, resolved
from .test_notebooks import Book

pytestmark = pytest.mark.asyncio

#: The comment on the branch that is replaced goes in the second round.
ROUNDS = """\
import torch


@torch.compile
def fn(x: torch.Tensor) -> torch.Tensor:
    if x.sum() > 0:  # capture: ignore[CAP301]
        x = x + 1
    else:
        x = x - 1
    assert x.sum() > 0
    print("😀")  # capture: ignore[CAP101]
    return x


@torch.compile
def other(x: torch.Tensor) -> torch.Tensor:
    if x.mean() > 0:
        if x.sum() > 0:
            y = x + 1
        else:
            y = x - 1
    else:
        y = x
    return y
"""


def by_command(project: Project, text: str) -> str:
    path = project.write("m.py", text)
    project.run("check", "--fix", "--no-cache", "m.py")
    return path.read_bytes().decode()


@pytest.mark.parametrize("end", ["\n", "\r\n"])
async def test_the_result_is_that_of_the_command(project: Project, start: Start, end: str) -> None:
    text = "\ufeff" * (end == "\r\n") + ROUNDS.replace("\n", end)
    wanted = by_command(project, text)
    assert wanted != text
    editor = await start()
    uri = editor.open("m.py", text)
    await editor.pushed(uri)
    [action] = await actions(editor, uri, range_(0, 0, 0, 0), ["source.fixAll"])
    new = applied(text, (await resolved(editor, action)).edit, uri)
    assert new == wanted
    version = editor.change(uri, new)
    await editor.pushed(uri, version)
    assert await actions(editor, uri, range_(0, 0, 0, 0), ["source.fixAll"]) == []


async def test_other_open_files_are_left_alone(project: Project, start: Start) -> None:
    editor = await start()
    other = editor.open("other.py", ROUNDS)
    uri = editor.open("m.py", ROUNDS)
    await editor.pushed(other)
    await editor.pushed(uri)
    [action] = await actions(editor, uri, range_(0, 0, 0, 0), ["source.fixAll"])
    edit = (await resolved(editor, action)).edit
    assert edit is not None
    assert [c.text_document.uri for c in edit.document_changes or () if isinstance(c, t.TextDocumentEdit)] == [uri]


async def test_given_up_when_the_document_changes(project: Project, start: Start) -> None:
    editor = await start()
    uri = editor.open("m.py", ROUNDS)
    await editor.pushed(uri)
    [action] = await actions(editor, uri, range_(0, 0, 0, 0), ["source.fixAll"])
    asked = asyncio.ensure_future(editor.client.code_action_resolve_async(action))
    await asyncio.sleep(0)
    version = editor.change(uri, BRANCH)
    assert (await asyncio.wait_for(asked, SECONDS)).edit is None
    assert len(await editor.pushed(uri, version)) == 1


async def test_for_clients_that_want_edits_at_once(project: Project, start: Start) -> None:
    """On saving they get the edit; looking at what there is, a command."""
    editor = await start(caps=eager())
    wanted = by_command(project, ROUNDS)
    uri = editor.open("m.py", ROUNDS)
    await editor.pushed(uri)
    [action] = await actions(editor, uri, range_(0, 0, 0, 0), ["source.fixAll"])
    assert applied(ROUNDS, action.edit, uri) == wanted
    [action] = [a for a in await actions(editor, uri, range_(0, 0, 0, 0)) if a.kind == "source.fixAll.capture"]
    assert action.edit is None
    assert action.command is not None
    edits: list[t.WorkspaceEdit] = []

    @editor.client.feature(t.WORKSPACE_APPLY_EDIT)
    def apply(params: t.ApplyWorkspaceEditParams) -> t.ApplyWorkspaceEditResult:
        edits.append(params.edit)
        return t.ApplyWorkspaceEditResult(applied=True)

    assert await editor.run(action.command.command, *(action.command.arguments or ())) == {"applied": True}
    assert applied(ROUNDS, edits[0], uri) == wanted


async def test_not_while_something_does_not_parse(project: Project, start: Start) -> None:
    """Nothing is offered that would do nothing, and the command says why."""
    editor = await start()
    uri = editor.open("m.py", ROUNDS + "\n\ndef other(:\n    pass\n")
    assert len(await editor.pushed(uri)) > 1
    assert await actions(editor, uri, range_(0, 0, 0, 0), ["source.fixAll"]) == []
    reason = "line 27 does not parse: nothing is fixed in the file until it does"
    assert await editor.run("capture-lsp.fixAll", uri) == {"applied": False, "reason": reason}
    assert await editor.messages(reason)
    clean = editor.open("n.py", "x = 1\n")
    await editor.pushed(clean)
    assert "no finding" in (await editor.run("capture-lsp.fixAll", clean))["reason"]


async def test_a_notebook_with_a_cell_that_does_not_parse(project: Project, start: Start) -> None:
    editor = await start()
    cells = Book(editor).open((ROUNDS, "def other(:\n    pass"))
    assert len(await editor.pushed(cells[0])) > 1
    for cell in cells:
        assert await actions(editor, cell, range_(0, 0, 0, 0), ["source.fixAll"]) == []
    reason = "cell 2 does not parse: nothing is fixed in the notebook until it does"
    assert await editor.run("capture-lsp.fixAll", cells[0]) == {"applied": False, "reason": reason}
