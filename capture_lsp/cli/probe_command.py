"""`capture-lsp probe`."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from typing import TYPE_CHECKING

from capture_lsp.cli import CLEAN, FAILED, FOUND
from capture_lsp.cli.arguments import PROBED_FRONTENDS
from capture_lsp.cli.progress import ProgressBar, progress_bar
from capture_lsp.config.schema import FORMATS
from capture_lsp.config.settings import Resolver, Settings
from capture_lsp.errors import UserError
from capture_lsp.formats.probe import render
from capture_lsp.formats.probe.words import is_bad
from capture_lsp.formats.style import Style, printable, style_for
from capture_lsp.interpreter import executable, find_environment
from capture_lsp.options import search_paths
from capture_lsp.paths import absolute, display
from capture_lsp.probe.budget import BUDGET
from capture_lsp.probe.client import Client, Unavailable
from capture_lsp.probe.injection import injected
from capture_lsp.probe.measuring import Measuring
from capture_lsp.probe.run import run as probe
from capture_lsp.probe.targets import Target, Work, batch, parse
from capture_lsp.reading import text_of
from capture_lsp.textfile import write_atomically

if TYPE_CHECKING:
    from capture_lsp.probe.ray_executor import RayExecutor
    from runtime_probe.report import Entry, Report

GIB = 1 << 30


def run(options: argparse.Namespace) -> int:
    """Probe the targets, once for each interpreter, and print the report."""
    cwd = os.getcwd()
    _verify(options)
    targets = [] if options.all else _targets(options, cwd)
    probed = [_Probing(options, targets, python, cwd).report() for python in options.python or [None]]
    _write([report for report, _ in probed], report_form(probed[0][1], options.quiet), options, cwd)
    return max(status(report, options.frontend or ()) for report, _ in probed)


def report_form(settings: Settings, quiet: bool) -> str:
    """The format of the report; what is set for `check` alone is not used, and said."""
    form = settings.output_format
    if form in FORMATS:
        return form
    if not quiet:
        where = os.path.basename(settings.origins["output-format"])
        print(
            f"note: {where} sets output-format {form!r}, which is for findings: this is {FORMATS[0]!r}; "
            f"`capture-lsp check --probe` writes what a probe confirms as {form!r}",
            file=sys.stderr,
        )
    return FORMATS[0]


def _verify(options: argparse.Namespace) -> None:
    if options.all and (options.inputs or options.init or options.batch or any("::" in t for t in options.targets)):
        raise UserError("--all takes files and folders; the inputs are those that it finds")
    if options.all and options.program_arguments:
        raise UserError("--all runs many programs: none gets arguments")
    if options.executor == "ray" and (options.measure or options.settings):
        raise UserError("--executor ray probes side by side, which disturbs what --measure and --settings measure")


class _Probing:
    """The run of one interpreter."""

    def __init__(self, options: argparse.Namespace, targets: list[Target], python: str | None, cwd: str) -> None:
        self._options = options
        self._targets = targets
        self._cwd = cwd
        overrides = {"python": python_setting(python, cwd), "output-format": options.output_format}
        self._resolver = Resolver(cwd, {k: v for k, v in overrides.items() if v is not None}, options.config)
        self._settings = {t.path: self._resolver.for_folder(os.path.dirname(t.path)) for t in targets}
        self._first = self._settings[targets[0].path] if targets else self._resolver.for_folder(cwd)
        self._bar = progress_bar(sys.stderr, quiet=options.quiet)

    def report(self) -> tuple[Report, Settings]:
        """Probe everything; the report, and the settings of the first target."""
        work = _work(self._options, self._targets, self._settings)
        with self._executor(work) as executor:
            try:
                self._bar.tell(f"starting {executor.python}")
                report = self._swept(executor, work) if self._options.all else self._given(executor, work)
            finally:
                self._bar.finish()
            if not self._options.quiet:
                for note in executor.notes:
                    print(f"note: {printable(note)}", file=sys.stderr)
        return report, self._first

    def _executor(self, work: Work) -> Client | RayExecutor:
        given = self._options.jobs
        if self._options.executor == "ray":
            from capture_lsp.probe.ray_executor import RayExecutor

            return RayExecutor(interpreter_of(self._first)[0], self._cwd, self._first.cache_dir, given or 0)
        jobs = 1 if given is None else given or os.cpu_count() or 1
        # What runs beside it disturbs what is measured.
        return client_for(self._first, self._cwd, 1 if work.part_seconds else jobs)

    def _given(self, executor: Client | RayExecutor, work: Work) -> Report:
        extra = {path: search_paths(found) for path, found in self._settings.items()}
        return probe(executor, self._targets, work, extra, Shown(self._bar, self._targets).told)

    def _swept(self, executor: Client | RayExecutor, work: Work) -> Report:
        """All that files and folders capture; what an earlier run probed is not probed again."""
        from capture_lsp.cache import default_folder
        from capture_lsp.probe.everything import everything
        from capture_lsp.probe.injection import injected
        from capture_lsp.probe.kept import KeptResults
        from capture_lsp.probe.sweep import sweep

        found = everything(self._options.targets or ["."], self._resolver)
        kept = None
        if not self._options.no_cache:
            cache = self._first.cache_dir
            kept = KeptResults(cache or default_folder(), os.path.basename(injected(cache)), work, found.depends)
            kept.forget_old()
        extra = {path: search_paths(settings) for path, settings in found.settings.items()}
        report = sweep(executor, found, work, extra, lambda targets: Shown(self._bar, targets).told, kept)
        for entry in report["entries"]:
            entry["target"] = display(entry["target"], self._cwd)
        if kept is not None and kept.used:
            executor.notes.append(f"{kept.used} of the targets were probed before; --no-cache probes them again")
        return report


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
        raise UserError("nothing to probe: name FILE or FILE::ENTRY, or give --batch or --all")
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
    python, origin = interpreter_of(settings)
    return Client(python, injected(settings.cache_dir), origin, cwd, jobs)


def interpreter_of(settings: Settings) -> tuple[str, str]:
    """A project's interpreter, and how it was found. Raises Unavailable where there is none."""
    environment = find_environment(settings.base, settings.python)
    python = executable(environment.python) if environment.python else None
    if python is None:
        named = environment.python or "no Python"
        missing = "no interpreter there" if environment.python else "found"
        raise Unavailable(f"{named}: {missing}; name one that has torch with --python")
    return python, environment.origin


def _work(options: argparse.Namespace, targets: list[Target], settings: dict[str, Settings]) -> Work:
    chosen = options.frontend or PROBED_FRONTENDS
    parts = ["dynamo"]
    if not options.no_matrix:
        parts += [name for name in PROBED_FRONTENDS[1:] if name in chosen]
    deep = options.batch is None and not options.all  # a batch asks for verdicts; the rest takes most of the time
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


def _write(reports: list[Report], form: str, options: argparse.Namespace, cwd: str) -> None:
    if options.output_file is None:
        sys.stdout.write(_rendered(reports, form, cwd, style_for(sys.stdout, options.color)))
        sys.stdout.flush()
        return
    text = _rendered(reports, form, cwd, Style(colour=options.color == "always"))
    try:
        write_atomically(absolute(options.output_file, cwd), text.encode("utf-8", "backslashreplace"))
    except OSError as error:
        raise UserError(f"{options.output_file}: {error.strerror or error}") from None


def _rendered(reports: list[Report], form: str, cwd: str, style: Style) -> str:
    if len(reports) == 1:
        return render(reports[0], form, cwd, style)
    from capture_lsp.formats.probe import interpreters

    return interpreters.render(reports, form, cwd, style)


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
