"""The analyzer's front door: give it files, get findings. No torch, no running of user code, no printing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from analyzer.finding import FileError, Finding, RootPlace
from analyzer.outcome import Frontend

if TYPE_CHECKING:
    from analyzer.project import Project

RootMode = Literal["auto", "forward", "all"]


@dataclass(frozen=True, slots=True)
class Options:
    """What to look for. Everything that changes findings is in here, so that it can be part of a cache key."""

    frontends: tuple[Frontend, ...] = ()  #: empty: those in use for each root, else dynamo; else judge all by these
    default_frontends: tuple[Frontend, ...] = ("dynamo",)  #: for roots that no capture call names
    roots: RootMode = "auto"
    extra_roots: tuple[str, ...] = ()  #: PATH::QUALNAME
    torch: tuple[int, int] = (2, 13)  #: target torch (major, minor)
    select: tuple[str, ...] = ()  #: code prefixes; empty: all rules that are on by default
    ignore: tuple[str, ...] = ()
    search_paths: tuple[str, ...] = ()  #: import roots of the project, nearest first
    site_paths: tuple[str, ...] = ()  #: site-packages of the project's interpreter: read, findings folded to the caller


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a part of a run must know of the whole, so that parts analysed apart give what the whole gives.

    `checked`: every file of the run. `capturing`: those among them that hold a word of a capture API (see
    `may_capture`), whose calls make roots in other files; the rest need not be read.
    """

    checked: frozenset[str]
    capturing: tuple[str, ...] = ()


@dataclass(slots=True)
class Report:
    """Findings of the roots in the files asked for, wherever they stand; errors; and for each file what it depends on.

    `by_file` holds the same findings by the file of the root (or capture call) that they are due to. Reports of parts
    of a run are joined by `analyzer.merge.merge` over their `by_file`.
    """

    findings: list[Finding] = field(default_factory=list)
    by_file: dict[str, list[Finding]] = field(default_factory=dict)
    errors: list[FileError] = field(default_factory=list)
    dependencies: dict[str, tuple[str, ...]] = field(default_factory=dict)
    roots: dict[str, tuple[RootPlace, ...]] = field(default_factory=dict)  #: those analysed, as in `by_file`


def analyze(
    files: Sequence[str],
    options: Options,
    sources: Mapping[str, str] | None = None,
    progress: Callable[[str], None] | None = None,
    around: Surroundings | None = None,
) -> Report:
    """Check `files` (absolute paths). `sources` overrides what is on disk (editor buffers, standard input, notebooks).

    `around`: the whole run, where `files` are only a part of it.

    Suppressions are not applied here: see `analyzer.suppress`. Never raises for bad input: a file that cannot be read
    or parsed becomes an entry of `Report.errors`.
    """
    from analyzer.engine import run

    return run(files, options, sources or {}, progress, around)


class Session:
    """Parts of one run, analysed one after the other: files that they share are read once.

    Every part is to have the same options and surroundings, and no file may change meanwhile.
    """

    def __init__(self) -> None:
        self._projects: list[Project] = []

    def analyze(
        self,
        files: Sequence[str],
        options: Options,
        sources: Mapping[str, str],
        progress: Callable[[str], None] | None,
        around: Surroundings,
    ) -> Report:
        """`analyze`, as the next part."""
        from analyzer.engine import run

        try:
            return run(files, options, sources, progress, around, self._projects)
        except BaseException:
            self._projects.clear()  # who knows what it left half done
            raise


def forget() -> None:
    """Let go of the trees and texts of earlier runs, which memos by tree hold: for a process that lives long. Whatever
    is still in use is only worked out again."""
    from analyzer.flow import carried, script_expressions, usage
    from analyzer.roots import captures_something

    for memo in (carried.carried, script_expressions._set_freely, usage._tensor_parameters, captures_something):
        memo.cache_clear()


def may_capture(text: str) -> bool:
    """Whether a file may hold a capture call: a cheap test of its text."""
    from analyzer.roots import captures_something

    return captures_something(text)


def rules() -> Iterable[type]:
    """Every rule class, by code."""
    from analyzer.registry import all_rules

    return all_rules()
