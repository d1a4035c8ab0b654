"""Plain records that leave the analyzer: findings, their provenance and their fixes.

Lines are 1-based; columns are 1-based and count characters; ends are exclusive. Paths are absolute here; whoever
prints them makes them relative.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from analyzer.outcome import Frontend, Outcome, Severity

Safety = Literal["safe", "unsafe"]


@dataclass(frozen=True, slots=True)
class Place:
    """A line of text about a place: one step of a provenance, or a related location."""

    path: str
    line: int
    column: int
    text: str


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace the text between two positions of one file."""

    path: str
    line: int
    column: int
    end_line: int
    end_column: int
    text: str


@dataclass(frozen=True, slots=True)
class Fix:
    """An edit of the user's source. Safe only if the program computes the same eagerly."""

    title: str
    safety: Safety
    edits: tuple[Edit, ...]


@dataclass(frozen=True, slots=True)
class Cost:
    """What a break takes away, as a probe measured it. `gain`: the compiled time as the program stands over that
    without the break, with its 95 % interval; `before`, `after`: the eager time over either. `verdict`: faster, slower,
    or no difference measured."""

    gain: float
    low: float
    high: float
    before: float
    after: float
    verdict: str


@dataclass(slots=True)
class Finding:
    """One root cause at one source range, judged under every frontend (`outcomes`). `in_use`: the frontends of its
    roots. `cost`: where a probe measured it."""

    code: str
    name: str
    path: str
    line: int
    column: int
    end_line: int
    end_column: int
    message: str
    function: str
    outcomes: dict[Frontend, Outcome]
    severity: Severity = "warning"
    roots: list[str] = field(default_factory=list)
    count: int = 1
    provenance: tuple[Place, ...] = ()
    related: tuple[Place, ...] = ()
    graph_breaks: tuple[str, ...] = ()
    fixes: tuple[Fix, ...] = ()
    status: dict[Frontend, str] = field(default_factory=dict)
    stale: bool = False
    in_use: tuple[Frontend, ...] = ()
    cost: Cost | None = None

    @property
    def key(self) -> tuple[str, str, int, int, int, int]:
        """Identity of a finding within one run."""
        return (self.code, self.path, self.line, self.column, self.end_line, self.end_column)


@dataclass(frozen=True, slots=True)
class RootPlace:
    """A function that gets captured: `label` is `path::qualname`, `line` that of its `def`. `captured`: whether a
    capture call names it; `calls`: those that do, as (path, line, column, end line, end column)."""

    label: str
    line: int
    frontends: tuple[Frontend, ...]
    captured: bool
    calls: tuple[tuple[str, int, int, int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class FileError:
    """A file that could not be checked, or not wholly. `kind`: syntax, unreadable, binary, too-large, nested,
    internal."""

    path: str
    line: int
    kind: str
    message: str
