"""Runs the analyzer over files. Its units are what is cached, and what worker processes answer."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from analyzer import source as analyzer_source
from analyzer.api import Options, Report, Surroundings, analyze
from analyzer.finding import FileError
from capture_lsp.notebook import Cell, locate
from capture_lsp.reading import Readable, is_notebook, read_bytes, read_text
from capture_lsp.results import Unit, order

Progress = Callable[[str], None]


class Parts(Protocol):
    """Analyses parts of a run, keeping what it likes from one to the next: see `analyzer.api.Session`."""

    def analyze(
        self,
        files: Sequence[str],
        options: Options,
        sources: Mapping[str, str],
        progress: Progress | None,
        around: Surroundings,
    ) -> Report:
        """`analyzer.api.analyze`."""
        ...


@dataclass(frozen=True)
class Task:
    """Everything that the results of a run depend on besides the files analysed."""

    options: Options
    around: Surroundings
    max_file_size: int


def analyse(
    files: Sequence[str],
    task: Task,
    overrides: Mapping[str, bytes] | None = None,
    progress: Progress | None = None,
    session: Parts | None = None,
) -> list[Unit]:
    """Analyse files; `overrides` holds the content of those that differ from what is on disk; `session`: the earlier
    parts of the same task."""
    overrides = overrides or {}
    units = {path: Unit(path) for path in files}
    sources: dict[str, str] = {}
    for path in files:
        readable = _readable(path, task, overrides)
        if isinstance(readable, FileError):
            units[path].errors.append(readable)
            continue
        units[path].errors += readable.errors
        units[path].cells = readable.cells
        if path in overrides or is_notebook(path) or len(readable.text) > analyzer_source.MAX_BYTES:
            sources[path] = readable.text
    # Other files count as well: what captures something here, what is imported from here.
    for path in {*overrides, *(p for p in task.around.capturing if is_notebook(p))} - units.keys():
        other = _readable(path, task, overrides)
        if isinstance(other, Readable):
            sources[path] = other.text
    readable_files = [path for path in files if not units[path].errors or units[path].cells]
    report = _run(readable_files, task, sources, progress, session)
    for error in report.errors:
        if error.path in units:
            units[error.path].errors.append(_in_cell(error, units[error.path].cells))
    for path, unit in units.items():
        unit.findings = sorted(report.by_file.get(path, ()), key=lambda f: (f.path, order(f)))
        unit.dependencies = tuple(name for name in report.dependencies.get(path, ()) if name != path)
        unit.roots = report.roots.get(path, ())
    return list(units.values())


def _in_cell(error: FileError, cells: tuple[Cell, ...]) -> FileError:
    """A syntax error of a notebook names its cell, as those that its reading found do."""
    if not cells or error.kind != "syntax":
        return error
    return replace(error, line=1, message=f"cell {locate(cells, error.line)[0]}: {error.message}")


def _readable(path: str, task: Task, overrides: Mapping[str, bytes]) -> Readable | FileError:
    raw = overrides[path] if path in overrides else read_bytes(path, task.max_file_size)
    return raw if isinstance(raw, FileError) else read_text(path, raw)


def _run(
    files: Sequence[str],
    task: Task,
    sources: Mapping[str, str],
    progress: Progress | None,
    session: Parts | None,
) -> Report:
    """The analyzer's report. A defect in the analyzer costs the file that shows it, not the run."""
    if not files:
        return Report()
    try:
        run = analyze if session is None else session.analyze
        return run(files, task.options, sources, progress, task.around)
    except Exception as error:
        if len(files) == 1:
            return Report(errors=[FileError(files[0], 1, "internal", describe(error))])
    whole = Report()
    half = len(files) // 2
    for part in (files[:half], files[half:]):
        report = _run(part, task, sources, progress, session)
        whole.by_file.update(report.by_file)
        whole.errors += report.errors
        whole.dependencies.update(report.dependencies)
        whole.roots.update(report.roots)
    return whole


def describe(error: BaseException) -> str:
    """One line about an unexpected exception: what, and where in this program."""
    frames = traceback.extract_tb(error.__traceback__)
    where = f" ({frames[-1].filename.replace(chr(92), '/').rsplit('/', 1)[-1]}:{frames[-1].lineno})" if frames else ""
    text = " ".join(str(error).split())
    return f"internal error: {type(error).__name__}{': ' + text if text else ''}{where}"
