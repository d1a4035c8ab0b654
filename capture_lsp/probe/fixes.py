"""Fixes that a probe may measure: the safe ones of what the analyzer expects to break a graph, as edits of one file.

The probe applies them to a text in memory, one or several, to find out what a break costs. Nothing on disk changes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from analyzer.finding import Edit, Finding, Fix
from capture_lsp.fixes import edited, overlap, parses

_BREAKS = ("graph_break", "skipped_frame")


def by_target(
    paths: Iterable[str], findings: Sequence[Finding], text_of: Callable[[str], str | None]
) -> dict[str, list[dict[str, Any]]]:
    """For each probed file the fixes in it, and in what is reached from its roots."""
    found = {}
    for path in dict.fromkeys(paths):
        own = [f for f in findings if f.path == path or any(root.partition("::")[0] == path for root in f.roots)]
        found[path] = of_findings(own, text_of)
    return found


def of_findings(findings: Iterable[Finding], text_of: Callable[[str], str | None]) -> list[dict[str, Any]]:
    """Left out is a fix that overlaps another, and one with which the text would not parse."""
    found: list[dict[str, Any]] = []
    taken: dict[str, list[Edit]] = {}
    for finding in findings:
        fix = _fix_of(finding)
        text = text_of(finding.path) if fix is not None else None
        if fix is None or text is None:
            continue
        before = taken.setdefault(finding.path, [])
        new = [edit for edit in dict.fromkeys(fix.edits) if edit not in before]  # two fixes may add the same import
        if any(overlap(edit, other) for edit in new for other in before):
            continue
        if _parses_with(text, fix.edits) and _parses_with(text, (*before, *new)):
            before += new
            found.append(_as_json(finding, fix))
    return found


def _fix_of(finding: Finding) -> Fix | None:
    """Its first safe fix that edits no other file."""
    if finding.outcomes.get("dynamo") not in _BREAKS:
        return None
    own = (f for f in finding.fixes if f.safety == "safe" and f.edits and {e.path for e in f.edits} == {finding.path})
    return next(own, None)


def _parses_with(text: str, edits: Iterable[Edit]) -> bool:
    try:
        return parses(edited(text, edits, "\n"))
    except (ValueError, IndexError):  # a position that does not exist
        return False


def _as_json(finding: Finding, fix: Fix) -> dict[str, Any]:
    return {
        "path": finding.path,
        "line": finding.line,
        "end_line": finding.end_line,
        "title": fix.title,
        "edits": [
            {
                "line": edit.line,
                "column": edit.column,
                "end_line": edit.end_line,
                "end_column": edit.end_column,
                "text": edit.text,
            }
            for edit in dict.fromkeys(fix.edits)
        ],
    }
