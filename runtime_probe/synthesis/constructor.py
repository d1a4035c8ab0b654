"""Arguments of a constructor: candidates for each parameter, and what an error says of the next one to try."""

from __future__ import annotations

import dataclasses
import heapq
import inspect
import itertools
import re
import types
from typing import Any, Dict, Iterator, List, Optional, Set, Tuple

import torch

from runtime_probe.synthesis import configuration, kinds
from runtime_probe.synthesis.argument import keyword_text
from runtime_probe.synthesis.blame import Failure
from runtime_probe.synthesis.naming import name_of, written
from runtime_probe.synthesis.shrinking import variants
from runtime_probe.synthesis.tables import look_up
from runtime_probe.synthesis.usage import Use, uses

Given = Tuple[Tuple[str, str], ...]

LAST_RESORT = ["32", "'mean'", "[32, 32]", "torch.nn.Linear(32, 32)", "torch.nn.Identity", "None"]
_DEEPEST = 3


@dataclasses.dataclass
class Parameter:
    """A parameter of a constructor with its candidate expressions."""

    name: str
    candidates: List[str]
    required: bool


def signature(cls: Any) -> Dict[str, inspect.Parameter]:
    """The constructor's parameters by name, without self and without `*args`, `**kwargs`."""
    own = getattr(cls, "__init__", None) if isinstance(cls, type) else None
    try:
        found = inspect.signature(own if own is not None and own is not object.__init__ else cls)
    except (TypeError, ValueError):
        return {}
    parameters = dict(found.parameters)
    if isinstance(cls, type) and parameters:
        parameters.pop(next(iter(parameters)) if "self" not in parameters else "self", None)
    return {n: p for n, p in parameters.items() if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)}


def parameters_of(cls: Any, module: types.ModuleType, depth: int = 0) -> List[Parameter]:
    """The required parameters, with candidates, best first."""
    annotated, used = kinds.annotations_of(cls.__init__), uses(cls.__init__)
    found: List[Parameter] = []
    for name, parameter in signature(cls).items():
        if parameter.default is parameter.empty:
            use = used.get(name, Use())
            found.append(Parameter(name, _candidates(cls, name, annotated.get(name), use, module, depth), True))
    return found


def required_values(cls: Any, module: types.ModuleType) -> Optional[Dict[str, str]]:
    """The first candidate for each required parameter, or None where there is none."""
    found = {p.name: p.candidates for p in parameters_of(cls, module, 1)}
    return {n: c[0] for n, c in found.items()} if all(found.values()) else None


def _candidates(cls: Any, name: str, kind: Any, use: Use, module: types.ModuleType, depth: int) -> List[str]:
    named = look_up("constructor_names", name)
    found: List[str] = []
    for part in kinds.members(kind) if kind is not None else []:
        if configuration.looks_like_configuration(part):
            found += configuration.expressions(part, module)
        elif isinstance(part, type) and issubclass(part, torch.nn.Module) and part is not torch.nn.Module:
            found += _nested(part, module, depth)
    if kind is not None:
        found += kinds.values(kind, module, [n for n in named if n != "config"])
    if named == ["config"] and not found:
        own = configuration.configuration_for(cls, module, use.attributes)
        found += configuration.expressions(own, module) if own is not None else []
        found += _settings(use)
    constants = [written(c) or "None" for c in use.constants]
    if named and re.match(r".*(mode|type|kind|task|method|reduction|variant|name)$", name):
        found = constants + found
    plain = [n for n in named if n != "config"]
    if use.called:
        found += [c for c in plain if c.startswith("torch.nn")] + ["torch.nn.GELU()", "torch.nn.Identity"]
    found += plain + constants
    if use.iterated:
        found += ["[32, 32]", "[2, 2]"]
    return list(dict.fromkeys([*found, *(LAST_RESORT if not found or kind is None else [])]))


def _nested(cls: Any, module: types.ModuleType, depth: int) -> List[str]:
    """A module as an argument of another: itself made from candidates."""
    name = name_of(cls, module)
    if name is None or depth >= _DEEPEST or inspect.isabstract(cls):
        return []
    inside = parameters_of(cls, module, depth + 1)
    if not all(p.candidates for p in inside):
        return []
    return [f"{name}({keyword_text({p.name: p.candidates[0] for p in inside})})"]


def _settings(use: Use) -> List[str]:
    """An object or a dict with just those settings that the constructor reads."""
    found: List[str] = []
    for names, text in ((use.attributes, "__import__('types').SimpleNamespace({})"), (use.keys, "dict({})")):
        if names:
            found.append(text.format(keyword_text({n: _setting(n) for n in names if n.isidentifier()})))
    return found


def _setting(name: str) -> str:
    return next((c for c in look_up("constructor_names", name) if c != "config"), "2")


