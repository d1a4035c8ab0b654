"""A comment for a pull request: what is new, and the number of findings of each rule before and after."""

from __future__ import annotations

import re
from collections import Counter

from analyzer.finding import Finding
from capture_lsp.catalogue import entries, url
from capture_lsp.config.schema import SEVERITIES
from capture_lsp.formats.concise import position
from capture_lsp.formats.style import counted
from capture_lsp.paths import display
from capture_lsp.results import FileResult, Known, RunResult

#: A comment takes 65,536 characters; the tables of rules take what is left over.
COMMENT = 65_536
_FOUND, _ERRORS, _GONE = 32_000, 6_000, 6_000
_TEXT = 300  #: of a message or an expression
_SPECIAL = re.compile(r"([\\`*_{}\[\]<>|#~@&])")
_MARKS = {"error": "🔴", "warning": "🟠", "info": "🔵", "hint": "⚪"}


def render(result: RunResult, cwd: str) -> str:
    """The comment."""
    found = [(file, f) for file in result.files for f in file.findings]
    known, errors = result.known, result.all_errors()
    parts = [f"### capture-lsp: {_headline(len(found), known, len(errors))}"]
    if found:
        rows = [_row(file, f, cwd) for file, f in found]
        if len(fitting(rows, _FOUND)) < len(rows):  # the worst are told
            worst = sorted(found, key=lambda one: SEVERITIES.index(one[1].severity))
            rows = [_row(file, f, cwd) for file, f in worst]
        parts.append(table(rows, _FOUND))
    if errors:
        rows = [f"- {code(f'{display(e.path, cwd)}:{e.line}')}: {plain(cut(e.message))}" for e in errors]
        parts.append("Not checked, or not wholly:\n\n" + listed(rows, _ERRORS))
    if known is not None:
        parts.append(_change([f for _, f in found], known))
        if known.gone:
            rows = [
                f"- {g.code} {code(cut(g.expression))} in {code(_named(display(known.gone_path(g), cwd), g.function))}"
                for g in known.gone
            ]
            parts.append(_folded(f"{len(known.gone)} no longer found", listed(rows, _GONE)))
    elif found:
        counts = Counter(f.code for _, f in found)
        rows = ["| rule | findings |", "| --- | ---: |", *(f"| {_rule(c)} | {n} |" for c, n in sorted(counts.items()))]
        parts.append(_folded("By rule", "\n".join(rows)))
    text = "\n\n".join(parts) + "\n"
    return text if size(text) <= COMMENT else "\n\n".join(parts[:2]) + "\n"


def size(text: str) -> int:
    """How much of a comment a text takes: characters outside of Unicode's first plane count twice."""
    return len(text) + sum(c > "\uffff" for c in text)


def fitting(rows: list[str], room: int) -> list[str]:
    """The first rows, as many as there is room for."""
    for number, row in enumerate(rows):
        room -= size(row) + 1
        if room < 0:
            return rows[:number]
    return rows


def table(rows: list[str], room: int) -> str:
    """A table of findings, as much of it as there is room for."""
    shown = fitting(rows, room)
    head = ["| | place | rule | |", "| --- | --- | --- | --- |"] if shown else []
    return "\n".join([*head, *shown]) + _more(len(rows) - len(shown), bool(shown))


def listed(rows: list[str], room: int) -> str:
    """Rows, as many as there is room for."""
    shown = fitting(rows, room)
    return "\n".join(shown) + _more(len(rows) - len(shown), bool(shown))


def _more(left: int, some: bool) -> str:
    return f"{chr(10) * 2 if some else ''}… and {left} more." if left else ""


def _headline(new: int, known: Known | None, errors: int) -> str:
    if known is None:
        text = counted(new, "problem") if new else "nothing found"
    else:
        text = counted(new, "new problem") if new else "nothing new"
        text += f", {len(known.findings)} known" if known.findings else ""
        text += f", {len(known.gone)} gone" if known.gone else ""
    return text + (f", {counted(errors, 'error')}" if errors else "")


def _row(file: FileResult, f: Finding, cwd: str) -> str:
    place = code(position(file, f.line, f.column, cwd))
    return f"| {_MARKS[f.severity]} | {place} | [{f.code}]({url(f.code)}) | {plain(cut(f.message))} |"


def _change(new: list[Finding], known: Known) -> str:
    """The number of findings of each rule before and after."""
    before = Counter([*(f.code for f in known.findings), *(g.code for g in known.gone)])
    after = Counter([*(f.code for f in known.findings), *(f.code for f in new)])
    rows = ["| rule | before | after | |", "| --- | ---: | ---: | ---: |"]
    for name in sorted({*before, *after}):
        rows.append(f"| {_rule(name)} | {before[name]} | {after[name]} | {_signed(after[name] - before[name])} |")
    total = after.total() - before.total()
    rows.append(f"| **all** | **{before.total()}** | **{after.total()}** | **{_signed(total)}** |")
    return f"Compared with {code(known.source)}:\n\n" + "\n".join(rows)


def _signed(number: int) -> str:
    return f"{number:+d}" if number else "0"


def _rule(rule: str) -> str:
    name = next((entry.name for entry in entries() if entry.code == rule), "")
    return f"[{rule}]({url(rule)}) {name}".rstrip()


def _named(path: str, function: str) -> str:
    return f"{path}::{function}" if function else path


def _folded(title: str, body: str) -> str:
    return f"<details><summary>{title}</summary>\n\n{body}\n\n</details>"


def cut(text: str) -> str:
    """The beginning of a long text."""
    return text if len(text) <= _TEXT else f"{text[:_TEXT]}…"


def plain(text: str) -> str:
    """Text in which nothing is markup, on one line."""
    parts = re.split(r"(`[^`]+`)", " ".join(text.split()))
    return "".join(code(p[1:-1]) if n % 2 else _SPECIAL.sub(r"\\\1", p) for n, p in enumerate(parts))


def code(text: str) -> str:
    """Code on one line of a table."""
    text = " ".join(text.split()).replace("|", "\\|")
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * (longest + 1)
    return f"{fence} {text} {fence}" if longest else f"`{text}`"
