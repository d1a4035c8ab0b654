"""From an entry to an expression that builds it and one that calls it."""

from __future__ import annotations

import ast
import inspect
import time
from typing import Any, Callable, List, NamedTuple, Optional, Tuple

import torch

from runtime_probe.subject import LoadedFile, reseed, uncaptured
from runtime_probe.synthesis import documented
from runtime_probe.synthesis.argument import keyword_text
from runtime_probe.synthesis.blame import Failure, read
from runtime_probe.synthesis.constructor import Constructors, signature
from runtime_probe.synthesis.found import Found, NoInputs
from runtime_probe.synthesis.guesses import Guesses, owner_of
from runtime_probe.synthesis.search import Search
from runtime_probe.synthesis.trial import Trials, quiet

#: A module with more elements than this in its parameters is first tried smaller; above `TOO_LARGE` it is never built.
LARGE, TOO_LARGE = 20_000_000, 300_000_000
MOST_CONSTRUCTORS = 120


class Target(NamedTuple):
    """What an entry is: a class still to be built (with the method called on it), or something that can be called."""

    value: Any
    method: Optional[str]
    text: str

    @property
    def is_class(self) -> bool:
        """Whether a constructor call is needed."""
        return isinstance(self.value, type)


def synthesise(file: LoadedFile, entry: str, init: Optional[str] = None, seconds: float = 20.0) -> Found:
    """Inputs for an entry: an expression in the file's namespace that is a function, an object, a class, or a method of
    a class. `init`: the constructor's arguments as an expression (tuple, dict, or one value).

    Raises NoInputs when nothing ran, and whatever evaluating `entry` raises.
    """
    deadline = time.monotonic() + seconds
    with quiet():
        target = _target(file, entry)
        if target.is_class and init is not None:
            text = with_init(target.text, init) + (f".{target.method}" if target.method else "")
            return _called(file, text, deadline, 0, "given constructor arguments")
        if target.is_class:
            return _built(file, target, deadline, seconds)
        parameters = tuple(_parameters(target.value))
        tries = 0
        for example in documented.examples(uncaptured(target.value), _last(entry), None, parameters):
            trials = _trials(file, entry)
            tries += 1
            if trials.run_text(example.inputs) is None:
                return Found(entry, [example.inputs], tries, "an example of the docstring")
        return _called(file, entry, deadline, tries, "")


def with_init(entry: str, init: str) -> str:
    """`Net` and `(3, 4)` are `Net(3, 4)`; a dict gives keyword arguments, anything else the one argument."""
    node = ast.parse(init.strip(), mode="eval").body
    if isinstance(node, ast.Tuple):
        return f"{entry}({', '.join(ast.unparse(e) for e in node.elts)})"
    if isinstance(node, ast.Dict) and all(isinstance(k, ast.Constant) and isinstance(k.value, str) for k in node.keys):
        pairs = {str(k.value): ast.unparse(v) for k, v in zip(node.keys, node.values) if isinstance(k, ast.Constant)}
        return f"{entry}({keyword_text(pairs)})"
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "dict" and not node.args:
        return f"{entry}({', '.join(ast.unparse(k) for k in node.keywords)})"
    return f"{entry}({ast.unparse(node)})"


def _target(file: LoadedFile, entry: str) -> Target:
    reseed(0)
    value = file.evaluate(entry)
    if isinstance(value, type):
        return Target(value, None, entry)
    owner, dot, method = entry.rpartition(".")
    if dot and inspect.isfunction(value):
        try:
            holder = file.evaluate(owner)
        except Exception:
            holder = None
        if isinstance(holder, type) and not isinstance(inspect.getattr_static(holder, method), (staticmethod,)):
            return Target(holder, method, owner)
    return Target(value, None, entry)


def _last(entry: str) -> str:
    return entry.rpartition(".")[2]


def _parameters(value: Any) -> List[str]:
    try:
        return [n for n in inspect.signature(value).parameters if n != "self"]
    except (TypeError, ValueError):
        return []


def _trials(file: LoadedFile, entry: str) -> Trials:
    def make() -> Any:
        return uncaptured(file.evaluate(entry))

    return Trials(file, entry, make)


def _forward(function: Any) -> Any:
    """The function whose signature a call binds to."""
    if isinstance(function, torch.nn.Module):
        return function.forward
    if not inspect.isroutine(function) and callable(function) and not isinstance(function, type):
        return function.__call__
    return function


