"""Joins findings of the same place that are due to different roots or files."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from analyzer.finding import Finding
from analyzer.outcome import Severity, worse

_SEVERITIES: tuple[Severity, ...] = ("error", "warning", "info", "hint")


def merge(parts: Iterable[Iterable[Finding]]) -> list[Finding]:
    """One finding for each place and code, in order of place; what the first one says of it is kept."""
    found: dict[tuple[str, str, int, int, int, int], Finding] = {}
    for part in parts:
        for finding in part:
            known = found.get(finding.key)
            found[finding.key] = finding if known is None else _join(known, finding)
    return sorted(found.values(), key=lambda f: (f.path, f.line, f.column, f.code))


def _join(first: Finding, second: Finding) -> Finding:
    outcomes = dict(first.outcomes)
    for frontend, outcome in second.outcomes.items():
        outcomes[frontend] = worse(outcomes[frontend], outcome) if frontend in outcomes else outcome
    return replace(
        first,
        outcomes=outcomes,
        severity=min(first.severity, second.severity, key=_SEVERITIES.index),
        roots=[*first.roots, *(root for root in second.roots if root not in first.roots)],
        count=max(first.count, second.count),
        status={**second.status, **first.status},
    )
