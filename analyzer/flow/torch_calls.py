"""Torch and logging calls whose result depends on their arguments in ways that no table row can say.

Handlers register themselves in `SPECIAL` (see `builtin_calls`).
"""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING

from analyzer.flow import events as ev
from analyzer.flow.builtin_calls import SPECIAL, Handler, special
from analyzer.flow.dynamic_dims import dimension, given_dimensions, marked, of_argument
from analyzer.flow.library import dtype_class
from analyzer.values import (
    UNKNOWN,
    Bound,
    Const,
    Data,
    External,
    Function,
    Instance,
    Partial,
    Seq,
    Shape,
    Static,
    Tensor,
    Union,
    Unknown,
    Value,
    is_none,
    is_tainted,
    join_all,
    options_of,
    tainted,
    tensor_in,
)

__all__ = ["SPECIAL"]  #: with the handlers of this module in it

if TYPE_CHECKING:
    from analyzer.flow.evaluator import Evaluator

#: Factory → the dtype class it gives without `dtype=`.
_FACTORIES: dict[str, str | None] = {
    "ones": "float", "zeros": "float", "empty": "float", "rand": "float", "randn": "float", "randint": "int", "eye":
    "float",
    "randperm": "int", "linspace": "float", "logspace": "float", "full": None, "arange": None, "range": "float",
    "hann_window": "float", "hamming_window": "float", "tril_indices": "int", "triu_indices": "int",
    "empty_strided": "float",
}  # fmt: skip
_SIZED = frozenset({"ones", "zeros", "empty", "rand", "randn"})


