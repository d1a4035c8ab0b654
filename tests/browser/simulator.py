"""The simulator's page, through its controls."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

    from tests.browser.watched import Watched


@dataclass(frozen=True)
class Figure:
    """One of the four."""

    value: str
    word: str
    detail: str


@dataclass(frozen=True)
class Simulator:
    """A server that is running; `url` is that of the gallery's index, with its token."""

    url: str

    def open(self, watched: Watched, program: str, **how: Any) -> SimulatorPage:
        return SimulatorPage(watched.open(f"{self.url}&program={program}", **how))


class SimulatorPage:
    def __init__(self, page: Page) -> None:
        self.page = page
        self.root = page.locator("#app")
        self.data: dict[str, Any] = json.loads(page.locator("#data").text_content() or "")
        self.survey: dict[str, Any] = self.data["survey"]
        self.frontends: list[str] = self.survey["controls"]["frontends"]

    # choosing

    def frontend(self, name: str) -> None:
        self.page.locator(f'label[data-frontend="{name}"]').click()

    def decide(self, way: str, decision: int = 0) -> None:
        self.page.locator(f'[data-decision="{decision}"] label[data-value="{way}"]').click()

    def segment(self, control: str, text: str) -> None:
        """One of the few choices of a control."""
        self.control(control).locator("label", has_text=text).click()

    def select(self, control: str, text: str) -> None:
        """One of the many choices of a control."""
        self.control(control).select_option(label=text)

    def slide(self, size: str, *keys: str) -> None:
        slider = self.page.locator(f'[data-control="size"][data-size="{size}"]')
        for key in keys:
            slider.press(key)

    def control(self, name: str) -> Locator:
        return self.page.locator(f'[data-control="{name}"]')

    def start_over(self) -> None:
        self.control("start-over").click()

    # seeing

    def ready(self) -> None:
        """Until the run of the chosen frontend is there."""
        self.page.wait_for_function('() => document.getElementById("app").dataset.state !== "running"', polling=50)
        assert self.state() == "ready"

    def settle(self) -> None:
        """Until the runs of all frontends are there."""
        self.page.wait_for_function(
            """() => document.getElementById("app").dataset.state !== "running"
                && document.querySelectorAll("label[data-frontend][data-outcome=unknown]").length === 0""",
            polling=50,
        )
        assert self.state() == "ready"

    def state(self) -> str:
        return self.root.get_attribute("data-state") or ""

    def figures(self) -> dict[str, Figure]:
        cards: list[list[str]] = self.page.evaluate(
            """() => [...document.querySelectorAll("[data-figure]")].map((card) => [
                card.dataset.figure, card.dataset.value,
                card.querySelector(".figure-word").textContent, card.querySelector(".figure-detail").textContent])"""
        )
        return {name: Figure(value, word, detail) for name, value, word, detail in cards}

    def calls(self) -> list[str]:
        """The calls in words; the first is the captured one."""
        captured = self.page.locator('[data-part="captured-with"]').inner_text()
        labels = self.page.locator("[data-call]").evaluate_all("(all) => all.map((one) => one.title)")
        told = [label.partition(": ")[2] for label in labels]
        assert told[0].startswith(captured)
        return told

    def ways(self) -> dict[str, str]:
        """How this call takes its decisions, by line, as marked in the source."""
        found = self.page.locator('[data-note="decision"]').evaluate_all(
            """(all) => all.map((one) =>
                [one.closest("[data-line]").dataset.line, one.querySelector(".note-text").textContent])"""
        )
        return {line: text.removeprefix("took ") for line, text in found if text.startswith("took ")}

    def alarm(self) -> str:
        """The banner; empty where there is none."""
        return " ".join(self.page.locator('[data-part="alarm"]').all_inner_texts())
