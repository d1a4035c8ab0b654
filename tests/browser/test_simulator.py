"""The simulator's page: the worst case is said loudly, the keyboard alone is enough, and nothing is cut off."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.browser.looks import THEMES, inaccessible, looked_at
from tests.browser.simulator import Simulator, SimulatorPage
from tests.browser.watched import Watched

if TYPE_CHECKING:
    from playwright.sync_api import Page

TABS = ["graph", "code", "guards", "calls"]


@pytest.fixture
def page(simulator: Simulator, watched: Watched) -> SimulatorPage:
    """A branch on the data, everything as given."""
    made = simulator.open(watched, "data_dependent_branch")
    made.ready()
    return made


def test_a_branch_that_a_trace_lost_is_said_loudly(page: SimulatorPage) -> None:
    page.frontend("trace")
    page.settle()
    assert page.alarm() == ""
    page.decide("False")
    page.settle()
    assert {name: one.value for name, one in page.figures().items()} == {
        "captured": "whole",
        "branches": "lost",
        "answer": "wrong",
        "recompiles": "none",
    }
    alarm = page.page.locator('[role="alert"][data-part="alarm"]')
    assert alarm.get_attribute("data-tone") == "bad"
    assert "The graph looks fine, and the answer is wrong." in page.alarm()
    box = alarm.bounding_box()
    assert box is not None
    assert box["y"] + box["height"] < 900, "it is not in sight"
    missed = page.page.locator('[data-ran="missed"]').evaluate_all("(all) => all.map((one) => one.dataset.line)")
    assert missed == ["18"]
    page.frontend("dynamo")
    page.settle()
    assert page.alarm() == ""


def test_every_tab_in_both_themes_and_widths(page: SimulatorPage) -> None:
    page.frontend("trace")
    page.decide("False")
    page.ready()
    wrong = []
    for frontend in ("trace", "dynamo"):
        page.frontend(frontend)
        page.ready()
        for tab in TABS:
            page.page.locator(f'[data-tab="{tab}"]').click()
            wrong += [f"{tab}: {one}" for one in looked_at(page.page, f"{frontend}-{tab}")]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("tab", TABS)
def test_axe_finds_nothing_serious(page: SimulatorPage, tab: str) -> None:
    page.frontend("trace" if tab == "graph" else "dynamo")
    page.decide("False")
    page.settle()
    page.page.locator(f'[data-tab="{tab}"]').click()
    wrong = inaccessible(page.page)
    assert not wrong, "\n".join(wrong)


def test_the_theme_can_be_chosen(page: SimulatorPage) -> None:
    shown = {}
    for theme in THEMES:
        page.page.emulate_media(color_scheme=theme)
        shown[theme] = background(page.page)
    assert shown["light"] != shown["dark"]
    page.control("theme").click()
    assert background(page.page) == shown["light"]
    page.page.reload()
    assert background(page.page) == shown["light"], "the choice is kept"


def background(page: Page) -> str:
    colour: str = page.evaluate("() => getComputedStyle(document.body).backgroundColor")
    return colour


# the keyboard


def reach(page: Page, selector: str) -> None:
    """Tab on until a control has the focus."""
    for _ in range(80):
        page.keyboard.press("Tab")
        if page.evaluate("(selector) => document.activeElement?.matches(selector) ?? false", selector):
            return
    raise AssertionError(f"{selector} is not reached by Tab")


def focused(page: Page) -> str:
    """What group or control has the focus."""
    name: str = page.evaluate(
        """() => { const one = document.activeElement;
            return one.closest("[data-control]")?.dataset.control ?? one.dataset.tab ?? one.dataset.call ?? ""; }"""
    )
    return name


def test_every_control_is_changed_by_the_keyboard(page: SimulatorPage) -> None:
    keyboard = page.page.keyboard
    page.page.evaluate("() => document.activeElement.blur()")
    reach(page.page, '[data-control="skip"]')
    reach(page.page, '[data-control="frontend"] input')
    keyboard.press("Home")
    for _ in range(len(page.frontends)):  # the group is one stop, and its arrows go around
        if page.page.locator('[data-control="frontend"] input:checked').get_attribute("value") == "trace":
            break
        keyboard.press("ArrowRight")
    page.ready()
    assert focused(page.page) == "frontend"
    assert page.figures()["captured"].word == "one whole graph"
    keyboard.press("Tab")
    assert focused(page.page) != "frontend"

    reach(page.page, '[data-control="decision"] input')
    keyboard.press("ArrowRight")
    page.ready()
    assert focused(page.page) == "decision"
    assert page.figures()["branches"].value == "lost"
    assert page.alarm() != ""

    reach(page.page, '[data-control="inputs"]')
    keyboard.press("ArrowUp")
    page.ready()
    assert focused(page.page) == "inputs"
    assert page.calls()[-1].startswith("as given")

    reach(page.page, '[data-control="size"]')
    keyboard.press("ArrowRight")
    page.ready()
    assert "scores.shape[0] = 5" in page.calls()[-1]
    keyboard.press("End")
    page.ready()
    assert "scores.shape[0] = 12" in page.calls()[-1]

    reach(page.page, '[data-control="dtype"] input')
    keyboard.press("ArrowRight")
    page.ready()
    assert focused(page.page) == "dtype"
    assert page.calls()[-1].startswith("scores.shape[0] = 12, float64")

    reach(page.page, '[data-control="capture"]')
    keyboard.press("Enter")
    page.ready()
    assert page.calls() == [page.calls()[0]]
    assert "float64" in page.calls()[0]

    reach(page.page, '[data-control="again"]')
    keyboard.press("Space")
    page.ready()
    assert len(page.calls()) == 2
    assert page.control("keep").is_checked()
    reach(page.page, '[data-control="start-over"]')
    keyboard.press("Enter")
    page.ready()
    assert len(page.calls()) == 1
    reach(page.page, '[data-control="keep"]')
    keyboard.press("Space")
    assert page.control("keep").is_checked()

    reach(page.page, '[role="tab"]')
    for tab in [*TABS[1:], "graph"]:
        keyboard.press("Home" if tab == "graph" else "ArrowRight")
        assert focused(page.page) == tab
        selected = page.page.locator('[role="tab"][aria-selected="true"]')
        assert selected.get_attribute("data-tab") == tab


def test_the_calls_are_one_stop_of_the_keyboard(page: SimulatorPage) -> None:
    page.control("keep").check()
    for _ in range(2):
        page.control("again").click()
    page.ready()
    reach(page.page, "[data-call]")
    assert focused(page.page) == "2"
    page.page.keyboard.press("ArrowLeft")
    assert focused(page.page) == "1"
    page.page.keyboard.press("Home")
    assert focused(page.page) == "0"
    page.page.keyboard.press("Tab")
    assert page.page.evaluate("() => document.activeElement.closest('[data-part=history]')") is None


def test_another_program_is_chosen_by_the_keyboard(page: SimulatorPage) -> None:
    page.page.evaluate("() => document.activeElement.blur()")
    reach(page.page, '[data-control="program"]')
    with page.page.expect_navigation():
        page.page.keyboard.press("ArrowDown")
    other = SimulatorPage(page.page)
    other.ready()
    assert other.survey["entry"] == "EarlyExit"
    assert other.control("program").input_value() == "early_exit"


def test_a_link_shows_the_same(page: SimulatorPage, watched: Watched) -> None:
    page.frontend("trace")
    page.decide("False")
    page.page.locator('[data-tab="guards"]').click()
    page.settle()
    other = SimulatorPage(watched.open(page.page.url))
    other.ready()
    assert other.figures() == page.figures()
    assert other.calls() == page.calls()
    assert other.page.locator('[data-tab="guards"]').get_attribute("aria-selected") == "true"


def test_the_index_leads_to_every_program(simulator: Simulator, watched: Watched) -> None:
    page = watched.open(simulator.url)
    links = page.locator("li a")
    assert links.count() == 12
    wrong = looked_at(page, "index")
    wrong += inaccessible(page)
    assert not wrong, "\n".join(wrong)
    links.nth(11).click()
    shown = SimulatorPage(page)
    shown.ready()
    assert shown.survey["entry"] == "with_positions"
