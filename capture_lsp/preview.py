"""`check --compare`: what another torch release makes of the same code."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from analyzer.finding import Finding
from analyzer.outcome import Frontend, Outcome
from capture_lsp.results import FileResult, RunResult

_SEVERITIES = ("hint", "info", "warning", "error")


@dataclass(frozen=True)
class Changed:
    """A finding of both releases. `outcomes`: the frontends in use that do something else: what they did, and do."""

    file: FileResult
    old: Finding
    new: Finding
    outcomes: tuple[tuple[Frontend, Outcome, Outcome], ...]

    @property
    def worse(self) -> bool:
        return _SEVERITIES.index(self.new.severity) > _SEVERITIES.index(self.old.severity)


@dataclass(frozen=True)
class Preview:
    """The step from one release to another."""

    old: tuple[int, int]
    new: tuple[int, int]
    appear: Sequence[tuple[FileResult, Finding]]
    disappear: Sequence[tuple[FileResult, Finding]]
    change: Sequence[Changed]

    @property
    def worse(self) -> bool:
        """Whether the later release does worse."""
        return bool(self.appear) or any(changed.worse for changed in self.change)


def preview(old: RunResult, new: RunResult) -> Preview:
    """Compare the checks of the same files under two releases."""
    before = {f.key: (file, f) for file in old.files for f in file.findings}
    after = {f.key: (file, f) for file in new.files for f in file.findings}
    both = [(file, before[key][1], f) for key, (file, f) in after.items() if key in before]
    changed = [Changed(file, one, other, _outcomes(one, other)) for file, one, other in both]
    return Preview(
        old.torch,
        new.torch,
        [found for key, found in after.items() if key not in before],
        [found for key, found in before.items() if key not in after],
        [one for one in changed if one.outcomes or one.old.severity != one.new.severity],
    )


def _outcomes(old: Finding, new: Finding) -> tuple[tuple[Frontend, Outcome, Outcome], ...]:
    used = [name for name in new.outcomes if name in {*old.in_use, *new.in_use} and name in old.outcomes]
    return tuple((n, old.outcomes[n], new.outcomes[n]) for n in used if old.outcomes[n] != new.outcomes[n])
