"""What a piece of an analysis read and wrote, in order, and whether doing it again would do the same.

A *piece* (the run of a function, the state that an `__init__` leaves, the value of a global…) is a function of its
arguments, of the texts it asks about (`analyzer.observe`) and of what it reads in the *tables* of the interpreter.
While it goes on, its log takes down every question and read with the answer, every write, and every piece inside it.

To *replay* a piece is to go through its log: each read must give what it gave, each piece inside it must come out as it
did (replayed, or done anew if something changed in it), and the writes are made again. If all is so, the piece need not
be done: its result stands, and the tables are as if it had been done. Otherwise the writes are taken back.

Most pieces lie far from an edit. What all the entries of a piece and of those inside it come to is its *outcome*: what
must hold before it, and what it leaves. Where the outcome's conditions hold, the log need not be gone through.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from enum import IntEnum
from itertools import repeat
from operator import is_
from typing import Any, TypeVar, cast

from analyzer.flow.frame import Run
from analyzer.incremental.sameness import same

K = TypeVar("K")
V = TypeVar("V")

MISSING: Any = type("Missing", (), {"__repr__": lambda self: "MISSING"})()
#: The result of a piece that cannot be done apart from the piece around it.
FAILED: Any = type("Failed", (), {"__repr__": lambda self: "FAILED"})()


class NotApart(Exception):
    """Something happens in a replay that could not be taken back."""


class Op(IntEnum):
    """Kinds of entries of a log. Each is (op, a, b, c)."""

    READ = 0  #: table, key, value
    WRITE = 1  #: table, key, value or MISSING
    HAS = 2  #: set, key, whether it is in it
    PUT = 3  #: set, key, whether it is in it from now on
    EMPTY = 4  #: table or set, –, whether anything is in it
    KEYS = 5  #: table, –, its keys
    ASK = 6  #: question, arguments, answer
    PIECE = 7  #: piece, (what does it, its arguments), result
    RUN = 8  #: run, whether it is done, what it returned
    DONE = 9  #: run


Entry = tuple[Op, Any, Any, Any]
#: A question and its arguments.
Ask = tuple[Callable[..., Any], tuple[Any, ...]]


@dataclass(eq=False, slots=True)
class Piece:
    """What is kept of a piece: the arguments it had, its log and its result.

    `stamp`: the analysis that last needed it. `apart`: whether it touched nothing but tables.
    """

    arguments: tuple[Any, ...]
    key: Any
    log: list[Entry] = field(default_factory=list)
    result: Any = None
    apart: bool = True
    stamp: int = 0
    outcome: Outcome | None = None
    steady: bool = False  #: nothing inside it was done anew when it was last replayed
    told: bool = False  #: it was found that its outcome cannot be told
    run: Run | None = None  #: if the piece is a run
    #: The entries that were not steady when it was last replayed, and what the others between them come to: by the
    #: first entry, the one after the last, and the outcome.
    loose: list[int] = field(default_factory=list)
    stretches: dict[int, tuple[int, Outcome]] | None = None

    def size(self) -> int:
        """About how much it is to tell."""
        return len(self.log) if self.outcome is None else self.outcome.size


class Journal:
    """The log at hand, and what must be taken back if a replay fails."""

    def __init__(self, given_up: Callable[[], None]) -> None:
        """`given_up` is called where a replay ends in the middle of a piece."""
        self._given_up = given_up
        self.changing: frozenset[str] = frozenset()  #: the paths of the files that may get another text
        self.content: dict[Any, Piece] = {}  #: by key of a run, the piece that filled it last
        self._last: Piece | None = None  #: the piece that was last found or done
        self.tables: list[Table[Any, Any] | Marks[Any]] = []
        self.log: list[Entry] | deque[Entry] = deque(maxlen=0)  # nobody will ask
        self.apart = True
        self._seen: dict[tuple[int, Any], Any] = {}
        self._undo: list[tuple[Any, Any, Any]] | None = None
        self.settling = False  #: outcomes are told at once, not only where two analyses in a row found nothing new
        self.stamp = 0  #: the number of the analysis
        self._answers: dict[Ask, Any] = {}  #: what each question that counts is answered
        self._changed: set[Ask] = set()  #: those that were answered otherwise in the analysis before
        self._telling = 0  #: how much may still be told in this analysis
        self._failed: Piece | None = None  #: the piece that was just found not to come out

    def next(self) -> None:
        """The next analysis begins: of other texts, with empty tables."""
        self.stamp += 1
        self._telling = _TOLD_AT_ONCE
        for table in self.tables:
            table.clear()
        self._changed.clear()
        for ask, before in self._answers.items():
            now = ask[0](*ask[1])
            if now is not before and not same(now, before):
                self._changed.add(ask)
                self._answers[ask] = now

    def keep_answers(self, live: Iterable[Piece]) -> None:
        """Only the questions of these pieces are asked any longer."""
        asked = {(entry[1], entry[2]) for piece in live for entry in piece.log if entry[0] == Op.ASK}
        self._answers = {ask: answer for ask, answer in self._answers.items() if ask in asked}

    # -- taking down --------------------------------------------------------------------------------------------

    def begin(self, piece: Piece) -> tuple[Any, ...]:
        """What follows belongs to a piece. Gives what `end` wants."""
        before = (self.log, self.apart, self._seen)
        self.log, self.apart, self._seen = piece.log, True, {}
        return before

    def end(self, piece: Piece, before: tuple[Any, ...]) -> None:
        """The piece is done, or given up."""
        piece.apart = self.apart
        self.log, apart, self._seen = before
        self.apart = apart and piece.apart
        self._seen.clear()

    def not_apart(self) -> None:
        """The piece at hand is about to do something that no log takes down, and no replay could take back."""
        if self._undo is not None:
            raise NotApart
        self.apart = False

    def read(self, table: Any, key: Any, value: Any) -> None:
        """A key of a table is read."""
        place = (id(table), key)
        if self._seen.get(place, FAILED) is not value:
            self._seen[place] = value
            self.log.append((Op.READ, table, key, value))

    def has(self, table: Any, key: Any, answer: bool) -> None:
        """It is asked whether a set holds a key."""
        place = (id(table), key)
        if self._seen.get(place, FAILED) is not answer:
            self._seen[place] = answer
            self.log.append((Op.HAS, table, key, answer))

    def empty(self, table: Any, answer: bool) -> None:
        """It is asked whether anything is in a table or set."""
        place = (id(table), FAILED)
        if self._seen.get(place, FAILED) is not answer:
            self._seen[place] = answer
            self.log.append((Op.EMPTY, table, None, answer))

    def keys(self, table: Any, keys: tuple[Any, ...]) -> None:
        """All keys of a table are asked for."""
        self.log.append((Op.KEYS, table, None, keys))

    def write(self, table: Any, key: Any, value: Any, before: Any) -> None:
        """A key of a table is written (removed: MISSING)."""
        self.log.append((Op.WRITE, table, key, value))
        if self._undo is not None:
            self._undo.append((table, key, before))

    def put(self, table: Any, key: Any, present: bool, before: bool) -> None:
        """A key is put into a set or taken out."""
        self.log.append((Op.PUT, table, key, present))
        if self._undo is not None:
            self._undo.append((table, key, before))

    def ask(self, question: Callable[..., Any], arguments: tuple[Any, ...], answer: Any) -> None:
        """A question on the texts is asked: the recorder of `analyzer.observe`. Others always have that answer."""
        if not any(getattr(getattr(a, "module", a), "path", None) in self.changing for a in arguments):
            return
        place = (id(question), arguments)
        if self._seen.get(place, FAILED) is not answer:
            self._seen[place] = answer
            self.log.append((Op.ASK, question, arguments, answer))
            self._answers[question, arguments] = answer

    def piece(self, piece: Piece, does: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
        """A piece inside the one at hand was done: `does(piece, *arguments)` would do it again."""
        self._seen.clear()
        self._last = piece
        self.log.append((Op.PIECE, piece, (does, arguments), piece.result))

    def run(self, run: Run) -> None:
        """A run that was begun before is asked for its result."""
        self.log.append((Op.RUN, run, run.done, run.returns if run.done else None))

    def run_done(self, run: Run) -> None:
        """A run that is no piece is done."""
        self.log.append((Op.DONE, run, None, None))

    # -- doing again --------------------------------------------------------------------------------------------

    def replay(self, piece: Piece) -> bool:
        """Whether the piece would come out as it did; then the tables are as if it had been done."""
        failed, self._failed = self._failed, None
        if not piece.apart or piece is failed:
            return False
        outermost = self._undo is None
        if self._undo is None:
            self._undo = []
        mark = len(self._undo)
        before = (self.log, self.apart, self._seen)
        self.log, self._seen = deque(maxlen=0), {}
        held = False
        try:
            held = piece.outcome is not None and self._come_out(piece.outcome) or self._go_through(piece)
        except Exception:  # done for good, it may crash again: then as it would have without any replay
            if not outermost:
                raise
            self._given_up()
        finally:
            self.log, self.apart, self._seen = before
            if not held:
                self._take_back(mark)
            if outermost:
                self._undo = None
        return held

    def _come_out(self, outcome: Outcome) -> bool:
        assert self._undo is not None
        if outcome.stamp != self.stamp:  # texts stay as they are for the whole analysis
            if outcome.stamp != self.stamp - 1 or not self._changed.isdisjoint(outcome.asks):
                for (question, arguments), answer in outcome.asks.items():
                    now = question(*arguments)
                    if now is not answer and not same(now, answer):
                        return False
            outcome.stamp = self.stamp
        if not all(map(is_, map(self.content.get, outcome.filled_keys), outcome.filled)):
            return False
        get, missing = dict.get, MISSING
        for table, keys, values in outcome.reads:
            found = [*map(get, repeat(table), keys, repeat(missing))]
            if not all(map(is_, found, values)) and not all(map(same, found, values)):
                return False
        for marks, keys, answers in outcome.has:
            if not all(map(is_, map(set.__contains__, repeat(marks), keys), answers)):
                return False
        for holder, answer in outcome.empties:
            if bool(len(holder)) is not answer:
                return False
        for table, keys in outcome.keys:
            if tuple(dict.keys(table)) != keys:
                return False
        for run, done, returns in outcome.runs:
            if run.done is not done or done and run.returns is not returns and not same(run.returns, returns):
                return False
        undo = self._undo.append
        for table, keys, values in outcome.writes:
            undo((_MANY, table, (keys, [*map(get, repeat(table), keys, repeat(missing))])))
            dict.update(table, zip(keys, values))
        for table, key in outcome.removals:
            undo((table, key, get(table, key, missing)))
            dict.pop(table, key, None)
        for marks, key, present in outcome.puts:
            undo((marks, key, set.__contains__(marks, key)))
            (set.add if present else set.discard)(marks, key)
        for run in outcome.done:
            run.done = True
        return True

    def _go_through(self, piece: Piece) -> bool:
        get, missing = dict.get, MISSING
        log, stretches = piece.log, piece.stretches
        loose: list[int] = []  # the entries that came out by being done anew, in part at least
        index = -1
        while (index := index + 1) < len(log):
            if stretches and (stretch := stretches.get(index)) is not None:
                if self._come_out(stretch[1]):
                    index = stretch[0] - 1
                    continue
                del stretches[index]
            op, a, b, c = log[index]
            if op == Op.READ:
                now = get(a, b, missing)
                if now is not c and not same(now, c):
                    return False
            elif op == Op.PIECE:
                does, arguments = b
                if self._replay_inside(a, arguments):
                    if a.result is not c and not same(a.result, c):
                        return False
                    if not a.steady:
                        loose.append(index)
                    continue
                now = does(a, *arguments)
                if now is not c and not same(now, c):
                    return False
                last = self._last
                assert last is not None
                if last is not a:
                    log[index] = (Op.PIECE, last, b, now)
                    loose.append(index)
                elif not a.steady:
                    loose.append(index)
            elif op == Op.ASK:
                now = a(*b)
                if now is not c and not same(now, c):
                    return False
            elif op == Op.WRITE or op == Op.PUT:
                self._set(a, b, c)
            elif op == Op.HAS:
                if set.__contains__(a, b) is not c:
                    return False
            elif op == Op.EMPTY:
                if bool(len(a)) is not c:
                    return False
            elif op == Op.RUN:
                if a.done is not b or b and a.returns is not c and not same(a.returns, c):
                    return False
            elif op == Op.KEYS:
                if tuple(dict.keys(a)) != c:
                    return False
            else:
                a.done = True
        self._note(piece, loose)
        return True

    def _note(self, piece: Piece, loose: list[int]) -> None:
        """After a piece came out: tell what it comes to if that is steady, or else what lies around its loose parts."""
        if loose:
            piece.outcome, piece.told = None, False
            if piece.loose == loose:
                self._stretch(piece)
            piece.loose = loose
        elif (piece.steady or self.settling) and not piece.told and worth_it(piece) and self._affords(piece.log):
            piece.told = True
            piece.outcome = self._told(outcome_of(piece))
        piece.steady = not loose

    def _affords(self, entries: list[Entry]) -> bool:
        """Whether what some entries come to may be told now; else it would take too long between two keys, and the next
        one goes on here."""
        if not self.settling:
            size = sum(1 if entry[0] != Op.PIECE else entry[1].size() for entry in entries)
            if self._telling < size and self._telling < _TOLD_AT_ONCE:
                return False
            self._telling -= size
        return True

    def _told(self, outcome: Outcome | None) -> Outcome | None:
        if outcome is not None:
            outcome.stamp = self.stamp
        return outcome

    def _stretch(self, piece: Piece) -> None:
        """Somebody types in a function that this piece leads to: from key to key, the rest of it comes out alike."""
        known = piece.stretches = piece.stretches or {}
        start = 0
        for end in (*piece.loose, len(piece.log)):
            if end - start >= _STRETCH and start not in known:
                entries = piece.log[start:end]
                if not self._affords(entries):
                    return
                outcome = self._told(outcome_of(entries))
                if outcome is not None:
                    known[start] = (end, outcome)
            start = end + 1

    def _replay_inside(self, piece: Piece, arguments: tuple[Any, ...]) -> bool:
        """Replay a piece inside the one that is replayed, without asking what does it; if that fails, it is asked."""
        run = piece.run
        if (
            not piece.apart
            or run is not None
            and (self.content.get(piece.key) is not piece or piece.arguments is not arguments[1])
        ):
            return False
        assert self._undo is not None
        mark = len(self._undo)
        if not (piece.outcome is not None and self._come_out(piece.outcome) or self._go_through(piece)):
            self._take_back(mark)
            self._failed = piece
            return False
        if run is not None:
            run.done = True
        piece.stamp = self.stamp
        self._last = piece
        return True

    def _set(self, table: Any, key: Any, value: Any) -> None:
        assert self._undo is not None
        if isinstance(table, set):
            self._undo.append((table, key, set.__contains__(table, key)))
            (set.add if value else set.discard)(table, key)
            return
        self._undo.append((table, key, dict.get(table, key, MISSING)))
        if isinstance(value, Run):
            value.done = False
        _put(table, key, value)

    def _take_back(self, mark: int) -> None:
        assert self._undo is not None
        while len(self._undo) > mark:
            table, key, value = self._undo.pop()
            if table is _MANY:
                for one, before in zip(*value):
                    _put(key, one, before)
            elif isinstance(table, set):
                (set.add if value else set.discard)(table, key)
            else:
                _put(table, key, value)


#: Stands for the table in what is to be taken back of many keys at once: (_MANY, table, (keys, what they held)).
_MANY: Any = object()

#: A table or set, some of its keys, and what each holds: many at once, as most of the time goes here.
Rows = tuple[Any, tuple[Any, ...], tuple[Any, ...]]


@dataclass(eq=False, slots=True)
class Outcome:
    """What a piece comes to: everything that must be as it was before it, and everything that is other after it.

    `filled` are the pieces, by `filled_keys`, that filled the runs which are done after it (`done`).
    """

    asks: dict[Ask, Any] = field(default_factory=dict)
    reads: list[Rows] = field(default_factory=list)
    has: list[Rows] = field(default_factory=list)
    empties: list[tuple[Any, bool]] = field(default_factory=list)
    keys: list[tuple[Any, tuple[Any, ...]]] = field(default_factory=list)
    runs: list[tuple[Run, bool, Any]] = field(default_factory=list)
    writes: list[Rows] = field(default_factory=list)
    removals: list[tuple[Any, Any]] = field(default_factory=list)
    puts: list[tuple[Any, Any, bool]] = field(default_factory=list)
    done: dict[Run, Piece | None] = field(default_factory=dict)
    filled_keys: tuple[Any, ...] = ()
    filled: tuple[Piece, ...] = ()
    stamp: int = -1  #: the last analysis that found its questions answered so
    size: int = 0  #: of how many things it consists


def _rows(entries: Iterable[tuple[Any, Any, Any]]) -> list[Rows]:
    """Entries (table, key, value), table by table."""
    tables: dict[int, tuple[Any, list[Any], list[Any]]] = {}
    for table, key, value in entries:
        _, keys, values = tables.setdefault(id(table), (table, [], []))
        keys.append(key)
        values.append(value)
    return [(table, tuple(keys), tuple(values)) for table, keys, values in tables.values()]


def _entries(rows: Iterable[Rows]) -> Iterator[tuple[Any, Any, Any]]:
    for table, keys, values in rows:
        for key, value in zip(keys, values):
            yield table, key, value


class _Untold(Exception):
    """An outcome cannot be told from the log."""


def worth_it(piece: Piece) -> bool:
    """Whether an outcome may be told faster than the log is gone through."""
    return len(piece.log) > _SHORT or any(entry[0] == Op.PIECE for entry in piece.log)


#: Logs of so many entries, and no pieces in them, are gone through.
_SHORT = 24
#: So many entries are worth an outcome of their own.
_STRETCH = 3
#: What may be told within one analysis, in entries: about a millisecond, or one outcome.
_TOLD_AT_ONCE = 500


def outcome_of(told: Piece | list[Entry]) -> Outcome | None:
    """The outcome of a piece, or of a part of a log, from it and the logs of the pieces inside it; None if it has none
    of its own."""
    teller = _Teller()
    try:
        if isinstance(told, Piece):
            teller.tell(told)
        else:
            teller.tell_entries(told)
    except _Untold:
        return None
    return teller.outcome()


class _Teller:
    """Goes through logs in order; `_now` holds what was written so far."""

    def __init__(self) -> None:
        self._asks: dict[Ask, Any] = {}
        self._before: dict[tuple[int, Any], Entry] = {}  #: reads of what was not written before, by place
        self._now: dict[tuple[int, Any], Entry] = {}
        self._written: dict[int, set[Any]] = {}  #: keys by table
        self._empties: dict[int, tuple[Any, bool]] = {}
        self._keys: dict[int, tuple[Any, tuple[Any, ...]]] = {}
        self._begun: dict[Run, tuple[bool, Piece | None]] = {}  #: whether it is done, and the piece that fills it
        self._runs: dict[Run, tuple[Run, bool, Any]] = {}

    def tell(self, piece: Piece) -> None:
        """What a piece did comes after what was told before."""
        if not piece.apart:
            raise _Untold
        if piece.outcome is not None:
            self._add(piece.outcome)
        else:
            self.tell_entries(piece.log)

    def tell_entries(self, entries: list[Entry]) -> None:
        """What some entries of a log did."""
        for entry in entries:
            op, a, b, c = entry
            if op == Op.PIECE:
                self.tell(a)
                if a.run is not None:
                    self._begun[a.run] = (True, a)
            elif op == Op.ASK:
                self._asks[a, b] = c
            elif op in (Op.READ, Op.HAS):
                self._read((id(a), b), entry)
            elif op in (Op.WRITE, Op.PUT):
                self._write((id(a), b), entry)
            elif op == Op.EMPTY:
                self._empty(a, c)
            elif op == Op.RUN:
                self._run(a, b, c)
            elif op == Op.DONE:
                self._begun[a] = (True, None)
            elif id(a) in self._written:
                raise _Untold  # which of the keys were there before?
            else:
                self._keys[id(a)] = (a, c)

    def _add(self, outcome: Outcome) -> None:
        self._asks.update(outcome.asks)
        for table, key, value in _entries(outcome.reads):
            self._read((id(table), key), (Op.READ, table, key, value))
        for marks, key, present in _entries(outcome.has):
            self._read((id(marks), key), (Op.HAS, marks, key, present))
        for holder, answer in outcome.empties:
            self._empty(holder, answer)
        for table, keys in outcome.keys:
            if id(table) in self._written:
                raise _Untold
            self._keys[id(table)] = (table, keys)
        for run, done, returns in outcome.runs:
            self._run(run, done, returns)
        for table, key, value in _entries(outcome.writes):
            self._write((id(table), key), (Op.WRITE, table, key, value))
        for table, key in outcome.removals:
            self._write((id(table), key), (Op.WRITE, table, key, MISSING))
        for marks, key, present in outcome.puts:
            self._write((id(marks), key), (Op.PUT, marks, key, present))
        self._begun.update((run, (True, piece)) for run, piece in outcome.done.items())

    def _read(self, place: tuple[int, Any], entry: Entry) -> None:
        if place not in self._now:
            self._before.setdefault(place, entry)

    def _write(self, place: tuple[int, Any], entry: Entry) -> None:
        self._now[place] = entry
        self._written.setdefault(place[0], set()).add(place)
        if isinstance(entry[3], Run):
            self._begun[entry[3]] = (False, None)

    def _empty(self, holder: Any, answer: bool) -> None:
        """If something was written, it may say by itself whether anything is in it; an empty table must have been."""
        written = self._written.get(id(holder), ())
        present = any(self._now[place][3] not in (MISSING, False) for place in written)
        if answer and present:
            return
        if answer and written or self._empties.setdefault(id(holder), (holder, answer))[1] is not answer:
            raise _Untold

    def _run(self, run: Run, done: bool, returns: Any) -> None:
        if run not in self._begun:
            self._runs.setdefault(run, (run, done, returns))

    def outcome(self) -> Outcome:
        """All in all."""
        found = Outcome(self._asks, empties=list(self._empties.values()))
        found.keys = list(self._keys.values())
        found.reads = _rows((a, b, c) for op, a, b, c in self._before.values() if op == Op.READ)
        found.has = _rows((a, b, c) for op, a, b, c in self._before.values() if op != Op.READ)
        writes = []
        for place, (op, a, b, c) in self._now.items():
            before = self._before.get(place)
            if op != Op.WRITE:
                if before is None or before[3] is not c:
                    found.puts.append((a, b, c))
            elif c is MISSING:
                found.removals.append((a, b))
            else:
                writes.append((a, b, c))
        found.writes = _rows(writes)
        found.runs = list(self._runs.values())
        found.done = {run: piece for run, (done, piece) in self._begun.items() if done}
        found.size = len(self._asks) + len(self._before) + len(self._now) + len(self._runs) + len(self._begun)
        filled = {piece.key: piece for piece in found.done.values() if piece is not None}
        found.filled_keys, found.filled = tuple(filled), tuple(filled.values())
        return found


def _put(table: dict[Any, Any], key: Any, value: Any) -> None:
    if value is MISSING:
        dict.pop(table, key, None)
    else:
        dict.__setitem__(table, key, value)


class Table(dict[K, V]):
    """A dict whose reads and writes the journal takes down. What is not written here is not to be used."""

    __slots__ = ("journal",)

    def __init__(self, journal: Journal) -> None:
        super().__init__()
        self.journal = journal
        journal.tables.append(self)

    def get(self, key: K, default: Any = None) -> Any:
        value = dict.get(self, key, MISSING)
        self.journal.read(self, key, value)
        return default if value is MISSING else value

    def __getitem__(self, key: K) -> V:
        value = dict.get(self, key, MISSING)
        self.journal.read(self, key, value)
        if value is MISSING:
            raise KeyError(key)
        return cast(V, value)

    def __contains__(self, key: object) -> bool:
        value: Any = dict.get(cast("dict[object, V]", self), key, MISSING)
        self.journal.read(self, key, value)
        return value is not MISSING

    def __setitem__(self, key: K, value: V) -> None:
        self.journal.write(self, key, value, dict.get(self, key, MISSING))
        dict.__setitem__(self, key, value)

    def __delitem__(self, key: K) -> None:
        self.journal.write(self, key, MISSING, dict.get(self, key, MISSING))
        dict.__delitem__(self, key)

    def __bool__(self) -> bool:
        answer = bool(len(self))
        self.journal.empty(self, answer)
        return answer

    def __iter__(self) -> Iterator[K]:
        keys = tuple(dict.keys(self))
        self.journal.keys(self, keys)
        return iter(keys)

    def keys(self) -> Any:
        return tuple(iter(self))

    def items(self) -> Any:
        return tuple((key, self[key]) for key in self)

    def values(self) -> Any:
        return tuple(self[key] for key in self)


class Names(Table[str, V]):
    """Variables of a module's own frame: there are hardly ever any, so it is asked first whether there are."""

    __slots__ = ()

    def get(self, key: str, default: Any = None) -> Any:
        return Table.get(self, key, default) if self else default

    def __contains__(self, key: object) -> bool:
        return bool(self) and Table.__contains__(self, key)


class Marks(set[K]):
    """A set whose reads and writes the journal takes down."""

    __slots__ = ("journal",)

    def __init__(self, journal: Journal) -> None:
        super().__init__()
        self.journal = journal
        journal.tables.append(self)

    def __contains__(self, key: object) -> bool:
        answer = set.__contains__(self, key)
        self.journal.has(self, key, answer)
        return answer

    def add(self, key: K) -> None:
        self.journal.put(self, key, True, set.__contains__(self, key))
        set.add(self, key)

    def discard(self, key: object) -> None:
        self.journal.put(self, key, False, set.__contains__(self, key))
        set.discard(self, key)

    def __bool__(self) -> bool:
        answer = bool(len(self))
        self.journal.empty(self, answer)
        return answer
