"""Hovers: on a finding, and on a rule's code in a suppression comment. What others know of a place is added."""

from __future__ import annotations

import re
from collections.abc import Callable

from lsprotocol import types

from analyzer.finding import Finding, Place
from analyzer.outcome import BAD, FRONTENDS
from analyzer.suppress import Suppression, find
from capture_lsp.catalogue import Entry, entries, graph_break_url, url
from capture_lsp.formats.full import FRONTEND_NAMES, OUTCOME_WORDS
from capture_lsp.merge_probe import refuted
from capture_lsp.paths import display
from capture_lsp.rule_text import sections, summary
from capture_lsp.server import convert, markdown, shown_cost
from capture_lsp.server.cells import ModuleText
from capture_lsp.server.language_server import CaptureServer
from capture_lsp.server.session import Analysed, Session
from capture_lsp.torch_versions import text as version_text

_MOST_STEPS = 8
_WORD = re.compile(r"[\w-]+")
_WORDS = {"not_reached": "not reached"}

#: Adds to a hover: (uri, result, line, column), both 1-based → Markdown and its range, or None.
Source = Callable[[str, Analysed, int, int], "tuple[str, types.Range] | None"]


def register(server: CaptureServer) -> list[Source]:
    """Add the handler; the list takes what else there is to show at a place."""
    more: list[Source] = []

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    async def hover(ls: CaptureServer, params: types.HoverParams) -> types.Hover | None:
        uri = params.text_document.uri
        analysed = await ls.session.at_hand(uri)
        if analysed is None:
            return None
        line, column = analysed.text.place_in(uri, params.position.line, params.position.character)
        parts: list[str] = []
        where: types.Range | None = None
        for finding in at(analysed, line, column):
            parts.append(of_finding(finding, ls.session))
            where = where or convert.range_of(analysed.text, finding)
        if found := _suppression(analysed, line, column):
            parts.append(found[0])
            where = where or found[1]
        for source in more:
            if (added := source(uri, analysed, line, column)) is not None:
                parts.append(added[0])
                where = where or added[1]
        return types.Hover(markup(ls, "\n\n---\n\n".join(parts)), where) if parts else None

    return more


def markup(ls: CaptureServer, text: str) -> types.MarkupContent:
    """Markdown, or plain text for a client that shows nothing else."""
    formats = ls.capability("text_document.hover.content_format") or [types.MarkupKind.Markdown]
    if types.MarkupKind.Markdown in formats:
        return types.MarkupContent(types.MarkupKind.Markdown, text)
    return types.MarkupContent(types.MarkupKind.PlainText, markdown.without_markup(text))


def at(analysed: Analysed, line: int, column: int) -> list[Finding]:
    """The findings at a place, the smallest first; one that a probe refuted is told of at its function."""
    found = [
        f
        for f in analysed.result.findings
        if (f.line, f.column) <= (line, column) <= (f.end_line, f.end_column) and not refuted(f)
    ]
    return sorted(found, key=lambda f: (f.end_line - f.line, f.end_column - f.column if f.line == f.end_line else 0))


def of_finding(finding: Finding, session: Session) -> str:
    """Everything that is known of a finding."""
    parts = [f"**{markdown.link(finding.code, url(finding.code))}** {finding.name} · {finding.severity}"]
    told = session.capture_view  # VS Code has the message and the places of the diagnostic in the same hover
    if not told:
        parts.append(markdown.plain(finding.message))
    entry = _entry(finding.code)
    if entry is not None:
        parts.append(_reason(entry))
    if finding.outcomes:
        parts.append("\n".join(_frontends(finding)))
    if finding.provenance and not told:
        parts.append("\n".join(_steps("Where it comes from", finding.provenance, finding.path, session)))
    if finding.related and not told:
        parts.append("\n".join(_steps("See also", finding.related, finding.path, session)))
    facts = [markdown.link(gb, graph_break_url(gb)) for gb in finding.graph_breaks]
    if finding.count > 1:
        facts.append(f"reached {finding.count} times from one root")
    if finding.stale:
        facts.append("the probe's result is stale: what it ran has changed since")
    if finding.cost is not None:
        facts.append(shown_cost.of_finding(finding.cost))
    if facts:
        parts.append(" · ".join(facts))
    parts += [f"Fix: {markdown.plain(fix.title)} ({fix.safety})" for fix in finding.fixes]
    return "\n\n".join(parts)


