"""Findings of all roots, merged by place, with what only the whole run knows: roots, counts, severity, fixes."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from analyzer.finding import Finding, Fix
from analyzer.flow.frame import Run, reachable
from analyzer.flow.reporting import RawFinding, place, provenance, span
from analyzer.outcome import BAD, Frontend, Outcome, severity_of, strictly, worse
from analyzer.project import FunctionInfo, ModuleInfo
from analyzer.roots import Root

#: (code, path, line, column, end line, end column)
Key = tuple[str, str, int, int, int, int]

#: Visits of one run from one root; more would only raise the count.
MAX_VISITS = 8


@dataclass(frozen=True, slots=True)
class Fold:
    """A call of the user's code into an installed package: what is found inside is reported there."""

    module: ModuleInfo
    node: ast.AST
    function: FunctionInfo


@dataclass(slots=True)
class Visit:
    """A run as one root reaches it, through one fold or none; `times` is how often."""

    run: Run
    fold: Fold | None
    times: int = 0


@dataclass(slots=True)
class Found:
    """What is known of one place so far. The texts are those of the raw finding that was first there."""

    raw: RawFinding
    fold: Fold | None
    outcomes: dict[Frontend, Outcome]
    roots: list[str] = field(default_factory=list)
    count: int = 1


#: The rules of branches on data.
_BRANCHES = "CAP10"


