"""What can be varied in a program: found by calling it eagerly, in children."""

from __future__ import annotations

import functools
import linecache
import time
from dataclasses import dataclass
from typing import Any, Dict, Iterator, List, Optional, Sequence, Set, Tuple

from runtime_probe.matrix import isolate
from runtime_probe.matrix.perturb import sizes
from runtime_probe.matrix.perturb.change import module_of
from runtime_probe.matrix.reference import eager
from runtime_probe.simulate import conditions
from runtime_probe.simulate.changes import ALL, GIVEN, Changes
from runtime_probe.simulate.conditions import Condition, Key
from runtime_probe.simulate.eager import Made, watched
from runtime_probe.simulate.play import Modes, Played, given_as
from runtime_probe.simulation import FRONTENDS, Combination, Controls, Decision, Number, Size
from runtime_probe.subject import Instance, Subject

#: At most so many eager calls look for values that flip a decision.
MOST_CALLS = 60
MOST_INPUTS, MOST_SIZES, MOST_DECISIONS = 8, 12, 40
_MOST_WAYS = 6
#: Seconds for one call, and how many may take longer before no more are tried.
_SECONDS, _MOST_HANGS = 5.0, 2
#: More sizes than the recompilations that torch 2.13 allows.
_LARGER = 8


@dataclass
class _Tried:
    name: str
    made: Made


def bare(changes: Changes) -> Controls:
    """The controls of a program of which nothing was tried."""
    return {
        "decisions": [],
        "inputs": [{"name": GIVEN, "ways": []}],
        "sizes": [],
        "numbers": [],
        "dtypes": [changes.dtype() or GIVEN],
        "modes": [],
        "frontends": list(FRONTENDS),
    }


def survey(subject: Subject, changes: Changes, apart: bool, seconds: float) -> Controls:
    """The controls of a program. `apart`: a call changes what the next one sees, so that each needs an instance of its
    own. What is not found within `seconds` is left out."""
    return _Survey(subject, changes, apart, seconds).controls()


