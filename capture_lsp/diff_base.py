"""`check --diff-base REF`: what stands on changed lines, and what the changes caused elsewhere.

The base version is checked as the present one is, from git's objects: files that changed have their former content.
What the base has as well is known, wherever its lines are now.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher

from analyzer.finding import Finding
from capture_lsp.baseline.compare import compare
from capture_lsp.baseline.fingerprint import Sources
from capture_lsp.config.settings import Settings
from capture_lsp.discovery import SUFFIXES
from capture_lsp.git import Change, Repository
from capture_lsp.reading import Readable, read_text
from capture_lsp.results import Known, RunResult


@dataclass(frozen=True)
class Base:
    """The base version: `overrides` has the former content of files that changed; `files` what was to be checked."""

    ref: str
    files: Mapping[str, Settings]
    overrides: Mapping[str, bytes]
    changes: Sequence[Change]


def find_base(ref: str, cwd: str, files: Mapping[str, Settings], was_checked: Callable[[str], Settings | None]) -> Base:
    """The base of the present files. `was_checked`: the settings of a file that is gone, None if they leave it out."""
    repository = Repository(cwd)
    changes = [
        change
        for change in repository.changes(repository.base(ref))
        if any(path is not None and path.endswith(SUFFIXES) for path in (change.before, change.after))
    ]
    overrides: dict[str, bytes] = {}
    for holder in {id(change.repository): change.repository for change in changes}.values():
        held = [change for change in changes if change.repository is holder and change.before is not None]
        blobs = holder.contents(change.blob for change in held)
        overrides.update({c.before: blobs[c.blob] for c in held if c.before is not None and c.blob in blobs})
    added = {c.after for c in changes if c.after not in overrides}
    base = {path: settings for path, settings in files.items() if path not in added}
    for path in overrides:
        if path not in base and not os.path.exists(path) and (settings := was_checked(path)) is not None:
            base[path] = settings
    return Base(ref, {path: base[path] for path in sorted(base)}, overrides, changes)


def since(base: Base, now: RunResult, then: RunResult, cwd: str) -> RunResult:
    """The present run with what is on changed lines or newly caused alone."""
    former = Sources(base.overrides, cwd)
    present = Sources(now.overrides, cwd)
    compared = compare(now, former.of(then), present, cwd)
    lines = {c.after: _changed(c, base, present) for c in base.changes if c.after is not None}
    known: list[Finding] = []
    files = []
    matched = iter(compared.matched)
    for file in now.files:
        shown: list[Finding] = []
        changed = lines.get(file.path, frozenset())
        for finding in file.findings:
            touched = not changed.isdisjoint(range(finding.line, finding.end_line + 1))
            (shown if next(matched) is None or touched else known).append(finding)
        files.append(replace(file, findings=shown))
    return replace(now, files=files, known=Known(base.ref, known, list(compared.gone), cwd))


def _changed(change: Change, base: Base, present: Sources) -> frozenset[int]:
    """The lines of a file that the base does not have."""
    assert change.after is not None
    new = present.source(change.after).text.split("\n")
    raw = base.overrides.get(change.before) if change.before is not None else None
    readable = read_text(change.before or "", raw) if raw is not None else None
    old = readable.text.split("\n") if isinstance(readable, Readable) else []
    found: set[int] = set()
    for tag, _, _, first, last in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag in ("replace", "insert"):
            found.update(range(first + 1, last + 1))
    return frozenset(found)
