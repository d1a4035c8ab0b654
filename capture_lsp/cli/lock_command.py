"""`capture-lsp lock`."""

from __future__ import annotations

import argparse
import json
import os
import sys
from typing import TYPE_CHECKING, Any

from capture_lsp.cli import CLEAN, FAILED, FOUND
from capture_lsp.cli.arguments import PROBED_FRONTENDS
from capture_lsp.cli.probe_command import Shown, client_for, python_setting
from capture_lsp.cli.progress import ProgressBar, progress_bar
from capture_lsp.config.settings import Resolver
from capture_lsp.errors import UserError
from capture_lsp.formats.style import counted, printable
from capture_lsp.lock import lockfile
from capture_lsp.lock.comparison import Compared, compare, still_worse
from capture_lsp.lock.portable import portable
from capture_lsp.lock.recording import cut_short, record, release_of
from capture_lsp.lock.records import Entries, Lock, Locked
from capture_lsp.options import search_paths
from capture_lsp.paths import display
from capture_lsp.probe.everything import everything
from capture_lsp.probe.run import Told
from capture_lsp.probe.run import run as probe
from capture_lsp.probe.sweep import sweep
from capture_lsp.probe.targets import Target, Work, parse
from capture_lsp.reading import text_of

if TYPE_CHECKING:
    from runtime_probe.report import Report


def run(options: argparse.Namespace) -> int:
    """Record or compare, once for each interpreter."""
    if (options.inputs or options.init) and len(options.targets) != 1:
        raise UserError("--inputs and --init are those of one target: name it")
    if options.all and options.targets:
        raise UserError("--all takes no targets")
    statuses = [_Locking(options, python).status() for python in options.python or [None]]
    return max(statuses)


