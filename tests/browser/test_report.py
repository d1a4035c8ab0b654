"""The report on a project, opened from a disk: filters, orders, findings, entries with their graphs, links."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from tests.browser.looks import inaccessible, looked_at
from tests.browser.watched import Watched
from tests.cli.conftest import Project

if TYPE_CHECKING:
    from playwright.sync_api import Page

TRAIN = """\
import torch


@torch.compile
def scored(x: torch.Tensor) -> torch.Tensor:
    y = x * 2
    if y.sum() > 0:
        return y + 1
    return y - 1


@torch.compile
def logged(x: torch.Tensor) -> torch.Tensor:
    print("largest", x.max().item())
    return x.relu() * 3


if __name__ == "__main__":
    scored(torch.ones(4))
    scored(torch.ones(5))
    logged(torch.ones(4))
"""

TRACED = """\
import torch


def widened(x: torch.Tensor) -> torch.Tensor:
    return x + torch.zeros(int(x.shape[0]), 1)


traced = torch.jit.trace(widened, torch.ones(3, 1))
"""


@pytest.fixture(scope="module")
def report(environment: Project) -> str:
    """The address of the report on a small project, probed."""
    folder = environment.root / "reported"
    environment.write("reported/train.py", TRAIN)
    environment.write("reported/traced.py", TRACED)
    environment.run("check", "traced.py", "--write-baseline", "known.json", cwd=folder)
    options = ["--probe", "--python", sys.executable, "--frontend", "dynamo,trace", "--date", "2026-03-01"]
    options += ["--baseline", "known.json"]
    done = environment.run("report", *options, cwd=folder)
    assert done.status == 1, done.err
    return (folder / "capture-report.html").as_uri()


@pytest.fixture
def page(watched: Watched, report: str) -> Page:
    return watched.open(report)


def codes(page: Page) -> list[str]:
    return page.locator("tr.finding .code").all_inner_texts()


def test_findings_are_filtered_and_sorted(page: Page, watched: Watched, report: str) -> None:
    everything = codes(page)
    assert len(everything) >= 3
    words = page.get_by_label("Filter findings by text")
    words.fill("traced.py")
    few = codes(page)
    assert 0 < len(few) < len(everything)
    assert all("traced.py" in one for one in page.locator("tr.finding").all_inner_texts())
    words.fill("no such words")
    assert codes(page) == []
    words.fill("")
    assert codes(page) == everything

    frontend = page.get_by_label("Frontend", exact=True)
    frontend.select_option(label="trace")
    assert 0 < len(codes(page)) < len(everything)
    frontend.select_option(value="")

    rule = page.locator(".finding-table thead").get_by_role("button", name="Rule")
    rule.click()
    assert codes(page) == sorted(everything)
    assert page.locator('.finding-table th[aria-sort="ascending"]').inner_text().startswith("Rule")
    rule.click()
    assert codes(page) == sorted(everything, reverse=True)
    assert page.locator('.finding-table th[aria-sort="descending"]').inner_text().startswith("Rule")
    assert watched.requests == [report]


def test_a_finding_opens_by_mouse_keyboard_and_link(page: Page, watched: Watched, report: str) -> None:
    toggle = page.locator("tr.finding", has_text="CAP101").locator("button.toggle")
    toggle.focus()
    page.keyboard.press("Enter")
    assert toggle.get_attribute("aria-expanded") == "true"
    details = page.locator("tr.finding-more")
    assert "y.sum() > 0" in details.inner_text()
    link = details.get_by_role("link", name="#").get_attribute("href")
    assert link is not None
    page.keyboard.press("Enter")
    assert details.count() == 0

    other = watched.open(report + link)
    assert other.locator("tr.finding-more").count() == 1
    assert "y.sum() > 0" in other.locator("tr.finding-more").inner_text()
    assert watched.requests == [report, report]


def test_an_entry_and_its_graph_open(page: Page, watched: Watched, report: str) -> None:
    page.locator("#entries").get_by_role("link", name="train.py::scored").click()
    assert "#entry=" in page.url
    card = page.locator('details[id="entry-train.py::scored"]')
    assert card.get_attribute("open") is not None
    graph = card.locator("details.graph").first
    assert graph.locator("svg .node").count() == 0, "it is drawn when it is looked at"
    graph.locator("summary").click()
    graph.locator("svg .node").first.wait_for()
    assert graph.locator("svg .node").count() >= 3
    assert "1 break" in card.inner_text()

    other = watched.open(page.url)
    assert other.locator('details[id="entry-train.py::scored"]').get_attribute("open") is not None
    page.go_back()
    assert watched.requests == [report, report]


def test_it_looks_well_with_everything_open(page: Page) -> None:
    everything_open(page)
    wrong = looked_at(page, "report")
    assert not wrong, "\n".join(wrong)


def test_words_of_findings_stay_whole_beside_all_columns(page: Page) -> None:
    page.set_viewport_size({"width": 800, "height": 900})
    head = page.locator(".finding-table thead th")
    assert [one.split()[0] for one in head.all_inner_texts()] == ["Rule", "Where", "What", "Kind", "Probe", "Baseline"]
    box = page.locator(".finding-table th.what").bounding_box()
    assert box is not None
    assert box["width"] > 140


def test_axe_finds_nothing_serious(page: Page) -> None:
    everything_open(page)
    wrong = inaccessible(page)
    assert not wrong, "\n".join(wrong)


def test_it_prints(page: Page) -> None:
    search = page.get_by_role("search")
    assert search.is_visible()
    page.emulate_media(media="print")
    assert not search.is_visible()
    assert page.locator("#findings").is_visible()
    page.emulate_media(media="screen")
    assert page.pdf(format="A4").startswith(b"%PDF-")


def everything_open(page: Page) -> None:
    for toggle in page.locator("tr.finding button.toggle").all():
        toggle.click()
    for entry in page.locator("details.entry").all():
        entry.locator("summary").first.click()
        for graph in entry.locator("details.graph").all():
            graph.locator("summary").click()
