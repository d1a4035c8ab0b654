"""The part `simulate`: what can be varied in a program, and what becomes of its captures when it is.

`options["simulate"]` is `{"survey": bool, "runs": [Request, ...], "controls": Controls}`. `controls` are those of an
earlier survey of the same program, which the indices of the requests are of: names say what each control is, so that a
combination means the same in every process. Without them the survey is made first, whether it is asked for or not.

Sends an event `survey`, where it is asked for, and a `run` for each request as soon as it is there, with the request's
number. Requests with the same frontend and the same first call share the capture: it is made once, and the later calls
of each in a fork of the process that captured. A request that is wrong in itself gives a run with a message and no
calls; one that ends early keeps the calls that it had made.
"""

from __future__ import annotations

import contextlib
import functools
import gc
import warnings
from typing import Any, Dict, Iterator, List, Optional, Sequence, Tuple

import torch

from runtime_probe import warm
from runtime_probe.job import Emit, Job, describe
from runtime_probe.matrix import isolate
from runtime_probe.matrix.reference import Reference, reference_of
from runtime_probe.simulate.captures import AHEAD, MOST_NODES, ONE_PATH
from runtime_probe.simulate.changes import Changes
from runtime_probe.simulate.eager import Histories
from runtime_probe.simulate.play import Played
from runtime_probe.simulate.run import Plan, play
from runtime_probe.simulate.survey import bare, key_of, source_of, survey
from runtime_probe.simulation import Combination, Controls, Request, Run, Survey
from runtime_probe.subject import Subject

#: Seconds that one call of a run may take, eagerly or captured, and at most which share of the part's time.
_SECONDS, _SHARE = 20.0, 0.25
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
    if reference.endless:
        controls = controls or bare(changes)
    elif controls is None or asked.get("survey"):
        controls = survey(subject, changes, _apart(reference), seconds * _SURVEY)
    if asked.get("survey"):
        found: Survey = {
            "controls": controls,
            "source": source_of(subject.path),
            "path": subject.path,
            "entry": subject.entry,
            "inputs_text": subject.inputs[0],
        }
        emit({"event": "survey", "survey": found})
    player = _Player(subject, controls, changes, min(_SECONDS, seconds * _SHARE), reference)
    for number, made in player.runs(asked.get("runs") or ()):
        emit({"event": "run", "number": number, "run": made})


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


def _apart(reference: Reference) -> bool:
    """Whether a call changes what a new instance sees: the state of the file or of its classes."""
    return any(not name.startswith("entry.") for name in (*reference.state, *reference.unkept))


class _Player:
    def __init__(
        self, subject: Subject, controls: Controls, changes: Changes, seconds: float, reference: Reference
    ) -> None:
        self._subject, self._controls, self._changes = subject, controls, changes
        self._seconds = seconds
        self._reference = reference
        self._decisions = [key_of(decision) for decision in controls["decisions"]]
        self._histories = Histories(self._played, seconds, _apart(reference))

    def _played(self, calls: Sequence[Combination]) -> Played:
        return Played(self._subject, self._controls, self._changes, calls)

    def runs(self, requests: Sequence[Request]) -> Iterator[Tuple[int, Run]]:
        """(number, run) of each request, whatever becomes of it."""
        plans: Dict[str, List[Tuple[int, Plan, Run]]] = {}
        for number, request in enumerate(requests):
            found = _empty(request)
            plan = self._plan(request, found)
            if plan is None:
                yield number, found
            else:
                plans.setdefault(plan.captured_as, []).append((number, plan, found))
        for group in plans.values():
            yield from _carry_out(group, self._seconds)

    def _plan(self, request: Request, found: Run) -> Optional[Plan]:
        if self._reference.endless:
            found["message"] = f"without capture: {self._reference.failed}"
            return None
        try:
            return self._planned(request, found)
        except (ValueError, KeyError, IndexError, TypeError) as error:  # what is asked for is not there
            found["message"] = f"this cannot be run: {describe(error)}"
            return None

    def _planned(self, request: Request, found: Run) -> Optional[Plan]:
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
        made = history.made
        capturing = self._histories.capturing(calls[0]) if frontend in ONE_PATH else None
        played = self._played(calls[: len(made)])
        return Plan(frontend, played, calls[: len(made)], self._decisions, made, capturing, self._reference)


def _carry_out(group: Sequence[Tuple[int, Plan, Run]], seconds: float) -> Iterator[Tuple[int, Run]]:
    """The runs of a group, each once it is complete."""
    plans, done = [plan for _, plan, _ in group], 0
    try:
        for number, message in _messages(plans, seconds):
            while done < number:
                yield _ended(*group[done])
                done += 1
            _take(message, group[number][2])
    except isolate.Ended as error:
        for _, _, found in group[done:]:
            found["message"] = f"call {len(found['calls']) + 1}: {error}"
    for one in group[done:]:
        yield _ended(*one)


def _messages(plans: Sequence[Plan], seconds: float) -> Iterator[Tuple[int, Dict[str, Any]]]:
    if plans[0].frontend == "eager":  # nothing of the program's runs any more
        found: List[Tuple[int, Dict[str, Any]]] = []
        for number, plan in enumerate(plans):
            play([plan], seconds, lambda one, number=number: found.append((number, one[1])))  # type: ignore[misc]
        yield from found
    else:
        limit = seconds if len(plans) == 1 else 2 * seconds  # its own children have theirs
        yield from isolate.answers_of(functools.partial(play, plans, seconds), limit)


def _empty(request: Request) -> Run:
    return {
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


def _take(message: Dict[str, Any], found: Run) -> None:
    if message["what"] == "call":
        found["calls"].append(message["call"])
    elif message["what"] == "heard":
        _hear(message["events"], found)
    elif message["what"] == "ended":
        found["message"] = f"call {len(found['calls']) + 1}: {message['message']}"
    else:
        found["captured"], found["line"] = message["captured"], message["line"]
        found["message"] = message["message"] or found["message"]
        found["code"] = message.get("code", "")
        if message.get("graph") is not None:
            found["graphs"].append(message["graph"])


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


def _ended(number: int, plan: Plan, found: Run) -> Tuple[int, Run]:
    """A run that is complete, without what is beyond the most that one may have."""
    left = MOST_NODES
    for graph in found["graphs"]:
        graph["nodes"] = graph["nodes"][: max(left, 0)]
        left -= len(graph["nodes"])
    del found["guards"][_MOST_GUARDS:]
    return number, found
