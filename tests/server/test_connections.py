"""A client over TCP and over WebSocket, and addresses that nobody can listen on."""

from __future__ import annotations

import asyncio
import inspect
import re
import socket
import sys
from asyncio.subprocess import PIPE, Process

import pytest
from lsprotocol import types as t

from tests.cli.conftest import BRANCH, Project

from .conftest import SECONDS, Client, capabilities, places, until

pytestmark = pytest.mark.asyncio
URI = "file:///m.py"


async def listening(project: Project, kind: str) -> tuple[Process, int]:
    """A server on a free port, and the port that it tells."""
    command = project.command("server", kind, "127.0.0.1:0")
    process = await asyncio.create_subprocess_exec(*command, cwd=project.root, env=project.env, stderr=PIPE)
    assert process.stderr is not None
    while True:
        line = (await asyncio.wait_for(process.stderr.readline(), SECONDS)).decode()
        assert line, "it ended"
        if (found := re.search(r"Serving on \('127\.0\.0\.1', (\d+)\)", line)) is not None:
            return process, int(found[1])


async def connected(kind: str, port: int) -> Client:
    client = Client()
    if kind == "--tcp":
        await client.start_tcp("127.0.0.1", port)
    else:
        await client.start_ws("127.0.0.1", port)
    await client.initialize_session(t.InitializeParams(capabilities=capabilities(), root_uri=None))
    item = t.TextDocumentItem(uri=URI, language_id="python", version=1, text=BRANCH)
    client.text_document_did_open(t.DidOpenTextDocumentParams(item))
    await until(lambda: client.diagnostics.get(URI))
    return client


@pytest.mark.parametrize("kind", ["--tcp", "--ws"])
async def test_a_whole_session(project: Project, kind: str) -> None:
    process, port = await listening(project, kind)
    client = await connected(kind, port)
    assert places(client.diagnostics[URI]) == [("CAP101", 4, 7, 4, 18)]
    shown = await client.text_document_hover_async(t.HoverParams(t.TextDocumentIdentifier(URI), t.Position(4, 8)))
    assert shown is not None
    await client.shutdown_async(None)
    client.exit(None)
    assert await asyncio.wait_for(process.wait(), SECONDS) == 0


@pytest.mark.parametrize("kind", ["--tcp", "--ws"])
async def test_a_client_that_just_leaves(project: Project, kind: str) -> None:
    process, port = await listening(project, kind)
    client = await connected(kind, port)
    assert client.protocol.writer is not None
    closed = client.protocol.writer.close()
    if inspect.isawaitable(closed):
        await asyncio.wait_for(closed, SECONDS)
    assert await asyncio.wait_for(process.wait(), SECONDS) == 1


@pytest.mark.parametrize("kind", ["--tcp", "--ws"])
async def test_nobody_can_listen_there(project: Project, kind: str) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        done = project.run("server", kind, address)
    assert done.status == 2
    told = [line for line in done.err.splitlines() if " INFO " not in line]
    assert len(told) == 1
    assert f"cannot listen on {address}: " in told[0]
    for wrong in ("nowhere", "127.0.0.1:99999", "127.0.0.1:"):
        done = project.run("server", kind, wrong)
        assert (done.status, done.err) == (2, f"error: an address is written HOST:PORT, not '{wrong}'\n")


async def test_without_the_websockets_package(project: Project) -> None:
    script = project.home / "without.py"
    script.write_text(
        "import importlib.util\n"
        "real = importlib.util.find_spec\n"
        "importlib.util.find_spec = lambda name, *a: None if name == 'websockets' else real(name, *a)\n"
        "from capture_lsp.cli import entry_point\n"
        "entry_point()\n"
    )
    process = await asyncio.create_subprocess_exec(
        sys.executable, str(script), "server", "--ws", "127.0.0.1:0", env=project.env, stderr=PIPE
    )
    _, told = await asyncio.wait_for(process.communicate(), SECONDS)
    assert process.returncode == 2
    assert told.decode() == "error: --ws needs the package websockets: pip install 'capture-lsp[ws]'\n"
