"""A run compared with known findings: which are new, which known, and which of the known no longer occur."""

from __future__ import annotations

import ast
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from analyzer.finding import Finding
from capture_lsp.baseline.fingerprint import Fingerprint, Sources
from capture_lsp.baseline.matching import match
from capture_lsp.baseline.normal import Outlines
from capture_lsp.baseline.renames import Defined, defined
from capture_lsp.paths import absolute, relative
from capture_lsp.results import RunResult


class Code:
    """The code that a run checked, for `matching`."""

    def __init__(self, result: RunResult, sources: Sources, folder: str) -> None:
        """`folder`: what the paths of fingerprints are relative to."""
        self._paths = {relative(file.path, folder): file.path for file in result.files}
        self._sources = sources
        self._folder = folder
        self._through: dict[tuple[str, str, str], frozenset[str]] = {}
        self._outlines: dict[tuple[str, str, tuple[tuple[str, str], ...]], Outlines] = {}

    def functions(self, path: str) -> frozenset[str] | None:
        """The qualified names of a file's functions; None if there is no such file."""
        full = self._paths.get(path)
        if full is None:
            full = absolute(path, self._folder)
            if not os.path.isfile(full):
                return None
        return frozenset(self._sources.source(full).scopes.names)

    def local(self, path: str, function: str) -> frozenset[str]:
        """The names local to a function."""
        return self._sources.source(self._paths[path]).scopes.of(function).local

    def through(self, path: str, function: str, helper: str) -> frozenset[str]:
        """What a function reckons by its calls of a helper of its file."""
        key = (path, function, helper)
        if key not in self._through:
            self._through[key] = self._sources.source(self._paths[path]).through(function, helper)
        return self._through[key]

    def outline(self, path: str, function: str, former: Mapping[str, str]) -> Outlines:
        """The outlines of a function, as if attributes had their former names still."""
        key = (path, function, tuple(sorted(former.items())))
        if key not in self._outlines:
            self._outlines[key] = self._sources.source(self._paths[path]).outline_of(function, former)
        return self._outlines[key]

    def defined(self) -> Defined:
        """What the files checked define."""
        return self._defined

    @cached_property
    def _defined(self) -> Defined:
        trees = (self._sources.source(path).tree for path in self._paths.values())
        return defined([tree for tree in trees if isinstance(tree, ast.Module)])


@dataclass(frozen=True)
class Compared:
    """`fingerprints`: of the run's findings, in its order; `matched`: for each the known finding that it is, if any;
    `gone`: known findings that no longer occur; `kept`: those of which this run can say nothing."""

    known: Sequence[Fingerprint]
    fingerprints: Sequence[Fingerprint]
    matched: Sequence[int | None]
    gone: Sequence[Fingerprint]
    kept: Sequence[Fingerprint]


def compare(
    result: RunResult,
    known: Sequence[Fingerprint],
    sources: Sources,
    folder: str,
    looked_for: Callable[[str], bool] = lambda code: True,
    covers: Callable[[str], bool] = lambda path: True,
) -> Compared:
    """Match the findings of a run. `looked_for`: whether this run would have found a code; `covers`: whether a file
    that is gone would have been checked."""
    fingerprints = sources.of(result)
    matched = match(known, fingerprints, Code(result, sources, folder))
    checked = {relative(file.path, folder): file for file in result.files}
    left = set(range(len(known))) - {number for number in matched if number is not None}
    gone: list[Fingerprint] = []
    kept: list[Fingerprint] = []
    for number in sorted(left):
        entry = known[number]
        file = checked.get(entry.path)
        full = absolute(entry.path, folder)
        seen = not file.errors if file is not None else covers(full) and not os.path.exists(full)
        (gone if seen and looked_for(entry.code) else kept).append(entry)
    return Compared(known, fingerprints, matched, gone, kept)


def split(result: RunResult, matched: Sequence[int | None]) -> tuple[RunResult, list[Finding]]:
    """The run with its new findings alone, and the known ones."""
    flags = iter(matched)
    known: list[Finding] = []
    files = []
    for file in result.files:
        new: list[Finding] = []
        for finding in file.findings:
            (new if next(flags) is None else known).append(finding)
        files.append(replace(file, findings=new))
    return replace(result, files=files), known
