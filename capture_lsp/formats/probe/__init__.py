"""Formats of the probe's report. `render` chooses one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capture_lsp.formats.style import Style

if TYPE_CHECKING:
    from runtime_probe.report import Report


def render(report: Report, form: str, cwd: str, style: Style) -> str:
    """The whole output of a probe in a format: full, concise or json."""
    if form == "json":
        from capture_lsp.formats.probe import json_format

        return json_format.render(report, cwd)
    if form == "concise":
        from capture_lsp.formats.probe import concise

        return concise.render(report, cwd, style)
    from capture_lsp.formats.probe import full

    return full.render(report, cwd, style)
