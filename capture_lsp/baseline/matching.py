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
  6  the function is still there, and most of another file's function was taken out of it;
  7  the function, by whatever name, calls this one of its file and so still has the same expression.

Where an expression shows that attributes were renamed, functions are compared as if they were not.

A file that is gone counts as the one to which most of its findings went.

Form, the surest first, with local names numbered where they are no longer in use:
  0  the same expression;
  1  the same once variables that have one value, and helpers that return one, are put in, and written the same;
  2  the same once these are put in;
  3  written the same, where only on one side it is known what a variable stands for;
  4  names of definitions and texts for people apart, the same: the old names are gone and the new ones defined.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Protocol, TypeVar

from capture_lsp.baseline.fingerprint import Fingerprint
from capture_lsp.baseline.normal import Numbered, Outlines, numbered
from capture_lsp.baseline.renames import Defined, Kind, renames, skeleton

_SIMILAR, _ALIKE = 0.5, 0.8
_ROUNDS = 4
_FEW = 200  #: pairs for which functions are written anew
_LAST_WHOLE = 4  #: the last place that is a whole function: behind it come parts of one
_HELPER = 7
_BARE = re.compile(r"_\d+")  #: a variable alone


class Present(Protocol):
    """The code as it is now."""

    def functions(self, path: str) -> frozenset[str] | None:
        """The qualified names of a file's functions; None if there is no such file."""
        ...

    def local(self, path: str, function: str) -> frozenset[str]:
        """The names local to a function."""
        ...

    def through(self, path: str, function: str, helper: str) -> frozenset[str]:
        """What a function reckons by its calls of a helper of its file, each part as a `numbered` text."""
        ...

    def outline(self, path: str, function: str, former: Mapping[str, str]) -> Outlines:
        """The outlines of a function, as if attributes (new name: former one) were not renamed."""
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
    # Functions that were moved or renamed as they are, which needs no comparing of each with each.
    gone = [n for n, f in enumerate(old) if n not in taken and _is_gone(f, present)]
    for same in (_moved, _renamed):
        open_ = [n for n, known in enumerate(found) if known is None]
        pairs = _pairs([old[n] for n in gone], [new[n] for n in open_], same)
        take([(gone[before], open_[after]) for before, after in pairs])
    # What was matched tells where a file or a function went. At last, few that are left are looked at more closely.
    for closely in (False, True):
        for _ in range(_ROUNDS):
            left = [n for n in range(len(old)) if n not in taken]
            open_ = [n for n, known in enumerate(found) if known is None]
            if not left or not open_:
                return found
            candidates = _pairs([old[n] for n in left], [new[n] for n in open_], _keys)
            if closely and len(candidates) > _FEW:
                return found
            judge = _Judge(present, [(old[n], new[after]) for after, n in enumerate(found) if n is not None], closely)
            scored = []
            for before, after in dict.fromkeys((left[one], open_[other]) for one, other in candidates):
                if (score := judge.score(old[before], new[after])) is not None:
                    scored.append((score, before, after))
            if not scored:
                break
            take([(before, after) for _, before, after in sorted(scored)])
    return found


def _is_gone(f: Fingerprint, present: Present) -> bool:
    functions = present.functions(f.path)
    return functions is None or (bool(f.function) and f.function not in functions)


def _moved(f: Fingerprint) -> list[tuple[str, ...]]:
    return [(f.code, f.function, f.expression, f.statement, *f.outline)] if f.function else []


def _renamed(f: Fingerprint) -> list[tuple[str, ...]]:
    return [(f.code, f.path, _last(f.function), f.expression, f.statement, *f.outline)] if f.function else []


def _forms(f: Fingerprint) -> dict[str, Numbered]:
    """The expression as it is written, with variables and with helpers put in; local names numbered."""
    texts = {"written": f.expression, "values": f.values, "meaning": f.meaning}
    return {level: numbered(text, f.local) for level, text in texts.items()}


