"""Probes from the editor: the lens, progress, what comes back, what becomes of it while the text changes."""

from __future__ import annotations

import asyncio

import pytest
from lsprotocol import types as t

from tests.cli.conftest import BRANCH, Project

from .conftest import Editor, Start, alive, capabilities, children, places, until

pytestmark = [pytest.mark.asyncio, pytest.mark.truth]
PROBE_SECONDS = 240.0

#: The first prediction is right; the second one is not: the program always passes a plain number.
MODEL = """\
import json

import torch
from torch import Tensor


def cool(x: Tensor, temperature: Tensor) -> Tensor:
    if temperature != 1.0:
        x = x / temperature
    return x


@torch.compile
def fn(x: Tensor, temperature: Tensor) -> Tensor:
    if x.sum() > 0:
        x = x + 1
    return cool(x, temperature)


if __name__ == "__main__":
    settings = json.loads('{"temperature": 0.5}')
    fn(torch.ones(3), settings["temperature"])
"""


async def lens_titles(editor: Editor, uri: str) -> list[str]:
    return [lens.command.title for lens in await editor.lenses(uri) if lens.command is not None]


def messages(diagnostics: list[t.Diagnostic]) -> list[tuple[int, str]]:
    return [(d.range.start.line, d.message.rpartition(" (")[2]) for d in diagnostics if d.message.endswith(")")]


async def test_from_the_lens_to_diagnostics_hover_and_lens(project: Project, start: Start) -> None:
    project.write("model.py", MODEL)
    editor = await start()
    uri = editor.open("model.py")
    assert [place[1] for place in places(await editor.pushed(uri))] == [7, 14]
    lenses = await editor.lenses(uri)
    assert {lens.range.start.line for lens in lenses} == {13}
    assert await lens_titles(editor, uri) == ["2 breaks · 3 graphs (predicted)", "Probe", "Compare frontends"]
    assert "captured by dynamo" in await editor.hover(uri, 13, 5)
    assert children(editor.server.pid) == []

    [probe] = [lens.command for lens in lenses if lens.command is not None and lens.command.title == "Probe"]
    count = len(editor.client.published)
    answer = await editor.run(probe.command, *(probe.arguments or ()), seconds=PROBE_SECONDS)
    assert (answer["status"], answer["breaks"]) == ("ok", 1)
    reports = [r for values in editor.client.progress_reports.values() for r in values]
    assert isinstance(reports[0], t.WorkDoneProgressBegin)
    assert isinstance(reports[-1], t.WorkDoneProgressEnd)
    told = [r.message for r in reports if isinstance(r, t.WorkDoneProgressReport)]
    assert told[:2] == ["starting the interpreter", "model.py: running it"]

    [found] = await editor.pushed(uri, count=count)  # the other one is refuted
    assert found.range.start.line == 14
    assert found.message.endswith("(confirmed)")
    await until(lambda: editor.client.lens_refreshes == 1)
    titles = await lens_titles(editor, uri)
    assert titles[0].startswith("2 graphs · 1 break · ")
    assert titles[1] == "Probe again"
    shown = await editor.hover(uri, 13, 5)
    assert "| graph | lines | ops |" in shown
    assert "GB0170" in shown
    assert "`call_method`" not in shown
    assert "| call_method | `sum_1` |" in shown
    assert "confirmed" in await editor.hover(uri, 14, 9)
    assert "| `x` |" in await editor.hover(uri, 14, 9)  # the line's guards
    assert "CAP101 at 8: captured here" in await editor.hover(uri, 6, 5)  # told at its function, and there alone
    assert "CAP101" not in await editor.hover(uri, 7, 9)
    report = await editor.run("capture-lsp.showReport", uri)
    assert "graph 0" in report

    # What was not edited keeps its verdict, wherever it moves to.
    version = editor.change(uri, "# a line\n\n", (2, 0, 2, 0))
    [found] = await editor.pushed(uri, version)
    assert (found.range.start.line, found.message.endswith("(confirmed)")) == (16, True)
    assert (await lens_titles(editor, uri))[0].startswith("2 graphs")
    # Another function that the probe traced is edited: all that it said is stale, and what it refuted is back.
    version = editor.change(uri, "y = x / temperature", (10, 8, 10, 27))
    stale = await editor.pushed(uri, version)
    assert [d.range.start.line for d in stale] == [9, 16]
    assert all(d.message.endswith("(the probe's result is stale)") for d in stale)
    assert all(list(d.tags or ()) == [t.DiagnosticTag.Unnecessary] for d in stale)
    assert (await lens_titles(editor, uri))[0].endswith("(stale)")
    assert "stale" in await editor.hover(uri, 15, 5)
    # Undone, it holds again.
    version = editor.change(uri, "x = x / temperature", (10, 8, 10, 27))
    [found] = await editor.pushed(uri, version)
    assert found.message.endswith("(confirmed)")
    # Another interpreter: what the former one saw is not shown any more.
    count = len(editor.client.published)
    python = str(project.write("other/python", ""))
    editor.client.set_configuration({"capture-lsp": {"python": python}})
    editor.client.workspace_did_change_configuration(t.DidChangeConfigurationParams(None))
    assert len(await editor.pushed(uri, version, count=count)) == 2
    assert (await lens_titles(editor, uri))[:2] == ["2 breaks · 3 graphs (predicted)", "Probe"]
    assert await editor.run("capture-lsp.showReport", uri) is None

    # The server's end is the end of the interpreter that it keeps warm.
    started = children(editor.server.pid)
    assert started
    assert await editor.stop() == 0
    await until(lambda: not any(alive(pid) for pid in started))


