"""Every program of the gallery through every frontend, as given and otherwise: the four figures of the page are those
of PyTorch, called directly with the same inputs."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from capture_lsp.simulator.gallery import exhibits
from tests.browser.conftest import Direct
from tests.browser.looks import looked_at
from tests.browser.simulator import Figure, Simulator, SimulatorPage
from tests.browser.watched import Watched

FRONTENDS = ["eager", "trace", "fx", "script", "dynamo", "fullgraph", "export"]


@dataclass(frozen=True)
class Other:
    """A call with something else: what it is called in the page, and how it is chosen there."""

    words: str
    choose: Callable[[SimulatorPage], None]


def decided(way: str, words: str) -> Other:
    return Other(words, lambda page: page.decide(way))


def slid(size: str, key: str, value: int) -> Other:
    return Other(f"{size} = {value}", lambda page: page.slide(size, key))


NEGATED = decided("False", "values negated")

OTHERS: dict[str, list[Other]] = {
    "data_dependent_branch": [NEGATED],
    "early_exit": [decided("False, True", "values − 1")],
    "padding_mask": [NEGATED],
    "expert_routing": [decided("False, True, False", "values negated")],
    "batch_loop": [slid("x.shape[0]", "ArrowRight", 5)],
    "frozen_length": [slid("x.shape[0]", "ArrowRight", 5)],
    "item_threshold": [decided("True", "values one")],
    "print_in_loop": [Other("float64", lambda page: page.segment("dtype", "float64"))],
    "recompile_storm": [Other("steps = 3", lambda page: page.select("number-0", "3"))],
    "traced_dropout": [Other("eval mode", lambda page: page.segment("mode", "eval"))],
    "cond_done_right": [NEGATED],
    "symbolic_sizes": [slid("x.shape[0]", "ArrowRight", 5), slid("x.shape[0]", "Home", 1)],
}

WORDS = {
    "captured": {
        "whole": "one whole graph",
        "parts": "in parts",
        "nothing": "nothing",
        "refused": "refused",
        "eager": "not captured",
    },
    "branches": {
        "kept": "preserved",
        "lost": "lost",
        "same way": "same way",
        "none": "no branch",
        "refused": "refused",
    },
    "answer": {"right": "right", "wrong": "wrong", "error": "error", "refused": "none"},
}


def test_all_programs_are_walked() -> None:
    assert sorted(OTHERS) == sorted(one.name for one in exhibits())


@pytest.mark.parametrize("name", [one.name for one in exhibits()])
def test_the_figures_are_those_of_pytorch(simulator: Simulator, watched: Watched, direct: Direct, name: str) -> None:
    page = simulator.open(watched, name)
    assert page.frontends == FRONTENDS
    apart = walked(page, direct, ["as given"])
    for other in OTHERS[name]:
        page.start_over()
        other.choose(page)
        apart += walked(page, direct, ["as given", other.words])
    page.frontend("dynamo" if name == "recompile_storm" else "trace")
    page.settle()
    apart += looked_at(page.page, name)
    assert not apart, "\n".join(apart)


def test_the_limit_on_recompiles(simulator: Simulator, watched: Watched, direct: Direct) -> None:
    """One captured object, called with ever new numbers; every call of it is looked at."""
    page = simulator.open(watched, "recompile_storm")
    page.control("keep").check()
    numbers = [3, 4, 5, 6, 7, 8, 9, 10, 0]
    for number in numbers:
        page.select("number-0", str(number))
    calls = ["as given", *(f"steps = {number}" for number in numbers)]
    apart = []
    for frontend in ("dynamo", "fullgraph"):
        page.frontend(frontend)
        page.ready()
        wanted = run(page, direct, frontend, calls)
        for number in range(len(calls)):
            page.page.locator(f'[data-call="{number}"]').click()
            apart += [f"{frontend}, call {number + 1}: {one}" for one in differences(page.figures(), wanted[number])]
        assert page.figures()["recompiles"].value == "limit"
    assert not apart, "\n".join(apart)


def walked(page: SimulatorPage, direct: Direct, calls: list[str]) -> list[str]:
    """Where page and PyTorch differ, of the last call."""
    page.settle()
    apart = []
    for frontend in FRONTENDS:
        page.frontend(frontend)
        page.settle()
        assert [said.startswith(words) for said, words in zip(page.calls(), calls)] == [True] * len(calls)
        wanted = run(page, direct, frontend, calls)[-1]
        found = differences(page.figures(), wanted)
        decisions = {str(one["line"]) for one in page.survey["controls"]["decisions"]}
        if decisions != {str(line) for line in wanted["lines"]}:
            found.append(f"decisions in lines {sorted(decisions)}, not {wanted['lines']}")
        if page.ways() != wanted["ways"]:
            found.append(f"ways {page.ways()}, not {wanted['ways']}")
        apart += [f"{frontend}, {calls[-1]}: {one}" for one in found]
    return apart


def run(page: SimulatorPage, direct: Direct, frontend: str, calls: list[str]) -> list[dict[str, Any]]:
    """The page says which file, which entry and which inputs; PyTorch says the rest."""
    survey = page.survey
    exhibit = next(one for one in exhibits() if survey["path"].endswith(f"{one.name}.py"))
    return direct.run(
        path=exhibit.path, entry=survey["entry"], inputs=survey["inputs_text"], frontend=frontend, calls=calls
    )


def differences(shown: dict[str, Figure], wanted: dict[str, Any]) -> list[str]:
    """What the page says otherwise than PyTorch."""
    found = []
    for name, words in WORDS.items():
        value = wanted[name]
        if (shown[name].value, shown[name].word) != (value, words[value]):
            found.append(f"{name}: {shown[name]}, not {value}")
    if wanted["captured"] == "parts":
        graphs = f"{wanted['graphs']} graph{'s' if wanted['graphs'] > 1 else ''}"
        if not shown["captured"].detail.startswith(graphs):
            found.append(f"captured: {shown['captured']}, not {graphs}")
    largest = re.search(r"largest difference (\S+)", shown["answer"].detail)
    if (float(largest[1]) if largest else 0.0) != pytest.approx(wanted["largest"] or 0.0, rel=1e-3):
        found.append(f"answer: {shown['answer']}, not {wanted['largest']}")
    return found + recompiles(shown["recompiles"], wanted)


def recompiles(shown: Figure, wanted: dict[str, Any]) -> list[str]:
    count = wanted["recompiles"]
    word = "limit reached" if wanted["limit"] else f"{count} recompile{'s' if count > 1 else ''}" if count else "none"
    if shown.word != word:
        return [f"recompiles: {shown}, not {word}"]
    if count == 0:
        return []
    # Of the guards that failed, the newest graph's is the first.
    guards = " ".join(" ".join(wanted["guards"]).split())
    return [] if " ".join(shown.detail.split(";")[0].split()) in guards else [f"guard: {shown.detail}, not {guards}"]