def _entry(code: str) -> Entry | None:
    return next((entry for entry in entries() if code in (entry.code, entry.name)), None)


def _reason(entry: Entry) -> str:
    """The first sentence of why it matters."""
    text = " ".join(sections(entry).get("Why it matters", "").split())
    return text.split(". ", 1)[0].rstrip(".") + "." if text else ""


def _frontends(finding: Finding) -> list[str]:
    rows = []
    for name in FRONTENDS:
        outcome = finding.outcomes.get(name)
        if outcome is None or outcome == "unknown":
            continue
        status = finding.status.get(name, "predicted" if outcome in BAD else "")
        shown = "stale" if finding.stale and status not in ("", "predicted") else _WORDS.get(status, status)
        used = "in use" if name in finding.in_use else ""
        rows.append([FRONTEND_NAMES.get(name, name), OUTCOME_WORDS[outcome], shown, used])
    return markdown.table(("frontend", "what it does here", "status", ""), rows)


def _steps(title: str, places: tuple[Place, ...], path: str, session: Session) -> list[str]:
    """One step a line, each a link."""
    lines = [f"{title}:"]
    few = places if len(places) <= _MOST_STEPS else (*places[:2], *places[-_MOST_STEPS + 2 :])
    folder = session.folder_of(path).path
    for number, step in enumerate(few):
        if number == 2 and few is not places:
            lines.append(f"- … {len(places) - len(few)} more")
        shown, address = _link(session, step)
        where = shown if step.path == path else f"{display(step.path, folder)}:{shown}"
        lines.append(f"- {markdown.plain(step.text)} ({markdown.link(where, address)})")
    return lines


def _link(session: Session, place: Place) -> tuple[str, str]:
    """How a place's line is named, and its address."""
    document = session.documents.at(place.path)
    uri = session.uri_of(place.path)
    if document is not None and isinstance(document.text, ModuleText):
        line = document.text.position(place.line, place.column)[0] + 1
        return f"cell {document.text.number(place.line)}, line {line}", document.text.owner(place.line, uri)
    return str(place.line), f"{uri}#L{place.line}"


def _suppression(analysed: Analysed, line: int, column: int) -> tuple[str, types.Range] | None:
    """The rule that a suppression names at a place."""
    text = analysed.text
    row = text.plain.split("\n")[line - 1] if line <= len(text.starts) else ""
    if "capture:" not in row:
        return None
    here = next((s for s in find(text.plain) if s.line == line and s.start < column <= s.end + 1), None)
    word = next((m for m in _WORD.finditer(row) if m.start() < column <= m.end() + 1), None)
    if here is None:
        return None
    entry = None if word is None else _entry(word[0])
    if word is None or entry is None:
        terms = _terms(here)
        return ("\n\n".join(terms), convert.span(text, line, here.start + 1, line, here.end + 1)) if terms else None
    where = convert.span(text, line, word.start() + 1, line, word.end() + 1)
    return "\n\n".join([of_rule(entry), *_terms(here)]), where


def _terms(found: Suppression) -> list[str]:
    """Until when a suppression holds, and why there is one."""
    until = [f"Holds until torch {version_text(found.until)}."] if found.until is not None else []
    return [*until, *([f"Reason: {markdown.plain(found.reason)}"] if found.reason else [])]


def of_rule(entry: Entry) -> str:
    """A rule, in short."""
    parts = [f"**{markdown.link(entry.code, url(entry.code))}** {entry.name}", markdown.plain(summary(entry))]
    text = sections(entry)
    parts += [markdown.plain(text[title]) for title in ("Why it matters",) if title in text]
    return "\n\n".join(parts)
