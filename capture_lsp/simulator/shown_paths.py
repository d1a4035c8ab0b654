"""Paths as the page shows them: those of the program relative to its folder, those of packages without where they are
installed. A page is sent to others."""

from __future__ import annotations

import os
import re
from typing import Any

from capture_lsp.paths import display, inside

_PACKAGES = re.compile(r"[^\s\"'(<]*[\\/](?:site|dist)-packages[\\/]")
#: Fields that are shown as they are.
_VERBATIM = frozenset({"source", "inputs_text"})


def shown_paths(value: Any, base: str) -> Any:
    """A part of a survey or a run with all its paths as they are shown. `base`: the folder of what is the user's."""
    if isinstance(value, str):
        return _PACKAGES.sub("site-packages/", value.replace(base.rstrip(os.sep) + os.sep, ""))
    if isinstance(value, list):
        return [shown_paths(item, base) for item in value]
    if not isinstance(value, dict):
        return value
    found: dict[str, Any] = {}
    for key, item in value.items():
        if key == "path" and isinstance(item, str):
            found[key] = _path(item, base)
        elif key in ("lines", "evaluated") and isinstance(item, dict):
            found[key] = {_path(path, base): inner for path, inner in item.items()}
        else:
            found[key] = item if key in _VERBATIM else shown_paths(item, base)
    return found


def _path(path: str, base: str) -> str:
    return display(path, base) if inside(path, base) else _PACKAGES.sub("site-packages/", display(path, base))
