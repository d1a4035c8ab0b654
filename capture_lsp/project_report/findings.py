"""The findings of a check as the page's data."""

from __future__ import annotations

from collections.abc import Container

from analyzer.finding import Cost, Finding, Place
from analyzer.outcome import BAD, FRONTENDS, RANK, Frontend, Outcome
from capture_lsp.catalogue import graph_break_url, url
from capture_lsp.formats.full import FRONTEND_NAMES, OUTCOME_WORDS
from capture_lsp.formats.identity import Identities
from capture_lsp.formats.probe.cost_words import of_cost, of_finding
from capture_lsp.merge_probe import CONFIRMED, NOT_REACHED, PREDICTED, REFUTED, refuted
from capture_lsp.project_report import data
from capture_lsp.project_report.fixes import fix
from capture_lsp.project_report.sources import Sources
from capture_lsp.results import RunResult

#: Lines of source around a finding.
_BEFORE, _AFTER = 3, 1


class Findings:
    """Makes them, in the order of the result."""

    def __init__(self, sources: Sources, identities: Identities, compared: bool, known: Container[int]) -> None:
        """`compared`: whether there is a baseline; `known`: the ids of the objects that it holds."""
        self._sources = sources
        self._identities = identities
        self._compared = compared
        self._known = known

    def of(self, result: RunResult) -> list[data.Finding]:
        return [self._finding(finding) for file in result.files for finding in file.findings]

    def _finding(self, f: Finding) -> data.Finding:
        outcome = worst(f)
        status = status_of(f)
        self._sources.show(f.path, f.line - _BEFORE, max(f.line, min(f.end_line, f.line + 12)) + _AFTER)
        return {
            "id": self._identities.of(f),
            "code": f.code,
            "name": f.name,
            "severity": f.severity,
            "at": self._sources.place(f.path, f.line),
            "column": f.column,
            "end_line": f.end_line,
            "end_column": f.end_column,
            "message": f.message,
            "function": f.function,
            "roots": [self._root(root) for root in f.roots],
            "count": f.count,
            "outcome": outcome,
            "outcome_words": OUTCOME_WORDS[outcome],
            "status": status,
            "status_words": status_words(status),
            "mark": ("known" if id(f) in self._known else "new") if self._compared else "",
            "judgements": [
                self._judgement(f, name) for name in FRONTENDS if f.outcomes.get(name, "unknown") != "unknown"
            ],
            "provenance": [self._step(step) for step in f.provenance],
            "related": [self._step(step) for step in f.related],
            "graph_breaks": [{"id": one, "url": graph_break_url(one)} for one in f.graph_breaks],
            "url": url(f.code),
            "fixes": [fix(one, self._sources) for one in f.fixes],
            "cost": _cost(f.cost) if f.cost is not None else None,
        }

    def _judgement(self, f: Finding, name: Frontend) -> data.Judgement:
        outcome = f.outcomes[name]
        status = f.status.get(name, "")
        return {
            "frontend": FRONTEND_NAMES.get(name, name),
            "outcome": outcome,
            "words": OUTCOME_WORDS[outcome],
            "status": "" if status == PREDICTED else status_words(status),
            "in_use": name in f.in_use,
        }

    def _step(self, step: Place) -> data.Step:
        self._sources.show(step.path, step.line, step.line)
        return {"text": step.text, "at": self._sources.place(step.path, step.line)}

    def _root(self, label: str) -> str:
        path, separator, name = label.partition("::")
        return f"{self._sources.name(path)}{separator}{name}"


def worst(f: Finding) -> Outcome:
    """What a finding is shown for: the worst that the frontends in use make of it and the probe did not refute; of what
    it refuted altogether, the worst that was predicted."""
    used = {name: f.outcomes[name] for name in f.in_use if f.outcomes.get(name) in BAD}
    left = [outcome for name, outcome in used.items() if f.status.get(name) != REFUTED]
    anywhere = [outcome for outcome in f.outcomes.values() if outcome in BAD]
    return min(left or used.values() or anywhere or f.outcomes.values(), key=RANK.index, default="unknown")


def status_of(f: Finding) -> str:
    """What the probe says of a finding under the frontends in use, in one word."""
    if refuted(f):
        return REFUTED
    shown_for = [name for name in f.in_use if f.outcomes.get(name) in BAD] or list(f.status)
    words = {f.status.get(name) for name in shown_for}
    return next((word for word in (CONFIRMED, NOT_REACHED) if word in words), PREDICTED)


def status_words(status: str) -> str:
    return status.replace("_", " ")


def _cost(cost: Cost) -> data.Cost:
    measured = cost.verdict in ("faster", "slower")
    return {"change": of_cost(cost), "words": of_finding(cost), "gain": cost.gain if measured else 1.0}
