"""`capture-lsp report`."""

from __future__ import annotations

import argparse
import datetime
import os
import sys
from collections.abc import Mapping
from typing import Any

from capture_lsp.cache import default_folder, open_cache
from capture_lsp.check import Run, check
from capture_lsp.cli import CLEAN, FAILED, FOUND
from capture_lsp.cli.arguments import PROBED_FRONTENDS
from capture_lsp.cli.probe_command import Shown, client_for, python_setting
from capture_lsp.cli.progress import ProgressBar, progress_bar
from capture_lsp.config.settings import Resolver, Settings
from capture_lsp.discovery import discover
from capture_lsp.errors import UserError
from capture_lsp.formats.concise import error_lines
from capture_lsp.formats.style import counted, style_for
from capture_lsp.git import head
from capture_lsp.merge_probe import refuted
from capture_lsp.pages import page
from capture_lsp.paths import absolute, display
from capture_lsp.project_report import data, history
from capture_lsp.project_report.collect import Ran, collect, failing
from capture_lsp.project_report.probing import ProjectProber
from capture_lsp.results import RunResult, by_cost
from capture_lsp.textfile import write_atomically

#: Parts that only some runs want, by their option.
_FURTHER = {"perturb": "perturb", "explore": "paths"}


def run(options: argparse.Namespace) -> int:
    """Check, probe, and write the page."""
    cwd = os.getcwd()
    target = _verify(options, cwd)
    page("report", {}, inline=True)  # a page that cannot be made is told before anything runs
    before = history.read(absolute(options.history, cwd)) if options.history is not None else []
    ran = _run(options, cwd, before)
    found, row = collect(ran)
    _write(target, found, options)
    if options.history is not None:
        history.append(absolute(options.history, cwd), before, row)
    if not options.quiet:
        for note in ran.notes:
            print(f"note: {note}", file=sys.stderr)
    errors = ran.result.all_errors()
    for line in error_lines(errors, cwd, style_for(sys.stderr)):
        print(line, file=sys.stderr)
    print(f"{display(target, cwd)}: {_told(found['summary'])}")
    if errors:
        return FAILED
    return FOUND if failing(ran) and not options.exit_zero else CLEAN


def _verify(options: argparse.Namespace, cwd: str) -> str:
    """The page's path."""
    for name in ("measure", "frontend", "perturb", "explore", "timeout"):
        if getattr(options, name) and not options.probe:
            shown = {"explore": "paths"}.get(name, name)
            raise UserError(f"--{shown} says how to probe: give --probe as well")
    if options.budget and not options.measure:
        raise UserError("--budget says how long to measure: give --measure as well")
    target = absolute(options.html, cwd)
    if os.path.isdir(target) or target.endswith((".py", ".ipynb")):
        raise UserError(f"--html takes the page's file, and {options.html} is none: put the paths before --html")
    if not os.path.isdir(os.path.dirname(target)):
        raise UserError(f"{options.html}: no such folder")
    return target


def _run(options: argparse.Namespace, cwd: str, before: list[data.Row]) -> Ran:
    resolver = Resolver(cwd, _overrides(options, cwd), options.config)
    found = discover(options.paths or ["."], resolver)
    top = resolver.for_folder(cwd)
    cache = None if options.no_cache else open_cache(top.cache_dir or default_folder())
    bar = progress_bar(sys.stderr, quiet=options.quiet)
    prober = _prober(options, cwd, bar) if options.probe else None
    work = Run(jobs=options.jobs, cache=cache, progress=bar.start, probe=prober)
    try:
        result = check(found.files, work)
    finally:
        bar.finish()
        if cache is not None:
            cache.close()
    result.errors += found.errors
    if prober is not None:
        result.errors += prober.errors
        result.notes += prober.notes
        result.refuted = [f for file in result.files for f in file.findings if refuted(f)]
        if prober.measuring is not None:
            result.files = by_cost(result.files)
    new = _compared(result, options, work, found.files, cwd)
    return Ran(
        cwd=cwd,
        date=options.date or datetime.date.today().isoformat(),
        commit=head(cwd) or "",
        result=result,
        new=new,
        prober=prober,
        before=before,
        with_history=options.history is not None,
        notes=(new or result).notes,
    )


def _compared(
    result: RunResult, options: argparse.Namespace, work: Run, files: Mapping[str, Settings], cwd: str
) -> RunResult | None:
    """The run without what --baseline knows."""
    if options.baseline is None:
        return None
    from capture_lsp.baseline.file import read
    from capture_lsp.cli.known_findings import without_known

    return without_known(result, read(absolute(options.baseline, cwd)), options, work, files, cwd)[0]


def _prober(options: argparse.Namespace, cwd: str, bar: ProgressBar) -> ProjectProber:
    from capture_lsp.probe.budget import BUDGET
    from capture_lsp.probe.everything import Everything
    from capture_lsp.probe.injection import injected
    from capture_lsp.probe.kept import KeptResults
    from capture_lsp.probe.measuring import Measuring
    from capture_lsp.probe.targets import Work

    chosen = options.frontend or PROBED_FRONTENDS
    parts = ["dynamo", *(name for name in PROBED_FRONTENDS[1:] if name in chosen)]
    parts += [part for option, part in _FURTHER.items() if getattr(options, option)]
    jobs = 1 if options.measure else options.jobs or 1  # what runs beside it disturbs what is measured

    def kept_for(settings: Settings, work: Work, found: Everything) -> KeptResults | None:
        if options.no_cache:
            return None
        cache = settings.cache_dir
        kept = KeptResults(cache or default_folder(), os.path.basename(injected(cache)), work, found.depends)
        kept.forget_old()
        return kept

    return ProjectProber(
        cwd,
        lambda settings: client_for(settings, cwd, jobs),
        Work(parts=tuple(parts), seconds=options.timeout or Work.seconds),
        Measuring(budget=options.budget or BUDGET) if options.measure else None,
        lambda targets: Shown(bar, targets).told,
        kept_for,
        lambda python: bar.tell(f"starting {python}"),
    )


def _overrides(options: argparse.Namespace, cwd: str) -> dict[str, Any]:
    given = {
        "roots": options.roots,
        "python": python_setting(options.python, cwd),
        "cache-dir": options.cache_dir and absolute(options.cache_dir, cwd),
    }
    return {name: value for name, value in given.items() if value is not None}


def _write(target: str, found: data.Data, options: argparse.Namespace) -> None:
    text = page("report", found, inline=True, title=f"{found['project']}: capture report")
    try:
        write_atomically(target, text.encode("utf-8", "backslashreplace"))
    except OSError as error:
        raise UserError(f"{options.html}: {error.strerror or error}") from None


def _told(found: data.Summary) -> str:
    """`12 findings (3 new), 31 files, 5 entries`"""
    new = f" ({found['new']} new)" if found["new"] is not None else ""
    parts = [f"{counted(found['findings'], 'finding')}{new}", counted(found["files"], "file")]
    if found["entries"] is not None:
        number = sum(one["count"] for one in found["entries"])
        parts.append(f"{number:,} {'entry' if number == 1 else 'entries'} probed")
    return ", ".join(parts)
