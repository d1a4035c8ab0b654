"""The part `simulate`: what can be varied in a program, and what becomes of its captures when it is.

`options["simulate"]` is `{"survey": bool, "runs": [Request, ...], "controls": Controls}`. `controls` are those of an
earlier survey of the same program, which the indices of the requests are of: names say what each control is, so that a
combination means the same in every process. Without them the survey is made first, whether it is asked for or not.

Sends an event `survey`, where it is asked for, and a `run` for each request, in their order. A request that is wrong in
itself gives a run with a message and no calls; one that ends early keeps the calls that it had made.
"""

from __future__ import annotations

import contextlib
import functools
import gc
import warnings
from typing import Any, Dict, List, Optional, Sequence

import torch

from runtime_probe import warm
from runtime_probe.job import Emit, Job, describe
from runtime_probe.matrix import isolate
from runtime_probe.matrix.reference import reference_of
from runtime_probe.simulate.captures import AHEAD, MOST_NODES
from runtime_probe.simulate.changes import Changes
from runtime_probe.simulate.eager import Histories
from runtime_probe.simulate.play import Played
from runtime_probe.simulate.run import Plan, play
from runtime_probe.simulate.survey import key_of, source_of, survey
from runtime_probe.simulation import Combination, Controls, Request, Run, Survey
from runtime_probe.subject import Subject

#: Seconds that one call of a run may take, eagerly or captured.
_SECONDS = 30.0
#: Of the part's time, what the survey may take.
_SURVEY = 0.4
_MOST_GUARDS = 500


def run(subject: Subject, emit: Emit, job: Job) -> None:
    """Survey, then each request in a child of its own; they share the eager runs."""
    asked: Dict[str, Any] = job.options.get("simulate") or {}
    seconds = job.limits.of_part("simulate")
    reference = reference_of(subject, seconds)
    prepare()
    gc.freeze()  # so that collections in children do not copy pages
    changes = Changes(subject.fresh(), len(subject.inputs))
    controls: Optional[Controls] = asked.get("controls")
    if controls is None or asked.get("survey"):
        apart = bool(reference.state or reference.unkept)
        controls = survey(subject, changes, apart, seconds * _SURVEY)
    if asked.get("survey"):
        found: Survey = {
            "controls": controls,
            "source": source_of(subject.path),
            "path": subject.path,
            "entry": subject.entry,
            "inputs_text": subject.inputs[0],
        }
        emit({"event": "survey", "survey": found})
    player = _Player(subject, controls, changes, min(_SECONDS, seconds), reference)
    for request in asked.get("runs") or ():
        emit({"event": "run", "run": player.run(request)})


@functools.cache
def prepare() -> None:
    """Load what every run needs, before they fork: each frontend once, a break, a value read."""

    def small(x: Any) -> Any:
        if x.sum() > 0:
            return x.sum().item()
        return x

    for frontend in (*AHEAD,):
        warm.up(frontend)
    with warnings.catch_warnings(), contextlib.suppress(Exception):
        warnings.simplefilter("ignore")
        torch.compile(small, backend="eager")(torch.ones(2))
    torch._dynamo.reset()


class _Player:
    def __init__(self, subject: Subject, controls: Controls, changes: Changes, seconds: float, reference: Any) -> None:
        self._subject, self._controls, self._changes = subject, controls, changes
        self._seconds = seconds
        self._reference = reference
        self._decisions = [key_of(decision) for decision in controls["decisions"]]
        self._histories = Histories(self._played, seconds)

    def _played(self, calls: Sequence[Combination]) -> Played:
        return Played(self._subject, self._controls, self._changes, calls)

    def run(self, request: Request) -> Run:
        """One request, whatever becomes of it."""
        found: Run = {
            "request": request,
            "captured": "nothing",
            "message": "",
            "line": None,
            "graphs": [],
            "guards": [],
            "breaks": [],
            "symbols": [],
            "code": "",
            "calls": [],
        }
        try:
            plan = self._plan(request, found)
            if plan is not None:
                _carry_out(plan, found, self._seconds)
        except (ValueError, KeyError, IndexError, TypeError) as error:  # what is asked for is not there
            found["message"] = f"this cannot be run: {describe(error)}"
        _bound(found)
        return found

    def _plan(self, request: Request, found: Run) -> Optional[Plan]:
        frontend, calls = request["frontend"], request["calls"]
        if frontend not in self._controls["frontends"]:
            raise ValueError(f"no frontend is called {frontend!r}")
        if not calls:
            raise ValueError("there is no call to capture with")
        history = self._histories.of(calls)
        if not history.made:
            found["message"] = history.message or "the program could not be made"
            return None
        found["message"] = history.message
        capturing = self._histories.capturing(calls[0]) if frontend in ("trace", "fx", "export") else None
        made = history.made
        return Plan(frontend, self._played(calls[: len(made)]), calls[: len(made)], self._decisions, made, capturing,
                    self._reference)  # fmt: skip


def _carry_out(plan: Plan, found: Run, seconds: float) -> None:
    try:
        for message in isolate.answers_of(functools.partial(play, plan), seconds):
            if message["what"] == "call":
                found["calls"].append(message["call"])
            elif message["what"] == "heard":
                _hear(message["events"], found)
            else:
                found["captured"], found["line"] = message["captured"], message["line"]
                found["message"] = message["message"] or found["message"]
                found["code"] = message.get("code", "")
                if message.get("graph") is not None:
                    found["graphs"].append(message["graph"])
    except isolate.Ended as error:
        found["message"] = f"call {len(found['calls']) + 1}: {error}"


def _hear(events: List[Dict[str, Any]], found: Run) -> None:
    for one in events:
        if one["event"] == "graph":
            found["graphs"].append(one["graph"])
            found["code"] = "\n\n".join(filter(None, [found["code"], one["graph"]["code"]]))
        elif one["event"] == "break":
            found["breaks"].append(one["break"])
        elif one["event"] == "guards":
            found["guards"] += [guard for guard in one["guards"] if guard not in found["guards"]]
        elif one["event"] == "symbols":
            known = {(symbol["name"], symbol["source"]): symbol for symbol in found["symbols"]}
            known.update({(symbol["name"], symbol["source"]): symbol for symbol in one["symbols"]})
            found["symbols"] = list(known.values())


def _bound(found: Run) -> None:
    """Leave out the nodes beyond the most that a run may have."""
    left = MOST_NODES
    for graph in found["graphs"]:
        graph["nodes"] = graph["nodes"][: max(left, 0)]
        left -= len(graph["nodes"])
    del found["guards"][_MOST_GUARDS:]
