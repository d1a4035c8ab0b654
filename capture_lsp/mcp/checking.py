"""Checks for the tools: of files as they are, and of files as they would be."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from analyzer.finding import Edit, Finding
from capture_lsp.check import Run, check
from capture_lsp.config.schema import torch_version
from capture_lsp.config.settings import Resolver, Settings
from capture_lsp.discovery import discover
from capture_lsp.errors import UserError
from capture_lsp.fixes import Document, fix_all, overlap
from capture_lsp.formats import json_format
from capture_lsp.mcp.served import Served
from capture_lsp.paths import display
from capture_lsp.reading import read_bytes
from capture_lsp.results import RunResult


@dataclass(frozen=True)
class Scope:
    """Which rules and frontends judge, and for which torch."""

    select: tuple[str, ...] = ()
    frontends: tuple[str, ...] = ()
    target_torch: str = ""

    def resolver(self, cwd: str) -> Resolver:
        overrides: dict[str, Any] = {}
        if self.select:
            overrides["select"] = self.select
        if self.target_torch:
            try:
                overrides["target-torch"] = torch_version(self.target_torch)
            except ValueError as error:
                raise UserError(f"target_torch {self.target_torch!r} is not {error}") from None
        return Resolver(cwd, overrides)


def files_of(paths: Sequence[str], resolver: Resolver) -> Mapping[str, Settings]:
    """The files to check. Raises UserError where there are none."""
    found = discover(paths, resolver)
    if not found.files:
        errors = "; ".join(f"{display(error.path, resolver.cwd)}: {error.message}" for error in found.errors)
        raise UserError(errors or "no Python file there")
    return found.files


def checked(paths: Iterable[str], scope: Scope, served: Served) -> dict[str, Any]:
    """The report of `capture-lsp check --output-format json`."""
    files = files_of(served.paths(paths), scope.resolver(served.cwd))
    return as_json(check(files, Run(_frontends(scope), jobs=1)), served.cwd)


def proposed(paths: Iterable[str], unsafe: bool, scope: Scope, served: Served) -> dict[str, Any]:
    """The findings that have fixes, and one diff of all that apply together; nothing is written."""
    from capture_lsp.cli.fix_output import diff

    cwd = served.cwd
    files = files_of(served.paths(paths), scope.resolver(cwd))
    before = as_json(check(files, Run(_frontends(scope), jobs=1)), cwd)
    fixed = fix_all(files, Run(_frontends(scope), jobs=1), unsafe)
    return {
        "version": json_format.VERSION,
        "torch": before["torch"],
        "findings": [finding for finding in before["findings"] if finding["fixes"]],
        "errors": before["errors"],
        "applied": fixed.applied,
        "left": as_json(fixed.result, cwd)["findings"],
        "diff": "".join(diff(p, fixed.before[p], fixed.changed[p], cwd) for p in sorted(fixed.changed)),
    }


def changed_contents(
    edits: Iterable[Mapping[str, Any]], contents: Mapping[str, str], served: Served
) -> dict[str, bytes]:
    """Path → content after the edits of a fix, or whole new contents. Raises UserError."""
    cwd = served.cwd
    found = {served.path(path): text.encode("utf-8") for path, text in contents.items()}
    by_path: dict[str, list[Edit]] = {}
    for row in edits:
        try:
            path = str(row["path"])
            start, end = (int(row["line"]), int(row["column"])), (int(row["end_line"]), int(row["end_column"]))
            edit = Edit(served.path(path), *start, *end, str(row["text"]))
        except (KeyError, TypeError, ValueError):
            raise UserError(
                "an edit has path, line, column, end_line, end_column and text, as in a finding's fixes"
            ) from None
        path = edit.path
        if path in found:
            raise UserError(f"{row['path']}: give its content or edits of it, not both")
        if edit not in by_path.setdefault(path, []):
            if any(overlap(edit, other) for other in by_path[path]):
                raise UserError(f"{row['path']}:{edit.line}: this edit overlaps another one")
            by_path[path].append(edit)
    for path, wanted in by_path.items():
        raw = read_bytes(path, 64_000_000)
        if not isinstance(raw, bytes):
            raise UserError(f"{display(path, cwd)}: {raw.message}")
        made = Document(path, raw).with_edits(wanted)
        if made is None:
            raise UserError(f"{display(path, cwd)}: with these edits it does not parse, or they are outside of it")
        found[path] = made
    for path, raw in found.items():
        if not Document(path, raw).parses(raw):
            raise UserError(f"{display(path, cwd)}: this content does not parse")
    if not found:
        raise UserError("nothing to verify: give edits, or contents")
    return found


def verified(contents: Mapping[str, bytes], paths: Iterable[str], scope: Scope, served: Served) -> dict[str, Any]:
    """Which findings changed contents remove, add and leave. `paths`: further files to check."""
    cwd = served.cwd
    resolver = scope.resolver(cwd)
    further = [served.path(path) for path in paths]
    there = [path for path in dict.fromkeys((*contents, *further)) if path not in contents or os.path.exists(path)]
    files = files_of(there, resolver) if there else {}
    before = check(files, Run(_frontends(scope), jobs=1))
    new_files = {path: resolver.for_folder(os.path.dirname(path)) for path in contents if path not in files}
    after = check({**files, **new_files}, Run(_frontends(scope), jobs=1, overrides=dict(contents)))
    old, new = Counter(map(_identity, _findings(before))), Counter(map(_identity, _findings(after)))
    return {
        "version": json_format.VERSION,
        "fixed": _chosen(before, old - new, cwd),
        "new": _chosen(after, new - old, cwd),
        "left": _chosen(after, new & old, cwd),
        "errors": as_json(after, cwd)["errors"],
    }


def as_json(result: RunResult, cwd: str) -> dict[str, Any]:
    """The JSON contract of a check, as data."""
    document: dict[str, Any] = json.loads(json_format.render(result, cwd))
    return document


def _frontends(scope: Scope) -> tuple[Any, ...]:
    from analyzer.outcome import FRONTENDS

    for name in scope.frontends:
        if name not in FRONTENDS:
            raise UserError(f"unknown frontend {name!r} (one of {', '.join(FRONTENDS)})")
    return scope.frontends


def _findings(result: RunResult) -> list[Finding]:
    return [finding for file in result.files for finding in file.findings]


def _identity(finding: Finding) -> tuple[str, ...]:
    """A finding wherever its line is."""
    return (finding.path, finding.function, finding.code, finding.message)


def _chosen(result: RunResult, wanted: Counter[tuple[str, ...]], cwd: str) -> list[dict[str, Any]]:
    left = Counter(wanted)
    found = []
    for finding, row in zip(_findings(result), as_json(result, cwd)["findings"]):
        if left[_identity(finding)] > 0:
            left[_identity(finding)] -= 1
            found.append(row)
    return found
