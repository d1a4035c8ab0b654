"""One check of many files: settings, cache, analysis, and what the settings make of the findings."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from analyzer.finding import FileError, Finding
from capture_lsp.analysis import Task
from capture_lsp.cache import Cache, Hashes, digest, key_of, options_digest
from capture_lsp.config.settings import Settings
from capture_lsp.options import matches, plan, severity
from capture_lsp.reading import read_bytes
from capture_lsp.results import FileResult, RunResult

if TYPE_CHECKING:
    from capture_lsp.discovery import Patterns


@dataclass
class Run:
    """What holds for the whole run. `overrides`: content that differs from what is on disk (stdin, fixed texts)."""

    frontends: tuple[str, ...] = ()
    jobs: int = 0
    cache: Cache | None = None
    progress: Callable[[int], Callable[[str], None] | None] = lambda _: None
    overrides: dict[str, bytes] = field(default_factory=dict)


def check(files: Mapping[str, Settings], run: Run) -> RunResult:
    """Check files, each by its settings."""
    groups: dict[Settings, list[str]] = {}
    for path, settings in files.items():
        groups.setdefault(settings, []).append(path)
    results: dict[str, FileResult] = {}
    notes: list[str] = []
    torch = (0, 0)
    for settings, paths in groups.items():
        planned = plan(settings, run.frontends)
        if planned.note and planned.note not in notes:
            notes.append(planned.note)
        torch = max(torch, planned.options.torch)
        task = Task(planned.options, planned.unused_suppressions, settings.max_file_size)
        for result in _analysed(paths, task, run):
            results[result.path] = _by_settings(result, settings)
    return RunResult([results[path] for path in files], torch, notes=notes, overrides=run.overrides)


def _analysed(paths: Sequence[str], task: Task, run: Run) -> list[FileResult]:
    cache = run.cache
    if cache is None:
        return _analyse(paths, task, run)
    hashes = cache.hashes(run.overrides)
    options_hash = options_digest(task.options, (task.unused_suppressions, task.max_file_size))
    found: dict[str, FileResult] = {}
    keys: dict[str, str] = {}
    for path in paths:
        content = _content(path, task.max_file_size, run, hashes)
        if isinstance(content, FileError):
            found[path] = FileResult(path, errors=[content])
            continue
        keys[path] = key_of(options_hash, path, content)
        hit = cache.get(keys[path], path, hashes)
        if hit is not None:
            found[path] = hit
    missing = [path for path in paths if path not in found]
    for result in _analyse(missing, task, run):
        found[result.path] = result
        if not any(e.kind == "internal" for e in result.errors):
            cache.put(keys[result.path], result, hashes)
    cache.save(hashes)
    return [found[path] for path in paths]


def _content(path: str, limit: int, run: Run, hashes: Hashes) -> str | FileError:
    """The hash of a file's content, or why it cannot be read."""
    if path in run.overrides:
        return digest(run.overrides[path])
    try:
        plain = os.path.isfile(path) and os.stat(path).st_size <= limit
    except OSError:
        plain = False
    found = hashes.of(path) if plain else None
    if found is None:
        raw = read_bytes(path, limit)
        return raw if isinstance(raw, FileError) else digest(raw)
    return found


def _analyse(paths: Sequence[str], task: Task, run: Run) -> list[FileResult]:
    if not paths:
        return []
    progress = run.progress(len(paths))
    from capture_lsp.pool import Pool, workers_for

    workers = 1 if run.overrides else workers_for(len(paths), run.jobs)
    if workers > 1:
        return Pool(task, workers, progress).run(paths)
    from capture_lsp.analysis import analyse

    return analyse(paths, task, run.overrides, progress)


def _by_settings(result: FileResult, settings: Settings) -> FileResult:
    """Per-file ignores and severities. Not cached: they change nothing about the analysis."""
    if not result.findings:
        return result
    ignored = _ignored(result.path, settings)
    kept: list[Finding] = []
    for finding in result.findings:
        if any(matches(selector, finding.code, finding.name) for selector in ignored):
            continue
        level = severity(settings, finding.code, finding.name, finding.severity)
        if level is not None:
            kept.append(finding if level == finding.severity else replace(finding, severity=level))
    result.findings = kept
    return result


def _ignored(path: str, settings: Settings) -> list[str]:
    return [
        code
        for pattern, codes in settings.per_file_ignores
        if _patterns(settings.base, pattern).excludes_within(path)
        for code in codes
    ]


def _patterns(folder: str, pattern: str) -> Patterns:
    from capture_lsp.discovery import Patterns

    return Patterns(folder, [pattern])
