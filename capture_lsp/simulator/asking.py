"""Asks the probe in the user's interpreter: what can be varied in a program, and runs of it."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from capture_lsp.errors import UserError
from capture_lsp.probe.client import Client
from capture_lsp.probe.run import unreadable
from capture_lsp.probe.targets import Target, Work, request
from capture_lsp.simulator.combinations import given
from capture_lsp.simulator.explain import explained
from capture_lsp.simulator.program import Program, Surveyed, hashes
from capture_lsp.simulator.shown_paths import shown_paths

if TYPE_CHECKING:
    from runtime_probe.simulation import Call, Request, Run, SimulatedEntry, Survey

#: The part of the probe that does it.
PART = "simulate"
#: Runs of one request to the probe: those of the same captured call share the capture. Progress is told between them.
_TOGETHER = 64
#: Seconds more that the request may take for each of them.
_SECONDS_EACH = 3.0
#: Entries of a file that are named in a message.
_NAMED = 8


class Failed(UserError):
    """The program could not be surveyed or run; the text says why."""


class Asker:
    """Asks one client about programs, one question at a time. `search_paths`: more import roots for a file."""

    def __init__(self, client: Client, work: Work, search_paths: Callable[[str], tuple[str, ...]]) -> None:
        self._client = client
        self._work = work
        self._search_paths = search_paths

    def survey(self, program: Program) -> Surveyed:
        """What can be varied in a program. Raises Failed, and Unavailable where the probe cannot run."""
        problem = unreadable(program.target.path)
        if problem is not None:
            raise Failed(f"{program.target.path}: {problem}")
        before = hashes([program.target.path])
        target = program.target if program.target.entry is not None else self._with_entry(program.target)
        entry = self._entry(target, {"survey": True, "runs": []})
        found = entry["simulation"]["survey"]
        if found is None:
            raise Failed(_why(entry, "nothing could be found out"))
        resolved = Target(target.text, target.path, entry["entry"], tuple(entry["inputs"]))
        shown: Survey = shown_paths(found, program.base)
        release = self._client.start().torch
        controls, made_up = found["controls"], entry["synthesised"]
        surveyed = Surveyed(program.at(target), resolved, shown, controls, release, before, made_up)
        if not (shown["controls"]["sizes"] or shown["controls"]["numbers"] or shown["controls"]["dtypes"][1:]):
            self._try(surveyed)  # perhaps nothing can be varied because nothing runs
        return surveyed

    def _try(self, surveyed: Surveyed) -> None:
        """Raise Failed where the program itself does not get through the given call."""
        (run,) = self.runs(surveyed, [{"frontend": "eager", "calls": [given(surveyed.controls)]}])
        error = next((e["text"] for call in run["calls"] for e in call["events"] if e["kind"] == "error"), "")
        if error or not run["calls"]:
            text = surveyed.program.target.text
            inputs = surveyed.survey["inputs_text"]
            raise Failed(f"{text}: the program itself fails with {inputs}: {error or run['message']}")

    def runs(
        self, surveyed: Surveyed, requests: Sequence[Request], told: Callable[[int], None] | None = None
    ) -> list[Run]:
        """Carry requests out, in order. `told`: how many are done. Raises Failed where one could not be run at all."""
        found: dict[int, Run] = {}
        order = sorted(range(len(requests)), key=lambda n: (_text(requests[n]["calls"][0]), requests[n]["frontend"]))
        for first in range(0, len(order), _TOGETHER):
            some = order[first : first + _TOGETHER]
            asked = {"survey": False, "runs": [requests[n] for n in some], "controls": surveyed.controls}
            entry = self._entry(surveyed.target, asked)
            got = {_text(run["request"]): run for run in entry["simulation"]["runs"]}
            for number in some:
                run = got.get(_text(requests[number]))
                if run is None:
                    raise Failed(_why(entry, "the probe ended before all runs were done"))
                shown: Run = shown_paths(run, surveyed.program.base)
                found[number] = explained(_finite(shown), surveyed.survey)
            if told is not None:
                told(len(found))
        return [found[number] for number in range(len(requests))]

    def entries(self, target: Target) -> list[str]:
        """What there is to be captured in a file, by name: what it says itself, else its modules and functions."""
        work = replace(self._work, parts=(), options={"discover": True})
        found = self._asked(request(target, work, self._search_paths(target.path)))
        named = [entry["entry"] for entry in found if entry["entry"]]
        if not named:
            bad = next((entry for entry in found if entry["status"] != "ok"), None)
            none = f"nothing to capture was found in this file: name what to call, as {target.text}::NAME"
            why = bad["message"] if bad is not None else none
            raise Failed(_said_of(target, why))
        return named

    def _with_entry(self, target: Target) -> Target:
        named = self.entries(target)
        if len(named) > 1:
            shown = ", ".join(f"{target.text}::{name}" for name in named[:_NAMED])
            more = f" and {len(named) - _NAMED} more" if len(named) > _NAMED else ""
            raise Failed(f"{target.text} has several entries, name one of them: {shown}{more}")
        return replace(target, entry=named[0])

    def _entry(self, target: Target, asked: dict[str, Any]) -> SimulatedEntry:
        seconds = self._work.seconds + _SECONDS_EACH * len(asked["runs"])
        work = replace(self._work, parts=(PART,), options={PART: asked}, part_seconds={PART: seconds})
        found = self._asked(request(target, work, self._search_paths(target.path)))
        entry: SimulatedEntry | None = found[0] if found else None
        if entry is None or entry["status"] != "ok" or "simulation" not in entry:
            raise Failed(_said_of(target, _why(entry, "nothing could be found out")))
        return entry

    def _asked(self, job: dict[str, Any]) -> list[Any]:
        # To its end: what is left in the middle ends the probe's process, which takes seconds to start.
        (reply,) = self._client.run([job])
        if reply.died:
            raise Failed(reply.died)
        return list(reply.entries)


def _said_of(target: Target, why: str) -> str:
    """A message with the target before it, unless it begins with the file already."""
    return why if why.startswith(f"{os.path.basename(target.path)}:") else f"{target.text}: {why}"


def _finite(run: Run) -> Run:
    """A run whose differences JSON can say; of NaN and infinity there is the text."""
    calls: list[Call] = [{**call, "largest": _number(call["largest"])} for call in run["calls"]]
    return {**run, "calls": calls}


def _number(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None


def _text(value: Any) -> str:
    return json.dumps(value, sort_keys=True)


def _why(entry: Any, otherwise: str) -> str:
    return (entry["message"] if entry is not None else "") or otherwise
