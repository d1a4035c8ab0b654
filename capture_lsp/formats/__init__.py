"""Output formats: each turns a `RunResult` into text. `render` chooses one."""

from __future__ import annotations

import importlib
import os
from collections import Counter
from collections.abc import Sequence

from capture_lsp.formats.style import Style
from capture_lsp.paths import repository
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
        return str(module.render(result, project_root([file.path for file in result.files], cwd)))
    if form == "concise":
        from capture_lsp.formats import concise

        text = concise.render(result, cwd, style)
    else:
        from capture_lsp.formats import full

        text = full.render(result, cwd, style)
    if statistics:
        text += "".join(f"{number:6}  {code}  {name}\n" for (code, name), number in count(result))
    return text


def project_root(paths: Sequence[str], cwd: str) -> str:
    """What services take paths to be relative to, from whichever folder a run was started: the top of the repository
    of the working directory, else of the files; without one, the working directory."""
    if (top := repository(cwd)) is not None:
        return top
    tops = {repository(folder) for folder in {os.path.dirname(path) for path in paths}}
    return (tops.pop() or cwd) if len(tops) == 1 else cwd


def count(result: RunResult) -> list[tuple[tuple[str, str], int]]:
    """((code, name), number of findings), the most frequent first."""
    counted = Counter((f.code, f.name) for file in result.files for f in file.findings)
    return sorted(counted.items(), key=lambda item: (-item[1], item[0]))
