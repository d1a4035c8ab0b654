"""How to write a class or a value as an expression in a file's namespace."""

from __future__ import annotations

import enum
import sys
import types
from typing import Any, Dict, Optional

import torch


def name_of(value: Any, module: types.ModuleType) -> Optional[str]:
    """An expression for a class, a function or an enum member, or None."""
    if isinstance(value, enum.Enum):
        owner = name_of(type(value), module)
        return f"{owner}.{value.name}" if owner else None
    try:
        name = getattr(value, "__qualname__", None)
    except Exception:  # an object that answers to no name
        return None
    if not isinstance(name, str) or "<" in name:
        return None
    space: Dict[str, Any] = vars(module)
    if _reach(space, name) is value:
        return name
    for alias, held in space.items():
        if held is value:
            return alias
    home = getattr(value, "__module__", None) or ""
    public = home.split(".")[0] == "torch" and getattr(torch.nn, name, None) is value
    if public:
        return f"torch.nn.{name}"
    owner_module = sys.modules.get(home)
    if owner_module is not None and _reach(vars(owner_module), name) is value:
        return f"__import__('importlib').import_module({home!r}).{name}"
    return None


def _reach(space: Dict[str, Any], path: str) -> Any:
    head, *rest = path.split(".")
    value = space.get(head)
    for part in rest:
        value = getattr(value, part, None)
    return value


def written(value: Any) -> Optional[str]:
    """A plain value as an expression that gives an equal one, or None."""
    if value is None or isinstance(value, (bool, int, str)):
        return repr(value)
    if isinstance(value, float):
        return repr(value) if value == value and abs(value) != float("inf") else f"float({str(value)!r})"
    if isinstance(value, torch.dtype):
        return str(value)
    if isinstance(value, (list, tuple)):
        parts = [written(v) for v in value]
        if all(p is not None for p in parts):
            text = ", ".join(p or "" for p in parts)
            if isinstance(value, list):
                return f"[{text}]"
            return f"({text},)" if len(parts) == 1 else f"({text})"
    if isinstance(value, dict) and all(isinstance(k, (str, int)) for k in value):
        pairs = {k: written(v) for k, v in value.items()}
        if all(v is not None for v in pairs.values()):
            return "{" + ", ".join(f"{k!r}: {v}" for k, v in pairs.items()) + "}"
    return None
