"""Rules and graph breaks, explained."""

from __future__ import annotations

import difflib
import re
from typing import Any

from capture_lsp.catalogue import entries, graph_break_url
from capture_lsp.errors import UserError
from capture_lsp.rule_text import as_json

_GRAPH_BREAK = re.compile(r"GB\d{4}", re.IGNORECASE)


def explained(name: str) -> dict[str, Any]:
    """A rule by its code or name, as `capture-lsp rule --output-format json`; or a graph break's id: the rules that
    foresee it. Raises UserError."""
    every = entries()
    if _GRAPH_BREAK.fullmatch(name):
        identifier = name.upper()
        rules = [as_json(entry) for entry in every if identifier in entry.rule.graph_breaks]
        return {"graph_break": identifier, "url": graph_break_url(identifier), "rules": rules}
    found = next((e for e in every if name.upper() == e.code or name.lower() == e.name), None)
    if found is None:
        close = difflib.get_close_matches(name, [n for e in every for n in (e.code, e.name)], n=1, cutoff=0.5)
        raise UserError(f"no rule {name!r}" + (f" (did you mean {close[0]}?)" if close else ""))
    return as_json(found)
