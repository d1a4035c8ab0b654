"""What a whole project captures: its files that capture when they run, then the captured functions left over."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from analyzer.finding import RootPlace
from capture_lsp.check import Run, check
from capture_lsp.check_probe import entry_of
from capture_lsp.config.settings import Resolver, Settings
from capture_lsp.discovery import discover
from capture_lsp.errors import UserError
from capture_lsp.paths import display
from capture_lsp.probe.evidence import Evidence, Files
from capture_lsp.probe.targets import Target
from capture_lsp.reading import text_of

if TYPE_CHECKING:
    from runtime_probe.report import Entry


@dataclass(frozen=True)
class Everything:
    """`files`: targets that run as programs; `labels`: captured functions, as `path::qualname`; `depends`: for each
    file the others that it was analysed with, and theirs."""

    settings: Mapping[str, Settings]
    files: list[Target]
    labels: list[str]
    depends: Mapping[str, frozenset[str]] = field(default_factory=dict)

    def rest(self, entries: Iterable[Entry]) -> list[Target]:
        """The captured functions that the programs did not compile, each as a target of its own."""
        files = Files(self.settings, text_of)
        seen = [Evidence(entry, files, None) for entry in entries if entry["status"] == "ok"]
        left = [label for label in self.labels if not any(evidence.entered(label) for evidence in seen)]
        return list(dict.fromkeys(target for label in left if (target := target_of(label)) is not None))


class Analysed(Protocol):
    """What the analysis of a file says of captures: a `Unit` or a `FileResult`."""

    @property
    def path(self) -> str: ...

    @property
    def dependencies(self) -> tuple[str, ...]: ...

    @property
    def roots(self) -> tuple[RootPlace, ...]: ...


def target_of(label: str) -> Target | None:
    """A captured function as a target of its own; None for a local one, which has no name outside."""
    path, _, name = label.partition("::")
    entry = entry_of(name)
    return Target(f"{path}::{entry}", path, entry) if entry is not None else None


def everything(paths: Iterable[str], resolver: Resolver) -> Everything:
    """What the analyzer finds captured in files and folders; notebooks are left out. Raises UserError where there is
    nothing."""
    named = list(paths)
    discovered = discover(named, resolver)
    for error in discovered.errors:
        raise UserError(f"{display(error.path, resolver.cwd)}: {error.message}")
    found = {path: one for path, one in discovered.files.items() if path.endswith(".py")}
    made = of_analysis(check(found, Run(jobs=1 if len(found) < 8 else 0)).files if found else [], found)
    if not made.labels and not made.files:
        raise UserError(f"nothing is captured in {', '.join(display(path, resolver.cwd) for path in named)}")
    return made


def of_analysis(
    analysed: Iterable[Analysed], settings: Mapping[str, Settings], further: Iterable[str] = ()
) -> Everything:
    """What is captured, by an analysis that was made already. `further`: more labels to probe."""
    files = [file for file in analysed if file.path in settings]
    roots = [root for file in files for root in file.roots]
    # The file to run is the one that makes the capture; the function may be of another.
    makers = {os.path.normpath(call[0]) for root in roots if root.captured for call in root.calls}
    alone = {file.path for file in files if any(root.captured and not root.calls for root in file.roots)}
    capturing = {path for path in settings if path in alone or os.path.normpath(path) in makers}
    # A kernel alone is nothing that can be called: it is probed with the function that launches it.
    kernels = {root.label for root in roots if root.frontends == ("triton",)}
    labels = {root.label for root in roots if root.captured}
    direct = {file.path: {os.path.normpath(path) for path in file.dependencies} for file in files}
    return Everything(
        settings,
        [Target(path, path) for path in sorted(capturing)],
        sorted(label for label in {*labels, *further} - kernels if label.partition("::")[0] in settings),
        {path: _closure(path, direct) for path in direct},
    )


def _closure(path: str, direct: Mapping[str, set[str]]) -> frozenset[str]:
    found: set[str] = set()
    waiting = [path]
    while waiting:
        for other in direct.get(waiting.pop(), ()):
            if other not in found:
                found.add(other)
                waiting.append(other)
    return frozenset(found)
