"""What is probed: an object to call and its calls, made afresh as often as one likes.

Every frontend and every path gets an `Instance` of its own, evaluated from the same expressions after the same seed, so
that they cannot disturb each other.
"""

from __future__ import annotations

import contextlib
import copy
import functools
import importlib
import importlib.util
import inspect
import os
import random
import sys
import types
from collections import deque
from dataclasses import dataclass
from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence, Tuple

import torch

from runtime_probe.compare import shared_memory, snapshot
from runtime_probe.job import describe

Arguments = Tuple[Tuple[Any, ...], Dict[str, Any]]


def reseed(seed: int) -> None:
    """Fix every generator that a program is likely to use."""
    random.seed(seed)
    if _has_devices():
        torch.manual_seed(seed)
    else:  # to seed devices that are not there takes milliseconds
        torch.default_generator.manual_seed(seed)
    numpy = sys.modules.get("numpy")
    if numpy is not None:
        numpy.random.seed(seed)


@functools.cache
def _has_devices() -> bool:
    """Whether there may be generators besides the processor's own."""
    if not sys.platform.startswith("linux"):
        return True
    nodes = ("/dev/nvidiactl", "/dev/kfd")
    return any(map(os.path.exists, nodes)) or getattr(torch.version, "xpu", None) is not None


def as_arguments(value: Any) -> Arguments:
    """A tuple is the positional arguments, a dict the keyword arguments, anything else the one argument."""
    if isinstance(value, tuple) and not hasattr(value, "_fields"):
        return value, {}
    if isinstance(value, dict) and all(isinstance(k, str) for k in value):
        return (), value
    return (value,), {}


def uncaptured(entry: Any) -> Any:
    """The object without the `torch.compile` that the program itself put around it."""
    for _ in range(4):
        if isinstance(entry, torch._dynamo.eval_frame.OptimizedModule):
            inner = vars(entry)["_modules"]["_orig_mod"]
        elif isinstance(entry, torch.nn.Module):  # a module of TorchScript answers for itself
            inner = None
        elif isinstance(entry, types.MethodType):
            function = uncaptured(entry.__func__)
            inner = types.MethodType(function, entry.__self__) if function is not entry.__func__ else None
        else:
            inner = inspect.getattr_static(entry, "_torchdynamo_orig_callable", None)
        if inner is None:
            break
        entry = inner
    return entry


def owner_of(function: Any) -> Any:
    """The object that a method is bound to, else the function itself. Objects of the program that answer to any name,
    or to none with an error of their own, are not asked."""
    bound = isinstance(function, (types.MethodType, types.BuiltinMethodType))
    return function.__self__ if bound and not isinstance(function.__self__, types.ModuleType) else function


@dataclass
class Called:
    """What one call did: a copy of its result, or its error, and a copy of its arguments afterwards. `shared`: which of
    its tensors share memory."""

    value: Any = None
    inputs: Any = None
    error: Optional[BaseException] = None
    shared: Sequence[str] = ()

    @property
    def text(self) -> str:
        return describe(self.error) if self.error is not None else ""


class Instance:
    """One fresh evaluation. `function` is what is captured; `settings` are those that the program gave to
    `torch.compile` for it; `namespace` is that of its file."""

    def __init__(self, function: Any, arguments: Sequence[Callable[[], Arguments]], module: Any, settings: Any) -> None:
        self.function = function
        self.module = module
        self.settings: Dict[str, Any] = dict(settings or {})
        self._arguments = arguments

    def arguments(self, number: int, seed: int = 0) -> Arguments:
        """Fresh arguments of one of the given calls."""
        reseed(seed)
        return self._arguments[number]()

    def call(self, function: Callable[..., Any], number: int, seed: int = 0) -> Called:
        """Call `function`, this one or a capture of it, with fresh arguments; its error becomes part of the result."""
        args, kwargs = self.arguments(number, seed)
        return call_with(function, args, kwargs, seed)

    def state(self) -> Dict[str, Any]:
        """What the program can see of itself after its calls: module state, attributes, its classes, its globals."""
        owner = owner_of(self.function)
        found: Dict[str, Any] = {}
        for name, key, value in _visible(owner, self.module):
            if not isinstance(value, (torch.nn.Module, type)):
                found[name + "." + key] = snapshot(value)
        return found

    def identities(self) -> Dict[str, Any]:
        """Which objects the same state is made of: equal before and after a call that wrote nothing, even if it would
        have written equal values. Numbers and strings are left out: they have no identity of their own."""
        owner = owner_of(self.function)
        return {
            name + "." + key: (id(value), _made_of(value))
            for name, key, value in _visible(owner, self.module)
            if isinstance(value, (torch.Tensor, list, dict, set, deque))
        }

    def memento(self) -> Memento:
        """The visible state of now, to be put back after a capture: capturing runs the program once."""
        return Memento(owner_of(self.function), self.module)