SLOW = """\
import time, torch, pathlib

pathlib.Path(__file__).with_suffix(".started").touch()
time.sleep(600)


@torch.compile
def fn(x):
    return x + 1
"""


async def test_cancelled_by_the_user_or_by_the_end(project: Project, start: Start) -> None:
    project.write("slow.py", SLOW)
    editor = await start()
    uri = editor.open("slow.py")
    await editor.pushed(uri)
    marker = project.root / "slow.started"

    running = asyncio.create_task(editor.run("capture-lsp.probe", uri, "fn", seconds=PROBE_SECONDS))
    await until(marker.exists, PROBE_SECONDS)
    [zygote] = children(editor.server.pid)
    assert await editor.hover(uri, 7, 5) != ""  # nothing waits for the probe
    [token] = editor.client.progress_reports
    editor.client.window_work_done_progress_cancel(t.WorkDoneProgressCancelParams(token))
    assert (await running)["status"] == "cancelled"
    assert not alive(zygote)
    assert children(editor.server.pid) == []
    assert "Probe" in await lens_titles(editor, uri)

    marker.unlink()
    running = asyncio.create_task(editor.run("capture-lsp.probe", uri, "fn", seconds=PROBE_SECONDS))
    await until(marker.exists, PROBE_SECONDS)
    [zygote] = children(editor.server.pid)
    assert await editor.stop() == 0
    assert not alive(zygote)
    running.cancel()


async def test_nothing_of_an_untrusted_workspace_is_started(project: Project, start: Start) -> None:
    project.write("m.py", BRANCH)
    project.write("capture-lsp.toml", "python = 'fake/bin/python'\n")
    fake = project.write("fake/bin/python", '#!/bin/sh\ntouch "$0.started"\n')
    fake.chmod(0o755)
    editor = await start(options={"trusted": False})
    uri = editor.open("m.py")
    assert len(await editor.pushed(uri)) == 1
    assert await lens_titles(editor, uri) == ["1 break · 2 graphs (predicted)"]
    assert (await editor.run("capture-lsp.probe", uri, "fn"))["status"] == "failed"
    assert "not trusted" in (await editor.messages("trusted"))[0]
    assert "probe: off" in await editor.run("capture-lsp.doctor")
    assert not fake.with_name("python.started").exists()
    assert children(editor.server.pid) == []


async def test_what_cannot_be_probed_is_said(project: Project, start: Start) -> None:
    project.write("m.py", BRANCH)
    project.write("capture-lsp.toml", "python = 'nowhere'\n")
    editor = await start(caps=capabilities(pull=True))
    uri = editor.open("m.py")
    editor.change(uri, "# new\n", (0, 0, 0, 0))
    await editor.run("capture-lsp.probe", uri)
    assert "not saved" in (await editor.messages("not saved"))[0]
    editor.change(uri, "", (0, 0, 1, 0))
    answer = await editor.run("capture-lsp.probe", uri)
    assert "nowhere" in answer["notes"][0]
    assert "does not work" in await editor.run("capture-lsp.doctor")
    untitled = editor.open("untitled:one", BRANCH)
    assert "on disk" in (await editor.run("capture-lsp.probe", untitled))["notes"][0]
    assert len((await editor.pull(uri)).items) == 1  # all that is static works


async def test_the_doctor_tells_what_works(project: Project, start: Start) -> None:
    editor = await start()
    said = await editor.run("capture-lsp.doctor", seconds=PROBE_SECONDS)
    assert "VIRTUAL_ENV" in said
    assert "the probe sees: full" in said
    await editor.run("capture-lsp.restartProbe")
    assert children(editor.server.pid) == []


async def test_on_save_if_the_user_wants_that(project: Project, start: Start) -> None:
    project.write("m.py", BRANCH)
    fake = project.write("fake/bin/python", '#!/bin/sh\ntouch "$0.started"\n')
    fake.chmod(0o755)
    project.write("capture-lsp.toml", "python = 'fake/bin/python'\n")
    editor = await start(settings={"probe": {"onSave": False}})
    uri = editor.open("m.py")
    await editor.pushed(uri)
    editor.save(uri)
    await editor.hover(uri, 4, 9)
    editor.client.set_configuration({"capture-lsp": {"probe": {"onSave": True}}})
    editor.client.workspace_did_change_configuration(t.DidChangeConfigurationParams(None))
    await editor.pushed(uri, count=len(editor.client.published))
    assert not fake.with_name("python.started").exists()
    editor.save(uri)
    await until(fake.with_name("python.started").exists)
    await editor.messages("did not start the probe")


async def test_results_are_forgotten_on_demand(project: Project, start: Start) -> None:
    project.write("m.py", BRANCH)
    editor = await start()
    uri = editor.open("m.py")
    await editor.pushed(uri)
    await editor.run("capture-lsp.probe", uri, "fn", seconds=PROBE_SECONDS)
    [found] = await editor.pushed(uri, count=1)
    assert found.message.endswith("(confirmed)")
    count = len(editor.client.published)
    await editor.run("capture-lsp.clearResults")
    [found] = await editor.pushed(uri, count=count)
    assert not found.message.endswith("(confirmed)")
