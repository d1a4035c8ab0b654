"""What is said of a finding besides its message, as lines of plain text."""

from __future__ import annotations

from analyzer.finding import Finding, Place
from analyzer.outcome import FRONTENDS
from capture_lsp.catalogue import url
from capture_lsp.formats.full import FRONTEND_NAMES, OUTCOME_WORDS
from capture_lsp.formats.style import printable
from capture_lsp.notebook import locate
from capture_lsp.paths import display
from capture_lsp.results import FileResult


def details(file: FileResult, f: Finding, cwd: str) -> list[str]:
    """Where the value comes from, what each frontend does, fixes, and the rule's page; none holds an end of a line."""
    lines = []
    if f.provenance:
        lines.append(" → ".join(f"{printable(step.text)} ({_where(step, file, cwd)})" for step in f.provenance))
    lines += [f"{printable(place.text)}: {_where(place, file, cwd)}" for place in f.related]
    if outcomes := frontends(f):
        lines.append(outcomes)
    lines += [f"fix: {printable(fix.title)} [{fix.safety}]" for fix in f.fixes]
    return [*lines, url(f.code)]


def frontends(f: Finding) -> str:
    """What each frontend does."""
    known = ((name, f.outcomes.get(name, "unknown")) for name in FRONTENDS)
    told = (f"{FRONTEND_NAMES.get(name, name)} {OUTCOME_WORDS[it]}" for name, it in known if it != "unknown")
    return " · ".join(told)


def _where(place: Place, file: FileResult, cwd: str) -> str:
    if place.path != file.path:
        return f"{printable(display(place.path, cwd))}:{place.line}"
    return str(locate(file.cells, place.line)[1] if file.cells else place.line)


def cell(file: FileResult, f: Finding) -> str:
    """`cell 4, line 3` of a notebook, where the lines of its file say nothing; empty for other files."""
    if not file.cells:
        return ""
    index, line = locate(file.cells, f.line)
    return f"cell {index}, line {line}"
