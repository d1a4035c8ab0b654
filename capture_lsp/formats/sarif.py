"""SARIF 2.1.0, for code scanning services and viewers."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from typing import Any
from urllib.parse import quote

from analyzer.finding import Edit, FileError, Finding, Fix, Place
from analyzer.suppress import Suppression, find
from capture_lsp import __version__
from capture_lsp.baseline.fingerprint import Sources
from capture_lsp.catalogue import Entry, entries, url
from capture_lsp.formats.details import cell, frontends
from capture_lsp.formats.identity import Identities
from capture_lsp.paths import as_in, inside
from capture_lsp.results import FileResult, Known, RunResult
from capture_lsp.rule_text import sections, summary
from capture_lsp.torch_versions import text as version_text

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_HOME = "https://github.com/capture-lsp/capture-lsp"
_FINGERPRINT = "captureFinding/v1"
_LEVELS = {"error": "error", "warning": "warning", "info": "note", "hint": "note"}


def render(result: RunResult, cwd: str) -> str:
    """The log."""
    writer = _Writer(result, cwd)
    results = [writer.result(file, f, [], "new") for file in result.files for f in file.findings]
    results += writer.suppressed()
    used = {row["ruleId"] for row in results}
    rules = [entry for entry in entries() if entry.code in used]
    index = {entry.code: number for number, entry in enumerate(rules)}
    for row in results:
        row["ruleIndex"] = index[row["ruleId"]]
    run = {
        "tool": {
            "driver": {
                "name": "capture-lsp",
                "version": __version__,
                "semanticVersion": __version__,
                "informationUri": _HOME,
                "rules": [_rule(entry) for entry in rules],
            }
        },
        "invocations": [
            {
                "executionSuccessful": not result.all_errors(),
                "toolExecutionNotifications": [writer.notification(e) for e in result.all_errors()],
            }
        ],
        "originalUriBaseIds": {"SRCROOT": {"description": {"text": "the top of the repository"}}},
        "columnKind": "unicodeCodePoints",
        "results": results,
        "properties": {"torch": version_text(result.torch)},
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=1) + "\n"


def _rule(entry: Entry) -> dict[str, Any]:
    text = sections(entry)
    help_ = "\n\n".join(text[title] for title in ("What it does", "Why it matters") if title in text)
    return {
        "id": entry.code,
        "name": entry.name,
        "shortDescription": {"text": summary(entry)},
        "fullDescription": {"text": help_ or summary(entry)},
        "help": {"text": f"{help_ or summary(entry)}\n\n{url(entry.code)}"},
        "helpUri": url(entry.code),
        "properties": {"tags": ["pytorch", "graph-capture"]},
    }


class _Writer:
    def __init__(self, result: RunResult, cwd: str) -> None:
        self._run = result
        self._cwd = cwd
        self._sources = Sources(result.overrides, cwd)
        self._identities = Identities(self._sources)
        self._cells = {file.path: file.cells for file in result.files if file.cells}

    def result(self, file: FileResult, f: Finding, suppressions: list[dict[str, str]], state: str) -> dict[str, Any]:
        where = cell(file, f)
        found: dict[str, Any] = {
            "ruleId": f.code,
            "level": _LEVELS[f.severity],
            "message": {"text": ": ".join(part for part in (where, f.message) if part)},
            "locations": [self._main(f)],
            "partialFingerprints": {_FINGERPRINT: self._identities.of(f)},
            "properties": {
                "severity": f.severity,
                "outcomes": f.outcomes,
                "status": f.status,
                "graphBreaks": list(f.graph_breaks),
            },
        }
        if f.provenance:
            steps = [*f.provenance, Place(f.path, f.line, f.column, f.message)]
            locations = [{"location": self._place(step), "importance": "essential"} for step in steps]
            found["codeFlows"] = [{"message": {"text": frontends(f)}, "threadFlows": [{"locations": locations}]}]
            if not frontends(f):
                del found["codeFlows"][0]["message"]
        if f.related:
            found["relatedLocations"] = [{"id": n, **self._place(place)} for n, place in enumerate(f.related, 1)]
        fixes = [fix for fix in f.fixes if not any(edit.path in self._cells for edit in fix.edits)]
        if fixes:
            found["fixes"] = [self._fix(fix) for fix in fixes]
        found["suppressions"] = suppressions
        if self._run.known is not None:
            found["baselineState"] = state
        return found

    def suppressed(self) -> list[dict[str, Any]]:
        """What comments suppress, and what a baseline knows."""
        rows = []
        for file in self._run.files:
            comments = find(self._sources.source(file.path).text) if file.suppressed else []
            for f in file.suppressed:
                if (by := _comment(comments, f, self._run.torch)) is not None:
                    suppression = {"kind": "inSource", **({"justification": by.reason} if by.reason else {})}
                    rows.append(self.result(file, f, [suppression], "unchanged"))
        known = self._run.known or Known("")
        files = {file.path: file for file in self._run.files}
        accepted = {"kind": "external", "status": "accepted", "justification": f"known from {known.source}"}
        rows += [self.result(files[f.path], f, [accepted], "unchanged") for f in known.findings]
        return rows

    def notification(self, e: FileError) -> dict[str, Any]:
        place = {"physicalLocation": {**self._artifact(e.path), "region": {"startLine": max(1, e.line)}}}
        return {"level": "error", "message": {"text": e.message}, "descriptor": {"id": e.kind}, "locations": [place]}

    def _main(self, f: Finding) -> dict[str, Any]:
        place = self._artifact(f.path)
        if f.path not in self._cells:
            place["region"] = _region(f.line, f.column, f.end_line, f.end_column)
        if not f.function:
            return {"physicalLocation": place}
        logical = {"fullyQualifiedName": f.function, "kind": "function"}
        return {"physicalLocation": place, "logicalLocations": [logical]}

    def _place(self, p: Place) -> dict[str, Any]:
        place = self._artifact(p.path)
        if p.path not in self._cells:
            place["region"] = {"startLine": p.line, "startColumn": p.column}
        return {"physicalLocation": place, "message": {"text": p.text}}

    def _fix(self, fix: Fix) -> dict[str, Any]:
        changes = []
        for path in dict.fromkeys(edit.path for edit in fix.edits):
            replacements = [_replacement(edit) for edit in fix.edits if edit.path == path]
            changes.append({**self._artifact(path), "replacements": replacements})
        return {"description": {"text": f"{fix.title} ({fix.safety})"}, "artifactChanges": changes}

    def _artifact(self, path: str) -> dict[str, Any]:
        path = as_in(path, self._cwd)
        if inside(path, self._cwd) and path != self._cwd:
            relative = os.path.relpath(path, self._cwd).replace(os.sep, "/")
            return {"artifactLocation": {"uri": quote(os.fsencode(relative)), "uriBaseId": "SRCROOT"}}
        absolute = path.replace(os.sep, "/")
        rooted = absolute if absolute[:1] == "/" else f"/{absolute}"
        return {"artifactLocation": {"uri": "file://" + quote(os.fsencode(rooted))}}


def _comment(comments: Iterable[Suppression], f: Finding, torch: tuple[int, int]) -> Suppression | None:
    """The comment that suppresses a finding: the narrowest; None where settings do."""
    covering = [one for one in comments if one.covers(f) and not one.expired(torch)]
    return min(covering, key=lambda one: one.last - one.first, default=None)


def _region(line: int, column: int, end_line: int, end_column: int) -> dict[str, int]:
    return {"startLine": line, "startColumn": column, "endLine": end_line, "endColumn": end_column}


def _replacement(edit: Edit) -> dict[str, Any]:
    region = _region(edit.line, edit.column, edit.end_line, edit.end_column)
    return {"deletedRegion": region, "insertedContent": {"text": edit.text}}
