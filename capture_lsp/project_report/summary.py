"""The figures at the top of the page, and the run's line of the history."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from analyzer.finding import Finding as Found
from analyzer.outcome import BAD, FRONTENDS, RANK
from capture_lsp.formats.full import FRONTEND_NAMES, OUTCOME_WORDS
from capture_lsp.formats.probe.words import breaks_of
from capture_lsp.merge_probe import CONFIRMED, NOT_REACHED, PREDICTED, REFUTED
from capture_lsp.probe.frames import first_frames
from capture_lsp.project_report import data
from capture_lsp.project_report.entries import CAPTURED_WORDS
from capture_lsp.project_report.findings import status_words, worst
from capture_lsp.results import Known

if TYPE_CHECKING:
    from runtime_probe.report import Entry

_SEVERITIES = ("error", "warning", "info", "hint")


def summary(
    files: int,
    found: Sequence[Found],
    findings: Sequence[data.Finding],
    entries: Sequence[data.Entry] | None,
    known: Known | None,
) -> data.Summary:
    """`found` and `findings`: the same, in one order; `entries`: None without a probe; `known`: what a
    baseline holds."""
    left = [(f, one) for f, one in zip(found, findings) if one["status"] != REFUTED]
    shown = [one for _, one in left]
    columns = [name for name in FRONTENDS if any(name in f.in_use and f.outcomes.get(name) in BAD for f, _ in left)]
    table = _table([f for f, _ in left])
    severities = Counter(one["severity"] for one in shown)
    statuses = Counter(one["status"] for one in findings)
    captured = Counter(entry["captured"] for entry in entries or ())
    marks = Counter(one["mark"] for one in shown)
    return {
        "files": files,
        "findings": len(shown),
        "refuted": len(findings) - len(shown),
        "severities": [{"name": name, "count": severities[name]} for name in _SEVERITIES if severities[name]],
        "statuses": []
        if entries is None
        else [
            {"name": status_words(word), "count": statuses[word]}
            for word in (CONFIRMED, NOT_REACHED, PREDICTED, REFUTED)
            if statuses[word]
        ],
        "columns": [{"frontend": name, "name": FRONTEND_NAMES.get(name, name)} for name in columns],
        "outcomes": [
            {
                "outcome": outcome,
                "words": OUTCOME_WORDS[outcome],
                "counts": [table[outcome, name] for name in columns],
            }
            for outcome in RANK
            if any(table[outcome, name] for name in columns)
        ],
        "new": marks["new"] if known is not None else None,
        "known": marks["known"] if known is not None else None,
        "gone": len(known.gone) if known is not None else None,
        "baseline": known.source if known is not None else "",
        "entries": None
        if entries is None
        else [{"name": words, "count": captured[kind]} for kind, words in CAPTURED_WORDS.items()],
        "costly": _costly(shown),
    }


def _table(found: Sequence[Found]) -> Counter[tuple[str, str]]:
    """How many findings have an outcome under a frontend in use, those refuted under it left out."""
    return Counter(
        (f.outcomes[name], name)
        for f in found
        for name in f.in_use
        if f.outcomes.get(name) in BAD and f.status.get(name) != REFUTED
    )


def _costly(findings: Sequence[data.Finding]) -> data.Costly | None:
    """Only what was measured to cost something."""
    best: data.Finding | None = None
    gain = 1.0
    for one in findings:
        if one["cost"] is not None and one["cost"]["gain"] > gain:
            best, gain = one, one["cost"]["gain"]
    if best is None or best["cost"] is None:
        return None
    return {"finding": best["id"], "where": best["at"]["where"], "words": best["cost"]["change"]}


def row(
    date: str,
    commit: str,
    torch: str,
    found: Sequence[Found],
    probed: Sequence[Entry] | None,
    shown: Mapping[data.Captured, int],
) -> data.Row:
    """The run's line of the history. `found`: without what was refuted; `probed`: None without a probe; `shown`: how
    many entries were captured how."""
    kinds = Counter(str(worst(f)) for f in found)
    table = _table(found)
    frontends = {name: sum(n for (_, other), n in table.items() if other == name) for name in FRONTENDS}
    entries = probed or ()
    known = probed is not None
    return {
        "date": date,
        "commit": commit,
        "torch": torch,
        "findings": len(found),
        "kinds": {outcome: kinds[outcome] for outcome in RANK if kinds[outcome]},
        "frontends": {name: number for name, number in frontends.items() if number},
        "breaks": sum(len(breaks_of(entry)) for entry in entries) if known else None,
        "graphs": sum(len(f["graphs"]) for entry in entries for f in first_frames(entry)) if known else None,
        "recompiles": sum(len(entry["recompiles"]) for entry in entries) if known else None,
        "entries": len(entries) if known else None,
        "whole": shown.get("whole", 0) if known else None,
    }
