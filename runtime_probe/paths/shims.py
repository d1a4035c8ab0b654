"""Stand-ins for builtins that would turn a traced number into a plain one. They go into the globals of the program's
modules, and into `math`, for one eager run."""

from __future__ import annotations

import ast
import math
import sys
from types import ModuleType
from typing import Any, Callable, Dict, Iterable, List, Set, Tuple

import torch

from runtime_probe.paths import traced

#: Module, name, and what was there before, if anything was.
_Undo = List[Tuple[ModuleType, str, Any]]


class _Like(type):
    """The instances of the stand-in are those of the builtin."""

    def __instancecheck__(cls, value: object) -> bool:
        return isinstance(value, cls.__mro__[1])

    def __subclasscheck__(cls, kind: type) -> bool:
        return issubclass(kind, cls.__mro__[1])


class _Int(int, metaclass=_Like):
    def __new__(cls, value: Any = 0, *base: Any) -> Any:
        if isinstance(value, torch.Tensor):
            return value.__int__()
        if isinstance(value, traced.TracedFloat):
            return value.__trunc__()
        return value if isinstance(value, traced.TracedInt) else int(value, *base)


class _Float(float, metaclass=_Like):
    def __new__(cls, value: Any = 0.0) -> Any:
        if isinstance(value, torch.Tensor):
            return value.__float__()
        if isinstance(value, traced.TracedInt):
            return value * 1.0
        return value if isinstance(value, traced.TracedFloat) else float(value)


def _range(*arguments: Any) -> Any:
    read = [a.__index__() if isinstance(a, torch.Tensor) else a for a in arguments]
    found = next((a for a in read if isinstance(a, traced.TracedInt)), None)
    return range(*read) if found is None else found.log.range(tuple(read), traced.where(2))


#: Functions of `math` through which a number is followed.
_FOLLOWED = ("exp", "log", "log2", "log10", "log1p", "sqrt", "sin", "cos", "tanh", "fabs")


def _following(function: Callable[[Any], Any]) -> Callable[..., Any]:
    def follow(value: Any, *rest: Any) -> Any:
        if isinstance(value, torch.Tensor):
            value = value.__float__()
        if rest or not isinstance(value, (traced.TracedInt, traced.TracedFloat)):
            return function(value, *rest)
        return traced.applied(function, value)

    return follow


_STAND_INS: Dict[str, Any] = {"int": _Int, "float": _Float, "range": _range}


def put_in(paths: Iterable[str]) -> _Undo:
    """Put the stand-ins into the modules loaded from these files; gives what `take_out` needs."""
    wanted = set(paths)
    undo: _Undo = []
    for name in _FOLLOWED:
        real = getattr(math, name)
        undo.append((math, name, real))
        setattr(math, name, _following(real))
    for module in list(sys.modules.values()):
        path = getattr(module, "__file__", None)
        if path not in wanted:
            continue
        for name in _replaceable(path):
            if name not in vars(module):
                setattr(module, name, _STAND_INS[name])
                undo.append((module, name, None))
    return undo


def take_out(undo: _Undo) -> None:
    """Remove them."""
    for module, name, real in undo:
        if real is None:
            delattr(module, name)
        else:
            setattr(module, name, real)


def _replaceable(path: str) -> Set[str]:
    """The builtins that a file only calls, names in annotations or asks for with `isinstance`: one that is passed on,
    as a dtype for instance, must stay itself."""
    try:
        with open(path, "rb") as file:
            tree = ast.parse(file.read())
    except (OSError, SyntaxError, ValueError):
        return set()
    fine: Set[int] = set()
    for node in ast.walk(tree):
        kept: List[Any] = []
        if isinstance(node, ast.Call):
            kept.append(node.func)
            if isinstance(node.func, ast.Name) and node.func.id in ("isinstance", "issubclass"):
                kept += [inner for argument in node.args[1:] for inner in ast.walk(argument)]
        for name in ("annotation", "returns"):
            annotation = getattr(node, name, None)
            if isinstance(annotation, ast.AST):
                kept += ast.walk(annotation)
        fine.update(map(id, kept))
    names = [n for n in ast.walk(tree) if isinstance(n, ast.Name) and n.id in _STAND_INS]
    return set(_STAND_INS) - {n.id for n in names if id(n) not in fine}
