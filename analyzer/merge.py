"""Joins findings of the same place that are due to different roots or files."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from analyzer.finding import Finding
from analyzer.outcome import Frontend, Severity, worse

_SEVERITIES: tuple[Severity, ...] = ("error", "warning", "info", "hint")


def merge(parts: Iterable[Iterable[Finding]]) -> list[Finding]:
    """One finding for each place and code, in order of place; what the first one says of it is kept."""
    found: dict[tuple[str, str, int, int, int, int], list[Finding]] = {}
    for part in parts:
        for finding in part:
            found.setdefault(finding.key, []).append(finding)
    return sorted(map(_join, found.values()), key=lambda f: (f.path, f.line, f.column, f.code))


def _join(same: list[Finding]) -> Finding:
    first = same[0]
    if len(same) == 1:
        return first
    outcomes = dict(first.outcomes)
    status: dict[Frontend, str] = {}
    for finding in same[1:]:
        for frontend, outcome in finding.outcomes.items():
            outcomes[frontend] = worse(outcomes[frontend], outcome) if frontend in outcomes else outcome
    for finding in reversed(same):
        status.update(finding.status)
    return replace(
        first,
        outcomes=outcomes,
        severity=min((f.severity for f in same), key=_SEVERITIES.index),
        roots=list(dict.fromkeys(root for finding in same for root in finding.roots)),
        count=max(f.count for f in same),
        status=status,
        in_use=tuple(sorted({f for finding in same for f in finding.in_use})),
    )
