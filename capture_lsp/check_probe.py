"""`check --probe`: which targets of the checked files are run, and what their evidence makes of the findings."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from analyzer.finding import FileError, Finding
from capture_lsp.config.settings import Settings
from capture_lsp.merge_probe import Scope, merge, uses_dynamo
from capture_lsp.options import search_paths
from capture_lsp.paths import display
from capture_lsp.probe.client import Client, Unavailable
from capture_lsp.probe.evidence import Evidence, Files
from capture_lsp.probe.fixes import by_target
from capture_lsp.probe.measuring import Measuring
from capture_lsp.probe.run import run
from capture_lsp.probe.targets import Target, Work
from capture_lsp.reading import text_of
from capture_lsp.results import Unit

#: The frontends of which a probe tells something, besides dynamo.
MATRIX = ("fullgraph", "trace", "fx", "script", "export")
_COMPILES = re.compile(r"\bcompile\b|\boptimize(?:_assert)?\b|_dynamo")


@dataclass(frozen=True)
class Asked:
    """The files of a check, by path; `capturing`: those that may hold capture calls; `frontends`: --frontend;
    `units`: what the analysis said of them."""

    files: Mapping[str, Settings]
    capturing: frozenset[str]
    frontends: tuple[str, ...] = ()
    known_ids: frozenset[str] = frozenset()
    units: Sequence[Unit] = ()


@dataclass
class Prober:
    """Probes what a check found. `client_for` makes the client of a project's interpreter, not yet started.

    `measuring`: what is measured besides; `told`: text for the progress bar. What could not be probed is in `notes`;
    what kept the probe from running at all, in `errors`.
    """

    cwd: str
    client_for: Callable[[Settings], Client]
    seconds: float = Work.seconds
    measuring: Measuring | None = None
    told: Callable[[str], None] = lambda _: None
    notes: list[str] = field(default_factory=list)
    errors: list[FileError] = field(default_factory=list)

    def __call__(self, findings: list[Finding], asked: Asked) -> list[Finding]:
        """The findings with their status, and those that only the probe found."""
        files = Files(asked.files, text_of)
        evidences: list[Evidence] = []
        judged: list[bool] = []
        for paths in by_interpreter(asked.files):
            own = [f for f in findings if f.path in paths or any(_path_of(root) in paths for root in f.roots)]
            try:
                with self.client_for(asked.files[paths[0]]) as client:
                    found = _Group(self, client, own, asked, files).evidences(paths)
                    self.notes += client.notes
            except Unavailable as error:
                self.errors.append(FileError(paths[0], 1, "probe", str(error)))
                continue
            evidences += found
            judged += [judges_dynamo(evidence, findings, asked) for evidence in found]
        return merge(findings, evidences, files, Scope(judged, asked.known_ids))


class _Group:
    """The files of one interpreter."""

    def __init__(self, prober: Prober, client: Client, findings: list[Finding], asked: Asked, files: Files) -> None:
        self._prober = prober
        self._client = client
        self._findings = findings
        self._asked = asked
        self._files = files

    def evidences(self, paths: list[str]) -> list[Evidence]:
        """First what the files capture themselves, with the inputs of their own calls; then the roots left over."""
        capturing = [p for p in paths if p in self._asked.capturing and p.endswith(".py")]
        found = self._run([(Target(path, path), None) for path in capturing])
        notebooks = [display(p, self._prober.cwd) for p in paths if p.endswith(".ipynb")]
        self._prober.notes += [f"{name}: notebooks are checked, not probed" for name in notebooks]
        # A kernel alone is nothing that can be called: it is probed with the function that launches it.
        callers = [f for f in self._findings if f.in_use != ("triton",)]
        labels = dict.fromkeys(root for finding in callers for root in finding.roots)
        left: list[tuple[Target, str | None]] = []
        for label in labels:
            path, _, name = label.partition("::")
            if path not in paths or not path.endswith(".py"):
                continue
            if any(evidence.whole and evidence.entered(label) for evidence in found):
                continue
            entry = entry_of(name)
            if entry is not None:
                left.append((Target(label, path, entry), label))
        return found + self._run(left)

    def _parts(self, path: str) -> tuple[str, ...]:
        """Only what some finding of a file waits for; of the frontends only those of --frontend, where it is given."""
        chosen = self._asked.frontends
        own = [f for f in self._findings if f.path == path or any(_path_of(root) == path for root in f.roots)]
        waiting = {f for finding in own for f in finding.status if not chosen or f in chosen}
        wanted = [name for name in MATRIX if name in waiting]
        changes = wanted or any(f.outcomes.get("dynamo") == "recompiles" for f in own)
        return ("dynamo", *wanted, *(("perturb",) if changes else ()))

    def _run(self, targets: list[tuple[Target, str | None]]) -> list[Evidence]:
        """Targets for which the same is asked are one run."""
        groups: dict[tuple[str, ...], list[tuple[Target, str | None]]] = {}
        for target, label in targets:
            groups.setdefault(self._parts(target.path), []).append((target, label))
        return [evidence for parts, group in groups.items() for evidence in self._run_parts(group, parts)]

    def _run_parts(self, targets: list[tuple[Target, str | None]], parts: tuple[str, ...]) -> list[Evidence]:
        work = Work(parts=parts, seconds=self._prober.seconds)
        settings = self._asked.files
        if self._prober.measuring is not None:
            work = self._prober.measuring.added_to(
                work, by_target([target.path for target, _ in targets], self._findings, text_of)
            )
        labels = {target.text: label for target, label in targets}

        def told(number: int, part: str, entry: str) -> None:
            self._prober.told(f"probing {display(targets[number][0].text, self._prober.cwd)} {part}".rstrip())

        extra = {target.path: search_paths(settings[target.path]) for target, _ in targets}
        report = run(self._client, [target for target, _ in targets], work, extra, told)
        for entry in report["entries"]:
            shown, timing = display(entry["target"], self._prober.cwd), entry["timing"]
            if entry["status"] != "ok":
                self._prober.notes.append(f"{shown}: not probed to the end: {entry['message']}")
            elif timing is not None and timing["verdict"] == "not measured":
                self._prober.notes.append(f"{shown}: not measured: {timing['message']}")
        return [Evidence(entry, self._files, labels[entry["target"]]) for entry in report["entries"]]


def entry_of(name: str) -> str | None:
    """The expression that names a root to the probe: a module class for its `forward`; None for a local function."""
    owner, _, last = name.rpartition(".")
    if last == "forward" and owner:
        return owner
    return name if all(part.isidentifier() for part in name.split(".")) else None


def judges_dynamo(evidence: Evidence, findings: Iterable[Finding], asked: Asked) -> bool:
    """Whether torch.compile is in use for what was probed: a break is nothing to tell of a file that only traces."""
    if asked.frontends:
        return uses_dynamo(asked.frontends)
    used = [f.in_use for f in findings if any(evidence.entered(root) for root in f.roots)]
    if used:
        return any(uses_dynamo(frontends) for frontends in used)
    if evidence.label is None:
        return any(_COMPILES.search(text_of(path) or "") for path in evidence.own_paths())
    settings = asked.files.get(_path_of(evidence.label))
    return settings is None or uses_dynamo(settings.frontends)


def by_interpreter(files: Mapping[str, Settings]) -> list[list[str]]:
    """The files of each interpreter."""
    from capture_lsp.interpreter import find_environment

    groups: dict[str, list[str]] = {}
    known: dict[tuple[str, str | None], str] = {}
    for path, settings in files.items():
        key = (settings.base, settings.python)
        if key not in known:
            known[key] = find_environment(*key).python
        groups.setdefault(known[key], []).append(path)
    return list(groups.values())


def known_ids(selected: Iterable[str]) -> frozenset[str]:
    """The registry ids of the rules that are on by default and were turned off: a break of theirs is no news."""
    from capture_lsp.catalogue import entries

    on = set(selected)
    if not on:
        return frozenset()
    off = [entry.rule for entry in entries() if entry.default and entry.code not in on]
    return frozenset(identifier for rule in off for identifier in rule.graph_breaks)


def _path_of(root: str) -> str:
    return root.partition("::")[0]
