"""What a probe measured, in words: the terminal, lenses, hovers and messages of findings say it alike.

A difference is claimed only where the probe's verdict claims it.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterable
from typing import TYPE_CHECKING

from analyzer.finding import Cost
from capture_lsp.formats.style import counted

if TYPE_CHECKING:
    from runtime_probe.report import Entry, Location, Setting, Timing, Without

NO_DIFFERENCE = "no difference measured"
HOW = {
    "fix": "with its fix applied",
    "answered": "with the values read answered",
    "kept": "with the tensor kept, not read",
    "removed": "with the call left out",
}


def figure(value: float) -> str:
    """Three significant figures, without an exponent."""
    if abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.3g}"


def milliseconds(value: float) -> str:
    """A time given in milliseconds, in the unit that suits it."""
    if value >= 1000:
        return f"{figure(value / 1000)} s"
    return f"{figure(value)} ms" if value >= 0.1 else f"{figure(value * 1000)} µs"


def seconds(value: float) -> str:
    return milliseconds(value * 1000)


def times(value: float) -> str:
    """`1.79×`"""
    return f"{_ratio(value)}×"


def interval(value: float, low: float | None, high: float | None) -> str:
    """`1.79× (1.71–1.88)`"""
    return times(value) if low is None or high is None else f"{times(value)} ({_ratio(low)}–{_ratio(high)})"


def _ratio(value: float) -> str:
    """Two decimals, or as many as the first two figures take: what is 700 times as slow is not 0.00×."""
    return f"{value:.{max(2, 1 - math.floor(math.log10(value)))}f}" if value > 0 else f"{value:.2f}"


def speedup(one: Timing | Setting) -> str:
    """The ratio with its interval; whether there is a difference at all comes first."""
    if one["ratio"] is None:
        return one["verdict"]
    shown = interval(one["ratio"], one["low"], one["high"])
    return shown if one["verdict"] == "faster" else f"{one['verdict']}: {shown}"


def call(timing: Timing) -> list[str]:
    """`eager 1.83 ms`, `compiled 1.02 ms`, `1.79× (1.71–1.88)`."""
    known = [
        f"{name} {milliseconds(value)}"
        for name, value in (("eager", timing["eager_ms"]), ("compiled", timing["compiled_ms"]))
        if value is not None
    ]
    return [*known, speedup(timing)]


def pays_off(timing: Timing) -> list[str]:
    """What the first call takes, when that has paid for itself, and what the guards take of each call."""
    found = []
    if timing["cold_s"] is not None:
        found.append(f"first call {seconds(timing['cold_s'])}")
        if timing["break_even_calls"] is not None:
            found.append(f"pays for itself after {timing['break_even_calls']:,} calls")
        elif timing["verdict"] == "slower":
            found.append("never pays for itself")
    if timing["guards_us"] is not None:
        found.append(f"guards {milliseconds(timing['guards_us'] / 1000)} per call")
    return found


def how_measured(timing: Timing) -> str:
    """`wall clock · 2 threads · 40 rounds in 5 processes · CPU time 3.61 ms eager, 1.98 ms compiled`"""
    clock = "CUDA events" if timing["clock"] == "cuda events" else "wall clock"
    processes = f" in {timing['processes']} processes" if timing["processes"] > 1 else ""
    found = [clock, counted(timing["threads"], "thread"), counted(timing["rounds"], "round") + processes]
    if timing["eager_cpu_ms"] is not None and timing["compiled_cpu_ms"] is not None:
        eager, compiled = milliseconds(timing["eager_cpu_ms"]), milliseconds(timing["compiled_cpu_ms"])
        found.append(f"CPU time {eager} eager, {compiled} compiled")
    return " · ".join(found)


def change(timing: Timing, row: Without) -> str:
    """`1.31× → 1.58×`, or that there is no difference."""
    if row["verdict"] not in ("faster", "slower") or row["ratio"] is None or timing["ratio"] is None:
        return row["verdict"]
    slower = "slower: " if row["verdict"] == "slower" else ""
    return f"{slower}{times(timing['ratio'])} → {times(row['ratio'])}"


def lines(breaks: Iterable[Location], path: str) -> str:
    """`14 and 77`; with its file where that is not `path`."""
    shown = [str(one["line"]) if _same(one["path"], path) else _place(one) for one in breaks]
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"


def without(row: Without, path: str) -> str:
    """`without the break at 14`, `without the breaks at 14 and 77`"""
    return f"without the break{'s' * (len(row['breaks']) > 1)} at {lines(row['breaks'], path)}"


def how(row: Without) -> str:
    """What was done; several breaks may each have gone in another way, which the rows of the single ones say."""
    return "each as by itself" if len(row["breaks"]) > 1 else HOW.get(row["how"], row["how"])


def file_of(entry: Entry) -> str:
    """The file that lines without a name are of."""
    first = next(iter(entry["frames"]), None)
    return first["path"] if first is not None else entry["target"].partition("::")[0]


def in_short(entry: Entry) -> str:
    """`1.31× (1.79× without breaks)`, for a lens; empty where nothing was measured."""
    timing = entry["timing"]
    if timing is None or timing["verdict"] == "not measured":
        return ""
    if timing["ratio"] is None or timing["verdict"] == NO_DIFFERENCE:
        head = NO_DIFFERENCE
    else:
        head = times(timing["ratio"])
    best = _of_all(entry, timing)
    if best is None or best["ratio"] is None or best["verdict"] not in ("faster", "slower"):
        return head
    return f"{head} ({times(best['ratio'])} without breaks)"


def _of_all(entry: Entry, timing: Timing) -> Without | None:
    """The variant that has none of the breaks."""
    every = {(one["path"], one["line"]) for frame in entry["frames"] for one in frame["breaks"]}
    return next((row for row in timing["without"] if {(b["path"], b["line"]) for b in row["breaks"]} >= every), None)


def of_cost(cost: Cost) -> str:
    """`1.31× → 1.58×`, or that there is no difference."""
    if cost.verdict not in ("faster", "slower"):
        return NO_DIFFERENCE
    slower = "slower, " if cost.verdict == "slower" else ""
    return f"{slower}{times(cost.before)} → {times(cost.after)}"


def of_finding(cost: Cost) -> str:
    """`fixing this: 1.31× → 1.58× (measured)`"""
    measured = " (measured)" if cost.verdict in ("faster", "slower") else ""
    return f"fixing this: {of_cost(cost)}{measured}"


def _place(one: Location) -> str:
    return f"{os.path.basename(one['path'])}:{one['line']}"


def _same(one: str, other: str) -> bool:
    return one == other or os.path.realpath(one) == os.path.realpath(other)