def _made_of(value: Any) -> Any:
    if isinstance(value, torch.Tensor):
        return value._version if not value.is_inference() else None
    inside = list(value.items()) if isinstance(value, dict) else list(value)
    return [tuple(map(id, part)) if isinstance(part, tuple) else id(part) for part in inside]


def call_with(function: Callable[..., Any], args: Tuple[Any, ...], kwargs: Dict[str, Any], seed: int = 0) -> Called:
    """One call after a seed, as `Called`."""
    reseed(seed)
    try:
        value = function(*args, **kwargs)
    except Exception as error:
        return Called(error=error, inputs=snapshot([args, kwargs]))
    shared = shared_memory(value, [args, kwargs])
    return Called(snapshot(value), snapshot([args, kwargs]), shared=shared)


class Subject:
    """An entry with its calls. `inputs[0]` is the capturing call, the others are later calls of the same object."""

    path: str
    entry: str
    inputs: List[str]
    silent = False  #: whether what it prints was printed before

    def fresh(self) -> Instance:
        """A new instance; raises whatever the program raises."""
        raise NotImplementedError


class LoadedFile:
    """The user's file, imported once in this process. Import errors of the file are raised as they are."""

    def __init__(self, path: str, module: str) -> None:
        self.path = path
        self.settings: Dict[int, Dict[str, Any]] = {}
        reseed(0)
        loaded = sys.modules.get(module)
        if loaded is not None and not same_file(getattr(loaded, "__file__", None) or "", path):
            module = "__probed__"  # the name of what the probe itself needs: torch.py, numpy.py
        if "." in module:  # its package first, as a regular import would
            importlib.import_module(module.rpartition(".")[0])
        spec = importlib.util.spec_from_file_location(module, path)
        if spec is None or spec.loader is None:
            raise ImportError("not a Python file: " + path)
        self.module = importlib.util.module_from_spec(spec)
        sys.modules[module] = self.module
        with recorded_compile(self.settings):
            spec.loader.exec_module(self.module)

    def evaluate(self, expression: str) -> Any:
        """An expression in the file's namespace, with torch (and numpy, where it is installed) at hand."""
        namespace: Dict[str, Any] = {"torch": torch}
        if "np" in expression or "numpy" in expression:
            with contextlib.suppress(ImportError):
                import numpy

                namespace.update(np=numpy, numpy=numpy)
        namespace.update(vars(self.module))
        return eval(expression.strip(), namespace)


class ExpressionSubject(Subject):
    """An entry and inputs given as expressions in the namespace of a loaded file."""

    def __init__(self, file: LoadedFile, entry: str, inputs: Sequence[str]) -> None:
        self.file = file
        self.path = file.path
        self.entry = entry
        self.inputs = list(inputs)

    def fresh(self) -> Instance:
        reseed(0)
        with recorded_compile(self.file.settings):
            given = self.file.evaluate(self.entry)
            settings = self.file.settings.get(id(given))
            if isinstance(given, type) and issubclass(given, torch.nn.Module):
                given = given()
        arguments = [_late_arguments(self.file, text) for text in self.inputs]
        return Instance(uncaptured(given), arguments, self.file.module, settings)


