"""Calls whose result depends on the kinds of their arguments in ways that no table row can say.

Each handler gets the evaluator, the arguments and the call; it returns a value, or None to leave the call to the
tables.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from analyzer.flow import events as ev
from analyzer.knowledge.tables import measured
from analyzer.values import (
    FEW,
    UNKNOWN,
    Class,
    Const,
    Data,
    External,
    Function,
    Guard,
    Instance,
    Map,
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
    join,
    join_all,
    options_of,
    tainted,
    tensor_in,
)

if TYPE_CHECKING:
    from analyzer.flow.evaluator import Evaluator

Handler = Callable[["Evaluator", "list[Value]", "dict[str, Value]", ast.AST], "Value | None"]
SPECIAL: dict[str, Handler] = {}


def special(*names: str) -> Callable[[Handler], Handler]:
    """Register a handler under qualified names."""

    def register(handler: Handler) -> Handler:
        for name in names:
            SPECIAL[name] = handler
        return handler

    return register


def _argument_node(node: ast.AST, index: int = 0) -> ast.AST:
    if isinstance(node, ast.Call) and len(node.args) > index:
        return node.args[index]
    return node


# -- host conversions ---------------------------------------------------------------------------------------------


def _convert(how: str) -> Handler:
    def handler(ev_: Evaluator, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value | None:
        if not args:
            return Const(value={"int": 0, "float": 0.0, "bool": False}[how])
        value = args[0]
        tensor = tensor_in(value)
        if tensor is not None:
            result = Data(type=how, taint=tensor.taint, why=ev_.why("", node, tensor))
            ev_.emit(ev.HostRead, node, tensor=tensor, how=how, result=result, call=node)
            return result
        if isinstance(value, Data):
            return replace(value, type=how)
        if isinstance(value, Guard) and how == "bool":
            return value
        if isinstance(value, Shape):
            ev_.emit(ev.ShapeRead, node, value=value, how=how)
            return replace(value, type=how, why=ev_.why("", node, value))
        if isinstance(value, Const):
            try:
                return Const(value={"int": int, "float": float, "bool": bool}[how](value.value))
            except (TypeError, ValueError, OverflowError):
                return Static(type=how)
        if isinstance(value, Unknown) and value.taint:
            ev_.emit(ev.ShapeRead, node, value=value, how=how)
        return Static(type=how, taint=is_tainted(value))

    return handler


for _how in ("int", "float", "bool"):
    SPECIAL[f"builtins.{_how}"] = _convert(_how)


@special("Tensor.item")
def _item(ev_: Evaluator, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    tensor = args[0]
    assert isinstance(tensor, Tensor)
    result = Data(type=tensor.dtype or "any", taint=tensor.taint, why=ev_.why("", node, tensor))
    ev_.emit(ev.HostRead, node, tensor=tensor, how="item", result=result, call=node)
    return result


@special("Tensor.tolist")
def _tolist(ev_: Evaluator, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    tensor = args[0]
    assert isinstance(tensor, Tensor)
    inner = Data(type=tensor.dtype or "any", taint=tensor.taint, why=ev_.why("", node, tensor))
    ev_.emit(
        ev.HostRead, node, tensor=tensor, how="tolist", result=inner, call=node, declared=ev_.frame.annotated is node
    )
    if tensor.ndim == 0:
        return inner
    return Seq(type="list", element=inner, taint=tensor.taint, why=inner.why)


@special("Tensor.numpy", "Tensor.__array__")
def _numpy(ev_: Evaluator, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    tensor = args[0]
    assert isinstance(tensor, Tensor)
    result = replace(tensor, array=True, why=ev_.why("", node, tensor))
    ev_.emit(ev.HostRead, node, tensor=tensor, how="numpy", result=result, call=node)
    return result


@special("numpy.asarray", "numpy.array")
def _asarray(ev_: Evaluator, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value | None:
    tensor = tensor_in(args[0]) if args else None
    if tensor is None:
        return Tensor(array=True, taint=tainted(args), constant=not tainted(args))
    result = replace(tensor, array=True, why=ev_.why("", node, tensor))
    if not tensor.array:
        ev_.emit(ev.HostRead, node, tensor=tensor, how="numpy", result=result, call=node)
    return result


@special("torch.from_numpy")
def _from_numpy(ev_: Evaluator, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    array = tensor_in(args[0]) if args else None
    if array is None:
        return Tensor(taint=tainted(args), why=ev_.why("", node))
    return replace(array, array=False, why=ev_.why("", node, array))


@special("builtins.len")
def _len(ev_: Evaluator, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    value = args[0] if args else UNKNOWN
    tensor = tensor_in(value)
    if tensor is not None:
        result = Shape(type="int", taint=tensor.taint, why=ev_.why("", node, tensor))
        ev_.emit(ev.ShapeRead, node, value=tensor, how="len")
        return result
    if isinstance(value, Shape) and value.type == "size":
        ev_.emit(ev.ShapeRead, node, value=value, how="len")
        return Shape(
            type="int", meta="ndim", of_parameter=value.of_parameter, taint=value.taint, why=ev_.why("", node, value)
        )
    if isinstance(value, (Seq, Map)) and value.taint and value.why is not None:
        ev_.emit(ev.ShapeRead, node, value=value, how="len")
        return (
            Const(value=len(value.items)) if isinstance(value, Seq) and value.items is not None else Static(type="int")
        )
    if isinstance(value, Seq):
        if value.type in ("tuple", "ModuleList") and value.items is not None:
            return Const(value=len(value.items))
        element = value.element if value.items is None else UNKNOWN
        if isinstance(element, Data):
            return Data(type="int", taint=element.taint)
        return Static(type="int", taint=value.taint)
    if isinstance(value, Data):
        return Data(type="int", taint=value.taint, why=value.why)
    if isinstance(value, Shape):
        return Shape(type="int", taint=value.taint)
    if isinstance(value, Unknown) and value.taint:
        ev_.emit(ev.ShapeRead, node, value=value, how="len")
        return Unknown(taint=True)
    if isinstance(value, Instance) and value.cls is not None:
        method = ev_.interp.find_method(value.cls, "__len__")
        if method is not None:
            return ev_.call_value(Function(info=method, self_value=value), [], {}, node)[0]
    return Static(type="int", taint=is_tainted(value))


@special("builtins.range")
def _range(ev_: Evaluator, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    for index, value in enumerate(args):
        tensor = tensor_in(value)
        if tensor is not None:
            ev_.emit(
                ev.HostRead,
                _argument_node(node, index),
                tensor=tensor,
                how="range",
                result=Data(type="int", taint=tensor.taint),
                call=node,
            )
            return Seq(type="range", element=Data(type="int", taint=tensor.taint, why=tensor.why), taint=tensor.taint)
    if all(isinstance(a, Const) and isinstance(a.value, int) for a in args) and args:
        try:
            return Seq(type="range", element=Const(value=len(range(*(a.value for a in args if isinstance(a, Const))))))
        except (TypeError, ValueError):
            return Seq(type="range", element=Static(type="int"))
    for kind in (Data, Shape):
        found = next((a for a in args if isinstance(a, kind)), None)
        if found is not None:
            return Seq(type="range", element=replace(found, type="int"), taint=found.taint, why=found.why)
    unknown = any(isinstance(a, Unknown) and a.taint for a in args)
    for value in args:
        if isinstance(value, (Unknown, Static)) and value.taint:
            ev_.emit(ev.ShapeRead, node, value=value, how="range")
    element: Value = Unknown(taint=True) if unknown else Static(type="int", taint=tainted(args), counts=True)
    return Seq(type="range", element=element, taint=tainted(args))


@special("builtins.str", "builtins.repr", "builtins.format")
def _str(ev_: Evaluator, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    return ev_.formatted(args, node)


# -- builtins over iterables --------------------------------------------------------------------------------------


def _iterated(ev_: Evaluator, value: Value, node: ast.AST) -> None:
    ev_.emit(ev.Iterate, node, value=value, form="builtin", count=ev_.length(value))


@special("builtins.sum")
def _sum(ev_: Evaluator, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    if not args:
        return UNKNOWN
    _iterated(ev_, args[0], node)
    element = ev_.element(args[0])
    return replace(element, why=ev_.why("", node, element)) if isinstance(element, (Tensor, Shape, Data)) else element


def _ordered(ev_: Evaluator, values: list[Value], node: ast.AST) -> None:
    """Values are put in order: tensors, and under a trace sizes, are asked which is the greater."""
    tensor = next((v for v in values if isinstance(v, Tensor)), None)
    size = next((v for v in values if isinstance(v, Shape) and v.type != "size"), None)
    if tensor is not None:
        ev_.emit(ev.HostRead, node, tensor=tensor, how="order", result=UNKNOWN, call=node)
    elif size is not None:
        ev_.emit(ev.ShapeRead, node, value=size, how="order")


@special("builtins.min", "builtins.max")
def _min_max(ev_: Evaluator, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    if len(args) == 1:
        _iterated(ev_, args[0], node)
        element = ev_.element(args[0])
        count = ev_.length(args[0])
        if isinstance(args[0], (Tensor, Seq)) and (count is None or count > 1):
            _ordered(ev_, [element], node)
        return element
    values = [o for a in args for o in options_of(a)]
    if not kwargs:
        _ordered(ev_, args, node)
    for kind in (Tensor, Data, Shape, Unknown):
        found = next((v for v in values if isinstance(v, kind)), None)
        if found is not None:
            return (
                replace(found, taint=tainted(values), why=ev_.why("", node, found))
                if not isinstance(found, Unknown)
                else Unknown(taint=tainted(values))
            )
    return join_all([Static(type=v.type) if isinstance(v, Static) else v for v in values]) if values else UNKNOWN


@special("builtins.any", "builtins.all")
def _any_all(ev_: Evaluator, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    if not args:
        return UNKNOWN
    _iterated(ev_, args[0], node)
    element = ev_.element(args[0])
    form = "any" if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "any" else "all"
    tested = _argument_node(node)
    if isinstance(tested, ast.GeneratorExp):
        apart = isinstance(node, ast.Call) and tested.elt.lineno != node.lineno
        tested = node.func if isinstance(node, ast.Call) and apart else tested.elt  # the call tests, not the generator
    ev_.emit(ev.TruthTest, tested, value=element, form=form, statement=node, raises=False, plain=False)
    if isinstance(element, (Tensor, Data)):
        return Data(type="bool", taint=element.taint, why=ev_.why("", node, element))
    if isinstance(element, Shape):
        return replace(element, type="bool")
    return (
        Unknown(taint=is_tainted(element))
        if isinstance(element, Unknown)
        else Static(type="bool", taint=is_tainted(element))
    )


@special("builtins.sorted")
def _sorted(ev_: Evaluator, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    if not args:
        return UNKNOWN
    _iterated(ev_, args[0], node)
    element = ev_.element(args[0])
    key = kwargs.get("key")
    compared: Value = element
    if key is not None and not is_none(key):
        compared, _ = ev_.call_value(key, [element], {}, node)
    if isinstance(compared, Tensor):
        ev_.emit(ev.HostRead, node, tensor=compared, how="sort", result=UNKNOWN, call=node)
    return Seq(type="list", element=element, taint=is_tainted(args[0]))


def _as_sequence(kind: str) -> Handler:
    def handler(ev_: Evaluator, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        if not args:
            return Seq(type=kind, items=())
        value = args[0]
        _iterated(ev_, value, node)
        if isinstance(value, Seq) and value.items is not None and kind != "set":
            return Seq(type=kind, items=value.items, taint=value.taint)
        if isinstance(value, Shape):
            return Seq(type=kind, element=replace(value, type="int"), taint=value.taint)
        element = ev_.element(value)
        return Seq(type=kind, element=element, taint=is_tainted(value))

    return handler


for _kind in ("list", "tuple", "set", "frozenset"):
    SPECIAL[f"builtins.{_kind}"] = _as_sequence(_kind)
SPECIAL["collections.deque"] = _as_sequence("deque")


@special("builtins.dict", "collections.OrderedDict")
def _dict(ev_: Evaluator, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    if args and isinstance(args[0], Map):
        return replace(args[0], items={**args[0].items, **kwargs})
    if args:
        pair = ev_.element(args[0])
        element = (
            pair.items[1] if isinstance(pair, Seq) and pair.items is not None and len(pair.items) == 2 else UNKNOWN
        )
        return Map(element=element)
    return Map(items=dict(kwargs), element=join_all(kwargs.values()) if kwargs else UNKNOWN)


@special("collections.defaultdict")
def _defaultdict(ev_: Evaluator, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    return Map(type="dict")


@special("itertools.count")
def _counter(ev_: Evaluator, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    return Instance(name="itertools.count", fresh=True)


@special("contextlib.ExitStack")
def _exit_stack(ev_: Evaluator, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    return Instance(name="contextlib.ExitStack", fresh=True)


@special("builtins.zip", "itertools.zip_longest")
def _zip(ev_: Evaluator, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    for value in args:
        _iterated(ev_, value, node)
    counts = [ev_.length(a) for a in args]
    element = Seq(type="tuple", items=tuple(ev_.element(a) for a in args), taint=tainted(args))
    if counts and all(c is not None for c in counts) and all(isinstance(a, Seq) and a.items is not None for a in args):
        rows = zip(*(a.items for a in args if isinstance(a, Seq) and a.items is not None))
        return Seq(type="zip", items=tuple(Seq(type="tuple", items=tuple(r)) for r in rows))
    return Seq(type="zip", element=element, taint=tainted(args))


@special("builtins.enumerate")
def _enumerate(ev_: Evaluator, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    value = args[0] if args else UNKNOWN
    _iterated(ev_, value, node)
    count = ev_.length(value)
    if count is not None and isinstance(value, Seq) and value.items is not None:
        index = Static(type="int", counts=count > FEW)
        return Seq(type="zip", items=tuple(Seq(type="tuple", items=(index, i)) for i in value.items))
    index = Static(type="int", counts=count is None or count > FEW)
    return Seq(type="zip", element=Seq(type="tuple", items=(index, ev_.element(value))), taint=is_tainted(value))


@special("builtins.reversed", "builtins.iter")
def _reversed(ev_: Evaluator, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    value = args[0] if args else UNKNOWN
    _iterated(ev_, value, node)
    kind = "iterator" if getattr(getattr(node, "func", None), "id", "") == "iter" else "reversed"
    if isinstance(value, Seq):
        return replace(value, type=kind)
    return Seq(type=kind, element=ev_.element(value), taint=is_tainted(value))


@special("builtins.next")
def _next(ev_: Evaluator, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    element = ev_.element(args[0]) if args else UNKNOWN
    return join(element, args[1]) if len(args) > 1 else element


@special("builtins.map", "builtins.filter")
def _map(ev_: Evaluator, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    if len(args) < 2:
        return UNKNOWN
    for value in args[1:]:
        _iterated(ev_, value, node)
    elements = [ev_.element(a) for a in args[1:]]
    called = UNKNOWN if is_none(args[0]) else ev_.call_value(args[0], elements, {}, node)[0]
    is_filter = isinstance(node, ast.Call) and getattr(node.func, "id", "") == "filter"
    element = elements[0] if is_filter else called
    if is_filter:
        ev_.emit(ev.TruthTest, node, value=called, form="filter", statement=node, raises=False, plain=False)
    return Seq(type="generator", element=element, taint=tainted(args[1:]))


# -- builtins over objects ----------------------------------------------------------------------------------------


@special("builtins.getattr")
def _getattr(ev_: Evaluator, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    if len(args) >= 2 and isinstance(args[1], Const) and isinstance(args[1].value, str):
        found = ev_.attribute(args[0], args[1].value, node)
        if isinstance(found, External) and measured(found.name):
            return found  # the default is for other releases
        return join(found, args[2]) if len(args) > 2 else found
    return Unknown(taint=is_tainted(args[0]) if args else False)


@special("builtins.isinstance", "builtins.hasattr", "builtins.callable", "builtins.issubclass")
def _isinstance(ev_: Evaluator, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    from analyzer.flow.conditions import _instance_of

    if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "isinstance" and len(args) == 2:
        classes = args[1].items if isinstance(args[1], Seq) and args[1].items is not None else (args[1],)
        answers = {_instance_of(o, c) for o in options_of(args[0]) for c in classes}
        by_option = [{_instance_of(o, c) for c in classes} for o in options_of(args[0])]
        if answers == {False}:
            return Const(value=False)
        if all(True in answer for answer in by_option):
            return Const(value=True)
    return Static(type="bool")


@special("torch.is_tensor")
def _is_tensor(ev_: Evaluator, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    value = args[0] if args else UNKNOWN
    if isinstance(value, Tensor):
        return Const(value=True)
    if isinstance(value, (Const, Static, Seq, Map, Shape)):
        return Const(value=False)
    return Static(type="bool")


@special("builtins.super")
def _super(ev_: Evaluator, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    info = ev_.frame.info
    if info.cls is None or not info.parameters:
        return UNKNOWN
    owner = ev_.frame.env.get(info.parameters[0].arg, UNKNOWN)
    return Partial(target=owner, args=(Class(info=info.cls),), wrapper="super")


@special("builtins.abs", "builtins.round", "builtins.pow", "builtins.divmod")
def _numeric(ev_: Evaluator, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    name = getattr(node.func, "id", "") if isinstance(node, ast.Call) else ""
    values = [o for a in args for o in options_of(a)]
    tensor = next((v for v in values if isinstance(v, Tensor)), None)
    if tensor is not None and all(isinstance(o, Tensor) for a in args[:1] for o in options_of(a)):
        return replace(tensor, why=ev_.why("", node, tensor))
    for kind in (Data, Shape):
        found = next((v for v in values if isinstance(v, kind)), None)
        if found is not None:
            if name == "round" and kind is Shape:
                ev_.emit(ev.ShapeRead, node, value=found, how="round")
            return replace(found, taint=tainted(values))
    if any(isinstance(v, Unknown) for v in values):
        return Unknown(taint=tainted(values))
    return Static(type="any", taint=tainted(values))


@special("builtins.type")
def _type(ev_: Evaluator, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    value = args[0] if args else UNKNOWN
    if isinstance(value, Instance) and value.cls is not None:
        return Class(info=value.cls)
    return Static()


@special("functools.partial")
def _partial(ev_: Evaluator, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    if not args:
        return UNKNOWN
    return Partial(target=args[0], args=tuple(args[1:]), kwargs=kwargs)


@special("functools.reduce")
def _reduce(ev_: Evaluator, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    if len(args) < 2:
        return UNKNOWN
    element = ev_.element(args[1])
    return ev_.call_value(args[0], [element, element], {}, node)[0]


@special("torch.autocast", "torch.amp.autocast", "torch.cpu.amp.autocast", "torch.cuda.amp.autocast")
@special(
    "functools.wraps",
    "functools.lru_cache",
    "functools.cache",
    "torch.no_grad",
    "torch.inference_mode",
    "torch.enable_grad",
)
def _transparent(ev_: Evaluator, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value | None:
    if args and isinstance(args[0], (Function, Partial)):
        return args[0]
    name = ""
    if isinstance(node, ast.Call):
        callee = ev_.interp.quiet_name(ev_, node.func)
        name = callee or ""
    return Instance(name=name)


@special("datetime.date", "datetime.datetime", "datetime.time", "datetime.timedelta", "datetime.timezone")
def _moment(ev_: Evaluator, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    callee = node.func if isinstance(node, ast.Call) else None
    name = ev_.interp.quiet_name(ev_, callee) if callee is not None else None
    return Instance(name=name or "datetime.datetime", fresh=True)


@special("builtins.complex")
def _complex(ev_: Evaluator, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value | None:
    tensor = tensor_in(args[0]) if args else None
    if tensor is None:
        return None
    result = Data(type="complex", taint=tensor.taint, why=ev_.why("", node, tensor))
    ev_.emit(ev.HostRead, node, tensor=tensor, how="complex", result=result, call=node)
    return result


@special("typing.cast")
def _cast(ev_: Evaluator, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    if isinstance(node, ast.Call) and len(node.args) == 2:
        declared = ev_.interp.annotation(node.args[0], ev_.frame.module)
        if not isinstance(declared, Unknown) and isinstance(args[1], (Unknown, Union)):
            return replace(declared, taint=is_tainted(args[1]))
        return args[1]
    return UNKNOWN


@special("copy.deepcopy", "copy.copy")
def _copy(ev_: Evaluator, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    return args[0] if args else UNKNOWN


# -- numbers ------------------------------------------------------------------------------------------------------


def _math(ev_: Evaluator, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    values = [o for a in args for o in options_of(a)]
    for value in args:
        tensor = tensor_in(value)
        if tensor is not None:
            result = Data(type="float", taint=tensor.taint, why=ev_.why("", node, tensor))
            ev_.emit(ev.HostRead, node, tensor=tensor, how="math", result=result, call=node)
            return result
    data = next((v for v in values if isinstance(v, Data)), None)
    if data is not None:
        return replace(data, type="float")
    shape = next((v for v in values if isinstance(v, Shape)), None)
    if shape is not None and shape.type == "size" and getattr(getattr(node, "func", None), "attr", "") == "prod":
        return replace(shape, type="int", why=ev_.why("", node, shape))  # products of traced sizes stay traced
    if shape is not None:
        ev_.emit(ev.ShapeRead, node, value=shape, how="math")
        return replace(shape, type="int" if _integer(node) else "float", why=ev_.why("", node, shape))
    element = ev_.element(values[0]) if values and isinstance(values[0], Seq) else UNKNOWN
    if isinstance(element, Shape) and getattr(getattr(node, "func", None), "attr", "") != "prod":
        ev_.emit(ev.ShapeRead, node, value=element, how="math")
        return replace(element, type="int")
    if any(isinstance(v, Unknown) and v.taint for v in values):
        return Unknown(taint=True)
    return Static(type="int" if _integer(node) else "float", taint=tainted(values))


def _integer(node: ast.AST) -> bool:
    name = getattr(getattr(node, "func", None), "attr", "")
    return name in ("ceil", "floor", "trunc", "prod", "gcd", "comb", "factorial")


for _name in (
    "sqrt log log2 log10 exp sin cos tan tanh ceil floor trunc prod gcd pow isnan isinf isfinite fabs atan2 hypot "
    "log1p expm1 asin acos atan sinh cosh copysign fmod degrees radians isclose erf lgamma gamma comb factorial"
).split():
    SPECIAL[f"math.{_name}"] = _math
