"""The keywords, modes, backends and configuration names that capture APIs know, as data (`capture_apis.tsv`).

Each name has the first and the last release that has it, of those that `benchmarks/knowledge/capture_names.py` read.
"""

from __future__ import annotations

import difflib
from functools import cache
from importlib import resources

from analyzer.knowledge.versions import MEASURED, Version, version

#: Removed functions → the version that removed them and what to use.
REMOVED: dict[str, tuple[tuple[int, int], str]] = {
    "torch.onnx.dynamo_export": ((2, 9), "torch.onnx.export(..., dynamo=True)"),
    "torch.export.export_for_training": ((2, 11), "torch.export.export"),
    "torch._export.capture_pre_autograd_graph": ((2, 7), "torch.export.export"),
}


#: Later than any release.
_NEVER: Version = (99, 0)


@cache
def _rows() -> dict[tuple[str, str], dict[str, tuple[Version, Version]]]:
    text = resources.files(__package__).joinpath("capture_apis.tsv").read_text(encoding="utf-8")
    found: dict[tuple[str, str], dict[str, tuple[Version, Version]]] = {}
    for line in text.splitlines():
        if line.startswith(("#", "kind\t")) or not line:
            continue
        kind, owner, name, since, last = line.split("\t")
        found.setdefault((kind, owner), {})[name] = (version(since), version(last) if last else _NEVER)
    return found


def names(kind: str, owner: str, torch: Version = MEASURED) -> frozenset[str]:
    """The names of one kind that a release knows; empty if nothing is recorded about the owner."""
    return frozenset(n for n, (since, last) in _rows().get((kind, owner), {}).items() if since <= torch <= last)


def elsewhere(kind: str, owner: str, name: str, torch: Version) -> str:
    """` (new in torch 2.7)` or ` (gone since torch 2.9)` of a name that another release knows, else an empty text."""
    span = _rows().get((kind, owner), {}).get(name)
    if span is None or span[0] <= torch <= span[1]:
        return ""
    since, (major, minor) = span
    return f" (new in torch {since[0]}.{since[1]})" if torch < since else f" (gone since torch {major}.{minor + 1})"


def closest(name: str, known: frozenset[str]) -> str:
    """` (did you mean …?)` for a likely slip, else an empty text."""
    found = difflib.get_close_matches(name, sorted(known), 1, 0.75)
    return f" (did you mean `{found[0]}`?)" if found else ""
