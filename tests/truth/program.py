"""One fresh evaluation of a program: its module, the object that is captured, its calls and its visible state."""

from __future__ import annotations

import contextlib
import importlib.util
import inspect
import os
import random
import sys
import types
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy
import torch

from tests.truth.compare import snapshot

MODULE = "judged_program"


def reseed(seed: int) -> None:
    """Fix every generator that a program is likely to use."""
    random.seed(seed)
    numpy.random.seed(seed)
    torch.manual_seed(seed)


@dataclass
class Called:
    """What one call did: its result or error, and its arguments afterwards."""

    value: Any = None
    inputs: Any = None
    error: BaseException | None = None

    @property
    def text(self) -> str:
        return f"{type(self.error).__name__}: {self.error}" if self.error is not None else ""


class Program:
    """A program loaded from its file under one module name, with the entry evaluated in its namespace."""

    def __init__(self, path: str, entry: str) -> None:
        self.path = path
        self.compile_settings: dict[int, dict[str, Any]] = {}
        reseed(0)
        spec = importlib.util.spec_from_file_location(MODULE, path)
        if spec is None or spec.loader is None:
            raise ImportError(path)
        self.module = importlib.util.module_from_spec(spec)
        sys.modules[MODULE] = self.module
        with _RecordedCompile(self.compile_settings):
            spec.loader.exec_module(self.module)
            reseed(0)
            self.entry: Any = self.evaluate(entry)
        self.settings = self.compile_settings.get(id(self.entry))
        if isinstance(self.entry, type) and issubclass(self.entry, torch.nn.Module):
            self.entry = self.entry()

    def evaluate(self, expression: str) -> Any:
        """An expression in the program's namespace, with torch and numpy at hand."""
        namespace = {"torch": torch, "np": numpy, "numpy": numpy} | vars(self.module)
        return eval(expression.strip(), namespace)

    def arguments(self, expression: str) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """A tuple is the positional arguments, a dict the keyword arguments, anything else the one argument."""
        value = self.evaluate(expression)
        if isinstance(value, tuple) and not hasattr(value, "_fields"):
            return value, {}
        if isinstance(value, dict) and all(isinstance(k, str) for k in value):
            return (), value
        return (value,), {}

    def call(self, function: Callable[..., Any], expression: str, seed: int) -> Called:
        """Call with fresh arguments; an error of the program becomes part of the result."""
        reseed(seed)
        args, kwargs = self.arguments(expression)
        reseed(seed)
        try:
            value = function(*args, **kwargs)
        except Exception as error:
            return Called(error=error, inputs=snapshot([args, kwargs]))
        return Called(snapshot(value), snapshot([args, kwargs]))

    @property
    def eager(self) -> Any:
        """The entry without a capture that the program itself wrapped around it."""
        entry = self.entry
        for _ in range(4):
            if isinstance(entry, torch.nn.Module):
                inner = vars(entry).get("_modules", {}).get("_orig_mod")
            else:
                inner = getattr(entry, "_torchdynamo_orig_callable", None)
            if inner is None:
                break
            entry = inner
        return entry

    def state(self) -> dict[str, Any]:
        """What the program can see of itself after its calls: module state and attributes, its classes, its globals."""
        found: dict[str, Any] = {}
        for name, holder, value in _holders(self):
            if not isinstance(value, (torch.nn.Module, type)):
                found[f"{name}.{holder}"] = snapshot(value)
        return found


def _holders(program: Program) -> list[tuple[str, str, Any]]:
    """(owner, attribute, value) of everything mutable that the program's own objects hold."""
    result: list[tuple[str, str, Any]] = []
    seen: set[int] = set()

    def visit(owner: str, value: Any, depth: int) -> None:
        if id(value) in seen or depth > 6:
            return
        seen.add(id(value))
        for key, inner in _fields(value):
            if isinstance(inner, (types.ModuleType, types.FunctionType, property, staticmethod, classmethod)):
                continue
            result.append((owner, key, inner))
            if _is_own(inner):
                visit(f"{owner}.{key}", inner, depth + 1)

    entry = program.eager
    visit("entry", getattr(entry, "__self__", entry), 0)
    visit("globals", program.module, 0)
    return result


