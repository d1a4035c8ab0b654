"""How paths are compared and shown."""

from __future__ import annotations

import contextlib
import os


def absolute(path: str, base: str) -> str:
    """An absolute, normalised path; symbolic links are left alone, so that what was named is what is shown."""
    return os.path.normpath(os.path.join(base, os.path.expanduser(path)))


def repository(folder: str) -> str | None:
    """The top of the git repository that a folder lies in, for a submodule that of the outer one; None outside."""
    found = None
    for place in ancestors(folder):
        mark = os.path.join(place, ".git")
        if os.path.exists(mark):
            found = place
            if not _of_submodule(mark):
                break
    return found


def _of_submodule(mark: str) -> bool:
    """Whether a `.git` is the file by which a submodule names its part of the outer repository."""
    try:
        with open(mark, encoding="utf-8", errors="replace") as stream:
            head, _, place = stream.read(4096).partition("gitdir:")
    except OSError:  # a folder
        return False
    return not head.strip() and "/modules/" in place.replace("\\", "/")


def inside(path: str, folder: str) -> bool:
    """Whether `path` is `folder` or lies in it."""
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)


def as_in(path: str, folder: str) -> str:
    """A path that leads into a folder by way of other symbolic links than the folder's own, as the folder names it."""
    if not os.path.isabs(path) or inside(path, folder):
        return path
    real, top = os.path.realpath(path), os.path.realpath(folder)
    return os.path.normpath(os.path.join(folder, os.path.relpath(real, top))) if inside(real, top) else path


def display(path: str, cwd: str) -> str:
    """Relative to the working directory with `/`; absolute outside it."""
    path = as_in(path, cwd)
    if path != cwd and inside(path, cwd):
        path = path[len(cwd.rstrip(os.sep)) + 1 :]
    return path.replace(os.sep, "/") if os.sep != "/" else path


def relative(path: str, folder: str) -> str:
    """Relative to a folder with `/`, with `..` outside it: the same wherever the project lies."""
    path = as_in(path, folder)
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
