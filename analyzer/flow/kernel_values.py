"""What an expression inside a `@triton.jit` function can be while Triton's frontend runs over it."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import Any

#: A block's sizes, `None` for one that is not known; `()` is a scalar.
Shape = tuple[int | None, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class KernelValue:
    """Nothing is known. `runtime`: whatever it is, if it is a number then it is a tensor and no `constexpr`."""

    runtime: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Constexpr(KernelValue):
    """A compile-time value. `known`: its `value` is; `number`: it is a number for certain, `fraction`: a float,
    `integer`: an int of 32 bits.
    """

    value: Any = None
    known: bool = False
    number: bool = False
    fraction: bool = False
    integer: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Block(KernelValue):
    """A `tl.tensor`, scalar or block. `shape` None: rank unknown; `dtype` None: unknown, "ptr": a pointer.

    `parameter`: an argument of a kernel as it came in, which a launch may also make None, 1 or a tuple.
    """

    shape: Shape | None = None
    dtype: str | None = None
    parameter: bool = False

    @property
    def is_block(self) -> bool:
        """More than one element: a rank of one or more, and not only sizes known to be 1."""
        return bool(self.shape) and any(size != 1 for size in self.shape or ())


@dataclass(frozen=True, slots=True, kw_only=True)
class Tuple(KernelValue):
    """A tuple or list literal, a shape. `items` None: their number is unknown."""

    items: tuple[KernelValue, ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DType(KernelValue):
    """An element type such as `tl.float32`, by Triton's short name."""

    name: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Language(KernelValue):
    """`triton.language` (an empty name) or something in it."""

    name: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class JitFunction(KernelValue):
    """A `@triton.jit` function of the same file."""

    node: ast.FunctionDef | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PythonFunction(KernelValue):
    """A function of the same file that Triton does not compile."""

    node: ast.AST | None = None
    name: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Host(KernelValue):
    """A module of Python, NumPy or torch, or a member of one: `math`, `numpy.sqrt`."""

    name: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Global(KernelValue):
    """A module-level object that is no `constexpr`. `annotated`: it is only annotated as one."""

    name: str = ""
    annotated: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Builtin(KernelValue):
    """A Python builtin. `allowed`: one of the few that exist inside a kernel."""

    name: str = ""
    allowed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Method(KernelValue):
    """A method of a tensor."""

    owner: Block | None = None
    name: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Gone(KernelValue):
    """A name whose definition did not outlive the branch or loop `node`."""

    node: ast.AST | None = None


UNKNOWN = KernelValue()
NONE = Constexpr(value=None, known=True)
ANY_CONSTEXPR = Constexpr()
NUMBER = Constexpr(number=True)
INTEGER = Constexpr(number=True, integer=True)


def constant(value: Any) -> Constexpr:
    return Constexpr(
        value=value,
        known=True,
        number=isinstance(value, (int, float)),
        fraction=isinstance(value, float),
        integer=isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**31,
    )


def is_none(value: KernelValue) -> bool:
    return isinstance(value, Constexpr) and value.known and value.value is None


def number_dtype(value: Any) -> str | None:
    """The type that a Python number takes as a tensor."""
    if isinstance(value, bool):
        return "int1"
    if isinstance(value, int):
        for low, high, name in (
            (-(2**31), 2**31, "int32"),
            (2**31, 2**32, "uint32"),
            (-(2**63), 2**63, "int64"),
            (2**63, 2**64, "uint64"),
        ):
            if low <= value < high:
                return name
        return None
    if isinstance(value, float):
        size = abs(value)
        plain = size in (0.0, float("inf")) or size != size or 2.0**-126 <= size <= (2 - 2.0**-23) * 2.0**127
        return "fp32" if plain else "fp64"
    return None


def is_float(dtype: str | None) -> bool:
    return dtype is not None and dtype.startswith(("fp", "bf"))


def is_int(dtype: str | None) -> bool:
    return dtype is not None and dtype.startswith(("int", "uint"))


def _kind(dtype: str) -> int:
    return 2 if is_float(dtype) else 0 if dtype == "int1" else 1


def _bits(dtype: str) -> int:
    digits = "".join(c for c in dtype if c.isdigit())
    return int(digits) if digits else 0


