"""One line for each break and each frontend that refuses or is wrong: `path:line:column: what`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capture_lsp.formats.probe.words import breaks_of, frontend_name, function_name, outcome_words, place, short, wrong
from capture_lsp.formats.style import Style, printable
from capture_lsp.paths import display

if TYPE_CHECKING:
    from runtime_probe.report import Entry, Error, Report


def render(report: Report, cwd: str, style: Style) -> str:
    lines = [line for entry in report["entries"] for line in _entry(entry, cwd, style)]
    lines += [error_line(error, cwd, style) for error in report["errors"]]
    return "".join(line + "\n" for line in lines)


def _entry(entry: Entry, cwd: str, style: Style) -> list[str]:
    lines = []
    where = style.paint(printable(entry["target"]), "bold")
    if entry["status"] != "ok":
        lines.append(f"{where}: {style.paint(entry['status'], 'red')}: {style.plain(printable(entry['message']))}")
    for found in breaks_of(entry):
        at = place(found["path"], found["line"], cwd, found["column"]) or printable(entry["target"])
        identifier = style.severity(found["graph_break"] or "break", "warning")
        lines.append(f"{style.paint(at, 'bold')}: {identifier} {style.plain(short(found['reason']))}")
    for frame in entry["frames"]:
        if frame["skipped"] and not frame["breaks"]:
            at = place(frame["path"], frame["line"], cwd)
            reason = short(frame["skip_reason"] or "skipped")
            lines.append(f"{style.paint(at, 'bold')}: {style.severity('eager', 'error')} {style.plain(reason)}")
    for recompile in entry["recompiles"]:
        at = place(recompile["path"], recompile["line"], cwd)
        text = f"{function_name(recompile['function'])}, call {recompile['call'] + 1}: {short(recompile['guard'])}"
        limit = " (limit reached)" if recompile["limit_reached"] else ""
        label = style.severity("recompiles", "warning")
        lines.append(f"{style.paint(at, 'bold')}: {label} {style.plain(printable(text))}{limit}")
    for frontend, verdict in wrong(entry):
        at = place(verdict["path"], verdict["line"], cwd) or printable(entry["target"])
        level = style.severity(outcome_words(verdict["outcome"]), _level(verdict["outcome"]))
        message = style.plain(short(verdict["message"]))
        lines.append(f"{style.paint(at, 'bold')}: {frontend_name(frontend)} {level}: {message}")
    return lines


def _level(outcome: str) -> str:
    return "error" if outcome == "silently_wrong" else "warning"


def error_line(error: Error, cwd: str, style: Style) -> str:
    """A target that could not be probed at all."""
    where = style.paint(printable(display(error["path"], cwd)), "bold")
    return f"{where}: {style.paint('error', 'red')}: {style.plain(printable(error['message']))} [{error['kind']}]"
