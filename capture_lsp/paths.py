"""How paths are compared and shown."""

from __future__ import annotations

import contextlib
import os


def absolute(path: str, base: str) -> str:
    """An absolute, normalised path; symbolic links are left alone, so that what was named is what is shown."""
    return os.path.normpath(os.path.join(base, os.path.expanduser(path)))


def inside(path: str, folder: str) -> bool:
    """Whether `path` is `folder` or lies in it."""
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)


def display(path: str, cwd: str) -> str:
    """Relative to the working directory with `/`; absolute outside it."""
    if path != cwd and inside(path, cwd):
        path = path[len(cwd.rstrip(os.sep)) + 1 :]
    return path.replace(os.sep, "/") if os.sep != "/" else path


def relative(path: str, folder: str) -> str:
    """Relative to a folder with `/`, with `..` outside it: the same wherever the project lies."""
    if not inside(path, folder):
        with contextlib.suppress(ValueError):  # another drive
            path = os.path.relpath(path, folder)
    return display(path, folder)


def ancestors(folder: str) -> list[str]:
    """`folder` and every folder above it, nearest first."""
    found = [folder]
    while True:
        parent = os.path.dirname(folder)
        if parent == folder:
            return found
        found.append(parent)
        folder = parent
