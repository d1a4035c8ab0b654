"""The JSON contract of the probe: the report as it is, paths as everywhere in our output."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from capture_lsp.paths import display

if TYPE_CHECKING:
    from runtime_probe.report import Report


def render(report: Report, cwd: str) -> str:
    """One JSON object, one entry a line."""
    document = relative_paths(report, cwd)
    rows = []
    for name, value in document.items():
        text = json.dumps(value)
        if isinstance(value, list) and value:
            text = "[\n  " + ",\n  ".join(json.dumps(item) for item in value) + "\n ]"
        rows.append(f" {json.dumps(name)}: {text}")
    return "{\n" + ",\n".join(rows) + "\n}\n"


def relative_paths(value: Any, cwd: str) -> Any:
    """A part of a report with every path relative to the working directory; outside it they stay absolute."""
    if isinstance(value, list):
        return [relative_paths(item, cwd) for item in value]
    if not isinstance(value, dict):
        return value
    found: dict[str, Any] = {}
    for key, item in value.items():
        if key == "path" and isinstance(item, str) and item:
            found[key] = display(item, cwd)
        elif key in ("lines", "evaluated") and isinstance(item, dict):
            found[key] = {display(path, cwd): inner for path, inner in item.items()}
        else:
            found[key] = relative_paths(item, cwd)
    return found
