"""What a rule says of itself, from its class: docstring headings, outcomes, examples."""

from __future__ import annotations

import inspect
from typing import Any

from analyzer.knowledge.versions import EXPORT_NOT_STRICT, FIRST_REGISTRY, MEASURED, first_release
from analyzer.outcome import FRONTENDS, STRICT, Outcome, strictly
from analyzer.rule import Bad, Good, Rule, Since
from capture_lsp.catalogue import Entry, graph_break_url, url
from capture_lsp.torch_versions import text as version_text

Steps = tuple[tuple[tuple[int, int], Outcome], ...]
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
        text = _by_release(claimed.steps) if isinstance(claimed, Since) else str(claimed)
        if frontend == "export":
            text = _with_strict(entry.rule, text)
        rows.append((frontend, text))
    return rows


def _by_release(steps: Steps) -> str:
    """`refused before 2.10, captured since 2.10`."""
    (_, first), *later = steps
    told = [f"{first} before {version_text(later[0][0])}"]
    return ", ".join([*told, *(f"{outcome} since {version_text(v)}" for v, outcome in later)])


def _with_strict(rule: type[Rule], text: str) -> str:
    """torch.export was strict by default before 2.8, and is so where it is told to."""
    claims = rule.claims(MEASURED)
    strict = rule.strict_export or claims.get("fullgraph")
    if strict is None or strict not in STRICT or (told := strictly(claims["export"], strict)) == claims["export"]:
        return text
    return f"{_by_release((((2, 6), told), (EXPORT_NOT_STRICT, claims['export'])))}; with `strict=True` {told}"


def id_since(gb: str) -> str:
    """` (since torch 2.12)` for an id that the first releases with a registry do not have."""
    since = first_release(gb)
    return f" (since torch {version_text(since)})" if since is not None and since > FIRST_REGISTRY else ""


def history(entry: Entry) -> list[tuple[str, str]]:
    """(release, what Dynamo does not trace before it), for rules whose claims stand in a table of releases."""
    found: dict[tuple[int, int], list[str]] = {}
    tell = getattr(entry.rule, "history", tuple)  # the entry on unused suppressions is no Rule
    for release, what in tell():
        found.setdefault(release, []).append(what)
    return [(version_text(release), ", ".join(sorted(names))) for release, names in sorted(found.items())]


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
    if rows := history(entry):
        lines += ["Not traced before", *(f"    {release:10} {what}" for release, what in rows), ""]
    if entry.rule.graph_breaks:
        links = (f"    {gb}  {graph_break_url(gb)}{id_since(gb)}" for gb in entry.rule.graph_breaks)
        lines += ["Graph breaks", *links, ""]
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
        "not_traced_before": dict(history(entry)),
        "graph_breaks": list(entry.rule.graph_breaks),
        "examples": [{"kind": kind.lower(), "title": e.title, "source": e.source} for kind, e in _examples(entry)],
        "url": url(entry.code),
    }


def _examples(entry: Entry) -> list[tuple[str, Bad | Good]]:
    return [("Flagged" if isinstance(e, Bad) else "Not flagged", e) for e in entry.rule.examples]
