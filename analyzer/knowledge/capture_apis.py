"""The keywords, modes, backends and configuration names that capture APIs know, as data (`capture_apis.tsv`).

The names are those of the newest torch that was measured, each with the first version that is known to have it. What an
older version had and a newer one dropped is not in the table: unknown configuration names are told for the newest only.
"""

from __future__ import annotations

import difflib
from functools import cache
from importlib import resources

NEWEST = (2, 13)
#: Removed functions → the version that removed them and what to use.
REMOVED: dict[str, tuple[tuple[int, int], str]] = {
    "torch.onnx.dynamo_export": ((2, 10), "torch.onnx.export(..., dynamo=True)"),
    "torch.export.export_for_training": ((2, 11), "torch.export.export"),
    "torch._export.capture_pre_autograd_graph": ((2, 7), "torch.export.export"),
}


@cache
def _rows() -> dict[tuple[str, str], dict[str, tuple[int, int]]]:
    text = resources.files(__package__).joinpath("capture_apis.tsv").read_text(encoding="utf-8")
    found: dict[tuple[str, str], dict[str, tuple[int, int]]] = {}
    for line in text.splitlines():
        if line.startswith(("#", "kind\t")) or not line:
            continue
        kind, owner, name, since = line.split("\t")
        major, minor = since.split(".")
        found.setdefault((kind, owner), {})[name] = (int(major), int(minor))
    return found


def names(kind: str, owner: str, torch: tuple[int, int] = NEWEST) -> frozenset[str]:
    """The names of one kind that a version knows; empty if nothing is recorded about the owner."""
    return frozenset(n for n, since in _rows().get((kind, owner), {}).items() if since <= torch)


def closest(name: str, known: frozenset[str]) -> str:
    """` (did you mean …?)` for a likely slip, else an empty text."""
    found = difflib.get_close_matches(name, sorted(known), 1, 0.75)
    return f" (did you mean `{found[0]}`?)" if found else ""
