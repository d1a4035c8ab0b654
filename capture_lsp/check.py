"""One check of many files: settings, cache, analysis, and what the settings make of the findings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from analyzer.api import Session, Surroundings
from analyzer.finding import FileError, Finding
from analyzer.merge import merge
from analyzer.suppress import ABOUT_SUPPRESSIONS
from capture_lsp.analysis import Task
from capture_lsp.cache import Cache, dependencies_digest, key_of, options_digest
from capture_lsp.config.settings import Settings
from capture_lsp.groups import groups_of
from capture_lsp.inventory import Inventory, Look
from capture_lsp.options import Plan, matches, plan, severity
from capture_lsp.patterns import Patterns
from capture_lsp.reading import Readable, read_bytes, read_text
from capture_lsp.results import FileResult, RunResult, Unit, order

if TYPE_CHECKING:
    from capture_lsp.check_probe import Asked


#: Bytes up to which a further file is read for its capture calls.
MAX_FURTHER = 1_000_000


@dataclass
class Run:
    """What holds for the whole run. `overrides`: content that differs from what is on disk (stdin, fixed texts);
    `probe`: what asks the real compiler about the findings, see `check_probe`; `known`: a file's unit where somebody
    keeps it up, who is then asked instead of the cache; `capturing`: further files whose capture calls count."""

    frontends: tuple[str, ...] = ()
    jobs: int = 0
    cache: Cache | None = None
    progress: Callable[[int], Callable[[str], None] | None] = lambda _: None
    overrides: dict[str, bytes] = field(default_factory=dict)
    probe: Callable[[list[Finding], Asked], list[Finding]] | None = None
    known: Callable[[str, Task], Unit | None] = lambda path, task: None
    capturing: Sequence[str] = ()


def check(files: Mapping[str, Settings], run: Run) -> RunResult:
    """Check files, each by its settings."""
    inventory = Inventory(run.cache.memo if run.cache is not None else {}, run.overrides)
    looks = {path: inventory.look(path, settings.max_file_size) for path, settings in files.items()}
    units = {path: Unit(path, errors=[look]) for path, look in looks.items() if isinstance(look, FileError)}
    good = {path: look for path, look in looks.items() if isinstance(look, Look)}
    further = {path: inventory.look(path, MAX_FURTHER) for path in run.capturing if path not in files}
    known = good | {path: look for path, look in further.items() if isinstance(look, Look)}
    around = Surroundings(frozenset(known), tuple(path for path, look in known.items() if look.capturing))
    plans = {settings: plan(settings, run.frontends) for settings in dict.fromkeys(files.values())}
    groups = _Groups(around, known, inventory, run)
    for settings, planned in plans.items():
        paths = [path for path in good if files[path] == settings]
        task = Task(planned.options, around, settings.max_file_size)
        units.update((unit.path, unit) for unit in groups.units(paths, task))
    groups.save(units)
    finish = _Finish(files, looks, plans, run)
    results = finish.results([units[path] for path in files])
    notes = dict.fromkeys(planned.note for planned in plans.values() if planned.note)
    torch = max((planned.options.torch for planned in plans.values()), default=plan_torch(run))
    return RunResult(results, torch, notes=list(notes), overrides=run.overrides)


def plan_torch(run: Run) -> tuple[int, int]:
    """The torch version of a run without files."""
    from capture_lsp.torch_versions import DEFAULT

    return DEFAULT


class _Groups:
    """Analyses the files of one settings after the other, through the cache."""

    def __init__(self, around: Surroundings, looks: Mapping[str, Look], inventory: Inventory, run: Run) -> None:
        self._around = around
        self._looks = looks
        self._inventory = inventory
        self._run = run
        self._cache = run.cache
        self._pending: list[tuple[str, Unit]] = []
        self._around_key = ""
        if self._cache is not None:
            capturing = (f"{path}\0{looks[path].hash}" for path in around.capturing)
            self._around_key = key_of("around", *sorted(around.checked), "", *capturing)

    def units(self, paths: Sequence[str], task: Task) -> Iterable[Unit]:
        """One unit for each file: known, from the cache, or new."""
        found = {path: self._run.known(path, task) for path in paths}
        known = [unit for unit in found.values() if unit is not None]
        return [*known, *self._further([path for path, unit in found.items() if unit is None], task)]

    def _further(self, paths: Sequence[str], task: Task) -> Iterable[Unit]:
        if self._cache is None:
            return _analyse(paths, task, self._run)
        options = options_digest(task.options, (task.max_file_size,))
        around = self._surroundings(options)
        found: dict[str, Unit] = {}
        if around is not None:
            for path in paths:
                unit = self._cache.get_unit(key_of(options, around, path, self._looks[path].hash), self._inventory)
                if unit is not None:
                    found[path] = unit
        for unit in _analyse([path for path in paths if path not in found], task, self._run):
            found[unit.path] = unit
            self._pending.append((options, unit))
        return [found[path] for path in paths]

    def save(self, units: Mapping[str, Unit]) -> None:
        """Keep what was analysed anew."""
        if self._cache is None:
            return
        depended = {name for path in self._around.capturing if path in units for name in units[path].dependencies}
        for options in dict.fromkeys(options for options, _ in self._pending):
            self._cache.put(key_of(self._around_key, options), sorted(depended))
            around = self._surroundings(options, sorted(depended))
            for unit in (unit for name, unit in self._pending if name == options):
                if not any(error.kind == "internal" for error in unit.errors):
                    key = key_of(options, around or "", unit.path, self._looks[unit.path].hash)
                    self._cache.put_unit(key, unit, self._inventory)
        self._cache.save(self._inventory)

    def _surroundings(self, options: str, depended: list[str] | None = None) -> str | None:
        """A hash of the run's files, those that capture and what these depend on; None if that is not known."""
        assert self._cache is not None
        if depended is None:
            depended = self._cache.get(key_of(self._around_key, options))
        if not isinstance(depended, list):
            return None
        return key_of(self._around_key, dependencies_digest(depended, self._inventory))


