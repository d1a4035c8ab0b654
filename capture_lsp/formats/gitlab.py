"""A Code Quality report of GitLab."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

from analyzer.finding import Finding
from capture_lsp.baseline.fingerprint import Sources
from capture_lsp.baseline.normal import hashed
from capture_lsp.formats.details import cell
from capture_lsp.formats.identity import Identities
from capture_lsp.paths import display
from capture_lsp.results import FileResult, RunResult

_SEVERITIES = {"error": "critical", "warning": "major", "info": "minor", "hint": "info"}


def render(result: RunResult, cwd: str) -> str:
    """The report: a list of issues."""
    identities = Identities(Sources(result.overrides, cwd))
    issues = [_issue(file, f, cwd, identities) for file in result.files for f in file.findings]
    seen: Counter[str] = Counter()
    for error in result.all_errors():
        path = display(error.path, cwd)
        identity = "\0".join((error.kind, path, error.message))
        seen[identity] += 1  # GitLab takes issues of one fingerprint for one issue
        issues.append(
            {
                "description": f"not checked: {error.message}",
                "check_name": error.kind,
                "fingerprint": hashed(f"{identity} {seen[identity]}"),
                "severity": "critical",
                "location": {"path": path, "lines": {"begin": max(1, error.line)}},
            }
        )
    return json.dumps(issues, indent=1) + "\n"


def _issue(file: FileResult, f: Finding, cwd: str, identities: Identities) -> dict[str, Any]:
    lines = {"begin": 1} if file.cells else {"begin": f.line, "end": f.end_line}
    return {
        "description": ": ".join(part for part in (f.code, cell(file, f), f.message) if part),
        "check_name": f"{f.code} {f.name}",
        "fingerprint": identities.of(f),
        "severity": _SEVERITIES[f.severity],
        "location": {"path": display(file.path, cwd), "lines": lines},
    }
