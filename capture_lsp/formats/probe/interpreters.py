"""Reports of several interpreters in one: each, then what differs between their releases of torch."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

from capture_lsp.formats.probe import render as render_one
from capture_lsp.formats.probe.words import breaks_of, outcome_words
from capture_lsp.formats.style import Style, counted, printable
from capture_lsp.paths import display

if TYPE_CHECKING:
    from runtime_probe.report import Entry, Report


def render(reports: Sequence[Report], form: str, cwd: str, style: Style) -> str:
    """`{"version", "reports"}` in the JSON form; else the reports one after the other, and a table."""
    if form == "json":
        rows = [json.loads(render_one(report, form, cwd, style)) for report in reports]
        return '{\n "version": 1,\n "reports": [\n  ' + ",\n  ".join(json.dumps(row) for row in rows) + "\n ]\n}\n"
    parts = [
        f"{style.paint(heading, 'bold')}\n\n{render_one(report, form, cwd, style)}"
        for heading, report in zip(headings(reports), reports)
    ]
    return "\n".join([*parts, _table(reports, cwd)])


def headings(reports: Sequence[Report]) -> list[str]:
    """`torch 2.13.0`, with the Python where that alone does not tell them apart."""
    names = [f"torch {report['torch']}" for report in reports]
    if len(set(names)) < len(names):
        names = [f"{name}, Python {report['python']}" for name, report in zip(names, reports)]
    return names


def _table(reports: Sequence[Report], cwd: str) -> str:
    """One line for each entry that there is more than one outcome of."""
    found: dict[str, list[str]] = {}
    for number, report in enumerate(reports):
        for entry in report["entries"]:
            target = display(entry["target"].partition("::")[0], cwd)
            name = f"{target}::{entry['target'].partition('::')[2] or entry['entry']}"
            found.setdefault(printable(name), ["-"] * len(reports))[number] = _words(entry)
    different = {name: words for name, words in found.items() if len(set(words)) > 1}
    if not different:
        return f"The same under all of them: {counted(len(found), 'captured object')}.\n"
    rows = [["", *headings(reports)], *([name, *words] for name, words in sorted(different.items()))]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows]
    return "Different:\n\n" + "\n".join(lines) + "\n"


def _words(entry: Entry) -> str:
    if entry["status"] != "ok" or "dynamo" not in entry["matrix"]:
        return entry["status"]
    breaks = breaks_of(entry)
    return outcome_words(entry["matrix"]["dynamo"]["outcome"]) + (f" ({len(breaks)})" if breaks else "")
