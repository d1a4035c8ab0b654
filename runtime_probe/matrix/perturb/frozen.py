"""The line at which a capture froze what a changed call needed otherwise."""

from __future__ import annotations

import contextlib
from typing import Dict, List, Optional

from runtime_probe.matrix import isolate
from runtime_probe.matrix.decisions import Reading, Recorder, first_difference
from runtime_probe.matrix.judge import CAPTURE_SEED
from runtime_probe.matrix.perturb.accepted import Plan
from runtime_probe.matrix.perturb.change import Change
from runtime_probe.matrix.reference import eager
from runtime_probe.subject import Instance, Subject, call_with


class Frozen:
    """Compares what the capturing call and a changed one read on the host, once for each change."""

    def __init__(self, subject: Subject, plan: Plan) -> None:
        self._subject = subject
        self._changes = {change.text: change for change, _ in plan.changes}
        self._known: Dict[str, Optional[int]] = {}

    def with_line(self, text: str, message: str) -> str:
        """The message behind the line that is to blame for it, where one is found."""
        change = self._changes.get(text) or self._changes.get(text.rsplit(" (", 1)[0])
        if change is None:
            return message
        if change.text not in self._known:
            self._known[change.text] = self._line(change)
        line = self._known[change.text]
        return f"line {line}: {message}" if line is not None else message

    def _line(self, change: Change) -> Optional[int]:
        with contextlib.suppress(isolate.Ended):
            found: Optional[Reading] = isolate.answer_of(lambda: self._difference(change))
            return found.place[1] if found is not None else None
        return None

    def _difference(self, change: Change) -> Optional[Reading]:
        instance = self._subject.fresh()
        memento = instance.memento()
        with eager():
            capturing = _recorded(instance, Change("", seed=CAPTURE_SEED))
            memento.restore()
            instance.call(instance.function, 0, 0)
            changed = _recorded(instance, change)
        return first_difference(capturing, changed, ())


def _recorded(instance: Instance, change: Change) -> List[Reading]:
    args, kwargs = change.arguments(instance)
    recorder = Recorder()
    with change.around(instance, instance.function), recorder.recording():
        call_with(instance.function, args, kwargs, change.seed)
    return recorder.readings