def _keys(f: Fingerprint) -> list[tuple[str, ...]]:
    keys: list[tuple[str, ...]] = []
    for text in dict.fromkeys(form.text for form in _forms(f).values()):
        bare = skeleton(text)
        keys.append((f.code, "text", text) if bare is None else (f.code, "skeleton", bare.text))
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

    def __init__(
        self, present: Present, matched: Sequence[tuple[Fingerprint, Fingerprint]], closely: bool = False
    ) -> None:
        self._present = present
        self._closely = closely
        self._paths = _most((old.path, new.path) for old, new in matched)
        self._functions = _most(((old.path, old.function), (new.path, new.function)) for old, new in matched)

    def score(self, old: Fingerprint, new: Fingerprint) -> tuple[int, int, float] | None:
        """Place, form and unlikeness; None for no match."""
        place = self._place(old, new)
        if place is None and self._closely and (former := _former_names(old, new, self._present)):
            outlined, expanded = self._present.outline(new.path, new.function, former)
            new = replace(new, outline=outlined, expanded=expanded)
            place = self._place(old, new)
        form = None if place is None else 2 if place == _HELPER else _form(old, new, place, self._present)
        return None if place is None or form is None else (place, form, -similarity(old, new))

    def _place(self, old: Fingerprint, new: Fingerprint) -> int | None:
        if old.path == new.path and old.function == new.function:
            return 0
        functions = self._present.functions(old.path)
        if functions is not None:
            path = old.path
        else:
            path = self._paths.get(old.path, old.path)
        same_file = path == new.path
        alike = similarity(old, new)
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
        part = contained(old, new)
        if same_file and (part >= _SIMILAR or old.statement == new.statement):
            return 5
        if part >= _ALIKE and old.statement == new.statement:
            return 6
        heir = self._functions.get((old.path, old.function), (path, old.function))
        return _HELPER if self._closely and _through(old, new, heir, self._present) else None


_T = TypeVar("_T", bound=Hashable)


def _most(pairs: Iterable[tuple[_T, _T]]) -> dict[_T, _T]:
    """The second that comes most often with each first."""
    found: dict[_T, _T] = {}
    for (first, second), _ in reversed(Counter(pairs).most_common()):
        found[first] = second
    return found


#: Levels of two expressions that may be compared, the surest first: variables are put in on both sides, helpers as far
#: as they are known.
_LEVELS = (("meaning", "meaning"), ("values", "values"), ("values", "meaning"), ("meaning", "values"))


def _form(old: Fingerprint, new: Fingerprint, place: int, present: Present) -> int | None:
    if old.expression == new.expression:
        return 0
    used = present.local(new.path, new.function)
    former = frozenset(old.local)
    before, after = _forms(old), _forms(new)
    for level, other in _LEVELS:
        changed = _changed(before[level], after[other], used, former, present)
        if changed is None or (changed and place > _LAST_WHOLE):
            continue
        if changed:
            return 4
        return 1 if before["written"].text == after["written"].text else 2
    # What the variables stand for is known on one side at most: of a part that was taken out, or in a function that is
    # much as it was.
    known = [form["written"].text != form["values"].text for form in (before, after)]
    if all(known) or _BARE.fullmatch(before["written"].text):
        return None
    if _changed(before["written"], after["written"], used, former, present) is None:
        return None
    return 3 if place > _LAST_WHOLE or similarity(old, new) >= _ALIKE else None


def _through(old: Fingerprint, new: Fingerprint, heir: tuple[str, str], present: Present) -> bool:
    """Whether a function, now `heir`, has an expression by calling the helper that it stands in."""
    path, function = heir
    if path != new.path or function == new.function or not new.function:
        return False
    before, after = _forms(old), _forms(new)
    if not any(before[level].text == after[other].text for level, other in _LEVELS):
        return False
    return before["meaning"].text in present.through(path, function, new.function)


def _former_names(old: Fingerprint, new: Fingerprint, present: Present) -> dict[str, str]:
    """The attributes that were renamed from one expression to the other, by their new names."""
    used = present.local(new.path, new.function)
    before, after = _forms(old), _forms(new)
    for level, other in (("written", "written"), *_LEVELS):
        changed = _changed(before[level], after[other], used, frozenset(old.local), present)
        if changed:
            return {name: former for kind, former, name in sorted(changed) if kind != "keyword"}
    return {}


def _changed(
    old: Numbered, new: Numbered, used: Collection[str], former: Collection[str], present: Present
) -> set[tuple[Kind, str, str]] | None:
    """The names that were changed from one expression to the other; None where these are two expressions. `used`: the
    local names that are in use now; `former`: those that were, in the same function."""
    if any(one != other and (one in used or other in former) for one, other in zip(old.names, new.names)):
        return None  # both variables are there, or were: this is another one
    changed = renames(old.text, new.text)
    return changed if changed is not None and present.defined().explains(changed) else None


def _last(name: str) -> str:
    return name.rpartition(".")[2]


def similarity(old: Fingerprint, new: Fingerprint) -> float:
    """The part of the larger function's statements that the other one has as well."""
    return max(_common(one, other) / max(len(one), len(other), 1) for one, other in _statements(old, new))


def contained(old: Fingerprint, new: Fingerprint) -> float:
    """The part of the smaller function's statements that the other one has as well."""
    return max(_common(one, other) / max(min(len(one), len(other)), 1) for one, other in _statements(old, new))


def _statements(old: Fingerprint, new: Fingerprint) -> list[tuple[Sequence[str], Sequence[str]]]:
    """As they are written, and with variables and helpers put in."""
    return [(old.outline, new.outline), (old.expanded, new.expanded)]


def _common(old: Sequence[str], new: Sequence[str]) -> int:
    return sum((Counter(old) & Counter(new)).values())
