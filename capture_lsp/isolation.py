"""Keeps the user's folders off the import path: a workspace's own `torch.py` or `libcst.py` is never imported."""

from __future__ import annotations

import os
import sys

_OWN = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def isolate() -> None:
    """Drop from `sys.path` the working directory and what PYTHONPATH names inside it.

    Installed packages stay, and so does the folder this package itself was imported from.
    """
    try:
        here = os.path.realpath(os.getcwd())
    except OSError:  # the working directory is gone
        here = None
    named = {p for p in os.environ.get("PYTHONPATH", "").split(os.pathsep) if p}
    kept = []
    for entry in sys.path:
        if entry in ("", "."):
            continue
        folder = os.path.realpath(entry)
        if folder != os.path.realpath(_OWN) and here is not None:
            inside = folder == here or folder.startswith(here.rstrip(os.sep) + os.sep)
            if folder == here or (inside and entry in named and not folder.endswith("-packages")):
                continue
        kept.append(entry)
    sys.path[:] = kept
