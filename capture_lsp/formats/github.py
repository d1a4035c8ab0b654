"""Workflow commands of GitHub Actions, which become annotations: one line a finding."""

from __future__ import annotations

from analyzer.finding import Finding
from capture_lsp.formats.details import cell, details
from capture_lsp.formats.style import printable
from capture_lsp.paths import display
from capture_lsp.results import FileResult, RunResult

_LEVELS = {"error": "error", "warning": "warning", "info": "notice", "hint": "notice"}


def render(result: RunResult, cwd: str) -> str:
    """The commands."""
    lines = [_finding(file, f, cwd) for file in result.files for f in file.findings]
    for error in result.all_errors():
        where: dict[str, str | int] = {"file": display(error.path, cwd), "line": max(1, error.line)}
        where["title"] = f"not checked ({error.kind})"
        lines.append(command("error", where, printable(error.message)))
    return "".join(line + "\n" for line in lines)


def _finding(file: FileResult, f: Finding, cwd: str) -> str:
    where: dict[str, str | int] = {"file": display(file.path, cwd)}
    if not file.cells:
        where.update(line=f.line, endLine=f.end_line)
        if f.line == f.end_line:  # columns are of one line
            where.update(col=f.column, endColumn=max(f.column, f.end_column - 1))
    where["title"] = f"{f.code} {f.name}"
    message = ": ".join(part for part in (cell(file, f), printable(f.message)) if part)
    return command(_LEVELS[f.severity], where, "\n".join([message, *details(file, f, cwd)]))


def command(name: str, properties: dict[str, str | int], message: str) -> str:
    """One workflow command."""
    written = ",".join(f"{key}={_property(str(value))}" for key, value in properties.items())
    return f"::{name} {written}::{_data(message)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