class FindingSet:
    """Collects raw findings root by root; `build` gives those that are shown."""

    def __init__(
        self,
        chosen: frozenset[Frontend],
        module_of: Callable[[str], ModuleInfo | None],
        fixes: dict[Key, tuple[Fix, ...]],
        torch: tuple[int, int],
    ) -> None:
        """`chosen`: the frontends that judge all roots, if any; `fixes`: those made already, shared by all sets of a
        run; `torch`: the release that judges."""
        self._chosen = chosen
        self._module_of = module_of
        self._fixes = fixes
        self._torch = torch
        self._found: dict[Key, Found] = {}
        self._leading: dict[Run, bool] = {}  #: whether a run, or one that it leads to, has findings
        self._used: dict[Key, set[Frontend]] = {}  #: visible findings, and the frontends in use for their roots

    def add_root(self, root: Root, run: Run) -> None:
        """Attribute everything that the root's run reaches to the root."""
        visits: dict[tuple[int, int], Visit] = {}
        self._note_leading(run)
        self._walk(run, 1, None, Counter(), set(), visits)
        reached: Counter[Key] = Counter()
        for visit in visits.values():
            for raw in visit.run.findings.values():
                key = self._add(raw, root, visit.fold)
                if key is not None:
                    reached[key] += visit.times
        for key, times in reached.items():
            self._found[key].count = max(self._found[key].count, times)

    def add_driver(self, run: Run) -> None:
        """Findings of code outside any capture (misuse of the capture APIs)."""
        for current in reachable(run):
            for raw in current.findings.values():
                self._add(raw, None, None)

    def _note_leading(self, run: Run) -> None:
        """Find out which runs lead to findings: most of those that a root reaches do not."""
        fresh = [current for current in reachable(run) if current not in self._leading]
        callers: dict[Run, list[Run]] = {}
        found: list[Run] = []
        for current in fresh:
            for edges in current.edges.values():
                for edge in edges:
                    callers.setdefault(edge.target, []).append(current)
            if current.findings:
                found.append(current)
        for target, calling in callers.items():
            if self._leading.get(target):
                found.extend(calling)
        self._leading.update(dict.fromkeys(fresh, False))
        while found:
            current = found.pop()
            if not self._leading[current]:
                self._leading[current] = True
                found.extend(callers.get(current, ()))

    def _walk(
        self,
        run: Run,
        times: int,
        fold: Fold | None,
        counts: Counter[int],
        active: set[int],
        visits: dict[tuple[int, int], Visit],
    ) -> None:
        if not self._leading[run] or id(run) in active or counts[id(run)] >= MAX_VISITS:
            return
        counts[id(run)] += 1
        active.add(id(run))
        if run.findings:
            visit = visits.setdefault((id(run), id(fold and fold.node)), Visit(run, fold))
            visit.times += times
        for edges in run.edges.values():
            for edge in edges:
                enters = edge.target.info.module.library and not run.info.module.library
                inner = Fold(run.info.module, edge.node, run.info) if enters and fold is None else fold
                self._walk(edge.target, times * edge.times, inner, counts, active, visits)
        active.discard(id(run))

    def _add(self, raw: RawFinding, root: Root | None, fold: Fold | None) -> Key | None:
        if fold is None and raw.module.library:
            return None
        if fold is None:
            key: Key = (raw.rule.code, raw.module.path, *raw.span)
        else:
            key = (raw.rule.code, fold.module.path, *span(fold.module, fold.node))
        if key[2] in (raw.module if fold is None else fold.module).guessed:
            return None
        outcomes = raw.outcomes
        if raw.strict is not None and root is not None and root.exports_strictly(self._torch):
            outcomes = {**outcomes, "export": strictly(outcomes.get("export", "captured"), raw.strict)}
        known = self._found.get(key)
        if known is None:
            known = self._found[key] = Found(raw, fold, dict(outcomes))
        else:
            for frontend, outcome in outcomes.items():
                before = known.outcomes.get(frontend)
                known.outcomes[frontend] = outcome if before is None else worse(before, outcome)
        if root is not None and root.label not in known.roots:
            known.roots.append(root.label)
        in_use = self._chosen or (frozenset(root.frontends) if root is not None else frozenset(raw.outcomes))
        if root is None:
            in_use = frozenset(raw.outcomes)
        if any(outcomes.get(f) in BAD for f in in_use):
            self._used.setdefault(key, set()).update(in_use)
        return key

    def _finding(self, found: Found, key: Key) -> Finding:
        raw, fold = found.raw, found.fold
        module, function = (fold.module, fold.function) if fold is not None else (raw.module, raw.function)
        message, related = raw.message, raw.related
        if fold is not None:
            related = (place(raw.module, raw.node, f"inside {raw.module.name}: {raw.message}"), *related)
        if raw.skipped:
            if raw.outcomes.get("dynamo") == "skipped_frame":
                message = f"{'whole' if raw.whole else 'rest of'} {function.name} runs eagerly: {message}"
            eager = "as a whole" if raw.whole else "from the break on"
            related = (*related, place(module, function.node, f"`{function.name}` runs eagerly {eager}"))
        return Finding(
            raw.rule.code,
            raw.rule.name,
            *key[1:],
            message,
            function.qualname,
            found.outcomes,
            roots=found.roots,
            count=found.count,
            provenance=provenance(raw.why, self._module_of),
            related=related,
            graph_breaks=raw.graph_breaks,
        )

    def _bad(self, key: Key) -> set[Frontend]:
        """The frontends in use under which a finding is bad."""
        outcomes = self._found[key].outcomes
        return {f for f in self._used[key] if outcomes.get(f) in BAD}

    def _shown(self) -> list[Key]:
        """Visible findings without those that say again what another says of the same place."""
        places: dict[tuple[str, int, int, int, int], list[Key]] = {}
        for key in self._used:
            places.setdefault(key[1:], []).append(key)
        scripted = {key[1:4] for key in self._used if key[0].startswith("CAP4")}
        shown: list[Key] = []
        for keys in places.values():
            covered: set[Frontend] = set()
            for key in sorted(keys):
                bad = self._bad(key)
                subset = key[0].startswith("CAP4")
                if not subset and bad == {"script"} and key[1:4] in scripted:
                    continue  # a rule of the scripting subset says why
                if bad <= covered and not subset:
                    continue
                covered |= bad
                shown.append(key)
        return shown

    def _decisions(self, shown: list[Key]) -> dict[tuple[str, int], list[Key]]:
        """By path and line, the branches that no frontend in use minds: a read of a value that decides one is shown
        with what the branch does to the others."""
        visible = set(shown)
        found: dict[tuple[str, int], list[Key]] = {}
        for key in self._found:
            if key[0].startswith(_BRANCHES) and key not in visible:
                found.setdefault(key[1:3], []).append(key)
        return found

    @staticmethod
    def _add_outcomes(finding: Finding, outcomes: Mapping[Frontend, Outcome]) -> None:
        for frontend, outcome in outcomes.items():
            before = finding.outcomes.get(frontend)
            if before is not None and outcome in BAD and before not in BAD:
                finding.outcomes = {**finding.outcomes, frontend: outcome}

    def _offer(self, finding: Finding, key: Key) -> None:
        """Give a finding its fixes; a finding in a package has none."""
        if key not in self._fixes:
            self._fixes[key] = fixes_of(self._found[key].raw) if self._found[key].fold is None else ()
        finding.fixes = self._fixes[key]

    def build(self) -> list[Finding]:
        """The findings that are shown, in order of place, with severity, status and fixes."""
        result: list[Finding] = []
        shown = self._shown()
        decided = self._decisions(shown)
        for key in shown:
            finding = self._finding(self._found[key], key)
            for other in decided.get(key[1:3], ()):
                if _contains(other, key):
                    self._add_outcomes(finding, self._found[other].outcomes)
            used = frozenset(finding.outcomes[f] for f in self._used[key] if f in finding.outcomes)
            finding.severity = severity_of(used)
            finding.status = {f: "predicted" for f, o in finding.outcomes.items() if o in BAD}
            finding.in_use = tuple(sorted(self._used[key]))
            self._offer(finding, key)
            result.append(finding)
        result.sort(key=lambda f: (f.path, f.line, f.column, f.code))
        return result


def fixes_of(raw: RawFinding) -> tuple[Fix, ...]:
    """The fixes that the rule offers for a finding."""
    return tuple(fix for fix in map(_made, raw.fixes) if fix is not None)


def _contains(outer: Key, inner: Key) -> bool:
    """Whether one place holds another one."""
    return outer[1] == inner[1] and outer[2:4] <= inner[2:4] and inner[4:6] <= outer[4:6]


def _made(maker: Callable[[], Fix | None]) -> Fix | None:
    """A fix, or none: a fix that cannot be made must not cost its finding."""
    try:
        return maker()
    except Exception:
        return None
