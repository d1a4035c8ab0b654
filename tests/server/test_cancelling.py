"""`$/cancelRequest` of a command that runs: what it started ends."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from lsprotocol import types as t
from pygls.exceptions import JsonRpcRequestCancelled

from tests.cli.conftest import BRANCH, Project

from .conftest import SECONDS, Editor, Start, alive, children, until
from .test_probe import PROBE_SECONDS, SLOW

pytestmark = pytest.mark.asyncio
ID = "the-command"


def begun(editor: Editor, command: str, *arguments: Any) -> asyncio.Task[Any]:
    params = t.ExecuteCommandParams(command, list(arguments))
    protocol = editor.client.protocol
    return asyncio.ensure_future(protocol.send_request_async(t.WORKSPACE_EXECUTE_COMMAND, params, ID))


async def cancelled(editor: Editor, running: asyncio.Task[Any]) -> None:
    editor.client.cancel_request(t.CancelParams(ID))
    with pytest.raises(JsonRpcRequestCancelled):
        await asyncio.wait_for(running, SECONDS)


def ended(editor: Editor) -> bool:
    """Whether the client was told that the work is over."""
    reports = [r for values in editor.client.progress_reports.values() for r in values]
    return any(isinstance(r, t.WorkDoneProgressEnd) and r.message == "cancelled" for r in reports)


@pytest.mark.truth
async def test_a_probe(project: Project, start: Start) -> None:
    project.write("slow.py", SLOW)
    editor = await start()
    uri = editor.open("slow.py")
    await editor.pushed(uri)
    running = begun(editor, "capture-lsp.probe", uri, "fn")
    await until((project.root / "slow.started").exists, PROBE_SECONDS)
    [zygote] = children(editor.server.pid)
    await cancelled(editor, running)
    await until(lambda: ended(editor))
    assert not alive(zygote)
    assert children(editor.server.pid) == []
    assert await editor.stop() == 0


async def test_a_check_of_the_workspace(project: Project, start: Start) -> None:
    many = "import torch\n" + "\n".join(BRANCH.replace("fn", f"fn{n}").split("\n", 1)[1] for n in range(150))
    for number in range(20):
        project.write(f"m{number}.py", many)
    editor = await start()
    running = begun(editor, "capture-lsp.checkWorkspace")
    await until(lambda: any(len(values) > 2 for values in editor.client.progress_reports.values()))
    await cancelled(editor, running)
    await until(lambda: ended(editor) and not children(editor.server.pid))
    assert editor.client.diagnostics == {}
