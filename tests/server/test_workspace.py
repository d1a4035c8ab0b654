"""The findings of files that are not open."""

from __future__ import annotations

import asyncio

import pytest
from lsprotocol import types as t

from tests.cli.conftest import BRANCH, CLEAN, Project

from .conftest import SECONDS, Start, capabilities, children, places, until

pytestmark = pytest.mark.asyncio
AT = [("CAP101", 4, 7, 4, 18)]


async def test_on_the_user_s_word(project: Project, start: Start) -> None:
    project.write("a.py", BRANCH)
    project.write("pkg/b.py", BRANCH)
    project.write("build/c.py", BRANCH)
    project.write("analyzer/__init__.py", "raise SystemExit('imported')")
    project.write("libcst.py", "raise SystemExit('imported')")
    editor = await start(settings={"severity": {"CAP101": "hint"}})
    uri = editor.open("a.py", CLEAN)  # not saved: what is on disk is nothing to tell of
    await editor.pushed(uri)
    answer = await editor.run("capture-lsp.checkWorkspace")
    assert (answer["status"], answer["problems"]) == ("ok", 1)
    other = editor.uri("pkg/b.py")
    assert places(editor.client.diagnostics[other]) == AT
    assert editor.client.diagnostics[other][0].severity == t.DiagnosticSeverity.Hint
    assert set(editor.client.diagnostics) == {uri, other}
    project.write("pkg/b.py", CLEAN)
    assert (await editor.run("capture-lsp.checkWorkspace"))["problems"] == 0
    assert not editor.client.diagnostics[other]
    assert children(editor.server.pid) == []


async def test_pulled(project: Project, start: Start) -> None:
    project.write("a.py", BRANCH)
    editor = await start(caps=capabilities(pull=True), options={"workspaceDiagnostics": True})
    provider = editor.result.capabilities.diagnostic_provider
    assert provider is not None
    assert provider.workspace_diagnostics

    async def pull(*known: t.PreviousResultId) -> t.WorkspaceDiagnosticReport:
        params = t.WorkspaceDiagnosticParams(list(known))
        return await asyncio.wait_for(editor.client.workspace_diagnostic_async(params), SECONDS)

    [first] = (await pull()).items
    assert isinstance(first, t.WorkspaceFullDocumentDiagnosticReport)
    assert places(first.items) == AT
    [again] = (await pull(t.PreviousResultId(first.uri, first.result_id or ""))).items
    assert again.kind == "unchanged"


async def test_cancelled(project: Project, start: Start) -> None:
    many = "import torch\n" + "\n".join(BRANCH.replace("fn", f"fn{n}").split("\n", 1)[1] for n in range(150))
    for number in range(20):
        project.write(f"m{number}.py", many)
    editor = await start()
    running = asyncio.create_task(editor.run("capture-lsp.checkWorkspace"))
    await until(lambda: any(len(values) > 2 for values in editor.client.progress_reports.values()))
    [token] = editor.client.progress_reports
    editor.client.window_work_done_progress_cancel(t.WorkDoneProgressCancelParams(token))
    assert (await running)["status"] == "cancelled"
    await until(lambda: not children(editor.server.pid))
    assert editor.client.diagnostics == {}
