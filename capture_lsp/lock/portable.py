"""Paths and texts that are the same on every machine."""

from __future__ import annotations

import os
import re

from capture_lsp.paths import inside

_PACKAGES = re.compile(r"[\\/](?:site|dist)-packages[\\/]")
_ADDRESS = re.compile(r"\b0x[0-9a-fA-F]{4,}\b")
#: Where in a file an input went another way: the line may move.
_AT_LINE = re.compile(r" at line \d+|, line \d+| \(line \d+\)")


def portable(path: str, root: str) -> str:
    """Relative to the project's root, with `/`; a package's file by its path in it, any other outside by its name."""
    own = next(
        (p for p in (path, os.path.realpath(path)) for r in (root, os.path.realpath(root)) if inside(p, r)), None
    )
    if own is not None:
        base = root if inside(own, root) else os.path.realpath(root)
        return own[len(base.rstrip(os.sep)) + 1 :].replace(os.sep, "/")
    packaged = _PACKAGES.search(path)
    if packaged:
        return "site-packages/" + path[packaged.end() :].replace(os.sep, "/")
    return ".../" + os.path.basename(path)


def portable_text(text: str, root: str) -> str:
    """An expression or the name of a change, without addresses, lines and the project's folder."""
    for base in dict.fromkeys((root, os.path.realpath(root))):
        text = text.replace(base.rstrip(os.sep) + os.sep, "")
    return _AT_LINE.sub("", _ADDRESS.sub("0x...", text))
