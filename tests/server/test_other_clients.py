"""Clients that show no progress, no lenses and no documents, as Emacs' eglot does: they get the whole product too."""

from __future__ import annotations

import pytest
from lsprotocol import types as t

from tests.cli.conftest import BRANCH, CLEAN, Project

from .conftest import Start, capabilities, places, range_, until

pytestmark = pytest.mark.asyncio
PROBE_SECONDS = 240.0


def modest() -> t.ClientCapabilities:
    caps = capabilities()
    assert caps.text_document is not None
    caps.window = None
    caps.text_document.code_lens = None
    return caps


async def actions(editor: object, uri: str, line: int) -> list[str]:
    params = t.CodeActionParams(t.TextDocumentIdentifier(uri), range_(line, 5, line, 5), t.CodeActionContext([]))
    found = await editor.client.text_document_code_action_async(params)  # type: ignore[attr-defined]
    return [action.title for action in found or ()]


async def test_what_lenses_do_is_offered_as_actions(project: Project, start: Start) -> None:
    editor = await start(caps=modest())
    uri = editor.open("m.py", CLEAN)
    assert await editor.pushed(uri) == []
    assert (await actions(editor, uri, 3))[:2] == ["Probe: fn", "Compare frontends: fn"]
    assert await actions(editor, uri, 4) == []
    other = await start()
    uri = other.open("m.py", CLEAN)
    await other.pushed(uri)
    assert await actions(other, uri, 3) == []


async def test_answers_come_as_messages(project: Project, start: Start) -> None:
    project.write("other.py", BRANCH)
    editor = await start(caps=modest())
    address = await editor.run("capture-lsp.openRule", "CAP101")
    assert address in (await editor.messages("CAP101 ("))[0]
    assert await editor.run("capture-lsp.checkWorkspace") == {"status": "started"}
    assert await editor.messages("Checking the workspace…")
    assert (await editor.messages("in files"))[0].endswith(
        "Checking the workspace: 1 problem in files that are not open"
    )


@pytest.mark.truth
async def test_probes_and_the_doctor_do_not_keep_the_client_waiting(project: Project, start: Start) -> None:
    project.write("m.py", BRANCH)
    editor = await start(caps=modest())
    uri = editor.open("m.py")
    [found] = await editor.pushed(uri)
    assert await editor.run("capture-lsp.probe", uri, "fn") == {"status": "started"}
    await until(lambda: editor.client.diagnostics[uri][0].message == f"{found.message} (confirmed)", PROBE_SECONDS)
    assert "Probing fn: 2 graphs · 1 break" in (await editor.messages("Probing fn: "))[0]
    assert await editor.run("capture-lsp.doctor") == {"status": "started"}
    await until(lambda: any("the probe sees: full" in m.message for m in editor.client.messages), PROBE_SECONDS)
    assert "graph 0" in await editor.run("capture-lsp.showReport", uri)
    assert await editor.messages("graph 0")


async def test_a_client_that_cannot_be_told_to_pull_again_is_pushed_to(project: Project, start: Start) -> None:
    """Neovim's way: it pulls, and has no `workspace/diagnostic/refresh`."""
    caps = capabilities(pull=True)
    assert caps.workspace is not None
    caps.workspace.diagnostics = None
    editor = await start(caps=caps)
    assert editor.result.capabilities.diagnostic_provider is None
    assert places(await editor.pushed(editor.open("m.py", BRANCH))) == [("CAP101", 4, 7, 4, 18)]
    other = await start(caps=capabilities(pull=True))
    assert other.result.capabilities.diagnostic_provider is not None
