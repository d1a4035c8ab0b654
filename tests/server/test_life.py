"""The server as a process: how it starts and ends, what it imports and starts, what it says when something is wrong."""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys

import pytest
from lsprotocol import types as t

from tests.cli.conftest import BRANCH, CLEAN, Project
from tests.cli.test_isolation import NAMES, TRAP

from .conftest import Client, Start, alive, capabilities, children, places, until

pytestmark = pytest.mark.asyncio
AT = [("CAP101", 4, 7, 4, 18)]
LOG = "server.log"


async def test_shutdown_and_exit(project: Project, start: Start) -> None:
    editor = await start(arguments=("--stdio", "--log-file", str(project.home / LOG)))
    await editor.pushed(editor.open("m.py", BRANCH))
    assert await editor.stop() == 0
    assert not alive(editor.server.pid)
    assert "Traceback" not in (project.home / LOG).read_text()


async def test_a_client_that_just_leaves(project: Project, start: Start) -> None:
    editor = await start()
    await editor.pushed(editor.open("m.py", BRANCH))
    assert editor.server.stdin is not None
    editor.server.stdin.close()
    assert await asyncio.wait_for(editor.server.wait(), 20) == 1


@pytest.mark.parametrize("python_path", [None, "here"])
async def test_a_workspace_with_traps(project: Project, start: Start, python_path: str | None) -> None:
    """Every module that the server might import stands in the workspace as well; none is imported, nothing started."""
    names = [*NAMES, "pygls/__init__", "lsprotocol/__init__", "asyncio/__init__", "attrs", "cattrs", "logging/__init__"]
    early = ("typing", "threading", "tokenize", "struct", "json", "argparse", "queue", "difflib", "sitecustomize")
    for name in names:
        if name not in early:  # what Python imports from PYTHONPATH before any of our code runs
            project.write(f"{name}.py", TRAP)
    project.write("pyproject.toml", "[tool.capture-lsp]\n")
    script = project.home / "capture-lsp"
    script.write_text("from capture_lsp.cli import entry_point; entry_point()")
    if python_path is not None:
        for name in ("logging/__init__", "asyncio/__init__", "attrs", "cattrs"):
            (project.root / f"{name}.py").unlink()
        project.env["PYTHONPATH"] = str(project.root)
    editor = await start(command=[sys.executable, str(script), "server"])
    uri = editor.open("m.py", BRANCH + TRAP + "\ndef half(:\n")
    assert places(await editor.pushed(uri))[0] == AT[0]
    await editor.hover(uri, 4, 8)
    assert [p.name for p in project.root.rglob("*.imported")] == []
    assert children(editor.server.pid) == []


