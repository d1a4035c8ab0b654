"""One line a finding: `path:line:column: CODE message`."""

from __future__ import annotations

from analyzer.finding import FileError
from capture_lsp.formats.probe.cost_words import of_finding
from capture_lsp.formats.style import Style, printable
from capture_lsp.notebook import locate
from capture_lsp.paths import display
from capture_lsp.results import FileResult, RunResult


def render(result: RunResult, cwd: str, style: Style) -> str:
    lines = []
    for file in result.files:
        for finding in file.findings:
            place = position(file, finding.line, finding.column, cwd)
            code = style.severity(finding.code, finding.severity)
            costs = f" ({of_finding(finding.cost)})" if finding.cost is not None else ""
            lines.append(f"{style.paint(place, 'bold')}: {code} {style.plain(printable(finding.message) + costs)}")
    lines += error_lines(result.all_errors(), cwd, style)
    return "".join(line + "\n" for line in lines)


def position(file: FileResult, line: int, column: int, cwd: str) -> str:
    """`path:line:column`, with the cell of a notebook before the line."""
    shown = printable(display(file.path, cwd))
    if file.cells:
        cell, line = locate(file.cells, line)
        return f"{shown}:cell {cell}:{line}:{column}"
    return f"{shown}:{line}:{column}"


def error_lines(errors: list[FileError], cwd: str, style: Style) -> list[str]:
    """One line for each file that could not be checked, or not wholly."""
    return [
        f"{style.paint(printable(display(e.path, cwd)), 'bold')}:{e.line}: "
        f"{style.paint('error', 'red')}: {style.plain(printable(e.message))} [{e.kind}]"
        for e in errors
    ]
