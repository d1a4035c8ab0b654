"""The part `dynamo`: the given calls under `torch.compile` with its defaults, and what became of them."""

from __future__ import annotations

import collections
from typing import Any, Dict, List

import torch

from runtime_probe.compare import difference
from runtime_probe.dynamo.listen import Listener
from runtime_probe.job import Emit, Job, one_line
from runtime_probe.report import Verdict
from runtime_probe.subject import Called, Subject

#: Settings of the program's own `torch.compile` that change what Dynamo does.
_KEPT = ("dynamic",)


def run(subject: Subject, emit: Emit, job: Job) -> None:
    """Compile afresh and make all given calls, listening; then compare with the same calls made eagerly."""
    instance = subject.fresh()
    memento = instance.memento()
    torch._dynamo.reset()
    kept = {name: instance.settings[name] for name in _KEPT if name in instance.settings}
    with Listener(emit, bytecode=bool(job.options.get("bytecode"))) as heard:
        compiled = instance.function
        if not job.options.get("captures_itself"):
            compiled = torch.compile(instance.function, backend="eager", **kept)
        got: List[Called] = []
        for number in range(len(subject.inputs)):
            heard.call = number
            got.append(instance.call(compiled, number))
    after = instance.state()
    memento.restore()
    verdict = verdict_of(heard, subject, got, after)
    emit({"event": "verdict", "frontend": "dynamo", "verdict": verdict})


def verdict_of(heard: Listener, subject: Subject, got: List[Called], after: Dict[str, Any]) -> Verdict:
    """The outcome of the given calls: the worst of what was heard, and what differs from eager calls."""
    with torch.compiler.set_stance("force_eager"):
        eager = subject.fresh()
        expected = [eager.call(eager.function, number) for number in range(len(subject.inputs))]
        again = _unstable(subject)
    wrong = [
        (number, found)
        for number, (one, other) in enumerate(zip(expected, got))
        for found in [_differs(one, other)]
        if found is not None and not again[number]
    ]
    verdict: Verdict = {
        "outcome": "captured",
        "message": "",
        "path": None,
        "line": None,
        "counterexample": None,
        "perturbed": [],
    }
    per_frame = collections.Counter(frame for frame, _ in heard.recompiles)
    most = max(per_frame.values(), default=0)
    if wrong:
        number, found = wrong[0]
        refused = got[number].error is not None
        verdict["outcome"] = "refused" if refused else "silently_wrong"
        verdict["message"] = got[number].text if refused else f"call {number}: {found}"
        if not refused:
            verdict["counterexample"] = {
                "inputs": subject.inputs[number],
                "eager": one_line(str(expected[number].value), 200),
                "got": one_line(str(got[number].value), 200),
                "difference": found,
            }
    elif heard.breaks:
        skipping = [b for _, b, skips in heard.breaks if skips]
        chosen = (skipping or [b for _, b, _ in heard.breaks])[0]
        verdict["outcome"] = "skipped_frame" if skipping else "graph_break"
        verdict["message"] = chosen["cause"]["text"] if chosen["cause"] is not None else chosen["reason"]
        verdict["path"], verdict["line"] = chosen["path"], chosen["line"]
    elif most:
        last = heard.recompiles[-1][1]
        verdict["outcome"] = "recompiles" if most > 1 or heard.limit else "guarded"
        verdict["message"] = f"recompiled {most} time{'s' if most > 1 else ''}: {last['guard']}"
        verdict["path"], verdict["line"] = last["path"], last["line"]
    return verdict


def _differs(expected: Called, got: Called) -> Any:
    if expected.error is not None:
        return None if got.error is not None else f"{expected.text} is no longer raised"
    if got.error is not None:
        return got.text
    return difference(expected.value, got.value) or difference(expected.inputs, got.inputs, "arguments")


def _unstable(subject: Subject) -> List[bool]:
    """Which calls give something else each time even eagerly: they read a clock, or memory that nothing wrote."""
    one, two = subject.fresh(), subject.fresh()
    pairs = [(one.call(one.function, n), two.call(two.function, n)) for n in range(len(subject.inputs))]
    return [difference(a.value, b.value, exact=True) is not None for a, b in pairs]
