"""Rules and graph breaks, explained."""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from typing import Any

from analyzer.knowledge.versions import first_release, table_rows
from capture_lsp.catalogue import entries, graph_break_url
from capture_lsp.errors import UserError
from capture_lsp.rule_text import as_json

_GRAPH_BREAK = re.compile(r"GB\d*", re.IGNORECASE)
_NEAREST = 3


def explained(name: str) -> dict[str, Any]:
    """A rule by its code or name, as `capture-lsp rule --output-format json`; or a graph break's id: the rules that
    foresee it. Raises UserError."""
    name = name.strip()
    every = entries()
    if _GRAPH_BREAK.fullmatch(name):
        identifier = name.upper()
        if first_release(identifier) is None:
            near = _nearest(identifier, _ids(), _whole(identifier))
            raise UserError(f"no id {name!r} in PyTorch's registry of graph breaks{near}")
        rules = [as_json(entry) for entry in every if identifier in entry.rule.graph_breaks]
        return {"graph_break": identifier, "url": graph_break_url(identifier), "rules": rules}
    found = next((e for e in every if name.upper() == e.code or name.lower() == e.name), None)
    if found is None:
        coded = name[:3].upper() == "CAP"
        names = [e.code if coded else e.name for e in every]
        raise UserError(f"no rule {name!r}{_nearest(name.upper() if coded else name.lower(), names)}")
    return as_json(found)


def _ids() -> list[str]:
    return [row[0] for row in table_rows("graph_break_since.tsv")]


def _whole(identifier: str) -> str:
    """`GB0170` of `GB170`."""
    return f"GB{identifier[2:].lstrip('0'):0>4}"


def _nearest(name: str, known: Sequence[str], likely: str = "") -> str:
    close = difflib.get_close_matches(name, known, n=_NEAREST, cutoff=0.5)
    close = [likely, *close][:_NEAREST] if likely in known else close
    return f" (did you mean {' or '.join(dict.fromkeys(close))}?)" if close else ""
