"""Findings of all roots, merged by place, with what only the whole run knows: roots, counts, severity, fixes."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from analyzer.finding import Finding, Fix
from analyzer.flow.frame import Run, reachable
from analyzer.flow.reporting import RawFinding, place, provenance, span
from analyzer.outcome import BAD, Frontend, severity_of, strictly, worse
from analyzer.project import FunctionInfo, ModuleInfo
from analyzer.roots import Root
from analyzer.rule import Outcomes

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
        self._found: dict[Key, Finding] = {}
        self._makers: dict[Key, tuple[Callable[[], Fix | None], ...]] = {}
        self._used: dict[Key, set[Frontend]] = {}  #: visible findings, and the frontends in use for their roots

    def add_root(self, root: Root, run: Run) -> None:
        """Attribute everything that the root's run reaches to the root."""
        reached: Counter[Key] = Counter()
        self._walk(root, run, 1, None, Counter(), set(), reached)
        for key, times in reached.items():
            self._found[key].count = max(self._found[key].count, times)

    def add_driver(self, run: Run) -> None:
        """Findings of code outside any capture (misuse of the capture APIs)."""
        for current in reachable(run):
            for raw in current.findings.values():
                self._add(raw, None, None)

    def _walk(
        self,
        root: Root,
        run: Run,
        times: int,
        fold: Fold | None,
        visits: Counter[int],
        active: set[int],
        reached: Counter[Key],
    ) -> None:
        if id(run) in active or visits[id(run)] >= MAX_VISITS:
            return
        visits[id(run)] += 1
        active.add(id(run))
        for raw in run.findings.values():
            key = self._add(raw, root, fold)
            if key is not None:
                reached[key] += times
        for edges in run.edges.values():
            for edge in edges:
                enters = edge.target.info.module.library and not run.info.module.library
                inner = Fold(run.info.module, edge.node, run.info) if enters and fold is None else fold
                self._walk(root, edge.target, times * edge.times, inner, visits, active, reached)
        active.discard(id(run))

    def _add(self, raw: RawFinding, root: Root | None, fold: Fold | None) -> Key | None:
        if fold is None and raw.module.library:
            return None
        module, node = (fold.module, fold.node) if fold is not None else (raw.module, raw.node)
        key: Key = (raw.rule.code, module.path, *span(module, node))
        outcomes = raw.outcomes
        if raw.strict is not None and root is not None and root.exports_strictly(self._torch):
            outcomes = {**outcomes, "export": strictly(outcomes.get("export", "captured"), raw.strict)}
        known = self._found.get(key)
        if known is None:
            self._found[key] = self._finding(raw, outcomes, fold, key)
            self._makers[key] = raw.fixes if fold is None else ()
        else:
            for frontend, outcome in outcomes.items():
                before = known.outcomes.get(frontend)
                known.outcomes[frontend] = outcome if before is None else worse(before, outcome)
        if root is not None and root.label not in self._found[key].roots:
            self._found[key].roots.append(root.label)
        in_use = self._chosen or (frozenset(root.frontends) if root is not None else frozenset(raw.outcomes))
        if root is None:
            in_use = frozenset(raw.outcomes)
        if any(outcomes.get(f) in BAD for f in in_use):
            self._used.setdefault(key, set()).update(in_use)
        return key

    def _finding(self, raw: RawFinding, outcomes: Outcomes, fold: Fold | None, key: Key) -> Finding:
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
            dict(outcomes),
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

    def build(self) -> list[Finding]:
        """The findings that are shown, in order of place, with severity, status and fixes."""
        result: list[Finding] = []
        for key in self._shown():
            finding = self._found[key]
            used = frozenset(finding.outcomes[f] for f in self._used[key] if f in finding.outcomes)
            finding.severity = severity_of(used)
            finding.status = {f: "predicted" for f, o in finding.outcomes.items() if o in BAD}
            finding.in_use = tuple(sorted(self._used[key]))
            if key not in self._fixes:
                self._fixes[key] = tuple(fix for fix in map(_made, self._makers[key]) if fix is not None)
            finding.fixes = self._fixes[key]
            result.append(finding)
        result.sort(key=lambda f: (f.path, f.line, f.column, f.code))
        return result


def _made(maker: Callable[[], Fix | None]) -> Fix | None:
    """A fix, or none: a fix that cannot be made must not cost its finding."""
    try:
        return maker()
    except Exception:
        return None
