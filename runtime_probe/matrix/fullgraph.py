"""`torch.compile(fullgraph=True)`: one graph or an error, and recompilations under its own settings."""

from __future__ import annotations

import collections
from typing import Any, Dict, List

import torch

from runtime_probe.dynamo.listen import Listener
from runtime_probe.matrix.judge import Judged, weigh
from runtime_probe.matrix.reference import Ran, Reference, wrong_state
from runtime_probe.subject import Instance, Subject

#: Words of an error that says that a function was compiled too often.
LIMIT_HIT = ("FailOnRecompileLimitHit", "recompile_limit", "recompile limit")


def ignore(event: Dict[str, Any]) -> None:
    """What is heard here is not the report's: it belongs to calls that were not given."""


def compiled(instance: Instance, reference: Reference, backend: Any = "eager", **settings: Any) -> Any:
    """The function under `torch.compile`, without code generation; a program that compiles by itself is left alone."""
    torch._dynamo.reset()
    if reference.captures:
        return instance.function
    kept = {name: instance.settings[name] for name in ("dynamic",) if name in instance.settings}
    try:
        return torch.compile(instance.function, backend=backend, **kept, **settings)
    except Exception as error:  # a module of TorchScript, a class of Python's own
        return _refusing(error)


def _refusing(error: Exception) -> Any:
    """A captured object whose calls tell that there was no capture."""

    def call(*_: Any, **__: Any) -> Any:
        raise error

    return call


def judge_fullgraph(subject: Subject, reference: Reference) -> Judged:
    """Expects a process of its own."""
    instance = subject.fresh()
    before = instance.state()
    got: List[Ran] = []
    with Listener(ignore) as heard:
        function = compiled(instance, reference, fullgraph=True)
        for number in range(len(subject.inputs)):
            heard.call = number
            got.append(Ran.of(instance.call(function, number, number), subject.path))
    judged = weigh(subject, reference, got)
    if judged.outcome == "refused" and any(word in judged.message for word in LIMIT_HIT):
        judged.outcome = "recompiles"
    if judged.outcome != "captured":
        return judged
    lost = wrong_state(reference, before, instance, function)
    if lost is not None:
        judged.outcome, judged.message, judged.lost = "silently_wrong", f"state: {lost[1]}", lost[0]
    elif heard.recompiles:
        per_frame = collections.Counter(frame for frame, _ in heard.recompiles)
        most, last = max(per_frame.values()), heard.recompiles[-1][1]
        judged.outcome = "recompiles" if most > 1 or heard.limit else "guarded"
        judged.message = f"recompiled {most} time{'s' if most > 1 else ''}: {last['guard']}"
        judged.place = last["path"], last["line"]
    return judged
