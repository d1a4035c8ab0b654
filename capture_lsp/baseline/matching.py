"""Which of the findings known from before each present finding is.

Every known finding is matched at most once, the surest matches first: so a second copy of known code is new, and
moved code is not. A match is judged by two things.

Place, the surest first:
  0  the same function of the same file;
  1  the function is gone, and this one of the same file has most of its statements, or other findings went there: it
     was renamed;
  2  the file or function is gone, and a function of this name has most of its statements elsewhere: it was moved;
  3  the same name, but the statements have changed;
  4  the function is gone, and one with another name in another file has most of its statements;
  5  the function is still there, and the statement now stands in another one of the same file;
  6  the function is still there, and most of another file's function was taken out of it.

A file that is gone counts as the one to which most of its findings went.

Form, the surest first:
  0  the same expression;
  1  local names apart, the same, and the old names are no longer in use;
  2  the same once variables and helpers of one expression are put in;
  3  the same shape, where what its variables stand for may have been renamed;
  4  names of definitions and texts for people apart, the same: the old names are gone and the new ones defined.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Protocol, TypeVar

from capture_lsp.baseline.fingerprint import Fingerprint
from capture_lsp.baseline.renames import Defined, renames, skeleton

_SIMILAR, _ALIKE = 0.5, 0.8
_ROUNDS = 4
_BARE = re.compile(r"_\d+")  #: a variable alone


class Present(Protocol):
    """The code as it is now."""

    def functions(self, path: str) -> frozenset[str] | None:
        """The qualified names of a file's functions; None if there is no such file."""
        ...

    def local(self, path: str, function: str) -> frozenset[str]:
        """The names local to a function."""
        ...

    def defined(self) -> Defined:
        """What the project defines."""
        ...


def match(old: Sequence[Fingerprint], new: Sequence[Fingerprint], present: Present) -> list[int | None]:
    """For each new finding the index of the old one that it is, None where it is none of them."""
    found: list[int | None] = [None] * len(new)
    taken: set[int] = set()

    def take(pairs: list[tuple[int, int]]) -> None:
        for before, after in pairs:
            if before not in taken and found[after] is None:
                found[after] = before
                taken.add(before)

    take(_pairs(old, new, lambda f: [(f.code, f.path, f.function, f.expression)]))
    for _ in range(_ROUNDS):  # what was matched tells where a file or a function went
        left = [n for n in range(len(old)) if n not in taken]
        open_ = [n for n, known in enumerate(found) if known is None]
        if not left or not open_:
            break
        judge = _Judge(present, [(old[n], new[after]) for after, n in enumerate(found) if n is not None])
        candidates = _pairs([old[n] for n in left], [new[n] for n in open_], _keys)
        scored = []
        for before, after in dict.fromkeys((left[one], open_[other]) for one, other in candidates):
            if (score := judge.score(old[before], new[after])) is not None:
                scored.append((score, before, after))
        if not scored:
            break
        take([(before, after) for _, before, after in sorted(scored)])
    return found


def _keys(f: Fingerprint) -> list[tuple[str, ...]]:
    keys: list[tuple[str, ...]] = [(f.code, "meaning", f.meaning), (f.code, "shape", f.shape)]
    for bare in (skeleton(f.shape), skeleton(f.meaning)):
        if bare is not None:
            keys.append((f.code, "skeleton", bare.text))
    return list(dict.fromkeys(keys))


def _pairs(
    old: Sequence[Fingerprint], new: Sequence[Fingerprint], keys: Callable[[Fingerprint], list[tuple[str, ...]]]
) -> list[tuple[int, int]]:
    """The indices of those that share a key."""
    known: dict[tuple[str, ...], list[int]] = {}
    for number, fingerprint in enumerate(old):
        for key in keys(fingerprint):
            known.setdefault(key, []).append(number)
    return [(n, after) for after, f in enumerate(new) for key in keys(f) for n in known.get(key, ())]


class _Judge:
    """Scores pairs, knowing from those matched already where files and functions went."""

    def __init__(self, present: Present, matched: Sequence[tuple[Fingerprint, Fingerprint]]) -> None:
        self._present = present
        self._paths = _most((old.path, new.path) for old, new in matched)
        self._functions = _most(((old.path, old.function), (new.path, new.function)) for old, new in matched)

    def score(self, old: Fingerprint, new: Fingerprint) -> tuple[int, int, float] | None:
        """Place, form and unlikeness; None for no match."""
        place = self._place(old, new)
        form = None if place is None else _form(old, new, place, self._present)
        return None if place is None or form is None else (place, form, -similarity(old.outline, new.outline))

    def _place(self, old: Fingerprint, new: Fingerprint) -> int | None:
        if old.path == new.path and old.function == new.function:
            return 0
        functions = self._present.functions(old.path)
        if functions is not None:
            path = old.path
        else:
            path = self._paths.get(old.path, old.path)
        same_file = path == new.path
        alike = similarity(old.outline, new.outline)
        if functions is None or (old.function and old.function not in functions):
            heir = self._functions.get((old.path, old.function))
            same_name = _last(old.function) == _last(new.function)
            if heir == (new.path, new.function) or (same_file and (alike >= _SIMILAR or old.function == new.function)):
                return 1
            if same_name and alike >= _SIMILAR:
                return 2
            if same_name and (same_file or old.function == new.function):
                return 3
            if alike >= _SIMILAR:
                return 4
        part = contained(old.outline, new.outline)
        if same_file and (part >= _SIMILAR or old.statement == new.statement):
            return 5
        if part >= _ALIKE and old.statement == new.statement:
            return 6
        return None


_T = TypeVar("_T", bound=Hashable)


def _most(pairs: Iterable[tuple[_T, _T]]) -> dict[_T, _T]:
    """The second that comes most often with each first."""
    found: dict[_T, _T] = {}
    for (first, second), _ in reversed(Counter(pairs).most_common()):
        found[first] = second
    return found


def _form(old: Fingerprint, new: Fingerprint, place: int, present: Present) -> int | None:
    if old.expression == new.expression:
        return 0
    local = present.local(new.path, new.function)
    renamed = renames(old.expression, new.expression, numbered=False)
    if renamed is not None and any(before in local for _, before, _ in renamed):
        return None  # the old variable is still there: this is another one
    if old.shape == new.shape:
        if old.meaning == new.meaning:
            return 1
        changed = renames(old.meaning, new.meaning)
        if changed is not None and present.defined().explains(changed):
            return 3
        if _BARE.fullmatch(old.shape) or (old.meaning != old.shape and new.meaning != new.shape):
            return None  # the variables are known to stand for something else
        return 3 if place or similarity(old.outline, new.outline) >= _ALIKE else None
    before, after = (dict.fromkeys((f.meaning, f.shape)) for f in (old, new))
    pairs = [(one, other) for one in before for other in after if not _BARE.fullmatch(one)]
    if any(one == other for one, other in pairs):
        return 2
    for one, other in pairs if place < 5 else ():
        changed = renames(one, other)
        if changed is not None and present.defined().explains(changed):
            return 4
    return None


def _last(name: str) -> str:
    return name.rpartition(".")[2]


def similarity(old: Sequence[str], new: Sequence[str]) -> float:
    """The part of the larger function's statements that the other one has as well."""
    return _common(old, new) / max(len(old), len(new), 1)


def contained(old: Sequence[str], new: Sequence[str]) -> float:
    """The part of the smaller function's statements that the other one has as well."""
    return _common(old, new) / max(min(len(old), len(new)), 1)


def _common(old: Sequence[str], new: Sequence[str]) -> int:
    return sum((Counter(old) & Counter(new)).values())
