"""Settings that outlast a mistake: while a configuration is wrong, the last one that was right holds.

Each problem is kept with its place; `wrong_settings` shows them. Answers are asked for from the analysis' thread too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from capture_lsp.config.settings import Resolver, Settings
from capture_lsp.errors import ConfigError, UserError
from capture_lsp.options import verify

#: The last good settings, by folder and the editor's own settings.
Good = dict[tuple[str, str], Settings]


class LastingResolver:
    """Answers which settings hold where, and never fails. `good` outlives it."""

    def __init__(self, cwd: str, overrides: Mapping[str, Any], good: Good) -> None:
        self._cwd = cwd
        self._overrides = dict(overrides)
        self._resolver = Resolver(cwd, self._overrides)
        self._good = good
        self._editor = repr(sorted(self._overrides.items()))
        self._answers: dict[str, Settings] = {}
        self.problems: dict[str, UserError] = {}  #: what is wrong, by its text

    def for_folder(self, folder: str) -> Settings:
        """The settings of files that lie directly in `folder`."""
        found = self._answers.get(folder)
        if found is None:
            found = self._answers[folder] = self._settings(folder)
        return found

    def _settings(self, folder: str) -> Settings:
        key = folder, self._editor
        try:
            found = self._resolver.for_folder(folder)
            verify(found)
        except UserError as error:
            self.problems.setdefault(str(error), error)
            return self._good.get(key) or self._instead(folder, isinstance(error, ConfigError))
        self._good[key] = found
        return found

    def _instead(self, folder: str, file: bool) -> Settings:
        """What holds where nothing ever was right; `file`: it is the file's fault, not the editor's."""
        for settings in self._others(folder, file):
            try:
                verify(settings)
            except UserError:
                continue
            return settings
        return Resolver(self._cwd, {}).without_file(folder)

    def _others(self, folder: str, file: bool) -> Iterator[Settings]:
        if file:
            yield self._resolver.without_file(folder)
            return
        try:
            yield Resolver(self._cwd, {}).for_folder(folder)
        except UserError as error:
            self.problems.setdefault(str(error), error)
