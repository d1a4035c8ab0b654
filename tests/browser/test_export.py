"""Files that `capture-lsp simulate --export` writes: they open from a disk, ask nobody for anything, and show what was
recorded; a large program's as well."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.browser.conftest import Direct
from tests.browser.looks import looked_at
from tests.browser.simulator import SimulatorPage
from tests.browser.test_gallery import FRONTENDS, differences, run
from tests.browser.watched import Watched
from tests.cli.conftest import Project

if TYPE_CHECKING:
    from playwright.sync_api import Page

#: 503 nodes, and more guards than there are parameters.
DEEP = """\
import torch
from torch import Tensor, nn


class Layer(nn.Module):
    def __init__(self, number: int) -> None:
        super().__init__()
        self.scale = 1.0 + number / 64
        self.shift = nn.Parameter(torch.zeros(4))

    def forward(self, x: Tensor) -> Tensor:
        x = x * self.scale
        x = x + self.shift
        return x.tanh()


# capture: inputs(torch.linspace(-1, 1, 8).reshape(2, 4))
class Deep(nn.Module):
    def __init__(self, depth: int = 125) -> None:
        super().__init__()
        self.layers = nn.ModuleList(Layer(number) for number in range(depth))

    def forward(self, x: Tensor) -> Tensor:
        if self.training:
            x = x * 2
        for layer in self.layers:
            x = layer(x)
        return x
"""
#: Milliseconds: far above the tenth of a second that such a task takes.
LONGEST_TASK = 3000


@pytest.fixture(scope="module")
def branch(environment: Project) -> str:
    """The address of a file with a branch on the data, as given and with the other side."""
    return exported(environment, "branch.html", "--gallery", "data_dependent_branch", "--limit", "28")


@pytest.fixture(scope="module")
def deep(environment: Project) -> str:
    """The address of a file with a program of five hundred operations."""
    environment.write("deep.py", DEEP)
    return exported(environment, "deep.html", "deep.py::Deep", "--limit", "7")


def exported(environment: Project, name: str, *arguments: str) -> str:
    done = environment.run("simulate", *arguments, "--export", name)
    assert done.status == 0, done.err
    return (environment.root / name).as_uri()


def test_it_asks_nobody_and_shows_what_was_recorded(watched: Watched, direct: Direct, branch: str) -> None:
    page = SimulatorPage(watched.open(branch))
    assert page.root.get_attribute("data-mode") == "recorded"
    found = []
    for way, calls in (("True", ["as given"]), ("False", ["as given", "values negated"])):
        page.decide(way)
        for frontend in FRONTENDS:
            page.frontend(frontend)
            page.settle()
            wanted = run(page, direct, frontend, calls)[-1]
            found += [f"{frontend}, {calls[-1]}: {one}" for one in differences(page.figures(), wanted)]
    assert not found, "\n".join(found)
    assert watched.requests == [branch]


def test_what_is_not_recorded_is_said(watched: Watched, branch: str) -> None:
    page = SimulatorPage(watched.open(branch))
    page.segment("dtype", "bfloat16")
    page.slide("scores.shape[0]", "End")
    page.decide("False")
    assert page.state() == "not-recorded"
    assert {one.word for one in page.figures().values()} == {"not known"}
    notice = page.page.locator('[data-part="not-recorded"]')
    assert "capture-lsp simulate --gallery data_dependent_branch" in notice.inner_text()
    page.control("nearest").first.click()
    assert page.state() == "ready"
    assert page.figures()["captured"].word != "not known"
    assert watched.requests == [branch]


def test_it_looks_well(watched: Watched, branch: str) -> None:
    page = SimulatorPage(watched.open(branch))
    page.frontend("trace")
    page.decide("False")
    wrong = looked_at(page.page, "export")
    assert not wrong, "\n".join(wrong)


def test_it_prints(watched: Watched, branch: str) -> None:
    page = SimulatorPage(watched.open(branch))
    page.frontend("trace")
    page.decide("False")
    hidden = [".control-buttons", ".top-tools", ".tabs", ".tools"]
    for one in hidden:
        assert page.page.locator(one).first.is_visible()
    page.page.emulate_media(media="print")
    for one in hidden:
        assert not page.page.locator(one).first.is_visible(), one
    for one in ('[data-part="alarm"]', '[data-figure="answer"]', '[data-part="source"]', '[data-part="graph"]'):
        assert page.page.locator(one).is_visible(), one
    page.page.emulate_media(media="screen")
    printed = page.page.pdf(format="A4")
    assert printed.startswith(b"%PDF-")
    assert len(printed) > 10_000


def test_a_large_program_does_not_block_the_page(watched: Watched, deep: str) -> None:
    page = SimulatorPage(watched.open(deep))
    page.page.evaluate(
        """() => { window.tasks = [];
            new PerformanceObserver((list) => { for (const one of list.getEntries()) window.tasks.push(one.duration); })
                .observe({ type: "longtask", buffered: true }); }"""
    )
    page.frontend("dynamo")
    page.settle()
    sizes = recorded_sizes(page.data)
    assert sizes["nodes"] >= 500
    assert sizes["guards"] >= 200
    for frontend in (*FRONTENDS, "dynamo"):
        page.frontend(frontend)
        page.settle()
    for tab in ("code", "guards", "calls", "graph"):
        page.page.locator(f'[data-tab="{tab}"]').click()
        page.page.locator("#tab-panel > *").first.wait_for()
    page.page.locator('[data-tab="guards"]').click()
    assert page.page.locator('[data-part="tabs"] tbody tr').count() > 0
    page.page.locator('[data-tab="graph"]').click()
    page.page.locator("#tab-panel .node").first.wait_for()
    settled(page.page)
    tasks: list[float] = page.page.evaluate("() => window.tasks")
    assert max(tasks, default=0.0) < LONGEST_TASK


def settled(page: Page) -> None:
    """Until the browser has nothing to do."""
    page.evaluate("() => new Promise((done) => requestIdleCallback(() => setTimeout(done, 50)))")


def recorded_sizes(data: dict[str, Any]) -> dict[str, int]:
    """The most nodes and guards of a recorded run under torch.compile."""
    shared = data.get("shared") or []

    def whole(value: Any) -> Any:
        return shared[value["$shared"]] if isinstance(value, dict) and list(value) == ["$shared"] else value

    runs = [whole(one) for one in data["runs"]]
    compiled = [one for one in runs if whole(one["request"])["frontend"] == "dynamo"]
    graphs = [whole(graph) for one in compiled for graph in whole(one["graphs"])]
    return {
        "nodes": max(len(whole(graph["nodes"])) for graph in graphs),
        "guards": max(len(whole(one["guards"])) for one in compiled),
    }


def test_the_file_is_all_there_is(environment: Project, branch: str) -> None:
    """It holds its data as JSON, and names nothing that would have to be fetched."""
    path = Path(branch.removeprefix("file://"))
    assert path.parent == environment.root
    text = path.read_text(encoding="utf-8")
    assert json.loads(text.partition('id="data">')[2].partition("</script>")[0])["live"] is False
    for name in ('<link rel="stylesheet"', "<script src", "@import", "<img", "<iframe"):
        assert name not in text
