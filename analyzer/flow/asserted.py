"""What a bare assert tests, where it is neither a constant nor a tensor: TorchDynamo makes an assertion in the graph
of it all the same, and the graph has no place for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer.values import Instance, Map, Seq, Tensor, Value, element_of, is_none, options_of

if TYPE_CHECKING:
    from analyzer.flow.interpreter import Interpreter

_SEQUENCES = frozenset({"list", "tuple"})
_MODULES = frozenset({"ModuleList", "Sequential", "ParameterList", "ModuleDict", "ParameterDict"})


def asserted(interp: Interpreter, value: Value) -> str:
    """What to call the asserted object, "" if Dynamo may know its truth while it traces. None fails the assert."""
    names = [_name(interp, option) for option in options_of(value) if not is_none(option)]
    return names[0] if names and all(names) else ""


def _name(interp: Interpreter, value: Value) -> str:
    if isinstance(value, (Seq, Map)) and value.type in _MODULES:
        return "modules"
    if isinstance(value, Seq) and value.type in _SEQUENCES:
        members = (element_of(value),) if value.items is None else value.items
    elif isinstance(value, Map) and value.type == "dict":
        members = tuple(value.items.values()) or (value.element,)
    else:
        return "an object" if isinstance(value, Instance) and _no_constant(interp, value) else ""
    for member in members:
        if isinstance(member, Tensor) or asserted(interp, member):
            return f"a {value.type}"
    return ""


def _no_constant(interp: Interpreter, value: Instance) -> bool:
    """A module, or an object of a class that inherits from none of a library (an Enum, a namedtuple, an int)."""
    if value.cls is None:
        return value.name.startswith(("torch.nn.", "torch.distributions."))
    return interp.is_module(value.cls) or interp.external_base(value.cls) is None
