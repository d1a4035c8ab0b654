"""Perturbations under `torch.compile`: what a change recompiles, for which guard, and what would spare it."""

from __future__ import annotations

import collections
from typing import Any, Dict, List, Optional, Sequence, Set, Tuple

import torch

from runtime_probe.dynamo.listen import Listener
from runtime_probe.matrix import isolate
from runtime_probe.matrix.fullgraph import LIMIT_HIT, compiled, ignore
from runtime_probe.matrix.perturb.accepted import Plan
from runtime_probe.matrix.perturb.change import Change, label
from runtime_probe.matrix.perturb.once import SECONDS, changed_call, outcome_of
from runtime_probe.matrix.reference import Ran, Reference
from runtime_probe.report import Perturbed, Recompile
from runtime_probe.structure import tensors
from runtime_probe.subject import Instance, Subject, call_with


def judge_recompiling(subject: Subject, reference: Reference, found: Plan, fullgraph: bool, send: isolate.Send) -> None:
    """Compile, make the capturing call, and then each changed one and each sweep in a child of its own."""
    instance = subject.fresh()
    with Listener(ignore) as heard:
        function = compiled(instance, reference, **({"fullgraph": True} if fullgraph else {}))
        if instance.call(function, 0, 0).error is not None:
            return
        heard.call = 1
        for change, expected in found.changes:
            work = _Changed(subject, instance, function, heard, change, expected)
            perturbed = _answer(work, change.text)
            if perturbed["outcome"] == "guarded" and change.dimensions and _grows(change):
                perturbed["message"] += _advice(subject, reference, change, fullgraph)
            send(perturbed)
        if not fullgraph:
            for text, changes in found.sweeps:
                send(_answer(_Sweep(instance, function, heard, text, changes), text))


def _answer(work: Any, text: str) -> Perturbed:
    try:
        return isolate.answer_of(work, SECONDS)  # type: ignore[no-any-return]
    except isolate.Ended as error:
        return {"change": text, "outcome": "unknown", "message": str(error)}


class _Changed:
    """One changed call of compiled code."""

    def __init__(
        self, subject: Subject, instance: Instance, function: Any, heard: Listener, change: Change, expected: Ran
    ) -> None:
        self.subject, self.instance, self.function = subject, instance, function
        self.heard, self.change, self.expected = heard, change, expected

    def __call__(self) -> Perturbed:
        heard = self.heard
        broken: Set[Tuple[str, int]] = {(b["path"], b["line"]) for _, b, _ in heard.breaks}
        before = len(heard.recompiles)
        bad = changed_call(self.subject, self.instance, self.function, self.change, self.expected)
        outcome, message = outcome_of(bad), bad.text if bad is not None else ""
        new = [b for _, b, _ in heard.breaks if (b["path"], b["line"]) not in broken]
        recompiles = heard.recompiles[before:]
        if bad is not None and any(word in bad.text for word in LIMIT_HIT):
            outcome = "recompiles"
        elif bad is None and new:
            outcome, message = "graph_break", f"line {new[0]['line']}: {new[0]['reason']}"
        elif bad is None and recompiles:
            outcome, message = _count(recompiles, heard.limit)
        return {"change": self.change.text, "outcome": outcome, "message": message}


class _Sweep:
    """One value after the other, each called once: how often that recompiles."""

    def __init__(
        self, instance: Instance, function: Any, heard: Listener, text: str, changes: Sequence[Change]
    ) -> None:
        self.instance, self.function, self.heard = instance, function, heard
        self.text, self.changes = text, changes

    def __call__(self) -> Perturbed:
        before = len(self.heard.recompiles)
        hit: Optional[str] = None
        for change in self.changes:
            args, kwargs = change.arguments(self.instance)
            call_with(self.function, args, kwargs, change.seed)
            if self.heard.limit:
                hit = change.text
                break
        recompiles = self.heard.recompiles[before:]
        outcome, message = ("captured", "") if not recompiles else _count(recompiles, self.heard.limit)
        if hit is not None:
            message += f"; the recompile limit is reached with {hit}, from then on the function runs eagerly"
        return {"change": self.text, "outcome": outcome, "message": message}


def _count(recompiles: Sequence[Tuple[str, Recompile]], limit: bool) -> Tuple[str, str]:
    frame, most = collections.Counter(frame for frame, _ in recompiles).most_common(1)[0]
    last = [recompile for known, recompile in recompiles if known == frame][-1]
    times = "once" if most == 1 else f"{most} times"
    message = f"recompiles {times}: {last['guard']} (line {last['line']})"
    return ("recompiles" if most > 1 or limit else "guarded"), message


def _grows(change: Change) -> bool:
    """Sizes 0 and 1 have graphs of their own whatever is marked."""
    return not change.text.endswith((" → 0", " → 1"))


def _advice(subject: Subject, reference: Reference, change: Change, fullgraph: bool) -> str:
    """What marking the dimensions as dynamic before the first call would do, found by doing it."""

    def work() -> str:
        instance = subject.fresh()
        args, kwargs = instance.arguments(0, 0)
        by_path: Dict[str, torch.Tensor] = dict(tensors([args, kwargs]))
        calls: List[str] = []
        for path, d in change.dimensions:
            torch._dynamo.mark_dynamic(by_path[path], d)
            calls.append(f"torch._dynamo.mark_dynamic({label(path, instance)}, {d})")
        marks = "; ".join(calls[:3]) + ("; …" if len(calls) > 3 else "")
        with Listener(ignore) as heard:
            function = compiled(instance, reference, **({"fullgraph": True} if fullgraph else {}))
            first = call_with(function, args, kwargs, 0)
            if first.error is not None:
                refused = type(first.error).__name__ == "ConstraintViolationError"
                return f"; {marks} is refused: the size is specialised" if refused else ""
            other, named = change.arguments(instance)
            call_with(function, other, named, change.seed)
        return "" if heard.recompiles else f"; {marks} before the first call spares it"

    try:
        return str(isolate.answer_of(work, SECONDS))
    except isolate.Ended:
        return ""