def _factory(name: str) -> Handler:
    def handler(ev_: Evaluator, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        dtype = dtype_class(kwargs.get("dtype")) if "dtype" in kwargs else _FACTORIES[name]
        ndim: int | None = None
        sizes = [a for a in args if not isinstance(a, Seq)]
        if name in _SIZED:
            first = args[0] if args else kwargs.get("size", UNKNOWN)
            if isinstance(first, Seq) and first.type in ("tuple", "list"):
                ndim = len(first.items) if first.items is not None else None
            elif args and len(sizes) == len(args) and all(isinstance(a, (Const, Static, Shape, Data)) for a in args):
                ndim = None if any(isinstance(a, Shape) and a.type == "size" for a in args) else len(args)
        elif name in ("full", "randint"):
            shape = next((a for a in (*args, kwargs.get("size", UNKNOWN)) if isinstance(a, Seq)), None)
            ndim = len(shape.items) if shape is not None and shape.items is not None else None
            if name == "full" and dtype is None and "dtype" not in kwargs:
                value = args[1] if len(args) > 1 else kwargs.get("fill_value", UNKNOWN)
                kind = (
                    value.type
                    if isinstance(value, (Static, Data, Shape))
                    else type(value.value).__name__
                    if isinstance(value, Const)
                    else ""
                )
                dtype = kind if kind in ("float", "int", "bool") else None
        elif name in ("arange", "linspace", "randperm", "logspace", "range"):
            ndim = 1
            if name == "arange" and "dtype" not in kwargs:
                kinds = {
                    v.type
                    if isinstance(v, (Static, Data, Shape))
                    else type(v.value).__name__
                    if isinstance(v, Const)
                    else "?"
                    for v in args
                }
                dtype = "float" if "float" in kinds else "int" if kinds <= {"int"} else None
        taint = tainted(args) or tainted(kwargs.values())
        return Tensor(
            dtype=dtype,
            ndim=ndim,
            taint=taint,
            leaf=True,
            why=ev_.why("", node, next((a for a in args if a.why), None)),
        )

    return handler


for _name in _FACTORIES:
    special(f"torch.{_name}")(_factory(_name))


def _like(name: str) -> Handler:
    def handler(ev_: Evaluator, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value | None:
        first = tensor_in(args[0]) if args else None
        dtype = dtype_class(kwargs["dtype"]) if "dtype" in kwargs else first.dtype if first is not None else None
        ndim = first.ndim if first is not None and name.endswith("_like") else None
        if name.startswith("new_"):
            size = args[1] if len(args) > 1 else kwargs.get("size", UNKNOWN)
            if isinstance(size, Seq):
                ndim = len(size.items) if size.items is not None else None
            elif all(
                isinstance(a, (Const, Static, Shape, Data)) and getattr(a, "type", "") != "size" for a in args[1:]
            ):
                ndim = len(args) - 1
        sure = first.sure if first is not None else 3
        return Tensor(
            dtype=dtype,
            ndim=ndim,
            sure=sure,
            taint=tainted(args),
            leaf=True,
            why=ev_.why("", node, args[0] if args else None),
        )

    return handler


for _name in ("zeros_like", "ones_like", "empty_like", "rand_like", "randn_like", "full_like", "randint_like"):
    special(f"torch.{_name}")(_like(_name))
for _name in ("new_zeros", "new_ones", "new_empty", "new_full", "new_tensor"):
    special(f"Tensor.{_name}")(_like(_name))


def _kind(value: Value) -> str:
    """The Python type of a host value, as far as it is known."""
    if isinstance(value, (Static, Data, Shape)):
        return value.type
    return type(value.value).__name__ if isinstance(value, Const) else "?"


@special("torch.tensor", "torch.as_tensor", "torch.asarray")
def _tensor(ev_: Evaluator, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    value = args[0] if args else kwargs.get("data", UNKNOWN)
    inner = tensor_in(value)
    dtype = dtype_class(kwargs.get("dtype"))
    if inner is not None:
        return replace(inner, array=False, dtype=dtype or inner.dtype, why=ev_.why("", node, inner))
    leaves = _leaves(value)
    if dtype is None:
        kinds = {_kind(leaf) for leaf in leaves}
        dtype = (
            "float"
            if "float" in kinds
            else "bool"
            if kinds == {"bool"}
            else "int"
            if kinds and kinds <= {"int", "bool"}
            else None
        )
    constant = bool(leaves) and all(
        isinstance(leaf, Shape) or isinstance(leaf, (Const, Static)) and not leaf.taint for leaf in leaves
    )
    ndim = (
        0
        if isinstance(value, (Const, Static, Data, Shape))
        else 1
        if isinstance(value, Seq) and value.items is not None and not any(isinstance(i, Seq) for i in value.items)
        else None
    )
    if isinstance(value, Shape) and value.type == "size":
        ndim = 1
    taint = is_tainted(value)
    source = next((leaf for leaf in leaves if leaf.why is not None), None)
    size = next((leaf for leaf in leaves if isinstance(leaf, Shape) and leaf.meta == "size"), None)
    number = size or next((leaf for leaf in leaves if isinstance(leaf, Data) and leaf.taint), None)
    if number is not None:
        ev_.emit(ev.ShapeRead, node, value=number, how="ctor")
    return Tensor(dtype=dtype, ndim=ndim, constant=constant, taint=taint, leaf=True, why=ev_.why("", node, source))


def _leaves(value: Value) -> list[Value]:
    if isinstance(value, Seq):
        members = value.items if value.items is not None else (value.element,)
        return [leaf for member in members for leaf in _leaves(member)]
    if isinstance(value, Union):
        return [leaf for member in value.options for leaf in _leaves(member)]
    return [value]


@special("Tensor.to", "Tensor.type")
def _to(ev_: Evaluator, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    tensor = args[0]
    assert isinstance(tensor, Tensor)
    if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "type" and len(args) == 1 and not kwargs:
        return Static(type="str")
    dtype = tensor.dtype
    for value in [*args[1:], *kwargs.values()]:
        found = dtype_class(value)
        other = tensor_in(value)
        if found is not None:
            dtype = found
        elif other is not None:
            dtype = other.dtype
        elif (
            isinstance(value, (Shape, Static, Unknown))
            and getattr(value, "meta", "") not in ("device",)
            and not _device_like(value)
        ):
            dtype = None
    return replace(tensor, dtype=dtype, leaf=False, why=ev_.why("", node, tensor))


def _device_like(value: Value) -> bool:
    return isinstance(value, Static) and value.type in ("device", "str", "bool")


@special("Tensor.size")
def _size(ev_: Evaluator, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    tensor = args[0]
    assert isinstance(tensor, Tensor)
    kind = "int" if len(args) > 1 or "dim" in kwargs else "size"
    which = args[1] if len(args) > 1 else kwargs.get("dim")
    dim = which.value if isinstance(which, Const) and isinstance(which.value, int) else None
    size = Shape(
        type=kind,
        dim=dim,
        of_parameter=tensor.origin == "parameter" and not tensor.taint,
        taint=tensor.taint,
        why=ev_.why("", node, tensor),
        dynamic=of_argument(tensor),
    )
    return size if kind == "size" or not size.dynamic else replace(size, dynamic=dimension(size, dim))


@special("Tensor.dim", "Tensor.ndimension")
def _dim(ev_: Evaluator, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    return Shape(type="int", meta="ndim", taint=args[0].taint, why=ev_.why("", node, args[0]))


@special("torch.where")
def _where(ev_: Evaluator, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value | None:
    first = tensor_in(args[0]) if args else None
    taint = tainted(args) or tainted(kwargs.values())
    why = ev_.why("", node, first)
    if len(args) + len(kwargs) == 1:
        index = Tensor(dtype="int", ndim=1, taint=taint, why=why)
        return Seq(type="tuple", element=index, taint=taint, why=why)
    values = [t for t in (tensor_in(a) for a in args[1:3]) if t is not None]
    dtype = values[0].dtype if values else None
    ndims = [t.ndim for t in (*values, first) if t is not None]
    ndim = max(n for n in ndims if n is not None) if ndims and all(n is not None for n in ndims) else None
    return Tensor(dtype=dtype, ndim=ndim, taint=taint, why=why, sure=first.sure if first else 3)


@special("torch.nonzero", "Tensor.nonzero")
def _nonzero(ev_: Evaluator, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value | None:
    as_tuple = kwargs.get("as_tuple") or (args[1] if len(args) > 1 else None)
    taint = tainted(args)
    if isinstance(as_tuple, Const) and as_tuple.value is True:
        index = Tensor(dtype="int", ndim=1, taint=taint, why=ev_.why("", node, args[0]))
        return Seq(type="tuple", element=index, taint=taint)
    return Tensor(dtype="int", ndim=2, taint=taint, why=ev_.why("", node, args[0] if args else None))


@special("torch.unique", "Tensor.unique", "torch.unique_consecutive", "Tensor.unique_consecutive")
def _unique(ev_: Evaluator, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value | None:
    first = tensor_in(args[0]) if args else None
    why = ev_.why("", node, first)
    values = Tensor(dtype=first.dtype if first else None, taint=tainted(args), why=why)
    index = Tensor(dtype="int", taint=tainted(args), why=why)
    extra = [
        k
        for k in ("return_inverse", "return_counts")
        if isinstance(kwargs.get(k), Const) and kwargs[k] == Const(value=True)
    ]
    if not extra:
        return values
    return Seq(type="tuple", items=(values, *(index for _ in extra)), taint=values.taint)


@special("torch.max", "torch.min", "Tensor.max", "Tensor.min", "torch.median", "Tensor.median")
def _extremum(ev_: Evaluator, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value | None:
    first = tensor_in(args[0]) if args else None
    if first is None:
        return None
    why = ev_.why("", node, first)
    rest = args[1:]
    taint = tainted(args)
    if not rest and not kwargs:
        return replace(first, ndim=0, origin=None, leaf=False, why=why)
    if rest and tensor_in(rest[0]) is not None:
        return replace(first, ndim=None, taint=taint, leaf=False, why=why)
    values = replace(first, ndim=None, leaf=False, why=why)
    return Seq(type="tuple", items=(values, Tensor(dtype="int", taint=taint, why=why)), taint=taint, why=why)


@special("torch.sort", "Tensor.sort", "torch.argsort", "Tensor.argsort", "torch.topk", "Tensor.topk")
def _ordered(ev_: Evaluator, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value | None:
    first = tensor_in(args[0]) if args else None
    if first is None or first.ndim is None:
        return None
    taint = tainted(args)
    why = ev_.why("", node, first)
    order = Tensor(dtype="int", ndim=first.ndim, sure=first.sure, taint=taint, why=why)
    if getattr(getattr(node, "func", None), "attr", "") == "argsort":
        return order
    values = replace(first, constant=False, origin=None, leaf=False, taint=taint, why=why)
    return Seq(type="tuple", items=(values, order), taint=taint, why=why)


@special(
    "torch.split",
    "Tensor.split",
    "torch.chunk",
    "Tensor.chunk",
    "torch.unbind",
    "Tensor.unbind",
    "Tensor.tensor_split",
    "torch.tensor_split",
    "torch.split_with_sizes",
    "Tensor.split_with_sizes",
    "Tensor.unsafe_chunk",
)
def _split(ev_: Evaluator, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value | None:
    first = tensor_in(args[0]) if args else None
    if first is None:
        return None
    name = getattr(getattr(node, "func", None), "attr", "")
    ndim = first.ndim if name != "unbind" else (first.ndim - 1 if first.ndim else None)
    piece = replace(first, ndim=ndim, leaf=False, why=ev_.why("", node, first))
    count = args[1] if len(args) > 1 else kwargs.get("chunks")
    if (
        name in ("chunk", "unsafe_chunk")
        and isinstance(count, Const)
        and isinstance(count.value, int)
        and 0 < count.value <= 16
    ):
        return Seq(type="tuple", items=(piece,) * count.value, taint=first.taint, why=piece.why)
    if (
        isinstance(count, Seq)
        and count.items is not None
        and name in ("split", "split_with_sizes")
        and 0 < len(count.items) <= 16
    ):
        return Seq(type="tuple", items=(piece,) * len(count.items), taint=first.taint, why=piece.why)
    rows = name in ("unbind", "split") and not isinstance(count, Seq)
    return Seq(type="tuple", element=piece, taint=first.taint, why=piece.why, sized=rows)


@special("Tensor.register_hook")
def _tensor_hook(ev_: Evaluator, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value | None:
    """Dynamo traces the hook of a tensor that is computed here; that of an argument runs as it is."""
    hook, tensor = (args[1] if len(args) > 1 else kwargs.get("hook")), args[0]
    if hook is not None and isinstance(tensor, Tensor) and tensor.origin is None:
        surroundings = ev_.frame.context
        ev_.frame.context = replace(surroundings, alive=surroundings.alive & {"dynamo", "fullgraph"})
        ev_.call_value(hook, [Tensor(dtype=tensor.dtype, taint=True, why=ev_.why("", node, tensor))], {}, node)
        ev_.frame.context = surroundings
    return Instance(name="torch.utils.hooks.RemovableHandle")


@special("torch.cond")
def _cond(ev_: Evaluator, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value | None:
    if len(args) < 3:
        return None
    operands = args[3] if len(args) > 3 else kwargs.get("operands", Seq(type="tuple", items=()))
    inputs = list(operands.items) if isinstance(operands, Seq) and operands.items is not None else []
    results = [ev_.interp.call_body(ev_, branch, inputs, node, region="cond") for branch in args[1:3]]
    return join_all(results)


@special("torch._higher_order_ops.while_loop.while_loop", "torch._higher_order_ops.while_loop", "torch.while_loop")
def _while_loop(ev_: Evaluator, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value | None:
    if len(args) < 3 or not isinstance(args[2], Seq):
        return None
    inputs = list(args[2].items or ())
    for body in args[:2]:
        ev_.interp.call_body(ev_, body, inputs, node, region="while_loop")
    return args[2]


@special("torch.utils.checkpoint.checkpoint")
def _checkpoint(ev_: Evaluator, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value | None:
    if not args:
        return None
    rest = {
        k: v
        for k, v in kwargs.items()
        if k not in ("use_reentrant", "context_fn", "determinism_check", "preserve_rng_state", "debug", "early_stop")
    }
    return ev_.interp.call_body(ev_, args[0], args[1:], node, rest, region="checkpoint")


@special(
    "torch.vmap",
    "torch.func.vmap",
    "torch.func.grad",
    "torch.func.grad_and_value",
    "torch.func.jacrev",
    "torch.func.jacfwd",
    "torch.func.functional_call",
)
def _transform(ev_: Evaluator, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value | None:
    if args and isinstance(args[0], (Function, Partial, Instance, Bound)):
        return Partial(target=args[0], wrapper="torch.vmap")
    return None


@special("numpy.random.default_rng")
def _generator(ev_: Evaluator, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    return Instance(name="numpy.random.Generator")


@special("csv.writer", "csv.DictWriter")
def _csv_writer(ev_: Evaluator, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    return Instance(name="csv.writer")


@special("logging.getLogger")
def _logger(ev_: Evaluator, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    return Instance(name="logging.Logger")


@special("torch.compiler.disable")
def _disable(ev_: Evaluator, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    if args and not is_none(args[0]):
        return Partial(target=args[0], wrapper="torch.compiler.disable")
    return Partial(target=External(name="torch.compiler.disable"), wrapper="decorator")


@special("torch.finfo", "torch.iinfo", "numpy.finfo")
def _finfo(ev_: Evaluator, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    return Instance(name="torch.finfo")


@special("torch._dynamo.explain")
def _explain(ev_: Evaluator, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    output = External(name="torch._dynamo.ExplainOutput")
    return Instance(name=output.name) if len(args) > 1 else Partial(target=output)


@special("torch.compiler.allow_in_graph")
def _allow_in_graph(ev_: Evaluator, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    for function in options_of(args[0]) if args and ev_.frame.driver else ():
        if isinstance(function, Function):
            ev_.interp.allowed.add(id(function.info.node))
    return args[0] if args else UNKNOWN


@special("torch._dynamo.mark_dynamic")
def _mark_dynamic(ev_: Evaluator, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value | None:
    frame = ev_.frame
    name = node.args[0] if isinstance(node, ast.Call) and node.args else None
    dims = given_dimensions(args[1] if len(args) > 1 else kwargs.get("index"))
    if frame.driver and isinstance(name, ast.Name) and name.id in frame.env and dims:
        frame.env[name.id] = marked(frame.env[name.id], dims, "dynamo")
    return None
