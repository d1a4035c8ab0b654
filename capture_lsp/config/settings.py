"""The settings that hold for one file: defaults, then its configuration file, then the command line."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import Any

from capture_lsp.config.files import ConfigFile, nearest, read
from capture_lsp.config.schema import KEYS
from capture_lsp.errors import UserError
from capture_lsp.paths import ancestors


@dataclass(frozen=True)
class Settings:
    """Resolved settings. `base`: the folder that patterns and import roots start from. `origins`: key → where from."""

    base: str
    select: tuple[str, ...]
    extend_select: tuple[str, ...]
    ignore: tuple[str, ...]
    per_file_ignores: tuple[tuple[str, tuple[str, ...]], ...]
    severity: tuple[tuple[str, str], ...]
    frontends: tuple[str, ...]
    roots: str
    extra_roots: tuple[str, ...]
    target_torch: tuple[int, int] | None
    python: str | None
    extra_paths: tuple[str, ...]
    exclude: tuple[str, ...]
    extend_exclude: tuple[str, ...]
    force_exclude: bool
    respect_gitignore: bool
    max_file_size: int
    unsafe_fixes: bool
    output_format: str
    cache_dir: str | None
    origins: dict[str, str] = field(compare=False, hash=False, default_factory=dict)


#: A folder that holds one of these is the top of a project.
PROJECT_MARKS = ("pyproject.toml", "setup.py", "setup.cfg", ".git", ".hg")

#: Given on the command line, these add to what the configuration says; the others replace it.
ADDING = frozenset({"extend-select", "extend-exclude", "extra-roots"})


class Resolver:
    """Answers which settings hold where; reads each configuration file once."""

    def __init__(self, cwd: str, overrides: dict[str, Any], config: str | None = None) -> None:
        self.cwd = cwd
        self._overrides = overrides
        self._known: dict[str, ConfigFile | None] = {}
        self._settings: dict[tuple[str | None, str], Settings] = {}
        self._projects: dict[str, str] = {}
        self._fixed: ConfigFile | None = None
        if config is not None:
            self._fixed = read(os.path.abspath(config))
            if self._fixed is None:
                raise UserError(f"{config}: no [tool.capture-lsp] table")

    def for_folder(self, folder: str) -> Settings:
        """The settings of files that lie directly in `folder`."""
        found = self._fixed or nearest(folder, self._known)
        base = found.folder if found is not None and self._fixed is None else self._project(folder)
        key = (found.path if found else None, base)
        if key not in self._settings:
            self._settings[key] = self._resolve(found, base)
        return self._settings[key]

    def without_file(self, folder: str) -> Settings:
        """The settings of a folder as if it had no configuration file."""
        return self._resolve(None, self._project(folder))

    def config_paths(self) -> list[str]:
        """The configuration files in use so far."""
        return [name for name, _ in self._settings if name is not None]

    def _project(self, folder: str) -> str:
        """The top of the project that a folder without configuration belongs to; failing that the working directory."""
        passed = []
        base = self.cwd
        for place in ancestors(folder):
            if place in self._projects:
                base = self._projects[place]
                break
            passed.append(place)
            if any(os.path.exists(os.path.join(place, name)) for name in PROJECT_MARKS):
                base = place
                break
        self._projects.update((place, base) for place in passed)
        return base

    def _resolve(self, file: ConfigFile | None, base: str) -> Settings:
        values: dict[str, Any] = {}
        origins: dict[str, str] = {}
        for key in KEYS:
            values[key.field], origins[key.name] = key.default, "default"
            if file is not None and key.name in file.values:
                values[key.field], origins[key.name] = file.values[key.name], file.path
            if key.name in self._overrides:
                given = self._overrides[key.name]
                if key.name in ADDING and values[key.field]:
                    given, origins[key.name] = values[key.field] + given, f"{origins[key.name]}, command line"
                else:
                    origins[key.name] = "command line"
                values[key.field] = given
        if "select" in self._overrides and "extend-select" not in self._overrides:
            values["extend_select"], origins["extend-select"] = (), "command line"
        return Settings(base=base, origins=origins, **values)
