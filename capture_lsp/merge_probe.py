"""Joins what was predicted with what a probe saw: each finding's status by frontend, and the breaks nobody predicted.

confirmed    the real compiler did it at that place
refuted      Dynamo evaluated that very expression in every given call, and did not break there
not_reached  the function was probed, but the place ran only eagerly, after a skip, or not at all
predicted    the probe cannot tell

Of several entries the strongest word wins: confirmed, refuted, not_reached.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from analyzer.finding import Cost, Finding, Place
from analyzer.outcome import BAD, DYNAMO_FAMILY, Frontend, Outcome, severity_of
from analyzer.rules.cap599_unpredicted_graph_break import UnpredictedGraphBreak
from capture_lsp.formats.excerpt import Range
from capture_lsp.probe.evidence import Evidence, Files, Hit
from capture_lsp.probe.finding_cost import cost_of
from capture_lsp.probe.functions import innermost

if TYPE_CHECKING:
    from runtime_probe.report import Recompile, Verdict

CONFIRMED, REFUTED, NOT_REACHED, PREDICTED = "confirmed", "refuted", "not_reached", "predicted"
#: Why a finding was not reached: its function runs eagerly, because of what is at the related place.
_EAGER = ("not reached: ", " runs eagerly because of this")
_STRENGTH = (CONFIRMED, REFUTED, NOT_REACHED, PREDICTED)
_BREAKS: frozenset[Outcome] = frozenset({"graph_break", "skipped_frame"})
_LINE_IN_TEXT = re.compile(r"\bline (\d+)\b|\.py:(\d+)\b")
_NAMES = re.compile(r"[A-Za-z_]\w*")
_MOST = 80


@dataclass(frozen=True)
class Scope:
    """What unpredicted breaks are judged by: `uses_dynamo` says of an entry whether torch.compile is in use for it,
    `known_ids` are those of rules that the user turned off."""

    uses_dynamo: Sequence[bool]
    known_ids: frozenset[str] = frozenset()


def merge(findings: Iterable[Finding], evidences: Sequence[Evidence], files: Files, scope: Scope) -> list[Finding]:
    """The findings with their status, and the unpredicted breaks as new ones."""
    merger = _Merger(list(findings), evidences, files)
    known = [merger.judged(finding) for finding in merger.findings]
    return [*known, *merger.unpredicted(scope)]


class _Merger:
    def __init__(self, findings: list[Finding], evidences: Sequence[Evidence], files: Files) -> None:
        self.findings = findings
        self._evidences = evidences
        self._files = files
        self._by_path: dict[str, list[Finding]] = {}
        for finding in findings:
            self._by_path.setdefault(finding.path, []).append(finding)
        self._confirmed: dict[int, list[tuple[int, Hit]]] = {}  #: by id, those that breaks of Dynamo confirm
        self._broken_lines: dict[tuple[str, int], list[tuple[str, ...]]] = {}
        self._unmatched: list[tuple[int, Hit]] = []
        for number, evidence in enumerate(evidences):
            for hit in evidence.hits:
                if not self._match(number, hit):
                    self._unmatched.append((number, hit))
            for hit in evidence.path_hits:
                self._match(number, hit)

    # breaks

    def _match(self, number: int, hit: Hit) -> bool:
        """Confirm the findings that a break of an entry is about; whether there is any."""
        likely = [f for f in self._by_path.get(hit.path, ()) if f.outcomes.get("dynamo") in BAD]
        near = [f for f in likely if _touches(f, hit)] + self._causes(hit)
        same = [f for f in near if set(f.graph_breaks) & set(hit.ids)]
        at = [f for f in near if hit.exact and f.path == hit.path and _range(f) == hit.range]
        if near:
            best = at or same or [min(near, key=lambda f: _size(_range(f)))]
        else:
            # CPython gives the jump of `a and b` the columns of `a`.
            best = [f for f in likely if _on_line(f, hit.range.line) and _agree(f, hit.ids)]
        for finding in best:
            self._confirmed.setdefault(id(finding), []).append((number, hit))
        self._broken_lines.setdefault((hit.path, hit.range.line), []).append(hit.ids)
        return bool(best)

    def _causes(self, hit: Hit) -> list[Finding]:
        return [
            f
            for path, line in hit.causes
            for f in self._by_path.get(path, ())
            if f.outcomes.get("dynamo") in BAD and _on_line(f, line)
        ]

    def _line_broke(self, finding: Finding) -> bool:
        """Whether a break of the kind predicted is on the lines of a finding: columns may be another operand's."""
        lines = range(finding.line, finding.end_line + 1)
        broken = (ids for line in lines for ids in self._broken_lines.get((finding.path, line), ()))
        return any(_agree(finding, ids) for ids in broken)

    # status

    def judged(self, finding: Finding) -> Finding:
        """The finding with its status."""
        status = {frontend: self._status(finding, frontend) for frontend in finding.status}
        left = [f for f in finding.in_use if f in status and status[f] != REFUTED]
        severity = severity_of(frozenset(finding.outcomes[f] for f in left)) if left else finding.severity
        weaker = severity if _weaker(severity, finding.severity) else finding.severity
        related = finding.related
        if NOT_REACHED in status.values() and (eager := self._eager(finding)) is not None:
            related = (*related, eager)
        cost = self._cost(self._confirmed.get(id(finding), ()))
        return replace(finding, status=status, severity=weaker, related=related, cost=cost)

    def _cost(self, hits: Iterable[tuple[int, Hit]]) -> Cost | None:
        """What breaks cost, where the probe measured that."""
        return cost_of((self._evidences[number].entry["timing"], hit.found) for number, hit in hits)

    def _eager(self, finding: Finding) -> Place | None:
        """What made a finding's function run eagerly, if that is why the compiler did not come to it."""
        for evidence in self._evidences:
            for frame in evidence.entry["frames"]:
                path = self._files.checked(frame["path"])
                if not frame["skipped"] or path != finding.path:
                    continue
                function = innermost(self._files.functions(path), frame["line"])
                if function is None or function.name != finding.function:
                    continue
                text = function.name.rpartition(".")[2].join(_EAGER)
                for broken in frame["breaks"]:
                    cause = broken["cause"]
                    where = (cause["path"], cause["line"], 1) if cause is not None else None
                    at, line, column = where or (broken["path"], broken["line"], broken["column"])
                    own = self._files.checked(at)
                    if own is not None and own == finding.path and _on_line(finding, line):
                        return None  # it is what was met
                    return Place(own or path, line if own else frame["line"], column if own else 1, text)
                return Place(path, frame["line"], 1, text)
        return None

    def _status(self, finding: Finding, frontend: Frontend) -> str:
        words = [self._word(finding, frontend, evidence) for evidence in self._evidences]
        if frontend == "dynamo" and id(finding) in self._confirmed:
            words.append(CONFIRMED)
        return min(words, key=_STRENGTH.index, default=PREDICTED)

    def _word(self, finding: Finding, frontend: Frontend, evidence: Evidence) -> str:
        """What one entry says of a finding under one frontend."""
        outcome = finding.outcomes[frontend]
        evaluated = evidence.evaluated(finding.path, _range(finding))
        if not evaluated and not self._concerns(finding, evidence):
            return PREDICTED
        if frontend in ("dynamo", "fullgraph") and outcome == "recompiles":
            return self._recompiled(finding, evidence, evaluated)
        if frontend == "dynamo" and outcome in _BREAKS:
            if not evidence.whole:
                return PREDICTED
            return (CONFIRMED if self._line_broke(finding) else REFUTED) if evaluated else NOT_REACHED
        verdict = evidence.entry["matrix"].get(frontend)
        if verdict is None:
            return PREDICTED
        if frontend == "dynamo" and verdict["outcome"] in ("captured", "guarded", "recompiles", "graph_break"):
            # Nothing went wrong in the given calls; wrong are those in which something changed in between.
            return REFUTED if evaluated and evidence.calls > 1 else NOT_REACHED
        return self._by_verdict(finding, frontend, evidence, verdict)

    def _concerns(self, finding: Finding, evidence: Evidence) -> bool:
        """Whether an entry ran what the finding is about: its root, or the function that it stands in."""
        return any(evidence.entered(label) for label in (*finding.roots, f"{finding.path}::{finding.function}"))

    def _recompiled(self, finding: Finding, evidence: Evidence, evaluated: bool) -> str:
        for recompile in evidence.entry["recompiles"]:
            if self._explains(recompile, finding, evidence):
                return CONFIRMED
        verdict = evidence.entry["matrix"].get("dynamo")
        changed = verdict["perturbed"] if verdict is not None else []
        if any(p["outcome"] == "recompiles" and _names_line(p["message"], finding) for p in changed):
            return CONFIRMED
        if not evaluated or evidence.calls < 2 or not evidence.whole:
            return NOT_REACHED if evidence.whole else PREDICTED
        return REFUTED

    def _explains(self, recompile: Recompile, finding: Finding, evidence: Evidence) -> bool:
        """Whether a guard that failed is what a finding is about: made on its line, or about a name in its text, in a
        function that it stands in or under."""
        if self._files.checked(recompile["path"]) is None:
            return False
        path = self._files.checked(recompile["path"])
        if path == finding.path and _on_line(finding, recompile["line"]):
            return True
        functions = (f"{finding.path}::{finding.function}", *finding.roots)
        name = recompile["function"].rpartition(".")[2]
        if not any(label.partition("::")[2].rpartition(".")[2] == name for label in functions):
            return False
        if recompile["limit_reached"]:
            return True
        guard = set(_NAMES.findall(recompile["guard"]))
        return bool(guard & (set(_NAMES.findall(self._files.text(finding.path, _range(finding)))) - {"self"}))

    def _by_verdict(self, finding: Finding, frontend: Frontend, evidence: Evidence, verdict: Verdict) -> str:
        outcomes = [verdict["outcome"], *(p["outcome"] for p in verdict["perturbed"])]
        bad = [outcome for outcome in outcomes if outcome in ("silently_wrong", "refused")]
        if bad:
            path = self._files.checked(verdict["path"])
            if path == finding.path and _on_line(finding, verdict["line"] or 0):
                return CONFIRMED
            if any(p["outcome"] in bad and _names_line(p["message"], finding) for p in verdict["perturbed"]):
                return CONFIRMED
            if "silently_wrong" in bad and path is None and self._only_suspect(finding, frontend, evidence):
                return CONFIRMED
            return PREDICTED
        if not evidence.whole or not set(outcomes) <= {"captured", "guarded", "recompiles", "graph_break"}:
            return PREDICTED
        if evidence.evaluated_line(finding.path, finding.line):
            # Where no other input gave a wrong result, the inputs tried may have been the wrong ones.
            return REFUTED if finding.outcomes[frontend] == "refused" else PREDICTED
        return PREDICTED if evidence.broken else NOT_REACHED

    def _only_suspect(self, finding: Finding, frontend: Frontend, evidence: Evidence) -> bool:
        """Whether this is the one finding that can explain a wrong result whose line is not known."""
        suspects = [
            f for f in self.findings if f.outcomes.get(frontend) == "silently_wrong" and self._concerns(f, evidence)
        ]
        return suspects == [finding]

    # what nobody predicted

    def unpredicted(self, scope: Scope) -> list[Finding]:
        """One finding for each place that broke without any."""
        found: dict[tuple[str, int, int], Finding] = {}
        for number, hit in self._unmatched:
            evidence = self._evidences[number]
            if not scope.uses_dynamo[number] or (hit.ids and set(hit.ids) <= scope.known_ids):
                continue
            key = (hit.path, hit.range.line, hit.range.column if hit.exact else 0)
            roots = self._roots(evidence)
            if key in found:
                known = found[key]
                known.roots += [root for root in roots if root not in known.roots]
            else:
                found[key] = self._new(number, hit, roots)
        return list(found.values())

    def _roots(self, evidence: Evidence) -> list[str]:
        if evidence.label is not None:
            return [evidence.label]
        for frame in evidence.entry["frames"]:
            path = self._files.checked(frame["path"])
            if path is not None:
                for function in self._files.functions(path):
                    if function.begins_at(frame["line"]):
                        return [f"{path}::{function.name}"]
        return []

    def _new(self, number: int, hit: Hit, roots: list[str]) -> Finding:
        place = hit.range if hit.exact else self._files.whole_line(hit.path, hit.range.line)
        function = innermost(self._files.functions(hit.path), place.line)
        outcome: Outcome = "skipped_frame" if hit.skipped else "graph_break"
        broken = hit.found
        inside = () if hit.exact else (Place(broken["path"], broken["line"], broken["column"], "breaks inside"),)
        causes = tuple(
            Place(path, line, 1, (broken["cause"] or {"text": ""})["text"])
            for path, line in hit.causes
            if (path, line) != (hit.path, place.line)
        )
        return Finding(
            code=UnpredictedGraphBreak.code,
            name=UnpredictedGraphBreak.name,
            path=hit.path,
            line=place.line,
            column=place.column,
            end_line=place.end_line,
            end_column=place.end_column,
            message=_message(hit, function.name.rpartition(".")[2] if function is not None else ""),
            function=function.name if function is not None else "",
            outcomes={"dynamo": outcome},
            severity=severity_of(frozenset({outcome})),
            roots=roots,
            related=(*inside, *causes),
            graph_breaks=hit.ids,
            status={"dynamo": CONFIRMED},
            in_use=("dynamo",),
            cost=self._cost([(number, hit)]),
        )


