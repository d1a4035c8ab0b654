"""A baseline over a history of refactorings: nothing that is known counts as new, and nothing new as known."""

from __future__ import annotations

import os
from pathlib import Path

from capture_lsp.baseline.compare import Compared, compare
from capture_lsp.baseline.fingerprint import Fingerprint, Sources
from capture_lsp.check import Run, check
from capture_lsp.config.settings import Resolver
from capture_lsp.discovery import discover
from capture_lsp.results import RunResult

from . import history


def checked(folder: Path) -> RunResult:
    resolver = Resolver(str(folder), {"target-torch": (2, 13), "extra-paths": (str(folder),)})
    return check(discover([str(folder)], resolver).files, Run(jobs=1))


def told(found: Compared) -> list[tuple[str, str]]:
    return sorted((f.code, f.expression) for f, known in zip(found.fingerprints, found.matched) if known is None)


def against(result: RunResult, known: tuple[Fingerprint, ...], folder: Path) -> Compared:
    return compare(result, known, Sources({}, str(folder)), str(folder))


def test_thirty_refactorings(tmp_path: Path) -> None:
    refactorings = [step for step in history.HISTORY if not step.new and not step.fixed]
    assert len(refactorings) >= 30
    project = tmp_path / "project"
    project.mkdir()
    files = dict(history.START)
    history.write(files, project)
    result = checked(project)
    start = Sources({}, str(project)).of(result)
    assert len(start) >= 10
    assert len({f.code for f in start}) >= 4
    last = tuple(start)
    origins: list[int | None] = list(range(len(start)))  # of each finding that was there at the start
    wrong = []
    for step in history.HISTORY:
        step.change(files)
        history.write(files, project)
        result = checked(project)
        assert not result.all_errors(), step.title
        found = against(result, last, project)  # from one commit to the next
        if (told(found), len(found.gone)) != (sorted(step.new), step.fixed):
            wrong.append((step.title, told(found), [(f.function, f.expression) for f in found.gone], found.kept))
        last = tuple(found.fingerprints)
        origins = [None if known is None else origins[known] for known in found.matched]
        whole = against(result, tuple(start), project)  # and from the first one: each is taken for what it was
        if list(whole.matched) != origins:
            wrong.append((f"since the start: {step.title}", told(whole), [f.expression for f in whole.gone]))
    assert wrong == [], "\n".join(map(str, wrong))
    assert os.path.isdir(project / "models")
