"""Numbers that change: those that a loop gives its objects, and those that a loop sets between two calls.

`Block(i) for i in range(n)` gives every block another value. A constructor's parameter is *fed* by a loop's counter, or
by a parameter of the constructor that passes it on.

`for k in range(n): net.depth = k; compiled(x)` gives every call another value.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence

from analyzer.project import ClassInfo, FunctionInfo, dotted
from analyzer.values import Static, Value, options_of

#: Stands for the counter of a loop among what feeds a parameter.
_COUNTER = 0


def counts(value: Value) -> bool:
    """Whether a value is the counter of a loop: another one in every turn."""
    return isinstance(value, Static) and value.counts


def growing_in(path: str, loops: Sequence[ast.AST]) -> frozenset[int]:
    """The loops in whose turns a list gets longer and longer: those that do not bind its name anew."""

    def binds(loop: ast.AST) -> bool:
        targets = [t for n in ast.walk(loop) if isinstance(n, ast.Assign) for t in n.targets]
        targets += [n.target for n in ast.walk(loop) if isinstance(n, (ast.AnnAssign, ast.For))]
        return any(dotted(t) == path for target in targets for t in ast.walk(target))

    return frozenset(id(loop) for loop in loops if not binds(loop))


class Numbering:
    """What feeds the parameters of constructors, by the `ast.arg` of each."""

    def __init__(self) -> None:
        self._fed: dict[tuple[int, int], bool] = {}  #: pairs: a parameter, what feeds it

    def constructed(self, init: FunctionInfo, args: Sequence[Value], kwargs: Mapping[str, Value]) -> None:
        """A constructor is called, by a caller or by the constructor of a subclass."""
        node = init.node.args
        positional = [*node.posonlyargs, *node.args][1:]
        named = {a.arg: a for a in (*positional, *node.kwonlyargs)}
        for argument, value in (*zip(positional, args), *((named[k], v) for k, v in kwargs.items() if k in named)):
            for option in (value, *options_of(value)):
                if counts(option):
                    self._fed[id(argument), _COUNTER] = True
                elif option.why is not None and isinstance(option.why.node, ast.arg):
                    self._fed[id(argument), id(option.why.node)] = True

    def numbers(self, kept: Value, init: FunctionInfo) -> bool:
        """Whether a kept value is an argument of the constructor `init` that counts the objects made by it."""
        own = {id(a) for a in init.parameters}
        return any(
            option.why is not None and isinstance(option.why.node, ast.arg) and self._leads(id(option.why.node), own, 6)
            for option in (kept, *options_of(kept))
        )

    def _leads(self, argument: int, own: set[int], depth: int) -> bool:
        fed = {source for fed, source in self._fed if fed == argument}
        if argument in own:
            return _COUNTER in fed
        return depth > 0 and any(self._leads(a, own, depth - 1) for a in fed if a != _COUNTER)


class Turning:
    """Attributes that code around captured calls sets anew in every turn of a loop that makes such a call."""

    def __init__(self) -> None:
        self._stored: dict[int, frozenset[tuple[int, str]]] = {}  #: by loop: (class, attribute)
        self._turned: set[tuple[int, str]] = set()

    def stored(self, cls: ClassInfo, attribute: str, loops: Sequence[ast.AST]) -> None:
        """A counter was stored in an attribute inside loops."""
        for loop in loops:
            self._stored[id(loop)] = self._stored.get(id(loop), frozenset()) | {(id(cls), attribute)}

    def called(self, loops: Sequence[ast.AST]) -> None:
        """Something compiled was called inside loops."""
        for loop in loops:
            for turned in self._stored.get(id(loop), ()):
                self._turned.add(turned)

    def turns(self, cls: ClassInfo, attribute: str) -> bool:
        return bool(self._turned) and (id(cls), attribute) in self._turned
