"""Calls inside a kernel: functions of `triton.language`, methods of tensors, builtins, and other jit functions."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TypeGuard

from analyzer.flow.kernel_events import (
    KernelArguments,
    KernelBuiltinCall,
    KernelDot,
    KernelElementType,
    KernelHostCall,
    KernelMemory,
    KernelOperation,
    KernelRecent,
    KernelRemoved,
    KernelShape,
    KernelSyntax,
    KernelTest,
)
from analyzer.flow.kernel_expressions import Expressions
from analyzer.flow.kernel_values import (
    ANY_CONSTEXPR,
    NUMBER,
    UNKNOWN,
    Block,
    Builtin,
    Constexpr,
    DType,
    Host,
    JitFunction,
    KernelValue,
    Language,
    Method,
    Shape,
    ShapeConflict,
    Tuple,
    broadcast,
    constant,
    is_float,
    is_none,
    number_dtype,
    promote,
)
from analyzer.knowledge.triton_language import ROLES, SIGNATURES, Signature
from analyzer.knowledge.triton_versions import NAMES

#: Members of NumPy and torch that are written like functions and are types.
_TYPES = frozenset(
    "dtype finfo iinfo device layout memory_format ndarray generic float16 float32 float64 bfloat16 half bool bool_ "
    "int8 int16 int32 int64 uint8 uint16 uint32 uint64 complex64 complex128 intc uint intp single double".split()
)
#: The methods whose functions have the tensor as their first argument.
_METHOD_NAMES = {"to": "cast"}


@dataclass(slots=True)
class Arguments:
    """The evaluated arguments of a call. `sure`: none came out of an unresolved star."""

    values: list[KernelValue]
    named: dict[str, KernelValue]
    nodes: dict[int | str, ast.AST]
    sure: bool = True

    def get(self, position: int, name: str) -> KernelValue | None:
        if name in self.named:
            return self.named[name]
        return self.values[position] if position < len(self.values) else None


class Calls(Expressions):
    """Evaluates calls. Running another jit function is the business of the subclass."""

    def inline(self, node: ast.Call, function: ast.FunctionDef, arguments: Arguments) -> KernelValue:
        raise NotImplementedError

    def call(self, node: ast.Call) -> KernelValue:
        callee = self.evaluate(node.func)
        arguments = self._arguments(node)
        if isinstance(callee, Language):
            return self._language(node, callee.name, arguments)
        if isinstance(callee, Method) and callee.owner is not None:
            arguments.values.insert(0, callee.owner)
            return self._language(node, _METHOD_NAMES.get(callee.name, callee.name), arguments)
        if isinstance(callee, JitFunction) and callee.node is not None:
            return self.inline(node, callee.node, arguments) if arguments.sure else UNKNOWN
        if isinstance(callee, Builtin):
            return self._builtin(node, callee.name, arguments)
        if isinstance(callee, Host):
            return self._host(node, callee.name, arguments)
        return UNKNOWN

    def _arguments(self, node: ast.Call) -> Arguments:
        result = Arguments([], {}, {})
        for part in node.args:
            if isinstance(part, ast.Starred):
                value = self.evaluate(part.value)
                if isinstance(value, Tuple) and value.items is not None:
                    result.values.extend(value.items)
                else:
                    result.sure = False
                continue
            result.nodes[len(result.values)] = part
            result.values.append(self.evaluate(part))
        for keyword in node.keywords:
            value = self.evaluate(keyword.value)
            if keyword.arg is None:
                if not isinstance(keyword.value, ast.Dict):  # the dict itself is refused already
                    self.emit(KernelSyntax, keyword.value, kind="DoubleStar")
                result.sure = False
            else:
                result.nodes[keyword.arg] = keyword.value
                result.named[keyword.arg] = value
        return result

    # Python's own functions

    def _host(self, node: ast.Call, name: str, arguments: Arguments) -> KernelValue:
        tensor = any(isinstance(v, Block) for v in (*arguments.values, *arguments.named.values()))
        last = name.rsplit(".", 1)[-1]
        if name.startswith("math."):
            if tensor:
                self.emit(KernelHostCall, node, name=name, tensor=True)
                return UNKNOWN
            return NUMBER if all(isinstance(v, Constexpr) for v in arguments.values) else UNKNOWN
        if "." in name and last[0].islower() and last not in _TYPES:
            self.emit(KernelHostCall, node, name=name, tensor=tensor)
        return UNKNOWN

    def _builtin(self, node: ast.Call, name: str, arguments: Arguments) -> KernelValue:
        values = arguments.values
        if not arguments.sure:
            return UNKNOWN
        first = values[0] if values else None
        if name in ("int", "float", "len"):
            if isinstance(first, Block) and (name != "len" or not first.parameter):
                self.emit(KernelBuiltinCall, node, name=name, problem="takes no tensor in a kernel")
                return UNKNOWN
            if name == "len" and isinstance(first, Tuple):
                return NUMBER if first.items is None else constant(len(first.items))
            if name == "float" and isinstance(first, Constexpr) and first.known:
                try:
                    return constant(float(first.value))
                except (TypeError, ValueError):
                    return ANY_CONSTEXPR
            return NUMBER if isinstance(first, Constexpr) else UNKNOWN
        if name == "print":
            if isinstance(first, Block) or first is None:
                self.emit(KernelBuiltinCall, node, name=name, problem="wants a constant string first")
            for keyword in node.keywords:
                if keyword.arg in ("sep", "end", "file", "flush"):
                    self.emit(KernelBuiltinCall, node, name=name, problem=f"has no `{keyword.arg}=` in a kernel")
            return UNKNOWN
        if name in ("min", "max"):
            if len(values) == 1 and isinstance(first, Block):
                self.emit(KernelBuiltinCall, node, name=name, problem="wants two values or more in a kernel")
                return UNKNOWN
            if all(isinstance(v, Constexpr) for v in values):
                if all(v.known and isinstance(v.value, (int, float)) for v in values if isinstance(v, Constexpr)):
                    numbers = [v.value for v in values if isinstance(v, Constexpr)]
                    return constant(min(numbers) if name == "min" else max(numbers)) if numbers else UNKNOWN
                return NUMBER
            return self._elementwise(node, name, values)
        if name in ("isinstance", "hasattr"):
            return ANY_CONSTEXPR
        return UNKNOWN

    # triton.language

    def _language(self, node: ast.Call, name: str, arguments: Arguments) -> KernelValue:
        name = name.removeprefix("math.").removeprefix("standard.")
        if name in NAMES:
            self.emit(KernelRecent, node, name=name)
        if not arguments.sure:
            return UNKNOWN
        signature = SIGNATURES.get(name)
        if signature is not None:
            self._fits(node, f"tl.{name}", signature, len(arguments.values), set(arguments.named))
        first = arguments.values[0] if arguments.values else arguments.named.get("input", arguments.named.get("x"))
        role = ROLES.get(name, "-")
        if role == "same":
            return Block(shape=first.shape, dtype=first.dtype) if _tensor(first) else UNKNOWN
        if role == "broadcast":
            return self._elementwise(node, name, [*arguments.values, *_operands(arguments)])
        if role == "reduction":
            return self._reduction(node, name, first, arguments)
        if role == "atomic":
            return self._atomic(node, name, arguments)
        special = getattr(self, f"_tl_{name}", None)
        if special is not None:
            result: KernelValue = special(node, arguments)
            return result
        return UNKNOWN

    def _fits(self, node: ast.Call, call: str, signature: Signature, positional: int, named: set[str]) -> bool:
        """Whether a call has the arguments that a signature wants."""
        names = signature.names
        problem = ""
        if positional > len(names) and not signature.many:
            problem = f"takes {len(names)} positional arguments, not {positional}"
        missing = [n for i, n in enumerate(names) if i >= positional and n not in named and n not in signature.optional]
        unknown = named - set(names) - signature.keywords
        twice = named & set(names[:positional])
        if unknown and not signature.any_keyword:
            problem = f"has no argument `{min(unknown)}`"
        elif twice:
            problem = f"is given `{min(twice)}` twice"
        elif missing and not signature.many:
            problem = f"misses its argument `{missing[0]}`"
        if problem:
            self.emit(KernelArguments, node, call=call, problem=problem)
        return not problem

    def _elementwise(self, node: ast.AST, name: str, values: list[KernelValue]) -> KernelValue:
        """Operands broadcast against each other."""
        if not values or not any(isinstance(v, Block) for v in values):
            return UNKNOWN
        shape: Shape | None = ()
        dtype: str | None = None
        for position, value in enumerate(values):
            own: Shape | None = ()
            kind: str | None
            if isinstance(value, Constexpr) and (value.known or value.number) and not is_none(value):
                kind = number_dtype(value.value) if value.known else None
            elif isinstance(value, Block):
                own, kind = value.shape, value.dtype
            else:
                return Block()
            shape = self.broadcast(node, name, shape, own)
            before = values[position - 1] if position else None
            dtype = (
                kind
                if position == 0
                else promote(dtype, kind, isinstance(before, Constexpr), isinstance(value, Constexpr))
            )
        return Block(shape=shape, dtype=dtype)

    def _reduction(self, node: ast.Call, name: str, first: KernelValue | None, arguments: Arguments) -> KernelValue:
        if not _tensor(first):
            return UNKNOWN
        if arguments.get(2 if name in ("max", "min") else 9, "return_indices") is not None:
            return UNKNOWN
        dtype = (
            first.dtype if name in ("max", "min", "sum") and first.dtype in ("fp32", "fp64", "int32", "int64") else None
        )
        if arguments.named.keys() - {"axis"} or len(arguments.values) > 2:
            return Block(dtype=None)
        axis = arguments.get(1, "axis")
        if axis is None or is_none(axis):
            return Block(shape=(), dtype=dtype)
        if first.shape is None or not isinstance(axis, Constexpr) or not axis.known or not isinstance(axis.value, int):
            return Block(dtype=dtype)
        rank = len(first.shape)
        if rank and axis.value >= rank:
            problem = f"axis {axis.value} of a {rank}-d block"
            self.emit(KernelOperation, node, operator=name, problem=problem, shapes=True)
        if not -rank <= axis.value < rank:
            return Block(dtype=dtype)
        position = axis.value % rank
        return Block(shape=first.shape[:position] + first.shape[position + 1 :], dtype=dtype)

    def _tl_program_id(self, node: ast.Call, arguments: Arguments) -> KernelValue:
        return Block(shape=(), dtype="int32")

    _tl_num_programs = _tl_program_id

    def _tl_arange(self, node: ast.Call, arguments: Arguments) -> KernelValue:
        start, end = arguments.get(0, "start"), arguments.get(1, "end")
        for value in (start, end):
            if value is not None and self._is_runtime(value):
                self.emit(KernelShape, node, call="tl.arange", problem="runtime", value=value)
                return Block(shape=(None,), dtype="int32")
            if isinstance(value, Constexpr) and value.fraction:
                self.emit(KernelShape, node, call="tl.arange", problem="float", value=value)
                return Block(shape=(None,), dtype="int32")
        if isinstance(start, Constexpr) and isinstance(end, Constexpr) and start.known and end.known:
            if isinstance(start.value, int) and isinstance(end.value, int):
                size = end.value - start.value
                if size <= 0:
                    self.emit(KernelShape, node, call="tl.arange", problem="empty", value=end)
                elif size & (size - 1):
                    self.emit(KernelShape, node, call="tl.arange", problem="power", value=end)
                else:
                    return Block(shape=(size,), dtype="int32")
        return Block(shape=(None,), dtype="int32")

    @staticmethod
    def _is_runtime(value: KernelValue) -> bool:
        """Whether a size is a value of the running kernel."""
        return isinstance(value, Block) or value.runtime

    def _sizes(self, node: ast.Call, call: str, shape: KernelValue | None) -> Shape | None:
        """A shape argument, judged and read."""
        if isinstance(shape, Constexpr) and shape.number:
            self.emit(KernelShape, node, call=call, problem="number", value=shape)
            return None
        if isinstance(shape, Block) and not shape.parameter:
            self.emit(KernelShape, node, call=call, problem="runtime", value=shape)
            return None
        if not isinstance(shape, Tuple) or shape.items is None:
            return None
        sizes: list[int | None] = []
        for item in shape.items:
            if self._is_runtime(item):
                self.emit(KernelShape, node, call=call, problem="runtime", value=item)
                return (None,) * len(shape.items)
            if isinstance(item, Constexpr) and item.fraction:
                self.emit(KernelShape, node, call=call, problem="float", value=item)
                return (None,) * len(shape.items)
            size = item.value if isinstance(item, Constexpr) and item.known and isinstance(item.value, int) else None
            if size is not None and (size <= 0 or size & (size - 1)):
                self.emit(KernelShape, node, call=call, problem="power", value=item)
                size = None
            sizes.append(size)
        return tuple(sizes)

    def _type(self, node: ast.AST, value: KernelValue | None) -> str | None:
        """The name of an element type given to a function."""
        given = ""
        if isinstance(value, Host) and "." in value.name:
            given = value.name
        elif isinstance(value, Constexpr) and value.known and isinstance(value.value, str):
            given = repr(value.value)
        elif isinstance(value, Builtin):
            given = value.name
        if given:
            self.emit(KernelElementType, node, given=given)
        return value.name if isinstance(value, DType) else None

    def _tl_constexpr(self, node: ast.Call, arguments: Arguments) -> KernelValue:
        first = arguments.get(0, "value")
        return first if isinstance(first, Constexpr) else UNKNOWN

    def _tl_zeros(self, node: ast.Call, arguments: Arguments) -> KernelValue:
        shape = self._sizes(node, "tl.zeros", arguments.get(0, "shape"))
        return Block(shape=shape, dtype=self._type(node, arguments.get(1, "dtype")))

    def _tl_full(self, node: ast.Call, arguments: Arguments) -> KernelValue:
        shape = self._sizes(node, "tl.full", arguments.get(0, "shape"))
        return Block(shape=shape, dtype=self._type(node, arguments.get(2, "dtype")))

    def _shape_arguments(self, arguments: Arguments, name: str = "shape") -> KernelValue | None:
        """`f(x, (a, b))` or `f(x, a, b)`."""
        rest = arguments.values[1:]
        if name in arguments.named:
            return arguments.named[name]
        if len(rest) == 1 and (isinstance(rest[0], Tuple) or not isinstance(rest[0], (Block, Constexpr))):
            return rest[0]
        return Tuple(items=tuple(rest)) if rest else None

    def _tl_reshape(self, node: ast.Call, arguments: Arguments) -> KernelValue:
        shape = self._sizes(node, "tl.reshape", self._shape_arguments(arguments))
        first = arguments.get(0, "input")
        before = first.shape if isinstance(first, Block) else None
        if before and shape and None not in before and None not in shape:
            old, new = _product(before), _product(shape)
            if old != new:
                problem = f"{old} elements are reshaped to {new}"
                self.emit(KernelOperation, node, operator="reshape", problem=problem, shapes=True)
                return Block()
        return Block(shape=shape, dtype=first.dtype if isinstance(first, Block) else None)

    _tl_view = _tl_reshape

    def _tl_broadcast_to(self, node: ast.Call, arguments: Arguments) -> KernelValue:
        shape = self._sizes(node, "tl.broadcast_to", self._shape_arguments(arguments))
        first = arguments.get(0, "input")
        return Block(shape=shape, dtype=first.dtype if isinstance(first, Block) else None)

    def _tl_expand_dims(self, node: ast.Call, arguments: Arguments) -> KernelValue:
        first, axis = arguments.get(0, "input"), arguments.get(1, "axis")
        if not _tensor(first):
            return UNKNOWN
        if first.shape is None or not isinstance(axis, Constexpr) or not axis.known or not isinstance(axis.value, int):
            return Block(dtype=first.dtype)
        rank = len(first.shape) + 1
        if not -rank <= axis.value < rank:
            return Block(dtype=first.dtype)
        sizes = list(first.shape)
        sizes.insert(axis.value % rank, 1)
        return Block(shape=tuple(sizes), dtype=first.dtype)

    def _tl_trans(self, node: ast.Call, arguments: Arguments) -> KernelValue:
        first = arguments.get(0, "input")
        if not _tensor(first):
            return UNKNOWN
        if first.shape is not None and len(first.shape) == 2 and len(arguments.values) == 1:
            return Block(shape=first.shape[::-1], dtype=first.dtype)
        return Block(shape=(None,) * len(first.shape) if first.shape is not None else None, dtype=first.dtype)

    _tl_permute = _tl_trans

    def _tl_cast(self, node: ast.Call, arguments: Arguments) -> KernelValue:
        first = arguments.get(0, "input")
        if not _tensor(first):
            return Block() if isinstance(first, (Block, Constexpr)) else UNKNOWN
        return Block(shape=first.shape, dtype=self._type(node, arguments.get(1, "dtype")))

    def _tl_where(self, node: ast.Call, arguments: Arguments) -> KernelValue:
        values = [arguments.get(0, "condition"), arguments.get(1, "x"), arguments.get(2, "y")]
        chosen = self._elementwise(node, "where", [v for v in values[1:] if v is not None])
        condition = values[0]
        if isinstance(chosen, Block) and isinstance(condition, Block):
            return Block(shape=self.broadcast(node, "where", condition.shape, chosen.shape), dtype=chosen.dtype)
        return Block() if isinstance(condition, Block) else UNKNOWN

    def _tl_cdiv(self, node: ast.Call, arguments: Arguments) -> KernelValue:
        values = arguments.values
        if values and all(isinstance(v, Constexpr) for v in values):
            return NUMBER
        return self._elementwise(node, "cdiv", values)

    def _tl_static_assert(self, node: ast.Call, arguments: Arguments) -> KernelValue:
        test = arguments.get(0, "cond")
        if test is not None:
            self.emit(KernelTest, node, value=test, form="static_assert")
        return UNKNOWN

    def _tl_make_block_ptr(self, node: ast.Call, arguments: Arguments) -> KernelValue:
        self.emit(KernelRemoved, node, name="tl.make_block_ptr")
        return UNKNOWN

    def _tl_advance(self, node: ast.Call, arguments: Arguments) -> KernelValue:
        self.emit(KernelRemoved, node, name="tl.advance")
        return UNKNOWN

    # memory

    def _tl_load(self, node: ast.Call, arguments: Arguments) -> KernelValue:
        pointer, mask = arguments.get(0, "pointer"), arguments.get(1, "mask")
        other = arguments.get(2, "other")
        if other is not None and not is_none(other) and (mask is None or is_none(mask)):
            if isinstance(other, (Block, Constexpr)) and (isinstance(other, Block) or other.known or other.number):
                self.emit(KernelMemory, node, call="tl.load", problem="other", value=other)
        shape = self._access(node, "tl.load", pointer, mask, None)
        return Block(shape=shape) if isinstance(pointer, Block) else UNKNOWN

    def _tl_store(self, node: ast.Call, arguments: Arguments) -> KernelValue:
        self._access(node, "tl.store", arguments.get(0, "pointer"), arguments.get(2, "mask"), arguments.get(1, "value"))
        return UNKNOWN

    def _atomic(self, node: ast.Call, name: str, arguments: Arguments) -> KernelValue:
        pointer = arguments.get(0, "pointer")
        value = None if name == "atomic_load" else arguments.get(2 if name == "atomic_cas" else 1, "val")
        position = {"atomic_load": 1, "atomic_cas": 99}.get(name, 2)
        shape = self._access(node, f"tl.{name}", pointer, arguments.get(position, "mask"), value)
        return Block(shape=shape) if isinstance(pointer, Block) else UNKNOWN

    def _access(
        self,
        node: ast.Call,
        call: str,
        pointer: KernelValue | None,
        mask: KernelValue | None,
        value: KernelValue | None,
    ) -> Shape | None:
        """Judges a memory operation; gives the shape of what it reads."""
        if not isinstance(pointer, Block):
            return None
        if pointer.dtype not in (None, "ptr"):
            self.emit(KernelMemory, node, call=call, problem="pointer", value=pointer)
            return pointer.shape
        if pointer.shape == ():
            if isinstance(mask, Block) and mask.shape:
                self.emit(KernelMemory, node, call=call, problem="mask-block", value=mask)
            elif isinstance(value, Block) and value.shape:
                self.emit(KernelMemory, node, call=call, problem="value-block", value=value)
            return ()
        if call == "tl.store" and isinstance(mask, Block) and mask.dtype not in (None, "int1"):
            self.emit(KernelMemory, node, call=call, problem="mask-type", value=mask)
        shape = pointer.shape
        for other in (value, mask):
            if isinstance(other, Block) and shape is not None:
                both = broadcast(shape, other.shape)
                if isinstance(both, ShapeConflict):
                    problem = f"sizes {both.first} and {both.second} do not broadcast"
                    self.emit(KernelOperation, node, operator=call, problem=problem, shapes=True)
                    return None
                shape = both
        return shape

    def _tl_dot(self, node: ast.Call, arguments: Arguments) -> KernelValue:
        left, right = arguments.get(0, "input"), arguments.get(1, "other")
        if not isinstance(left, Block) or not isinstance(right, Block):
            return UNKNOWN
        a, b = left.shape, right.shape
        if a is not None and b is not None:
            if len(a) != len(b) or len(a) < 2:
                words = " and ".join("a scalar" if not s else f"{len(s)}-d" for s in (a, b))
                self.emit(KernelDot, node, problem=f"its operands are {words}, not 2-d")
                return UNKNOWN
            if a[-1] is not None and b[-2] is not None and a[-1] != b[-2]:
                self.emit(KernelDot, node, problem=f"inner sizes {a[-1]} and {b[-2]} differ")
                return UNKNOWN
        if left.dtype in _DOT_TYPES and right.dtype in _DOT_TYPES and left.dtype != right.dtype:
            self.emit(KernelDot, node, problem=f"its operands are {left.dtype} and {right.dtype}")
            return UNKNOWN
        dtype = None
        given = arguments.get(6, "out_dtype")
        if given is not None:
            dtype = self._type(node, given)
        elif arguments.get(2, "acc") is None and is_float(left.dtype) and left.dtype != "fp64":
            dtype = "fp32"
        shape = (*a[:-1], b[-1]) if a is not None and b is not None else None
        return Block(shape=shape, dtype=dtype)


_DOT_TYPES = frozenset({"int8", "fp16", "bf16", "fp32"})


def _tensor(value: KernelValue | None) -> TypeGuard[Block]:
    return isinstance(value, Block)


def _operands(arguments: Arguments) -> list[KernelValue]:
    return [v for k, v in arguments.named.items() if k in ("x", "y", "z", "min", "max")]


def _product(shape: Shape) -> int:
    result = 1
    for size in shape:
        result *= size or 1
    return result


__all__ = ["Arguments", "Calls"]
