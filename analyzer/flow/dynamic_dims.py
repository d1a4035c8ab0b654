"""Dimensions that a program declares dynamic: `dynamic_shapes=` of an export, `torch._dynamo.mark_dynamic`.

The examples' sizes come from the calls that made them (`torch.randn(8, 3)`), if those name constants.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

from analyzer.outcome import Frontend
from analyzer.values import Const, External, Instance, Map, Seq, Shape, Tensor, Value

_FACTORIES = frozenset("randn rand zeros ones empty".split())
#: `Tensor.dynamic` and `Shape.dynamic`: (dimension, size of the example, frontend that must find it dynamic).
Dynamic: TypeAlias = "tuple[tuple[int, int | None, str], ...]"


def dynamic_dimensions(spec: Value) -> list[tuple[int, bool]]:
    """The dimensions that a spec of `dynamic_shapes` declares dynamic, and whether the export must find them so.

    `Dim.AUTO` leaves it to the export.
    """
    pairs: Iterable[tuple[object, Value]] = ()
    if isinstance(spec, Map):
        pairs = spec.items.items()
    elif isinstance(spec, Seq):
        pairs = enumerate(spec.items or ())
    return [(k, must) for k, v in pairs if isinstance(k, int) and (must := _demanded(v)) is not None]


def _demanded(value: Value) -> bool | None:
    name = value.name if isinstance(value, (Instance, External)) else ""
    if not name.startswith("torch.export") or ".Dim" not in name or name.endswith("STATIC"):
        return None
    return not name.endswith("AUTO")


def sizes_of(value: Value) -> list[int] | None:
    """The sizes of a tensor made from constants, from the call that made it."""
    node = value.why.node if isinstance(value, Tensor) and value.why is not None else None
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or node.func.attr not in _FACTORIES:
        return None
    given = node.args[0].elts if len(node.args) == 1 and isinstance(node.args[0], (ast.Tuple, ast.List)) else node.args
    sizes = [a.value for a in given if isinstance(a, ast.Constant) and isinstance(a.value, int)]
    return sizes if len(sizes) == len(given) else None


def marked(value: Value, dimensions: Sequence[int], frontend: Frontend) -> Value:
    """A tensor some of whose dimensions are declared dynamic."""
    if not isinstance(value, Tensor):
        return value
    sizes = sizes_of(value)
    added = tuple((d, sizes[d] if sizes is not None and d < len(sizes) else None, frontend) for d in dimensions)
    return replace(value, dynamic=(*value.dynamic, *added))


def declared(names: Sequence[str], args: Sequence[Value], shapes: Value | None) -> list[Value]:
    """The example inputs of an export, marked with what `dynamic_shapes` declares; `names` are the parameters."""
    if isinstance(shapes, Map):
        specs: Mapping[int, Value] = {i: shapes.items[n] for i, n in enumerate(names) if n in shapes.items}
    elif isinstance(shapes, Seq) and shapes.items is not None:
        specs = dict(enumerate(shapes.items))
    else:
        return list(args)
    found = []
    for index, value in enumerate(args):
        demanded = [d for d, must in dynamic_dimensions(specs[index]) if must] if index in specs else []
        found.append(marked(value, demanded, "export") if demanded else value)
    return found


def of_argument(tensor: Tensor) -> Dynamic:
    """What is declared of a tensor that is an argument itself: results have other dimensions."""
    return tensor.dynamic if tensor.dynamic and tensor.why is not None and isinstance(tensor.why.node, ast.arg) else ()


def dimension(size: Shape, dim: int | None) -> Dynamic:
    """What is declared of one dimension of a size."""
    return tuple(d for d in size.dynamic if d[0] == dim)


def given_dimensions(value: Value | None) -> list[int]:
    """The dimensions named by an argument: a constant or a tuple of them."""
    values = value.items or () if isinstance(value, Seq) else (value,)
    return [v.value for v in values if isinstance(v, Const) and isinstance(v.value, int) and v.value >= 0]
