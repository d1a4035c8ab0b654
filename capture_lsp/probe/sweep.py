"""A whole project in one report."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from capture_lsp.probe.everything import Everything
from capture_lsp.probe.run import NOTHING, Executor, Kept, Told, run
from capture_lsp.probe.targets import Target, Work

if TYPE_CHECKING:
    from runtime_probe.report import Report

#: Told of the targets that are about to be probed; what to call for the progress of each.
Announced = Callable[[list[Target]], "Told | None"]


def sweep(
    executor: Executor,
    found: Everything,
    work: Work,
    search_paths: Mapping[str, tuple[str, ...]],
    announced: Announced,
    kept: Kept | None = None,
) -> Report:
    """Run the files that capture something as programs; then probe the captured functions that these left out."""
    report = run(executor, found.files, work, search_paths, announced(found.files), kept)
    rest = found.rest(report["entries"])
    if rest:
        further = run(executor, rest, work, search_paths, announced(rest), kept)
        report["errors"] += further["errors"]
        report["entries"] += further["entries"]
    report["entries"] = [entry for entry in report["entries"] if entry["message"] != NOTHING]
    return report