def _late_arguments(file: LoadedFile, text: str) -> Callable[[], Arguments]:
    return lambda: as_arguments(file.evaluate(text))


class ObjectSubject(Subject):
    """An object that the running program captured, with the arguments that it was called with: no expressions. An
    instance copies what can be copied and shares the rest."""

    def __init__(
        self, path: str, entry: str, function: Any, calls: Sequence[Arguments], module: Any, settings: Dict[str, Any]
    ) -> None:
        self.path = path
        self.entry = entry
        self.inputs = [shown_call(call) for call in calls]
        self.silent = True
        self._function = function
        self._calls = calls
        self._module = module
        self._settings = settings

    def fresh(self) -> Instance:
        function = self._function
        with contextlib.suppress(Exception):
            function = copy.deepcopy(function)
        return Instance(function, [_copied(call) for call in self._calls], self._module, self._settings)


def _copied(call: Arguments) -> Callable[[], Arguments]:
    def fresh() -> Arguments:
        try:
            return copy.deepcopy(call)
        except Exception:  # a graph's inner tensor, a generator, a lock
            return call

    return fresh


def shown_call(call: Arguments) -> str:
    """The arguments of a call in short: a tensor as its dtype and shape."""

    def show(value: Any) -> str:
        if isinstance(value, torch.Tensor):
            return "{}{}".format(str(value.dtype).replace("torch.", ""), list(value.shape))
        if isinstance(value, (list, tuple)):
            return ("[{}]" if isinstance(value, list) else "({})").format(", ".join(map(show, value)))
        if isinstance(value, dict):
            return "{" + ", ".join(f"{k!r}: {show(v)}" for k, v in value.items()) + "}"
        return repr(value) if isinstance(value, (bool, int, float, str, type(None))) else type(value).__name__

    args, kwargs = call
    return "(" + ", ".join([show(a) for a in args] + [f"{k}={show(v)}" for k, v in kwargs.items()]) + ")"


@contextlib.contextmanager
def recorded_compile(settings: Dict[int, Dict[str, Any]]) -> Iterator[None]:
    """Inside, note by `id` of its result which settings each `torch.compile` was given."""
    real = torch.compile

    def compile(model: Any = None, **given: Any) -> Any:
        if model is None:
            return lambda target: compile(target, **given)
        compiled = real(model, **given)
        settings[id(compiled)] = given
        return compiled

    torch.compile = compile
    try:
        yield
    finally:
        torch.compile = real


def _visible(entry: Any, module: Any) -> List[Tuple[str, str, Any]]:
    """(owner, attribute, value) of everything mutable that the program's own objects hold."""
    result: List[Tuple[str, str, Any]] = []
    seen = set()
    own_module = getattr(module, "__name__", None)

    def visit(owner: str, value: Any, depth: int) -> None:
        if id(value) in seen or depth > 6:
            return
        seen.add(id(value))
        for key, inner in _fields(value):
            if isinstance(inner, (types.ModuleType, types.FunctionType, property, staticmethod, classmethod)):
                continue
            result.append((owner, key, inner))
            if _is_own(inner, own_module):
                visit(owner + "." + key, inner, depth + 1)

    visit("entry", entry, 0)
    if module is not None:
        visit("globals", module, 0)
    return result


def _is_own(value: Any, module: Optional[str]) -> bool:
    if isinstance(value, torch.nn.Module):
        return True
    kind = value if isinstance(value, type) else type(value)
    return module is not None and getattr(kind, "__module__", None) == module


def _fields(value: Any) -> List[Tuple[str, Any]]:
    if isinstance(value, torch.nn.Module):
        inside: List[Tuple[str, Any]] = [
            *value._parameters.items(),
            *value._buffers.items(),
            *value._modules.items(),
        ]
        return inside + [(k, v) for k, v in vars(value).items() if not k.startswith("_") and k != "training"]
    if isinstance(value, types.FunctionType):
        return []
    return [(k, v) for k, v in getattr(value, "__dict__", {}).items() if not k.startswith("__")]


