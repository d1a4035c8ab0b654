"""The abstract domain: what the analyzer knows about a Python value before the program runs.

Kinds (DESIGN section 2): tensor, data (host value computed from tensor contents), shape (host value from tensor
metadata), static, module/function/class references, opaque. Each value also carries

* `taint`: it depends on an argument of the captured function (a Proxy under fx, a traced value under trace);
* `why`: how it came to be, a linked list of steps, printed as the provenance of a finding.

Values are never changed once made (the classes are not frozen: that would make each of them three times as dear).
`signature()` leaves `why` out: it keys the memo of analysed calls.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from analyzer.project import ClassInfo, FunctionInfo, ModuleInfo

#: How sure we are that a value is a tensor.
PROVEN, USED = 3, 2


@dataclass(slots=True, unsafe_hash=True)
class Why:
    """One step of a provenance: `text` happened at `node` in the file `path`."""

    text: str
    node: ast.AST
    path: str
    before: Why | None = None


@dataclass(slots=True, kw_only=True, unsafe_hash=True)
class Value:
    """Base of all abstract values."""

    taint: bool = False
    why: Why | None = field(default=None, compare=False, hash=False)

    def signature(self) -> Any:
        return (type(self).__name__, self.taint)


@dataclass(slots=True, kw_only=True, unsafe_hash=True)
class Unknown(Value):
    """Nothing is known (an opaque object, an unannotated parameter)."""


@dataclass(slots=True, kw_only=True, unsafe_hash=True)
class Const(Value):
    """A Python constant whose value is known: None, bool, int, float, str, bytes, Ellipsis."""

    value: Any

    def signature(self) -> Any:
        return ("Const", type(self.value).__name__, repr(self.value), self.taint)


@dataclass(slots=True, kw_only=True, unsafe_hash=True)
class Static(Value):
    """A host value known before the call, its value unknown here. `type`: int, float, bool, str, dtype, device, any…

    `varies`: an argument that the known calls of a root give three or more values. `counts`: another value in every
    turn of a loop.
    """

    type: str = "any"
    varies: bool = False
    counts: bool = field(default=False, compare=False, hash=False)

    def signature(self) -> Any:
        return ("Static", self.type, self.taint, self.varies)


@dataclass(slots=True, kw_only=True, unsafe_hash=True)
class Tensor(Value):
    """A torch.Tensor (or, with `array`, a numpy array, which Dynamo captures as a tensor).

    `dtype` is a class: bool, int, float, complex or None. `ndim` is known for scalars (0) above all. `constant`: made
    in the program from Python constants, whose reads Dynamo folds. `origin`: parameter, buffer, argument or None.
    """

    sure: int = PROVEN
    dtype: str | None = None
    ndim: int | None = None
    constant: bool = False
    origin: str | None = None
    layout: str = "strided"
    array: bool = False
    leaf: bool = False  #: requires_grad leaf or detached
    written: bool = False  #: made of constants, then written to: still no Proxy for torch.fx
    selected: bool = False  #: read through a boolean mask: its size depends on contents
    #: element types that code outside any capture may have given it (`x.half()`)
    elements: frozenset[str] = field(default=frozenset(), compare=False, hash=False)
    dynamic: tuple[tuple[int, int | None, str], ...] = ()  #: what `flow.dynamic_dims` says of its dimensions

    def signature(self) -> Any:
        return (
            "Tensor",
            self.sure,
            self.dtype,
            self.ndim,
            self.constant,
            self.origin,
            self.layout,
            self.array,
            self.taint,
            *self.dynamic,
        )


@dataclass(slots=True, kw_only=True, unsafe_hash=True)
class Data(Value):
    """A host value computed from tensor contents. `type`: int, float, bool, list, str, any."""

    type: str = "any"

    def signature(self) -> Any:
        return ("Data", self.type, self.taint)


@dataclass(slots=True, kw_only=True, unsafe_hash=True)
class Shape(Value):
    """A host value from tensor metadata. `type`: int, float, bool, size (torch.Size). `meta`: size, ndim, dtype,
    device…"""

    type: str = "int"
    meta: str = "size"
    dim: int | None = None  #: which dimension a single size is, if known
    of_parameter: bool = False  #: of a parameter of a module: torch.fx reads it through a Proxy
    dynamic: tuple[tuple[int, int | None, str], ...] = ()  #: of the tensor; of a single size its own

    def signature(self) -> Any:
        return ("Shape", self.type, self.meta, self.dim, self.taint, *self.dynamic)


@dataclass(slots=True, kw_only=True, unsafe_hash=True)
class Guard(Value):
    """True exactly under the frontends `true_for` (torch.compiler.is_compiling() and its like)."""

    true_for: frozenset[str]

    def signature(self) -> Any:
        return ("Guard", tuple(sorted(self.true_for)))


@dataclass(slots=True, kw_only=True, unsafe_hash=True)
class Seq(Value):
    """A list, tuple, set, deque, ModuleList, Sequential… `items` when each element is known, else the join
    `element`."""

    type: str = "list"
    items: tuple[Value, ...] | None = None
    element: Value = field(default_factory=lambda: Unknown())
    sized: bool = False  #: how many there are follows from the size of a tensor: its rows, pieces of a given length
    grows: frozenset[int] = field(default=frozenset(), compare=False, hash=False)  #: loops whose turns make it longer

    def signature(self) -> Any:
        if self.items is None:
            return ("Seq", self.type, self.element.signature(), self.taint, self.sized)
        return ("Seq", self.type, tuple(i.signature() for i in self.items), self.taint)


@dataclass(slots=True, kw_only=True, unsafe_hash=True)
class Map(Value):
    """A dict (or ModuleDict). `items` for constant string keys that are known, `element` the join of all values."""

    type: str = "dict"
    items: Mapping[Any, Value] = field(default_factory=dict, hash=False)
    element: Value = field(default_factory=lambda: Unknown())

    def signature(self) -> Any:
        return ("Map", self.type, tuple((k, v.signature()) for k, v in self.items.items()), self.element.signature())


@dataclass(slots=True, kw_only=True, unsafe_hash=True)
class Instance(Value):
    """An object of a class of the project (`cls`) or of a library (`name`, qualified).

    `args` keeps the constructor's keyword arguments of a library class (batch_first, bias…), `fresh`: created inside
    the captured code. `apart`: (a part of) one of several objects of this class that are compiled one by one.
    """

    cls: ClassInfo | None = None
    name: str = ""
    args: Mapping[str, Value] = field(default_factory=dict, compare=False, hash=False)
    fresh: bool = False
    apart: ClassInfo | None = None

    def signature(self) -> Any:
        if self.apart is not None:
            return ("Instance", id(self.cls) if self.cls else self.name, self.taint, id(self.apart))
        return ("Instance", id(self.cls) if self.cls else self.name, self.taint)


@dataclass(slots=True, kw_only=True, unsafe_hash=True)
class Function(Value):
    """A function of the project, bound to `self_value` if it is a method. `scope`: the closure's variables.

    `fresh`: a lambda written in the call of captured code, so another object on every call.
    """

    info: FunctionInfo
    self_value: Value | None = None
    scope: Mapping[str, Value] | None = field(default=None, compare=False, hash=False)
    fresh: bool = field(default=False, compare=False, hash=False)

    def signature(self) -> Any:
        return ("Function", id(self.info), self.self_value.signature() if self.self_value else None)


@dataclass(slots=True, kw_only=True, unsafe_hash=True)
class Class(Value):
    """A class of the project."""

    info: ClassInfo

    def signature(self) -> Any:
        return ("Class", id(self.info))


@dataclass(slots=True, kw_only=True, unsafe_hash=True)
class Module(Value):
    """A Python module of the project or of an installed package whose source is found."""

    info: ModuleInfo

    def signature(self) -> Any:
        return ("Module", id(self.info))


@dataclass(slots=True, kw_only=True, unsafe_hash=True)
class External(Value):
    """Something named in a library: `torch.nn.functional.relu`, `math.sqrt`, `builtins.print`, `logging`."""

    name: str

    def signature(self) -> Any:
        return ("External", self.name)


@dataclass(slots=True, kw_only=True, unsafe_hash=True)
class Bound(Value):
    """A method of a value that is no project function: `x.sum`, `items.append`, `logger.info`."""

    owner: Value
    method: str

    def signature(self) -> Any:
        return ("Bound", self.owner.signature(), self.method)


@dataclass(slots=True, kw_only=True, unsafe_hash=True)
class Partial(Value):
    """functools.partial(target, *args, **kwargs), or a compiled/wrapped callable (no arguments)."""

    target: Value
    args: tuple[Value, ...] = ()
    kwargs: Mapping[str, Value] = field(default_factory=dict, compare=False, hash=False)
    wrapper: str = ""

    def signature(self) -> Any:
        return ("Partial", self.target.signature(), tuple(a.signature() for a in self.args), self.wrapper)


@dataclass(slots=True, kw_only=True, unsafe_hash=True)
class Union(Value):
    """One of a few values, e.g. None or a tensor."""

    options: tuple[Value, ...]

    def signature(self) -> Any:
        return ("Union", tuple(o.signature() for o in self.options))


UNKNOWN = Unknown()
TAINTED = Unknown(taint=True)
NONE = Const(value=None)

MAX_OPTIONS = 5
FEW = 2  #: so many values an argument or attribute may take: one recompilation, no more


def options_of(value: Value) -> tuple[Value, ...]:
    """The alternatives of a value: those of a union, else the value alone."""
    return value.options if isinstance(value, Union) else (value,)


def is_none(value: Value) -> bool:
    return isinstance(value, Const) and value.value is None


def tensor_in(value: Value) -> Tensor | None:
    """The tensor that `value` is, or may be if its only other alternatives are None."""
    if isinstance(value, Tensor):
        return value
    if isinstance(value, Union):
        tensors = [o for o in value.options if isinstance(o, Tensor)]
        others = [o for o in value.options if not isinstance(o, Tensor) and not is_none(o)]
        if tensors and not others:
            return tensors[0]
    return None


def _merge_tensors(a: Tensor, b: Tensor) -> Tensor:
    return replace(
        a,
        sure=min(a.sure, b.sure),
        dtype=a.dtype if a.dtype == b.dtype else None,
        ndim=a.ndim if a.ndim == b.ndim else None,
        constant=a.constant and b.constant,
        origin=a.origin if a.origin == b.origin else None,
        layout=a.layout if a.layout == b.layout else "strided",
        array=a.array and b.array,
        leaf=a.leaf and b.leaf,
        written=(a.written or b.written) and all(t.written or not t.taint for t in (a, b)),
        taint=a.taint or b.taint,
        dynamic=a.dynamic if a.dynamic == b.dynamic else (),
    )


def _merge_pair(a: Value, b: Value) -> Value | None:
    """The join of two values of one kind, or None if they are kept apart."""
    if a is b or a == b:
        return a
    taint = a.taint or b.taint
    if type(a) is not type(b):
        if isinstance(a, Const) and a.value is not None and isinstance(b, Static):
            return replace(b, type=b.type if b.type == type(a.value).__name__ else "any", taint=taint)
        if isinstance(b, Const) and b.value is not None and isinstance(a, Static):
            return _merge_pair(b, a)
        return None
    if isinstance(a, Tensor) and isinstance(b, Tensor):
        return _merge_tensors(a, b)
    if isinstance(a, Const) and isinstance(b, Const):
        if a.value is None or b.value is None:
            return None
        kind = type(a.value).__name__
        return Static(type=kind if kind == type(b.value).__name__ else "any", taint=taint, why=a.why or b.why)
    if isinstance(a, Static) and isinstance(b, Static):
        return replace(a, type=a.type if a.type == b.type else "any", taint=taint)
    if isinstance(a, Data) and isinstance(b, Data):
        return replace(a, type=a.type if a.type == b.type else "any", taint=taint)
    if isinstance(a, Shape) and isinstance(b, Shape):
        meta = a.meta if a.meta == b.meta else "size"
        return replace(
            a,
            type=a.type if a.type == b.type else "any",
            meta=meta,
            dim=a.dim if a.dim == b.dim else None,
            taint=taint,
            dynamic=a.dynamic if a.dynamic == b.dynamic else (),
        )
    if isinstance(a, Seq) and isinstance(b, Seq):
        if a.type != b.type:
            return None
        if a.items is not None and b.items is not None and len(a.items) == len(b.items):
            return replace(a, items=tuple(join(x, y) for x, y in zip(a.items, b.items)), taint=taint)
        return replace(a, items=None, element=join(element_of(a), element_of(b)), taint=taint, grows=a.grows | b.grows)
    if isinstance(a, Map) and isinstance(b, Map):
        keys = [k for k in a.items if k in b.items]
        return replace(
            a,
            items={k: join(a.items[k], b.items[k]) for k in keys},
            element=join(a.element, b.element),
            taint=taint,
        )
    if isinstance(a, Unknown):
        return replace(a, taint=taint)
    if a.signature() == b.signature():
        return a
    return None


def element_of(value: Seq) -> Value:
    """The join of a sequence's elements."""
    if value.items is None:
        return value.element
    return join_all(value.items) if value.items else UNKNOWN