def _called(file: LoadedFile, entry: str, deadline: float, tries: int, note: str) -> Found:
    """Inputs for an entry that needs no more constructor."""
    trials = _trials(file, entry)
    function = trials.function
    if not callable(function):
        raise NoInputs("inputs", f"{entry} is a {type(function).__name__}, which cannot be called", tries)
    guesses = Guesses(_forward(function), owner_of(function), file.module)
    search = Search(trials, guesses)
    call = search.run(deadline)
    tries += trials.count
    if call is None:
        failure = search.failure.text if search.failure else ""
        raise NoInputs("inputs", failure, tries)
    return Found(entry, [call.text()], tries, note or "found by trial; sizes that run, not yours")


def _built(file: LoadedFile, target: Target, deadline: float, seconds: float) -> Found:
    """An entry that is a class: examples of its docstring, then constructor calls, best first, each with a search for
    inputs."""
    tries, failures = 0, _Failures()
    suffix = f".{target.method}" if target.method else ""
    method = getattr(target.value, target.method or "forward", None)
    for example in documented.examples(target.value, _last(target.text), target.method, tuple(_parameters(method))):
        entry = example.entry.replace(_last(target.text), target.text, 1)
        tries += 1
        failure = _trials(file, entry).run_text(example.inputs)
        if failure is None:
            return Found(entry, [example.inputs], tries, "an example of the docstring")
    constructors = Constructors(target.value, file.module, _large(target))
    if not constructors.complete:
        raise NoInputs("constructor", "no candidate for " + ", ".join(constructors.required), tries)
    built = 0
    for cost, given in constructors:
        if time.monotonic() > deadline or tries > MOST_CONSTRUCTORS * 4:
            break
        entry = f"{target.text}({keyword_text(given)}){suffix}"
        trials = _trials(file, entry)
        tries += 1
        size = _elements(trials.make)
        if size is not None and size > TOO_LARGE:
            failures.constructor(Failure("too large", f"{entry} has {size} parameters"))
            constructors.failed(cost, given, None)
            continue
        try:
            function = trials.function
        except (Exception, SystemExit) as error:
            failure = read(error, {})
            failures.constructor(failure)
            constructors.failed(cost, given, failure)
            continue
        if not callable(function):
            raise NoInputs("inputs", f"{entry} is a {type(function).__name__}, which cannot be called", tries)
        built += 1
        search = Search(trials, Guesses(_forward(function), owner_of(function), file.module))
        left = deadline - time.monotonic()
        call = search.run(time.monotonic() + left * (0.5 if built == 1 else 0.34), 150 if built == 1 else 60)
        tries += trials.count
        if call is not None:
            return Found(entry, [call.text()], tries, "found by trial; sizes that run, not yours")
        if search.failure is not None:
            failures.call(search.failure)
        constructors.failed(cost + 1.0, given, search.failure)
    raise NoInputs(*failures.best(built > 0), tries)


class _Failures:
    """The failures worth telling: the first of a constructor, the furthest of a call."""

    def __init__(self) -> None:
        self._constructor: Optional[Failure] = None
        self._call: Optional[Failure] = None

    def constructor(self, failure: Failure) -> None:
        if self._constructor is None or failure.progress > self._constructor.progress:
            self._constructor = failure

    def call(self, failure: Failure) -> None:
        if self._call is None or failure.progress > self._call.progress:
            self._call = failure

    def best(self, built: bool) -> Tuple[str, str]:
        """(the stage, the text)."""
        if built and self._call is not None:
            return "inputs", self._call.text
        return "constructor", self._constructor.text if self._constructor is not None else ""


def _large(target: Target) -> bool:
    """Whether the object with its defaults has very many parameters, or that cannot be told without building it."""
    if any(p.default is p.empty for p in signature(target.value).values()):
        return False
    if not issubclass(target.value, torch.nn.Module):
        return False
    size = _elements(target.value)
    return size is None or size > LARGE


def _elements(make: Callable[[], Any]) -> Optional[int]:
    """The number of elements in the parameters of the module that `make` builds, without building them; None where that
    does not work."""
    try:
        with torch.device("meta"):
            made = make()
        owner = owner_of(made)
        return sum(p.numel() for p in owner.parameters()) if isinstance(owner, torch.nn.Module) else 0
    except (Exception, SystemExit):
        return None
