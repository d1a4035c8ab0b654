"""Runs the analyzer over files and applies suppressions. This is what is cached, and what worker processes do."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from analyzer import source as analyzer_source
from analyzer.api import Options, Report, analyze
from analyzer.finding import FileError, Finding
from analyzer.suppress import suppress
from capture_lsp.reading import Readable, is_notebook, read_bytes, read_text
from capture_lsp.results import FileResult, order

Progress = Callable[[str], None]


@dataclass(frozen=True)
class Task:
    """Everything that the results of a run depend on besides the files."""

    options: Options
    unused_suppressions: bool
    max_file_size: int


def analyse(
    files: Sequence[str],
    task: Task,
    overrides: Mapping[str, bytes] | None = None,
    progress: Progress | None = None,
) -> list[FileResult]:
    """Check files; `overrides` holds the content of those that differ from what is on disk."""
    overrides = overrides or {}
    results: dict[str, FileResult] = {}
    texts: dict[str, str] = {}
    sources: dict[str, str] = {}
    for path in files:
        raw = overrides[path] if path in overrides else read_bytes(path, task.max_file_size)
        readable = raw if isinstance(raw, FileError) else read_text(path, raw)
        if isinstance(readable, FileError) or isinstance(raw, FileError):
            assert isinstance(readable, FileError)
            results[path] = FileResult(path, errors=[readable])
            continue
        results[path] = FileResult(path, errors=list(readable.errors), cells=readable.cells)
        if b"capture:" in raw:
            texts[path] = readable.text
        if path in overrides or is_notebook(path) or len(raw) > analyzer_source.MAX_BYTES:
            sources[path] = readable.text
    # Files that are only read, not checked, may be overridden as well.
    for path, raw_override in overrides.items():
        if path not in results:
            other = read_text(path, raw_override)
            if isinstance(other, Readable):
                sources[path] = other.text
    good = [path for path in files if not results[path].errors or results[path].cells]
    report = _run(good, task.options, sources, progress)
    _distribute(report, results, texts, task)
    return [results[path] for path in files]


def _run(files: Sequence[str], options: Options, sources: Mapping[str, str], progress: Progress | None) -> Report:
    """The analyzer's report. A defect in the analyzer costs the file that shows it, not the run."""
    if not files:
        return Report()
    try:
        return analyze(files, options, sources, progress)
    except Exception as error:
        if len(files) == 1:
            return Report(errors=[FileError(files[0], 1, "internal", describe(error))])
    whole = Report()
    half = len(files) // 2
    for part in (files[:half], files[half:]):
        report = _run(part, options, sources, progress)
        whole.findings += report.findings
        whole.errors += report.errors
        whole.dependencies.update(report.dependencies)
    return whole


def describe(error: BaseException) -> str:
    """One line about an unexpected exception: what, and where in this program."""
    frames = traceback.extract_tb(error.__traceback__)
    where = f" ({frames[-1].filename.replace(chr(92), '/').rsplit('/', 1)[-1]}:{frames[-1].lineno})" if frames else ""
    text = " ".join(str(error).split())
    return f"internal error: {type(error).__name__}{': ' + text if text else ''}{where}"


def _distribute(report: Report, results: dict[str, FileResult], texts: Mapping[str, str], task: Task) -> None:
    found: dict[str, list[Finding]] = {}
    for finding in report.findings:
        found.setdefault(finding.path, []).append(finding)
    failed = {error.path for error in report.errors}
    for error in report.errors:
        if error.path in results:
            results[error.path].errors.append(error)
    for path, result in results.items():
        findings = found.get(path, [])
        if path in texts:
            # What was not looked at may need its suppressions.
            judged = _judged(task) if task.unused_suppressions and path not in failed else None
            findings = suppress(path, texts[path], findings, judged)
        result.findings = sorted(findings, key=order)
        result.dependencies = tuple(name for name in report.dependencies.get(path, ()) if name != path)


def _judged(task: Task) -> Callable[[str], bool]:
    """Whether this run looked for a code (or rule name) that a suppression names; codes that do not exist count too."""
    from capture_lsp.catalogue import entries

    selected = task.options.select
    skipped: set[str] = set()
    for entry in entries():
        if entry.code not in selected if selected else not entry.default:
            skipped.update((entry.code, entry.name))
    return lambda code: code not in skipped
