"""The types of TorchScript as far as its refusals depend on them; annotations and abstract values as types."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from analyzer.project import dotted
from analyzer.values import (
    Class,
    Const,
    Data,
    External,
    Function,
    Instance,
    Map,
    Seq,
    Shape,
    Static,
    Tensor,
    Union,
    Value,
)


@dataclass(frozen=True, slots=True)
class Type:
    """A type. `kind`: tensor, int, float, bool, str, none, number, list, dict, tuple, optional, module, class,
    function, method, python, iterable, any or unknown. `of`: type arguments. `value`: what a module, function or
    Python value is; `parameter`: the parameter without an annotation that makes this a tensor."""

    kind: str
    of: tuple[Type, ...] = ()
    value: Any = None
    parameter: str = ""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Type) and self.kind == other.kind and self.of == other.of

    def __hash__(self) -> int:
        return hash((self.kind, self.of))

    def __str__(self) -> str:
        if self.kind == "optional":
            return f"Optional[{self.of[0]}]"
        if self.kind in ("list", "dict", "tuple"):
            return f"{self.kind.capitalize()}[{', '.join(map(str, self.of))}]"
        return {"tensor": "Tensor", "none": "None"}.get(self.kind, self.kind)


UNKNOWN = Type("unknown")
TENSOR = Type("tensor")
INT, FLOAT, BOOL, STR, NONE, NUMBER = (Type(k) for k in ("int", "float", "bool", "str", "none", "number"))
ANY = Type("any")
OTHER = Type("other")  #: a class that none of the simple types is
INT_LIST = Type("list", (INT,))
NUMBERS = frozenset({"int", "float", "bool", "number"})
SIMPLE = frozenset({"tensor", "int", "float", "bool", "str", "none", "list", "dict", "tuple"})


def list_of(element: Type) -> Type:
    return Type("list", (element,))


def dict_of(key: Type, value: Type) -> Type:
    return Type("dict", (key, value))


def tuple_of(*elements: Type) -> Type:
    return Type("tuple", elements)


def optional(inner: Type) -> Type:
    if inner.kind in ("none", "optional", "unknown", "any"):
        return inner
    return Type("optional", (inner,))


def known(type_: Type) -> bool:
    """Whether nothing in a type is unknown."""
    return type_.kind not in ("unknown", "any", "number") and all(map(known, type_.of))


def unify(a: Type, b: Type) -> Type | None:
    """The type of a variable set to `a` on one path and `b` on the other; None if TorchScript refuses it."""
    if a == b:
        return a
    if not known(a) or not known(b):
        return UNKNOWN
    if a.kind == "none":
        return optional(b)
    if b.kind == "none":
        return optional(a)
    if a.kind == "optional" or b.kind == "optional":
        inner = unify(a.of[0] if a.kind == "optional" else a, b.of[0] if b.kind == "optional" else b)
        return optional(inner) if inner is not None else None
    if a.kind == b.kind == "tuple" and len(a.of) == len(b.of):
        parts = [unify(x, y) for x, y in zip(a.of, b.of)]
        return Type("tuple", tuple(p for p in parts if p is not None)) if all(p is not None for p in parts) else None
    if a.kind not in SIMPLE or b.kind not in SIMPLE:
        return UNKNOWN
    return None


def assignable(source: Type, target: Type) -> bool:
    """Whether a value of one type may stand where another is declared; True if it cannot be told."""
    if source == target or not known(source) or not known(target):
        return True
    if source.kind not in SIMPLE | {"optional"} or target.kind not in SIMPLE | {"optional"}:
        return True
    if target.kind == "optional":
        return source.kind == "none" or assignable(source.of[0] if source.kind == "optional" else source, target.of[0])
    if source.kind == "optional":
        return False
    if source.kind == "tensor" and target.kind in ("int", "float"):
        return True  # an implicit conversion that is checked when it runs
    if source.kind == target.kind == "tuple":
        return len(source.of) == len(target.of) and all(map(assignable, source.of, target.of))
    if source.kind == target.kind and source.kind in ("list", "dict"):
        return source.of == target.of
    if source.kind == "tuple" and target.kind == "list":
        return all(assignable(p, target.of[0]) for p in source.of)
    return False


# -- annotations --------------------------------------------------------------------------------------------------

_NAMES = {
    "builtins.int": INT,
    "builtins.float": FLOAT,
    "builtins.bool": BOOL,
    "builtins.str": STR,
    "builtins.complex": UNKNOWN,
    "torch.Tensor": TENSOR,
    "torch.dtype": Type("python"),
    "torch.device": UNKNOWN,
    "typing.Any": ANY,
    "torch.nn.Parameter": UNKNOWN,
    "builtins.list": UNKNOWN,
    "builtins.dict": UNKNOWN,
    "builtins.tuple": UNKNOWN,
}
_GENERIC = {"List": "list", "list": "list", "Dict": "dict", "dict": "dict", "Tuple": "tuple", "tuple": "tuple"}
#: Annotations that TorchScript does not know, with what a user may write instead.
REFUSED_NAMES = {
    "builtins.object": "object",
    "builtins.bytes": "bytes",
    "builtins.set": "set",
    "builtins.frozenset": "frozenset",
    "typing.Callable": "Callable",
    "collections.abc.Callable": "Callable",
    "torch.Size": "torch.Size",
    "numpy.ndarray": "np.ndarray",
    "typing.Sequence": "Sequence",
    "collections.abc.Sequence": "Sequence",
    "typing.Iterable": "Iterable",
    "collections.abc.Iterable": "Iterable",
    "typing.Mapping": "Mapping",
    "collections.abc.Mapping": "Mapping",
    "typing.Literal": "Literal",
    "typing.Set": "Set",
    "typing.FrozenSet": "FrozenSet",
    "typing.Iterator": "Iterator",
    "collections.abc.Iterator": "Iterator",
    "typing.Type": "Type",
    "typing.Deque": "Deque",
    "typing.DefaultDict": "DefaultDict",
    "typing.OrderedDict": "OrderedDict",
    "typing.Hashable": "Hashable",
    "typing.Annotated": "Annotated",
    "typing.Collection": "Collection",
    "typing.MutableMapping": "MutableMapping",
}
_REFUSED_BARE = frozenset(
    {"builtins.object", "builtins.bytes", "builtins.set", "builtins.frozenset", "torch.Size", "typing.Callable"}
)


class Annotations:
    """Reads annotations. `resolve` evaluates a name of the annotation's module, `refuse` hears of what is no type."""

    def __init__(self, resolve: Callable[[ast.expr], Value], refuse: Callable[[ast.expr, str], None]) -> None:
        self.resolve = resolve
        self.refuse = refuse

    def read(self, node: ast.expr | None) -> Type:
        """The type that an annotation names; unknown if it cannot be told."""
        if node is None:
            return TENSOR
        if isinstance(node, ast.Constant):
            if node.value is None:
                return NONE
            if isinstance(node.value, str):
                try:
                    inner = Annotations(self.resolve, lambda _, text: self.refuse(node, text))
                    return inner.read(ast.parse(node.value.strip(), mode="eval").body)
                except SyntaxError:
                    return UNKNOWN
            return UNKNOWN
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
            return self._union([node.left, node.right])
        if isinstance(node, ast.Subscript):
            return self._subscript(node)
        if dotted(node) is None:
            return UNKNOWN
        value = self.resolve(node)
        if isinstance(value, External):
            if value.name in _REFUSED_BARE and hasattr(node, "lineno"):
                self.refuse(node, REFUSED_NAMES[value.name])
            elif value.name.startswith("numpy.") and hasattr(node, "lineno"):
                self.refuse(node, "a type of NumPy")
            return _NAMES.get(value.name, UNKNOWN)
        if isinstance(value, Class):
            return Type("class", value=Instance(cls=value.info))
        return UNKNOWN

    def _union(self, nodes: list[ast.expr]) -> Type:
        types = [self.read(n) for n in nodes]
        rest = [t for t in types if t.kind != "none"]
        if len(rest) == 1 and len(types) == 2:
            return optional(rest[0])
        return UNKNOWN

    def _subscript(self, node: ast.Subscript) -> Type:
        name = (dotted(node.value) or "").rsplit(".", 1)[-1]
        parts = list(node.slice.elts) if isinstance(node.slice, ast.Tuple) else [node.slice]
        if name == "Optional":
            return optional(self.read(parts[0]))
        if name == "Union":
            return self._union(parts)
        if name in ("Final", "Annotated", "ClassVar"):
            return self.read(parts[0]) if name != "Annotated" else UNKNOWN
        kind = _GENERIC.get(name)
        if kind is None:
            value = self.resolve(node.value)
            if isinstance(value, External) and value.name in REFUSED_NAMES and hasattr(node, "lineno"):
                self.refuse(node, REFUSED_NAMES[value.name])
            return UNKNOWN
        if any(isinstance(p, ast.Constant) and p.value is ... for p in parts):
            if hasattr(node, "lineno"):
                self.refuse(node, "a tuple of any length")
            return UNKNOWN
        if isinstance(node.slice, ast.Tuple) and not node.slice.elts:
            return UNKNOWN
        return Type(kind, tuple(self.read(p) for p in parts))


