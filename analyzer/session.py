"""The findings of an editor's open files, edit by edit.

After an edit the report is that of a fresh analysis of the texts, but most of the last one is taken over: a function is
analysed again if its own text changed, or if what it read of others did (the summaries of those it calls, the kinds and
histories of its arguments, the attributes, globals and classes it asked for). See `analyzer.incremental`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from analyzer.api import Options, Report
from analyzer.engine import with_deep_stack
from analyzer.finding import Finding, Fix
from analyzer.incremental.engine import SessionEngine


class Session:
    """Open files under one set of options. Not for two threads at once; no other file may change meanwhile, or
    `refresh` must be told."""

    def __init__(
        self,
        files: Sequence[str],
        options: Options,
        sources: Mapping[str, str] | None = None,
        capturing: Sequence[str] = (),
    ) -> None:
        """`files`: the absolute paths of the open files; `sources`: their texts, else they are read from disk;
        `capturing`: other files of the workspace whose capture calls may make functions of the open files roots."""
        self.files = tuple(files)
        self._options = options
        self._capturing = tuple(capturing)
        self._sources = dict(sources or {})
        self._engine: SessionEngine | None = None
        self._report: Report | None = None

    @property
    def report(self) -> Report:
        """The report of the texts as they are. Its findings are without fixes: see `fixes`."""
        if self._report is None:
            self._report = with_deep_stack(self._analysed)
        return self._report

    def update(self, path: str, text: str) -> Report:
        """An open file has another text."""
        if self._sources.get(path) != text:
            self._sources[path] = text
            engine = self._engine
            self._report = None
            if engine is not None and not engine.change(path, text):
                project = engine.project
                project.forget(path)
                self._engine = SessionEngine(self._options, self._checked(), project)
        return self.report

    def refresh(self) -> Report:
        """Files changed on disk, or came, or went: nothing is taken over."""
        self._engine = None
        self._report = None
        return self.report

    def fixes(self, finding: Finding) -> tuple[Fix, ...]:
        """The quick fixes of a finding of the last report; making them is left until they are asked for."""
        return self._engine.fixes(finding) if self._engine is not None else ()

    def complete(self, finding: Finding) -> Finding:
        """A finding of the last report, as `analyzer.api.analyze` gives it: with its fixes."""
        return replace(finding, fixes=self.fixes(finding))

    def _checked(self) -> frozenset[str]:
        return frozenset((*self.files, *self._capturing))

    def _analysed(self) -> Report:
        new = self._engine is None
        if self._engine is None:
            self._engine = SessionEngine(self._options, self._checked())
        try:
            report = self._engine.again(self.files, self._sources, self._capturing)
            if new:
                self._engine.settle(self.files, self._sources, self._capturing)
            return report
        except BaseException:
            self._engine = None  # who knows what it left half done
            raise
