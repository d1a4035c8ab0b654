"""A program of which nothing is captured as it stands, without its breaks: what its kernels would be."""

from __future__ import annotations

import time
from typing import Any, Dict, Iterator, List, Optional, Sequence

from runtime_probe.cost.edits import lines_after
from runtime_probe.cost.neutral import places_of
from runtime_probe.cost.swap import text_of
from runtime_probe.cost.trial import Captured, Trial, apart, captured_trial, eager_trial
from runtime_probe.cost.variants import Variant, edits_of, without, without_all
from runtime_probe.dynamo.graphs import line_ranges
from runtime_probe.matrix import isolate
from runtime_probe.report import Kernel
from runtime_probe.subject import Subject

#: So many lines with breaks are looked at.
MOST = 4


def variant_of(subject: Subject, fixes: Sequence[Any], seconds: float) -> Optional[Variant]:
    """The program without all breaks for which a way was found; None if there are none, or no time."""
    ends = time.monotonic() + seconds

    def left() -> float:
        return max(0.1, ends - time.monotonic())

    try:
        trial: Trial = apart(lambda: eager_trial(subject), left())
        if trial.error is not None:
            return None
        captured: Captured = apart(lambda: captured_trial(subject, trial), left())
        singles: List[Variant] = []
        for place in places_of(captured.breaks)[:MOST]:
            singles.append(without(subject, place, trial, fixes, left()))
        made = without_all(subject, singles, trial, left())
    except isolate.Ended:
        return None
    candidates = [made, *singles] if made is not None else singles
    return next((variant for variant in candidates if variant.ways), None)


def with_own_lines(kernels: Sequence[Kernel], variant: Variant) -> None:
    """Puts the lines of the program in place of those of the variant's text."""
    for path, edits in (edits_of(variant.ways) or {}).items():
        written: Dict[int, int] = {}
        for line in range(1, text_of(path).count("\n") + 2):
            for after in lines_after(line, edits):
                written.setdefault(after, line)
        for row in kernels:
            if path in row["lines"]:
                row["lines"][path] = line_ranges({written[n] for n in _numbers(row["lines"][path]) if n in written})


def _numbers(ranges: str) -> Iterator[int]:
    """The lines of `12-18,20`."""
    for part in filter(None, ranges.split(",")):
        first, _, last = part.partition("-")
        yield from range(int(first), int(last or first) + 1)
