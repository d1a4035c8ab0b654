"""`capture-lsp probe`."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from typing import TYPE_CHECKING

from capture_lsp.cli import CLEAN, FAILED, FOUND
from capture_lsp.cli.parser import PROBED_FRONTENDS
from capture_lsp.cli.progress import ProgressBar, progress_bar
from capture_lsp.config.settings import Resolver, Settings
from capture_lsp.errors import UserError
from capture_lsp.formats.probe import render
from capture_lsp.formats.probe.words import is_bad
from capture_lsp.formats.style import Style, printable, style_for
from capture_lsp.interpreter import executable, find_environment
from capture_lsp.options import search_paths
from capture_lsp.paths import absolute
from capture_lsp.probe.client import Client, Unavailable
from capture_lsp.probe.injection import injected
from capture_lsp.probe.measuring import BUDGET, Measuring
from capture_lsp.probe.run import run as probe
from capture_lsp.probe.targets import Target, Work, batch, parse
from capture_lsp.reading import text_of
from capture_lsp.textfile import write_atomically

if TYPE_CHECKING:
    from runtime_probe.report import Entry, Report

GIB = 1 << 30


def run(options: argparse.Namespace) -> int:
    """Probe the targets and print the report."""
    cwd = os.getcwd()
    targets = _targets(options, cwd)
    overrides = {"python": python_setting(options.python, cwd), "output-format": options.output_format}
    resolver = Resolver(cwd, {k: v for k, v in overrides.items() if v is not None}, options.config)
    settings = {target.path: resolver.for_folder(os.path.dirname(target.path)) for target in targets}
    first = settings[targets[0].path]
    work = _work(options, targets, settings)
    bar = progress_bar(sys.stderr, quiet=options.quiet)
    jobs = (
        1 if work.part_seconds else options.jobs or os.cpu_count() or 1
    )  # what runs beside it disturbs what is measured
    with client_for(first, cwd, jobs) as client:
        try:
            bar.tell(f"starting {client.python}")
            extra = {path: search_paths(found) for path, found in settings.items()}
            report = probe(client, targets, work, extra, Shown(bar, targets).told)
        finally:
            bar.finish()
        if not options.quiet:
            for note in client.notes:
                print(f"note: {printable(note)}", file=sys.stderr)
    _write(report, first.output_format, options, cwd)
    return status(report, options.frontend or ())


def _targets(options: argparse.Namespace, cwd: str) -> list[Target]:
    targets = [parse(text, cwd, options.inputs or (), options.init) for text in options.targets]
    if options.batch == "-":
        targets += batch(sys.stdin, cwd, "standard input")
    elif options.batch is not None:
        try:
            with open(absolute(options.batch, cwd), encoding="utf-8") as lines:
                targets += batch(lines, cwd, options.batch)
        except (OSError, UnicodeDecodeError) as error:
            raise UserError(f"{options.batch}: {getattr(error, 'strerror', None) or error}") from None
    if not targets:
        raise UserError("nothing to probe: name FILE or FILE::ENTRY, or give --batch")
    return targets


def python_setting(given: str | None, cwd: str) -> str | None:
    """--python as a path; the name of a command is looked up."""
    if given is None:
        return None
    if not os.path.dirname(given) and not os.path.exists(absolute(given, cwd)):
        return shutil.which(given) or absolute(given, cwd)
    return absolute(given, cwd)


def client_for(settings: Settings, cwd: str, jobs: int = 1) -> Client:
    """The client for a project's interpreter, not yet started. Raises Unavailable where there is none."""
    environment = find_environment(settings.base, settings.python)
    python = executable(environment.python) if environment.python else None
    if python is None:
        named = environment.python or "no Python"
        missing = "no interpreter there" if environment.python else "found"
        raise Unavailable(f"{named}: {missing}; name one that has torch with --python")
    return Client(python, injected(settings.cache_dir), environment.origin, cwd, jobs)


