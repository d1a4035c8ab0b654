"""Which lines of a captured function are predicted to go into which graph."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from analyzer.finding import Finding
from capture_lsp.probe.functions import Function


@dataclass(frozen=True)
class Island:
    """The graph of this number holds these lines; `until`: the finding that ends it."""

    number: int
    first: int
    last: int
    until: Finding | None


def breaking(findings: Iterable[Finding], label: str, frontends: Iterable[str]) -> list[Finding]:
    """The findings that break the graph of a root under one of its frontends, in the order of their lines."""
    used = set(frontends)
    found = [
        finding
        for finding in findings
        if label in finding.roots and any(finding.outcomes.get(name) == "graph_break" for name in used)  # type: ignore[call-overload]
    ]
    return sorted(found, key=lambda f: (f.line, f.column))


def islands(function: Function, label: str, breaks: Sequence[Finding]) -> list[Island]:
    """In the order of the lines. Empty where that is not the order of the program: for breaks that are met more than
    once, or stand in functions that are called."""
    path, _, name = label.partition("::")
    if any((f.path, f.function) != (path, name) or f.count > 1 for f in breaks):
        return []
    body = getattr(function.node, "body", [])
    statements = [node for node in body if not _is_text(node)]
    if not statements:
        return []
    found: list[Island] = []
    first, last = statements[0].lineno, function.last
    for finding in breaks:
        if finding.end_line < first and found:
            continue  # a second break of the same statement
        found.append(Island(len(found), first, finding.end_line, finding))
        first = finding.end_line + 1
    if first <= last:
        found.append(Island(len(found), first, last, None))
    return found


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
