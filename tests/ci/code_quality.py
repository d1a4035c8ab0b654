"""What GitLab takes of a Code Quality report, by its documentation (docs.gitlab.com, "Code Quality report format") and
by what its parser does with one: it reads issues up to the first that lacks something, and takes issues with one
fingerprint for one issue."""

from __future__ import annotations

import json
from typing import Any

import pytest

SEVERITIES = ("info", "minor", "major", "critical", "blocker")
#: One issue. A path is relative to the top of the repository: GitLab joins it to the URL of the commit.
ISSUE: dict[str, Any] = {
    "type": "object",
    "required": ["description", "check_name", "fingerprint", "severity", "location"],
    "properties": {
        "description": {"type": "string", "minLength": 1},
        "check_name": {"type": "string", "minLength": 1},
        "fingerprint": {"type": "string", "pattern": "^[0-9a-f]{8,}$"},
        "severity": {"enum": list(SEVERITIES)},
        "location": {
            "type": "object",
            "required": ["path"],
            "properties": {
                "path": {"type": "string", "pattern": r"^(?![./\\])(?![A-Za-z]:)[^\\]+$"},
                "lines": {"$ref": "#/$defs/line", "required": ["begin"]},
                "positions": {
                    "type": "object",
                    "required": ["begin"],
                    "properties": {
                        "begin": {
                            "type": "object",
                            "required": ["line"],
                            "properties": {"line": {"type": "integer", "minimum": 1}},
                        }
                    },
                },
            },
            "oneOf": [{"required": ["lines"]}, {"required": ["positions"]}],
        },
    },
    "$defs": {
        "line": {
            "type": "object",
            "properties": {name: {"type": "integer", "minimum": 1} for name in ("begin", "end")},
        }
    },
}


def shown(report: str) -> list[dict[str, Any]]:
    """The issues that GitLab shows of a report, the worst first."""
    jsonschema = pytest.importorskip("jsonschema")
    valid = jsonschema.Draft202012Validator(ISSUE).is_valid
    found: dict[str, dict[str, Any]] = {}
    for issue in json.loads(report):  # a byte order mark is no JSON
        if not valid(issue):
            break
        found[issue["fingerprint"]] = issue
    return sorted(found.values(), key=lambda issue: -SEVERITIES.index(issue["severity"]))
