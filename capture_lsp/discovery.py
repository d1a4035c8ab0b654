"""From the paths on the command line to the files to check: folders walked, excluded and ignored files left out."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

from analyzer.finding import FileError
from capture_lsp.config.settings import Resolver, Settings
from capture_lsp.paths import absolute, ancestors, inside
from capture_lsp.patterns import Patterns, compiled, decide

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

SUFFIXES = (".py", ".ipynb")


@dataclass
class Discovery:
    """The files to check with the settings that hold for each, in a stable order, and paths that do not exist."""

    files: dict[str, Settings] = field(default_factory=dict)
    errors: list[FileError] = field(default_factory=list)


class _Ignores:
    """The .gitignore files that hold for a folder, deepest last."""

    def __init__(self, levels: tuple[tuple[str, GitIgnoreSpec], ...] = ()) -> None:
        self._levels = levels

    def enter(self, folder: str, names: Iterable[str]) -> _Ignores:
        if ".gitignore" not in names:
            return self
        spec = _gitignore(os.path.join(folder, ".gitignore"))
        return self if spec is None else _Ignores((*self._levels, (folder, spec)))

    def ignores(self, path: str, folder: bool) -> bool:
        for base, spec in reversed(self._levels):
            decided = decide(spec, path[len(base.rstrip(os.sep)) + 1 :], folder)
            if decided is not None:
                return decided
        return False


def _gitignore(path: str) -> GitIgnoreSpec | None:
    try:
        with open(path, encoding="utf-8", errors="replace") as stream:
            lines = tuple(line.rstrip("\n") for line in stream)
    except OSError:
        return None
    return compiled(lines) if any(line.strip() and not line.startswith("#") for line in lines) else None


def _levels_above(folder: str) -> tuple[_Ignores, str]:
    """The .gitignore files above a folder, up to its repository, and the repository's top (the folder if in none)."""
    above: list[str] = []
    for place in ancestors(folder):
        if place != folder:
            above.append(place)
        if os.path.exists(os.path.join(place, ".git")):
            break
    else:
        return _Ignores(), folder
    top = above[-1] if above else folder
    found = _Ignores()
    exclude = _gitignore(os.path.join(top, ".git", "info", "exclude"))
    if exclude is not None:
        found = _Ignores(((top, exclude),))
    for place in reversed(above):
        found = found.enter(place, [".gitignore"])
    return found, top


def _ignores_above(folder: str) -> _Ignores:
    """The .gitignore files that hold below a folder named outright: none from above if they ignore that folder."""
    found, top = _levels_above(folder)
    return _Ignores() if _ignored_within(folder, top, found) else found


def _ignored_within(folder: str, top: str, ignores: _Ignores) -> bool:
    return any(ignores.ignores(place, True) for place in ancestors(folder) if place != top and inside(place, top))


def discover(paths: Sequence[str], resolver: Resolver) -> Discovery:
    """The files below `paths`, each with its settings, sorted by path."""
    found: dict[str, Settings] = {}
    errors: list[FileError] = []
    for given in paths:
        path = absolute(given, resolver.cwd)
        if os.path.isdir(path):
            for file, settings in _walk(path, resolver, errors):
                found.setdefault(file, settings)
        elif os.path.lexists(path):
            settings = resolver.for_folder(os.path.dirname(path))
            if not (settings.force_exclude and excluded(path, settings)):
                found.setdefault(path, settings)
        else:
            errors.append(FileError(path, 1, "unreadable", "no such file or folder"))
    return Discovery({path: found[path] for path in sorted(found)}, errors)


def excluded(path: str, settings: Settings) -> bool:
    """Whether patterns or .gitignore leave a file out, which need not be there."""
    if _patterns(settings.base, settings.exclude + settings.extend_exclude).excludes_within(path):
        return True
    if not settings.respect_gitignore:
        return False
    folder = os.path.dirname(path)
    ignores, top = _levels_above(folder)
    return _ignored_within(folder, top, ignores) or ignores.enter(folder, [".gitignore"]).ignores(path, False)


@lru_cache(maxsize=256)
def _patterns(folder: str, patterns: tuple[str, ...]) -> Patterns:
    return Patterns(folder, patterns)


def _walk(top: str, resolver: Resolver, errors: list[FileError]) -> Iterable[tuple[str, Settings]]:
    respect = resolver.for_folder(top).respect_gitignore
    stack = [(top, _ignores_above(top) if respect else _Ignores())]
    while stack:
        folder, ignores = stack.pop()
        try:
            with os.scandir(folder) as entries:
                listed = sorted(entries, key=lambda entry: entry.name)
        except OSError as error:
            errors.append(FileError(folder, 1, "unreadable", f"cannot read the folder: {error.strerror or error}"))
            continue
        settings = resolver.for_folder(folder)
        patterns = _patterns(settings.base, settings.exclude + settings.extend_exclude)
        if settings.respect_gitignore:
            ignores = ignores.enter(folder, [entry.name for entry in listed])
        for entry in listed:
            is_folder = entry.is_dir(follow_symlinks=False)
            if not is_folder and not entry.name.endswith(SUFFIXES):
                continue
            path = entry.path
            if patterns.excludes(path, is_folder) or ignores.ignores(path, is_folder):
                continue
            if is_folder:
                if not os.path.isfile(os.path.join(path, "pyvenv.cfg")):
                    stack.append((path, ignores))
            elif entry.is_file():
                yield path, settings
