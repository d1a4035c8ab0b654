"""What probes said, kept while texts change: each verdict follows its finding, and turns stale when what was run has
changed.

A verdict belongs to a finding by its function, its code and the text that it marks, not by its line: it moves with the
text. It is stale as soon as one of the functions that the probe traced differs from what it was, in whichever file.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from analyzer.finding import Cost, Finding, Place
from analyzer.outcome import Frontend, Severity
from analyzer.suppress import suppress
from capture_lsp.config.settings import Settings
from capture_lsp.merge_probe import REFUTED, Scope, is_eager, merge
from capture_lsp.options import plan, severity
from capture_lsp.probe.evidence import Evidence, Files
from capture_lsp.probe.functions import Function, functions_of, innermost
from capture_lsp.probe.staleness import Stamp, changed, stamps
from capture_lsp.results import FileResult, order
from capture_lsp.server.documents import Text, text_of_file
from capture_lsp.server.moved import Moved, moved

#: (path, function, code, the text marked, which of those that are alike).
Key = tuple[str, str, str, str, int]
TextOf = Callable[[str], "str | None"]


@dataclass(frozen=True)
class Probed:
    """One entry of a report. `stamps`: the functions of the workspace that it traced; `texts`: their files then."""

    evidence: Evidence
    stamps: tuple[Stamp, ...]
    texts: Mapping[str, str]
    torch: str
    device: str
    when: float

    def text_then(self, path: str) -> str | None:
        """The text of a file when it was probed; None for one that was not, or is not the user's."""
        real = os.path.realpath(path)
        return next((text for known, text in self.texts.items() if os.path.realpath(known) == real), None)

    def moved(self, path: str, now: str) -> Moved | None:
        """The way from the places of the probed text to those of what it is now."""
        then = self.text_then(path)
        return moved(then, now) if then is not None else None

    def ran(self, label: str) -> bool:
        """Whether Dynamo translated a function, which may stand in a file that was not open then."""
        if self.evidence.entered(label):
            return True
        path, _, name = label.partition("::")
        real = os.path.realpath(path)
        return any(stamp.name == name and os.path.realpath(stamp.path) == real for stamp in self.stamps)

    def about(self, label: str) -> bool:
        """Whether a function is what was probed, not only something that it ran."""
        if self.evidence.label is not None:
            return label == self.evidence.label
        name = label.partition("::")[2]
        named = self.evidence.entry["entry"] in (name, name.removesuffix(".forward"))
        return self.evidence.begins_with(label) or (named and self.ran(label))

    def fresh(self, text_of: TextOf) -> bool:
        """Whether nothing that it traced has changed."""
        return not changed(self.stamps, text_of)


@dataclass(frozen=True)
class _Verdict:
    """`eager`: what made the function run eagerly, while the finding stood at `line`."""

    status: Mapping[Frontend, str]
    severity: Severity
    due_to: tuple[Probed, ...]
    line: int
    eager: tuple[Place, ...]
    cost: Cost | None


@dataclass(frozen=True)
class _Unpredicted:
    """A break that no rule predicted, by its distance from its function's `def`."""

    finding: Finding
    function: str
    offset: int
    due_to: tuple[Probed, ...]


class Verdicts:
    """All of them. Immutable: a probe makes new ones, so that the analysis can use those it was given."""

    def __init__(
        self,
        probed: Sequence[Probed] = (),
        known: Mapping[Key, _Verdict] | None = None,
        unpredicted: Sequence[_Unpredicted] = (),
    ) -> None:
        self.probed = tuple(probed)
        self._known = dict(known or {})
        self._unpredicted = tuple(unpredicted)

    def __bool__(self) -> bool:
        return bool(self.probed)

    def of(self, label: str, text_of: TextOf) -> Probed | None:
        """The newest probe of a function that still holds, else the newest; where it was none's target, of what ran
        it."""
        about = [p for p in reversed(self.probed) if p.about(label)]
        found = about or [p for p in reversed(self.probed) if p.ran(label)]
        return next((p for p in found if p.fresh(text_of)), found[0] if found else None)

    def former(self, new: Probed, text_of: TextOf) -> Probed | None:
        """The earlier probe of the same as a new one, where it still holds."""
        return next((old for old in reversed(self.probed) if _same(old, [new]) and old.fresh(text_of)), None)

    def holds(self, new: Probed, text_of: TextOf) -> bool:
        """Whether an earlier probe of the same as a new one still holds."""
        return self.former(new, text_of) is not None

    def after(self, probed: Sequence[Probed], findings: Iterable[Finding], files: Files, scope: Scope) -> Verdicts:
        """With what a new probe said of the findings of the texts that it ran."""
        paths = {path for one in probed for path in one.texts}
        judged = merge(findings, [one.evidence for one in probed], files, scope)
        known = dict(self._known)
        unpredicted = [u for u in self._unpredicted if not any(_same(old, probed) for old in u.due_to)]
        text = {path: one.texts[path] for one in probed for path in one.texts}
        predicted = [finding for finding in judged if finding.code != _UNPREDICTED]
        for path in paths:
            for key, finding in _keyed([f for f in predicted if f.path == path], text[path]):
                due = tuple(one for one in probed if _concerns(one.evidence, finding))
                if due and set(finding.status.values()) != {"predicted"}:
                    eager = tuple(p for p in finding.related if is_eager(p))
                    known[key] = _Verdict(finding.status, finding.severity, due, finding.line, eager, finding.cost)
        for finding in judged:
            if finding.code == _UNPREDICTED and finding.path in text:
                function = innermost(functions_of(text[finding.path]) or [], finding.line)
                if function is not None:
                    due = tuple(one for one in probed if any(one.evidence.entered(r) for r in finding.roots))
                    offset = finding.line - function.line
                    unpredicted.append(_Unpredicted(finding, function.name, offset, due or tuple(probed)))
        kept = [old for old in self.probed if not _same(old, probed)]
        return Verdicts([*kept, *probed], known, unpredicted)

    def without(self, paths: Collection[str]) -> Verdicts:
        """Without what probes of some files said."""

        def kept(due_to: Iterable[Probed]) -> bool:
            return not any(one.evidence.entry["target"].partition("::")[0] in paths for one in due_to)

        known = {key: verdict for key, verdict in self._known.items() if kept(verdict.due_to)}
        return Verdicts([p for p in self.probed if kept([p])], known, [u for u in self._unpredicted if kept(u.due_to)])

    def finish(self, result: FileResult, texts: Mapping[str, Text], settings: Settings) -> FileResult:
        """A result with the verdicts that belong to it."""
        text = texts[result.path].plain
        text_of = _reader(texts)
        fresh: dict[int, bool] = {}

        def holds(due_to: Iterable[Probed]) -> bool:
            for one in due_to:
                if id(one) not in fresh:
                    fresh[id(one)] = one.fresh(text_of)
            return all(fresh[id(one)] for one in due_to)

        findings = []
        for key, finding in _keyed(result.findings, text):
            verdict = self._known.get(key)
            findings.append(finding if verdict is None else _judged(finding, verdict, holds(verdict.due_to)))
        added = [u for u in self._unpredicted if u.finding.path == result.path]
        if added:
            functions = functions_of(text) or []
            moved = [found for u in added if (found := _moved(u, functions, text, holds(u.due_to))) is not None]
            moved = [f for f in moved if f.key not in {known.key for known in findings}]
            torch = plan(settings, ()).options.torch if moved else None
            findings += _configured(suppress(result.path, text, moved, torch=torch, terms=False), settings)
        return replace(result, findings=sorted(findings, key=order))


