"""Configuration objects: which class holds a model's settings, and how to make a small one."""

from __future__ import annotations

import dataclasses
import inspect
import re
import sys
import types
from typing import Any, Dict, Iterator, List, Optional

import torch

from runtime_probe.synthesis.argument import keyword_text
from runtime_probe.synthesis.naming import name_of, written
from runtime_probe.synthesis.shrinking import variants

_NAME = re.compile(r".*(Config|Configuration|Cfg|Args|Arguments|Params|Hparams|HParams|Options|Settings)$")


def looks_like_configuration(value: Any) -> bool:
    """A class of settings: a dataclass, or one whose name says so; never a module."""
    if not isinstance(value, type) or issubclass(value, (torch.nn.Module, torch.Tensor)):
        return False
    return dataclasses.is_dataclass(value) or bool(_NAME.match(value.__name__))


def configuration_for(cls: type, module: types.ModuleType, read: List[str]) -> Optional[type]:
    """The class of settings of a model that does not say which: its `config_class`, else the one in its file whose
    name shares most with its own, and that has what the constructor reads."""
    own = getattr(cls, "config_class", None)
    if isinstance(own, type):
        return own
    named = [v for v in vars(module).values() if looks_like_configuration(v) and _NAME.match(v.__name__)]
    found = [v for v in named if all(_has(v, name) for name in read)]
    found.sort(key=lambda c: (-_shared(c.__name__, cls.__name__), c.__module__ != module.__name__))
    return found[0] if found else None


def _has(cls: type, name: str) -> bool:
    try:
        return hasattr(cls, name) or name in inspect.signature(cls).parameters
    except (TypeError, ValueError):
        return True


def _shared(one: str, other: str) -> int:
    count = 0
    for a, b in zip(one.lower(), other.lower()):
        if a != b:
            break
        count += 1
    return count


def expressions(cls: type, module: types.ModuleType, depth: int = 0) -> List[str]:
    """Expressions for small settings of that class that can be evaluated, smallest first, the defaults last."""
    name = name_of(cls, module)
    if name is None:
        return []
    try:
        default = cls()
    except Exception:
        return _required(cls, name)
    inner = dict(_inner(cls, default, module, depth)) if depth < 2 else {}
    found: List[str] = []
    for changed in variants(_fields(cls, default)):
        written_fields = {n: written(v) for n, v in changed.items() if n not in inner}
        changes = {n: v for n, v in written_fields.items() if v}
        text = f"{name}({keyword_text({**changes, **inner})})"
        if text not in found:
            found.append(text)
    if f"{name}()" not in found:
        found.append(f"{name}()")
    return found


def _fields(cls: type, default: Any) -> Dict[str, Any]:
    """The settings that its constructor takes, as a default object holds them."""
    parameters = inspect.signature(cls).parameters
    anything = any(p.kind is p.VAR_KEYWORD for p in parameters.values())
    held = dict(vars(default)) if hasattr(default, "__dict__") else {}
    names = [n for n in held if n in parameters or (anything and not n.startswith("_"))]
    names += [n for n in parameters if n not in names and hasattr(default, n)]
    return {n: held.get(n, getattr(default, n, None)) for n in names}


def _inner(cls: type, default: Any, module: types.ModuleType, depth: int) -> Iterator[Any]:
    """Settings within settings, made small as well."""
    for field, value in _fields(cls, default).items():
        kind = type(value)
        if looks_like_configuration(kind) and kind is not cls:
            small = expressions(kind, module, depth + 1)
            if small:
                yield field, small[0]


def _required(cls: type, name: str) -> List[str]:
    """Settings without defaults: sizes by their names."""
    from runtime_probe.synthesis.constructor import required_values

    space = sys.modules.get(cls.__module__)
    if space is None:
        return []
    given = required_values(cls, space)
    return [f"{name}({keyword_text(given)})"] if given is not None else []
