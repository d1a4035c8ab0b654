"""What is known of generated kernels and of the graphs that they compute, in words. What no GPU and no clock has shown
is marked `predicted`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from capture_lsp.formats.probe.cost_words import figure, milliseconds, times

if TYPE_CHECKING:
    from runtime_probe.report import Entry, GraphCost, Kernel, Skip

#: Which pass of a graph a kernel is of.
BACKWARD = "backward"


def scaled(value: float, unit: str) -> str:
    """`1.54 MB`"""
    for size, letter in ((1e15, "P"), (1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")):
        if abs(value) >= size:
            return f"{figure(value / size)} {letter}{unit}"
    return f"{figure(value)} {unit}"


def of_graph(cost: GraphCost) -> str:
    """`12 launches eagerly → 3 kernels · 1.2 MB → 400 kB · 3.1 MFLOP · predicted 2.10× on h100`"""
    return in_total([cost])


def in_total(costs: Sequence[GraphCost]) -> str:
    """The same of all graphs, whose predictions are a range: `predicted 1.40–2.10× on h100`; empty where there are
    none."""
    if not costs:
        return ""
    eager, kernels = sum(cost["eager_launches"] for cost in costs), sum(cost["fused_launches"] for cost in costs)
    moved = (sum(cost["eager_bytes"] for cost in costs), sum(cost["fused_bytes"] for cost in costs))
    found = [
        f"{_launches(eager)} eagerly → {kernels:,} kernel{'s' * (kernels != 1)}",
        f"{scaled(moved[0], 'B')} → {scaled(moved[1], 'B')}",
    ]
    if flops := sum(cost["flops"] for cost in costs):
        found.append(scaled(flops, "FLOP"))
    predicted = [cost["predicted_ratio"] for cost in costs if cost["predicted_ratio"] is not None]
    if predicted:
        low, high = times(min(predicted)), times(max(predicted))
        shown = high if low == high else f"{low.rstrip('×')}–{high}"
        found.append(f"predicted {shown} on {costs[0]['target']}")
    return " · ".join(found)


def time_of(kernel: Kernel) -> str:
    """`measured 12.1 µs`, `predicted 9.8 µs`, or both."""
    known = (("measured", kernel["measured_us"]), ("predicted", kernel["predicted_us"]))
    return ", ".join(f"{word} {milliseconds(value / 1000)}" for word, value in known if value is not None)


def made(kernel: Kernel) -> str:
    """What the compiler of the target said: `PTX, 32 registers`."""
    if kernel["ptx"] is None:
        return ""
    found = ["PTX" if kernel["ptx"] else "no PTX"]
    if kernel["registers"] is not None:
        found.append(f"{kernel['registers']} registers")
    if kernel["spills"]:
        found.append(f"{kernel['spills']} spilled")
    return ", ".join(found)


def language(kernel: Kernel) -> str:
    return {"triton": "Triton", "cpp": "C++", "extern": "library"}.get(kernel["language"], kernel["language"])


def skip(one: Skip) -> str:
    """`x: reason`, marked where it was not observed."""
    subject = f"{one['subject']}: " if one["subject"] else ""
    return f"{subject}{one['reason']}{' (predicted)' if one['predicted'] else ''}"


def targets(entry: Entry) -> list[str]:
    """What the kernels were generated for."""
    return list(dict.fromkeys(kernel["target"] for kernel in entry["kernels"] or ()))


def _launches(number: int) -> str:
    return f"{number:,} launch{'es' * (number != 1)}"