class _Locking:
    """One interpreter's part of the work."""

    def __init__(self, options: argparse.Namespace, python: str | None) -> None:
        self._options = options
        self._cwd = os.getcwd()
        overrides = {} if python is None else {"python": python_setting(python, self._cwd)}
        self._resolver = Resolver(self._cwd, overrides, options.config)
        self._given = [
            lockfile.named(parse(text, self._cwd, options.inputs or (), options.init)) for text in options.targets
        ]
        first = os.path.dirname(self._given[0].path) if self._given else self._cwd
        self._settings = self._resolver.for_folder(first)
        self._root = self._settings.base
        self._path = lockfile.path_in(self._root, options.lock_file, self._cwd)
        self._work = Work(parts=_parts(options), seconds=options.timeout or Work.seconds)
        self._bar: ProgressBar = progress_bar(sys.stderr, quiet=options.quiet)

    def status(self) -> int:
        """Do it; the exit status."""
        lock = lockfile.read(self._path)
        if lock is None and self._options.check:
            raise UserError(f"{self._shown}: no such file; `capture-lsp lock` writes it")
        known = lock or Lock()
        jobs = self._options.jobs or os.cpu_count() or 1
        with client_for(self._settings, self._cwd, jobs) as client:
            try:
                self._bar.tell(f"starting {client.python}")
                release = release_of(client.start().torch)
                if self._options.check and release not in known.torch:
                    recorded = ", ".join(sorted(known.torch)) or "none"
                    self._note(f"nothing is recorded for torch {release} (recorded: {recorded}); nothing is compared")
                    return CLEAN
                targets, report = self._probed(client, known)
                rows = [lockfile.row_of(target, self._root) for target in targets]
                entries = record(report, self._root, text_of)
                if not self._options.check:
                    return self._write(known, rows, release, entries, report)
                failed = self._unfinished(report)
                before = self._recorded(known, rows, release)
                before = {n: e for n, e in before.items() if n in entries or not failed.intersection(_named(e))}
                compared = compare(before, entries)
                if compared.worse:
                    compared = self._confirmed(client, targets, compared, known, rows, release)
            finally:
                self._bar.finish()
        self._tell(compared, release, failed)
        if self._failures(report, "cannot be compared"):
            return FAILED
        return FOUND if compared.worse else CLEAN

    @property
    def _shown(self) -> str:
        return display(self._path, self._cwd)

    # probing

    def _probed(self, client: Any, known: Lock) -> tuple[list[Target], Report]:
        """The targets and what came of them."""
        targets = self._given or [lockfile.target_of(row, self._root) for row in known.targets]
        if targets and not self._options.all:
            return targets, self._run(client, targets)
        found = everything([self._root], self._resolver)
        extra = {path: search_paths(settings) for path, settings in found.settings.items()}
        report = sweep(client, found, self._work, extra, self._told)
        texts = {entry["target"] for entry in report["entries"]}
        targets = [target for target in (*found.files, *found.rest(report["entries"])) if target.text in texts]
        targets += [
            lockfile.named(parse(text, self._cwd)) for text in sorted(texts - {target.text for target in targets})
        ]
        if not targets:
            raise UserError(f"nothing is captured in {display(self._root, self._cwd)}: name targets")
        return targets, report

    def _run(self, client: Any, targets: list[Target]) -> Report:
        extra = {t.path: search_paths(self._resolver.for_folder(os.path.dirname(t.path))) for t in targets}
        return probe(client, targets, self._work, extra, self._told(targets))

    def _told(self, targets: list[Target]) -> Told:
        return Shown(self._bar, targets).told

    def _confirmed(
        self,
        client: Any,
        targets: list[Target],
        first: Compared,
        known: Lock,
        rows: list[dict[str, Any]],
        release: str,
    ) -> Compared:
        """What is worse is probed a second time; what does not show again was chance."""
        again = {name.partition("::")[0] for name in first.worse}
        chosen = [t for t, row in zip(targets, rows) if row["target"].partition("::")[0] in again]
        entries = record(self._run(client, chosen), self._root, text_of)
        some = [lockfile.row_of(target, self._root) for target in chosen]
        return still_worse(first, compare(self._recorded(known, some, release), entries))

    def _recorded(self, known: Lock, rows: list[dict[str, Any]], release: str) -> Entries:
        if self._options.all:
            return known.torch[release]
        return lockfile.of_targets(known.torch[release], rows)

    # what is told

    def _write(self, known: Lock, rows: list[dict[str, Any]], release: str, entries: Entries, report: Report) -> int:
        failed = self._failures(report, "not recorded")
        told = {entry["target"] for entry in report["entries"] if entry["status"] != "ok"}
        short = {portable(target.partition("::")[0], self._root) for target in cut_short(report)}
        for target, why in cut_short(report).items():
            failed = True
            if target not in told:
                shown = printable(display(target, self._cwd))
                print(f"error: {shown}: not recorded: {printable(why)}", file=sys.stderr)
        entries = {n: e for n, e in entries.items() if e.target.partition("::")[0] not in short}
        kept = [row for row in rows if row["target"] in {entry.target for entry in entries.values()}]
        whole = not self._given and not failed
        lockfile.write(self._path, lockfile.recorded_with(known, kept, release, entries, whole))
        if not self._options.quiet:
            print(f"{self._shown}: {counted(len(entries), 'captured object')} recorded for torch {release}")
        return FAILED if failed else CLEAN

    def _unfinished(self, report: Report) -> set[str]:
        """The targets, and the files, that were not probed to their end."""
        paths = [entry["target"] for entry in report["entries"] if entry["status"] != "ok"]
        paths += [error["path"] for error in report["errors"]]
        split = [path.partition("::") for path in paths]
        return {portable(path, self._root) + separator + name for path, separator, name in split}

    def _failures(self, report: Report, what: str) -> bool:
        for error in report["errors"]:
            print(f"error: {printable(display(error['path'], self._cwd))}: {error['message']}", file=sys.stderr)
        bad = [entry for entry in report["entries"] if entry["status"] != "ok"]
        for entry in bad:
            shown = printable(display(entry["target"], self._cwd))
            print(f"error: {shown}: {what}: {printable(entry['message'] or entry['status'])}", file=sys.stderr)
        return bool(bad or report["errors"])

    def _note(self, text: str) -> None:
        self._bar.finish()
        print(f"note: {text}", file=sys.stderr)

    def _tell(self, compared: Compared, release: str, failed: set[str]) -> None:
        if self._options.output_format == "json":
            document = {"version": 1, "torch": release, "worse": compared.worse, "better": compared.better}
            document.update(other=compared.other, failed=sorted(failed))
            sys.stdout.write(json.dumps(document, indent=1, ensure_ascii=False) + "\n")
            return
        for word, found in (("worse", compared.worse), ("better", compared.better), ("note", compared.other)):
            if word == "note" and self._options.quiet:
                continue
            for name, texts in sorted(found.items()):
                for text in texts:
                    print(f"{word}: {printable(name)}: {printable(text)}")
        if not compared.worse and not failed:
            print(f"Nothing is worse than recorded for torch {release}.")
        if compared.better and not compared.worse and not failed:
            print("`capture-lsp lock` records what is better.")


def _named(entry: Locked) -> tuple[str, str]:
    """An entry's target, and its file."""
    return entry.target, entry.target.partition("::")[0]


def _parts(options: argparse.Namespace) -> tuple[str, ...]:
    chosen = options.frontend or PROBED_FRONTENDS
    parts = ["dynamo", *(name for name in PROBED_FRONTENDS[1:] if name in chosen)]
    return (*parts, "perturb") if options.perturb else tuple(parts)
