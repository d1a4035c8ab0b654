"""Runs Triton's frontend in the abstract over the `@triton.jit` functions of one file.

`check_kernels` is the way in. It works from the file's `ast` alone: names that the file does not answer are unknown,
and nothing is said of what is unknown. The statements mirror what Triton 3.9 does with each: a plain assignment turns a
number into a tensor, a branch on a runtime value keeps only names that both sides define, a loop must leave the types
of its variables alone, `tl.static_range` unrolls.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from typing import Any

from analyzer.flow.events import Context
from analyzer.flow.kernel_calls import Arguments, Calls
from analyzer.flow.kernel_events import (
    KernelAssign,
    KernelCarried,
    KernelEvent,
    KernelIndex,
    KernelIteration,
    KernelLaunch,
    KernelMerge,
    KernelReturn,
    KernelReturnTypes,
    KernelShape,
    KernelSignature,
    KernelSyntax,
    KernelTest,
)
from analyzer.flow.kernel_expressions import Emit, Frame, dynamic
from analyzer.flow.kernel_scope import Jit, ModuleScope, dotted, looks_like_pointer
from analyzer.flow.kernel_values import (
    ANY_CONSTEXPR,
    INTEGER,
    NONE,
    UNKNOWN,
    Block,
    Builtin,
    Constexpr,
    Gone,
    Host,
    JitFunction,
    KernelValue,
    Language,
    Tuple,
    as_tensor,
    constant,
    difference,
    is_float,
    is_none,
    join,
)
from analyzer.knowledge.triton_language import ROLES, Signature
from analyzer.project import FunctionInfo

#: Statements that one kernel may take before it is given up, and calls into each other.
MAX_STEPS, MAX_DEPTH, MAX_UNROLL = 20_000, 6, 16

_CONTEXT = Context(alive=frozenset({"triton"}))


class GaveUp(Exception):
    """The kernel is too long to follow."""


class Kernels(Calls):
    """Runs the functions of one file, each jit function that another calls as part of its caller."""

    def __init__(self, scope: ModuleScope, emit: Emit) -> None:
        super().__init__(scope, emit)
        self._steps = 0
        self._stack: list[ast.FunctionDef] = []
        self._returned: dict[Any, KernelValue] = {}
        self._names: dict[ast.AST, frozenset[str]] = {}
        self._stores: dict[ast.AST, dict[str, list[ast.Name]]] = {}

    def run(self, jit: Jit) -> None:
        """One jit function from its parameters on."""
        self._steps = 0
        kernel = self.scope.is_kernel(jit)
        scope: dict[str, KernelValue] = {}
        sizes = used_as_sizes(jit.node)
        for parameter in parameters(jit.node):
            if is_constexpr(parameter):
                # a constexpr object for certain; what it holds is seen from its uses at best
                scope[parameter.arg] = INTEGER if parameter.arg in sizes else ANY_CONSTEXPR
            elif kernel:
                pointer = looks_like_pointer(parameter.arg)
                scope[parameter.arg] = Block(shape=(), dtype="ptr" if pointer else None, parameter=True)
            else:
                scope[parameter.arg] = UNKNOWN
        for extra in (jit.node.args.vararg, jit.node.args.kwarg):
            if extra is not None:
                scope[extra.arg] = UNKNOWN
        closure = frozenset().union(*(self._bound(p) for p in jit.parents)) if jit.parents else frozenset()
        self.frame = Frame(jit.node, scope, self._bound(jit.node), closure)
        self._signature(jit)
        try:
            self._function()
        except (GaveUp, RecursionError):
            return

    def _bound(self, node: ast.AST) -> frozenset[str]:
        if node not in self._names:
            self._names[node] = bound_names(node)
        return self._names[node]

    def _binding(self, stmt: ast.stmt, name: str) -> ast.AST | None:
        """The first place inside a statement of the current function that stores a name."""
        function = self.frame.node
        if function not in self._stores:
            self._stores[function] = stores(function)
        start, end = (stmt.lineno, stmt.col_offset), (stmt.end_lineno or 0, stmt.end_col_offset or 0)
        for place in self._stores[function].get(name, ()):
            if start <= (place.lineno, place.col_offset) < end:
                return place
        return None

    def _signature(self, jit: Jit) -> None:
        arguments = jit.node.args
        if arguments.kwarg is not None:
            self.emit(KernelSignature, arguments.kwarg, problem=f"kernels have no `**{arguments.kwarg.arg}`")
        names = [p.arg for p in parameters(jit.node)]
        for option in ("do_not_specialize", "do_not_specialize_on_alignment"):
            listed = jit.options.get(option)
            for element in listed.elts if isinstance(listed, (ast.List, ast.Tuple)) else ():
                key = element.value if isinstance(element, ast.Constant) else None
                if isinstance(key, int) and 0 <= key < len(names):
                    key = names[key]
                for parameter in parameters(jit.node):
                    if parameter.arg == key and is_constexpr(parameter):
                        self.emit(KernelSignature, parameter, problem=f"`{key}` is a constexpr and in {option}")

    def _function(self) -> KernelValue:
        frame = self.frame
        self.block(frame.node.body)
        result: KernelValue | None = None
        certain: tuple[ast.Return, KernelValue] | None = None
        for node, value, sure in frame.returns:
            result = value if result is None else join(result, value)
            if not sure:
                continue
            if certain is None:
                certain = (node, value)
                continue
            before, after = certain[1], value
            if is_none(before) is not is_none(after) and isinstance(before if is_none(after) else after, Block):
                change = "None or a tensor"
            else:
                change = difference(as_tensor(before), as_tensor(after)) or ""
            if change:
                self.emit(KernelReturnTypes, node, change=change, related=certain[0])
                break
        return NONE if result is None else result

    def inline(self, node: ast.Call, function: ast.FunctionDef, arguments: Arguments) -> KernelValue:
        if not self._fits(node, function.name, signature_of(function), len(arguments.values), set(arguments.named)):
            return UNKNOWN
        if len(self._stack) >= MAX_DEPTH or function in self._stack:
            return UNKNOWN
        scope: dict[str, KernelValue] = {}
        names = [*function.args.posonlyargs, *function.args.args]
        defaults: dict[str, ast.expr] = dict(
            zip((a.arg for a in names[len(names) - len(function.args.defaults) :]), function.args.defaults)
        )
        defaults.update(
            {a.arg: d for a, d in zip(function.args.kwonlyargs, function.args.kw_defaults) if d is not None}
        )
        for position, parameter in enumerate(parameters(function)):
            value = arguments.get(position if position < len(names) else len(arguments.values), parameter.arg)
            if value is None:
                default = defaults.get(parameter.arg)
                value = constant(default.value) if isinstance(default, ast.Constant) else UNKNOWN
            scope[parameter.arg] = value
        for extra in (function.args.vararg, function.args.kwarg):
            if extra is not None:
                scope[extra.arg] = UNKNOWN
        key = (id(function), self._quiet > 0, tuple(sorted((n, repr(v)) for n, v in scope.items())))
        if key in self._returned:
            return self._returned[key]
        caller = self.frame
        jit = self.scope.jits[id(function)]
        closure = frozenset().union(*(self._bound(p) for p in jit.parents)) if jit.parents else frozenset()
        self.frame = Frame(function, scope, self._bound(function), closure)
        self._stack.append(function)
        try:
            result = self._function()
        finally:
            self._stack.pop()
            self.frame = caller
        self._returned[key] = result
        return result

    # statements

    def block(self, body: Iterable[ast.stmt]) -> None:
        for stmt in body:
            self._steps += 1
            if self._steps > MAX_STEPS:
                raise GaveUp
            method = getattr(self, f"_do_{type(stmt).__name__}", None)
            if method is None:
                # a `raise` under a constexpr condition is there to stop the compilation
                if not (isinstance(stmt, ast.Raise) and self.frame.either):
                    self.emit(KernelSyntax, stmt, kind=type(stmt).__name__)
                self._forget(stmt)
            else:
                method(stmt)
            if isinstance(stmt, ast.Return):
                break

    def _forget(self, stmt: ast.AST) -> None:
        """After a statement that is not followed, the names that it may bind are unknown."""
        for name in self._bound(stmt):
            self.frame.scope[name] = UNKNOWN
        if isinstance(stmt, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            self.frame.scope[stmt.name] = UNKNOWN

    def _do_Pass(self, stmt: ast.Pass) -> None:
        pass

    def _do_Expr(self, stmt: ast.Expr) -> None:
        self.evaluate(stmt.value)

    def _do_Assert(self, stmt: ast.Assert) -> None:
        self.evaluate(stmt.test)
        if stmt.msg is not None:
            self.evaluate(stmt.msg)

    def _do_Return(self, stmt: ast.Return) -> None:
        value = self.evaluate(stmt.value) if stmt.value is not None else NONE
        self.frame.returns.append((stmt, value, self.frame.either == 0))
        if self.frame.header is not None:
            self.emit(KernelReturn, self.frame.header, inside="loop", related=stmt)

    def _do_Assign(self, stmt: ast.Assign) -> None:
        if len(stmt.targets) != 1:
            self.emit(KernelSyntax, stmt, kind="ChainedAssignment")
            self.evaluate(stmt.value)
            self._forget(stmt)
            return
        value = self.evaluate(stmt.value)
        target = stmt.targets[0]
        if isinstance(target, ast.Name):
            self._store(stmt, target, value)
        else:
            self._unpack(stmt, target, value)

    def _store(self, stmt: ast.stmt, target: ast.Name, value: KernelValue) -> None:
        if target.id in self.frame.pending:
            self.frame.pending.discard(target.id)
            self.frame.scope[target.id] = value
            return
        if isinstance(value, Constexpr) and value.known and isinstance(value.value, str):
            self.emit(KernelAssign, stmt, problem="string", name=target.id)
            value = UNKNOWN
        elif isinstance(value, (JitFunction, Builtin)) or (isinstance(value, Language) and value.name in ROLES):
            self.emit(KernelAssign, stmt, problem="function", name=target.id)
            value = UNKNOWN
        self.frame.scope[target.id] = as_tensor(value)

    def _unpack(self, stmt: ast.stmt, target: ast.expr, value: KernelValue) -> None:
        if isinstance(target, ast.Name):
            self._store(stmt, target, value)
        elif isinstance(target, ast.Subscript):
            self.evaluate(target.value)
            if isinstance(target.value, ast.Name) and target.value.id in self.frame.declared:
                return
            self.emit(KernelIndex, target, access="store", problem="an element of a tensor is assigned")
        elif isinstance(target, ast.Attribute):
            self.evaluate(target.value)
            self.emit(KernelAssign, target, problem="attribute", name=target.attr)
        elif isinstance(target, (ast.Tuple, ast.List)):
            if any(isinstance(e, ast.Starred) for e in target.elts):
                self.emit(KernelAssign, stmt, problem="starred")
                self._forget(stmt)
                return
            items: Iterable[KernelValue] = (UNKNOWN,) * len(target.elts)
            if isinstance(value, Block) and not value.parameter:
                self.emit(KernelAssign, stmt, problem="unpack")
            elif isinstance(value, Tuple) and value.items is not None:
                if len(value.items) == len(target.elts):
                    items = value.items
                else:
                    self.emit(KernelAssign, stmt, problem="count")
            for element, item in zip(target.elts, items):
                self._unpack(stmt, element, item)

    def _do_AnnAssign(self, stmt: ast.AnnAssign) -> None:
        constexpr = "constexpr" in ast.unparse(stmt.annotation)
        if stmt.value is None:
            if isinstance(stmt.target, ast.Name):
                (self.frame.pending if constexpr else self.frame.declared).add(stmt.target.id)
                if not constexpr:
                    self.frame.scope[stmt.target.id] = UNKNOWN
            return
        value = self.evaluate(stmt.value)
        if not constexpr or not isinstance(stmt.target, ast.Name):
            self._unpack(stmt, stmt.target, value)
            return
        name = stmt.target.id
        before = self.frame.scope.get(name)
        if before is not None and not isinstance(before, Gone) and before != UNKNOWN:
            self.emit(KernelAssign, stmt, problem="constexpr", name=name)
        self.frame.scope[name] = value

    def _do_AugAssign(self, stmt: ast.AugAssign) -> None:
        if isinstance(stmt.target, ast.Name):
            load: ast.expr = ast.copy_location(ast.Name(id=stmt.target.id, ctx=ast.Load()), stmt.target)
            before = self.evaluate(load)
            value = self.binary(stmt, stmt.op, before, self.evaluate(stmt.value))
            self._store(stmt, stmt.target, value)
        else:
            self.evaluate(stmt.value)
            self._unpack(stmt, stmt.target, UNKNOWN)

    # branches

    def _do_If(self, stmt: ast.If) -> None:
        test = self.evaluate(stmt.test)
        self.emit(KernelTest, stmt.test, value=test, form="if")
        if isinstance(test, Constexpr) and test.known:
            self.block(stmt.body if test.value else stmt.orelse)
            return
        before = dict(self.frame.scope)
        runtime = dynamic(test)
        if runtime and self.frame.regions and contains_return(stmt):
            self.emit(KernelReturn, stmt.test, inside="loop")
        header = self.frame.header
        self.frame.either += not runtime
        if runtime:
            self.frame.header = None  # a return below is part of this `if`, judged here
        self.block(stmt.body)
        then, self.frame.scope = self.frame.scope, dict(before)
        self.block(stmt.orelse)
        other = self.frame.scope
        self.frame.either -= not runtime
        self.frame.header = header
        if runtime:
            blocks = isinstance(test, Block) and test.is_block
            self.frame.scope = self._merge(stmt, before, then, other, silent=blocks)
        else:
            self.frame.scope = either(then, other)

    def _merge(
        self,
        stmt: ast.If,
        before: dict[str, KernelValue],
        then: dict[str, KernelValue],
        other: dict[str, KernelValue],
        silent: bool,
    ) -> dict[str, KernelValue]:
        """The names after an `if` on a runtime value."""
        result: dict[str, KernelValue] = {}

        def mismatch(name: str, first: KernelValue, second: KernelValue, place: ast.AST | None) -> bool:
            change = difference(first, second)
            if change is None:
                return False
            with self.quiet(silent):
                self.emit(KernelMerge, stmt.test, name=name, before=first, after=second, change=change, related=place)
            return True

        for name in {*then, *other}:
            old, a, b = before.get(name), then.get(name), other.get(name)
            alive = old is not None and not isinstance(old, Gone)
            if alive and old is not None:
                changed = [v for v in (a, b) if v is not None and v is not old]
                if not changed:
                    result[name] = old
                elif is_none(old):
                    both = len(changed) == 2 and a is not None and b is not None
                    bad = both and a is not None and b is not None and mismatch(name, a, b, None)
                    result[name] = join(a, b) if both and not bad and a is not None and b is not None else UNKNOWN
                elif any([mismatch(name, old, v, self._binding(stmt, name)) for v in changed][:1]):
                    result[name] = UNKNOWN
                else:
                    result[name] = old if len(changed) == 0 else _kept(old, changed)
            elif a is None or b is None or isinstance(a, Gone) or isinstance(b, Gone):
                gone = next((v for v in (a, b) if isinstance(v, Gone)), None)
                result[name] = (
                    gone if gone is not None and old is gone and a is b else Gone(node=self._binding(stmt, name))
                )
            elif mismatch(name, a, b, self._binding(stmt, name)):
                result[name] = UNKNOWN
            else:
                result[name] = join(a, b)
        return result

    # loops

    def _do_For(self, stmt: ast.For) -> None:
        if not isinstance(stmt.iter, ast.Call):
            self.evaluate(stmt.iter)
            self.emit(KernelIteration, stmt.iter, problem="a value that is not a call of `range`")
            self._loop_unseen(stmt)
            return
        kind = self.evaluate(stmt.iter.func)
        target = stmt.target
        if not isinstance(target, ast.Name):
            if isinstance(kind, (Language, Builtin)):
                self.emit(KernelIteration, target, problem="a loop over a range with several targets")
            else:
                self._arguments(stmt.iter)
            self._loop_unseen(stmt)
            return
        for argument in stmt.iter.args:
            if isinstance(argument, ast.Starred) and isinstance(kind, (Language, Builtin)):
                self.emit(KernelSyntax, argument, kind="Starred")
        arguments = self._arguments(stmt.iter)
        static = isinstance(kind, Language) and kind.name == "static_range"
        ranged = isinstance(kind, Language) and kind.name == "range"
        if isinstance(kind, Builtin) and kind.name == "range":
            ranged = True
        if not static and not ranged:
            if isinstance(kind, (Language, Builtin, Host, JitFunction, Tuple, Block)):
                self.emit(KernelIteration, stmt.iter, problem="something other than a range")
            self._loop_unseen(stmt)
            return
        if static:
            self._static_loop(stmt, target, arguments)
            return
        for value in arguments.values[:3]:
            if isinstance(value, Block) and value.shape and not value.parameter:
                self.emit(KernelIteration, stmt.iter, problem="a range whose bound is a block")
            elif (isinstance(value, Block) and is_float(value.dtype)) or (
                isinstance(value, Constexpr) and value.known and isinstance(value.value, float)
            ):
                self.emit(KernelIteration, stmt.iter, problem="a range whose bound is a float")
        if stmt.orelse:
            self.emit(KernelSyntax, stmt.iter, kind="ElseOfLoop", related=stmt.orelse[0])
        dtype = "int32"
        if any(
            not (isinstance(v, Constexpr) and v.known) and getattr(v, "dtype", None) != dtype for v in arguments.values
        ):
            dtype = ""
        self.frame.scope[target.id] = Block(shape=(), dtype=dtype or None)
        self._region(stmt, stmt.iter, target.id)

    def _loop_unseen(self, stmt: ast.For) -> None:
        """A loop whose iterations are not understood: everything that it binds is unknown."""
        self._forget(stmt)
        self.frame.either += 1
        self.block(stmt.body)
        self.frame.either -= 1
        self._forget(stmt)

    def _static_loop(self, stmt: ast.For, target: ast.Name, arguments: Arguments) -> None:
        for value in (*arguments.values, *arguments.named.values()):
            if isinstance(value, Block) or value.runtime:
                self.emit(KernelShape, stmt.iter, call="tl.static_range", problem="runtime", value=value)
                self._loop_unseen(stmt)
                return
        numbers = [
            v.value for v in arguments.values if isinstance(v, Constexpr) and v.known and isinstance(v.value, int)
        ]
        if arguments.sure and not arguments.named and len(numbers) == len(arguments.values) and 1 <= len(numbers) <= 3:
            if numbers[-1] != 0 or len(numbers) < 3:
                steps = range(*numbers)
                if len(steps) <= MAX_UNROLL:
                    for i in steps:
                        self.frame.scope[target.id] = constant(i)
                        self.block(stmt.body)
                    return
        before = dict(self.frame.scope)
        self._forget(stmt)
        self.frame.scope[target.id] = Constexpr(number=True)
        self.frame.either += 1
        self.block(stmt.body)
        self.frame.either -= 1
        for name in self._bound(stmt):
            self.frame.scope[name] = UNKNOWN
        self.frame.scope = either(before, self.frame.scope)

    def _do_While(self, stmt: ast.While) -> None:
        if stmt.orelse:
            self.emit(KernelSyntax, stmt.test, kind="ElseOfLoop", related=stmt.orelse[0])
        self._region(stmt, stmt.test, None)

    def _region(self, stmt: ast.For | ast.While, header: ast.expr, target: str | None) -> None:
        """A loop that stays a loop: its body is compiled once, and no variable may change its type in it."""
        before = dict(self.frame.scope)
        if isinstance(stmt, ast.While):
            with self.quiet():  # judged below, after the body has been compiled for the first time
                self.evaluate(stmt.test)
        outer, self.frame.header = self.frame.header, header
        self.frame.regions += 1
        self.block(stmt.body)
        self.frame.regions -= 1
        self.frame.header = outer
        after, self.frame.scope = self.frame.scope, dict(before)
        for name, value in after.items():
            old = before.get(name)
            if old is None or isinstance(old, Gone):
                self.frame.scope[name] = old if old is not None else Gone(node=self._binding(stmt, name))
            elif value is not old and name != target:
                change = difference(old, value)
                if change is not None:
                    place = self._binding(stmt, name)
                    self.emit(KernelCarried, header, name=name, before=old, after=value, change=change, related=place)
                    self.frame.scope[name] = UNKNOWN
                elif not isinstance(old, Block):
                    self.frame.scope[name] = UNKNOWN
        if isinstance(stmt, ast.While):
            test = self.evaluate(stmt.test)
            self.emit(KernelTest, stmt.test, value=test, form="while")

    def _do_With(self, stmt: ast.With) -> None:
        for item in stmt.items:
            if isinstance(item.context_expr, ast.Call):
                self.evaluate(item.context_expr)
                manager = self.evaluate(item.context_expr.func)
                if isinstance(manager, Host):
                    self.emit(KernelSyntax, item.context_expr, kind="WithoutCall")
            else:
                self.emit(KernelSyntax, item.context_expr, kind="WithoutCall")
            for name in self._bound(item):
                self.frame.scope[name] = UNKNOWN
        if contains_return(stmt):
            place = next(n for n in ast.walk(stmt) if isinstance(n, ast.Return))
            self.emit(KernelReturn, place, inside="with")
        self.block(stmt.body)


def _kept(old: KernelValue, changed: list[KernelValue]) -> KernelValue:
    """The value after branches that agree with what was there: the old type, unless it was not known."""
    if isinstance(old, Block) and not old.parameter:
        return old
    result = old
    for value in changed:
        result = join(result, value)
    return result


def either(first: dict[str, KernelValue], second: dict[str, KernelValue]) -> dict[str, KernelValue]:
    """The names after two ways of which one is compiled."""
    result: dict[str, KernelValue] = {}
    for name in {*first, *second}:
        a, b = first.get(name), second.get(name)
        if isinstance(a, Gone) and isinstance(b, Gone):
            result[name] = a
        elif a is None or b is None or isinstance(a, Gone) or isinstance(b, Gone):
            result[name] = UNKNOWN
        else:
            result[name] = join(a, b)
    return result


def parameters(node: ast.FunctionDef) -> list[ast.arg]:
    return [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]


def is_constexpr(parameter: ast.arg) -> bool:
    return parameter.annotation is not None and "constexpr" in ast.unparse(parameter.annotation)


def used_as_sizes(node: ast.FunctionDef) -> frozenset[str]:
    """Names that stand alone as an argument of `arange`, which takes integers only."""
    return frozenset(
        argument.id
        for call in ast.walk(node)
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "arange"
        for argument in call.args
        if isinstance(argument, ast.Name)
    )


def signature_of(node: ast.FunctionDef) -> Signature:
    """The signature of a jit function of the file."""
    args = node.args
    names = [a.arg for a in (*args.posonlyargs, *args.args)]
    optional = names[len(names) - len(args.defaults) :]
    return Signature(
        tuple(names),
        frozenset(optional),
        frozenset(a.arg for a in args.kwonlyargs),
        many=args.vararg is not None,
        any_keyword=args.kwarg is not None,
    )


def stores(node: ast.AST) -> dict[str, list[ast.Name]]:
    """The places of a piece of code that store each name, in order."""
    found: dict[str, list[ast.Name]] = {}
    for name in ast.walk(node):
        if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store):
            found.setdefault(name.id, []).append(name)
    for places in found.values():
        places.sort(key=lambda n: (n.lineno, n.col_offset))
    return found


def bound_names(node: ast.AST) -> frozenset[str]:
    """Every name that a piece of code stores, and the parameters of a function."""
    names: set[str] = set()
    for inner in ast.walk(node):
        if isinstance(inner, ast.Name):
            if isinstance(inner.ctx, ast.Store):
                names.add(inner.id)
        elif isinstance(inner, ast.arg):
            names.add(inner.arg)
        elif isinstance(inner, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            names.add(inner.name)
        elif isinstance(inner, (ast.Import, ast.ImportFrom)):
            names |= {(a.asname or a.name).split(".")[0] for a in inner.names}
    return frozenset(names)


def contains_return(stmt: ast.AST) -> bool:
    return any(isinstance(n, ast.Return) for n in ast.walk(stmt))


def mentions_triton(tree: ast.Module) -> bool:
    """Whether a file imports triton anywhere: most files end here."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import) and any(a.name.split(".")[0] == "triton" for a in node.names):
            return True
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "triton":
            return True
    return False


