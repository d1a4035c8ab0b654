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

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

SUFFIXES = (".py", ".ipynb")


@dataclass
class Discovery:
    """The files to check with the settings that hold for each, in a stable order, and paths that do not exist."""

    files: dict[str, Settings] = field(default_factory=dict)
    errors: list[FileError] = field(default_factory=list)


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
        return bool(self._rest) and _decide(_spec(self._rest), self._relative(path), folder) is True

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
def _spec(patterns: tuple[str, ...]) -> GitIgnoreSpec:
    from pathspec import GitIgnoreSpec

    return GitIgnoreSpec.from_lines(patterns)


def _decide(spec: GitIgnoreSpec, relative: str, folder: bool) -> bool | None:
    """True: ignored, False: explicitly not ignored, None: no pattern says anything."""
    return spec.check_file(relative.replace(os.sep, "/") + ("/" if folder else "")).include


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
            decided = _decide(spec, path[len(base.rstrip(os.sep)) + 1 :], folder)
            if decided is not None:
                return decided
        return False


def _gitignore(path: str) -> GitIgnoreSpec | None:
    try:
        with open(path, encoding="utf-8", errors="replace") as stream:
            lines = tuple(line.rstrip("\n") for line in stream)
    except OSError:
        return None
    return _spec(lines) if any(line.strip() and not line.startswith("#") for line in lines) else None


def _ignores_above(folder: str) -> _Ignores:
    """The .gitignore files above a folder named outright, up to its repository; none if they ignore that folder."""
    above: list[str] = []
    for place in ancestors(folder):
        if place != folder:
            above.append(place)
        if os.path.exists(os.path.join(place, ".git")):
            break
    else:
        return _Ignores()
    found = _Ignores()
    for place in reversed(above):
        found = found.enter(place, [".gitignore"])
        exclude = os.path.join(place, ".git", "info", "exclude")
        if os.path.isfile(exclude) and (spec := _gitignore(exclude)) is not None:
            found = _Ignores(((place, spec), *found._levels))
    place = folder
    while place != (above[-1] if above else folder):
        if found.ignores(place, True):
            return _Ignores()
        place = os.path.dirname(place)
    return found


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
            if not (settings.force_exclude and _named_excluded(path, settings)):
                found.setdefault(path, settings)
        else:
            errors.append(FileError(path, 1, "unreadable", "no such file or folder"))
    return Discovery({path: found[path] for path in sorted(found)}, errors)


def _named_excluded(path: str, settings: Settings) -> bool:
    if _patterns(settings.base, settings.exclude + settings.extend_exclude).excludes_within(path):
        return True
    if not settings.respect_gitignore:
        return False
    folder = os.path.dirname(path)
    ignores = _ignores_above(folder).enter(folder, [".gitignore"])
    return ignores.ignores(path, False) or any(
        _ignores_above(place).ignores(place, True) for place in ancestors(folder) if inside(place, settings.base)
    )


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
        excluded = _patterns(settings.base, settings.exclude + settings.extend_exclude)
        if settings.respect_gitignore:
            ignores = ignores.enter(folder, [entry.name for entry in listed])
        for entry in listed:
            is_folder = entry.is_dir(follow_symlinks=False)
            if not is_folder and not entry.name.endswith(SUFFIXES):
                continue
            path = entry.path
            if excluded.excludes(path, is_folder) or ignores.ignores(path, is_folder):
                continue
            if is_folder:
                if not os.path.isfile(os.path.join(path, "pyvenv.cfg")):
                    stack.append((path, ignores))
            elif entry.is_file():
                yield path, settings
