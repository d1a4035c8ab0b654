"""Breaks that were heard in a test, as findings: with the rule, its message and the marked source."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING

from analyzer.finding import Finding
from capture_lsp.check import Run, check
from capture_lsp.check_probe import Asked
from capture_lsp.config.settings import Resolver
from capture_lsp.formats import full
from capture_lsp.formats.probe.words import breaks_of, place, short
from capture_lsp.formats.style import Style
from capture_lsp.merge_probe import CONFIRMED, Scope, merge
from capture_lsp.probe.evidence import Evidence, Files
from capture_lsp.probe.functions import innermost
from capture_lsp.reading import text_of
from capture_lsp.results import RunResult

if TYPE_CHECKING:
    from runtime_probe.report import Entry

_BROKEN = ("graph_break", "skipped_frame")


def explained(entry: Entry, cwd: str) -> str:
    """The findings of an entry's breaks; each break in one line where there are none."""
    paths = {frame["path"] for frame in entry["frames"]} | {one["path"] for one in breaks_of(entry)}
    files = sorted(p for p in paths if os.path.isfile(p) and "site-packages" not in p and "dist-packages" not in p)
    result = _checked(entry, files, cwd)
    if result.finding_count():
        text = full.render(result, cwd, Style(colour=False)).rstrip("\n")
        return text.rpartition("\n")[0].rstrip("\n")  # the last line counts
    return "\n".join(
        f"{place(one['path'], one['line'], cwd, one['column'])}  {one['graph_break'] or 'graph break'}"
        f"  {short(one['reason'])}"
        for one in breaks_of(entry)
    )


def _checked(entry: Entry, paths: list[str], cwd: str) -> RunResult:
    """A check of the files in which the entry ran, with what was heard as its probe."""
    files = Files(paths, text_of)
    evidence = Evidence(entry, files, None)
    roots = [
        f"{path}::{function.name}"
        for frame in entry["frames"]
        if (path := files.checked(frame["path"])) is not None
        and (function := innermost(files.functions(path), frame["line"])) is not None
    ]
    resolver = Resolver(cwd, {}, None)
    settings = {path: resolver.for_folder(os.path.dirname(path)) for path in paths}
    settings = {p: replace(s, extra_roots=(*s.extra_roots, *dict.fromkeys(roots))) for p, s in settings.items()}

    def judged(findings: list[Finding], asked: Asked) -> list[Finding]:
        return merge(findings, [evidence], files, Scope([True], asked.known_ids))

    result = check(settings, Run(("dynamo",), jobs=1, probe=judged))
    for file in result.files:
        file.findings = [f for f in file.findings if _broke(f)]
    result.files = [file for file in result.files if file.findings]
    return result


def _broke(finding: Finding) -> bool:
    return finding.status.get("dynamo") == CONFIRMED and finding.outcomes.get("dynamo") in _BROKEN
