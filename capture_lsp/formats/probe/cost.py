"""What an entry costs, for a terminal: times, what each break takes away, and the settings that were tried."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from capture_lsp.formats.probe import cost_words as words
from capture_lsp.formats.probe.table import table
from capture_lsp.formats.style import Style, printable

if TYPE_CHECKING:
    from runtime_probe.report import Entry, Setting, Timing, Without

_WIDEST = 72


def section(entry: Entry, style: Style) -> list[str]:
    """The rows of everything that was measured, without their indentation; none where nothing was."""
    timing, settings = entry["timing"], entry["settings"]
    found: list[str] = []
    if timing is not None:
        found += _timing(timing, words.file_of(entry), style)
    if settings:
        found += ["", *_settings(settings, style)] if found else _settings(settings, style)
    return [style.paint("what it costs", "cyan"), *("   " + row if row else "" for row in found)] if found else []


def _timing(timing: Timing, path: str, style: Style) -> list[str]:
    colour = {"faster": "green", "slower": "red"}.get(timing["verdict"])
    call = words.call(timing)
    shown = [*call[:-1], style.paint(style.plain(call[-1]), colour) if colour else call[-1]]
    found = [style.plain(" · ").join(style.plain(part) for part in shown)]
    if rows := words.pays_off(timing):
        found.append(style.plain(" · ".join(rows)))
    if timing["rounds"]:
        found.append(style.paint(style.plain(words.how_measured(timing)), "dim"))
    if timing["message"]:
        found.append(style.plain(printable(timing["message"])))
    if timing["without"]:
        variants = [_row(timing, one, path) for one in timing["without"]]
        found += table(("", "", "", ""), variants, style, _WIDEST)[1:]  # each row says what it is
        found += [
            f"{words.lines(one['breaks'], path)}: {style.plain(printable(one['message']))}"
            for one in timing["without"]
            if one["message"]
        ]
    return found


def _row(timing: Timing, one: Without, path: str) -> list[str]:
    gain = one["gain"]
    shown = f"gain {words.interval(gain, one['gain_low'], one['gain_high'])}" if gain is not None else ""
    return [words.without(one, path), words.change(timing, one), shown, words.how(one)]


def _settings(settings: Sequence[Setting], style: Style) -> list[str]:
    """In the order of the report, which is that of the measured times."""
    rows = [
        [
            one["arguments"] or "as it is",
            words.speedup(one),
            words.seconds(one["cold_s"]) if one["cold_s"] is not None else "",
        ]
        for one in settings
    ]
    head = ("torch.compile(…)" if style.unicode else "torch.compile(...)", "", "first call")
    reasons = [(one["arguments"] or "as it is", one["message"]) for one in settings if one["message"]]
    return table(head, rows, style) + [f"{name}: {style.plain(printable(why))}" for name, why in reasons]
