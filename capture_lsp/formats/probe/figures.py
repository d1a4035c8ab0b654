"""What became of an entry, in one line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capture_lsp.formats.probe import cost_words
from capture_lsp.formats.probe.words import breaks_of
from capture_lsp.formats.style import counted
from capture_lsp.probe.frames import first_frames

if TYPE_CHECKING:
    from runtime_probe.report import Entry


def figures(entry: Entry) -> str:
    """`3 graphs · 2 breaks · 14 guards · recompiles on x.shape[0] · 1.31× (1.79× without breaks)`."""
    frames = first_frames(entry)
    parts = [counted(sum(len(f["graphs"]) for f in frames), "graph"), counted(len(breaks_of(entry)), "break")]
    if any(frame["skipped"] for frame in frames):
        parts.append("runs eagerly")
    parts.append(counted(sum(len(f["guards"]) for f in frames), "guard"))
    if entry["recompiles"]:
        dimensions = dict.fromkeys(one["dimension"] for one in entry["recompiles"] if one["dimension"])
        parts.append(f"recompiles on {', '.join(dimensions)}" if dimensions else "recompiles")
    if cost := cost_words.in_short(entry):
        parts.append(cost)
    return " · ".join(parts)