class _Survey:
    def __init__(self, subject: Subject, changes: Changes, apart: bool, seconds: float) -> None:
        self.subject, self.changes, self.apart = subject, changes, apart
        self.ends = time.monotonic() + seconds
        self.hangs = 0
        self.others: List[_Tried] = []  #: calls with the given values, and another size, number, element type or mode
        self.found: Controls = bare(changes)

    def controls(self) -> Controls:
        """All of them: modes first, values last, for they take most."""
        module = module_of(self.subject.fresh())
        if module is not None:
            self.found["modes"] = ["train", "eval"] if module.training else ["eval", "train"]
            self._accepts(self.found, [{**given_as(self.found), "mode": 1}])
        self._sizes()
        self._numbers()
        self._dtypes()
        self._values()
        return self.found

    # calls

    def _made(self, controls: Controls, calls: Sequence[Combination]) -> Iterator[Optional[Made]]:
        """Each combination called on its own; None for what did not end."""
        works = [functools.partial(self._call, controls, call) for call in calls]
        for made in isolate.answers_in_turn(works, _SECONDS, self.apart):
            self.hangs += isinstance(made, isolate.OutOfTime)
            yield made if isinstance(made, Made) else None
            if time.monotonic() > self.ends or self.hangs >= _MOST_HANGS:
                return

    def _call(self, controls: Controls, call: Combination) -> Made:
        played = Played(self.subject, controls, self.changes, [call])
        instance = played.fresh()
        with eager():
            Modes(instance).set(played.modes[0])
            made = watched(instance, 0, 0, played.path)
        made.ran.value = made.ran.inputs = None
        return made

    def _accepted(self, key: str, control: Any, number: int) -> List[int]:
        """The indices of a control's values with which the program runs."""
        controls: Controls = {**self.found, key: [control]}  # type: ignore[misc]
        calls = []
        for index in range(number):
            call = given_as(controls)
            call[key][0] = index  # type: ignore[literal-required]
            calls.append(call)
        return self._accepts(controls, calls)

    def _accepts(self, controls: Controls, calls: Sequence[Combination]) -> List[int]:
        """Which of the calls the program accepts, by number."""
        accepted = []
        for number, made in enumerate(self._made(controls, calls)):
            if made is not None and not made.ran.error:
                accepted.append(number)
                self.others.append(_Tried("", made))
        return accepted

    # sizes, numbers, element types

    def _sizes(self) -> None:
        instance = self.subject.fresh()
        for candidates in sizes.groups(instance):
            best: Optional[Size] = None
            for group in candidates:
                size = self._size(instance, group)
                if size is not None and (best is None or len(size["values"]) > len(best["values"])):
                    best = size
                if best is not None and len(best["values"]) > _LARGER // 2:
                    break
            if best is not None and best["name"] not in [known["name"] for known in self.found["sizes"]]:
                self.found["sizes"].append(best)

    def _size(self, instance: Instance, group: sizes.Group) -> Optional[Size]:
        given = sizes.size_of(instance, group)
        name = self.changes.size_name(group)
        first: Size = {"name": name, "given": given, "values": sorted({given, *sizes.growths(given)})}
        grown = [first["values"][n] for n in self._accepted("sizes", first, len(first["values"]))]
        larger = [value for value in grown if value > given]
        step = (larger[0] if larger else given + 1) - given
        tried = {1, given // 2, given - 1, given, *(given + step * n for n in range(1, _LARGER + 1)), *larger[:1]}
        size: Size = {
            "name": name,
            "given": given,
            "values": sorted(value for value in tried if value > 0 or given == value),
        }
        accepted = [size["values"][n] for n in self._accepted("sizes", size, len(size["values"]))]
        if given not in accepted or len(accepted) < 2:
            return None
        return {"name": name, "given": given, "values": accepted[:MOST_SIZES]}

    def _numbers(self) -> None:
        for name, given in self.changes.numbers():
            number: Number = {"name": name, "given": repr(given), "values": _other_numbers(given)}
            accepted = self._accepted("numbers", number, len(number["values"]))
            values = [number["values"][n] for n in accepted]
            if number["given"] in values and len(values) > 1:
                self.found["numbers"].append({**number, "values": values})

    def _dtypes(self) -> None:
        given = self.changes.dtype()
        others = [name for name in ("float32", "float64", "bfloat16") if name != given] if given else []
        for name in others:
            controls: Controls = {**self.found, "dtypes": [given, name]}
            if self._accepts(controls, [{**given_as(controls), "dtype": 1}]):
                self.found["dtypes"].append(name)

    # values

    def _values(self) -> None:
        """Tried in rounds until every decision that reads tensor data went both ways."""
        tried: List[_Tried] = []
        rounds = (
            [GIVEN, *self.changes.other_calls(), *list(ALL)[:13]],
            [*self.changes.seeds(), *list(ALL)[13:]],
            self.changes.of_one(),
            self.changes.of_two(),
        )
        left = MOST_CALLS
        for names in rounds:
            for one in self._tried(names, left):
                tried.append(one)
                left -= 1
                if len(tried) > 14 and not _open(tried):
                    break
            if left <= 0 or not _open(tried) or time.monotonic() > self.ends or self.hangs >= _MOST_HANGS:
                break
        self._choose(tried)

    def _tried(self, names: Any, most: int) -> Iterator[_Tried]:
        wanted = [name for _, name in zip(range(most), names)]
        controls: Controls = {**self.found, "inputs": [{"name": name, "ways": []} for name in wanted]}
        calls: List[Combination] = [{**given_as(controls), "inputs": n} for n in range(len(wanted))]
        for name, made in zip(wanted, self._made(controls, calls)):
            if made is not None and (not made.ran.error or made.raised or name == GIVEN):
                yield _Tried(name, made)

    def _choose(self, tried: List[_Tried]) -> None:
        """The decisions, and the sets of values that take them in ways of their own: those first that show a decision
        a way which no other shows."""
        if not tried or tried[0].name != GIVEN:
            return
        keys = _decisions([*tried, *self.others], self.subject.path)
        self.found["decisions"] = [decision(one) for one in keys]
        wanted = [one.key for one in keys]
        chosen = [tried[0]]
        rest = [one for one in tried[1:] if not one.made.ran.error] + [one for one in tried[1:] if one.made.ran.error]
        for new in (_shows_new, _differs):
            for one in rest:
                if len(chosen) < MOST_INPUTS and new(one, chosen, wanted):
                    chosen.append(one)
        self.found["inputs"] = [{"name": one.name, "ways": ways_of(one.made.ways, wanted)} for one in chosen]


def ways_of(ways: Dict[Key, List[bool]], wanted: Sequence[Key]) -> List[str]:
    """How each decision came out, in words: `True, False`, at most six visits."""
    return [_shown(ways.get(key, [])) for key in wanted]


def _shown(visits: Sequence[bool]) -> str:
    more = [", …"] if len(visits) > _MOST_WAYS else []
    return "".join([", ".join(map(str, visits[:_MOST_WAYS])), *more])


def decision(condition: Condition) -> Decision:
    """A condition in the report's form."""
    path, line, column, end_line, end_column = condition.key
    return {
        "path": path,
        "line": line,
        "column": column,
        "end_line": end_line,
        "end_column": end_column,
        "text": condition.text,
    }


def key_of(made: Decision) -> Key:
    """The key of a decision in the report's form."""
    return made["path"], made["line"], made["column"], made["end_line"], made["end_column"]


def _reads(tried: Sequence[_Tried]) -> Set[Key]:
    return {key for one in tried for key in one.made.reads if any(key in other.made.ways for other in tried)}


def _open(tried: Sequence[_Tried]) -> bool:
    """Whether a decision that reads tensor data went only one way so far."""
    return any(len({way for one in tried for way in one.made.ways.get(key, [])}) < 2 for key in _reads(tried))


def _decisions(tried: Sequence[_Tried], own: str) -> List[Condition]:
    """Conditions that came out differently, and those that read tensor data, in the order of the source; those of the
    program's `own` file first."""
    keys = {key for one in tried for key in one.made.ways}
    reached = {key: {tuple(one.made.ways[key]) for one in tried if key in one.made.ways} for key in keys}
    kept = {key for key, ways in reached.items() if len(ways) > 1} | _reads(tried)
    found: Dict[Key, Condition] = {}
    for path in {key[0] for key in kept}:
        found.update({one.key: one for one in conditions.of_file(path).all if one.key in kept})
    order = sorted(found, key=lambda key: (key[0] != own, key))
    return [found[key] for key in order][:MOST_DECISIONS]


def _shows_new(one: _Tried, chosen: Sequence[_Tried], wanted: Sequence[Key]) -> bool:
    def outcomes(made: Made) -> Set[Tuple[Key, bool]]:
        return {(key, way) for key in wanted for way in made.ways.get(key, [])}

    return bool(outcomes(one.made) - {pair for other in chosen for pair in outcomes(other.made)})


def _differs(one: _Tried, chosen: Sequence[_Tried], wanted: Sequence[Key]) -> bool:
    def ways(made: Made) -> List[List[bool]]:
        return [made.ways.get(key, []) for key in wanted]

    return all(ways(one.made) != ways(other.made) for other in chosen)


def _other_numbers(given: Any) -> List[str]:
    """Numbers to try in place of one, itself among them."""
    if isinstance(given, bool):
        return [repr(given), repr(not given)]
    if isinstance(given, int):
        found = sorted({0, 1, given - 1, *(given + n for n in range(_LARGER + 1))})
        return [repr(value) for value in found]
    if given != given:
        return [repr(given), "0.0", "1.0"]
    floats = sorted({given, 0.0, 1.0, -given, given / 2, given * 2, given + 1.0})
    return [repr(value) for value in floats]


def source_of(path: str) -> str:
    """The text of a file."""
    return "".join(linecache.getlines(path))
