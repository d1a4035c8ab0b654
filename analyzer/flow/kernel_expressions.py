"""Expressions of a kernel: their abstract values, and the events for what Triton's frontend has no translation of."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from analyzer.flow.kernel_events import (
    KernelAttribute,
    KernelEvent,
    KernelIndex,
    KernelIteration,
    KernelMerge,
    KernelName,
    KernelOperation,
    KernelRecent,
    KernelRemoved,
    KernelSyntax,
    KernelTest,
)
from analyzer.flow.kernel_scope import ModuleScope, member
from analyzer.flow.kernel_values import (
    ANY_CONSTEXPR,
    NONE,
    NUMBER,
    UNKNOWN,
    Block,
    Builtin,
    Constexpr,
    DType,
    Global,
    Gone,
    Host,
    KernelValue,
    Language,
    Method,
    PythonFunction,
    ShapeConflict,
    Tuple,
    as_tensor,
    broadcast,
    constant,
    difference,
    is_float,
    is_none,
    join,
    number_dtype,
    promote,
)
from analyzer.knowledge.triton_language import ELSEWHERE, TENSOR

#: Hands an event's class, its node and its fields to whoever makes the event.
Emit = Callable[..., None]

_BINARY: dict[type[ast.AST], tuple[str, Callable[[Any, Any], Any]]] = {
    ast.Add: ("+", operator.add),
    ast.Sub: ("-", operator.sub),
    ast.Mult: ("*", operator.mul),
    ast.Div: ("/", operator.truediv),
    ast.FloorDiv: ("//", operator.floordiv),
    ast.Mod: ("%", operator.mod),
    ast.Pow: ("**", operator.pow),
    ast.LShift: ("<<", operator.lshift),
    ast.RShift: (">>", operator.rshift),
    ast.BitAnd: ("&", operator.and_),
    ast.BitOr: ("|", operator.or_),
    ast.BitXor: ("^", operator.xor),
}
_COMPARE: dict[type[ast.AST], tuple[str, Callable[[Any, Any], Any]]] = {
    ast.Eq: ("==", operator.eq),
    ast.NotEq: ("!=", operator.ne),
    ast.Lt: ("<", operator.lt),
    ast.LtE: ("<=", operator.le),
    ast.Gt: (">", operator.gt),
    ast.GtE: (">=", operator.ge),
}
_BITS = frozenset({"<<", ">>", "&", "|", "^"})
_DIVISIONS = frozenset({"/", "//", "%"})
#: Numbers whose powers and shifts are worth computing.
_LIMIT = 1 << 64


@dataclass(slots=True)
class Frame:
    """One function being run: its names, its returns and the loops that Triton builds as regions."""

    node: ast.FunctionDef
    scope: dict[str, KernelValue]
    assigned: frozenset[str]  #: every name that the function assigns somewhere
    closure: frozenset[str] = frozenset()  #: names of the functions around it
    regions: int = 0  #: loops around the current statement
    header: ast.expr | None = None  #: the header of the innermost of them, unless an `if` on a runtime value is nearer
    either: int = 0  #: compile-time conditions of unknown outcome around it
    pending: set[str] = field(default_factory=set)  #: names with a bare `: tl.constexpr` annotation
    declared: set[str] = field(default_factory=set)  #: names with another bare annotation: some tool rewrites them
    returns: list[tuple[ast.Return, KernelValue, bool]] = field(default_factory=list)


class Expressions:
    """Evaluates expressions in a frame. Calls are the business of the subclass."""

    frame: Frame

    def __init__(self, scope: ModuleScope, emit: Emit) -> None:
        self.scope = scope
        self._emit = emit
        self._quiet = 0

    def emit(self, event: type[KernelEvent], node: ast.AST, /, **fields: Any) -> None:
        if not self._quiet:
            self._emit(event, node, self.frame.node, fields)

    @contextmanager
    def quiet(self, really: bool = True) -> Iterator[None]:
        """Code that may never be compiled says nothing."""
        self._quiet += really
        try:
            yield
        finally:
            self._quiet -= really

    def call(self, node: ast.Call) -> KernelValue:
        raise NotImplementedError

    def evaluate(self, node: ast.expr) -> KernelValue:
        method = getattr(self, f"_{type(node).__name__}", None)
        if method is None:
            self.emit(KernelSyntax, node, kind=type(node).__name__)
            return UNKNOWN
        value: KernelValue = method(node)
        return value

    # names and literals

    def _Constant(self, node: ast.Constant) -> KernelValue:
        return constant(node.value)

    def _Name(self, node: ast.Name) -> KernelValue:
        value = self.frame.scope.get(node.id)
        if value is not None and not isinstance(value, Gone):
            return value
        if node.id in self.frame.closure:
            return UNKNOWN
        outer = self.scope.lookup(node.id)
        if outer is None:
            if node.id in self.frame.assigned:
                gone = value if isinstance(value, Gone) else Gone()
                self.emit(KernelName, node, name=node.id, value=gone, related=gone.node)
                self.frame.scope[node.id] = UNKNOWN
            return UNKNOWN
        if isinstance(outer, (Global, PythonFunction)) or (isinstance(outer, Builtin) and not outer.allowed):
            self.emit(KernelName, node, name=node.id, value=outer, related=getattr(outer, "node", None))
            return UNKNOWN
        return outer

    def _Tuple(self, node: ast.Tuple | ast.List) -> KernelValue:
        items = []
        for element in node.elts:
            if isinstance(element, ast.Starred):
                self.emit(KernelSyntax, element, kind="Starred")
                self.evaluate(element.value)
                return Tuple()
            items.append(self.evaluate(element))
        return Tuple(items=tuple(items))

    _List = _Tuple

    def _JoinedStr(self, node: ast.JoinedStr) -> KernelValue:
        for part in node.values:
            if isinstance(part, ast.FormattedValue) and isinstance(self.evaluate(part.value), Block):
                self.emit(KernelSyntax, node, kind="FormattedTensor")
        return ANY_CONSTEXPR

    def _Slice(self, node: ast.Slice) -> KernelValue:
        for part in (node.lower, node.upper, node.step):
            if part is not None:
                self.evaluate(part)
        return UNKNOWN

    def _NamedExpr(self, node: ast.NamedExpr) -> KernelValue:
        value = as_tensor(self.evaluate(node.value))
        self.frame.scope[node.target.id] = value
        return value

    def _ListComp(self, node: ast.ListComp) -> KernelValue:
        self.emit(KernelRecent, node, name="ListComp")
        if len(node.generators) != 1:
            self.emit(KernelIteration, node, problem="a comprehension with two `for`")
            return Tuple()
        comprehension = node.generators[0]
        values = self.evaluate(comprehension.iter)
        call = comprehension.iter
        is_range = isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "range"
        if (isinstance(values, Block) and not values.parameter) or (
            is_range and self.scope.lookup("range") == Builtin(name="range", allowed=True)
        ):
            self.emit(KernelIteration, node, problem="a comprehension over something other than a tuple")
        saved = dict(self.frame.scope)
        for name in ast.walk(comprehension.target):
            if isinstance(name, ast.Name):
                self.frame.scope[name.id] = UNKNOWN
        for test in comprehension.ifs:
            self.evaluate(test)
        self.evaluate(node.elt)
        self.frame.scope = saved
        return Tuple()

    # attributes and subscripts

    def _Attribute(self, node: ast.Attribute) -> KernelValue:
        owner = self.evaluate(node.value)
        return self.attribute(node, owner, node.attr)

    def attribute(self, node: ast.AST, owner: KernelValue, name: str) -> KernelValue:
        if isinstance(owner, Language):
            if not owner.name and name in ELSEWHERE:
                self.emit(KernelAttribute, node, owner="language", attribute=name)
            return member(owner, name)
        if owner == Host(name="triton"):
            return Language() if name == "language" else UNKNOWN
        if isinstance(owner, Host):
            return Host(name=f"{owner.name}.{name}")
        if isinstance(owner, Constexpr):
            return owner if name == "value" else ANY_CONSTEXPR
        if isinstance(owner, Tuple) and owner.items is not None and name in _LIST_METHODS:
            self.emit(KernelAttribute, node, owner="tuple", attribute=name)
        if not isinstance(owner, Block):
            return UNKNOWN
        if name == "dtype":
            return DType(name=None if owner.dtype == "ptr" else owner.dtype)
        if owner.parameter and owner.dtype != "ptr":
            return UNKNOWN
        if name == "shape":
            if owner.shape is None:
                return Tuple()
            return Tuple(items=tuple(NUMBER if size is None else constant(size) for size in owner.shape))
        if name == "T":
            return Block(shape=owner.shape[::-1] if owner.shape is not None else None, dtype=owner.dtype)
        if name not in TENSOR:
            self.emit(KernelAttribute, node, owner="tensor", attribute=name)
            return UNKNOWN
        return NUMBER if name == "numel" else Method(owner=owner, name=name)

    def _Subscript(self, node: ast.Subscript) -> KernelValue:
        owner = self.evaluate(node.value)
        if not isinstance(owner, Block) or (owner.parameter and owner.dtype != "ptr"):
            index = self.evaluate(node.slice)
            if isinstance(owner, Tuple) and owner.items is not None and isinstance(index, Constexpr) and index.known:
                if isinstance(index.value, int) and -len(owner.items) <= index.value < len(owner.items):
                    return owner.items[index.value]
            return ANY_CONSTEXPR if isinstance(owner, Constexpr) else UNKNOWN
        return self._index(node, owner)

    def _index(self, node: ast.Subscript, owner: Block) -> KernelValue:
        """`tensor[:, None]`: only whole slices and None."""
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        sizes = None if owner.shape is None else list(owner.shape)
        sure, used = True, 0
        for position, part in enumerate(parts):
            if isinstance(part, ast.Slice):
                if part.lower or part.upper or part.step:
                    self._Slice(part)
                    self.emit(KernelIndex, node, access="load", problem="a part of a tensor is sliced out")
                    return UNKNOWN
                used += 1
                continue
            value = self.evaluate(part)
            if is_none(value):
                if sizes is not None:
                    sizes.insert(position, 1)
            elif isinstance(value, Constexpr) and (value.known or value.number):
                self.emit(KernelIndex, node, access="load", problem="a tensor is indexed by a number")
                return UNKNOWN
            elif isinstance(value, Block):
                self.emit(KernelIndex, node, access="load", problem="a tensor is indexed by a tensor")
                return UNKNOWN
            else:
                sure = False
        if sizes is None or not sure:
            return Block(dtype=owner.dtype)
        if used > len(owner.shape or ()):
            self.emit(KernelRemoved, node, name=f"{used} slices of a {len(owner.shape or ())}-d tensor")
            return UNKNOWN
        return Block(shape=tuple(sizes), dtype=owner.dtype)

    # operators

    def _BinOp(self, node: ast.BinOp) -> KernelValue:
        left, right = self.evaluate(node.left), self.evaluate(node.right)
        return self.binary(node, node.op, left, right)

    def binary(self, node: ast.AST, op: ast.operator, left: KernelValue, right: KernelValue) -> KernelValue:
        known = _BINARY.get(type(op))
        if known is None:
            self.emit(KernelOperation, node, operator="@", problem="kernels have no `@`")
            return UNKNOWN
        symbol, compute = known
        if isinstance(left, Constexpr) and isinstance(right, Constexpr):
            return self._fold(symbol, compute, left, right)
        if isinstance(left, Tuple) or isinstance(right, Tuple):
            if symbol == "+" and isinstance(left, Tuple) and isinstance(right, Tuple) and left.items and right.items:
                return Tuple(items=left.items + right.items)
            return Tuple() if symbol in "+*" else UNKNOWN
        if not isinstance(left, (Block, Constexpr)) or not isinstance(right, (Block, Constexpr)):
            return (
                Block()
                if isinstance(left, Block) or isinstance(right, Block)
                else KernelValue(runtime=left.runtime or right.runtime)
            )
        if is_none(left) or is_none(right):
            return UNKNOWN
        return self._tensors(node, symbol, left, right)

    @staticmethod
    def _fold(symbol: str, compute: Callable[[Any, Any], Any], left: Constexpr, right: Constexpr) -> Constexpr:
        if left.known and right.known and all(_small(v.value) for v in (left, right)):
            try:
                if symbol in ("**", "<<") and not 0 <= right.value <= 64:
                    return NUMBER
                return constant(compute(left.value, right.value))
            except (TypeError, ValueError, ArithmeticError):
                return ANY_CONSTEXPR
        # `+` and `*` also join strings and repeat tuples, `%` formats
        text = any(v.known and isinstance(v.value, (str, tuple)) for v in (left, right))
        number = (left.number or right.number or symbol not in ("+", "*", "%", "|")) and not text
        integer = left.integer and right.integer and symbol in ("+", "-", "*", "//", "%")
        return Constexpr(number=number or integer, fraction=symbol == "/", integer=integer)

    def _tensors(self, node: ast.AST, symbol: str, left: Block | Constexpr, right: Block | Constexpr) -> KernelValue:
        """An operator with at least one tensor among its operands."""
        types = [_dtype(left), _dtype(right)]
        if symbol == "**":
            self.emit(KernelOperation, node, operator="**", problem="tensors have no `**`")
            return UNKNOWN
        pointers = types.count("ptr")
        if pointers and symbol not in "+-":
            self.emit(KernelOperation, node, operator=symbol, problem=f"a pointer has no `{symbol}`")
            return UNKNOWN
        if pointers == 1 and any(is_float(t) for t in types):
            self.emit(KernelOperation, node, operator=symbol, problem="a pointer is moved by a float")
            return UNKNOWN
        if pointers == 2 and symbol == "+":
            self.emit(KernelOperation, node, operator=symbol, problem="two pointers are added")
            return UNKNOWN
        if any(is_float(t) for t in types) and (symbol in _BITS or symbol == "//"):
            self.emit(KernelOperation, node, operator=symbol, problem=f"floats have no `{symbol}` in a kernel")
            return UNKNOWN
        shape = self.broadcast(node, symbol, _shape(left), _shape(right))
        if pointers:
            return Block(shape=shape, dtype="ptr")
        dtype = promote(
            types[0], types[1], isinstance(left, Constexpr), isinstance(right, Constexpr), symbol in _DIVISIONS
        )
        if symbol == "/" and dtype is not None and not is_float(dtype):
            dtype = "fp32"
        return Block(shape=shape, dtype=dtype)

    def broadcast(
        self, node: ast.AST, symbol: str, a: tuple[int | None, ...] | None, b: tuple[int | None, ...] | None
    ) -> tuple[int | None, ...] | None:
        shape = broadcast(a, b)
        if isinstance(shape, ShapeConflict):
            self.emit(
                KernelOperation,
                node,
                operator=symbol,
                problem=f"sizes {shape.first} and {shape.second} do not broadcast",
                shapes=True,
            )
            return None
        return shape

    def _Compare(self, node: ast.Compare) -> KernelValue:
        left = self.evaluate(node.left)
        results: list[KernelValue] = []
        for op, part in zip(node.ops, node.comparators):
            right = self.evaluate(part)
            results.append(self._comparison(node, op, left, right))
            left = right
        result = results[0]
        for other in results[1:]:
            result = self._both(node, result, other)
        return result

    def _comparison(self, node: ast.Compare, op: ast.cmpop, left: KernelValue, right: KernelValue) -> KernelValue:
        if isinstance(op, (ast.Is, ast.IsNot)):
            if is_none(right) or is_none(left):
                other = left if is_none(right) else right
                if is_none(other):
                    return constant(isinstance(op, ast.Is))
                if isinstance(other, Block) and not other.parameter:
                    return constant(isinstance(op, ast.IsNot))
            return ANY_CONSTEXPR
        known = _COMPARE.get(type(op))
        if known is None:
            symbol = "in" if isinstance(op, ast.In) else "not in"
            self.emit(KernelOperation, node, operator=symbol, problem=f"kernels have no `{symbol}`")
            return UNKNOWN
        symbol, compute = known
        if isinstance(left, Constexpr) and isinstance(right, Constexpr):
            return self._fold(symbol, compute, left, right)
        if isinstance(left, (Block, Constexpr)) and isinstance(right, (Block, Constexpr)):
            if is_none(left) or is_none(right):
                other = left if is_none(right) else right
                if isinstance(other, Block) and not other.parameter:
                    problem = f"a tensor is compared with None by `{symbol}`"
                    self.emit(KernelOperation, node, operator=symbol, problem=problem)
                return UNKNOWN
            if {type(left), type(right)} == {Block, Constexpr}:
                number = left if isinstance(left, Constexpr) else right
                if isinstance(number, Constexpr) and number.known and not isinstance(number.value, (int, float)):
                    return UNKNOWN
            return Block(shape=self.broadcast(node, symbol, _shape(left), _shape(right)), dtype="int1")
        if isinstance(left, (DType, Tuple)) or isinstance(right, (DType, Tuple)):
            return ANY_CONSTEXPR
        return UNKNOWN

    def _both(self, node: ast.AST, first: KernelValue, second: KernelValue) -> KernelValue:
        """What `and` and `or` make of two operands."""
        if isinstance(first, Block) and isinstance(second, Block):
            return Block(shape=self.broadcast(node, "and", first.shape, second.shape), dtype="int1")
        if isinstance(first, Constexpr) and isinstance(second, Constexpr):
            return ANY_CONSTEXPR
        return UNKNOWN

    def _BoolOp(self, node: ast.BoolOp) -> KernelValue:
        stops = isinstance(node.op, ast.Or)
        result: KernelValue | None = None
        doubt = False
        for part in node.values:
            with self.quiet(doubt):
                value = self.evaluate(part)
            if isinstance(value, Constexpr) and value.known:
                if bool(value.value) is stops and not doubt:
                    return value
                result = value if result is None else result
                continue
            doubt = doubt or not isinstance(value, Block) or value.parameter
            if result is None or (isinstance(result, Constexpr) and result.known):
                result = value
            else:
                result = self._both(node, result, value)
        if doubt and not isinstance(result, Constexpr):
            return UNKNOWN
        return result if result is not None else UNKNOWN

    def _UnaryOp(self, node: ast.UnaryOp) -> KernelValue:
        value = self.evaluate(node.operand)
        if isinstance(value, Constexpr):
            if value.known and _small(value.value):
                try:
                    return constant(_UNARY[type(node.op)](value.value))
                except TypeError:
                    return ANY_CONSTEXPR
            return Constexpr(number=True)
        if not isinstance(value, Block):
            return UNKNOWN
        if isinstance(node.op, ast.Not):
            return UNKNOWN if value.parameter else Block(shape=value.shape, dtype="int1")
        symbol = "~" if isinstance(node.op, ast.Invert) else "-"
        if (symbol == "~" and is_float(value.dtype)) or value.dtype == "ptr":
            what = "a pointer has" if value.dtype == "ptr" else "floats have"
            self.emit(KernelOperation, node, operator=symbol, problem=f"{what} no `{symbol}` in a kernel")
            return UNKNOWN
        return Block(shape=value.shape, dtype=value.dtype)

    def _IfExp(self, node: ast.IfExp) -> KernelValue:
        test = self.evaluate(node.test)
        self.emit(KernelTest, node.test, value=test, form="ternary")
        if isinstance(test, Constexpr) and test.known:
            return self.evaluate(node.body if test.value else node.orelse)
        then, other = self.evaluate(node.body), self.evaluate(node.orelse)
        if not dynamic(test):
            return join(then, other)
        for value in (then, other):
            if is_none(value):
                self.emit(KernelMerge, node, name="", before=then, after=other, change="a tensor or None")
                return UNKNOWN
        then, other = as_tensor(then), as_tensor(other)
        change = difference(then, other)
        if change is not None and not (isinstance(test, Block) and test.is_block):
            self.emit(KernelMerge, node, name="", before=then, after=other, change=change)
            return Block()
        return join(then, other)

    def _Call(self, node: ast.Call) -> KernelValue:
        return self.call(node)


_LIST_METHODS = frozenset({"append", "extend", "insert", "pop", "remove", "reverse", "sort", "clear", "index", "count"})
_UNARY: dict[type[ast.AST], Callable[[Any], Any]] = {
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
    ast.Not: operator.not_,
    ast.Invert: operator.invert,
}


def dynamic(test: KernelValue) -> bool:
    """Whether a test is a value of the running kernel, so that both ways are compiled."""
    return isinstance(test, Block) and not test.parameter


def _small(value: Any) -> bool:
    return not isinstance(value, int) or abs(value) < _LIMIT


def _dtype(value: Block | Constexpr) -> str | None:
    if isinstance(value, Block):
        return value.dtype
    if value.known:
        return number_dtype(value.value)
    return "int32" if value.integer else None


def _shape(value: Block | Constexpr) -> tuple[int | None, ...] | None:
    return value.shape if isinstance(value, Block) else ()


__all__ = ["NONE", "Emit", "Expressions", "Frame", "dynamic"]