def _is_own(value: Any) -> bool:
    if isinstance(value, torch.nn.Module):
        return True
    kind = value if isinstance(value, type) else type(value)
    return getattr(kind, "__module__", None) == MODULE


def _fields(value: Any) -> list[tuple[str, Any]]:
    if isinstance(value, torch.nn.Module):
        inside = [*value._parameters.items(), *value._buffers.items(), *value._modules.items()]
        own = [(k, v) for k, v in vars(value).items() if not k.startswith("_") and k != "training"]
        return inside + own
    if isinstance(value, types.FunctionType):
        return []
    return [(k, v) for k, v in getattr(value, "__dict__", {}).items() if not k.startswith("__")]


class Memento:
    """The program's visible state before a capture, put back afterwards: capturing runs the program once."""

    def __init__(self, program: Program) -> None:
        self._objects: list[tuple[Any, Any]] = []
        self._seen: set[int] = set()
        entry = program.eager
        self._keep(getattr(entry, "__self__", entry))
        self._keep(program.module)

    def _keep(self, value: Any) -> None:
        if id(value) in self._seen:
            return
        self._seen.add(id(value))
        if isinstance(value, torch.Tensor):
            if value.device.type != "meta" and value.layout is torch.strided:
                self._objects.append((value, (value.detach().clone(), value.grad)))
        elif isinstance(value, (list, set, deque)):
            self._objects.append((value, list(value)))
            for inner in list(value):
                self._keep(inner)
        elif isinstance(value, dict):
            self._objects.append((value, dict(value)))
            for inner in list(value.values()):
                self._keep(inner)
        elif isinstance(value, type):
            if _is_own(value):
                self._objects.append((value, {k: v for k, v in vars(value).items() if not k.startswith("__")}))
                for inner in list(vars(value).values()):
                    self._keep(inner)
        elif _is_own(value) or (isinstance(value, types.ModuleType) and value.__name__ == MODULE):
            for inner in [vars(value)] if hasattr(value, "__dict__") else []:
                self._keep(inner)

    def restore(self) -> None:
        """Put everything back in place."""
        for value, kept in self._objects:
            with contextlib.suppress(RuntimeError, AttributeError, TypeError):  # what cannot be changed did not change
                self._put_back(value, kept)

    @staticmethod
    def _put_back(value: Any, kept: Any) -> None:
        if isinstance(value, torch.Tensor):
            with torch.no_grad():
                if value.shape == kept[0].shape and value.dtype == kept[0].dtype:
                    value.detach().copy_(kept[0])
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


class _RecordedCompile:
    """While the program loads, note which settings each `torch.compile` was given: only the backend is replaced."""

    def __init__(self, settings: dict[int, dict[str, Any]]) -> None:
        self._settings = settings
        self._real = torch.compile

    def __enter__(self) -> None:
        real, settings = self._real, self._settings

        def compile(model: Any = None, **given: Any) -> Any:
            if model is None:
                return lambda target: compile(target, **given)
            compiled = real(model, **given)
            settings[id(compiled)] = given
            return compiled

        torch.compile = compile

    def __exit__(self, *_: object) -> None:
        torch.compile = self._real


def same_file(one: str, other: str) -> bool:
    """Whether two names, one perhaps cut short by torch, are of the judged program."""
    return one == other or os.path.realpath(one) == os.path.realpath(other)


def user_lines(error: BaseException, path: str) -> list[int]:
    """Lines of the program on an error's stack, innermost first, from the traceback and from what torch attached."""
    stack = getattr(error, "real_stack", None) or []
    lines = [f.lineno for f in reversed(list(stack)) if same_file(f.filename, path)]
    seen: BaseException | None = error
    while seen is not None and not lines:
        frames = []
        step = seen.__traceback__
        while step is not None:
            if same_file(step.tb_frame.f_code.co_filename, path):
                frames.append(step.tb_lineno)
            step = step.tb_next
        lines = frames[::-1]
        seen = seen.__cause__ or seen.__context__
    return lines


def signature_names(function: Any) -> inspect.Signature:
    """The signature that a call of the entry binds to."""
    return inspect.signature(function.forward if isinstance(function, torch.nn.Module) else function)
