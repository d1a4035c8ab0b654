"""For people: the source line with the range marked, how the value came to be, and what each frontend does with it."""

from __future__ import annotations

from collections.abc import Mapping

from analyzer.finding import Finding, Place
from analyzer.outcome import FRONTENDS, Frontend
from capture_lsp.catalogue import graph_break_url
from capture_lsp.formats.concise import error_lines, position
from capture_lsp.formats.excerpt import Range, Sources, excerpt
from capture_lsp.formats.probe.cost_words import of_finding
from capture_lsp.formats.style import Style, counted, printable, width
from capture_lsp.notebook import locate
from capture_lsp.paths import display
from capture_lsp.results import FileResult, RunResult

FRONTEND_NAMES = {"dynamo": "compile"}
OUTCOME_WORDS = {
    "captured": "ok",
    "guarded": "guards",
    "recompiles": "recompiles",
    "graph_break": "breaks the graph",
    "skipped_frame": "runs eagerly",
    "refused": "refuses",
    "silently_wrong": "silently wrong",
    "unknown": "unknown",
}
_OUTCOME_COLOURS = {"captured": "green", "silently_wrong": "red", "skipped_frame": "red"}
_PROVENANCE_LIMIT = 8
_ROW = 110


def render(result: RunResult, cwd: str, style: Style) -> str:
    sources = Sources(result.overrides)
    blocks = ["\n".join(_finding(file, f, cwd, style, sources)) + "\n" for file in result.files for f in file.findings]
    errors = "".join(line + "\n" for line in error_lines(result.all_errors(), cwd, style))
    refuted = "".join(_refuted(result, f, cwd, style) + "\n" for f in result.refuted)
    parts = [*blocks, *(part for part in (refuted, errors) if part)]
    return "\n".join(parts) + ("\n" if parts else "") + summary(result, style) + "\n"


def summary(result: RunResult, style: Style) -> str:
    """The closing line."""
    count = result.finding_count()
    errors = len(result.all_errors())
    checked = f"{counted(len(result.files), 'file')} checked"
    if result.refuted:
        checked = f"{len(result.refuted)} refuted by the probe, {checked}"
    if result.known is not None and result.known.findings:
        checked = f"{len(result.known.findings)} known from {result.known.source}, {checked}"
    new, nothing = ("new ", "Nothing new") if result.known is not None else ("", "Nothing found")
    if not count and not errors:
        return style.paint(nothing, "green") + f", {checked}."
    found = f"Found {counted(count, f'{new}problem')}" if count else nothing
    failed = f", {counted(errors, 'error')}" if errors else ""
    return f"{found}{failed}, {checked}."


def _finding(file: FileResult, f: Finding, cwd: str, style: Style, sources: Sources) -> list[str]:
    place = position(file, f.line, f.column, cwd)
    level = style.severity(f.severity, f.severity)
    head = f"{style.paint(place, 'bold')}  {style.paint(f.code, 'cyan')} {f.name}  {level}"
    lines = [head, f"   {style.plain(printable(f.message))}", *_excerpt(file, f, style, sources.lines(file.path))]
    if f.provenance:
        lines += _provenance(f.provenance, f.path, file, cwd, style)
    for related in f.related:
        where = _place(related, file, cwd)
        lines.append(f"   {style.plain(printable(related.text))}: {where}")
    if f.outcomes:
        lines += ["   " + row for row in _frontends(f, style)]
    probed = {name: word for name, word in f.status.items() if word != "predicted"}
    if probed:
        lines.append("   " + _probed(probed, style))
    if f.cost is not None:
        lines.append("   " + style.plain(of_finding(f.cost)))
    if f.count > 1:
        lines.append(f"   reached {f.count} times from one root")
    for fix in f.fixes:
        lines.append(f"   {style.paint('fix', 'green')}: {style.plain(printable(fix.title))}  [{fix.safety}]")
    return lines


