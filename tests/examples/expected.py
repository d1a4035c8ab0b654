"""What each example must and must not be told, as data: `expected.json`, with the source lines as keys."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


@dataclass(frozen=True)
class Fault:
    """A line that a frontend breaks at. `known_miss` says why source alone cannot tell."""

    path: str
    line: int
    text: str
    frontend: str
    outcome: str
    graph_breaks: frozenset[str]
    known_miss: str | None
    proof: dict[str, Any] | None


@dataclass(frozen=True)
class Program:
    """One runnable example, the files that it is made of, and what is to be found there."""

    run: str
    search_paths: tuple[str, ...]
    kernels: dict[str, Any]
    files: tuple[str, ...]
    faults: tuple[Fault, ...]
    may: frozenset[tuple[str, int]]
    look_alikes: frozenset[tuple[str, int]] = field(default_factory=frozenset)


def line_of(path: str, text: str) -> int:
    """The one line of `path` that reads `text`: data about a line that is gone or twofold is an error."""
    source = (EXAMPLES / path).read_text(encoding="utf-8").splitlines()
    lines = [number for number, line in enumerate(source, 1) if line.strip() == text]
    if len(lines) != 1:
        raise LookupError(f"{len(lines)} lines of {path} read {text!r}")
    return lines[0]


def program_of(entry: dict[str, Any]) -> Program:
    faults, may, look_alikes = [], set(), set()
    for path, lines in entry["files"].items():
        for fault in lines["must"]:
            faults.append(
                Fault(
                    path,
                    line_of(path, fault["text"]),
                    fault["text"],
                    fault["frontend"],
                    fault["outcome"],
                    frozenset(fault.get("graph_breaks", ())),
                    fault.get("known_miss"),
                    fault.get("proof"),
                )
            )
        may |= {(path, line_of(path, line["text"])) for line in lines["may"]}
        look_alikes |= {(path, line_of(path, text)) for text in lines["look_alikes"]}
    return Program(
        entry["run"],
        tuple(entry.get("search_paths", ())),
        entry.get("kernels", {}),
        tuple(entry["files"]),
        tuple(faults),
        frozenset(may),
        frozenset(look_alikes),
    )


def programs() -> list[Program]:
    entries = json.loads((Path(__file__).parent / "expected.json").read_text(encoding="utf-8"))["programs"]
    return [program_of(entry) for entry in entries]
