"""The figures of the gallery's pages: what each frontend made of each program, in real runs.

`python -m capture_lsp.simulator.figures` runs them anew (with the torch of this interpreter) and writes them down; the
pages are made of what is written, so that making them needs no torch. A test compares it with real runs.
"""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING, TypedDict

from capture_lsp.probe.client import Client
from capture_lsp.probe.injection import injected
from capture_lsp.probe.targets import Work
from capture_lsp.simulator.asking import Asker
from capture_lsp.simulator.combinations import given, histories, words
from capture_lsp.simulator.gallery import Exhibit, exhibits
from capture_lsp.simulator.program import Surveyed, of_exhibit

if TYPE_CHECKING:
    from runtime_probe.simulation import Combination, Controls, Request, Run

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PATH = os.path.join(ROOT, "docs", "gallery", "figures.json")


class Flip(TypedDict):
    """A decision that the second call takes otherwise."""

    line: int
    text: str
    given: str
    now: str


class Row(TypedDict):
    """One frontend: its capture of the given call, then a call with something else. `graphs`, `breaks`: after both."""

    frontend: str
    captured: str
    graphs: int
    breaks: int
    first_answer: str
    branches: str
    answer: str
    recompiles: int
    explanation: str


class History(TypedDict):
    """One call for each value of a size or number. `limit_at`: the call that reached the limit on recompiles."""

    over: str
    frontend: str
    calls: int
    recompiles: int
    limit_at: int | None
    last_answer: str


class Figures(TypedDict):
    """One program. `now`: what is otherwise in the second call."""

    name: str
    inputs: str
    now: str
    flips: list[Flip]
    rows: list[Row]
    histories: list[History]


class Written(TypedDict):
    """The file. `torch`: the release that the runs were made with."""

    torch: str
    programs: list[Figures]


def other(controls: Controls) -> Combination:
    """What the second call changes: the values, if decisions depend on them; else a number, the mode, or a size."""
    start = given(controls)
    if len(controls["inputs"]) > 1:
        return {**start, "inputs": 1}
    if controls["numbers"]:
        index = start["numbers"][0]
        last = len(controls["numbers"][0]["values"]) - 1
        return {**start, "numbers": [index + 1 if index < last else index - 1, *start["numbers"][1:]]}
    if len(controls["modes"]) > 1:
        return {**start, "mode": 1}
    if controls["sizes"]:
        index = start["sizes"][0]
        last = len(controls["sizes"][0]["values"]) - 1
        return {**start, "sizes": [index + 1 if index < last else index - 1, *start["sizes"][1:]]}
    return start


def figures_of(asker: Asker, exhibit: Exhibit) -> tuple[Surveyed, Figures]:
    """Run a program of the gallery under every frontend."""
    surveyed = asker.survey(of_exhibit(exhibit))
    controls = surveyed.survey["controls"]
    now = other(controls)
    pairs: list[Request] = [{"frontend": name, "calls": [given(controls), now]} for name in controls["frontends"]]
    longer = list(histories(controls))
    runs = asker.runs(surveyed, [*pairs, *longer])
    return surveyed, {
        "name": exhibit.name,
        "inputs": surveyed.survey["inputs_text"],
        "now": words(now, controls),
        "flips": _flips(runs[0], controls),
        "rows": [_row(run) for run in runs[: len(pairs)]],
        "histories": [_history(run, controls) for run in runs[len(pairs) :] if run["captured"] != "refused"],
    }


def written() -> Written:
    """What was written down."""
    with open(PATH, encoding="utf-8") as stream:
        found: Written = json.load(stream)
    return found


def _flips(run: Run, controls: Controls) -> list[Flip]:
    first, second = run["calls"][0]["ways"], run["calls"][-1]["ways"]
    return [
        {"line": decision["line"], "text": decision["text"], "given": before, "now": after}
        for decision, before, after in zip(controls["decisions"], first, second)
        if before != after
    ]


def _row(run: Run) -> Row:
    calls = run["calls"]
    first, last = calls[0], calls[-1]
    return {
        "frontend": run["request"]["frontend"],
        "captured": run["captured"],
        "graphs": last["graphs"],
        "breaks": last["breaks"],
        "first_answer": first["answer"],
        "branches": last["branches"],
        "answer": last["answer"],
        "recompiles": len(last["recompiles"]),
        "explanation": last["explanation"],
    }


def _history(run: Run, controls: Controls) -> History:
    calls = run["calls"]
    return {
        "over": words(calls[-1]["combination"], controls).partition(" = ")[0],
        "frontend": run["request"]["frontend"],
        "calls": len(calls),
        "recompiles": sum(len(call["recompiles"]) for call in calls),
        "limit_at": next((number for number, call in enumerate(calls, 1) if call["limit"]), None),
        "last_answer": calls[-1]["answer"],
    }


def main() -> int:
    """Run all programs and write the figures."""
    with Client(sys.executable, injected()) as client:
        asker = Asker(client, Work(parts=()), lambda path: ())
        programs = []
        for exhibit in exhibits():
            print(exhibit.name, file=sys.stderr)
            programs.append(figures_of(asker, exhibit)[1])
        found: Written = {"torch": client.start().torch, "programs": programs}
    with open(PATH, "w", encoding="utf-8", newline="\n") as stream:
        stream.write(json.dumps(found, indent=1, ensure_ascii=False) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
