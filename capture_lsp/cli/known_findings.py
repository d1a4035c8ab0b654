"""`check --baseline`, `--write-baseline` and `--diff-base`: what is known from before is not shown."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace

from capture_lsp.baseline import file as baseline_file
from capture_lsp.baseline.compare import Compared, compare, split
from capture_lsp.baseline.file import Baseline, judged_as
from capture_lsp.baseline.fingerprint import Sources
from capture_lsp.check import Run, check
from capture_lsp.config.settings import Resolver, Settings
from capture_lsp.discovery import excluded
from capture_lsp.formats.style import counted
from capture_lsp.options import enabled
from capture_lsp.paths import absolute, display, inside, relative
from capture_lsp.results import Known, RunResult
from capture_lsp.torch_versions import text as version_text

_LISTED = 20


def write_baseline(result: RunResult, options: argparse.Namespace, run: Run, cwd: str) -> None:
    """Write what a run found to --write-baseline."""
    path = absolute(options.write_baseline, cwd)
    shown = result.shown()
    findings = Sources(result.overrides, os.path.dirname(path)).of(shown)
    baseline_file.write(path, judged_as(result.torch, run.frontends, findings))
    if not options.quiet:
        print(f"Wrote {counted(len(findings), 'finding')} to {options.write_baseline}.", file=sys.stderr)


def against_baseline(
    result: RunResult, options: argparse.Namespace, run: Run, files: Mapping[str, Settings], cwd: str
) -> RunResult:
    """The run without what --baseline knows, told in notes; with --prune the file gets what is known as it is now."""
    baseline = baseline_file.read(absolute(options.baseline, cwd))
    shown, compared = without_known(result, baseline, options, run, files, cwd)
    notes: list[str] = []
    if options.prune:
        present = [f for f, known_as in zip(compared.fingerprints, compared.matched) if known_as is not None]
        path = absolute(options.baseline, cwd)
        baseline_file.write(path, replace(baseline, findings=(*present, *compared.kept)))
        if compared.gone:
            notes.append(
                f"took {counted(len(compared.gone), 'finding')} that no longer occur out of {options.baseline}"
            )
    elif shown.known is not None and compared.gone:
        notes += _gone(shown.known, cwd)
        notes.append(f"{len(compared.gone)} of {options.baseline} no longer occur: --prune takes them out")
    shown.notes += notes
    return shown


def without_known(
    result: RunResult,
    baseline: Baseline,
    options: argparse.Namespace,
    run: Run,
    files: Mapping[str, Settings],
    cwd: str,
) -> tuple[RunResult, Compared]:
    """The run without what the baseline of --baseline knows, and how they were compared."""
    path = absolute(options.baseline, cwd)
    folder = os.path.dirname(path)
    sources = Sources(result.overrides, folder)
    alike = baseline.torch == version_text(result.torch) and baseline.frontends == run.frontends
    looked_for = _looked_for(files, run) if alike else _nothing
    compared = compare(result, baseline.findings, sources, folder, looked_for, _covers(options, cwd))
    shown, known = split(result, compared.matched)
    shown.known = Known(relative(path, cwd), known, list(compared.gone), folder)
    shown.notes = list(result.notes)
    if not alike:
        judged = f"torch {baseline.torch} and {', '.join(baseline.frontends) or 'the frontends in use'}"
        shown.notes.append(f"{options.baseline} was written for {judged}: what no longer occurs is not told")
    return shown, compared


def _gone(known: Known, cwd: str) -> list[str]:
    rows = []
    for g in known.gone:
        place = "::".join(part for part in (display(known.gone_path(g), cwd), g.function) if part)
        rows.append(f"no longer found: {g.code} {g.expression} ({place})")
    return rows if len(rows) <= _LISTED else [*rows[:_LISTED], f"… and {len(rows) - _LISTED} more"]


def _nothing(code: str) -> bool:
    return False


def _covers(options: argparse.Namespace, cwd: str) -> Callable[[str], bool]:
    """Whether a path lies in what was given to be checked."""
    tops = [absolute(path, cwd) for path in options.paths or ["."]]
    return lambda path: any(inside(path, top) for top in tops)


def _looked_for(files: Mapping[str, Settings], run: Run) -> Callable[[str], bool]:
    """Whether a run would have found a code."""
    from analyzer.rules.cap599_unpredicted_graph_break import UnpredictedGraphBreak
    from capture_lsp.catalogue import entries

    on = {entry.code for entry in entries() if entry.default}
    for settings in dict.fromkeys(files.values()):
        chosen = enabled(settings)
        on &= chosen if chosen is not None else on
    if run.probe is None:
        on -= {UnpredictedGraphBreak.code}
    return lambda code: code in on


def against_commit(
    result: RunResult,
    options: argparse.Namespace,
    run: Run,
    files: Mapping[str, Settings],
    resolver: Resolver,
) -> RunResult:
    """The run with what stands on lines changed since --diff-base, or was caused by them, alone."""
    from capture_lsp.diff_base import find_base, since

    covers = _covers(options, resolver.cwd)

    def was_checked(path: str) -> Settings | None:
        if not covers(path):
            return None
        settings = resolver.for_folder(os.path.dirname(path))
        return None if excluded(path, settings) else settings

    base = find_base(options.diff_base, resolver.cwd, files, was_checked)
    then = check(base.files, replace(run, overrides=dict(base.overrides), probe=None))
    return since(base, result, then, resolver.cwd)
