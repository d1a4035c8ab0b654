"""Formats of `check --compare`: full and concise for people, json for programs, markdown for a comment."""

from __future__ import annotations

import json
from collections.abc import Sequence

from analyzer.finding import Finding
from capture_lsp.catalogue import url
from capture_lsp.formats import project_root
from capture_lsp.formats.concise import position
from capture_lsp.formats.full import FRONTEND_NAMES, OUTCOME_WORDS
from capture_lsp.formats.json_format import finding_writer
from capture_lsp.formats.markdown import COMMENT, code, cut, plain, table
from capture_lsp.formats.style import Style, printable
from capture_lsp.preview import Changed, Preview
from capture_lsp.results import FileResult
from capture_lsp.torch_versions import text as version_text

_HEADING = 200
FORMATS = ("full", "concise", "json", "markdown")
_Found = Sequence[tuple[FileResult, Finding]]


def render(steps: Sequence[Preview], form: str, cwd: str, style: Style) -> str:
    """The whole output."""
    if form == "json":
        return json.dumps({"version": 1, "compare": [_json(step, cwd) for step in steps]}, indent=1) + "\n"
    if form == "markdown":
        files = [file for step in steps for file, _ in (*step.appear, *step.disappear)]
        files += [changed.file for step in steps for changed in step.change]
        cwd = project_root([file.path for file in files], cwd)
        return "\n".join(_markdown(step, cwd, COMMENT // len(steps) - _HEADING) for step in steps)
    return "\n".join(_text(step, cwd, style) for step in steps)


def _headline(step: Preview) -> str:
    counts = (("appear", step.appear), ("disappear", step.disappear), ("change", step.change))
    told = [f"{len(found)} {word}" for word, found in counts if found]
    return f"torch {version_text(step.old)} → {version_text(step.new)}: {', '.join(told) or 'nothing changes'}"


def _text(step: Preview, cwd: str, style: Style) -> str:
    lines = [style.paint(style.plain(_headline(step)), "bold")]
    for sign, colour, found in (("+", "red", step.appear), ("-", "green", step.disappear)):
        for file, f in found:
            place = position(file, f.line, f.column, cwd)
            lines.append(f"{style.paint(sign, colour)} {place}: {f.code} {style.plain(printable(f.message))}")
    for changed in step.change:
        f = changed.new
        place = position(changed.file, f.line, f.column, cwd)
        lines.append(f"{style.paint('~', 'yellow')} {place}: {f.code} {style.plain(_told(changed))}")
    return "".join(line + "\n" for line in lines)


def _told(changed: Changed) -> str:
    parts = [
        f"{FRONTEND_NAMES.get(name, name)} {OUTCOME_WORDS[old]} → {OUTCOME_WORDS[new]}"
        for name, old, new in changed.outcomes
    ]
    if changed.old.severity != changed.new.severity:
        parts.append(f"{changed.old.severity} → {changed.new.severity}")
    return ", ".join(parts)


def _json(step: Preview, cwd: str) -> dict[str, object]:
    def written(found: _Found) -> list[object]:
        return [finding_writer(cwd, [file]).finding(f) for file, f in found]

    return {
        "from": version_text(step.old),
        "to": version_text(step.new),
        "appear": written(step.appear),
        "disappear": written(step.disappear),
        "change": [
            {
                "before": finding_writer(cwd, [changed.file]).finding(changed.old),
                "after": finding_writer(cwd, [changed.file]).finding(changed.new),
            }
            for changed in step.change
        ],
    }


def _markdown(step: Preview, cwd: str, room: int) -> str:
    rows = []
    for sign, found in (("appears", step.appear), ("disappears", step.disappear)):
        rows += [_row(sign, file, f, f.message, cwd) for file, f in found]
    rows += [_row("changes", changed.file, changed.new, _told(changed), cwd) for changed in step.change]
    return f"### {_headline(step)}\n" + (f"\n{table(rows, room)}\n" if rows else "")


def _row(sign: str, file: FileResult, f: Finding, message: str, cwd: str) -> str:
    place = code(position(file, f.line, f.column, cwd))
    return f"| {sign} | {place} | [{f.code}]({url(f.code)}) | {plain(cut(message))} |"
