"""Whether two values are the same in every respect, their histories included.

Equality of values leaves out where they came from, which findings print.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from analyzer.values import Function, Value, Why

_FIELDS: dict[type, tuple[str, ...]] = {}


def same(a: Any, b: Any) -> bool:
    """Whether nothing that reads `a` could tell it from `b`, but by identity."""
    if a is b:
        return True
    kind = type(a)
    if kind is not type(b):
        return False
    if isinstance(a, Value):
        if isinstance(a, Function) and (a.scope or b.scope) and a.scope is not b.scope:
            return False  # the variables of a closure may change still
        names = _FIELDS.get(kind)
        if names is None:
            names = _FIELDS[kind] = tuple(f.name for f in fields(a) if f.name not in ("why", "scope"))
        return all(same(getattr(a, n), getattr(b, n)) for n in names) and _same_history(a.why, b.why)
    if kind is tuple or kind is list:
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, Mapping):
        return len(a) == len(b) and all(same(k, m) and same(a[k], b[m]) for k, m in zip(a, b))
    if kind is float or kind is complex:
        return repr(a) == repr(b)
    return bool(a == b)


def _same_history(a: Why | None, b: Why | None) -> bool:
    while a is not b:
        if a is None or b is None or a.node is not b.node or a.text != b.text or a.path != b.path:
            return False
        a, b = a.before, b.before
    return True


def holds_closure(value: Any) -> bool:
    """Whether a function is among the parts of a value that sees the variables of another call."""
    if isinstance(value, Function):
        return bool(value.scope) or holds_closure(value.self_value)
    if isinstance(value, Value):
        names = _FIELDS.get(type(value))
        if names is None:
            names = _FIELDS[type(value)] = tuple(f.name for f in fields(value) if f.name not in ("why", "scope"))
        return any(holds_closure(getattr(value, n)) for n in names)
    if isinstance(value, (tuple, list)):
        return any(map(holds_closure, value))
    if isinstance(value, Mapping):
        return any(map(holds_closure, value.values()))
    return False
