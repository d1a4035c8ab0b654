"""`capture-lsp check`."""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter
from collections.abc import Mapping
from typing import Any, TextIO

from analyzer.finding import FileError
from analyzer.suppress import is_reason
from capture_lsp.cache import Cache, default_folder, open_cache
from capture_lsp.check import Run, check
from capture_lsp.cli import CLEAN, FAILED, FOUND
from capture_lsp.cli.progress import progress_bar
from capture_lsp.config.files import absolute_root
from capture_lsp.config.schema import BY_NAME, SEVERITIES
from capture_lsp.config.settings import Resolver, Settings
from capture_lsp.discovery import discover
from capture_lsp.errors import UserError
from capture_lsp.formats import render
from capture_lsp.formats.concise import error_lines
from capture_lsp.formats.style import Style, style_for
from capture_lsp.paths import absolute
from capture_lsp.results import RunResult, by_cost

STDIN = "-"


def run(options: argparse.Namespace) -> int:
    """Check once, or again and again with --watch."""
    _verify(options)
    if options.watch:
        from capture_lsp.cli.watch import watch

        return watch(options)
    return check_once(options)[0]


def _verify(options: argparse.Namespace) -> None:
    stdin = STDIN in options.paths or options.stdin_filename is not None
    if stdin and set(options.paths) - {STDIN}:
        raise UserError("- and paths cannot be checked together")
    if options.watch and (stdin or options.fix or options.diff):
        raise UserError("--watch goes with neither standard input nor fixes")
    if options.fix and options.diff:
        raise UserError("--fix changes files, --diff only shows; give one of them")
    if options.probe and (stdin or options.watch or options.fix or options.diff):
        raise UserError("--probe goes with neither standard input nor --watch nor fixes")
    if options.measure and not options.probe:
        raise UserError("--measure runs the files: give --probe as well")
    if options.budget and not options.measure:
        raise UserError("--budget says how long to measure: give --measure as well")
    options.stdin = stdin
    _verify_known(options)
    if options.compare:
        from capture_lsp.cli.preview_output import verify_releases

        verify_releases(options.target_torch or ())
        if options.exit_severity is not None or options.max_warnings is not None:
            raise UserError("--compare counts what is worse: it goes with neither --exit-severity nor --max-warnings")
    if not options.compare and len(options.target_torch or ()) > 1:
        raise UserError("one --target-torch; --compare compares several")
    if options.compare and (stdin or options.watch or options.fix or options.diff or options.probe):
        raise UserError("--compare goes with neither standard input nor --watch, --probe nor fixes")


def _verify_known(options: argparse.Namespace) -> None:
    ways = [name for name in ("baseline", "write_baseline", "diff_base") if getattr(options, name) is not None]
    if len(ways) > 1:
        raise UserError("give one of --baseline, --write-baseline and --diff-base")
    if ways and (options.stdin or options.fix or options.diff or options.compare):
        name = ways[0].replace("_", "-")
        raise UserError(f"--{name} goes with neither standard input nor --compare nor fixes")
    if options.write_baseline is not None and options.add_ignores:
        raise UserError("--add-ignores and --write-baseline both make what is found known; give one of them")
    if options.output_file is not None and (options.write_baseline is not None or options.add_ignores):
        raise UserError("--output-file is for findings; --write-baseline and --add-ignores show none")
    if options.prune and options.baseline is None:
        raise UserError("--prune is for a --baseline")
    if options.reason is not None and not options.add_ignores:
        raise UserError("--reason is for --add-ignores")
    if options.reason is not None and not is_reason(options.reason):
        raise UserError("--reason is text on one line, without # (but #123 is understood)")
    writes = options.write_baseline is not None or options.add_ignores
    if writes and (options.stdin or options.watch or options.fix or options.diff or options.compare):
        name = "--add-ignores" if options.add_ignores else "--write-baseline"
        raise UserError(f"{name} goes with neither standard input nor --watch, --compare nor fixes")


def check_once(options: argparse.Namespace) -> tuple[int, RunResult, Resolver]:
    """One check, printed; with the exit status."""
    cwd = os.getcwd()
    resolver = Resolver(cwd, _overrides(options, cwd), options.config)
    files, errors, contents = _inputs(options, resolver)
    if options.root:
        from capture_lsp.named_roots import verify

        verify(options.root, cwd, files, contents)
    top = resolver.for_folder(os.path.dirname(next(iter(files))) if len(files) == 1 else cwd)
    cache = _cache(options, top)
    bar = progress_bar(sys.stderr, quiet=options.quiet)
    prober = None
    if options.probe:
        from capture_lsp.check_probe import Prober
        from capture_lsp.cli.probe_command import client_for

        jobs = 1 if options.measure else options.jobs or 1  # what runs beside it disturbs what is measured
        prober = Prober(cwd, lambda settings: client_for(settings, cwd, jobs), told=bar.tell)
        prober.seconds = options.timeout or prober.seconds
        if options.measure:
            from capture_lsp.probe.budget import BUDGET
            from capture_lsp.probe.measuring import Measuring

            prober.measuring = Measuring(budget=options.budget or BUDGET, kernels=False)
    work = Run(
        frontends=tuple(dict.fromkeys(options.frontend or ())),
        jobs=options.jobs,
        cache=cache,
        progress=bar.start,
        overrides=contents,
        probe=prober,
    )
    try:
        if options.fix or options.diff:
            from capture_lsp.cli.fix_output import fix

            result = fix(files, work, options, cwd)
        elif options.compare:
            return _compare(options, work, cwd)
        else:
            result = check(files, work)
            if options.diff_base is not None:
                from capture_lsp.cli.known_findings import against_commit

                result = against_commit(result, options, work, files, resolver)
    finally:
        bar.finish()
        if cache is not None:
            cache.close()
    result.errors += errors
    if prober is not None:
        from capture_lsp.merge_probe import refuted

        result.errors += prober.errors
        result.notes += prober.notes
        if options.measure:
            result.files = by_cost(result.files)
        result.refuted = [f for file in result.files for f in file.findings if refuted(f)]
    if options.baseline is not None:
        from capture_lsp.cli.known_findings import against_baseline

        result = against_baseline(result, options, work, files, cwd)
    if not options.quiet:
        for note in result.notes:
            print(f"note: {note}", file=sys.stderr)
    if options.write_baseline is not None:
        from capture_lsp.cli.known_findings import write_baseline

        write_baseline(result, options, work, cwd)
        return _failed(result, cwd), result, resolver
    if options.add_ignores:
        from capture_lsp.cli.ignores_output import write_ignores

        return max(write_ignores(result, files, options), _failed(result, cwd)), result, resolver
    _print(result, options, top, cwd)
    return _status(result, options), result, resolver


