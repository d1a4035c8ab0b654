"""The conditions under which a captured graph holds good, in the report's form."""

from __future__ import annotations

import re
from typing import Any, Dict, List

import torch

from runtime_probe.dynamo import places
from runtime_probe.job import one_line
from runtime_probe.report import Guard

_LOCAL = re.compile(r"L\['(\w+)'\]")
_GLOBAL = re.compile(r"G\['(\w+)'\]")
_HELD = re.compile(r"(?:\.__dict__)?(?:\._modules|\._parameters|\._buffers|\.__dict__)\['(\w+)'\]")


def readable(text: str) -> str:
    """A guard's source as the user writes it: `L['x']` is `x`, `L['self']._modules['a'].b` is `self.a.b`."""
    return _HELD.sub(r".\1", _GLOBAL.sub(r"\1", _LOCAL.sub(r"\1", text)))


def of_set(guards: Any, shapes: Dict[str, str]) -> List[Guard]:
    """All guards of one compiled frame that check something; those about torch's own global state come last. `shapes`:
    the tensors that the graph takes, by source, as the tracer saw them."""
    made = [guard for guard in (_guard(g, shapes) for g in guards) if guard["expression"] or guard["source"]]
    return sorted(made, key=lambda g: (not g["source"], g["line"] or 0, g["source"], g["kind"]))


def _guard(guard: Any, shapes: Dict[str, str]) -> Guard:
    parts = [str(part) for part in (getattr(guard, "code_list", None) or ()) if "_dynamo_" not in str(part)]
    _, frame = places.innermost(list(getattr(guard, "user_stack", None) or ()))
    kind = guard.create_fn_name() if callable(getattr(guard, "create_fn_name", None)) else ""
    source = readable(str(guard.name))
    if kind == "TENSOR_MATCH":
        parts.insert(0, shapes.get(source) or _tensor(guard))
    return {
        "kind": str(kind),
        "source": source,
        "expression": one_line(readable(" and ".join(filter(None, parts))), 300),
        "path": frame.filename if frame is not None else None,
        "line": frame.lineno if frame is not None else None,
    }


def _tensor(guard: Any) -> str:
    """A tensor that is looked at and does not go into the graph; which of its sizes are fixed is not known."""
    reference = getattr(guard, "obj_weakref", None)
    value = reference() if callable(reference) else None
    if not isinstance(value, torch.Tensor):
        return ""
    sizes = "dimension" if value.dim() == 1 else "dimensions"
    return f"{str(value.dtype).replace('torch.', '')}, {value.dim()} {sizes}, {value.device}"
