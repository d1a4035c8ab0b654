"""Which of a file's classes and functions are worth probing."""

from __future__ import annotations

import ast
import contextlib
import inspect
import types
from typing import Any, Dict, List, Set

import torch

from runtime_probe.subject import LoadedFile, same_file, uncaptured
from runtime_probe.synthesis import kinds
from runtime_probe.synthesis.usage import definition


def file_entries(file: LoadedFile) -> List[str]:
    """Names in the file, most worth probing first: what the file itself captures, then its modules that are no part of
    another one here, then its functions of tensors that nothing else here calls."""
    space = vars(file.module)
    own = {name: value for name, value in space.items() if not name.startswith("__") and _is_own(value, file)}
    captured = [name for name, value in space.items() if not name.startswith("__") and _is_captured(value, file)]
    inside = _used_inside({n: v for n, v in own.items() if n not in captured})
    modules = [name for name, value in own.items() if _is_module(value) and name == value.__name__]
    functions = [
        name
        for name, value in own.items()
        if inspect.isfunction(value) and name == value.__name__ and not name.startswith("_") and _on_tensors(value)
    ]
    whole = [name for name in modules if name not in inside] or modules
    free = [name for name in functions if name not in inside and name not in ("main", "capture_inputs")]
    hidden = {id(type(uncaptured(space[name]))) for name in captured}
    whole = [name for name in whole if id(own[name]) not in hidden or name in captured]
    return list(dict.fromkeys([*captured, *whole, *free]))


def _is_own(value: Any, file: LoadedFile) -> bool:
    with contextlib.suppress(Exception):  # an object that answers to no name
        return bool(getattr(value, "__module__", None) == file.module.__name__)
    return False


def _is_captured(value: Any, file: LoadedFile) -> bool:
    """A result of `torch.compile`, `torch.jit` or `torch.fx` that the module holds by name."""
    if isinstance(value, (types.ModuleType, type)):
        return False
    if id(value) in file.settings:
        return True
    if isinstance(value, (torch.jit.ScriptModule, torch.jit.ScriptFunction, torch.fx.GraphModule)):
        return True
    inner = uncaptured(value)
    if inner is value or not callable(value):
        return False
    with contextlib.suppress(Exception):
        inner = getattr(inner, "forward", inner)
    code = inspect.getattr_static(inner, "__code__", None) and getattr(inner, "__code__", None)
    return code is None or same_file(code.co_filename, file.path)


def _is_module(value: Any) -> bool:
    """A module class with a forward of its own or a base's, other than torch's, that can be built."""
    if not isinstance(value, type) or not issubclass(value, torch.nn.Module) or inspect.isabstract(value):
        return False
    return value.forward is not torch.nn.Module.forward


def _on_tensors(function: Any) -> bool:
    """Whether it takes a tensor by its annotations, or has parameters and uses torch."""
    annotated = kinds.annotations_of(function)
    annotated.pop("return", None)
    if any(kinds.is_tensor(part) for kind in annotated.values() for part in kinds.members(kind)):
        return True
    if not inspect.signature(function).parameters or annotated:
        return False
    space = function.__globals__
    for name in function.__code__.co_names:
        held = space.get(name)
        home = held.__name__ if isinstance(held, types.ModuleType) else getattr(held, "__module__", None)
        if isinstance(home, str) and home.split(".")[0] == "torch":
            return True
    return any(hasattr(torch.Tensor, name) for name in function.__code__.co_names)


def _used_inside(own: Dict[str, Any]) -> Set[str]:
    """Names that the bodies of other definitions of the file refer to, other than as a base class."""
    found: Set[str] = set()
    for name, value in own.items():
        tree = definition(value) if isinstance(value, type) or inspect.isfunction(value) else None
        if tree is None or name in ("main", "capture_inputs"):
            continue
        for statement in getattr(tree, "body", []):
            for node in ast.walk(statement):
                if isinstance(node, ast.Name) and node.id != name:
                    found.add(node.id)
    return found
