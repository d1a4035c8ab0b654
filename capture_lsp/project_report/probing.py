"""The probe of a whole project, once: its entries for the page, and what they say of the findings."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from analyzer.finding import FileError, Finding
from capture_lsp.check_probe import Asked, by_interpreter, judges_dynamo
from capture_lsp.config.settings import Settings
from capture_lsp.merge_probe import Scope, merge
from capture_lsp.options import search_paths
from capture_lsp.paths import display
from capture_lsp.probe.client import Client, Unavailable
from capture_lsp.probe.everything import Everything, of_analysis, target_of
from capture_lsp.probe.evidence import Evidence, Files
from capture_lsp.probe.fixes import by_target
from capture_lsp.probe.kept import KeptResults
from capture_lsp.probe.measuring import Measuring
from capture_lsp.probe.sweep import Announced, sweep
from capture_lsp.probe.targets import Work
from capture_lsp.reading import text_of

if TYPE_CHECKING:
    from runtime_probe.report import Entry, Report

#: Where results of earlier runs are, for this work; None where they are not to be used.
KeptFor = Callable[[Settings, Work, Everything], "KeptResults | None"]


@dataclass
class ProjectProber:
    """What a check asks about its findings: everything that the project captures is probed, as by `probe --all`, and
    the roots of findings that this leaves out.

    `reports`: one for each interpreter; `notes`: what could not be probed; `errors`: what kept the probe from running.
    """

    cwd: str
    client_for: Callable[[Settings], Client]
    work: Work
    measuring: Measuring | None
    announced: Announced
    kept_for: KeptFor
    starting: Callable[[str], None] = lambda _: None
    reports: list[Report] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    errors: list[FileError] = field(default_factory=list)

    def __call__(self, findings: list[Finding], asked: Asked) -> list[Finding]:
        """The findings with their status, and those that only the probe found."""
        files = Files(asked.files, text_of)
        evidences: list[Evidence] = []
        for paths in by_interpreter(asked.files):
            settings = {path: asked.files[path] for path in paths if path.endswith(".py")}
            labels = [root for finding in findings for root in finding.roots]
            found = of_analysis(asked.units, settings, labels)
            if not found.files and not found.labels:
                continue
            try:
                report = self._report(asked.files[paths[0]], found, findings)
            except Unavailable as error:
                self.errors.append(FileError(paths[0], 1, "probe", str(error)))
                continue
            self.reports.append(report)
            named = {target.text: label for label in found.labels if (target := target_of(label)) is not None}
            evidences += [Evidence(entry, files, named.get(entry["target"])) for entry in report["entries"]]
        judged = [judges_dynamo(evidence, findings, asked) for evidence in evidences]
        return merge(findings, evidences, files, Scope(judged, asked.known_ids))

    @property
    def entries(self) -> list[tuple[Entry, Report]]:
        """All of them, with the report that they are of."""
        return [(entry, report) for report in self.reports for entry in report["entries"]]

    def _report(self, settings: Settings, found: Everything, findings: Sequence[Finding]) -> Report:
        work = self.work
        if self.measuring is not None:
            paths = dict.fromkeys([*(t.path for t in found.files), *(_path_of(label) for label in found.labels)])
            work = self.measuring.added_to(work, by_target(paths, findings, text_of))
        kept = self.kept_for(settings, work, found)
        extra = {path: search_paths(one) for path, one in found.settings.items()}
        with self.client_for(settings) as client:
            self.starting(client.python)
            report = sweep(client, found, work, extra, self.announced, kept)
            self.notes += client.notes
        self.notes += [f"{display(error['path'], self.cwd)}: {error['message']}" for error in report["errors"]]
        self.notes += [
            f"{display(entry['target'], self.cwd)}: not probed to the end: {entry['message']}"
            for entry in report["entries"]
            if entry["status"] != "ok"
        ]
        if kept is not None and kept.used:
            self.notes.append(f"{kept.used} of the targets were probed before; --no-cache probes them again")
        return report


def _path_of(label: str) -> str:
    return os.path.normpath(label.partition("::")[0])
