"""A model of torch.jit.script's compiler: types every function that a root reaches and tells what is refused where.

TorchScript compiles both sides of every branch, in every function that is called, by the annotations alone: a
parameter without one is a Tensor, whatever is passed. Here `unknown` stands for a type that cannot be told; nothing is
refused for it.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from typing import Any

from analyzer.flow import events as ev
from analyzer.flow import script_events as sev
from analyzer.flow import script_syntax
from analyzer.flow.attributes import class_decorators
from analyzer.flow.evaluator import Evaluator
from analyzer.flow.interpreter import Interpreter
from analyzer.flow.script_expressions import ScriptExpressions
from analyzer.flow.script_scope import Scope
from analyzer.flow.script_types import (
    NONE,
    UNKNOWN,
    Annotations,
    Type,
    assignable,
    known,
    of_value,
    tuple_of,
    unify,
)
from analyzer.outcome import FRONTENDS, Frontend
from analyzer.project import ClassInfo, FunctionInfo, ModuleInfo
from analyzer.roots import Root
from analyzer.values import Const, Instance, Map, Seq, Value

Emit = Callable[[ev.Event, ModuleInfo, FunctionInfo], None]
_ALL: frozenset[Frontend] = frozenset(FRONTENDS)
_TRANSPARENT = frozenset(
    """script script_method export no_grad enable_grad inference_mode wraps lru_cache cache staticmethod classmethod
    property compile optimize _copy_to_script_wrapper contextmanager setter""".split()
)
_IGNORED = frozenset({"ignore", "unused"})
MAX_DEPTH = 60


class ScriptCompiler:
    """One per analysis: compiles each function once and remembers its type of return."""

    def __init__(self, interp: Interpreter, emit: Emit) -> None:
        self.interp = interp
        self._emit = emit
        self._returns: dict[Any, Type] = {}
        self._active: set[Any] = set()
        self._classes: set[int] = set()
        self._modules: set[int] = set()
        self.reached: list[FunctionInfo] = []
        self.told = 0  #: refusals so far
        self.fold: tuple[ast.AST, FunctionInfo] | None = None  #: the call in user code that led into a library

    # -- what is compiled ---------------------------------------------------------------------------------------

    def compile_root(self, root: Root) -> list[FunctionInfo]:
        """Compile what a root reaches; the functions that were compiled for the first time."""
        self.reached = []
        owner = root.self_value
        info = root.info
        if info.cls is not None and not info.has_decorator("staticmethod"):
            owner = owner or Instance(cls=info.cls)
            if isinstance(owner, Instance) and self.interp.is_module(info.cls):
                self.compile_module(owner, info)
                return self.reached
        self.compile(info, Type("class", value=owner) if owner is not None else None, root.scope)
        return self.reached

    def compile_module(self, owner: Instance, entry: FunctionInfo | None = None) -> None:
        """A module: its submodules, then `forward` and what is exported."""
        cls = owner.cls
        if cls is None:
            return
        if entry is None or entry.name == "forward":
            if id(cls) in self._modules:
                return
            self._modules.add(id(cls))
        for value in self.interp.initial_state(cls).values():
            for member in _members(value):
                if isinstance(member, Instance) and member.cls is not None and member.cls is not cls:
                    if self.interp.is_module(member.cls):
                        self.compile_module(member)
        this = Type("module", value=owner)
        methods = [entry] if entry is not None else []
        forward = self.interp.find_method(cls, "forward")
        if forward is not None and forward not in methods:
            methods.append(forward)
        for info in self.interp.mro(cls)[0]:
            methods.extend(m for m in info.methods.values() if m.has_decorator("export") and m not in methods)
        for method in methods:
            if method is not None:
                self.compile(method, this)

    def compile_class(self, cls: ClassInfo) -> None:
        """An ordinary class used in a compiled function: all its methods are compiled."""
        if id(cls) in self._classes:
            return
        self._classes.add(id(cls))
        for method in cls.methods.values():
            self.compile(method, Type("class", value=Instance(cls=cls)))

    def compile(self, info: FunctionInfo, this: Type | None = None, scope: Any = None) -> Type:
        """Compile a function once; what it returns."""
        owner = this.value.cls if this is not None and isinstance(this.value, Instance) else None
        key = (id(info.node), id(owner) if owner is not None else 0)
        if key in self._returns:
            return self._returns[key]
        if key in self._active or len(self._active) > MAX_DEPTH:
            return self._declared_return(info, None)
        names = {n.rsplit(".", 1)[-1] for n in info.decorator_names()}
        if names & _IGNORED or names - _TRANSPARENT or isinstance(info.node, ast.Lambda) or _overloaded(info):
            return self._declared_return(info, None) if names & _IGNORED else UNKNOWN
        self._active.add(key)
        self.reached.append(info)
        try:
            body = Body(self, info, this, scope)
            result = body.run()
        finally:
            self._active.discard(key)
        self._returns[key] = result
        return result

    def _declared_return(self, info: FunctionInfo, tell: Callable[[ast.expr, str], None] | None) -> Type:
        if isinstance(info.node, ast.Lambda) or info.node.returns is None:
            return UNKNOWN
        return self.annotations(info, tell).read(info.node.returns)

    def annotations(self, info: FunctionInfo, tell: Callable[[ast.expr, str], None] | None = None) -> Annotations:
        """A reader of annotations in the module of a function."""
        evaluator = Evaluator(self.interp, self.interp.module_frame(info.module))
        return Annotations(evaluator.eval, tell or (lambda node, text: None))

    def parameter_types(
        self, info: FunctionInfo, tell: Callable[[ast.expr, str], None] | None = None
    ) -> dict[str, Type]:
        """The types of a function's parameters by their annotations."""
        reader = self.annotations(info, tell)
        node = info.node
        first = node.body[0] if not isinstance(node, ast.Lambda) else node.body
        comments = info.module.source.lines[node.lineno - 1 : first.lineno]
        untyped = any("# type:" in line for line in comments)
        found: dict[str, Type] = {}
        for argument in info.parameters:
            if argument.annotation is not None:
                found[argument.arg] = reader.read(argument.annotation)
            else:
                found[argument.arg] = UNKNOWN if untyped else Type("tensor", parameter=argument.arg)
        return found

    def emit(self, event: type[sev.ScriptEvent], node: ast.AST, info: FunctionInfo, text: str, **fields: Any) -> None:
        """Tell the rules of one refusal; in a library's code it stands at the call that led there."""
        self.told += 1
        where, function = node, info
        if info.module.library:
            if self.fold is None:
                return
            where, function = self.fold
        elif not hasattr(node, "lineno"):
            return
        context = ev.Context(alive=_ALL)
        told = event(node=where, path=function.module.path, function=function, context=context, text=text, **fields)
        self._emit(told, function.module, function)

    def is_data(self, value: Instance) -> bool:
        """Whether an object is of a dataclass."""
        return value.cls is not None and any("dataclass" in d for d in class_decorators(value.cls.node))

    def is_module(self, value: Instance) -> bool:
        if value.cls is not None:
            return self.interp.is_module(value.cls)
        return value.name.startswith("torch.nn.") and value.name.rsplit(".", 1)[-1][:1].isupper()


