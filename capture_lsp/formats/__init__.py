"""Output formats: each turns a `RunResult` into text. `render` chooses one."""

from __future__ import annotations

import importlib
from collections import Counter

from capture_lsp.formats.style import Style
from capture_lsp.results import RunResult

#: Formats with a module each, for the services that show them.
_FOR_SERVICES = frozenset({"sarif", "github", "gitlab", "junit", "markdown"})


def render(result: RunResult, form: str, cwd: str, style: Style, statistics: bool = False) -> str:
    """The whole output of a check in a format; `statistics`: with the number of findings of each rule, where the format
    has a place for it."""
    if form == "json":
        from capture_lsp.formats import json_format

        return json_format.render(result, cwd, count(result) if statistics else None)
    result = result.shown()
    if form in _FOR_SERVICES:
        module = importlib.import_module(f"capture_lsp.formats.{form}")
        return str(module.render(result, cwd))
    if form == "concise":
        from capture_lsp.formats import concise

        text = concise.render(result, cwd, style)
    else:
        from capture_lsp.formats import full

        text = full.render(result, cwd, style)
    if statistics:
        text += "".join(f"{number:6}  {code}  {name}\n" for (code, name), number in count(result))
    return text


def count(result: RunResult) -> list[tuple[tuple[str, str], int]]:
    """((code, name), number of findings), the most frequent first."""
    counted = Counter((f.code, f.name) for file in result.files for f in file.findings)
    return sorted(counted.items(), key=lambda item: (-item[1], item[0]))
