"""One request carried out in a child: captured with the first call, then called, each call compared with eager."""

from __future__ import annotations

import functools
import json
import math
import re
from dataclasses import dataclass, field
from typing import Any, Dict, List, Optional, Sequence, Set, Tuple

import torch

from runtime_probe.compare import difference, shown
from runtime_probe.dynamo.graphs import line_ranges
from runtime_probe.dynamo.listen import Listener
from runtime_probe.job import one_line
from runtime_probe.matrix import isolate
from runtime_probe.matrix.fullgraph import LIMIT_HIT, compiled
from runtime_probe.matrix.judge import Bad, compare
from runtime_probe.matrix.reference import Ran, Reference, message_of, wrong_state
from runtime_probe.report import Graph, Recompile
from runtime_probe.simulate import words
from runtime_probe.simulate.captures import AHEAD, ONE_PATH, Captured, assertions, capture, control_flow
from runtime_probe.simulate.conditions import Key
from runtime_probe.simulate.eager import Made
from runtime_probe.simulate.frozen import frozen
from runtime_probe.simulate.play import Modes, Played
from runtime_probe.simulate.survey import ways_of
from runtime_probe.simulation import Answer, Branches, Call, Combination, Event, Extent, Frontend, Frozen
from runtime_probe.subject import Instance

#: Words of errors in which a capture says that it does not hold good for a call.
_GUARDS = ("Guard failed", "torch._dynamo", "torch._export", "torch.export", "is not supported yet", "fullgraph=True")
#: What an error of TorchScript's interpreter says before it says what went wrong.
_INTERPRETER = "failed in the TorchScript interpreter"
_REFUSED = "nothing was captured"


@dataclass
class Plan:
    """What one run needs to know. `made`: the calls of the history as eager made them; `capturing`: the capturing call
    under the seed of captures, for frontends that capture ahead."""

    frontend: Frontend
    played: Played
    calls: Sequence[Combination]
    decisions: Sequence[Key]
    made: Sequence[Made]
    capturing: Optional[Made]
    reference: Reference

    @property
    def captured_as(self) -> str:
        """What runs have in common that can share a capture."""
        return self.frontend + json.dumps(self.calls[0], sort_keys=True)

    @property
    def unstable(self) -> bool:
        """Whether the program gives something else every time."""
        return bool(self.reference.unstable and self.reference.unstable[0])

    @property
    def captured_ways(self) -> Dict[Key, List[bool]]:
        """How the decisions went when the program was captured."""
        return (self.capturing or self.made[0]).ways

    def otherwise(self, number: int) -> List[Key]:
        """The decisions that go otherwise in a call than in the captured one."""
        ways, captured = self.made[number].ways, self.captured_ways
        return [key for key in self.decisions if ways.get(key, []) != captured.get(key, [])]


@dataclass
class _Got:
    """One call of the captured object. `held`: the lines of the one path in what ran, None where there is none;
    `followed`: whether the capture went another way as the decisions did."""

    ran: Ran
    events: List[Event]
    held: Optional[Set[int]] = None
    followed: bool = False
    refused: bool = False
    graphs: int = 0
    breaks: int = 0
    limit: bool = False
    recompiles: List[Recompile] = field(default_factory=list)
    graph: Optional[Graph] = None
    lines: Set[int] = field(default_factory=set)


Messages = List[Dict[str, Any]]


