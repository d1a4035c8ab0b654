"""Measuring from the editor: the lens, what is shown afterwards, and what becomes of it."""

from __future__ import annotations

from typing import Any

import pytest

from capture_lsp.server import view_types
from tests.cli.conftest import Project
from tests.probe.test_contract import deviations

from .conftest import Editor, Start
from .test_probe import lens_titles

pytestmark = [pytest.mark.asyncio, pytest.mark.truth]
PROBE_SECONDS = 600.0

MODEL = """\
import torch
from torch import Tensor


@torch.compile
def fn(x: Tensor) -> Tensor:
    y = torch.sin(x) * 2 + torch.cos(x)
    print("seen")
    return torch.exp(-y * y) + torch.tanh(y)


if __name__ == "__main__":
    fn(torch.ones(64, 64))
"""


async def entry(editor: Editor, uri: str) -> Any:
    (found,) = (await editor.run("capture-lsp.captureView", uri))["entries"]
    return found


async def test_a_measured_function(project: Project, start: Start) -> None:
    project.write("model.py", MODEL)
    editor = await start(options={"captureView": True, "settings": {"probe": {"budget": 400}}})
    uri = editor.open("model.py")
    await editor.pushed(uri)
    assert "Measure" not in await lens_titles(editor, uri)
    await editor.run("capture-lsp.probe", uri, "fn", seconds=PROBE_SECONDS)
    titles = await lens_titles(editor, uri)
    assert titles[1:4] == ["Probe again", "Compare frontends", "Measure"]
    assert "Times" not in titles
    assert (await entry(editor, uri))["timing"] is None

    answer = await editor.run("capture-lsp.measure", uri, "fn", seconds=PROBE_SECONDS)
    assert (answer["status"], answer["breaks"]) == ("ok", 1)
    titles = await lens_titles(editor, uri)
    assert titles[3] == "Measure again"
    assert titles[-1] == "Times"
    assert "without breaks)" in titles[0] or "no difference measured" in titles[0] or "×" in titles[0]

    seen = await entry(editor, uri)
    assert list(deviations(seen, view_types.Entry, "entry", set())) == []
    assert seen["timing"]["rounds"] > 1
    (without,) = seen["timing"]["without"]
    (broken,) = without["breaks"]
    assert (broken["line"], without["how"]) == ("8", "fix")
    assert broken["at"]["range"]["start"] == {"line": 7, "character": 4}
    assert [k["lines"].partition(":")[0] for k in seen["kernels"]] == ["model.py"] * len(seen["kernels"])
    assert sum(cost["fused_launches"] for cost in seen["graph_costs"]) == sum(k["launches"] for k in seen["kernels"])

    shown = await editor.hover(uri, 5, 5)
    assert "eager " in shown
    assert "without the break at 8" in shown
    assert "eagerly → " in shown
    assert "fixing this: " in await editor.hover(uri, 7, 6)
    document = await editor.run("capture-lsp.showCost", uri, "fn")
    assert "what it costs" in document
    assert "kernels for cpu" in document

    # Another probe of what did not change keeps what was measured; an edit makes it stale.
    await editor.run("capture-lsp.compareFrontends", uri, "fn", seconds=PROBE_SECONDS)
    kept = await entry(editor, uri)
    assert kept["timing"] == seen["timing"]
    assert {row["frontend"] for row in kept["matrix"]} > {"dynamo", "export"}
    first = MODEL.split("\n")[8].index("torch.tanh")
    version = editor.change(uri, "torch.cos", (8, first, 8, first + len("torch.tanh")))
    await editor.pushed(uri, version)
    stale = await entry(editor, uri)
    assert (stale["stale"], stale["timing"]) == (True, seen["timing"])
    assert (await lens_titles(editor, uri))[0].endswith("(stale)")
    assert "fixing this: " not in await editor.hover(uri, 7, 6)


async def test_settings_that_a_measurement_has(project: Project, start: Start) -> None:
    project.write("model.py", MODEL)
    editor = await start(options={"settings": {"probe": {"gpu": "h1000", "budget": 0}}})
    uri = editor.open("model.py")
    await editor.pushed(uri)
    assert len(await editor.messages("capture-lsp.probe.gpu must be empty or one of h100, ")) == 1
    assert len(await editor.messages("capture-lsp.probe.budget must be a number greater than zero")) == 1