def _refuted(result: RunResult, f: Finding, cwd: str, style: Style) -> str:
    """One line for a prediction that did not come true."""
    file = next(file for file in result.files if file.path == f.path)
    place = position(file, f.line, f.column, cwd)
    names = [FRONTEND_NAMES.get(name, name) for name in FRONTENDS if f.status.get(name) == "refuted"]
    text = f"{place}  {f.code} {f.name}  refuted: it was captured when the probe ran it ({', '.join(names)})"
    return style.paint(style.plain(text), "dim")


def _probed(status: Mapping[Frontend, str], style: Style) -> str:
    """What the probe says of the predictions, by word."""
    parts = []
    for word, colour in (("confirmed", "red"), ("refuted", "green"), ("not_reached", "dim")):
        names = [FRONTEND_NAMES.get(name, name) for name in FRONTENDS if status.get(name) == word]
        if names:
            parts.append(style.paint(f"{word.replace('_', ' ')} under {', '.join(names)}", colour))
    return f"probe: {style.plain(' · ').join(parts)}"


def _provenance(steps: tuple[Place, ...], path: str, file: FileResult, cwd: str, style: Style) -> list[str]:
    shown = []
    for step in steps if len(steps) <= _PROVENANCE_LIMIT else (*steps[:2], *steps[-_PROVENANCE_LIMIT + 3 :]):
        if step.path == path:
            where = str(locate(file.cells, step.line)[1] if file.cells else step.line)
        else:
            where = f"{printable(display(step.path, cwd))}:{step.line}"
        shown.append(f"{printable(step.text)} ({where})")
    if len(steps) > _PROVENANCE_LIMIT:
        shown.insert(2, "…")
    return ["   " + style.paint(style.plain(row), "dim") for row in _wrapped(shown)]


def _wrapped(steps: list[str]) -> list[str]:
    """Steps joined by arrows, in rows that fit a terminal."""
    rows = [steps[0]]
    for step in steps[1:]:
        if width(rows[-1]) + width(step) + 3 > _ROW:
            rows.append(f"  → {step}")
        else:
            rows[-1] += f" → {step}"
    return rows


def _frontends(f: Finding, style: Style) -> list[str]:
    """What each frontend does, in rows that fit a terminal, and the graph break's id."""
    rows: list[list[str]] = [[]]
    taken = 0
    for name in FRONTENDS:
        outcome = f.outcomes.get(name)
        if outcome is None or outcome == "unknown":
            continue
        text = f"{FRONTEND_NAMES.get(name, name)} {OUTCOME_WORDS[outcome]}"
        if rows[-1] and taken + width(text) + 3 > _ROW:
            rows.append([])
            taken = 0
        taken += width(text) + 3
        colour = _OUTCOME_COLOURS.get(outcome)
        rows[-1].append(style.paint(text, colour) if colour else text)
    joined = [style.plain(" · ").join(row) for row in rows if row]
    if f.graph_breaks:
        linked = " ".join(graph_break_link(identifier, style) for identifier in f.graph_breaks)
        if joined and taken + len(" ".join(f.graph_breaks)) + 3 <= _ROW:
            joined[-1] += "      " + linked
        else:
            joined.append(linked)
    return joined


def graph_break_link(identifier: str, style: Style) -> str:
    """A graph break's id, as a link where the terminal shows colours."""
    if not style.colour:
        return identifier
    return f"\x1b]8;;{graph_break_url(identifier)}\x1b\\{identifier}\x1b]8;;\x1b\\"


def _place(place: Place, file: FileResult, cwd: str) -> str:
    if place.path == file.path:
        return position(file, place.line, place.column, cwd)
    return f"{printable(display(place.path, cwd))}:{place.line}:{place.column}"


def _excerpt(file: FileResult, f: Finding, style: Style, lines: list[str]) -> list[str]:
    marked = Range(f.line, f.column, f.end_line, f.end_column)
    if not file.cells:
        return excerpt(lines, marked, style, f.severity)
    top = f.line - locate(file.cells, f.line)[1] + 1  # nothing from the cell above
    return excerpt(lines, marked, style, f.severity, earliest=top, number=lambda n: locate(file.cells, n)[1])
