"""Everything that the page shows, from a check, a probe, a baseline and the runs before."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from analyzer.finding import FileError
from analyzer.finding import Finding as Found
from analyzer.outcome import FRONTENDS, RANK
from capture_lsp import __version__
from capture_lsp.baseline.fingerprint import Sources as Fingerprints
from capture_lsp.formats.full import FRONTEND_NAMES, OUTCOME_WORDS
from capture_lsp.formats.identity import Identities
from capture_lsp.merge_probe import refuted
from capture_lsp.project_report import data, history
from capture_lsp.project_report.entries import Entries
from capture_lsp.project_report.findings import Findings
from capture_lsp.project_report.probing import ProjectProber
from capture_lsp.project_report.sources import Sources
from capture_lsp.project_report.summary import row, summary
from capture_lsp.results import Known, RunResult
from capture_lsp.torch_versions import text as version_text


@dataclass(frozen=True)
class Ran:
    """What was run. `result`: all findings, known ones among them; `new`: the result without what the baseline knows,
    where there is one; `prober`: where something was probed; `before`: the rows of the history."""

    cwd: str
    date: str
    commit: str
    result: RunResult
    new: RunResult | None = None
    prober: ProjectProber | None = None
    before: Sequence[data.Row] = ()
    with_history: bool = False
    notes: Sequence[str] = field(default_factory=list)


def collect(ran: Ran) -> tuple[data.Data, data.Row]:
    """The data of the page, and the row of this run."""
    result, prober = ran.result, ran.prober
    sources = Sources([file.path for file in result.files], ran.cwd)
    known = ran.new.known if ran.new is not None else None
    compared = known is not None
    ids = {id(f) for f in known.findings} if known is not None else set()
    found = [f for file in result.files for f in file.findings]
    findings = Findings(sources, Identities(Fingerprints({}, ran.cwd)), compared, ids).of(result)
    entries = _entries(prober, sources) if prober is not None else None
    captured = Counter(entry["captured"] for entry in entries or ())
    shown = [f for f in found if not refuted(f)]
    probed = [entry for entry, _ in prober.entries] if prober is not None else None
    torch = _torch(prober) or version_text(result.torch)
    this = row(ran.date, ran.commit, torch, shown, probed, captured)
    return {
        "version": data.VERSION,
        "project": os.path.basename(ran.cwd),
        "date": ran.date,
        "commit": ran.commit,
        "made_by": f"capture-lsp {__version__}",
        "torch": version_text(result.torch),
        "probed": [f"torch {report['torch']} ({report['device']})" for report in prober.reports] if prober else [],
        "measured": prober is not None and prober.measuring is not None,
        "summary": summary(len(result.files), found, findings, entries, known),
        "findings": findings,
        "gone": _gone(known, sources) if known is not None else [],
        "problems": [_problem(error, sources) for error in result.all_errors()],
        "entries": entries or [],
        "history": [*ran.before, this][-history.MOST_ROWS :] if ran.with_history else [],
        "outcome_words": {outcome: OUTCOME_WORDS[outcome] for outcome in RANK},
        "frontend_names": {name: FRONTEND_NAMES.get(name, name) for name in FRONTENDS},
        "sources": sources.shown(),
        "notes": [sources.steady(note) for note in ran.notes],
    }, this


def _entries(prober: ProjectProber, sources: Sources) -> list[data.Entry]:
    made = Entries(sources)
    return [made.of(entry, report["torch"]) for entry, report in prober.entries]


def _torch(prober: ProjectProber | None) -> str:
    """The releases that probed, without what they were built for."""
    reports = prober.reports if prober is not None else []
    return ", ".join(dict.fromkeys(report["torch"].partition("+")[0] for report in reports))


def _gone(known: Known, sources: Sources) -> list[data.Gone]:
    return [
        {
            "code": gone.code,
            "path": sources.name(known.gone_path(gone)),
            "function": gone.function,
            "expression": gone.expression,
        }
        for gone in known.gone
    ]


def _problem(error: FileError, sources: Sources) -> data.Problem:
    return {
        "at": sources.place(error.path, error.line),
        "kind": error.kind,
        "message": sources.steady(error.message),
    }


def failing(ran: Ran) -> list[Found]:
    """What counts for the exit status: neither known nor refuted."""
    left = ran.new if ran.new is not None else ran.result
    return [f for file in left.shown().files for f in file.findings]