class Session:
    """A captured object in this process, and its calls. Messages, as JSON: `start` (captured, message, line, graph,
    code), `heard` (events of the listener) and `call`."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan

    def first(self) -> Messages:
        """Capture and make the first call."""
        raise NotImplementedError

    def call(self, number: int) -> Messages:
        """Make a later call."""
        raise NotImplementedError


def play(plans: Sequence[Plan], seconds: float, send: isolate.Send) -> None:
    """Carry out runs that have their frontend and first call in common: captured once, in this process, then each in a
    child of its own if there are several. Sends (number of the plan, message)."""
    session = (_Eager if plans[0].frontend == "eager" else _Ahead if plans[0].frontend in AHEAD else _Dynamo)(plans[0])
    first = session.first()
    for number, plan in enumerate(plans):
        session.plan = plan
        for message in first:
            send((number, message))
        if len(plans) == 1:
            _rest(session, lambda message, number=number: send((number, message)))  # type: ignore[misc]
            return
        try:
            for message in isolate.answers_of(functools.partial(_rest, session), seconds):
                send((number, message))
        except isolate.Ended as error:
            send((number, {"what": "ended", "message": str(error)}))


def _rest(session: Session, send: isolate.Send) -> None:
    for number in range(1, len(session.plan.made)):
        for message in session.call(number):
            send(message)


def _start(captured: Extent, message: str = "", line: Optional[int] = None, **more: Any) -> Dict[str, Any]:
    return {"what": "start", "captured": captured, "message": message, "line": line, **more}


class _Eager(Session):
    """No capture: the eager calls themselves."""

    def first(self) -> Messages:
        return [_start("eager"), *self.call(0)]

    def call(self, number: int) -> Messages:
        made = self.plan.made[number]
        text = made.ran.error or f"runs line by line: {line_ranges(made.lines) or 'no line of this file'}"
        line = made.ran.place[1] if made.ran.place else None
        got = _Got(made.ran, [words.event("error" if made.ran.error else "eager", text, line)], followed=True)
        return [{"what": "call", "call": _Judge(None, {}).call(self.plan, number, got)}]


class _Ahead(Session):
    """Captured ahead of the calls."""

    def first(self) -> Messages:
        plan = self.plan
        self.given = plan.played.given()
        instance = plan.played.over(self.given)
        before, memento, self.modes = instance.state(), instance.memento(), Modes(instance)
        self.modes.set(plan.played.modes[0])
        self.found = found = capture(plan.frontend, instance, plan.played.path)
        self.judge = _Judge(instance, before, found.function)
        if found.function is None:
            line = found.place[1] if found.place else None
            return [_start("refused", found.message, line), *self.call(0)]
        if plan.unstable and plan.reference.changes:
            self.judge.constant = _constant(plan, self.given, self.modes, found.function)
        memento.restore()
        self.modes.again(plan.played.modes[0])
        self.held = _held(plan, found)
        self.control = control_flow(found.graph) if found.graph is not None else []
        return [_start("whole", graph=found.graph, code=found.code), *self.call(0)]

    def call(self, number: int) -> Messages:
        plan, found = self.plan, self.found
        if found.function is None:
            place = found.place if number == 0 else None
            text = found.message if number == 0 else _REFUSED
            events = [words.event("refused", text, place[1] if place else None)]
            got = _Got(Ran(error=found.message), events, refused=True)
            return [{"what": "call", "call": self.judge.call(plan, number, got)}]
        ran = _called(plan, self.given, self.modes, found.function, number)
        events = _events_ahead(plan, found, number, ran)
        got = _Got(ran, events, self.held, graphs=1, graph=found.graph, lines=found.lines)
        script = plan.frontend == "script"
        got.followed = self._evaluates(number) if script else self.judge.through(plan, number, self.control)
        return [{"what": "call", "call": self.judge.call(plan, number, got)}]

    def _evaluates(self, number: int) -> bool:
        """Whether the script itself evaluates a decision that now goes otherwise: it does not hold a decorator."""
        held = self.found.evaluated
        return held is None or any(
            key[0] == path and key[1] <= line <= key[3] for key in self.plan.otherwise(number) for path, line in held
        )


def _constant(plan: Plan, given: Instance, modes: Modes, captured: Any) -> bool:
    """Whether a capture gives the same twice: that of a program which gives something else every time has frozen it."""
    one, two = (_called(plan, given, modes, captured, 0) for _ in range(2))
    return one.error is None and two.error is None and difference(one.value, two.value, exact=True) is None


def _held(plan: Plan, found: Captured) -> Optional[Set[int]]:
    """The lines that a capture along one path went through."""
    if plan.frontend not in ONE_PATH:
        return None
    held = set(found.lines)
    if plan.capturing is not None and (plan.frontend != "fx" or not held):
        held |= plan.capturing.lines
    if found.graph is not None:
        held |= _numbers(found.graph["lines"].get(plan.played.path, ""))
    return held


def _events_ahead(plan: Plan, found: Captured, number: int, ran: Ran) -> List[Event]:
    events: List[Event] = []
    if number == 0:
        what = "a program that keeps its branches" if plan.frontend == "script" else "one graph"
        size = f", {words.operations(found.graph)}" if found.graph is not None else ""
        events.append(words.event("capture", f"captured as {what}{size}", None, 0))
        events += [words.event("capture", f"the tracer warns: {text}", place[1], 0) for place, text in found.warned]
    if ran.error is None:
        text = "the compiled program runs and decides anew" if plan.frontend == "script" else "the captured graph runs"
        events.append(words.event("hit", text, None, 0))
    else:
        events.append(_failed(ran))
    return events


def _failed(ran: Ran) -> Event:
    error = ran.error or ""
    visible = any(word in error for word in _GUARDS)
    return words.event("refused" if visible else "error", error, ran.place[1] if ran.place else None)


def _called(plan: Plan, given: Instance, modes: Modes, captured: Any, number: int) -> Ran:
    try:
        modes.set(plan.played.modes[number], captured)
        called = plan.played.over(given).call(captured, number, number)
        ran = Ran.of(called, plan.played.path)
        if ran.error is not None and _INTERPRETER in ran.error:
            ran.error = one_line(str(called.error).strip().rpartition("\n")[2])
        return ran
    except Exception as error:  # an exported program has no modes; inputs that can no longer be made
        return Ran(error=message_of(error))


class _Dynamo(Session):
    """Captured by TorchDynamo, call by call."""

    def first(self) -> Messages:
        self.given = self.plan.played.given()
        instance = self.plan.played.over(self.given)
        before, self.modes = instance.state(), Modes(instance)
        self.modes.set(self.plan.played.modes[0])
        self.heard: Messages = []
        self.listener = Listener(self.heard.append)
        self.listener.resume()  # until the process ends
        settings = {"fullgraph": True} if self.plan.frontend == "fullgraph" else {}
        self.function = compiled(instance, self.plan.reference, self._backend, **settings)
        self.judge = _Judge(instance, before, self.function)
        self.seen = _Seen()
        told = self.call(0)
        return [_start(self.seen.captured, self.seen.message, self.seen.line), *told]

    def call(self, number: int) -> Messages:
        self.listener.call = number
        self.heard.clear()
        ran = _called(self.plan, self.given, self.modes, self.function, number)
        found = words.settled([one for one in self.heard if one["event"] in _TOLD])
        got = self.seen.call(self.plan, number, ran, found, self.listener)
        got.followed = got.followed or self.judge.through(self.plan, number, self.seen.control)
        got.followed = got.followed or self.judge.raised(self.plan, number, ran, self.seen.asserted)
        heard = [one for one in found if one["event"] not in ("ran", "recompile")]
        call = self.judge.call(self.plan, number, got)
        return [{"what": "heard", "events": heard}, {"what": "call", "call": call}]

    def _backend(self, module: torch.fx.GraphModule, _: Any) -> Any:
        """Runs graphs eagerly, and tells of each that runs."""
        number = self.listener.graphs - 1

        def run(*inputs: Any) -> Any:
            self.heard.append({"event": "ran", "graph": number})
            return module.forward(*inputs)

        return run


_TOLD = ("frame", "break", "graph", "withdrawn", "guards", "skipped", "recompile", "symbols", "ran")


class _Seen:
    """What Dynamo did over the calls of a run."""

    def __init__(self) -> None:
        self.captured: Extent = "nothing"
        self.message, self.line = "", None  # type: Tuple[str, Optional[int]]
        self.control: List[Optional[int]] = []
        self.asserted: Set[int] = set()
        self._graphs: Dict[int, Set[int]] = {}  #: the lines that each graph holds
        self._skipped = self._limit = False
        self._first: Set[int] = set()

    def call(self, plan: Plan, number: int, ran: Ran, heard: Messages, listener: Listener) -> _Got:
        """What a call did, from what was heard of it."""
        path, known = plan.played.path, set(self._graphs)
        events = words.told(heard, path, known)
        made = plan.made[number]
        new = {one["graph"]["id"]: one["graph"] for one in heard if one["event"] == "graph"}
        for graph_id, graph in new.items():
            evaluated = _numbers(graph["evaluated"].get(path, "")) | _numbers(graph["lines"].get(path, ""))
            self._graphs[graph_id] = evaluated | made.lines
            self.control += control_flow(graph)
            self.asserted |= assertions(graph)
        used = {one["graph"] for one in heard if one["event"] == "ran"}
        self._skipped = self._skipped or any(one["event"] == "skipped" and not one["harmless"] for one in heard)
        never = ran.error is not None and made.ran.error is None and not self._graphs
        if ran.error is not None:
            if any(word in ran.error for word in LIMIT_HIT):
                events.append(words.event("limit", "it was compiled too often, and is to be one graph"))
            events.append(_refusal(ran) if never else _failed(ran))
        elif not used and not any(one["kind"] in ("compile", "hit") for one in events):
            events.append(words.event("eager", self._why_eager(listener)))
        whole = not listener.breaks and not self._skipped
        recompiles = _recompiles(heard)
        got = _Got(ran, events, refused=never, graphs=len(self._graphs), breaks=len(listener.breaks))
        self._limit = self._limit or listener.limit or any(word in (ran.error or "") for word in LIMIT_HIT)
        got.limit, got.recompiles = self._limit, recompiles
        if whole and used:
            got.held = set().union(*(self._graphs.get(one, set()) for one in used))
        got.followed = bool(new or recompiles or listener.breaks or self._skipped or not used or used != self._first)
        if number == 0:
            self._first = used
            self._extent(never, whole, ran)
        return got

    def _extent(self, never: bool, whole: bool, ran: Ran) -> None:
        if never:
            self.captured, self.message = "refused", ran.error or ""
            self.line = ran.place[1] if ran.place else None
        elif self._graphs:
            self.captured = "whole" if whole and len(self._graphs) == 1 else "parts"

    def _why_eager(self, listener: Listener) -> str:
        if listener.limit:
            return "runs eagerly: it was compiled too often"
        return "runs eagerly: there is no graph" + (" for a skipped function" if self._skipped else "")


def _recompiles(heard: Messages) -> List[Recompile]:
    """The recompilations of a call; that which met the limit is told once."""
    found: List[Recompile] = [one["recompile"] for one in heard if one["event"] == "recompile"]
    if len(found) > 1 and found[-1]["limit_reached"] and not found[-2]["limit_reached"]:
        found[-2:] = [{**found[-2], "limit_reached": True}]
    return found


def _refusal(ran: Ran) -> Event:
    return words.event("refused", ran.error or "", ran.place[1] if ran.place else None)


class _Judge:
    """Compares each call with the eager one of the same history. `constant`: what changes with every call was captured
    as a constant."""

    constant = False

    def __init__(self, instance: Optional[Instance], before: Dict[str, Any], captured: Any = None) -> None:
        self.instance, self.before, self.captured = instance, before, captured

    def call(self, plan: Plan, number: int, got: _Got) -> Call:
        """The figures of one call."""
        made = plan.made[number]
        answer, difference = self._answer(plan, number, got)
        constants = _frozen(plan, made, got)
        constant = any(one["kind"] == "draw" for one in constants) or (self.constant and not plan.otherwise(number))
        if answer == "right" and plan.unstable and constant:
            answer, difference = "wrong", "a value that changes with every call is frozen"
        wanted = plan.decisions
        lines = made.lines
        missed = lines - got.held if got.held is not None and not got.refused and not got.ran.error else set()
        return {
            "combination": plan.calls[number],
            "events": got.events,
            "answer": answer,
            "difference": difference,
            "largest": largest(made.ran.value, got.ran.value) if not got.ran.error and not made.ran.error else None,
            "eager": made.ran.error or shown(made.ran.value),
            "got": got.ran.error or shown(got.ran.value),
            "branches": self._branches(plan, number, got),
            "ways": ways_of(made.ways, wanted),
            "captured_ways": ways_of(plan.captured_ways, wanted),
            "lines": line_ranges(lines),
            "missed": line_ranges(missed),
            "recompiles": got.recompiles,
            "limit": got.limit,
            "graphs": got.graphs,
            "breaks": got.breaks,
            "frozen": constants,
            "explanation": "",
        }

    def through(self, plan: Plan, number: int, control: Sequence[Optional[int]]) -> bool:
        """Whether operations of the graph that branch by themselves stand for all decisions that now go otherwise."""
        return bool(control) and all(
            any(line is None or key[1] <= line <= key[3] for line in control) for key in plan.otherwise(number)
        )

    def raised(self, plan: Plan, number: int, ran: Ran, asserted: Set[int]) -> bool:
        """Whether an assertion that the graph holds ends the call, as it ends the eager one: behind it there is nothing
        to decide."""
        reached = [key for key in plan.otherwise(number) if plan.made[number].ways.get(key)]
        return (
            ran.error is not None
            and plan.made[number].ran.error is not None
            and bool(reached)
            and all(any(key[1] <= line <= key[3] for line in asserted) for key in reached)
        )

    def _answer(self, plan: Plan, number: int, got: _Got) -> Tuple[Answer, str]:
        if got.refused:
            return "refused", ""
        made = plan.made[number]
        bad: Optional[Bad] = compare(number, made.ran, got.ran, plan.unstable)
        if bad is not None:
            return ("wrong" if bad.kind == "wrong" else "error"), bad.text
        if self.instance is not None and not got.ran.error:
            reference = Reference(state=made.state, unkept=plan.reference.unkept)
            lost = wrong_state(reference, self.before, self.instance, self.captured)
            if lost is not None:
                return "wrong", f"state: {lost[1]}"
        return "right", ""

    def _branches(self, plan: Plan, number: int, got: _Got) -> Branches:
        if got.refused or (got.ran.error is not None and plan.made[number].ran.error is None):
            return "refused"
        if not plan.decisions:
            return "none"
        if not plan.otherwise(number):
            return "same way"
        return "kept" if got.followed else "lost"


def _frozen(plan: Plan, made: Made, got: _Got) -> List[Frozen]:
    if plan.frontend not in ONE_PATH or plan.capturing is None or got.refused:
        return []
    lines = got.lines or plan.capturing.lines
    return frozen(plan.frontend, plan.capturing.read, made.read, lines, got.graph)


def largest(expected: Any, got: Any) -> Optional[float]:
    """The largest absolute difference between numbers at the same place; None where they do not match or are not
    finite."""
    found = _largest(expected, got)
    return found if found is not None and math.isfinite(found) else None


def _largest(expected: Any, got: Any) -> Optional[float]:
    if isinstance(expected, torch.Tensor) and isinstance(got, torch.Tensor):
        if expected.is_quantized and got.is_quantized:
            expected, got = expected.dequantize(), got.dequantize()
        if expected.shape != got.shape or expected.device.type == "meta" or got.device.type == "meta":
            return None
        if expected.is_complex() or got.is_complex() or not expected.numel():
            return 0.0 if not expected.numel() else _complex(expected, got)
        apart = (expected.to(torch.float64) - got.to(torch.float64)).abs()
        apart[(expected == got) | (expected.isnan() & got.isnan())] = 0.0
        return float(apart.max())
    if isinstance(expected, (int, float)) and isinstance(got, (int, float)):
        return 0.0 if expected == got or (expected != expected and got != got) else abs(float(expected) - float(got))
    pairs: List[Tuple[Any, Any]] = []
    if isinstance(expected, dict) and isinstance(got, dict) and expected.keys() == got.keys():
        pairs = [(value, got[key]) for key, value in expected.items()]
    elif isinstance(expected, list) and isinstance(got, list) and len(expected) == len(got):
        pairs = list(zip(expected, got))
    each = [_largest(a, b) for a, b in pairs]
    numbers = [one for one in each if one is not None]
    return max(numbers) if numbers else None


def _complex(expected: torch.Tensor, got: torch.Tensor) -> float:
    return float((expected.to(torch.complex128) - got.to(torch.complex128)).abs().max())


def _numbers(ranges: str) -> Set[int]:
    """Line numbers from `3-5,7`."""
    found: Set[int] = set()
    for first, last in re.findall(r"(\d+)(?:-(\d+))?", ranges):
        found.update(range(int(first), int(last or first) + 1))
    return found
