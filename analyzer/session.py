"""The findings of an editor's file, edit by edit.

After an edit the report is that of a fresh analysis of the texts, but most of the last one is taken over: a function is
analysed again if its own text changed, or if what it read of others did (the summaries of those it calls, the kinds and
histories of its arguments, the attributes, globals and classes it asked for). See `analyzer.incremental`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from analyzer.api import Options, Report, Surroundings
from analyzer.engine import with_deep_stack
from analyzer.finding import Finding, Fix
from analyzer.incremental.engine import SessionEngine
from analyzer.project import Project


class Session:
    """Files under one set of options. Not for two threads at once; no file on disk may change meanwhile, or `refresh`
    must be told."""

    def __init__(
        self,
        files: Sequence[str],
        options: Options,
        sources: Mapping[str, str] | None = None,
        around: Surroundings | None = None,
    ) -> None:
        """`files`: the absolute paths of the files to analyse; `sources`: the texts of open files, these or others;
        what is not among them is read from disk. `around`: the whole run, where these are only a part of it."""
        self.files = tuple(files)
        self.options = options
        self._sources = dict(sources or {})
        self._around = around or Surroundings(frozenset(files))
        self._engine: SessionEngine | None = None
        self._report: Report | None = None
        self._settled = False
        self.begun = 0  #: how often all was analysed anew

    @property
    def report(self) -> Report:
        """The report of the texts as they are. Its findings are without fixes: see `fixes`."""
        if self._report is None:
            self._report = with_deep_stack(self._analysed)
        return self._report

    def update(self, path: str, text: str) -> Report:
        """An open file has another text."""
        return self.follow({**self._sources, path: text}, self._around)

    def follow(self, sources: Mapping[str, str], around: Surroundings) -> Report:
        """Take over what is open now, and the run around."""
        changed = {
            path: sources.get(path)
            for path in self._sources.keys() | sources.keys()
            if self._sources.get(path) != sources.get(path)
        }
        if (changed or around != self._around) and not self._take(changed, around):
            self._engine = self._report = None
        self._sources, self._around = dict(sources), around
        return self.report

    def _take(self, changed: Mapping[str, str | None], around: Surroundings) -> bool:
        """Bring the engine up to other texts, and forget the report if they are anything to it; False if the engine is
        of no use any more."""
        engine = self._engine
        if engine is None:
            return False
        project, known = engine.project, set(engine.project.paths())
        if (around.checked ^ project.checked) & known:
            return False  # what it read of them it did not take down
        engine.check(around.checked)
        if around.capturing != self._around.capturing:
            self._report = None
        for path, text in changed.items():
            if path not in known:
                if text is None or project.missed(path):
                    return False  # an import may lead to it now, or no longer
                project.sources[path] = text
                continue
            self._report = None
            if text is None or path not in around.checked:
                return False
            if not engine.change(path, text):
                # the other files need not be read again
                project.forget(path)
                project.sources[path] = text
                engine = self._engine = self._new(around.checked, project)
        return True

    def refresh(self) -> None:
        """Files changed on disk, or came, or went: nothing is taken over."""
        self._engine = None
        self._report = None

    def settle(self) -> None:
        """Go through all once more, so that the next analysis knows what each piece comes to: for when nothing else is
        to be done."""
        engine = self._engine
        if engine is not None and not self._settled:
            self._settled = True
            with_deep_stack(lambda: engine.settle(self.files, self._sources, self._around.capturing))

    def fixes(self, finding: Finding) -> tuple[Fix, ...]:
        """The quick fixes of a finding of the last report; making them is left until they are asked for."""
        return self._engine.fixes(finding) if self._engine is not None else ()

    def complete(self, finding: Finding) -> Finding:
        """A finding of the last report, as `analyzer.api.analyze` gives it: with its fixes."""
        return replace(finding, fixes=self.fixes(finding))

    def completed(self) -> Report:
        """The report with all fixes."""
        report = self.report
        by_file = {path: [self.complete(f) for f in found] for path, found in report.by_file.items()}
        return replace(report, findings=[self.complete(f) for f in report.findings], by_file=by_file)

    def paths(self) -> Iterable[str]:
        """The files that were read."""
        return self._engine.project.paths() if self._engine is not None else ()

    def _analysed(self) -> Report:
        if self._engine is None:
            self._engine = self._new(self._around.checked)
        try:
            return self._engine.again(self.files, self._sources, self._around.capturing)
        except BaseException:
            self._engine = None  # who knows what it left half done
            raise

    def _new(self, checked: frozenset[str], project: Project | None = None) -> SessionEngine:
        self._settled = False
        self.begun += 1
        return SessionEngine(self.options, checked, project)
