"""Annotations to abstract values: torch and jaxtyping tensors, Optional, unions, containers, project classes,
aliases."""

from __future__ import annotations

import ast
from collections.abc import Callable

from analyzer.project import dotted
from analyzer.values import (
    NONE,
    UNKNOWN,
    Class,
    External,
    Instance,
    Map,
    Seq,
    Static,
    Tensor,
    Unknown,
    Value,
    join_all,
)

#: Resolves a (dotted) name in the annotation's module: its value, and the expression of an alias if it is one.
Resolver = Callable[[ast.expr], Value]
AliasOf = Callable[[str], "ast.expr | None"]

_TENSORS = {
    "torch.Tensor": None,
    "torch.nn.Parameter": None,
    "torch.FloatTensor": "float",
    "torch.DoubleTensor": "float",
    "torch.HalfTensor": "float",
    "torch.BFloat16Tensor": "float",
    "torch.LongTensor": "int",
    "torch.IntTensor": "int",
    "torch.ShortTensor": "int",
    "torch.ByteTensor": "int",
    "torch.BoolTensor": "bool",
}
_JAXTYPING = {
    "Float": "float",
    "Int": "int",
    "Integer": "int",
    "UInt": "int",
    "Bool": "bool",
    "Shaped": None,
    "Num": None,
    "Complex": "complex",
    "Inexact": "float",
}
_SCALARS = {"int", "float", "bool", "str", "bytes", "complex"}
_SEQUENCES = {
    "list": "list",
    "List": "list",
    "tuple": "tuple",
    "Tuple": "tuple",
    "Sequence": "list",
    "Iterable": "list",
    "Iterator": "iterator",
    "set": "set",
    "Set": "set",
    "MutableSequence": "list",
    "Collection": "list",
    "deque": "deque",
}
_MAPPINGS = {"dict", "Dict", "Mapping", "MutableMapping", "OrderedDict", "DefaultDict", "defaultdict"}


def annotated(node: ast.expr | None, resolve: Resolver, alias: AliasOf, depth: int = 0) -> Value:
    """What an annotation says of a value; UNKNOWN if it says nothing of use."""
    if node is None or depth > 6:
        return UNKNOWN
    if isinstance(node, ast.Constant):
        if node.value is None:
            return NONE
        if isinstance(node.value, str):
            try:
                return annotated(ast.parse(node.value.strip(), mode="eval").body, resolve, alias, depth + 1)
            except (SyntaxError, ValueError):
                return UNKNOWN
        return UNKNOWN
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        left = annotated(node.left, resolve, alias, depth + 1)
        right = annotated(node.right, resolve, alias, depth + 1)
        return _either([left, right])
    if isinstance(node, ast.Subscript):
        return _subscript(node, resolve, alias, depth)
    name = dotted(node)
    if name is None:
        return UNKNOWN
    tail = name.rsplit(".", 1)[-1]
    value = resolve(node)
    if isinstance(value, External):
        return _external(value.name, tail)
    if isinstance(value, Class):
        return Instance(cls=value.info)
    if isinstance(value, Unknown):
        expression = alias(name) if "." not in name else None
        if expression is not None:
            return annotated(expression, resolve, alias, depth + 1)
        if tail == "Tensor":
            return Tensor()
    expression = alias(name) if "." not in name else None
    if expression is not None and not isinstance(expression, ast.Constant):
        return annotated(expression, resolve, alias, depth + 1)
    return UNKNOWN


def _external(name: str, tail: str) -> Value:
    if name in _TENSORS:
        return Tensor(dtype=_TENSORS[name])
    if name.startswith("torch.") and tail in ("Tensor", "FloatTensor", "LongTensor", "BoolTensor"):
        return Tensor(dtype=_TENSORS.get("torch." + tail))
    if name.startswith("builtins."):
        if tail in _SCALARS:
            return Static(type=tail)
        if tail in _SEQUENCES:
            return Seq(type=_SEQUENCES[tail])
        if tail == "dict":
            return Map()
        return UNKNOWN
    if name in ("numpy.ndarray", "numpy.typing.NDArray"):
        return Tensor(array=True)
    if name in ("torch.dtype", "torch.device", "torch.Size"):
        return Static(type=tail)
    if name.startswith("torch.") and tail[:1].isupper():
        return Instance(name=name)
    if name.startswith(("typing.", "collections.")):
        if tail in _SEQUENCES:
            return Seq(type=_SEQUENCES[tail])
        if tail in _MAPPINGS:
            return Map()
    return UNKNOWN


def _subscript(node: ast.Subscript, resolve: Resolver, alias: AliasOf, depth: int) -> Value:
    name = dotted(node.value) or ""
    tail = name.rsplit(".", 1)[-1]
    arguments = list(node.slice.elts) if isinstance(node.slice, ast.Tuple) else [node.slice]

    def of(argument: ast.expr) -> Value:
        return annotated(argument, resolve, alias, depth + 1)

    if tail == "Optional":
        return _either([NONE, of(arguments[0])])
    if tail == "Union":
        return _either([of(a) for a in arguments])
    if tail in ("Annotated", "Final", "ClassVar", "Required", "NotRequired"):
        return of(arguments[0])
    if tail in _JAXTYPING and len(arguments) == 2:
        inner = of(arguments[0])
        if isinstance(inner, Tensor):
            return Tensor(dtype=_JAXTYPING[tail], array=inner.array, ndim=_jaxtyping_ndim(arguments[1]))
        return UNKNOWN
    if tail == "Literal":
        return _literal(arguments)
    if tail in _SEQUENCES:
        kind = _SEQUENCES[tail]
        if kind == "tuple":
            if len(arguments) == 2 and isinstance(arguments[1], ast.Constant) and arguments[1].value is ...:
                return Seq(type="tuple", element=of(arguments[0]))
            return Seq(type="tuple", items=tuple(of(a) for a in arguments))
        return Seq(type=kind, element=of(arguments[0]))
    if tail in _MAPPINGS and len(arguments) == 2:
        return Map(element=of(arguments[1]))
    if tail in ("Type", "type", "Callable"):
        return UNKNOWN
    return UNKNOWN


def _literal(arguments: list[ast.expr]) -> Value:
    kinds = {type(a.value).__name__ for a in arguments if isinstance(a, ast.Constant)}
    return Static(type=kinds.pop()) if len(kinds) == 1 else Static()


def _jaxtyping_ndim(node: ast.expr) -> int | None:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        axes = node.value.split()
        if not any(a.startswith(("*", "...")) for a in axes):
            return len(axes)
    return None


def _either(values: list[Value]) -> Value:
    """A union as annotated: one unknown member makes the rest uncertain, so a lone tensor beside None stays."""
    if any(isinstance(v, Unknown) for v in values):
        return UNKNOWN
    return join_all(values)
