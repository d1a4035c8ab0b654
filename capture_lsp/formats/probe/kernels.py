"""The generated kernels of an entry, for a terminal: of each graph, why neighbours are not one kernel, what has none,
and what keeps CUDA graphs away."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from capture_lsp.formats.probe import kernel_words as words
from capture_lsp.formats.probe.table import table
from capture_lsp.formats.probe.words import place
from capture_lsp.formats.style import Style, counted, printable

if TYPE_CHECKING:
    from runtime_probe.report import Entry, GraphCost, Kernel

_HEAD = ("kernel", "language", "lines", "launches", "bytes", "flop", "time", "")
#: The JSON format has all of them.
_MOST_KERNELS = 40
_MOST_REASONS = 12
_WIDEST_REASON = 160
#: What takes no kernel anyway.
_PLAIN_WHYS = ("input", "output")


def section(entry: Entry, cwd: str, style: Style) -> list[str]:
    """The rows without their indentation; none where no kernels were asked for."""
    kernels, skips = entry["kernels"], entry["cudagraphs"] or []
    found: list[str] = []
    if kernels is not None:
        costs = {cost["graph"]: cost for cost in entry["graph_costs"] or ()}
        numbers = dict.fromkeys([*costs, *(kernel["graph"] for kernel in kernels)])
        for number in sorted(numbers, key=lambda n: (n is None, n)):
            own = [kernel for kernel in kernels if kernel["graph"] == number]
            found += _graph(number, costs.get(number) if number is not None else None, own, style)
    if skips:
        found.append("CUDA graphs would not be used" if all(s["predicted"] for s in skips) else "CUDA graphs not used")
        for one in skips:
            at = place(one["path"], one["line"], cwd)
            found.append(f"   graph {one['graph']}  {_plain(words.skip(one), style)}{f'  {at}' if at else ''}")
    for error in entry["kernel_errors"]:
        at = place(error["path"], error["line"], cwd)
        found.append(
            f"{style.paint(at, 'bold')}  {style.severity('error', 'error')}  {_plain(error['message'], style)}"
        )
    head = [f"kernels for {', '.join(words.targets(entry))}"] if words.targets(entry) else ["kernels"]
    return [style.paint(head[0], "cyan"), *("   " + row for row in found)] if found else []


def _graph(number: int | None, cost: GraphCost | None, kernels: Sequence[Kernel], style: Style) -> list[str]:
    name = f"graph {number}" if number is not None else "kernels of the program's own"
    lines = [f"{name}  {style.plain(words.of_graph(cost))}" if cost is not None else name]
    shown = kernels[:_MOST_KERNELS]
    if shown:
        lines += ["   " + row for row in table(_HEAD, [_row(kernel) for kernel in shown], style)]
    lines += _more(len(kernels) - len(shown), "kernel", style)
    reasons = [
        f"{kernel['name']} not fused with {one['with'] or 'others'}: {one['why']}"
        for kernel in kernels
        for one in kernel["not_fused_because"]
    ]
    unmapped = cost["unmapped"] if cost is not None else []
    reasons += [f"{one['node']}: no kernel: {one['why']}" for one in unmapped if one["why"] not in _PLAIN_WHYS]
    lines += ["   " + _plain(row, style) for row in reasons[:_MOST_REASONS]]
    return lines + _more(len(reasons) - _MOST_REASONS, "reason", style)


def _row(kernel: Kernel) -> list[str]:
    backward = f", {words.BACKWARD}" if kernel["backward"] else ""
    return [
        kernel["name"],
        words.language(kernel) + backward,  # not behind the name, which may be cut
        ", ".join(f"{os.path.basename(path)}:{rows}" for path, rows in kernel["lines"].items()),
        str(kernel["launches"]),
        words.scaled(kernel["bytes"], "B"),
        words.scaled(kernel["flops"], "") if kernel["flops"] else "",
        words.time_of(kernel),
        words.made(kernel),
    ]


def _more(left: int, noun: str, style: Style) -> list[str]:
    if left <= 0:
        return []
    return [style.paint(style.plain(f"   … and {counted(left, noun)} more (--output-format json has all)"), "dim")]


def _plain(text: str, style: Style) -> str:
    shown = printable(" ".join(text.split()))
    return style.plain(shown if len(shown) <= _WIDEST_REASON else shown[: _WIDEST_REASON - 1] + "…")