class Memento:
    """The visible state of a program at one moment."""

    def __init__(self, entry: Any, module: Any) -> None:
        self._objects: List[Tuple[Any, Any]] = []
        self._seen: set[int] = set()
        self._module = getattr(module, "__name__", None)
        self._settings = _settings()
        self._keep(entry)
        if module is not None:
            self._keep(module)

    def _keep(self, value: Any) -> None:
        if id(value) in self._seen:
            return
        self._seen.add(id(value))
        if isinstance(value, torch.Tensor):
            if value.device.type != "meta" and value.layout is torch.strided:
                grad = value.grad if value.is_leaf else None
                self._objects.append((value, (value.detach().clone(), grad)))
                self._keep(grad)
        elif isinstance(value, (list, set, deque)):
            self._objects.append((value, list(value)))
            for inner in list(value):
                self._keep(inner)
        elif isinstance(value, dict):
            self._objects.append((value, dict(value)))
            for inner in list(value.values()):
                self._keep(inner)
        elif isinstance(value, type):
            if _is_own(value, self._module):
                self._objects.append((value, {k: v for k, v in vars(value).items() if not k.startswith("__")}))
                for inner in list(vars(value).values()):
                    self._keep(inner)
        elif _is_own(value, self._module) or (isinstance(value, types.ModuleType) and value.__name__ == self._module):
            if hasattr(value, "__dict__"):
                self._keep(vars(value))

    def restore(self) -> None:
        """Put everything back in place."""
        _set(*self._settings)
        for value, kept in self._objects:
            # what cannot be changed did not change
            with contextlib.suppress(RuntimeError, AttributeError, TypeError):
                _put_back(value, kept)


def _settings() -> Tuple[Any, Any, bool, int]:
    """What a program can set for all of torch: what changes the tensors that it makes later, and its threads."""
    return torch.get_default_dtype(), torch.get_default_device(), torch.is_grad_enabled(), torch.get_num_threads()


def _set(dtype: torch.dtype, device: torch.device, grad: bool, threads: int) -> None:
    if torch.get_default_dtype() != dtype:
        torch.set_default_dtype(dtype)
    if torch.get_default_device() != device:
        torch.set_default_device(device if device.type != "cpu" else None)
    torch.set_grad_enabled(grad)
    if torch.get_num_threads() != threads:
        torch.set_num_threads(threads)


def _put_back(value: Any, kept: Any) -> None:
    if isinstance(value, torch.Tensor):
        with torch.no_grad():
            if value.shape == kept[0].shape and value.dtype == kept[0].dtype:
                _once(value.detach()).copy_(_once(kept[0], value.stride()))
            else:
                value.data = kept[0].clone()
            if value.is_leaf:
                value.grad = kept[1]
    elif isinstance(value, type):
        for key in [k for k in vars(value) if not k.startswith("__") and k not in kept]:
            delattr(value, key)
        for key, old in kept.items():
            if vars(value).get(key) is not old:
                setattr(value, key, old)
    elif isinstance(value, (list, deque)):
        value.clear()
        value.extend(kept)
    else:
        value.clear()
        value.update(kept)


def _once(value: torch.Tensor, stride: Optional[Sequence[int]] = None) -> torch.Tensor:
    """Of dimensions that an expanded tensor (or one with such strides) repeats, one element: no more can be written."""
    for dim, step in enumerate(stride or value.stride()):
        if step == 0:
            value = value.narrow(dim, 0, min(1, value.shape[dim]))
    return value


def same_file(one: str, other: str) -> bool:
    """Whether two names are of one file."""
    return one == other or os.path.realpath(one) == os.path.realpath(other)


def signature_of(function: Any) -> inspect.Signature:
    """The signature that a call of the entry binds to; raises ValueError or TypeError where there is none."""
    return inspect.signature(function.forward if isinstance(function, torch.nn.Module) else function)
