"""Patterns of paths, as in .gitignore."""

from __future__ import annotations

import os
from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING

from capture_lsp.paths import inside

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec


class Patterns:
    """Patterns as in .gitignore, relative to a folder. Plain names, the usual case, need no pattern matcher."""

    def __init__(self, folder: str, patterns: Iterable[str]) -> None:
        self.folder = folder
        listed = list(patterns)
        self._names = frozenset(p for p in listed if not set(p) & set("*?[]!/\\# "))
        self._rest = tuple(p for p in listed if p not in self._names)

    def excludes(self, path: str, folder: bool) -> bool:
        name = os.path.basename(path)
        if name in self._names:
            return True
        return bool(self._rest) and decide(compiled(self._rest), self._relative(path), folder) is True

    def excludes_within(self, path: str) -> bool:
        """Whether a file, or a folder that it lies in below ours, is excluded."""
        if not inside(path, self.folder):
            return self.excludes(path, False)
        place, is_folder = path, False
        while place != self.folder and inside(place, self.folder):
            if self.excludes(place, is_folder):
                return True
            place, is_folder = os.path.dirname(place), True
        return False

    def _relative(self, path: str) -> str:
        if inside(path, self.folder) and path != self.folder:
            return path[len(self.folder.rstrip(os.sep)) + 1 :]
        return os.path.basename(path)


@lru_cache(maxsize=256)
def compiled(patterns: tuple[str, ...]) -> GitIgnoreSpec:
    """The matcher of the lines of a .gitignore."""
    from pathspec import GitIgnoreSpec

    return GitIgnoreSpec.from_lines(patterns)


def decide(spec: GitIgnoreSpec, relative: str, folder: bool) -> bool | None:
    """True: ignored, False: explicitly not ignored, None: no pattern says anything."""
    return spec.check_file(relative.replace(os.sep, "/") + ("/" if folder else "")).include
