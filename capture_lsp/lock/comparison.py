"""What is worse than recorded, what is better, and what is merely other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from analyzer.outcome import BAD, RANK
from capture_lsp.formats.probe.words import frontend_name, outcome_words
from capture_lsp.formats.style import counted
from capture_lsp.lock.records import Entries, Locked, LockedBreak


@dataclass
class Compared:
    """Entry → what is to be said of it. `worse` alone is a failure."""

    worse: dict[str, list[str]] = field(default_factory=dict)
    better: dict[str, list[str]] = field(default_factory=dict)
    other: dict[str, list[str]] = field(default_factory=dict)


def compare(recorded: Entries, now: Entries) -> Compared:
    """Compare by name; an entry that was renamed and is otherwise the same is found under its new name."""
    found = Compared()
    gone = {name: entry for name, entry in recorded.items() if name not in now}
    for name, entry in sorted(now.items()):
        before = recorded.get(name)
        if before is None:
            old = next((n for n, e in gone.items() if _same(e, entry)), None)
            if old is None:
                _unrecorded(name, entry, found)
                continue
            before = gone.pop(old)
            _add(found.other, name, f"was {old} when it was recorded")
        _Comparison(name, before, entry, found).run()
    for name in sorted(gone):
        _add(found.other, name, "is recorded, and no longer captured")
    return found


def still_worse(first: Compared, second: Compared) -> Compared:
    """The first comparison, where a second run was worse in the same way: anything else was chance."""
    confirmed = {
        name: kept
        for name, texts in first.worse.items()
        if (kept := [text for text in texts if text in second.worse.get(name, ())])
    }
    other = dict(first.other)
    for name, texts in first.worse.items():
        for text in texts:
            if text not in confirmed.get(name, ()):
                _add(other, name, f"{text}: in one of two runs only")
    return Compared(confirmed, first.better, other)


def _add(to: dict[str, list[str]], name: str, text: str) -> None:
    to.setdefault(name, []).append(text)


def _same(one: Locked, other: Locked) -> bool:
    return (
        one.target.partition("::")[0] == other.target.partition("::")[0]
        and (one.graphs, one.ops, len(one.eager), one.matrix)
        == (other.graphs, other.ops, len(other.eager), other.matrix)
        and sorted(_unnamed(one.breaks)) == sorted(_unnamed(other.breaks))
    )


def _unrecorded(name: str, entry: Locked, found: Compared) -> None:
    """New code is to be captured whole."""
    texts = [_break_text("break", one) for one in entry.breaks]
    texts += [f"{function} runs eagerly" for function in entry.eager]
    texts += [
        f"{outcome_words(outcome)} under {frontend_name(frontend)}"
        for frontend, outcome in sorted(entry.matrix.items())
        if outcome == "silently_wrong"
    ]
    for text in texts:
        _add(found.worse, name, f"{text} (a new entry)")
    if not texts:
        _add(found.other, name, "is new: `capture-lsp lock` records it")


class _Comparison:
    """One entry, before and now."""

    def __init__(self, name: str, before: Locked, now: Locked, found: Compared) -> None:
        self._name = name
        self._before = before
        self._now = now
        self._found = found

    def run(self) -> None:
        self._breaks()
        self._eager()
        self._number("graph", self._before.graphs, self._now.graphs, bool(self._name in self._found.worse))
        self._number("recompilation", self._before.recompiles, self._now.recompiles)
        if self._before.ops != self._now.ops:
            self._tell(self._found.other, f"{counted(self._now.ops, 'operation')} in graphs, {self._before.ops} before")
        self._guards()
        for frontend in sorted(self._before.matrix.keys() & self._now.matrix.keys()):
            same = self._outcome(frontend, "", self._before.matrix[frontend], self._now.matrix[frontend])
            if same:
                before, now = self._before.changes.get(frontend, {}), self._now.changes.get(frontend, {})
                for change in sorted(before.keys() & now.keys()):
                    self._outcome(frontend, f", {change}", before[change], now[change])

    def _tell(self, to: dict[str, list[str]], text: str) -> None:
        _add(to, self._name, text)

    def _breaks(self) -> None:
        new, gone = _difference(self._before.breaks, self._now.breaks)
        for one in new:
            self._tell(self._found.worse, _break_text("new break", one))
        for one in gone:
            self._tell(self._found.better, f"no longer breaks at `{one.fingerprint.expression}` in {_where(one)}")

    def _eager(self) -> None:
        """A function that was renamed is not a further one."""
        before, now = Counter(self._before.eager), Counter(self._now.eager)
        more = len(self._now.eager) - len(self._before.eager)
        for function in sorted((now - before).elements())[: max(0, more)]:
            self._tell(self._found.worse, f"{function} now runs eagerly")
        for function in sorted((before - now).elements())[: max(0, -more)]:
            self._tell(self._found.better, f"{function} no longer runs eagerly")

    def _number(self, noun: str, before: int, now: int, explained: bool = False) -> None:
        if before == now:
            return
        text = f"{counted(now, noun)}, {before} before"
        if now > before:
            self._tell(self._found.worse if not explained else self._found.other, text)
        else:
            self._tell(self._found.better, text)

    def _guards(self) -> None:
        new = sorted(set(self._now.guards) - set(self._before.guards))
        if new:
            self._tell(self._found.other, f"new kinds of guards: {', '.join(new)}")

    def _outcome(self, frontend: str, suffix: str, before: str, now: str) -> bool:
        """Tell of an outcome that is another than before; whether it is the same."""
        if "unknown" in (before, now) or before == now:
            return before == now
        text = f"{frontend_name(frontend)}{suffix}: {outcome_words(before)} → {outcome_words(now)}"
        ranks = [str(one) for one in RANK]
        worse = ranks.index(now) < ranks.index(before) if now in ranks and before in ranks else now in BAD
        broken = frontend == "dynamo" and now in ("graph_break", "skipped_frame") and self._name in self._found.worse
        if worse and not broken:  # the breaks say it
            self._tell(self._found.worse, text)
        elif not worse:
            self._tell(self._found.better, text)
        return False


def _difference(
    before: Iterable[LockedBreak], now: Iterable[LockedBreak]
) -> tuple[list[LockedBreak], list[LockedBreak]]:
    """Breaks that are new and breaks that are gone, counted; one that is in another function now is neither."""
    new, gone = list(now), list(before)
    for same in (_whole, _nameless):
        for one in list(new):
            twin = next((other for other in gone if same(other) == same(one)), None)
            if twin is not None:
                new.remove(one)
                gone.remove(twin)
    return new, gone


def _whole(one: LockedBreak) -> tuple[str, ...]:
    return (one.fingerprint.id, one.fingerprint.function, one.fingerprint.expression)


def _nameless(one: LockedBreak) -> tuple[str, ...]:
    return (one.fingerprint.id, one.fingerprint.expression)


def _unnamed(breaks: Iterable[LockedBreak]) -> list[tuple[str, ...]]:
    return [_nameless(one) for one in breaks]


def _where(one: LockedBreak) -> str:
    return one.fingerprint.function or one.at


def _break_text(what: str, one: LockedBreak) -> str:
    text = f"{what} at {one.at or 'an unknown place'}"
    if one.reached_from:
        text += f", reached from {one.reached_from}"
    expression = one.fingerprint.expression
    return f"{text}: {one.fingerprint.id}" + (f" `{expression.splitlines()[0]}`" if expression else "")
