"""What a rule says of itself, from its class: docstring headings, outcomes, examples."""

from __future__ import annotations

import inspect
from typing import Any

from analyzer.outcome import FRONTENDS
from analyzer.rule import Bad, Good, Since
from capture_lsp.catalogue import Entry, graph_break_url, url
from capture_lsp.torch_versions import text as version_text

HEADINGS = ("What it does", "Why it matters", "Example", "Use instead", "Fix safety", "References")


def summary(entry: Entry) -> str:
    """The docstring's first line; if that is a heading already, the first sentence of what the rule does."""
    first = (inspect.getdoc(entry.rule) or entry.name).strip().split("\n", 1)[0].strip()
    if _heading(first) is None:
        return first
    return " ".join(sections(entry).get("What it does", entry.name).split()).split(". ", 1)[0].rstrip(".") + "."


def _heading(line: str) -> str | None:
    """The section that a docstring's line begins: `What it does`, `What it does: …` or `## What it does`."""
    title = line.partition(":")[0].lstrip("#").strip()
    return title if title in HEADINGS and not line.startswith((" ", "\t")) else None


def sections(entry: Entry) -> dict[str, str]:
    """The docstring's sections by heading."""
    found: dict[str, list[str]] = {}
    current: list[str] | None = None
    for line in (inspect.getdoc(entry.rule) or "").split("\n"):
        title = _heading(line)
        if title is not None:
            current = found.setdefault(title, [])
            if rest := line.partition(":")[2].strip():
                current.append(rest)
        elif current is not None:
            current.append(line)
    return {title: inspect.cleandoc("\n".join(lines)).strip("\n") for title, lines in found.items()}


def outcomes(entry: Entry) -> list[tuple[str, str]]:
    """What the rule claims for each frontend, versions spelled out."""
    rows: list[tuple[str, str]] = []
    for frontend in FRONTENDS:
        claimed = entry.rule.outcomes.get(frontend)
        if claimed is None:
            continue
        if isinstance(claimed, Since):
            parts = [f"{o} since {version_text(v)}" for v, o in claimed.steps]
            rows.append((frontend, ", ".join(parts)))
        else:
            rows.append((frontend, str(claimed)))
    return rows


def one_line(entry: Entry) -> str:
    """For the list of all rules."""
    return f"{entry.code}  {entry.name}" + ("" if entry.default else "  (off by default)")


def as_text(entry: Entry) -> str:
    """The rule for a terminal."""
    lines = [one_line(entry), "", summary(entry), ""]
    for title, text in sections(entry).items():
        lines += [title, *(f"    {line}".rstrip() for line in text.split("\n")), ""]
    if rows := outcomes(entry):
        lines += ["Outcomes", *(f"    {frontend:10} {outcome}" for frontend, outcome in rows), ""]
    if entry.rule.graph_breaks:
        lines += ["Graph breaks", *(f"    {gb}  {graph_break_url(gb)}" for gb in entry.rule.graph_breaks), ""]
    for kind, example in _examples(entry):
        title = f"{kind}: {example.title}" if example.title else kind
        lines += [title, *(f"    {line}".rstrip() for line in example.source.strip("\n").split("\n")), ""]
    return "\n".join(lines)


def as_json(entry: Entry) -> dict[str, Any]:
    """The rule for programs."""
    return {
        "code": entry.code,
        "name": entry.name,
        "default": entry.default,
        "summary": summary(entry),
        "sections": sections(entry),
        "outcomes": dict(outcomes(entry)),
        "graph_breaks": list(entry.rule.graph_breaks),
        "examples": [{"kind": kind.lower(), "title": e.title, "source": e.source} for kind, e in _examples(entry)],
        "url": url(entry.code),
    }


def _examples(entry: Entry) -> list[tuple[str, Bad | Good]]:
    return [("Flagged" if isinstance(e, Bad) else "Not flagged", e) for e in entry.rule.examples]
