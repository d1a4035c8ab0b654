"""What is measured of a target when it is asked for: the parts, their limits, and what they are told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from capture_lsp.probe.budget import BUDGET
from capture_lsp.probe.targets import Work

#: By path of the target's file.
Fixes = Mapping[str, Sequence[Mapping[str, Any]]]
#: A part that does not keep to its budget is ended so much later.
GRACE = 60.0


@dataclass(frozen=True)
class Measuring:
    """`times`: eager, compiled and without each break; `kernels`: what is generated for a graph; `settings`: arguments
    of torch.compile."""

    times: bool = True
    kernels: bool = True
    settings: bool = False
    budget: float = BUDGET
    gpu: str = ""

    @property
    def parts(self) -> tuple[str, ...]:
        wanted = {"measure": self.times, "kernels": self.kernels, "settings": self.settings}
        return tuple(part for part, asked in wanted.items() if asked)

    def added_to(self, work: Work, fixes: Fixes) -> Work:
        """The work with these parts after the others, each with a limit of its own. `fixes`: see `fixes.by_target`."""
        options: dict[str, Any] = {**work.options, "budget": self.budget}
        if self.gpu:
            options["gpu"] = self.gpu
        limits = dict.fromkeys(self.parts, self.budget + GRACE)
        return replace(work, parts=(*work.parts, *self.parts), options=options, part_seconds=limits, fixes=fixes)
