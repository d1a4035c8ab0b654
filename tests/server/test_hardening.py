"""What a reader with bad intentions tried: nothing hangs, nothing is lost."""

from __future__ import annotations

import asyncio

import pytest
from lsprotocol import types as t

from tests.cli.conftest import BRANCH, Project

from .conftest import Start, places

pytestmark = pytest.mark.asyncio

LIB = "import torch\n\n\ndef loss(x: torch.Tensor):\n    return x.sum().item()\n"
EXTRA = "import torch\n\nimport lib\n\nfast = torch.compile(lib.loss)\n"


async def test_a_broken_configuration_file_holds_up_no_answer(project: Project, start: Start) -> None:
    project.write("capture-lsp.toml", "ignore = [\n")
    editor = await start()
    uri = editor.open("m.py", BRANCH)
    await editor.pushed(uri)
    params = t.CodeActionParams(
        t.TextDocumentIdentifier(uri), t.Range(t.Position(0, 0), t.Position(9, 0)), t.CodeActionContext([])
    )
    await asyncio.wait_for(editor.client.text_document_code_action_async(params), 20)


@pytest.mark.parametrize("coding", ["idna", "undefined", "hex", "nothing"])
async def test_an_encoding_that_no_text_has_costs_its_own_file(project: Project, start: Start, coding: str) -> None:
    editor = await start()
    good = editor.open("good.py", BRANCH)
    found = await editor.pushed(good)
    count = len(editor.client.published)
    odd = editor.open("odd.py", f"# coding: {coding}\nx = 1\n")
    told = await editor.pushed(odd, count=count)
    assert bool(told) is (coding != "idna")  # which reads what is ASCII
    count = len(editor.client.published)
    version = editor.change(good, "\n", (0, 0, 0, 0))
    assert len(await editor.pushed(good, version, count=count)) == len(found) > 0


async def test_a_file_that_is_closed_goes_on_capturing(project: Project, start: Start) -> None:
    project.write("lib.py", LIB)
    project.write("extra.py", EXTRA)
    editor = await start()
    lib, extra = editor.open("lib.py"), editor.open("extra.py")
    await editor.pushed(extra)
    count = len(editor.client.published)
    version = editor.change(lib, "# more\n", (0, 0, 0, 0))
    editor.client.text_document_did_close(t.DidCloseTextDocumentParams(t.TextDocumentIdentifier(extra)))
    for _ in range(100):
        if len(editor.client.published) > count and places(await editor.pushed(lib, version, count=count)):
            break
        await asyncio.sleep(0.1)
    assert [place[0] for place in places(editor.client.diagnostics[lib])] == ["CAP110"]


async def test_what_was_asked_for_survives_a_restart_of_the_analysis(project: Project, start: Start) -> None:
    editor = await start()
    uri = editor.open("m.py", BRANCH)
    await editor.pushed(uri)
    asked = [asyncio.ensure_future(editor.run("capture-lsp.fixAll", uri)) for _ in range(2)]
    await editor.run("capture-lsp.restartAnalysis")
    answers = await asyncio.wait_for(asyncio.gather(*asked, return_exceptions=True), 30)
    assert len(answers) == 2  # this client applies no edits, but is not left waiting
