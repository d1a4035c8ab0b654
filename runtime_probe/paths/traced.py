"""Numbers that remember which decisions they were computed from, and note every comparison that is made with them.

They go through the program, run eagerly, in place of the values that it reads from tensors. A comparison gives a plain
bool, and leaves a `Wish`: another value of the decision, for which it would have turned out otherwise.
"""

from __future__ import annotations

import functools
import math
import operator
import sys
from typing import Any, Callable, Dict, Hashable, List, NamedTuple, Optional, Set, Tuple, Union

Number = Union[int, float]
#: What a number would be if the decision had another value; decisions are known by any key.
Term = Callable[[Number], Number]
Terms = Dict[Hashable, Term]
#: Longer computations are not followed back.
_DEEPEST = 150
_MOST_WISHES = 400


class Condition(NamedTuple):
    """A comparison that was made: it must come out the same for whatever follows it to be reached."""

    holds: Callable[[Number], bool]
    truth: bool


class Wish(NamedTuple):
    """A value of a decision is wanted with which `holds`; `after`: how many conditions on it come before. `gap`: a
    function whose root is a place where `holds` changes. `hints`: constants of the program near such values."""

    decision: Hashable
    after: int
    holds: Callable[[Number], bool]
    gap: Optional[Term]
    hints: Tuple[Number, ...]
    arm: int  #: known by all that was decided before, and by what is decided otherwise
    where: Any = None  #: the comparison that should turn out otherwise, if it is one


class Log:
    """All that was noted in one run."""

    def __init__(self) -> None:
        self.conditions: Dict[Hashable, List[Condition]] = {}
        self.wishes: List[Wish] = []
        self.arms: List[int] = [0]  #: those that were taken, each with all before it
        self._seen: Dict[Any, Set[bool]] = {}
        self._loops: List[_Loop] = []

    def number(self, value: Number, terms: Terms, depth: int = 0) -> Any:
        """A traced number; plain if it depends on nothing."""
        if not terms or depth > _DEEPEST or isinstance(value, bool) or not isinstance(value, (int, float)):
            return value
        made: Any = TracedInt(value) if isinstance(value, int) else TracedFloat(value)
        made.log, made.terms, made.depth = self, terms, depth
        return made

    def decision(self, key: Hashable, value: Number) -> Any:
        """The number that was read at one decision."""
        return self.number(value, {key: lambda v: v})

    def arm(self, *decided: Hashable) -> int:
        """The arm that would be taken now if this were decided."""
        return hash((self.arms[-1], decided))

    def took(self, *decided: Hashable) -> None:
        """This was decided."""
        self.arms.append(self.arm(*decided))

    def wish(
        self,
        decision: Hashable,
        holds: Callable[[Number], bool],
        gap: Optional[Term],
        hints: Tuple[Number, ...],
        arm: int,
        where: Any = None,
    ) -> None:
        """Ask for a value with which `holds`, behind all conditions so far."""
        if len(self.wishes) < _MOST_WISHES:
            after = len(self.conditions.get(decision, ()))
            self.wishes.append(Wish(decision, after, holds, gap, hints, arm, where))

    def compared(self, compare: Callable[[Any, Any], bool], one: Any, other: Any, where: Any) -> bool:
        """Note a comparison of two numbers, at least one of them traced."""
        truth = bool(compare(plain(one), plain(other)))
        for key in {**terms_of(one), **terms_of(other)}:
            left, right = term_of(one, key), term_of(other, key)

            def holds(v: Number, left: Term = left, right: Term = right) -> bool:
                return bool(compare(left(v), right(v)))

            def gap(v: Number, left: Term = left, right: Term = right) -> Number:
                return left(v) - right(v)

            def otherwise(v: Number, holds: Callable[[Number], bool] = holds) -> bool:
                return holds(v) != truth

            seen = self._seen.setdefault((key, where), set())
            if not seen:
                self.wish(key, otherwise, gap, (plain(one), plain(other)), self.arm(where, not truth), where)
            seen.add(truth)
            self.conditions.setdefault(key, []).append(Condition(holds, truth))
        self.took(where, truth)
        return truth

    def range(self, arguments: Tuple[Any, ...], where: Hashable) -> Any:
        """`range` of traced numbers: its indices are traced too, so that arms for a late index are found."""
        loop = _Loop(self, arguments, ("loop", where, len(self._loops)))
        self._loops.append(loop)
        return loop

    def finish(self) -> None:
        """Turn what was wished of loop indices into wishes on the decisions that bound the loops."""
        from runtime_probe.paths.solve import value_for

        self.wishes = [w for w in self.wishes if w.where is None or len(self._seen[w.decision, w.where]) < 2]
        for loop in self._loops:
            for wish in [w for w in self.wishes if w.decision == loop.key]:
                wanted = value_for(wish, [], loop.last, None, None)
                if isinstance(wanted, int):
                    loop.want(wanted)
        keys = {loop.key for loop in self._loops}
        self.wishes = [w for w in self.wishes if w.decision not in keys]


