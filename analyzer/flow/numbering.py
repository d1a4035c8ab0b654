"""Constructor arguments that number objects: `Block(i) for i in range(n)` gives every block another value.

A parameter is *fed* by a loop's counter, or by a parameter of the constructor that passes it on. What the objects of
one loop keep of a counter differs from object to object.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence

from analyzer.project import FunctionInfo
from analyzer.values import Static, Value, options_of

#: Stands for the counter of a loop among what feeds a parameter.
_COUNTER = 0


def counts(value: Value) -> bool:
    """Whether a value is the counter of a loop: another one in every turn."""
    return isinstance(value, Static) and value.counts


class Numbering:
    """What feeds the parameters of constructors, by the `ast.arg` of each."""

    def __init__(self) -> None:
        self._fed: dict[int, set[int]] = {}

    def constructed(self, init: FunctionInfo, args: Sequence[Value], kwargs: Mapping[str, Value]) -> None:
        """A constructor is called, by a caller or by the constructor of a subclass."""
        node = init.node.args
        positional = [*node.posonlyargs, *node.args][1:]
        named = {a.arg: a for a in (*positional, *node.kwonlyargs)}
        for argument, value in (*zip(positional, args), *((named[k], v) for k, v in kwargs.items() if k in named)):
            for option in (value, *options_of(value)):
                if counts(option):
                    self._fed.setdefault(id(argument), set()).add(_COUNTER)
                elif option.why is not None and isinstance(option.why.node, ast.arg):
                    self._fed.setdefault(id(argument), set()).add(id(option.why.node))

    def numbers(self, kept: Value, init: FunctionInfo) -> bool:
        """Whether a kept value is an argument of the constructor `init` that counts the objects made by it."""
        own = {id(a) for a in init.parameters}
        return any(
            option.why is not None and isinstance(option.why.node, ast.arg) and self._leads(id(option.why.node), own, 6)
            for option in (kept, *options_of(kept))
        )

    def _leads(self, argument: int, own: set[int], depth: int) -> bool:
        fed = self._fed.get(argument, set())
        if argument in own:
            return _COUNTER in fed
        return depth > 0 and any(self._leads(a, own, depth - 1) for a in fed if a != _COUNTER)
