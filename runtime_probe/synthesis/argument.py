"""One argument of a call as a value that can be changed and shown: an expression with the sizes kept apart."""

from __future__ import annotations

import dataclasses
from typing import Any, Callable, Dict, Iterator, List, Mapping, Optional, Tuple, Union

Shape = Tuple[int, ...]

#: How each fill is written; `{size}` stands for the sizes.
_FILLS = {
    "normal": "torch.randn({size}{dtype})",
    "uniform": "torch.rand({size}{dtype})",
    "ones": "torch.ones({size}{dtype})",
    "zeros": "torch.zeros({size}{dtype})",
}


@dataclasses.dataclass(frozen=True)
class Tensor:
    """A tensor. `fill`: normal, uniform, ones, zeros, or ints (from 0 up to `high`, exclusive); `dtype` as in
    `torch.int64`, None for what the fill gives."""

    shape: Shape
    fill: str = "normal"
    dtype: Optional[str] = None
    high: int = 2

    @property
    def is_index(self) -> bool:
        """Whether it holds whole numbers."""
        return self.fill == "ints" or (self.dtype or "").startswith("int")

    @property
    def is_bool(self) -> bool:
        """Whether it is a mask."""
        return self.dtype == "bool"

    @property
    def is_float(self) -> bool:
        """Whether it holds real or complex numbers."""
        return not self.is_index and not self.is_bool

    def text(self) -> str:
        """The expression."""
        dtype = f", dtype=torch.{self.dtype}" if self.dtype else ""
        if self.fill == "ints":
            return f"torch.randint(0, {max(self.high, 1)}, {_tuple(self.shape)}{dtype})"
        size = ", ".join(map(str, self.shape)) if self.shape else "()"
        return _FILLS[self.fill].format(size=size, dtype=dtype)

    def with_shape(self, shape: Shape) -> Tensor:
        """The same with other sizes."""
        return dataclasses.replace(self, shape=tuple(shape))


@dataclasses.dataclass(frozen=True)
class Text:
    """Any expression; nothing in it is changed."""

    expression: str

    def text(self) -> str:
        """The expression."""
        return self.expression


@dataclasses.dataclass(frozen=True)
class Group:
    """Several arguments as one: a list, a tuple, a dict (`keys` given), or an object with attributes."""

    items: Tuple[Argument, ...]
    kind: str = "list"
    keys: Tuple[str, ...] = ()

    def text(self) -> str:
        """The expression."""
        inside = [item.text() for item in self.items]
        if self.kind == "dict":
            return "{" + ", ".join(f"{k!r}: {v}" for k, v in zip(self.keys, inside)) + "}"
        if self.kind == "object":
            return "__import__('types').SimpleNamespace({})".format(
                ", ".join(f"{k}={v}" for k, v in zip(self.keys, inside))
            )
        if self.kind == "tuple":
            return "(" + ", ".join(inside) + ("," if len(inside) == 1 else "") + ")"
        return "[" + ", ".join(inside) + "]"


Argument = Union[Tensor, Text, Group]


@dataclasses.dataclass(frozen=True)
class Call:
    """The arguments of one call by parameter name, in the order of the signature; `positional`: the names in order that
    may be given by position; a name that begins with `*` is one of several positional arguments."""

    arguments: Tuple[Tuple[str, Argument], ...]
    positional: Tuple[str, ...] = ()

    def text(self) -> str:
        """One expression: a tuple of positional arguments where that is possible, else a dict of keywords."""
        names = [name for name, _ in self.arguments]
        if tuple(names) == self.positional[: len(names)] or all(n.startswith("*") for n in names):
            return Group(tuple(a for _, a in self.arguments), "tuple").text()
        return Group(tuple(a for _, a in self.arguments), "dict", tuple(names)).text()

    def get(self, name: str) -> Optional[Argument]:
        """The argument given for a parameter."""
        return next((a for n, a in self.arguments if n == name), None)

    def having(self, name: str, argument: Argument, order: Tuple[str, ...] = ()) -> Call:
        """The same call with one argument changed or added."""
        changed: Dict[str, Argument] = {**dict(self.arguments), name: argument}
        names = list(changed)
        if order:
            names.sort(key=lambda n: order.index(n) if n in order else len(order))
        return dataclasses.replace(self, arguments=tuple((n, changed[n]) for n in names))

    def tensors(self) -> List[Tuple[str, Tensor]]:
        """The tensors in it, with the parameter they belong to."""
        return [(name, t) for name, argument in self.arguments for t in leaves(argument)]

    def mapped(self, change: Callable[[str, Tensor], Tensor]) -> Call:
        """The call with every tensor replaced by what `change(parameter, tensor)` gives."""
        changed = tuple((name, mapped(argument, lambda t, n=name: change(n, t))) for name, argument in self.arguments)  # type: ignore[misc]
        return dataclasses.replace(self, arguments=changed)


def leaves(argument: Argument) -> Iterator[Tensor]:
    """The tensors of an argument."""
    if isinstance(argument, Tensor):
        yield argument
    elif isinstance(argument, Group):
        for item in argument.items:
            yield from leaves(item)


def mapped(argument: Argument, change: Callable[[Tensor], Tensor]) -> Argument:
    """The argument with each of its tensors changed."""
    if isinstance(argument, Tensor):
        return change(argument)
    if isinstance(argument, Group):
        return dataclasses.replace(argument, items=tuple(mapped(i, change) for i in argument.items))
    return argument


def keyword_text(arguments: Mapping[str, Any]) -> str:
    """`a=1, b='x'` from names and expressions."""
    return ", ".join(f"{name}={text}" for name, text in arguments.items())


def _tuple(shape: Shape) -> str:
    return "(" + ", ".join(map(str, shape)) + ("," if len(shape) == 1 else "") + ")"