def refuted(finding: Finding) -> bool:
    """Whether the probe refuted all that a finding is shown for."""
    shown_for = [f for f in finding.in_use if finding.outcomes.get(f) in BAD] or list(finding.status)
    return bool(shown_for) and all(finding.status.get(f) == REFUTED for f in shown_for)


def is_eager(place: Place) -> bool:
    """Whether a related place says why a finding was not reached."""
    return place.text.startswith(_EAGER[0]) and place.text.endswith(_EAGER[1])


def why_not_reached(finding: Finding) -> str:
    """`fn runs eagerly`, where that is why the compiler did not come to a finding; else empty."""
    text = next((place.text for place in finding.related if is_eager(place)), "")
    return text.removeprefix(_EAGER[0]).removesuffix(" because of this")


def uses_dynamo(frontends: Iterable[str]) -> bool:
    return bool(DYNAMO_FAMILY & set(frontends))


def _message(hit: Hit, function: str) -> str:
    kind = " ".join(hit.found["reason"].partition(": ")[0].split()) or "graph break"
    text = f"{function} runs eagerly: {kind}" if hit.skipped and function else f"the graph breaks here: {kind}"
    return text if len(text) <= _MOST else text[: _MOST - 1] + "…"


def _touches(finding: Finding, hit: Hit) -> bool:
    if not hit.exact:
        return _on_line(finding, hit.range.line)
    return _overlap(_range(finding), hit.range)


def _agree(finding: Finding, ids: tuple[str, ...]) -> bool:
    """Whether a break can be of the kind predicted; older torch has no ids."""
    return not finding.graph_breaks or not ids or bool(set(finding.graph_breaks) & set(ids))


def _on_line(finding: Finding, line: int) -> bool:
    return finding.line <= line <= finding.end_line


def _range(finding: Finding) -> Range:
    return Range(finding.line, finding.column, finding.end_line, finding.end_column)


def _overlap(one: Range, other: Range) -> bool:
    return (one.line, one.column) < (other.end_line, other.end_column) and (other.line, other.column) < (
        one.end_line,
        one.end_column,
    )


def _size(place: Range) -> tuple[int, int]:
    return place.end_line - place.line, place.end_column - place.column


def _names_line(text: str, finding: Finding) -> bool:
    lines = [int(a or b) for a, b in _LINE_IN_TEXT.findall(text)]
    return any(_on_line(finding, line) for line in lines)


def _weaker(one: str, other: str) -> bool:
    order = ("error", "warning", "info", "hint")
    return order.index(one) > order.index(other)