class Constructors:
    """Constructor calls of one class, best first, each with the cost of its choices; `failed` feeds back an error."""

    def __init__(self, cls: Any, module: types.ModuleType, large: bool) -> None:
        self._parameters = parameters_of(cls, module)
        self._defaults = {
            n: p.default
            for n, p in signature(cls).items()
            if p.default is not p.empty and isinstance(p.default, (int, list, tuple))
        }
        self._queue: List[Tuple[float, int, Given]] = []
        self._seen: Set[Given] = set()
        self._count = itertools.count()
        self._optional = {n: p for n, p in signature(cls).items() if p.default is not p.empty}
        starts: List[Dict[str, str]] = [{}]
        if large:
            starts = [{n: written(v) or repr(v) for n, v in changed.items()} for changed in variants(self._defaults)]
        for cost, start in enumerate(starts):
            first = {p.name: p.candidates[0] for p in self._parameters if p.candidates}
            self._push(float(cost), {**first, **start})

    @property
    def complete(self) -> bool:
        """Whether every required parameter has a candidate."""
        return all(p.candidates for p in self._parameters)

    @property
    def required(self) -> List[str]:
        """The parameters without a default."""
        return [p.name for p in self._parameters]

    def _push(self, cost: float, given: Dict[str, str]) -> None:
        key = tuple(given.items())
        if key not in self._seen:
            self._seen.add(key)
            heapq.heappush(self._queue, (cost, next(self._count), key))

    def __iter__(self) -> Iterator[Tuple[float, Dict[str, str]]]:
        while self._queue:
            cost, _, given = heapq.heappop(self._queue)
            yield cost, dict(given)

    def failed(self, cost: float, given: Dict[str, str], failure: Optional[Failure]) -> None:
        """Queue what to try after this one: other candidates, those first that the error points at."""
        for name, text in _told(given, failure):
            self._push(cost + 0.3, {**given, name: text})
        for name, text in _missing(given, failure, self._optional):
            self._push(cost + 0.5, {**given, name: text})
        handed_on = _handed_on(given, failure)
        if handed_on:
            self._push(cost + 0.2, {**given, **handed_on})
        mentioned = failure.mentioned if failure is not None else frozenset()
        for parameter in self._parameters:
            if parameter.name not in given or given[parameter.name] not in parameter.candidates:
                continue
            place = parameter.candidates.index(given[parameter.name])
            step = 0.5 if parameter.name in mentioned else 1.0
            for further in range(place + 1, min(place + 4, len(parameter.candidates))):
                self._push(cost + step * (further - place), {**given, parameter.name: parameter.candidates[further]})


def _handed_on(given: Dict[str, str], failure: Optional[Failure]) -> Dict[str, str]:
    """Arguments that a constructor takes as `**kwargs` and misses further on."""
    if failure is None or failure.kind != "TypeError" or "missing" not in failure.message:
        return {}
    found: Dict[str, str] = {}
    for name in re.findall(r"'(\w+)'", failure.message.partition("missing")[2]):
        candidates = [c for c in look_up("constructor_names", name) if c != "config"]
        if name not in given and candidates:
            found[name] = candidates[0]
    return found


_WANTS_SEVERAL = (
    r"'int' object is not (iterable|subscriptable)|object of type 'int' has no len|\(not \"int\"\) to|'int' and 'list'"
)
_NO_ATTRIBUTE = re.compile(r"'SimpleNamespace' object has no attribute '(\w+)'")
_NO_KEY = re.compile(r"^'(\w+)'$")
_SETTINGS = re.compile(r"^(__import__\('types'\)\.SimpleNamespace|dict)\((.*)\)$")


def _told(given: Dict[str, str], failure: Optional[Failure]) -> Iterator[Tuple[str, str]]:
    """What an error says outright: a setting that is missing, a string that is not among those allowed, a list."""
    if failure is None:
        return
    missing = _NO_ATTRIBUTE.search(failure.message) or (
        _NO_KEY.search(failure.message) if failure.kind == "KeyError" else None
    )
    for name, text in given.items():
        settings = _SETTINGS.match(text)
        if settings and missing:
            inside = settings.group(2)
            yield (
                name,
                "{}({}{}={})".format(
                    settings.group(1), inside + ", " if inside else "", missing.group(1), _setting(missing.group(1))
                ),
            )
        elif missing and text in LAST_RESORT and failure.kind == "KeyError":
            yield name, f"dict({missing.group(1)}={_setting(missing.group(1))})"
        if text.startswith("'") and failure.kind in ("ValueError", "AssertionError", "KeyError", "NotImplementedError"):
            for word in re.findall(r"['\"]([\w./-]+)['\"]", failure.message):
                if repr(word) != text:
                    yield name, repr(word)
        if re.fullmatch(r"\d+", text) and re.search(_WANTS_SEVERAL, failure.message):
            yield name, f"[{text}, {text}]"
            yield name, f"({text},)"
    if "must be divisible by" in failure.message or " % " in failure.statement:
        for name, text in given.items():
            if re.fullmatch(r"\d+", text) and int(text) > 1:
                for other in ("4", "2", "1", "8", "64"):
                    if other != text:
                        yield name, other


def _missing(
    given: Dict[str, str], failure: Optional[Failure], optional: Dict[str, inspect.Parameter]
) -> Iterator[Tuple[str, str]]:
    """Optional arguments that turned out to be needed."""
    if failure is None:
        return
    for name, parameter in optional.items():
        if name in given or parameter.default is not None:
            continue
        if name in failure.mentioned or re.search(rf"\b{re.escape(name)}\b", failure.message):
            for text in look_up("constructor_names", name)[:2]:
                if text != "config":
                    yield name, text