def promote(
    a: str | None, b: str | None, a_number: bool = False, b_number: bool = False, division: bool = False
) -> str | None:
    """The type in which two operands are computed; `*_number`: that operand is a Python number, not a tensor."""
    if a is None or b is None or "ptr" in (a, b):
        return None
    if a_number != b_number:
        scalar, tensor = (a, b) if a_number else (b, a)
        if _kind(scalar) <= _kind(tensor):
            a = b = tensor
    if "fp64" in (a, b):
        return "fp64"
    if division and (is_float(a) or is_float(b)):
        return "fp32"
    if "fp32" in (a, b):
        return "fp32"
    if "fp16" in (a, b):
        return "fp16"
    if a == b == "bf16":
        return "bf16"
    if "bf16" in (a, b):
        return "fp32"
    if is_float(a) or is_float(b):
        return a if a == b else None
    if a.startswith("u") == b.startswith("u"):
        return a if _bits(a) > _bits(b) else b
    unsigned, signed = (a, b) if a.startswith("u") else (b, a)
    return unsigned if _bits(unsigned) >= _bits(signed) else signed


@dataclass(frozen=True, slots=True)
class ShapeConflict:
    """Two sizes that cannot be broadcast against each other."""

    first: int
    second: int


def broadcast(a: Shape | None, b: Shape | None) -> Shape | ShapeConflict | None:
    """The shape of an elementwise operation."""
    if a is None or b is None:
        return None
    if len(a) < len(b):
        a = (1,) * (len(b) - len(a)) + a
    b = (1,) * (len(a) - len(b)) + b
    sizes: list[int | None] = []
    for x, y in zip(a, b):
        if x is not None and y is not None and x != y and 1 not in (x, y):
            return ShapeConflict(x, y)
        sizes.append(y if x == 1 or (x is None and y not in (None, 1)) else x if y in (x, 1) or x is not None else None)
    return tuple(sizes)


def as_tensor(value: KernelValue) -> KernelValue:
    """What a value becomes when a plain assignment stores it: numbers turn into scalar tensors."""
    if isinstance(value, Constexpr):
        if value.known and isinstance(value.value, (bool, int, float)):
            return Block(shape=(), dtype=number_dtype(value.value))
        if value.number:
            return Block(shape=(), dtype="int32" if value.integer else "fp32" if value.fraction else None)
        return value if value.known else KernelValue(runtime=True)
    if isinstance(value, Tuple) and value.items is not None:
        return Tuple(items=tuple(as_tensor(item) for item in value.items))
    return value


def difference(before: KernelValue, after: KernelValue) -> str | None:
    """How the types of two values differ for certain, in words; None if they may agree."""
    if isinstance(before, Block) and isinstance(after, Block):
        if before.shape is not None and after.shape is not None:
            if not before.shape and after.shape:
                return "a scalar becomes a block"
            if before.shape and not after.shape:
                return "a block becomes a scalar"
            if len(before.shape) != len(after.shape):
                return f"a {len(before.shape)}-d block becomes {len(after.shape)}-d"
            for x, y in zip(before.shape, after.shape):
                if x is not None and y is not None and x != y:
                    return f"a size of {x} becomes {y}"
        if before.dtype is not None and after.dtype is not None and before.dtype != after.dtype:
            return f"{before.dtype} becomes {after.dtype}"
        return None
    if isinstance(before, Constexpr) and isinstance(after, Block):
        return "None becomes a tensor" if is_none(before) else "a constexpr becomes a tensor"
    if isinstance(before, Block) and not before.parameter and is_none(after):
        return "a tensor becomes None"
    return None


def join(a: KernelValue, b: KernelValue) -> KernelValue:
    """The least value that covers both."""
    if a == b:
        return a
    if isinstance(a, Block) and isinstance(b, Block):
        shape: Shape | None = None
        if a.shape is not None and b.shape is not None and len(a.shape) == len(b.shape):
            shape = tuple(x if x == y else None for x, y in zip(a.shape, b.shape))
        return Block(shape=shape, dtype=a.dtype if a.dtype == b.dtype else None, parameter=a.parameter or b.parameter)
    if isinstance(a, Constexpr) and isinstance(b, Constexpr):
        return Constexpr(
            number=a.number and b.number, fraction=a.fraction and b.fraction, integer=a.integer and b.integer
        )
    if isinstance(a, Tuple) and isinstance(b, Tuple):
        if a.items is not None and b.items is not None and len(a.items) == len(b.items):
            return Tuple(items=tuple(join(x, y) for x, y in zip(a.items, b.items)))
        return Tuple()
    if isinstance(a, DType) and isinstance(b, DType):
        return DType()
    return KernelValue(runtime=_runtime(a) and _runtime(b))


def _runtime(value: KernelValue) -> bool:
    return value.runtime or (isinstance(value, Block) and not value.parameter)
