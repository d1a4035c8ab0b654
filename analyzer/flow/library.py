"""What a library callable returns: reads the `returns` language of the knowledge tables into abstract values.

`tensor`, `tensor:bool|int|float|complex|same`, `@0` (always 0-dim), `@0?dim` (0-dim unless `dim` is given),
`tuple(…)`, `list(…)`, `data:T`, `shape:T`, `meta:T`, `static:T`, `none`, `self`, `sparse`, `array`, `context`,
`module`,
`function`, `generator`, `object`, `iterator`, `same`, `unknown`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from analyzer.values import (
    NONE,
    Const,
    Data,
    External,
    Instance,
    Seq,
    Shape,
    Static,
    Tensor,
    Unknown,
    Value,
    Why,
    options_of,
    tainted,
    tensor_in,
)

_DTYPES: dict[str, str] = {
    **dict.fromkeys(
        ("float", "float16", "float32", "float64", "half", "double", "bfloat16", "float8_e4m3fn", "float8_e5m2"),
        "float",
    ),
    **dict.fromkeys(
        ("int", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "short", "long"),
        "int",
    ),
    **dict.fromkeys(("complex64", "complex128", "cfloat", "cdouble"), "complex"),
    "bool": "bool",
}


def dtype_class(value: Value | None) -> str | None:
    """bool, int, float or complex for `torch.bool`, `np.int64`, `int`…; None if unknown."""
    if isinstance(value, External):
        head, _, tail = value.name.rpartition(".")
        if head in ("torch", "numpy", "builtins"):
            return _DTYPES.get(tail)
    return None


class Arguments:
    """Positional and keyword arguments of a library call."""

    __slots__ = ("args", "kwargs", "receiver")

    def __init__(self, args: Sequence[Value], kwargs: Mapping[str, Value], receiver: Value | None = None) -> None:
        self.args = args
        self.kwargs = kwargs
        self.receiver = receiver

    def all(self) -> list[Value]:
        found = [*self.args, *self.kwargs.values()]
        return [self.receiver, *found] if self.receiver is not None else found

    def first_tensor(self) -> Tensor | None:
        for value in self.all():
            tensor = tensor_in(value)
            if tensor is not None:
                return tensor
            if isinstance(value, Seq) and value.items:
                for item in value.items:
                    tensor = tensor_in(item)
                    if tensor is not None:
                        return tensor
            elif isinstance(value, Seq):
                tensor = tensor_in(value.element)
                if tensor is not None:
                    return tensor
        return None

    def tensors(self) -> list[Tensor]:
        found: list[Tensor] = []
        for value in self.all():
            for option in options_of(value):
                if isinstance(option, Tensor):
                    found.append(option)
                elif isinstance(option, Seq):
                    members = option.items if option.items is not None else (option.element,)
                    found.extend(t for t in map(tensor_in, members) if t is not None)
        return found


def split_arguments(text: str) -> list[str]:
    """`a,b(c,d)` → [`a`, `b(c,d)`]."""
    parts, depth, start = [], 0, 0
    for index, char in enumerate(text):
        if char == "(":
            depth += 1
        elif char == ")":
            depth -= 1
        elif char == "," and depth == 0:
            parts.append(text[start:index].strip())
            start = index + 1
    parts.append(text[start:].strip())
    return parts


def returned(spec: str, arguments: Arguments, why: Why | None) -> Value:
    """The abstract value that a `returns` cell describes for these arguments."""
    taint = tainted(arguments.all())
    head, paren, rest = spec.partition("(")
    if paren:
        inner = [returned(part, arguments, why) for part in split_arguments(rest.rpartition(")")[0])]
        if head == "tuple":
            return Seq(type="tuple", items=tuple(inner), taint=taint, why=why)
        return Seq(type="list", element=inner[0], taint=taint, why=why)
    head, _, detail = spec.partition(":")
    if head.startswith("tensor") or head in ("sparse", "array"):
        return _tensor(spec, arguments, taint, why)
    if head == "data":
        return Data(type=detail or "any", taint=taint, why=why)
    if head == "shape":
        return Shape(type=detail or "int", of_parameter=_of_parameter(arguments), taint=taint, why=why)
    if head == "meta":
        kind = detail or "any"
        return Shape(
            type=kind if kind in ("int", "bool") else "any",
            meta=kind,
            of_parameter=_of_parameter(arguments),
            taint=taint,
            why=why,
        )
    if head == "static":
        return Static(type=detail or "any", why=why)
    if head == "none":
        return NONE
    if head in ("self", "same"):
        first = (
            arguments.receiver if arguments.receiver is not None else (arguments.args[0] if arguments.args else None)
        )
        return first if first is not None else Unknown(taint=taint)
    if head in ("list", "tuple", "generator", "iterator"):
        first = arguments.first_tensor()
        element: Value = Unknown(taint=taint) if first is None else replace(first, ndim=None, why=why)
        return Seq(type="generator" if head == "iterator" else head, element=element, taint=taint, why=why)
    if head in ("context", "object", "module", "function") and detail:
        return Instance(name=detail, taint=taint, why=why)
    return Unknown(taint=taint, why=why)


def _of_parameter(arguments: Arguments) -> bool:
    first = arguments.first_tensor()
    return first is not None and first.origin == "parameter" and not first.taint


def _tensor(spec: str, arguments: Arguments, taint: bool, why: Why | None) -> Tensor:
    base, _, scalar = spec.partition("@")
    head, _, detail = base.partition(":")
    first = arguments.first_tensor()
    dtype: str | None = None
    if "dtype" in arguments.kwargs:
        dtype = dtype_class(arguments.kwargs["dtype"])
    elif detail in ("bool", "int", "float", "complex"):
        dtype = detail
    elif detail == "same" and first is not None:
        dtype = first.dtype
    ndim: int | None = None
    if scalar.startswith("0"):
        unless = scalar[2:].split("|") if "?" in scalar else []
        given = any(name in arguments.kwargs for name in (*unless, "axis")) or (
            bool(unless) and len(arguments.args) > _own(arguments)
        )
        ndim = None if given else 0
    elif detail == "same" and first is not None and not scalar:
        ndim = None
    tensors = arguments.tensors()
    return Tensor(
        dtype=dtype,
        ndim=ndim,
        sure=min([t.sure for t in tensors], default=3),
        constant=all(t.constant for t in tensors) and not _read(arguments)
        if tensors
        else _host_only(arguments, head == "array"),
        layout="sparse" if head == "sparse" else "strided",
        array=head == "array",
        taint=taint,
        why=why,
    )


def _read(arguments: Arguments) -> bool:
    """Whether a number that was read from a tensor, or something unknown, goes into it."""
    return any(isinstance(v, (Data, Unknown)) for v in arguments.all())


def _host_only(arguments: Arguments, array: bool) -> bool:
    """Made from host values alone: Dynamo folds what is read from such a tensor (not of an array made from a whole
    shape). An unknown number passed to numpy is no proof of a tensor: `np.ceil(len(a) / len(b))`."""
    values = arguments.all()
    if array and any(isinstance(v, Shape) and v.type == "size" for v in values):
        return False
    if array:
        values = [v for v in values if not isinstance(v, Unknown)] or [NONE]
    return bool(values) and all(isinstance(v, (Const, Static, Shape, External)) for v in values)


def _own(arguments: Arguments) -> int:
    """How many positional arguments are the tensor itself: one for a function, none for a method."""
    return 0 if arguments.receiver is not None else 1
