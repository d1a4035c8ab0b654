"""Variants of a program without some of its breaks, checked: the breaks are gone, and the same comes out."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Dict, List, Optional, Sequence, Tuple

from runtime_probe.cost import neutral
from runtime_probe.cost.edits import Edit, applied, composed, lines_after
from runtime_probe.cost.neutral import ANSWERED, FIX, KEPT, REMOVED, Place, Way
from runtime_probe.cost.swap import Swap, text_of
from runtime_probe.cost.trial import Captured, Trial, apart, captured_trial
from runtime_probe.job import describe
from runtime_probe.report import Location
from runtime_probe.subject import Subject


@dataclass
class Variant:
    """The program without the breaks at some places; `reason`: why it could not be made."""

    places: List[Place]
    how: str
    ways: List[Way] = field(default_factory=list)
    reason: str = ""

    @property
    def breaks(self) -> List[Location]:
        return [place.location for place in self.places]

    def swap(self) -> Swap:
        """The exchange that makes it."""
        edits = edits_of(self.ways)
        assert edits is not None
        return Swap({path: applied(text_of(path), each) for path, each in edits.items()})


def edits_of(ways: Sequence[Way]) -> Optional[Dict[str, List[Edit]]]:
    """The edits of several ways by path; None if they touch the same text."""
    by_path: Dict[str, List[Edit]] = {}
    for way in ways:
        by_path.setdefault(way.path, []).extend(way.edits)
    found = {path: composed(edits) for path, edits in by_path.items()}
    return None if any(edits is None for edits in found.values()) else found  # type: ignore[return-value]


def without(subject: Subject, place: Place, expected: Trial, fixes: Sequence[Any], seconds: float) -> Variant:
    """The variant without one place's breaks, by the first way that works."""
    made = Variant([place], ANSWERED)
    try:
        neutral.find_ways(subject, place, fixes, seconds)
    except Exception as error:
        place.reason = describe(error)
    made.reason = place.reason
    if place.ways:
        made.how = place.ways[0].how
    for way in place.ways:
        if way.how == ANSWERED and expected.repeats.differs:
            made.reason = (
                made.reason
                or "later calls do not do what the first does: the value that it reads there is none of theirs"
            )
            continue
        reason = _fault(subject, [place], [way], expected, seconds)
        if not reason:
            return Variant([place], way.how, [way])
        made.reason = reason
    return made


def without_all(subject: Subject, singles: Sequence[Variant], expected: Trial, seconds: float) -> Optional[Variant]:
    """The variant without all breaks that some variant is without; None where that is no other."""
    places: List[Place] = []
    ways: List[Way] = []
    for single in singles:
        if single.ways and edits_of([*ways, *single.ways]) is not None:
            places += single.places
            ways += single.ways
    if len(places) < 2:
        return None
    how = next(how for how in (FIX, ANSWERED, KEPT, REMOVED) if any(way.how == how for way in ways))
    reason = _fault(subject, places, ways, expected, seconds)
    return Variant(places, how, [] if reason else ways, reason)


def _fault(subject: Subject, places: Sequence[Place], ways: Sequence[Way], expected: Trial, seconds: float) -> str:
    """What is wrong with a variant."""
    variant = Variant(list(places), "", list(ways))
    try:
        captured: Captured = apart(lambda: _tried(subject, variant, expected), seconds)
    except Exception as error:
        return describe(error)
    edits = edits_of(ways) or {}
    left = {(one["path"], one["line"]) for one in captured.breaks}
    for place in places:
        lines = lines_after(place.line, edits.get(place.path, []))
        still = [line for path, line in left if path == place.path and line in lines]
        if still:
            reasons = [one["reason"] for one in captured.breaks if one["line"] in still]
            return f"line {place.line} still breaks: {reasons[0]}"
    if captured.difference is not None:
        return f"another result comes out: {captured.difference}"
    return ""


def _tried(subject: Subject, variant: Variant, expected: Trial) -> Captured:
    with variant.swap():
        # an answer is that of the first call
        return captured_trial(subject, expected, twice=all(way.how != ANSWERED for way in variant.ways))


def how_many(total: int, most: int) -> str:
    """What is said where only some of the breaks were looked at."""
    return f"the first {most} of {total} lines with breaks were measured" if total > most else ""


__all__: Tuple[str, ...] = ("Variant", "edits_of", "how_many", "without", "without_all")