class _Loop:
    """A range whose bounds depend on decisions."""

    def __init__(self, log: Log, arguments: Tuple[Any, ...], key: Hashable) -> None:
        self.log = log
        self.arguments = arguments
        self.plain = range(*map(plain, arguments))
        self.key = key
        self.last = self.plain[-1] if len(self.plain) else 0
        self._after = {key: len(log.conditions.get(key, ())) for key in self._decisions()}
        for key in self._after:
            log.wish(key, self._other_emptiness(key), None, (0, 1), log.arm(self.key, not self.plain))
        self._begin = len(log.arms)
        log.took(self.key, not self.plain)

    def _decisions(self) -> Set[Hashable]:
        return {key for argument in self.arguments for key in terms_of(argument)}

    def _as(self, key: Hashable, value: Number) -> range:
        return range(*(operator.index(term_of(a, key)(value)) for a in self.arguments))  # type: ignore[arg-type]

    def _other_emptiness(self, key: Hashable) -> Callable[[Number], bool]:
        return lambda v: (len(self._as(key, v)) > 0) != (len(self.plain) > 0)

    def _reaches(self, key: Hashable, index: int) -> Callable[[Number], bool]:
        return lambda v: index in self._as(key, v)

    def want(self, index: int) -> None:
        """Wish that the loop comes to an index."""
        for key, after in self._after.items():
            arm = hash((self.log.arms[self._begin], index))
            self.log.wishes.append(Wish(key, after, self._reaches(key, index), None, (index, index + 1), arm))

    def __iter__(self) -> Any:
        for index in self.plain:
            yield self.log.number(index, {self.key: lambda v: v})

    def __len__(self) -> int:
        return len(self.plain)

    def __getitem__(self, key: Any) -> Any:
        return self.plain[key]

    def __contains__(self, value: object) -> bool:
        return value in self.plain

    def __reversed__(self) -> Any:
        return reversed(self.plain)


def plain(value: Any) -> Any:
    """The number without its memory."""
    if isinstance(value, _Traced):
        return int.__int__(value) if isinstance(value, int) else float.__float__(value)  # type: ignore[arg-type]
    return value


def terms_of(value: Any) -> Terms:
    """What a number depends on."""
    return value.terms if isinstance(value, _Traced) else {}


def term_of(value: Any, key: Hashable) -> Term:
    """The number as a function of one decision, the others staying what they are."""
    constant = plain(value)
    return terms_of(value).get(key) or (lambda v: constant)


class _Traced:
    """What both kinds of traced numbers do."""

    log: Log
    terms: Terms
    depth: int = 0

    def __round__(self, digits: Any = None) -> Any:
        return applied(round if digits is None else lambda a: round(a, digits), self)

    def __ceil__(self) -> Any:
        return applied(math.ceil, self)

    def __floor__(self) -> Any:
        return applied(math.floor, self)

    def __trunc__(self) -> Any:
        return applied(math.trunc, self)

    def __bool__(self) -> bool:
        return self.log.compared(operator.ne, self, 0, where(2))


def where(depth: int) -> Hashable:
    """The instruction that a frame on the stack executes, the same in every process; 1 is the caller."""
    frame = sys._getframe(depth)
    return frame.f_code.co_filename, frame.f_code.co_firstlineno, frame.f_lasti


def _unary(one: Any, function: Callable[[Any], Any]) -> Any:
    return applied(function, one)


def applied(function: Callable[[Any], Any], one: Any) -> Any:
    """A function of one traced number."""

    def after(term: Term) -> Term:
        return lambda v: function(term(v))

    terms = {key: after(term) for key, term in one.terms.items()}
    return one.log.number(function(plain(one)), terms, one.depth + 1)


def _combined(function: Callable[[Any, Any], Any], one: Any, other: Any) -> Any:
    if not isinstance(one, (int, float)) or not isinstance(other, (int, float)):
        return NotImplemented
    value = function(plain(one), plain(other))
    log = one.log if isinstance(one, _Traced) else other.log  # type: ignore[union-attr]
    terms: Terms = {}
    for key in {**terms_of(one), **terms_of(other)}:
        left, right = term_of(one, key), term_of(other, key)
        terms[key] = lambda v, left=left, right=right: function(left(v), right(v))  # type: ignore[misc]
    depth = max(getattr(one, "depth", 0), getattr(other, "depth", 0)) + 1
    return log.number(value, terms, depth)


def _arithmetic(function: Callable[[Any, Any], Any]) -> Tuple[Callable[..., Any], Callable[..., Any]]:
    return lambda a, b: _combined(function, a, b), lambda a, b: _combined(function, b, a)


def _comparison(function: Callable[[Any, Any], bool]) -> Callable[..., Any]:
    def compare(one: Any, other: Any) -> Any:
        if not isinstance(other, (int, float)):
            return NotImplemented
        return one.log.compared(function, one, other, where(2))

    return compare


class TracedInt(_Traced, int):
    """An int with a memory."""

    __hash__ = int.__hash__


class TracedFloat(_Traced, float):
    """A float with a memory."""

    __hash__ = float.__hash__

    def is_integer(self) -> bool:
        return plain(self).is_integer()  # type: ignore[no-any-return]


_BINARY = ("add", "sub", "mul", "floordiv", "truediv", "mod", "pow")
_BITWISE = ("and_", "or_", "xor", "lshift", "rshift")


def _install() -> None:
    for kind, names in ((TracedInt, _BINARY + _BITWISE), (TracedFloat, _BINARY)):
        for name in names:
            straight, reflected = _arithmetic(getattr(operator, name))
            setattr(kind, f"__{name.rstrip('_')}__", straight)
            setattr(kind, f"__r{name.rstrip('_')}__", reflected)
        for name in ("lt", "le", "gt", "ge", "eq", "ne"):
            setattr(kind, f"__{name}__", _comparison(getattr(operator, name)))
        for name in ("neg", "pos", "abs"):
            setattr(kind, f"__{name}__", functools.partialmethod(_unary, getattr(operator, name)))
        kind.__hash__ = int.__hash__ if issubclass(kind, int) else float.__hash__  # type: ignore[assignment]


_install()