def join(a: Value, b: Value) -> Value:
    """The least value that covers both."""
    merged = _merge_pair(a, b)
    if merged is not None:
        return merged
    options: list[Value] = []
    for option in (*options_of(a), *options_of(b)):
        for index, known in enumerate(options):
            both = _merge_pair(known, option)
            if both is not None:
                options[index] = both
                break
        else:
            options.append(option)
    if len(options) == 1:
        return options[0]
    taint = any(o.taint for o in options)
    if len(options) > MAX_OPTIONS:
        return Unknown(taint=taint)
    return Union(options=tuple(options), taint=taint, why=a.why or b.why)


def join_all(values: Iterable[Value]) -> Value:
    result: Value | None = None
    for value in values:
        result = value if result is None else join(result, value)
    return UNKNOWN if result is None else result


def tainted(values: Iterable[Value]) -> bool:
    """Whether any of the values depends on an argument of the captured function."""
    return any(is_tainted(v) for v in values)


def is_tainted(value: Value) -> bool:
    if value.taint:
        return True
    if isinstance(value, Seq):
        return any(is_tainted(i) for i in value.items) if value.items is not None else value.element.taint
    if isinstance(value, Map):
        return any(is_tainted(v) for v in value.items.values()) or value.element.taint
    if isinstance(value, Bound):
        return is_tainted(value.owner)
    return False