def _compare(options: argparse.Namespace, work: Run, cwd: str) -> tuple[int, RunResult, Resolver]:
    """The checks under several torch releases, compared and printed."""
    from capture_lsp.cli import preview_output

    resolver = Resolver(cwd, _overrides(options, cwd), options.config)
    settings = resolver.for_folder(cwd)
    notes: dict[str, None] = {}

    def checked(version: tuple[int, int]) -> RunResult:
        under = Resolver(cwd, {**_overrides(options, cwd), "target-torch": version}, options.config)
        found = discover(options.paths or ["."], under)
        result = check(found.files, work)
        result.errors += found.errors
        notes.update(dict.fromkeys(result.notes))
        return result

    style = style_for(sys.stdout, options.color)
    text, status, result = preview_output.run(options, checked, settings.output_format, cwd, style)
    if not options.quiet:
        for note in notes:
            print(f"note: {note}", file=sys.stderr)
    for line in error_lines(result.all_errors(), cwd, style_for(sys.stderr, options.color)):
        print(line, file=sys.stderr)
    _write(text, options, cwd, sys.stdout)
    return status, result, resolver


def _failed(result: RunResult, cwd: str) -> int:
    """Say on standard error what could not be checked; the exit status."""
    errors = result.all_errors()
    for line in error_lines(errors, cwd, style_for(sys.stderr)):
        print(line, file=sys.stderr)
    return FAILED if errors else CLEAN


def _overrides(options: argparse.Namespace, cwd: str) -> dict[str, Any]:
    """The settings that the command line gives, by key."""
    given = {
        "select": options.select,
        "extend-select": options.extend_select,
        "ignore": options.ignore,
        "per-file-ignores": options.per_file_ignores,
        "roots": options.roots,
        "extra-roots": options.root and tuple(absolute_root(root, cwd) for root in options.root),
        "target-torch": options.target_torch[0] if options.target_torch else None,
        "python": options.python and absolute(options.python, cwd),
        "exclude": options.exclude,
        "extend-exclude": options.extend_exclude,
        "force-exclude": options.force_exclude,
        "respect-gitignore": None if options.no_gitignore is None else False,
        "unsafe-fixes": options.unsafe_fixes,
        "output-format": options.output_format,
        "cache-dir": options.cache_dir and absolute(options.cache_dir, cwd),
    }
    assert set(given) <= set(BY_NAME)
    return {name: tuple(v) if isinstance(v, list) else v for name, v in given.items() if v is not None}


def _inputs(
    options: argparse.Namespace, resolver: Resolver
) -> tuple[Mapping[str, Settings], list[FileError], dict[str, bytes]]:
    if options.stdin:
        path = absolute(options.stdin_filename or "<stdin>", resolver.cwd)
        settings = resolver.for_folder(os.path.dirname(path))
        return {path: settings}, [], {path: sys.stdin.buffer.read()}
    found = discover(options.paths or ["."], resolver)
    return found.files, found.errors, {}


def _cache(options: argparse.Namespace, settings: Settings) -> Cache | None:
    if options.no_cache:
        return None
    return open_cache(settings.cache_dir or default_folder())


def _print(result: RunResult, options: argparse.Namespace, settings: Settings, cwd: str) -> None:
    form = settings.output_format
    stream = sys.stdout if not (options.stdin and options.fix) and not options.diff else sys.stderr
    if options.output_file is not None:
        style = Style(colour=options.color == "always")
    else:
        style = style_for(stream, options.color)
    _write(render(result, form, cwd, style, options.statistics), options, cwd, stream)


def _write(text: str, options: argparse.Namespace, cwd: str, stream: TextIO) -> None:
    """Write to --output-file, else to a stream."""
    if options.output_file is None:
        stream.write(text)
        stream.flush()
        return
    from capture_lsp.textfile import write_atomically

    try:
        write_atomically(absolute(options.output_file, cwd), text.encode("utf-8", "backslashreplace"))
    except OSError as error:
        raise UserError(f"{options.output_file}: {error.strerror or error}") from None


def _status(result: RunResult, options: argparse.Namespace) -> int:
    if result.all_errors():
        return FAILED
    if options.exit_zero or not _counts(result, options):
        return CLEAN
    return FOUND


def _counts(result: RunResult, options: argparse.Namespace) -> bool:
    """Whether what was found is enough for an exit status of 1."""
    levels = SEVERITIES[: SEVERITIES.index(options.exit_severity or "hint") + 1]
    found = Counter(f.severity for file in result.shown().files for f in file.findings if f.severity in levels)
    if options.max_warnings is None:
        return bool(found)
    return bool(found["error"]) or found["warning"] > options.max_warnings
