"""The engine of an editor's session: one analysis after the other, each taking from the last what still holds."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from analyzer.api import Options, Report
from analyzer.engine import Engine
from analyzer.finding import FileError, Finding, Fix
from analyzer.findings import FindingSet, Key, fixes_of
from analyzer.fixes.code import forget
from analyzer.flow import events as ev
from analyzer.flow.frame import Run
from analyzer.flow.interpreter import Interpreter
from analyzer.flow.reporting import RawFinding, span
from analyzer.incremental.interpreter import RecordingInterpreter
from analyzer.incremental.reparse import Reparse
from analyzer.incremental.splice import Change, Moves, Splice, Text
from analyzer.observe import recording
from analyzer.project import ModuleInfo, Project
from analyzer.roots import captures_something
from analyzer.source import SourceText
from analyzer.syntax import parse

_EVAL = re.compile(r"\.eval\(|\.train\(False")


class LateFixes(FindingSet):
    """Findings without fixes: `offers` keeps what makes them."""

    offers: dict[tuple[str, str, int, int, int, int], RawFinding]

    def _offer(self, finding: Finding, key: Key) -> None:
        if self._found[key].fold is None and self._found[key].raw.fixes:
            self.offers.setdefault(finding.key, self._found[key].raw)


class SessionEngine(Engine):
    """`again` analyses anew; `change` puts another text in the place of a file's."""

    interp: RecordingInterpreter

    def __init__(self, options: Options, checked: frozenset[str], project: Project | None = None) -> None:
        """`project`: files that were read already."""
        super().__init__(options, checked, further=True)
        if project is not None:
            self.project = project
        self.offers: dict[tuple[str, str, int, int, int, int], RawFinding] = {}

    def _interpreter(self, wanted: frozenset[type[ev.Event]]) -> Interpreter:
        interp = RecordingInterpreter(self.project, self._dispatch, wanted, self._on_capture, self._on_captured_call)
        interp.journal.changing = self.project.checked
        return interp

    def _finding_set(self, fixes: dict[Key, tuple[Fix, ...]]) -> FindingSet:
        findings = LateFixes(frozenset(self.options.frontends), self._module_of, fixes, self.options.torch)
        findings.offers = self.offers
        return findings

    def again(self, files: Sequence[str], sources: Mapping[str, str], capturing: Sequence[str]) -> Report:
        """The report of all files as they are now."""
        self._searched.clear()
        self.roots = {}
        self.driver_runs = []
        self.errors = []
        self.offers.clear()
        if self._prepared:
            self.interp.begin()
        self._prepare([])
        with recording(self.interp.journal.ask):
            report = self.run(files, sources, None, capturing)
        self.interp.end()
        return report

    def settle(self, files: Sequence[str], sources: Mapping[str, str], capturing: Sequence[str]) -> None:
        """Go through all once more, so that the next analysis knows what each piece comes to."""
        self.interp.journal.settling = True
        self.again(files, sources, capturing)
        self.interp.journal.settling = False

    def fixes(self, finding: Finding) -> tuple[Fix, ...]:
        """The fixes of a finding of the last report."""
        raw = self.offers.get(finding.key)
        return fixes_of(raw) if raw is not None else ()

    def check(self, checked: frozenset[str]) -> None:
        """Other files are part of the run, none of which was read."""
        self.project.checked = checked
        if self._prepared:
            self.interp.journal.changing = checked

    # -- another text -------------------------------------------------------------------------------------------

    def change(self, path: str, text: str) -> bool:
        """Take another text of a file; False if nothing that is known of the run can be kept."""
        module = self.project.load(path)
        source = SourceText(path, text.replace("\r\n", "\n"))
        if isinstance(module, FileError) or module.parsed is None or "\r" in source.text:
            return False
        if module.source.text == source.text:
            return True
        reparse = Reparse(module)
        parsed = parse(source, reparse)
        if isinstance(parsed, FileError) or parsed.text is None:
            return False
        new = ModuleInfo(path, module.name, source, parsed.tree, parsed.errors, module.library, module.package)
        if _marks(new) != _marks(module):
            return False
        self.project.sources[path] = text
        old = Text(SourceText(path, module.source.text), module.parsed)
        change = reparse.change or Change(0, len(module.tree.body), parsed.tree.body, 0)
        self._splice(module, change, old, Text(source, parsed.text))
        module.errors = parsed.errors
        module.parsed, module.guessed = parsed.text, parsed.guessed
        return True

    def _splice(self, module: ModuleInfo, change: Change, old: Text, new: Text) -> None:
        functions, classes = (self.interp._functions, self.interp._classes) if self._prepared else ({}, {})
        splice = Splice(module, change, old, new, functions, classes)
        forget(module.tree)
        if self._prepared:
            if splice.moves.any:
                for run in self.interp.kept_runs():
                    if run.findings:
                        _move(run, module.path, splice.moves)


def _marks(module: ModuleInfo) -> object:
    """What the text of a file tells of it as a whole; another file if any of it changes."""
    text = module.source.text
    return (
        module.imports_torch,
        module.star_imports,
        module.rebound_globals,
        module.fx_wrapped,
        captures_something(text),
        _EVAL.search(text) is not None,
        module.imports_numpy,
        *(word in text for word in ("triton", "script")),
    )


def _move(run: Run, path: str, moves: Moves) -> None:
    """Bring the findings of a run to where their nodes are now."""
    moved: dict[tuple[str, int, int, int, int], RawFinding] = {}
    for key, raw in run.findings.items():
        if raw.module.path == path:
            raw.span = span(raw.module, raw.node)
        if any(place.path == path for place in raw.related):
            raw.related = tuple(
                replace(place, line=moves.line(place.line)) if place.path == path else place for place in raw.related
            )
        place_of = (key[0], *raw.span)
        moved[place_of] = raw
    run.findings = moved
