"""What the simulator's page is told; see `pages/src/protocol.ts`."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from capture_lsp.simulator.gallery import Exhibit
from capture_lsp.simulator.program import Surveyed

if TYPE_CHECKING:
    from runtime_probe.simulation import Run


def page_data(
    surveyed: Surveyed,
    runs: Sequence[Run],
    live: bool,
    exhibits: Sequence[Exhibit] = (),
) -> dict[str, Any]:
    """The data of a page. `live`: whether a server answers further requests; `exhibits`: the programs that it has."""
    return {
        "survey": surveyed.survey,
        "runs": list(runs),
        "live": live,
        "title": title(surveyed),
        "teaching": surveyed.program.teaching,
        "torch": surveyed.torch,
        "command": command(surveyed),
        "made_up": surveyed.made_up,
        "gallery": [{"name": one.name, "title": one.title} for one in exhibits],
    }


def title(surveyed: Surveyed) -> str:
    """What the page is called: an exhibit by its title, a user's program by its file and entry."""
    if surveyed.program.name:
        return surveyed.program.title
    return f"{os.path.basename(surveyed.target.path)}::{surveyed.target.entry}"


def command(surveyed: Surveyed) -> str:
    """What to type to run the program with other inputs than a page has recorded."""
    if surveyed.program.name:
        return f"capture-lsp simulate --gallery {surveyed.program.name}"
    survey = surveyed.survey
    return f"capture-lsp simulate {shlex.quote(survey['path'] + '::' + survey['entry'])}"
