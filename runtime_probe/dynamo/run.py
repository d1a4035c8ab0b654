"""The part `dynamo`: the given calls under `torch.compile` with its defaults, and what became of them."""

from __future__ import annotations

import collections
from typing import List, Sequence, Tuple

from runtime_probe.dynamo.listen import Listener
from runtime_probe.job import Emit, Job
from runtime_probe.matrix.fullgraph import compiled
from runtime_probe.matrix.judge import Judged, weigh
from runtime_probe.matrix.reference import Ran, reference_of, wrong_state
from runtime_probe.report import Break, Recompile
from runtime_probe.selftest import BREAKS
from runtime_probe.subject import Subject


def run(subject: Subject, emit: Emit, job: Job) -> None:
    """Compile afresh and make all given calls, listening; then compare with the same calls made eagerly."""
    reference = reference_of(subject, job.limits.part)
    instance = subject.fresh()
    before = instance.state()
    got: List[Ran] = []
    with Listener(emit, bytecode=bool(job.options.get("bytecode"))) as heard:
        function = compiled(instance, reference)
        for number in range(len(subject.inputs)):
            heard.call = number
            got.append(Ran.of(instance.call(function, number, number), subject.path))
    failing = [(number, call.error) for number, call in enumerate(reference.calls) if call.error is not None]
    if failing and reference.failed is None:
        number, error = failing[0]
        emit({"event": "note", "message": f"call {number + 1} fails without capture as well: {error}"})
    if reference.failed is not None:
        judged = Judged("unknown", f"the program fails without capture: {reference.failed}", reference.place)
        emit({"event": "failed", "message": judged.message})
    else:
        judged = weigh(subject, reference, got)
        if judged.outcome == "captured":
            judged = outcome_of(heard.breaks, heard.recompiles, heard.limit, heard.skipped)
        if judged.outcome == "captured":
            lost = wrong_state(reference, before, instance, function)
            if lost is not None:
                judged = Judged("silently_wrong", f"state: {lost[1]}", lost=lost[0])
        judged = unless_blind(judged, job)
    emit({"event": "verdict", "frontend": "dynamo", "verdict": judged.verdict(subject.inputs)})


def unless_blind(judged: Judged, job: Job) -> Judged:
    """Nothing heard is no capture where the self-test showed that breaks are not heard."""
    unseen = [what for what in job.options.get("blind", ()) if what in BREAKS]
    if not unseen or judged.outcome not in ("captured", "guarded"):
        return judged
    return Judged("unknown", f"this torch does not show {', '.join(unseen)}")


def outcome_of(
    breaks: Sequence[Tuple[str, Break, str]],
    recompiles: Sequence[Tuple[str, Recompile]],
    limit: bool,
    skipped: Sequence[Tuple[str, str]] = (),
) -> Judged:
    """The worst of what was heard: a skipped frame, a break, a storm of recompilations, one recompilation. `skipped`:
    functions left alone, with the reason; those without a break, as generators are, were not even begun."""
    if breaks:
        skipping = [b for _, b, skips in breaks if skips]
        chosen = (skipping or [b for _, b, _ in breaks])[0]
        message = chosen["cause"]["text"] if chosen["cause"] is not None else chosen["reason"]
        place = (chosen["path"], chosen["line"]) if chosen["path"] else None
        return Judged("skipped_frame" if skipping else "graph_break", message, place)
    if recompiles:
        frame, most = collections.Counter(frame for frame, _ in recompiles).most_common(1)[0]
        last = [recompile for known, recompile in recompiles if known == frame][-1]
        outcome = "recompiles" if most > 1 or limit else "guarded"
        times = "once" if most == 1 else f"{most} times"
        return Judged(outcome, f"recompiled {times}: {last['guard']}", (last["path"], last["line"]))
    if skipped:
        return Judged("skipped_frame", f"{skipped[0][0]} runs eagerly: {skipped[0][1]}")
    return Judged("captured")
