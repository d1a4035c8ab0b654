"""What an annotation says of a value."""

from __future__ import annotations

import collections.abc
import enum
import inspect
import re
import types
import typing
from typing import Any, Callable, Dict, List, Optional, Tuple

import torch

from runtime_probe.synthesis.naming import name_of

_JAX = re.compile(r"^(?P<dtype>\w+)\[\s*(?:[\w.]*Tensor|Array)\s*,\s*['\"](?P<dims>[^'\"]*)['\"]\s*\]$")
_PLAIN_VALUES: Dict[Any, List[str]] = {
    bool: ["False", "True"],
    int: ["2", "4"],
    float: ["0.5", "1.0"],
    str: ["'mean'"],
    torch.dtype: ["torch.float32"],
    torch.device: ["torch.device('cpu')"],
    torch.Size: ["torch.Size([2, 8])"],
}
_DTYPES = {"LongTensor": "int64", "IntTensor": "int32", "BoolTensor": "bool", "FloatTensor": None}


def annotations_of(function: Any) -> Dict[str, Any]:
    """Annotations by parameter, evaluated where that works, else as they stand."""
    plain = inspect.unwrap(function)
    raw = dict(getattr(plain, "__annotations__", None) or {})
    space = getattr(plain, "__globals__", {})
    found: Dict[str, Any] = {}
    for name, value in raw.items():
        if isinstance(value, str) and not _JAX.match(value):
            try:
                value = eval(value, dict(space))
            except Exception:
                value = raw[name]
        found[name] = value
    return found


def members(annotation: Any) -> List[Any]:
    """The alternatives of an Optional or Union without None, or the annotation alone."""
    union = getattr(types, "UnionType", None)
    if typing.get_origin(annotation) is typing.Union or (union is not None and isinstance(annotation, union)):
        return [a for a in typing.get_args(annotation) if a is not type(None)]
    if isinstance(annotation, str):
        text = annotation.strip()
        optional = re.match(r"^(?:typing\.)?Optional\[(.*)\]$", text)
        text = optional.group(1) if optional else text
        if "[" not in text:
            return [part.strip() for part in text.split("|") if part.strip() != "None"]
        return [text]
    return [annotation]


def is_tensor(annotation: Any) -> bool:
    """Whether it names a tensor, evaluated or as text."""
    if isinstance(annotation, str):
        return annotation.split(".")[-1] in ("Tensor", "LongTensor", "FloatTensor", "BoolTensor", "IntTensor")
    if jaxtyping_dims(annotation) is not None:
        return True
    if isinstance(annotation, type):
        return issubclass(annotation, torch.Tensor) or tensor_dtype(annotation) is not None
    return False


def tensor_dtype(annotation: Any) -> Optional[str]:
    """The dtype in `torch.LongTensor` and the like; "float32" for FloatTensor, None where none is said."""
    name = annotation.split(".")[-1] if isinstance(annotation, str) else getattr(annotation, "__name__", "")
    return (_DTYPES[name] or "float32") if name in _DTYPES else None


def jaxtyping_dims(annotation: Any) -> Optional[Tuple[str, List[str]]]:
    """(dtype word, dimension names) of `Float[Tensor, "b c h w"]`, evaluated or as text."""
    if isinstance(annotation, str):
        match = _JAX.match(annotation.strip())
        return (match.group("dtype"), match.group("dims").split()) if match else None
    dims, dtypes = getattr(annotation, "dim_str", None), getattr(annotation, "dtypes", None)
    if isinstance(dims, str):
        word = str(dtypes[0]) if isinstance(dtypes, (list, tuple)) and dtypes else "Float"
        return word, dims.split()
    for extra in getattr(annotation, "__metadata__", ()):
        if isinstance(extra, str) and re.fullmatch(r"[\w*#. ]+", extra):
            return "Float", extra.split()
    return None


def element(annotation: Any) -> Optional[Tuple[str, List[Any]]]:
    """("list", [T]), ("tuple", [A, B, …]) or ("dict", [V]) for an annotated container."""
    origin, args = typing.get_origin(annotation), typing.get_args(annotation)
    if origin in (list, collections.abc.Sequence, collections.abc.Iterable, collections.abc.Collection):
        return "list", list(args[:1])
    if origin is tuple:
        return "tuple", [args[0], args[0]] if len(args) == 2 and args[1] is Ellipsis else list(args)
    if origin in (dict, collections.abc.Mapping):
        return "dict", list(args[1:])
    return {list: ("list", []), tuple: ("tuple", []), dict: ("dict", [])}.get(annotation)


def values(annotation: Any, module: types.ModuleType, named: Optional[List[str]] = None) -> List[str]:
    """Expressions of a type that is not a tensor, best first. `named`: what the parameter's name suggests; those
    that fit the type come first."""
    found: List[str] = []
    for part in members(annotation):
        found += _fitting(part, named or []) + _values(part, module)
    return list(dict.fromkeys(found))


def _fitting(annotation: Any, named: List[str]) -> List[str]:
    kind = _BUILTIN.get(annotation, annotation) if isinstance(annotation, str) else annotation
    container = element(kind)
    if container is not None:
        kind = {"list": list, "tuple": tuple, "dict": dict}[container[0]]
    if callable_type(kind):
        return [text for text in named if text.startswith("torch.nn.")]
    if kind is torch.nn.Module:
        return [text for text in named if text.startswith("torch.nn.") and text.endswith(")")]
    if kind not in (bool, int, float, str, list, tuple):
        return []
    return [text for text in named if _is(text, kind)]


_BUILTIN = {"int": int, "float": float, "bool": bool, "str": str, "list": list, "tuple": tuple, "dict": dict}


def _is(text: str, kind: Any) -> bool:
    try:
        value = eval(text, {})
    except Exception:
        return False
    return type(value) is kind or (kind is float and type(value) is int)


def callable_type(annotation: Any) -> bool:
    """Whether it is Callable, or a type of modules."""
    origin = typing.get_origin(annotation) or annotation
    return origin in (collections.abc.Callable, Callable, type)


def _values(annotation: Any, module: types.ModuleType) -> List[str]:
    if isinstance(annotation, str):
        annotation = _BUILTIN.get(annotation, annotation)
    if typing.get_origin(annotation) is typing.Literal:
        return [repr(value) for value in typing.get_args(annotation)]
    if annotation in _PLAIN_VALUES if isinstance(annotation, collections.abc.Hashable) else False:
        return _PLAIN_VALUES[annotation]
    if isinstance(annotation, type) and issubclass(annotation, enum.Enum):
        names = [name_of(member, module) for member in annotation]
        return [name for name in names if name]
    container = element(annotation)
    if container is not None:
        return _containers(container, module)
    if callable_type(annotation):
        return ["torch.nn.GELU()", "torch.nn.Identity()", "torch.nn.Linear"]
    if annotation is torch.nn.Module:
        return ["torch.nn.Identity()"]
    return []


def _containers(container: Tuple[str, List[Any]], module: types.ModuleType) -> List[str]:
    kind, inside = container
    parts = [values(part, module) for part in inside]
    if any(not part for part in parts):
        return []
    if kind == "dict":
        return ["{}"]
    if kind == "list":
        item = parts[0][0] if parts else "2"
        return [f"[{item}, {item}]"]
    firsts = [part[0] for part in parts] or ["2", "2"]
    return ["(" + ", ".join(firsts) + ("," if len(firsts) == 1 else "") + ")"]
