"""What was measured of a probed function, and what fixing a finding brings, as Markdown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer.finding import Cost
from capture_lsp.formats.probe import cost_words, kernel_words
from capture_lsp.server import markdown

if TYPE_CHECKING:
    from runtime_probe.report import Entry, Timing

_MOST_VARIANTS = 6


def has_cost(entry: Entry) -> bool:
    """Whether there is something to show."""
    return entry["timing"] is not None or bool(entry["kernels"]) or bool(entry["settings"])


def in_an_editor(message: str) -> str:
    """A message that names an option of the command line, with the setting in its place."""
    return message.replace("--budget", "the setting probe.budget")


def in_short(entry: Entry) -> list[str]:
    """Paragraphs of a hover: times, what each break takes away, and how much was fused."""
    found = []
    timing = entry["timing"]
    if timing is not None:
        found.append(" · ".join(cost_words.call(timing)))
        if rows := cost_words.pays_off(timing):
            found.append(" · ".join(rows))
        if timing["message"]:
            found.append(markdown.plain(in_an_editor(timing["message"])))
        if timing["without"]:
            found.append("\n".join(_variants(timing, cost_words.file_of(entry))))
    if fused := kernel_words.in_total(entry["graph_costs"] or ()):
        found.append(fused)
    return found


def _variants(timing: Timing, path: str) -> list[str]:
    rows = [f"- {cost_words.without(one, path)}: {cost_words.change(timing, one)}" for one in timing["without"]]
    left = len(rows) - _MOST_VARIANTS
    return rows if left <= 0 else [*rows[:_MOST_VARIANTS], f"- … and {left} more (Show report has all)"]


def of_finding(found: Cost) -> str:
    """`fixing this: 1.31× → 1.58× (measured), gain 1.21× (1.15–1.27)`"""
    words = cost_words.of_finding(found)
    if found.verdict not in ("faster", "slower"):
        return words
    return f"{words}, gain {cost_words.interval(found.gain, found.low, found.high)}"