def _work(options: argparse.Namespace, targets: list[Target], settings: dict[str, Settings]) -> Work:
    chosen = options.frontend or PROBED_FRONTENDS
    parts = ["dynamo"]
    if not options.no_matrix:
        parts += [name for name in PROBED_FRONTENDS[1:] if name in chosen]
    deep = options.batch is None  # a batch asks for verdicts; the rest takes most of the time
    if options.perturb if options.perturb is not None else deep and not options.no_matrix:
        parts.append("perturb")
    if options.paths if options.paths is not None else deep:
        parts.append("paths")
    work = Work(
        parts=tuple(parts),
        seconds=options.timeout or Work.seconds,
        memory=int(options.memory * GIB) if options.memory else Work.memory,
        arguments=tuple(options.program_arguments),
        options={name: True for name in ("fake", "bytecode") if getattr(options, name)},
    )
    measuring = _measuring(options)
    if measuring is None:
        return work
    from capture_lsp.probe.findings import of_targets
    from capture_lsp.probe.fixes import by_target

    findings = of_targets(targets, settings) if measuring.times else []
    return measuring.added_to(work, by_target([target.path for target in targets], findings, text_of))


def _measuring(options: argparse.Namespace) -> Measuring | None:
    """What is measured; None where nothing is asked for."""
    asked = options.measure or options.settings
    if options.gpu and not options.measure:
        raise UserError("--gpu says for what kernels are generated: give --measure as well")
    if options.budget and not asked:
        raise UserError("--budget says how long to measure: give --measure or --settings as well")
    if options.fake and asked:
        raise UserError("--fake computes nothing: it cannot be measured")
    if not asked:
        return None
    times = options.measure
    return Measuring(times, times, options.settings, options.budget or BUDGET, options.gpu or "")


class Shown:
    """Tells the progress bar what goes on."""

    def __init__(self, bar: ProgressBar, targets: list[Target]) -> None:
        self._bar = bar
        self._targets = targets
        self._step = bar.start(len(targets), "targets")

    def told(self, number: int, part: str, entry: str) -> None:
        name = printable(self._targets[number].text)
        if part:
            self._bar.tell(f"{name}: {part}")
        elif self._step is not None:
            self._step(name)


def _write(report: Report, form: str, options: argparse.Namespace, cwd: str) -> None:
    if options.output_file is None:
        sys.stdout.write(render(report, form, cwd, style_for(sys.stdout, options.color)))
        sys.stdout.flush()
        return
    text = render(report, form, cwd, Style(colour=options.color == "always"))
    try:
        write_atomically(absolute(options.output_file, cwd), text.encode("utf-8", "backslashreplace"))
    except OSError as error:
        raise UserError(f"{options.output_file}: {error.strerror or error}") from None


def status(report: Report, frontends: tuple[str, ...]) -> int:
    """The exit status: what torch.compile did counts, and what the frontends did that were asked for by name."""
    if report["errors"] or any(entry["status"] != "ok" for entry in report["entries"]):
        return FAILED
    judged = frontends or ("dynamo",)
    if report["blind"] and any(_unknown(entry) for entry in report["entries"]):
        return FAILED
    return FOUND if any(_reports(entry, judged) for entry in report["entries"]) else CLEAN


def _unknown(entry: Entry) -> bool:
    return "dynamo" in entry["matrix"] and entry["matrix"]["dynamo"]["outcome"] == "unknown"


def _reports(entry: Entry, frontends: tuple[str, ...]) -> bool:
    if any(is_bad(entry["matrix"][name]["outcome"]) for name in frontends if name in entry["matrix"]):
        return True
    if "dynamo" not in frontends:
        return False
    broken = any(frame["breaks"] or frame["skipped"] for frame in entry["frames"])
    return broken or bool(entry["recompiles"]) or any(path["breaks"] for path in entry["paths"])