async def test_the_server_imports_no_torch() -> None:
    code = (
        "import sys; from capture_lsp.server.main import build; build();"
        "import analyzer.engine, capture_lsp.check;"
        "print({'torch', 'numpy', 'triton', 'runtime_probe'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


async def test_a_check_imports_nothing_of_the_server() -> None:
    code = (
        "import sys; from capture_lsp.cli import main; main(['check', '--no-cache', '-q', 'nothing-here.py']);"
        "print({'pygls', 'lsprotocol', 'asyncio', 'attrs', 'capture_lsp.server'} & set(sys.modules), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr.strip().endswith("set()")


async def test_configuration_is_found_watched_and_judged(project: Project, start: Start) -> None:
    project.write("pyproject.toml", "[tool.capture-lsp]\nignore = ['CAP101']\n")
    project.write("inner/capture-lsp.toml", "severity = {CAP101 = 'hint'}\n")
    project.write("build/m.py")
    editor = await start()
    await until(lambda: editor.client.registrations)
    assert await editor.pushed(editor.open("m.py", BRANCH)) == []
    assert await editor.pushed(editor.open("build/m.py")) == []  # excluded
    uri = editor.open("inner/m.py", BRANCH)
    [found] = await editor.pushed(uri)
    assert found.severity == t.DiagnosticSeverity.Hint

    def edited(text: str) -> None:
        project.write("inner/capture-lsp.toml", text)
        change = t.FileEvent(editor.uri("inner/capture-lsp.toml"), t.FileChangeType.Changed)
        editor.client.workspace_did_change_watched_files(t.DidChangeWatchedFilesParams([change]))

    count = len(editor.client.published)
    edited("severity = {CAP101 = 'error'}\n")
    assert (await editor.pushed(uri, count=count))[0].severity == t.DiagnosticSeverity.Error
    edited("severity = {CAP101 = 'fatal'}\n")
    [told] = await editor.messages("severity")
    assert "inner/capture-lsp.toml" in told
    editor.change(uri, BRANCH)
    editor.change(uri, CLEAN)
    version = editor.change(uri, BRANCH)
    await editor.pushed(uri, version)
    assert len(await editor.messages("severity")) == 1
    count = len(editor.client.published)
    edited("")
    assert places(await editor.pushed(uri, version, count=count)) == AT


async def test_the_editor_s_settings_come_first(project: Project, start: Start) -> None:
    project.write("pyproject.toml", "[tool.capture-lsp.severity]\nCAP101 = 'error'\n")
    editor = await start(settings={"severity": {"CAP101": "info"}, "extendSelect": [], "nonsense": 1, "python": None})
    uri = editor.open("m.py", BRANCH)
    await editor.messages("nonsense")
    await until(
        lambda: [d.severity for d in editor.client.diagnostics.get(uri, ())] == [t.DiagnosticSeverity.Information]
    )


async def test_settings_that_are_sent_and_not_asked_for(project: Project, start: Start) -> None:
    """Neovim's and Emacs' way."""
    caps = capabilities()
    assert caps.workspace is not None
    caps.workspace.configuration = None
    editor = await start(caps=caps, options={"settings": {"ignore": ["CAP101"]}})
    uri = editor.open("m.py", BRANCH)
    assert await editor.pushed(uri) == []
    count = len(editor.client.published)
    editor.client.workspace_did_change_configuration(t.DidChangeConfigurationParams({"capture-lsp": {"ignore": []}}))
    assert places(await editor.pushed(uri, count=count)) == AT


async def test_a_crash_is_told_once_and_ends_nothing(project: Project, start: Start) -> None:
    """A defect is put into the analysis of texts with a certain word."""
    script = project.home / "broken.py"
    script.write_text(
        "import capture_lsp.server.analysis as a\n"
        "real = a.check\n"
        "def check(files, run):\n"
        "    if any(b'BOOM' in raw for raw in run.overrides.values()): raise ZeroDivisionError('boom')\n"
        "    return real(files, run)\n"
        "a.check = check\n"
        "from capture_lsp.cli import entry_point\n"
        "entry_point()\n"
    )
    editor = await start(command=[sys.executable, str(script), "server"])
    uri = editor.open("m.py", BRANCH + "# BOOM\n")
    [told] = await editor.messages("ZeroDivisionError")
    assert "report" in told
    version = editor.change(uri, BRANCH + "# BOOM BOOM\n")
    assert await editor.pushed(uri, version) == []
    version = editor.change(uri, BRANCH)
    assert places(await editor.pushed(uri, version)) == AT
    assert len(await editor.messages("ZeroDivisionError")) == 1


async def test_untitled_files_and_other_languages(project: Project, start: Start) -> None:
    editor = await start()
    uri = editor.open("untitled:Untitled-1", BRANCH)
    assert places(await editor.pushed(uri)) == AT
    other = editor.open("notes.md", BRANCH, language="markdown")
    version = editor.change(uri, CLEAN)
    await editor.pushed(uri, version)
    assert other not in editor.client.diagnostics


async def test_several_folders_have_their_own_settings(project: Project, start: Start) -> None:
    for name, severity in (("one", "hint"), ("two", "error")):
        project.write(f"{name}/capture-lsp.toml", f"severity = {{CAP101 = '{severity}'}}")
    editor = await start(folders=[project.root / "one", project.root / "two"])
    for name, severity in (("one", t.DiagnosticSeverity.Hint), ("two", t.DiagnosticSeverity.Error)):
        [found] = await editor.pushed(editor.open(f"{name}/m.py", BRANCH))
        assert found.severity == severity


async def test_tcp(project: Project) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process = subprocess.Popen(
        project.command("server", "--tcp", f"127.0.0.1:{port}"), cwd=project.root, env=project.env
    )
    client = Client()
    for _ in range(300):
        try:
            await client.start_tcp("127.0.0.1", port)
            break
        except OSError:
            await asyncio.sleep(0.1)
    await client.initialize_session(t.InitializeParams(capabilities=capabilities(), root_uri=None))
    item = t.TextDocumentItem(uri="file:///m.py", language_id="python", version=1, text=BRANCH)
    client.text_document_did_open(t.DidOpenTextDocumentParams(item))
    await until(lambda: client.diagnostics.get("file:///m.py"))
    await client.shutdown_async(None)
    client.exit(None)
    assert await asyncio.to_thread(process.wait, 20) == 0


async def test_wrong_usage(project: Project) -> None:
    assert project.run("server", "--tcp", "nowhere").status == 2
    assert project.run("server", "--log-file", os.path.join("no", "such", "folder")).status == 2
    assert project.run("server", "--tcp", "1", "--ws", "2").status == 2
