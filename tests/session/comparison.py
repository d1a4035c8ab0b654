"""Two reports of the same texts, and where they differ."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields

from analyzer.api import Report
from analyzer.finding import Finding
from analyzer.session import Session


def differences(session: Session, fresh: Report) -> list[str]:
    """What a session says otherwise than a fresh analysis does. It may depend on more files than that."""
    report = session.report
    found = _findings([session.complete(f) for f in report.findings], fresh.findings)
    found += [f"in {path}: {text}" for path in fresh.by_file for text in _by_file(session, report, fresh, path)]
    if report.by_file.keys() != fresh.by_file.keys():
        found.append(f"files {sorted(report.by_file)}, fresh {sorted(fresh.by_file)}")
    if report.errors != fresh.errors:
        found.append(f"errors {report.errors}, fresh {fresh.errors}")
    if report.roots != fresh.roots:
        found.append(f"roots {report.roots}, fresh {fresh.roots}")
    for path, names in fresh.dependencies.items():
        missing = set(names) - set(report.dependencies.get(path, ()))
        if missing:
            found.append(f"{path} does not depend on {sorted(missing)}")
    return found


def _by_file(session: Session, report: Report, fresh: Report, path: str) -> list[str]:
    return _findings([session.complete(f) for f in report.by_file.get(path, ())], fresh.by_file[path])


def _findings(got: list[Finding], wanted: list[Finding]) -> list[str]:
    if got == wanted:
        return []
    mine, theirs = {f.key: f for f in got}, {f.key: f for f in wanted}
    found = [f"only the session has {_name(mine[key])}" for key in mine if key not in theirs]
    found += [f"the session lacks {_name(theirs[key])}" for key in theirs if key not in mine]
    found += [text for key in mine if key in theirs for text in _fields(mine[key], theirs[key])]
    return found or [f"another order: {[_name(f) for f in got]}"]


def _fields(one: Finding, other: Finding) -> Iterable[str]:
    for field in fields(Finding):
        got, wanted = getattr(one, field.name), getattr(other, field.name)
        if got != wanted:
            yield f"{_name(one)}: {field.name} {got!r}, fresh {wanted!r}"


def _name(finding: Finding) -> str:
    return f"{finding.code} {finding.line}:{finding.column} in {finding.function}"
