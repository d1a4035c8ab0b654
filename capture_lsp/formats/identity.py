"""What tells one finding of a report from all others, and stays when lines move."""

from __future__ import annotations

from collections import Counter

from analyzer.finding import Finding
from capture_lsp.baseline.fingerprint import Sources
from capture_lsp.baseline.normal import hashed


class Identities:
    """The identities of a report's findings, asked for in its order: equal ones are numbered."""

    def __init__(self, sources: Sources) -> None:
        self._sources = sources
        self._seen: Counter[str] = Counter()

    def of(self, finding: Finding) -> str:
        """A hash of rule, path, function, expression and number."""
        identity = self._sources.fingerprint(finding).identity
        self._seen[identity] += 1
        return hashed(f"{identity} {self._seen[identity]}")