def _analyse(paths: Sequence[str], task: Task, run: Run) -> list[Unit]:
    if not paths:
        return []
    progress = run.progress(len(paths))
    groups = groups_of(paths)
    if len(groups) > 1 and run.jobs != 1 and not run.overrides:
        from capture_lsp.pool import Pool, workers_for

        return Pool(task, workers_for(len(groups), run.jobs), progress).run(groups)
    from capture_lsp.analysis import analyse

    session = Session() if len(groups) > 1 else None
    return [unit for group in groups for unit in analyse(group, task, run.overrides, progress, session)]


class _Finish:
    """From units to results: findings brought to the file they stand in, suppressed, and judged by its settings."""

    def __init__(
        self,
        files: Mapping[str, Settings],
        looks: Mapping[str, Look | FileError],
        plans: Mapping[Settings, Plan],
        run: Run,
    ) -> None:
        self._files = files
        self._looks = looks
        self._plans = plans
        self._run = run

    def results(self, units: Sequence[Unit]) -> list[FileResult]:
        by_place: dict[str, list[Finding]] = {}
        for finding in self._probed(merge(unit.findings for unit in units), units):
            by_place.setdefault(finding.path, []).append(finding)
        return [self._result(unit, by_place.get(unit.path, [])) for unit in units]

    def _result(self, unit: Unit, findings: list[Finding]) -> FileResult:
        hidden: list[Finding] = []
        left = sorted(self._left(unit, findings, hidden), key=order)
        partial = self._plans[self._files[unit.path]].partial
        return FileResult(
            unit.path, left, unit.errors, unit.cells, unit.dependencies, unit.roots, sorted(hidden, key=order), partial
        )

    def _probed(self, findings: list[Finding], units: Sequence[Unit]) -> list[Finding]:
        if self._run.probe is None:
            return findings
        from capture_lsp.check_probe import Asked, known_ids

        looks = {path: look for path, look in self._looks.items() if isinstance(look, Look)}
        files = {path: self._files[path] for path in looks if path not in self._run.overrides}
        capturing = frozenset(path for path in files if looks[path].capturing)
        off = frozenset().union(*(known_ids(planned.options.select) for planned in self._plans.values()))
        return self._run.probe(findings, Asked(files, capturing, self._run.frontends, off, units))

    def _left(self, unit: Unit, findings: list[Finding], hidden: list[Finding]) -> list[Finding]:
        """What is shown; what comments and settings hide is added to `hidden`."""
        settings = self._files[unit.path]
        planned = self._plans[settings]
        # A root under other settings may have reached this file; a probe knows of no rules.
        if (len(self._plans) > 1 or self._run.probe is not None) and planned.options.select:
            findings = [f for f in findings if f.code in planned.options.select]
        look = self._looks[unit.path]
        if isinstance(look, Look) and look.suppressing:
            shown = self._suppressed(unit, findings, planned)
            left = {id(f) for f in shown}
            hidden += [f for f in findings if id(f) not in left]
            findings = shown
        if not findings:
            return []
        ignored = _ignored(unit.path, settings)
        kept = []
        for finding in findings:
            level = severity(settings, finding.code, finding.name, finding.severity)
            if level is None or any(matches(selector, finding.code, finding.name) for selector in ignored):
                hidden.append(finding)
                continue
            kept.append(finding if level == finding.severity else replace(finding, severity=level))
        return kept

    def _suppressed(self, unit: Unit, findings: list[Finding], planned: Plan) -> list[Finding]:
        from analyzer.suppress import suppress

        limit = self._files[unit.path].max_file_size
        path = unit.path
        raw = self._run.overrides[path] if path in self._run.overrides else read_bytes(path, limit)
        readable = read_text(path, raw) if isinstance(raw, bytes) else raw
        if not isinstance(readable, Readable):
            return findings
        # A file that was not wholly analysed may need all its suppressions.
        judged = (
            _judged(planned, self._run.probe is not None) if planned.unused_suppressions and not unit.errors else None
        )
        torch, terms = planned.options.torch, planned.expired_suppressions
        return suppress(path, readable.text, findings, judged, _known, torch, terms)


def _known(code: str) -> bool:
    """Whether a suppression names a rule, by code or name."""
    from capture_lsp.catalogue import entries

    return any(code in (entry.code, entry.name) for entry in entries())


def _judged(planned: Plan, probed: bool) -> Callable[[str], bool]:
    """Whether this run looked for a code (or rule name) that a suppression names; codes that do not exist count too."""
    from analyzer.rules.cap599_unpredicted_graph_break import UnpredictedGraphBreak
    from capture_lsp.catalogue import entries

    selected = planned.options.select
    skipped: set[str] = set(ABOUT_SUPPRESSIONS)
    if not probed:
        skipped.update((UnpredictedGraphBreak.code, UnpredictedGraphBreak.name))
    for entry in entries():
        if entry.code not in selected if selected else not entry.default:
            skipped.update((entry.code, entry.name))
    return lambda code: code not in skipped


def _ignored(path: str, settings: Settings) -> list[str]:
    return [
        code
        for pattern, codes in settings.per_file_ignores
        if Patterns(settings.base, [pattern]).excludes_within(path)
        for code in codes
    ]