def _overloaded(info: FunctionInfo) -> bool:
    """Whether a function has `@torch.jit._overload` variants, one of which is compiled for each call."""
    body = info.cls.node.body if info.cls is not None else info.module.tree.body
    return any(
        isinstance(stmt, ast.FunctionDef) and stmt.name == info.name and "_overload" in ast.unparse(decorator)
        for stmt in body
        for decorator in getattr(stmt, "decorator_list", ())
    )


def _members(value: Value) -> Iterable[Value]:
    if isinstance(value, Seq) and value.type in ("ModuleList", "Sequential"):
        for member in value.items if value.items is not None else (value.element,):
            yield from _members(member)
    elif isinstance(value, Map) and value.type == "ModuleDict":
        for member in value.items.values():
            yield from _members(member)
        yield from _members(value.element)
    else:
        yield value


#: Types of which None is no value.
_NEEDS_VALUE = frozenset({"tensor", "int", "float", "bool", "str", "list", "dict", "tuple"})


class Body(ScriptExpressions):
    """The compilation of one function body."""

    def __init__(self, compiler: ScriptCompiler, info: FunctionInfo, this: Type | None, scope: Any) -> None:
        self.compiler = compiler
        self.interp = compiler.interp
        self.info = info
        self.this = this
        self.closure = scope
        self.scope = Scope()
        self.returned: list[tuple[Type, ast.Return]] = []
        self.declared: Type | None = None
        self.told = 0

    def tell(self, event: type[sev.ScriptEvent], node: ast.AST, text: str, **fields: Any) -> None:
        self.told += 1
        self.compiler.emit(event, node, self.info, text, **fields)

    def run(self) -> Type:
        """Compile; the type of what the function returns."""
        info = self.info
        node = info.node
        assert not isinstance(node, ast.Lambda)
        if isinstance(node, ast.AsyncFunctionDef):
            self.tell(sev.ScriptConstruct, node, "an async function", kind="AsyncFunctionDef", statement=True)
            return UNKNOWN
        if not self._signature(node):
            return self.compiler._declared_return(info, None)
        script_syntax.check(node.body, self._construct)
        types = self.compiler.parameter_types(info, self._annotation)
        bound = self.this is not None and not info.has_decorator("staticmethod")
        for index, (name, type_) in enumerate(types.items()):
            self.scope.define(name, self.this if index == 0 and bound and self.this is not None else type_)
        if node.returns is not None:
            self.declared = self.compiler.annotations(info, self._annotation).read(node.returns)
        falls = self.block(node.body)
        if not self.told:
            self._defaults(types)
        declared = self.declared
        if falls and not self.told and self.returned and declared is not None and declared.kind in _NEEDS_VALUE:
            self.tell(sev.ScriptTypeChange, node, f"{declared} is declared, but not every path returns")
        return self._result()

    def _signature(self, node: ast.FunctionDef) -> bool:
        args = node.args
        what = ""
        if args.vararg is not None:
            what = f"*{args.vararg.arg}"
        elif args.kwarg is not None:
            what = f"**{args.kwarg.arg}"
        elif any(d is not None for d in args.kw_defaults):
            what = "a keyword-only default"
        if what:
            self.tell(sev.ScriptSignature, node, f"TorchScript compiles no function with {what}")
            return False
        for default in [*args.defaults, *args.kw_defaults]:
            if isinstance(default, (ast.List, ast.Dict, ast.Set)):
                self.tell(sev.ScriptSignature, node, "TorchScript takes no mutable default")
                return False
        return True

    def _defaults(self, types: dict[str, Type]) -> None:
        """A default that is no Tensor on a parameter without an annotation (seen only when the body compiles)."""
        for name, default in self.info.defaults.items():
            declared = types.get(name)
            if declared is None:
                continue
            if isinstance(default, ast.Tuple):
                given = tuple_of()
            elif isinstance(default, ast.Constant) and default.value is not None:
                given = of_value(Const(value=default.value))
            else:
                continue
            if declared.kind == "int" and given.kind in ("float", "str"):
                text = f"`{name}` is {declared}, but its default is {given}"
                self.tell(sev.ScriptTypeChange, self.info.node, text)
                return
            if declared.parameter:
                text = f"`{name}` has no annotation, so it is a Tensor, but its default is {given}"
                self.tell(sev.ScriptTensorParameter, self.info.node, text, parameter=name)
                return

    def _construct(self, node: ast.AST, what: str, statement: bool) -> None:
        self.tell(sev.ScriptConstruct, node, what, kind=type(node).__name__, statement=statement)

    def _annotation(self, node: ast.expr, what: str) -> None:
        self.tell(sev.ScriptAnnotation, node, f"{what} is no TorchScript type")

    def _result(self) -> Type:
        if self.declared is not None:
            return self.declared
        if not self.returned:
            return NONE
        result = self.returned[0][0]
        for type_, _ in self.returned[1:]:
            joined = unify(result, type_)
            result = joined if joined is not None else UNKNOWN
        return result

    # -- statements ---------------------------------------------------------------------------------------------

    def block(self, body: list[ast.stmt]) -> bool:
        """Compile statements; False if control does not fall out at the end."""
        for stmt in body:
            method = getattr(self, "_" + type(stmt).__name__, None)
            if method is not None and method(stmt) is False:
                return False
        return True

    def _Expr(self, node: ast.Expr) -> None:
        if isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            return
        if isinstance(node.value, ast.Constant) and node.value.value is ...:
            self.tell(sev.ScriptConstruct, node, "`...`", kind="Constant", statement=True)
            return
        self.eval(node.value)

    def _Assign(self, node: ast.Assign) -> None:
        value = self.eval(node.value)
        for target in node.targets:
            self.assign(target, value, node.value)

    def _AnnAssign(self, node: ast.AnnAssign) -> None:
        declared = self.compiler.annotations(self.info, self._annotation).read(node.annotation)
        if node.value is None:
            return
        if (
            isinstance(node.value, ast.Call)
            and isinstance(node.value.func, ast.Attribute)
            and node.value.func.attr == "tolist"
        ):
            self.eval(node.value.func.value)
            value = declared
        else:
            value = self.eval(node.value)
        empty = isinstance(node.value, (ast.List, ast.Dict)) and not getattr(
            node.value, "elts", getattr(node.value, "keys", None)
        )
        if isinstance(node.target, ast.Name):
            if not empty and not isinstance(node.value, (ast.List, ast.Dict)) and not assignable(value, declared):
                text = f"`{node.target.id}` is declared {declared}, but gets {value}"
                self.tell(sev.ScriptTypeChange, node, text)
            self.scope.define(node.target.id, declared)
        else:
            self.assign(node.target, declared, node.value)

    def _AugAssign(self, node: ast.AugAssign) -> None:
        target = node.target
        if isinstance(target, ast.Name):
            before = self.name(target)
            value = self.eval(node.value)
            self.bind(target.id, self.binary(before, value, node.op, node), node)
        elif isinstance(target, ast.Attribute):
            before = self.attribute(target)
            value = self.eval(node.value)
            self.store_attribute(target, self.binary(before, value, node.op, node))
        elif isinstance(target, ast.Subscript):
            self.eval(target.value)
            self.eval(target.slice) if not isinstance(target.slice, ast.Slice) else None
            self.eval(node.value)

    def assign(self, target: ast.expr, value: Type, source: ast.AST) -> None:
        """Bind a target to a type."""
        if isinstance(target, ast.Name):
            self.bind(target.id, value, target)
        elif isinstance(target, ast.Attribute):
            self.store_attribute(target, value)
        elif isinstance(target, ast.Subscript):
            owner = self.eval(target.value)
            index = self.index(target.slice)
            self.store_item(target, owner, index, value)
        elif isinstance(target, (ast.Tuple, ast.List)):
            self._unpack(target, value, source)

    def _unpack(self, target: ast.Tuple | ast.List, value: Type, source: ast.AST) -> None:
        starred = any(isinstance(e, ast.Starred) for e in target.elts)
        parts: list[Type] = [UNKNOWN] * len(target.elts)
        if value.kind == "tuple" and not starred and len(value.of) == len(target.elts):
            parts = list(value.of)
        elif value.kind == "list":
            if starred:
                self.tell(sev.ScriptStar, target, "a list of unknown length is unpacked with a star")
            parts = [value.of[0]] * len(target.elts)
        elif value.kind == "tensor":
            text = (
                f"`{value.parameter}` has no annotation, so it is a Tensor, and is unpacked"
                if value.parameter
                else "a Tensor is unpacked"
            )
            if value.parameter:
                self.tell(sev.ScriptTensorParameter, target, text, parameter=value.parameter)
            else:
                self.tell(sev.ScriptOperand, target, text)
        elif value.kind == "optional":
            self.tell(sev.ScriptOptional, target, f"{value} is unpacked")
        for element, part in zip(target.elts, parts):
            self.assign(
                element.value if isinstance(element, ast.Starred) else element, UNKNOWN if starred else part, source
            )

    def bind(self, name: str, type_: Type, node: ast.AST) -> None:
        """Set a variable; inside a branch or loop it must keep the type that it has outside."""
        outer = self.scope.outer(name)
        if (
            outer is not None
            and not outer.fault
            and outer.type.kind
            in ("none", "int", "float", "bool", "str", "tensor", "list", "tuple", "optional", "dict")
        ):
            if known(outer.type) and known(type_) and not assignable(type_, outer.type):
                self.tell(sev.ScriptTypeChange, node, f"`{name}` is {outer.type} outside, and becomes {type_} here")
                self.scope.define(name, UNKNOWN)
                return
            if type_.kind == "tensor" and outer.type.kind in ("int", "float"):
                type_ = outer.type  # converted, which is checked when it runs
        self.scope.define(name, type_)

    def _Return(self, node: ast.Return) -> bool:
        value = self.eval(node.value) if node.value is not None else NONE
        if self.declared is not None:
            if not assignable(value, self.declared):
                if value.kind == "optional" and assignable(value.of[0], self.declared):
                    self.tell(sev.ScriptOptional, node, f"{value} is returned where {self.declared} is declared")
                else:
                    self.tell(sev.ScriptTypeChange, node, f"returns {value}, but {self.declared} is declared")
        elif self.returned:
            before = self._result()
            if unify(before, value) is None:
                self.tell(sev.ScriptTypeChange, node, f"returns {value}, an earlier return {before}")
        self.returned.append((value, node))
        return False

    def _Raise(self, node: ast.Raise) -> bool:
        if isinstance(node.exc, ast.Call):
            for argument in node.exc.args:
                self.eval(argument)
        return False

    def _Break(self, node: ast.Break) -> bool:
        return False

    def _Continue(self, node: ast.Continue) -> bool:
        return False

    def _Assert(self, node: ast.Assert) -> None:
        _, when_true, _ = self.condition(node.test)
        if node.msg is not None:
            self.eval(node.msg)
        self.scope.refine(when_true)

    def _Delete(self, node: ast.Delete) -> None:
        return None

    # -- branches and loops -------------------------------------------------------------------------------------

    def _If(self, node: ast.If) -> bool:
        truth, when_true, when_false = self.condition(node.test)
        if truth is not None:
            self.scope.refine(when_true if truth else when_false)
            return self.block(node.body if truth else node.orelse)
        outer = self.scope
        branches: list[tuple[Scope, bool]] = []
        for body, facts in ((node.body, when_true), (node.orelse, when_false)):
            self.scope = outer.inner()
            self.scope.refine(facts)
            falls = self.block(body)
            branches.append((self.scope, falls))
        self.scope = outer
        (first, first_falls), (second, second_falls) = branches
        if not first_falls and not second_falls:
            return False
        if first_falls and second_falls:
            outer.merge(first, second, node)
        else:
            outer.take(first if first_falls else second)
        return True

    def _For(self, node: ast.For) -> None:
        iterable = self.eval(node.iter)
        element = self.element(iterable, node.iter)
        unrolled = iterable.kind in ("tuple", "module")
        outer = self.scope
        self.scope = outer if unrolled else outer.inner()
        self.assign(node.target, element, node.iter)
        self.block(node.body)
        inner, self.scope = self.scope, outer
        if not unrolled:
            outer.leave_loop(inner, node)

    def _While(self, node: ast.While) -> None:
        _, when_true, _ = self.condition(node.test)
        outer = self.scope
        self.scope = outer.inner()
        self.scope.refine(when_true)
        self.block(node.body)
        inner, self.scope = self.scope, outer
        outer.leave_loop(inner, node)

    def _With(self, node: ast.With) -> bool:
        for item in node.items:
            self.enter(item)
        return self.block(node.body)

    def _Try(self, node: ast.Try) -> bool:
        falls = self.block(node.body)
        for handler in node.handlers:
            outer = self.scope
            self.scope = outer.inner()
            self.block(handler.body)
            self.scope = outer
        return falls or bool(node.handlers)

    def _Import(self, node: ast.Import) -> None:
        for alias in node.names:
            self.scope.define((alias.asname or alias.name).split(".")[0], UNKNOWN)

    def _ImportFrom(self, node: ast.ImportFrom) -> None:
        for alias in node.names:
            self.scope.define(alias.asname or alias.name, UNKNOWN)

    def _FunctionDef(self, node: ast.FunctionDef) -> None:
        self.scope.define(node.name, UNKNOWN)

    def _ClassDef(self, node: ast.ClassDef) -> None:
        self.scope.define(node.name, UNKNOWN)

    def _Global(self, node: ast.Global) -> None:
        for name in node.names:
            self.scope.define(name, UNKNOWN)

    _Nonlocal = _Global
