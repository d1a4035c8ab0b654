"""The verdict on one frontend: capture with the first call, run all given calls, compare with the program itself."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field
from typing import Any, Callable, List, Optional, Sequence

from runtime_probe.compare import difference, shown
from runtime_probe.dynamo.places import is_inside
from runtime_probe.job import one_line
from runtime_probe.matrix.blame import Place, raised_at
from runtime_probe.matrix.reference import Ran, Reference, message_of, wrong_state
from runtime_probe.report import Verdict
from runtime_probe.subject import Instance, Subject, reseed

#: Captures `instance.function` with the first call's arguments; raises what the frontend raises.
Capture = Callable[[Instance], Any]

#: The seed of a capture is not that of any call: a random number that it freezes shows in the first call.
CAPTURE_SEED = 7919


@dataclass
class Bad:
    """A call that went otherwise than eagerly. `kind`: `refused` (an error) or `wrong` (something else, no error)."""

    call: int
    kind: str
    text: str
    place: Optional[Place] = None
    eager: str = ""
    got: str = ""


@dataclass
class Judged:
    """A verdict before a line is blamed for it. `warned`: lines at which the tracer warned. `lost`: the name of a state
    that differs afterwards."""

    outcome: str
    message: str = ""
    place: Optional[Place] = None
    warned: Sequence[Place] = ()
    wrong: Optional[Bad] = None
    lost: Optional[str] = None
    notes: List[Any] = field(default_factory=list)

    def verdict(self, inputs: Sequence[str]) -> Verdict:
        """In the report's form."""
        found: Verdict = {
            "outcome": self.outcome,
            "message": self.message,
            "path": self.place[0] if self.place else None,
            "line": self.place[1] if self.place else None,
            "counterexample": None,
            "perturbed": list(self.notes),
        }
        if self.wrong is not None:
            found["counterexample"] = {
                "inputs": runnable(inputs[self.wrong.call], self.wrong.call),
                "eager": self.wrong.eager,
                "got": self.wrong.got,
                "difference": self.wrong.text,
            }
        return found


def runnable(inputs: str, seed: int) -> str:
    """The expression of a call's inputs, under the call's seed where it draws random numbers."""
    return f"(torch.manual_seed({seed}), {inputs})[1]" if "rand" in inputs else inputs


def compare(number: int, expected: Ran, got: Ran, unstable: bool = False) -> Optional[Bad]:
    """How one call went otherwise than eagerly, None if it went the same way."""
    eager, seen = expected.error or shown(expected.value), got.error or shown(got.value)
    if expected.error is not None:
        if got.error is not None:
            return None
        return Bad(number, "wrong", f"{expected.error} is no longer raised", None, eager, seen)
    if got.error is not None:
        return Bad(number, "refused", got.error, got.place, eager, seen)
    text = None if unstable else difference(expected.value, got.value)
    if text is None:
        text = difference(expected.inputs, got.inputs, "arguments")
        if text is not None:
            eager, seen = shown(expected.inputs), shown(got.inputs)
    if text is None and list(expected.shared) != list(got.shared):
        eager, seen = "; ".join(expected.shared) or "no memory shared", "; ".join(got.shared) or "no memory shared"
        text = f"{eager} became {seen}"
    return Bad(number, "wrong", text, None, eager, seen) if text else None


def judge_ahead(subject: Subject, reference: Reference, capture: Capture) -> Judged:
    """A frontend that makes one graph ahead of the calls. Expects a process of its own."""
    instance = subject.fresh()
    before, memento = instance.state(), instance.memento()
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        try:
            captured = capture(instance)
        except Exception as error:
            return Judged("refused", message_of(error), raised_at(error, subject.path))
    warnings_of_tracer = [w for w in heard if "TracerWarning" in w.category.__name__ and is_inside(w.filename)]
    warned = [(w.filename, w.lineno) for w in warnings_of_tracer]
    memento.restore()
    got = run_calls(subject, instance, captured)
    judged = weigh(subject, reference, got)
    judged.warned = warned
    if judged.outcome == "captured":
        lost = wrong_state(reference, before, instance, captured)
        if lost is not None:
            return _lost(judged, reference, len(got) - 1, *lost)
    if judged.outcome == "captured" and reference.changes and reference.unstable[0]:
        again = Ran.of(instance.call(captured, 0, 0), subject.path)
        if got[0].error is None and again.error is None and difference(got[0].value, again.value, exact=True) is None:
            text = "a value that changes with every call is frozen"
            judged.outcome, judged.message = "silently_wrong", text
            judged.wrong = Bad(0, "wrong", text, None, shown(reference.calls[0].value), shown(again.value))
    if warned and judged.place is None:
        judged.place = warned[0]
        judged.message = judged.message or "right in these calls, but " + one_line(str(warnings_of_tracer[0].message))
    return judged


def run_calls(subject: Subject, instance: Instance, captured: Any) -> List[Ran]:
    """All given calls of the captured object, each under the seed that it has in the reference."""
    return [Ran.of(instance.call(captured, n, n), subject.path) for n in range(len(subject.inputs))]


def weigh(subject: Subject, reference: Reference, got: Sequence[Ran]) -> Judged:
    """What the calls together say: wrong before refused."""
    bad = [
        found
        for number, (expected, ran) in enumerate(zip(reference.calls, got))
        for found in [compare(number, expected, ran, reference.unstable[number])]
        if found is not None
    ]
    wrong = next((b for b in bad if b.kind == "wrong"), None)
    if wrong is not None:
        return Judged("silently_wrong", _in_call(wrong, subject), wrong=wrong)
    if bad:
        # an exported program checks what it was captured for
        outcome = "guarded" if all("Guard failed" in b.text for b in bad) else "refused"
        return Judged(outcome, _in_call(bad[0], subject), bad[0].place)
    return Judged("captured")


def _in_call(bad: Bad, subject: Subject) -> str:
    return f"call {bad.call + 1}: {bad.text}" if bad.call else bad.text


def _lost(judged: Judged, reference: Reference, call: int, name: str, text: str) -> Judged:
    judged.outcome, judged.message, judged.lost = "silently_wrong", f"state: {text}", name
    judged.wrong = Bad(call, "wrong", judged.message, None, f"{name} = {shown(reference.state.get(name))}", text)
    return judged


def captured_with(instance: Instance, capture: Callable[..., Any]) -> Any:
    """Call `capture(function, args, kwargs)` with the first call's arguments, under the seed of captures."""
    args, kwargs = instance.arguments(0, 0)
    reseed(CAPTURE_SEED)
    return capture(instance.function, args, kwargs)
