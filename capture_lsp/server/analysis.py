"""The one place where the server asks what is to be said of a text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from analyzer.api import forget
from capture_lsp.check import Run, check
from capture_lsp.config.settings import Settings
from capture_lsp.results import FileResult
from capture_lsp.server.memory_cache import MemoryCache

#: After so many analyses the analyzer's memos are emptied: they hold the trees of texts that are gone.
RUNS_REMEMBERED = 20


class Analyser(Protocol):
    """Answers for open texts; told of them again and again, it may keep what it likes between two calls."""

    def analyse(self, texts: Mapping[str, bytes], settings: Mapping[str, Settings]) -> dict[str, FileResult]:
        """The findings of each text, by path: those of one `check` of them all.

        `texts`: the content of every open file; what they import is read from disk. Called from one thread.
        """
        ...


class CheckAnalyser:
    """`capture_lsp.check` over the open files. A file whose text, and whose imports' texts, did not change is not
    analysed again."""

    def __init__(self) -> None:
        self._cache = MemoryCache()
        self._runs = 0

    def analyse(self, texts: Mapping[str, bytes], settings: Mapping[str, Settings]) -> dict[str, FileResult]:
        self._runs += 1
        if self._runs % RUNS_REMEMBERED == 0:
            forget()
        result = check(settings, Run(jobs=1, cache=self._cache, overrides=dict(texts)))
        return {file.path: file for file in result.files}