def check_kernels(
    tree: ast.Module,
    path: str,
    function_of: Callable[[ast.AST], FunctionInfo],
    emit: Callable[[KernelEvent], None],
) -> list[ast.FunctionDef]:
    """Run every `@triton.jit` function of one file and hand its events on; gives back those functions.

    `function_of` names the function of an event: it is given the def of a jit function, or, for a kernel called without
    a grid, the innermost def (or the module) around that call.
    """
    if not mentions_triton(tree):
        return []
    scope = ModuleScope(tree)
    told: set[tuple[type[KernelEvent], ast.AST, str]] = set()

    def tell(kind: type[KernelEvent], node: ast.AST, function: ast.AST, fields: dict[str, Any]) -> None:
        # a helper is run once for each kind of arguments that it is called with
        key = (kind, node, repr(fields.get("value")) if kind is KernelTest else str(fields.get("name", "")))
        if key in told:
            return
        told.add(key)
        emit(kind(node=node, path=path, function=function_of(function), context=_CONTEXT, **fields))

    kernels = Kernels(scope, tell)
    for jit in sorted(scope.jits.values(), key=lambda j: j.node.lineno):
        kernels.run(jit)
    launches_without_grid(scope, tell)
    return [jit.node for jit in scope.jits.values()]


def launches_without_grid(scope: ModuleScope, tell: Callable[..., None]) -> None:
    """Host code that calls a kernel of the file like a function."""
    known = {
        jit.node.name
        for jit in scope.jits.values()
        if jit.launchers and not jit.parents and scope.bindings.get(jit.node.name) == [jit.node]
    }
    if not known:
        return
    stack: list[tuple[ast.AST, ast.AST, frozenset[str]]] = [(scope.tree, scope.tree, frozenset())]
    while stack:
        node, function, local = stack.pop()
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            names = {dotted(d.func if isinstance(d, ast.Call) else d).rsplit(".", 1)[-1] for d in node.decorator_list}
            if id(node) in scope.jits or names & {"jit", "constexpr_function", "builtin", "extern"}:
                continue
            function, local = node, local | bound_names(node)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in known - local:
            tell(KernelLaunch, node, function, {"name": node.func.id})
        stack.extend((child, function, local) for child in ast.iter_child_nodes(node))


__all__ = ["check_kernels", "mentions_triton"]
