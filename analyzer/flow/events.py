"""What the interpreter tells the rules: one typed event for each thing that a capture system may care about.

Every event has `node` (where it stands: `lineno`, `col_offset`… of the standard `ast`), `path`, `function` (the
qualified
name of the function whose body it is in) and a `Context`.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from analyzer.outcome import Frontend
from analyzer.values import Bound, Function, Tensor, Value

if TYPE_CHECKING:
    from analyzer.project import ClassInfo, FunctionInfo
    from analyzer.roots import CaptureCall


#: The region of functions that `torch.compiler.allow_in_graph` puts into the graph as one operation.
ALLOWED = "allow_in_graph"


@dataclass(slots=True, eq=False)
class Context:
    """What surrounds an event.

    `alive`: frontends under which this code can run (`if torch.compiler.is_compiling()` narrows it). `loops`, `tries`,
    `withs`: the enclosing statements of this function, outermost first; `withs` holds those whose manager Dynamo cannot
    resume in (a user's context manager). A graph break inside a loop or a try skips the whole frame (torch 2.13,
    GB7000).
    """

    alive: frozenset[Frontend]
    loops: tuple[ast.AST, ...] = ()
    tries: tuple[ast.AST, ...] = ()
    withs: tuple[ast.AST, ...] = ()
    depth: int = 0  #: calls between the root and this code
    module_class: ClassInfo | None = None  #: the nn.Module class whose method this is
    in_backward: bool = False
    region: str = ""  #: the higher-order operator whose body this is (cond, while_loop, transform…), or ALLOWED
    body: bool = False  #: this is that body itself, no function that it calls

    def under(self, alive: frozenset[Frontend]) -> Context:
        """The same surroundings, reached under these frontends."""
        return self if alive == self.alive else replace(self, alive=alive)


@dataclass(slots=True, kw_only=True, eq=False, repr=False)
class Event:
    node: ast.AST
    path: str
    function: FunctionInfo
    context: Context


@dataclass(slots=True, kw_only=True, eq=False, repr=False)
class TruthTest(Event):
    """A value decides control flow. `form`: if, while, assert, ternary, and, or, not, comprehension, match, any, all.

    `statement` is the whole statement or expression; `raises`: the branch does nothing but raise (or is an assert);
    `plain`: an assert of the bare expression with a constant or no message, which Dynamo rewrites; `asserted`: what
    such an assert tests if the graph has no place for it.
    """

    value: Value
    form: str
    statement: ast.AST
    raises: bool = False
    plain: bool = False
    asserted: str = ""


@dataclass(slots=True, kw_only=True, eq=False, repr=False)
class HostRead(Event):
    """The contents of a tensor become a host value. `how`: item, tolist, int, float, bool, index, slice, range, numpy,
    format, contains, member (sought in a sequence), size (a tensor where a size is wanted), math, sort, order
    (`max(a, b)`), key, pow, round, list."""

    tensor: Tensor
    how: str
    result: Value
    call: ast.AST | None = None
    declared: bool = False  #: the type of the result is written down where it is assigned
    logged: bool = False  #: the value is only printed, logged or put into an error message


@dataclass(slots=True, kw_only=True, eq=False, repr=False)
class ShapeRead(Event):
    """A size (or other metadata) becomes a plain Python number. `how`: int, float, len, math, range, json, list,
    ctor."""

    value: Value
    how: str


@dataclass(slots=True, kw_only=True, eq=False, repr=False)
class Iterate(Event):
    """`for`, comprehension, star-unpacking or unpacking over a value. `form`: for, comprehension, star, unpack,
    builtin."""

    value: Value
    form: str
    count: int | None = None


@dataclass(slots=True, kw_only=True, eq=False, repr=False)
class Call(Event):
    """A call. `name` is the qualified name of what is called (`torch.nonzero`, `builtins.print`, `Tensor.item`,
    `logging.Logger.info`, `torch.nn.LSTM.__call__`, `list.append`), or "" if unknown; `callee` its value."""

    name: str
    callee: Value
    args: tuple[Value, ...]
    kwargs: Mapping[str, Value]
    result: Value
    awaited: bool = False
    starred: bool = False  #: has *args or **kwargs that were not resolved

    @property
    def call(self) -> ast.Call:
        assert isinstance(self.node, ast.Call)
        return self.node

    @property
    def receiver(self) -> Value | None:
        """The object whose method is called."""
        if isinstance(self.callee, Bound):
            return self.callee.owner
        return self.callee.self_value if isinstance(self.callee, Function) else None

    def argument(self, index: int, name: str) -> Value | None:
        """An argument by position or keyword."""
        if name in self.kwargs:
            return self.kwargs[name]
        return self.args[index] if 0 <= index < len(self.args) else None


@dataclass(slots=True, kw_only=True, eq=False, repr=False)
class Subscript(Event):
    """`value[index]`. `access`: load, store, del, augmented (load and store)."""

    value: Value
    index: Value
    access: str
    stored: Value | None = None
    result: Value | None = None


@dataclass(slots=True, kw_only=True, eq=False, repr=False)
class AttributeLoad(Event):
    """`value.attribute` read (not as the callee of a call)."""

    value: Value
    attribute: str
    result: Value


@dataclass(slots=True, kw_only=True, eq=False, repr=False)
class AttributeStore(Event):
    """`owner.attribute = stored`. `before`: what the attribute held. `read_again`: it is also read in captured code."""

    owner: Value
    attribute: str
    stored: Value
    before: Value | None
    augmented: bool = False


@dataclass(slots=True, kw_only=True, eq=False, repr=False)
class GlobalStore(Event):
    """A module global is assigned, or an element or attribute of one changed. `how`: assign, augment, item, method."""

    name: str
    stored: Value
    how: str


@dataclass(slots=True, kw_only=True, eq=False, repr=False)
class StateChange(Event):
    """Something that outlives the call changes: an attribute, a global, or a container held by one.

    `state`: the changed object as written (`self.count`, `STATE`; of an item its container). `lives`: module, object,
    class,
    global, argument, closure. `how`: assign, augment, item (`key`), method (`method`). `read_before`: the value from
    before
    this call was read (tests for None do not count). `read_elsewhere`: captured code may read it other than to update
    it.
    """

    statement: ast.AST
    how: str
    lives: str
    state: str
    stored: Value
    before: Value | None = None
    key: Value | None = None
    method: str = ""
    read_before: bool = False
    read_elsewhere: bool = False


@dataclass(slots=True, kw_only=True, eq=False, repr=False)
class NameLoad(Event):
    """A global of a project module is read (locals are not reported)."""

    name: str
    value: Value
    module_path: str


@dataclass(slots=True, kw_only=True, eq=False, repr=False)
class Operation(Event):
    """A binary, unary, augmented or comparison operation. `operator` is the ast class name (Add, Eq, In, USub…)."""

    operator: str
    left: Value
    right: Value
    result: Value


@dataclass(slots=True, kw_only=True, eq=False, repr=False)
class With(Event):
    """A context manager is entered. `name` is the qualified name of its class or factory, or ""."""

    manager: Value
    name: str
    asynchronous: bool = False


@dataclass(slots=True, kw_only=True, eq=False, repr=False)
class Return(Event):
    value: Value


@dataclass(slots=True, kw_only=True, eq=False, repr=False)
class Enter(Event):
    """The body of a function begins. `node` is its def (or lambda). `root`: it is a root itself."""

    arguments: Mapping[str, Value]
    root: bool = False


@dataclass(slots=True, kw_only=True, eq=False, repr=False)
class Syntax(Event):
    """A construct by its form alone: every statement and the expressions that a subset may refuse. `kind` is the ast
    class name: Lambda, ClassDef, FunctionDef, Global, Nonlocal, Try, Raise, Delete, With, Await, Yield, YieldFrom,
    Starred,
    JoinedStr, Dict, Set, ListComp, DictComp, SetComp, GeneratorExp, IfExp, NamedExpr, Match, Import, Break,
    Continue…"""

    kind: str
    values: Mapping[str, Value] = field(default_factory=dict)


@dataclass(slots=True, kw_only=True, eq=False, repr=False)
class AnotherMode(Event):
    """Outside any capture, a compiled callable is called in yet another grad mode or with other element types.

    `modes`: all that its calls in this function have, more than a few."""

    modes: tuple[str, ...]


@dataclass(slots=True, kw_only=True, eq=False, repr=False)
class Capture(Event):
    """A capture API is called or used as a decorator (torch.compile, torch.jit.trace, torch.export.export…)."""

    capture: CaptureCall
    args: tuple[Value, ...] = ()
    kwargs: Mapping[str, Value] = field(default_factory=dict)
