"""In which modes one compiled callable is called: grad modes and element types, of which Dynamo guards each."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence

from analyzer.project import FunctionInfo
from analyzer.values import FEW, Bound, External, Function, Instance, Partial, Tensor, Value, options_of

#: Context managers and decorators → the grad mode that they set.
GRAD_MODES: Mapping[str, str] = {
    "torch.no_grad": "no_grad",
    "torch.autograd.no_grad": "no_grad",
    "torch.inference_mode": "inference_mode",
    "torch.autograd.inference_mode": "inference_mode",
    "torch.enable_grad": "grad",
    "torch.autograd.enable_grad": "grad",
    "torch.set_grad_enabled": "",
}
_METHODS: Mapping[str, str] = {
    "half": "float16", "bfloat16": "bfloat16", "float": "float32", "double": "float64", "int": "int32", "long": "int64",
}  # fmt: skip
_ELEMENTS: Mapping[str, str] = {
    **{n: n for n in "float16 bfloat16 float32 float64 int8 uint8 int16 int32 int64 complex64 complex128 bool".split()},
    "half": "float16", "float": "float32", "double": "float64", "int": "int32", "long": "int64",
}  # fmt: skip


def element_types(callee: Value, args: Iterable[Value], kwargs: Mapping[str, Value]) -> frozenset[str]:
    """The element types that a call of a tensor's method or of a factory may give its result; empty if not said."""
    owner = callee.owner if isinstance(callee, Bound) and isinstance(callee.owner, Tensor) else None
    if isinstance(callee, Bound) and owner is not None and callee.method in _METHODS:
        return frozenset({_METHODS[callee.method]})
    given = kwargs.get("dtype")
    if given is None and isinstance(callee, Bound) and owner is not None and callee.method in ("to", "type"):
        given = next((a for a in args if any(isinstance(o, External) for o in options_of(a))), None)
    if given is None:
        return owner.elements if owner is not None else frozenset()
    names = [o.name.rpartition(".")[2] for o in options_of(given) if isinstance(o, External)]
    return frozenset(_ELEMENTS[n] for n in names if n in _ELEMENTS)


class Variants:
    """The modes of the calls of each compiled callable, function by function: there the grad mode is known."""

    def __init__(self) -> None:
        self._seen: dict[tuple[int, int], set[tuple[str, ...]]] = {}

    def called(self, callee: Partial, mode: str, args: Sequence[Value], caller: FunctionInfo) -> tuple[str, ...]:
        """A compiled callable is called; all modes so far if this call adds one, and they are more than a few."""
        key = _key(callee.target)
        if key is None or not mode:
            return ()
        seen = self._seen.setdefault((key, id(caller.node)), set())
        before = len(seen)
        elements = [sorted(a.elements) or [""] if isinstance(a, Tensor) else [""] for a in args]
        seen.update((mode, *types) for types in itertools.islice(itertools.product(*elements), 16))
        return tuple(sorted(map(_text, seen))) if len(seen) > max(FEW, before) else ()


def _key(target: Value) -> int | None:
    if isinstance(target, Function):
        return id(target.info.node)
    return id(target.cls.node) if isinstance(target, Instance) and target.cls is not None else None


def _text(variant: tuple[str, ...]) -> str:
    return " ".join(part for part in dict.fromkeys(variant) if part)