# -- abstract values ----------------------------------------------------------------------------------------------

_STATIC = {"int": INT, "float": FLOAT, "bool": BOOL, "str": STR}


def of_value(value: Value) -> Type:
    """The type of what a library function returns, from its abstract value."""
    if isinstance(value, Tensor):
        return UNKNOWN if value.array else TENSOR
    if isinstance(value, Const):
        return NONE if value.value is None else _STATIC.get(type(value.value).__name__, UNKNOWN)
    if isinstance(value, (Static, Data)):
        return _STATIC.get(value.type, UNKNOWN)
    if isinstance(value, Shape):
        return INT_LIST if value.type == "size" else _STATIC.get(value.type, UNKNOWN)
    if isinstance(value, Seq) and value.type in ("tuple", "list"):
        if value.items is not None and value.type == "tuple":
            return tuple_of(*map(of_value, value.items))
        element = of_value(value.items[0]) if value.items else of_value(value.element)
        if value.type == "list" or element.kind != "unknown":
            return list_of(element)
    return UNKNOWN


def attribute_type(
    value: Value, is_module: Callable[[Instance], bool], is_data: Callable[[Instance], bool]
) -> tuple[Type, str]:
    """(type of a module's attribute, why it cannot be one if it cannot), from its value after `__init__`."""
    if isinstance(value, Seq) and value.type == "list":
        if value.items is None:
            inner, _ = attribute_type(value.element, is_module, is_data)
            return (UNKNOWN, "a Python list of modules") if inner.kind == "module" else (list_of(inner), "")
        if not value.items:
            return UNKNOWN, "an empty list without a class annotation"
        types = [attribute_type(i, is_module, is_data)[0] for i in value.items]
        if any(t.kind == "module" for t in types):
            return UNKNOWN, "a Python list of modules"
        if any(isinstance(i, (External, Function)) for i in value.items):
            return UNKNOWN, "a list of functions"
        if all(map(known, types)) and any(t != types[0] for t in types):
            return UNKNOWN, "a list of several types"
        return list_of(types[0]), ""
    if isinstance(value, Map) and value.type == "dict":
        if not value.items:
            return UNKNOWN, "an empty dict without a class annotation" if value == Map() else ""
        types = [attribute_type(i, is_module, is_data)[0] for i in value.items.values()]
        if any(t.kind == "module" for t in types):
            return UNKNOWN, "a Python dict of modules"
        if any(isinstance(i, (External, Function)) for i in value.items.values()):
            return UNKNOWN, "a dict of functions"
        keys = {type(k).__name__ for k in value.items}
        if len(keys) > 1 or (all(map(known, types)) and any(t != types[0] for t in types)):
            return UNKNOWN, "a dict of several types"
        return dict_of(_STATIC.get(keys.pop(), UNKNOWN), types[0]), ""
    if isinstance(value, Seq) and value.type == "set":
        return UNKNOWN, "a set"
    if isinstance(value, (Seq, Map)) and value.type in ("ModuleList", "Sequential", "ModuleDict"):
        return Type("module", value=value), ""
    if isinstance(value, Instance):
        if is_module(value):
            return Type("module", value=value), ""
        if is_data(value):
            return UNKNOWN, "an object of a dataclass"
        return Type("class", value=value) if value.cls is not None else UNKNOWN, ""
    if isinstance(value, Union):
        return UNKNOWN, ""
    return of_value(value), ""
