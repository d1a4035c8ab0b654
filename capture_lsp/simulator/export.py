"""One file with a program and recorded runs of it, which opens from a disk and asks for nothing."""

from __future__ import annotations

from collections.abc import Callable

from capture_lsp.errors import UserError
from capture_lsp.pages import page
from capture_lsp.simulator.asking import Asker
from capture_lsp.simulator.combinations import Plan, plan
from capture_lsp.simulator.page_data import page_data, title
from capture_lsp.simulator.program import Surveyed
from capture_lsp.simulator.shared_parts import shared
from capture_lsp.textfile import write_atomically

#: More runs are not a page any more.
MOST_RUNS = 20_000


def export(
    asker: Asker,
    surveyed: Surveyed,
    path: str,
    limit: int | None,
    told: Callable[[int, int], None] | None = None,
) -> Plan:
    """Run what the plan says and write the page; what was recorded. `told`: how many runs of how many are done."""
    planned = plan(surveyed.survey["controls"], limit)
    count = len(planned.requests)
    if count > MOST_RUNS:
        raise UserError(f"{count:,} combinations are too many for one file: give --limit instead")
    runs = asker.runs(surveyed, planned.requests, None if told is None else lambda done: told(done, count))
    data = page_data(surveyed, [], live=False)
    data["runs"], data["shared"] = shared([dict(run) for run in runs])
    data["recorded"] = planned.told
    text = page("simulator", data, inline=True, title=title(surveyed))
    try:
        write_atomically(path, text.encode("utf-8", "replace"))
    except OSError as error:
        raise UserError(f"{path}: {error.strerror or error}") from None
    return planned
