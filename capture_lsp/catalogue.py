"""Every code that can be reported: the analyzer's rules and those that stand outside them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

#: Where the generated pages of `docs/rules` are published.
DOCS_URL = "https://github.com/capture-lsp/capture-lsp/blob/main/docs/rules/"


@dataclass(frozen=True)
class Entry:
    """One code. `rule` is the class that describes it."""

    code: str
    name: str
    default: bool
    rule: Any


@lru_cache(maxsize=1)
def entries() -> tuple[Entry, ...]:
    """All of them, by code."""
    from analyzer.registry import all_rules
    from analyzer.rules.cap599_unpredicted_graph_break import UnpredictedGraphBreak
    from analyzer.suppress import ExpiredSuppression, UnusedSuppression

    rules: list[Any] = [UnusedSuppression, ExpiredSuppression, UnpredictedGraphBreak, *all_rules()]
    found = [Entry(r.code, r.name, r.default, r) for r in rules]
    return tuple(sorted(found, key=lambda entry: entry.code))


def url(code: str) -> str:
    """The page about a rule."""
    return f"{DOCS_URL}{code}.md"


def graph_break_url(identifier: str) -> str:
    """The page of PyTorch's graph break registry about one kind of graph break."""
    return f"https://meta-pytorch.org/compile-graph-break-site/gb/{identifier.lower()}.html"
