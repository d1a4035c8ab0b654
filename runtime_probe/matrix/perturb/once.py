"""Perturbations of the frontends that capture once, ahead of the calls."""

from __future__ import annotations

import functools
import warnings
from typing import Any, Optional, Sequence, Tuple

from runtime_probe.matrix import isolate
from runtime_probe.matrix.judge import Bad, Capture, compare
from runtime_probe.matrix.perturb.change import Change
from runtime_probe.matrix.reference import Ran
from runtime_probe.report import Perturbed
from runtime_probe.subject import Instance, Subject, call_with

Changes = Sequence[Tuple[Change, Ran]]

#: What one changed call may take.
SECONDS = 20.0


def judge_changes(
    subject: Subject, capture: Capture, changes: Changes, apart: bool, send: isolate.Send, note: str = ""
) -> None:
    """Capture, make the capturing call, and then each changed one, `apart` in a child of its own. A frontend that
    refuses to capture, or fails in that first call, has nothing to be perturbed."""
    instance = subject.fresh()
    memento = instance.memento()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            captured = capture(instance)
        except Exception:
            return
    memento.restore()
    if instance.call(captured, 0, 0).error is not None:
        return
    works = [functools.partial(changed_call, subject, instance, captured, *change) for change in changes]
    for (change, _), bad in zip(changes, isolate.answers_in_turn(works, SECONDS, apart)):
        send(perturbed_of(change.text + note, bad))


def perturbed_of(text: str, bad: Any) -> Perturbed:
    """What a changed call did, in the report's form: None, a `Bad`, or an `isolate.Ended`."""
    if isinstance(bad, isolate.Ended):
        return {"change": text, "outcome": "unknown", "message": str(bad)}
    return {"change": text, "outcome": outcome_of(bad), "message": bad.text if bad is not None else ""}


def changed_call(subject: Subject, instance: Instance, captured: Any, change: Change, expected: Ran) -> Optional[Bad]:
    """Make the changed call of a captured object, in this process, and compare it with the eager one."""
    args, kwargs = change.arguments(instance)
    try:
        with change.around(instance, captured):
            got = Ran.of(call_with(captured, args, kwargs, change.seed), subject.path)
    except NotImplementedError as error:  # an exported program has no train() and eval()
        return Bad(0, "refused", str(error))
    return compare(0, expected, got)


def outcome_of(bad: Optional[Bad]) -> str:
    """The outcome of a changed call that recompiles nothing."""
    if bad is None:
        return "captured"
    if bad.kind == "wrong":
        return "silently_wrong"
    return "guarded" if "Guard failed" in bad.text else "refused"
