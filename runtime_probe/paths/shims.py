"""Stand-ins for builtins that would turn a traced number into a plain one. They go into the globals of the program's
modules for one eager run."""

from __future__ import annotations

import ast
import sys
from typing import Any, Dict, Iterable, List, Set, Tuple

import torch

from runtime_probe.paths import traced

_Undo = List[Tuple[Dict[str, Any], str]]


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


_STAND_INS: Dict[str, Any] = {"int": _Int, "float": _Float, "range": _range}


def put_in(paths: Iterable[str]) -> _Undo:
    """Put the stand-ins into the modules loaded from these files; gives what `take_out` needs."""
    wanted, undo = set(paths), []
    for module in list(sys.modules.values()):
        path = getattr(module, "__file__", None)
        if path not in wanted:
            continue
        for name in _replaceable(path):
            if name not in vars(module):
                setattr(module, name, _STAND_INS[name])
                undo.append((vars(module), name))
    return undo


def take_out(undo: _Undo) -> None:
    """Remove them."""
    for namespace, name in undo:
        namespace.pop(name, None)


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