_UNPREDICTED = "CAP599"


def probed_entry(evidence: Evidence, text_of: TextOf, inside: Callable[[str], bool], about: tuple[str, str]) -> Probed:
    """An entry as it will be remembered; `inside`: whether a file is the user's to edit; `about`: torch and device."""
    import time

    traced = [one for one in evidence.entry["traced"] if inside(one["path"])]
    stamped = stamps(traced, text_of)
    paths = dict.fromkeys([*(stamp.path for stamp in stamped), *evidence.own_paths()])
    texts = {path: text for path in paths if (text := text_of(path)) is not None}
    return Probed(evidence, stamped, texts, *about, time.time())


def _same(old: Probed, new: Sequence[Probed]) -> bool:
    """Whether a new probe stands for an old one: it was asked for the same."""
    entry = old.evidence.entry
    return any(
        (one.evidence.entry["target"], one.evidence.entry["entry"]) == (entry["target"], entry["entry"]) for one in new
    )


def _concerns(evidence: Evidence, finding: Finding) -> bool:
    labels = (*finding.roots, f"{finding.path}::{finding.function}")
    return any(evidence.entered(label) for label in labels) or evidence.evaluated_line(finding.path, finding.line)


def _keyed(findings: Sequence[Finding], text: str) -> list[tuple[Key, Finding]]:
    lines = text.split("\n")
    seen: Counter[tuple[str, str, str, str]] = Counter()
    found = []
    for finding in sorted(findings, key=order):
        marked = lines[finding.line - 1 : finding.end_line]
        if marked:
            marked[-1] = marked[-1][: finding.end_column - 1]
            marked[0] = marked[0][finding.column - 1 :]
        about = (finding.path, finding.function, finding.code, "\n".join(row.strip() for row in marked))
        found.append(((*about, seen[about]), finding))
        seen[about] += 1
    return found


def _judged(finding: Finding, verdict: _Verdict, holds: bool) -> Finding:
    if holds:
        by = finding.line - verdict.line
        eager = tuple(replace(place, line=max(1, place.line + by)) for place in verdict.eager)
        severity_ = _milder(finding.severity, verdict.severity)
        related = (*finding.related, *eager)
        return replace(finding, status=dict(verdict.status), severity=severity_, related=related, cost=verdict.cost)
    # What was refuted may be true of the new text.
    status = {name: "predicted" if word == REFUTED else word for name, word in verdict.status.items()}
    return replace(finding, status=status, stale=True)


def _milder(one: Severity, other: Severity) -> Severity:
    ranks: tuple[Severity, ...] = ("error", "warning", "info", "hint")
    return max(one, other, key=ranks.index)


def _moved(known: _Unpredicted, functions: Sequence[Function], text: str, holds: bool) -> Finding | None:
    same = [f for f in functions if f.name == known.function]
    if not same:
        return None
    by = same[-1].line + known.offset - known.finding.line
    line, end_line = known.finding.line + by, known.finding.end_line + by
    if end_line > text.count("\n") + 1:
        return None
    cost = known.finding.cost if holds else None
    return replace(known.finding, line=line, end_line=end_line, stale=not holds, cost=cost)


def _configured(findings: Iterable[Finding], settings: Settings) -> list[Finding]:
    found = []
    for finding in findings:
        level = severity(settings, finding.code, finding.name, finding.severity)
        if level is not None:
            found.append(replace(finding, severity=level))
    return found


def _reader(texts: Mapping[str, Text]) -> TextOf:
    """The open texts; other files from disk."""
    disk: dict[str, str | None] = {}

    def text_of(path: str) -> str | None:
        if path in texts:
            return texts[path].plain
        if path not in disk:
            found = text_of_file(path, "utf-32")
            disk[path] = found.plain if found is not None else None
        return disk[path]

    return text_of
