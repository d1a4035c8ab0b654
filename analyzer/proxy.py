"""Which values are Proxies under torch.fx: what depends on an argument of the root, of any type, and parameters."""

from __future__ import annotations

from analyzer.values import Data, Map, Seq, Shape, Static, Tensor, Union, Unknown, Value, is_none

#: Sequences that Python makes for itself around proxies.
_PYTHON = frozenset({"range", "zip", "slice", "generator", "set", "frozenset", "deque", "Sequential", "ModuleList"})


def is_fx_proxy(value: Value) -> bool:
    """Whether a value is surely a Proxy. Displays and lists that hold proxies are not."""
    if isinstance(value, Union):
        options = [o for o in value.options if not is_none(o)]
        return bool(options) and all(map(is_fx_proxy, options))
    if isinstance(value, Tensor):
        return value.taint and not value.written and not value.array or value.origin == "parameter"
    if isinstance(value, Shape):
        return value.taint or value.of_parameter
    if isinstance(value, Data):
        return value.taint and value.type != "str"
    if isinstance(value, Seq):
        return value.taint and value.why is not None and value.type not in _PYTHON
    if isinstance(value, (Map, Static, Unknown)):
        return value.taint and value.why is not None
    return False


def holds_proxy(value: Value) -> bool:
    """Whether a value is a Proxy or a Python container with one in it."""
    if is_fx_proxy(value):
        return True
    if isinstance(value, Seq):
        return any(map(holds_proxy, value.items)) if value.items is not None else holds_proxy(value.element)
    if isinstance(value, Map):
        return any(map(holds_proxy, value.items.values()))
    return False
