"""Executing statements abstractly: branches join, loops run until their variables' kinds settle."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from analyzer.facts import body_facts
from analyzer.flow import events as ev
from analyzer.flow.carried import Loop, carried
from analyzer.flow.conditions import Facts, Tested
from analyzer.flow.dynamic_dims import dimension
from analyzer.flow.numbering import counts
from analyzer.flow.part import Part
from analyzer.flow.stand_in import stand_in
from analyzer.flow.variants import GRAD_MODES
from analyzer.project import dotted
from analyzer.values import (
    NONE,
    UNKNOWN,
    Bound,
    Class,
    Const,
    Data,
    External,
    Function,
    Guard,
    Instance,
    Map,
    Module,
    Partial,
    Seq,
    Shape,
    Tensor,
    Unknown,
    Value,
    element_of,
    is_none,
    is_tainted,
    join,
    join_all,
    options_of,
)

if TYPE_CHECKING:
    from analyzer.flow.frame import Env, Frame
    from analyzer.flow.interpreter import Interpreter

#: What a handler catches that stands in for a name which only some releases have.
_LACKING = frozenset({"AttributeError", "ImportError", "ModuleNotFoundError", "NameError", "TypeError"})
#: Context managers in which Dynamo can resume after a graph break (measured on torch 2.13).
RESUMABLE = (
    "torch.no_grad",
    "torch.enable_grad",
    "torch.inference_mode",
    "torch.set_grad_enabled",
    "torch.autocast",
    "torch.amp.",
    "torch.cuda.amp.",
    "torch.autograd.",
    "torch.device",
    "torch.profiler.",
    "torch.cuda.",
    "torch.random.fork_rng",
    "torch.backends.",
    "torch.nn.attention.",
    "torch.compiler.",
    "contextlib.nullcontext",
    "torch._C.",
)


class Statements(Part):
    """Mixin of the evaluator."""

    interp: Interpreter
    frame: Frame

    if TYPE_CHECKING:

        def eval(self, node: ast.expr) -> Value: ...
        def emit(self, event: type[ev.Event], node: ast.AST, **fields: Any) -> None: ...
        def syntax(self, kind: str, node: ast.AST, **values: Value) -> None: ...
        def test(
            self, node: ast.expr, form: str, statement: ast.AST, raises: bool = False, plain: bool = False
        ) -> Tested: ...
        def narrowed(self, facts: Facts) -> None: ...
        def element(self, value: Value) -> Value: ...
        def length(self, value: Value) -> int | None: ...
        def binary(self, left: Value, right: Value, op: ast.operator, node: ast.AST) -> Value: ...
        def attribute(self, base: Value, name: str, node: ast.AST) -> Value: ...
        def subscript(self, base: Value, index: Value, node: ast.Subscript) -> Value: ...
        def index_read(self, value: Value, node: ast.AST) -> None: ...
        def changed(
            self,
            target: ast.expr,
            statement: ast.AST,
            how: str,
            stored: Value,
            before: Value | None = None,
            key: Value | None = None,
            method: str = "",
            lives: str | None = None,
        ) -> None: ...
        def call_value(
            self, callee: Value, args: list[Value], kwargs: dict[str, Value], node: ast.AST, starred: bool = False
        ) -> tuple[Value, str]: ...

    def block(self, body: list[ast.stmt]) -> bool:
        """Execute statements in order; False if control does not fall out at the end."""
        for stmt in body:
            method = getattr(self, "_" + stmt.__class__.__name__, None)
            if method is None:
                continue
            if method(stmt) is False:
                return False
        return True

    # -- simple statements --------------------------------------------------------------------------------------

    def _Expr(self, node: ast.Expr) -> None:
        self.frame.discarding = node.value
        self.eval(node.value)

    def _Assign(self, node: ast.Assign) -> None:
        value = self.eval(node.value)
        for target in node.targets:
            self.assign(target, value, node)

    def _AnnAssign(self, node: ast.AnnAssign) -> None:
        declared = self.interp.annotation(node.annotation, self.frame.module)
        if node.value is None:
            return
        self.frame.annotated = node.value
        value = self.eval(node.value)
        if isinstance(value, Unknown) and not isinstance(declared, Unknown):
            value = replace(declared, taint=value.taint) if is_tainted(value) else declared
        self.assign(node.target, value, node)

    def _AugAssign(self, node: ast.AugAssign) -> None:
        target = node.target
        if isinstance(target, ast.Name):
            before = self.eval(stand_in(target, "read", lambda: _read_of(target)))
            value = self.eval(node.value)
            result = self._augmented(before, value, node)
            self.store_name(target.id, result, node, "augment", before)
        elif isinstance(target, ast.Attribute):
            owner = self.eval(target.value)
            path = dotted(target)
            before = (
                self.frame.env[path]
                if path is not None and path in self.frame.env
                else self.attribute(owner, target.attr, target)
            )
            value = self.eval(node.value)
            result = self._augmented(before, value, node)
            self.store_attribute(target, owner, result, node, before, augmented=True)
        elif isinstance(target, ast.Subscript):
            owner = self.eval(target.value)
            index = self.eval(target.slice)
            before = self.subscript(owner, index, target)
            value = self.eval(node.value)
            result = self._augmented(before, value, node)
            self.emit(ev.Subscript, target, value=owner, index=index, access="augmented", stored=value, result=before)
            self.changed(target, node, "augment", result, before, key=index)
            self.store_item(target, owner, index, result, node)

    def _augmented(self, before: Value, value: Value, node: ast.AugAssign) -> Value:
        if isinstance(before, Seq) and before.type == "list" and isinstance(node.op, ast.Add):
            added = element_of(value) if isinstance(value, Seq) else UNKNOWN
            return Seq(type="list", element=join(element_of(before), added) if before.items != () else added)
        result = self.binary(before, value, node.op, node)
        if isinstance(before, Tensor) and isinstance(result, Tensor):
            return replace(result, ndim=before.ndim, origin=before.origin)
        return result

    def assign(self, target: ast.expr, value: Value, statement: ast.AST) -> None:
        """Bind a target: a name, attribute, subscript, or a tuple of them."""
        if isinstance(target, ast.Name):
            self.store_name(target.id, value, statement, "assign")
        elif isinstance(target, ast.Attribute):
            owner = self.eval(target.value)
            path = dotted(target)
            before = self.frame.env.get(path) if path is not None else None
            if before is None and self.interp.wants_before and not self.frame.quiet:
                quiet, self.frame.quiet = self.frame.quiet, True
                before = self.attribute(owner, target.attr, target)
                self.frame.quiet = quiet
            self.store_attribute(target, owner, value, statement, before, augmented=False)
        elif isinstance(target, ast.Subscript):
            owner = self.eval(target.value)
            index = self.eval(target.slice)
            self.emit(ev.Subscript, target, value=owner, index=index, access="store", stored=value)
            if isinstance(owner, (Map, Seq)):
                self.changed(target, statement, "item", value, key=index)
            if isinstance(owner, (Seq, Map)):
                for option in options_of(index):
                    self.index_read(option, target.slice) if isinstance(owner, Seq) else None
            self.store_item(target, owner, index, value, statement)
        elif isinstance(target, (ast.Tuple, ast.List)):
            self._unpack(target, value, statement)
        elif isinstance(target, ast.Starred):
            self.assign(target.value, Seq(type="list", element=self.element(value)), statement)

    def _unpack(self, target: ast.Tuple | ast.List, value: Value, statement: ast.AST) -> None:
        starred = [i for i, t in enumerate(target.elts) if isinstance(t, ast.Starred)]
        if not isinstance(value, Seq) or starred:
            form = "unpack_star" if starred else "unpack"
            self.emit(ev.Iterate, target, value=value, form=form, count=len(target.elts))
        tuples = [o for o in options_of(value) if isinstance(o, Seq)]
        for index, element_target in enumerate(target.elts):
            parts: list[Value] = []
            for option in options_of(value):
                if (
                    isinstance(option, Seq)
                    and option.items is not None
                    and not starred
                    and len(option.items) == len(target.elts)
                ):
                    parts.append(option.items[index])
                elif (
                    isinstance(option, Seq)
                    and option.items is not None
                    and starred
                    and index < starred[0]
                    and index < len(option.items)
                ):
                    parts.append(option.items[index])
                elif is_none(option) and tuples:
                    continue
                elif isinstance(option, Instance) and option.cls is not None:
                    fields = list(option.cls.annotations)
                    named = index < len(fields) and len(fields) >= len(target.elts)
                    parts.append(self.attribute(option, fields[index], target) if named else UNKNOWN)
                elif isinstance(option, Shape) and option.dynamic and not starred:
                    parts.append(replace(option, type="int", dim=index, dynamic=dimension(option, index)))
                else:
                    parts.append(self.element(option))
            self.assign(element_target, join_all(parts), statement)

    def store_name(self, name: str, value: Value, node: ast.AST, how: str, before: Value | None = None) -> None:
        frame = self.frame
        if name in frame.globals:
            self.emit(ev.GlobalStore, node, name=name, stored=value, how=how)
            self.changed(_name(node, name), node, how, value, before=before, lives="global")
        elif (
            frame.scope is not None
            and name in frame.scope
            and frame.context.depth == 0
            and name in body_facts(frame.info).outer
        ):
            self.changed(_name(node, name), node, how, value, before=before, lives="closure")
        frame.env[name] = value
        self._forget(name + ".")

    def _forget(self, prefix: str) -> None:
        stale = [key for key in self.frame.env if key.startswith(prefix)]
        for key in stale:
            del self.frame.env[key]

    def store_attribute(
        self, target: ast.Attribute, owner: Value, value: Value, node: ast.AST, before: Value | None, augmented: bool
    ) -> None:
        path = dotted(target)
        if path is not None:
            self._forget(path + ".")
            self.frame.env[path] = value
        root = target.value
        if self.frame.driver and self.frame.context.loops and counts(value):
            kept = owner.target if isinstance(owner, Partial) else owner
            if isinstance(kept, Instance) and kept.cls is not None and self.interp.is_module(kept.cls):
                self.interp.turning.stored(kept.cls, target.attr, self.frame.context.loops)
        self.emit(
            ev.AttributeStore,
            target,
            owner=owner,
            attribute=target.attr,
            stored=value,
            before=before,
            augmented=augmented,
        )
        self.changed(target, node, "augment" if augmented else "assign", value, before)
        if isinstance(root, ast.Name) and self._is_global(root.id) and isinstance(owner, (Module, External, Class)):
            self.emit(ev.GlobalStore, node, name=f"{root.id}.{target.attr}", stored=value, how="attribute")

    def _is_global(self, name: str) -> bool:
        return name not in self.frame.env and name not in self.frame.locals

    def store_item(self, target: ast.Subscript, owner: Value, index: Value, value: Value, node: ast.AST) -> None:
        base = target.value
        path = dotted(base)
        if isinstance(base, ast.Name) and self._is_global(base.id) and isinstance(owner, (Map, Seq)):
            self.emit(ev.GlobalStore, node, name=base.id, stored=value, how="item")
        if path is None:
            return
        if isinstance(owner, Map):
            items = dict(owner.items)
            if isinstance(index, Const):
                items[index.value] = value
            element = value if isinstance(owner.element, Unknown) and not owner.items else join(owner.element, value)
            self.frame.env[path] = replace(owner, items=items, element=element)
        elif isinstance(owner, Seq) and owner.type != "tuple":
            self.frame.env[path] = replace(
                owner, items=None, element=join(element_of(owner), value) if owner.items != () else value
            )
        elif isinstance(owner, Tensor) and is_tainted(value) and not owner.taint:
            self.frame.env[path] = replace(owner, taint=True, constant=False, written=True)

    def _Return(self, node: ast.Return) -> bool:
        value = self.eval(node.value) if node.value is not None else NONE
        self.emit(ev.Return, node, value=value)
        self.frame.returned.append(value)
        return False

    def _Raise(self, node: ast.Raise) -> bool:
        self.frame.logging += 1
        values = {}
        if node.exc is not None:
            values["exc"] = self.eval(node.exc)
        if node.cause is not None:
            self.eval(node.cause)
        self.frame.logging -= 1
        self.syntax("Raise", node, **values)
        return False

    def _Pass(self, node: ast.Pass) -> None:
        return None

    def _Break(self, node: ast.Break) -> bool:
        self.syntax("Break", node)
        self._exits.append(dict(self.frame.env))
        return False

    def _Continue(self, node: ast.Continue) -> bool:
        self.syntax("Continue", node)
        self._repeats.append(dict(self.frame.env))
        return False

    _exits: list[dict[str, Value]]
    _repeats: list[dict[str, Value]]

    def _Delete(self, node: ast.Delete) -> None:
        self.syntax("Delete", node)
        for target in node.targets:
            if isinstance(target, ast.Name):
                self.frame.env.pop(target.id, None)
            elif isinstance(target, ast.Subscript):
                owner = self.eval(target.value)
                index = self.eval(target.slice)
                self.emit(ev.Subscript, target, value=owner, index=index, access="del")
                path = dotted(target.value)
                if path is not None and isinstance(owner, Seq) and owner.items is not None:
                    self.frame.env[path] = replace(owner, items=None, element=element_of(owner))

    def _Global(self, node: ast.Global) -> None:
        self.syntax("Global", node)

    def _Nonlocal(self, node: ast.Nonlocal) -> None:
        self.syntax("Nonlocal", node)

    def _Import(self, node: ast.Import) -> None:
        self.syntax("Import", node)
        for alias in node.names:
            name = alias.name if alias.asname else alias.name.split(".")[0]
            self.frame.env[alias.asname or name] = self.interp.imported(name, "", self.frame.module)

    def _ImportFrom(self, node: ast.ImportFrom) -> None:
        self.syntax("Import", node)
        target = self.frame.module.absolute(node.module, node.level)
        for alias in node.names:
            if alias.name != "*":
                self.frame.env[alias.asname or alias.name] = self.interp.imported(target, alias.name, self.frame.module)

    def _FunctionDef(self, node: ast.FunctionDef) -> None:
        self._define(node)

    def _AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> None:
        self._define(node)

    def _define(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        self.syntax("FunctionDef", node)
        for default in (*node.args.defaults, *(d for d in node.args.kw_defaults if d is not None)):
            self.eval(default)
        info = self.interp.function_info(node, self.frame, node.name)
        value: Value = Function(info=info, scope=self.interp.closure(self.frame))
        for decorator in reversed(node.decorator_list):
            value = self.interp.decorated(self.whole, value, decorator)
        self.frame.env[node.name] = value

    def _ClassDef(self, node: ast.ClassDef) -> None:
        self.syntax("ClassDef", node)
        self.frame.env[node.name] = Class(info=self.interp.class_info(node, self.frame))

    def _Assert(self, node: ast.Assert) -> None:
        computed = node.msg is not None and not isinstance(node.msg, ast.Constant)
        outcome = self.test(node.test, "assert", node, raises=True, plain=not computed)
        if node.msg is not None:
            self.frame.logging += 1
            self.eval(node.msg)
            self.frame.logging -= 1
        self.narrowed(outcome.when_true)

    # -- branches -----------------------------------------------------------------------------------------------

    def _If(self, node: ast.If) -> bool:
        raises = _only_raises(node.body) and not node.orelse or bool(node.orelse) and _only_raises(node.orelse)
        outcome = self.test(node.test, "if", node, raises=raises)
        return self._branches(outcome, node.body, node.orelse)

    def _branches(self, outcome: Tested, body: list[ast.stmt], orelse: list[ast.stmt]) -> bool:
        frame = self.frame
        saved_context, before = frame.context, frame.env
        ends: list[tuple[Env, frozenset[Any]]] = []
        for branch, dead, alive, facts in (
            (body, outcome.truth is False, outcome.alive_true, outcome.when_true),
            (orelse, outcome.truth is True, outcome.alive_false, outcome.when_false),
        ):
            if dead:
                continue
            if not alive and saved_context.alive:
                continue
            frame.context = saved_context.under(alive)
            frame.env = dict(before)
            self.narrowed(facts)
            if self.block(branch):
                ends.append((frame.env, frame.context.alive))
        if not ends:
            frame.context = saved_context
            frame.env = before
            return False
        frame.env = ends[0][0] if len(ends) == 1 else join_envs(ends[0][0], ends[1][0])
        alive_after = frozenset().union(*(alive for _, alive in ends))
        frame.context = saved_context.under(alive_after)
        return True

    def _Match(self, node: ast.Match) -> bool:
        self.syntax("Match", node)
        subject = self.eval(node.subject)
        tested = _first_literal(node) if isinstance(subject, Tensor) else None
        if not isinstance(subject, Tensor) or tested is not None:
            where = tested or node.subject
            self.emit(ev.TruthTest, where, value=subject, form="match", statement=node, raises=False, plain=False)
        frame = self.frame
        before = frame.env
        ends: list[Env] = []
        exhaustive = False
        for case in node.cases:
            frame.env = dict(before)
            self._bind_pattern(case.pattern, subject)
            if case.guard is not None:
                self.test(case.guard, "if", node)
            elif isinstance(case.pattern, ast.MatchAs) and case.pattern.pattern is None:
                exhaustive = True
            if self.block(case.body):
                ends.append(frame.env)
        if not exhaustive:
            ends.append(before)
        frame.env = ends[0] if ends else before
        for other in ends[1:]:
            frame.env = join_envs(frame.env, other)
        return bool(ends)

    def _bind_pattern(self, pattern: ast.pattern, subject: Value) -> None:
        for leaf in ast.walk(pattern):
            if isinstance(leaf, (ast.MatchAs, ast.MatchStar)) and leaf.name:
                whole = leaf is pattern
                self.frame.env[leaf.name] = subject if whole else Unknown(taint=is_tainted(subject))
            elif isinstance(leaf, ast.MatchValue):
                self.eval(leaf.value)

    # -- loops --------------------------------------------------------------------------------------------------

    def _For(self, node: ast.For) -> bool:
        iterable = self.eval(node.iter)
        count = self.length(iterable)
        self.emit(ev.Iterate, node.iter, value=iterable, form="for", count=count)
        element = self.element(iterable)
        times = self.frame.times
        if count is not None and count > 1 and isinstance(iterable, Seq):
            self.frame.times = times * count
        self._loop(node, node.body, lambda: self.assign(node.target, element, node), None)
        self.frame.times = times
        return self.block(node.orelse) if node.orelse else True

    def _AsyncFor(self, node: ast.AsyncFor) -> bool:
        self.syntax("AsyncFor", node)
        element = self.element(self.eval(node.iter))
        self._loop(node, node.body, lambda: self.assign(node.target, element, node), None)
        return True

    def _While(self, node: ast.While) -> bool:
        self._loop(node, node.body, None, node.test)
        endless = isinstance(node.test, ast.Constant) and bool(node.test.value)
        if endless and not any(isinstance(n, ast.Break) for s in node.body for n in ast.walk(s)):
            return False
        return self.block(node.orelse) if node.orelse else True

    def _loop(self, node: Loop, body: list[ast.stmt], bind: Any, test: ast.expr | None) -> None:
        frame = self.frame
        saved_context = frame.context
        depth = len(saved_context.loops)
        inside = replace(saved_context, loops=(*saved_context.loops, node))
        before = frame.env
        outer_exits, outer_repeats = self._exits, self._repeats
        passes = 2 if depth < 2 else 1
        for _ in range(passes):
            start = dict(before)
            frame.env = dict(before)
            self._exits, self._repeats = [], []
            if test is not None:
                frame.context = saved_context  # the first test stands before the loop: Dynamo resumes after it
                outcome = self.test(test, "while", node)
                if outcome.truth is False:
                    break
                self.narrowed(outcome.when_true)
            frame.context = inside
            if bind is not None:
                bind()
            falls = self.block(body)
            after: Env | None = frame.env if falls else None
            for env in (*self._repeats, *self._exits):
                after = env if after is None else join_envs(after, env)
            before = start if after is None else join_envs(start, after)
            if not changed_roots(start, before) & carried(node):
                break  # another turn would tell nothing new
        frame.env = before
        frame.context = saved_context
        self._exits, self._repeats = outer_exits, outer_repeats

    # -- try and with -------------------------------------------------------------------------------------------

    def _Try(self, node: ast.Try) -> bool:
        self.syntax("Try", node)
        frame = self.frame
        saved_context = frame.context
        before = dict(frame.env)
        frame.context = replace(saved_context, tries=(*saved_context.tries, node))
        returns_before = len(frame.returned)
        falls = self.block(node.body)
        answered = frame.returned[returns_before:]
        asks = not falls and bool(answered) and all(isinstance(v, Guard) for v in answered)  # this never raises
        if falls and node.orelse:
            falls = self.block(node.orelse)
        frame.context = saved_context
        ends: list[Env] = [frame.env] if falls else []
        thrown = join_envs(before, frame.env)
        for handler in node.handlers:
            frame.env = dict(thrown)
            if handler.type is not None:
                self.eval(handler.type)
            if handler.name:
                frame.env[handler.name] = UNKNOWN
            if asks:
                continue
            quiet, frame.quiet = frame.quiet, frame.quiet or self._for_other_versions(node, handler)
            if self.block(handler.body):
                ends.append(frame.env)
            frame.quiet = quiet
        result = ends[0] if ends else thrown
        for other in ends[1:]:
            result = join_envs(result, other)
        frame.env = result
        if node.finalbody and not self.block(node.finalbody):
            return False
        return bool(ends)

    _TryStar = _Try

    def _for_other_versions(self, node: ast.Try, handler: ast.ExceptHandler) -> bool:
        """`try: torch.new_name(…)`, `except AttributeError`: the handler is for a release that lacks the name."""
        if handler.type is None or len(node.body) != 1:
            return False
        kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
        names = {kind.id for kind in kinds if isinstance(kind, ast.Name)}
        if len(names) != len(kinds) or "AttributeError" not in names or not names <= _LACKING:
            return False
        chains = [n for n in ast.walk(node.body[0]) if isinstance(n, ast.Attribute)]
        inner = {id(n.value) for n in chains}
        outer = [dotted(n) for n in chains if id(n) not in inner]
        return bool(outer) and all(chain is not None and chain.startswith("torch.") for chain in outer)

    def _With(self, node: ast.With) -> bool:
        return self._with(node, False)

    def _AsyncWith(self, node: ast.AsyncWith) -> bool:
        return self._with(node, True)

    def _with(self, node: ast.With | ast.AsyncWith, asynchronous: bool) -> bool:
        frame = self.frame
        saved_context, grad_mode = frame.context, frame.grad_mode
        for item in node.items:
            manager = self.eval(item.context_expr)
            name = self.manager_name(manager)
            self.emit(ev.With, item.context_expr, manager=manager, name=name, asynchronous=asynchronous)
            entered = self.enter(manager, node)
            if item.optional_vars is not None:
                self.assign(item.optional_vars, entered, node)
            if self._blocks_resume(manager, name):
                frame.context = replace(frame.context, withs=(*frame.context.withs, node))
            frame.grad_mode = GRAD_MODES.get(name, frame.grad_mode)
        falls = self.block(node.body)
        frame.grad_mode = grad_mode
        frame.context = saved_context.under(frame.context.alive)
        return falls or _suppresses(node)

    def manager_name(self, manager: Value) -> str:
        """Qualified name of a context manager's class or factory."""
        if isinstance(manager, Instance):
            return manager.cls.qualname if manager.cls is not None else manager.name
        if isinstance(manager, External):
            return manager.name
        if isinstance(manager, Partial):
            return manager.wrapper
        if isinstance(manager, Bound):
            return manager.method
        return ""

    def _blocks_resume(self, manager: Value, name: str) -> bool:
        if isinstance(manager, Instance) and manager.cls is not None:
            return True
        if isinstance(manager, Partial) and manager.wrapper == "contextlib.contextmanager":
            return True
        if isinstance(manager, (Unknown, Data, Shape)) or not name:
            return False
        return not name.startswith(RESUMABLE) and name.startswith(("contextlib.", "warnings.", "threading."))

    def enter(self, manager: Value, node: ast.AST) -> Value:
        """What `with manager as x` binds."""
        if isinstance(manager, Instance) and manager.cls is not None:
            method = self.interp.find_method(manager.cls, "__enter__")
            if method is not None:
                entered = self.call_value(Function(info=method, self_value=manager), [], {}, node)[0]
                leave = self.interp.find_method(manager.cls, "__exit__")
                if leave is not None:
                    self.call_value(Function(info=leave, self_value=manager), [NONE, NONE, NONE], {}, node)
                return entered
        if isinstance(manager, Partial) and manager.args:
            return manager.args[0]
        return manager if isinstance(manager, Instance) else Unknown()


def _suppresses(node: ast.With | ast.AsyncWith) -> bool:
    return any("suppress" in ast.dump(item.context_expr)[:200] for item in node.items)


def _only_raises(body: list[ast.stmt]) -> bool:
    return (
        bool(body)
        and isinstance(body[-1], ast.Raise)
        and all(isinstance(s, (ast.Raise, ast.Expr, ast.Assign)) for s in body)
    )


def join_envs(a: Env, b: Env) -> Env:
    """Variables after two paths meet: those bound on one path only keep that value (the other path would raise)."""
    if a is b:
        return a
    merged = dict(a)
    for name, value in b.items():
        known = merged.get(name)
        if known is None:
            if "." not in name:
                merged[name] = value
        elif known is not value:
            merged[name] = join_variable(known, value)
    for name in a:
        if "." in name and name not in b:
            merged.pop(name, None)
    return merged


def join_variable(a: Value, b: Value) -> Value:
    """Join of one variable's values: what is a tensor on one path and unannotated on the other is taken for a
    tensor."""
    joined = join(a, b)
    options = options_of(joined)
    tensor = next((o for o in options if isinstance(o, Tensor)), None)
    if tensor is not None and any(isinstance(o, Unknown) for o in options):
        rest = [o for o in options if not isinstance(o, (Unknown, Tensor))]
        softened = replace(tensor, sure=min(tensor.sure, 2), dtype=None, ndim=None, taint=any(o.taint for o in options))
        return join_all([softened, *rest])
    return joined


def changed_roots(a: Env, b: Env) -> set[str]:
    """The first names of the variables (dotted ones too) whose kinds differ between two environments."""
    changed = [
        name
        for name, value in b.items()
        if name not in a or a[name] is not value and a[name].signature() != value.signature()
    ]
    changed.extend(name for name in a if name not in b)
    return {name.lstrip("=").partition(".")[0] for name in changed}


def _name(node: ast.AST, name: str) -> ast.Name:
    """The stored name with the place of its statement's target."""
    target = (
        node.target
        if isinstance(node, (ast.AugAssign, ast.AnnAssign))
        else node.targets[0]
        if isinstance(node, ast.Assign)
        else node
    )
    place = {
        k: getattr(target, k) for k in ("lineno", "col_offset", "end_lineno", "end_col_offset") if hasattr(target, k)
    }
    return stand_in(target, ("stored", name), lambda: ast.Name(id=name, ctx=ast.Store(), **place))


def _read_of(target: ast.Name) -> ast.Name:
    return ast.Name(id=target.id, ctx=ast.Load(), lineno=target.lineno, col_offset=target.col_offset)


def _first_literal(node: ast.Match) -> ast.expr | None:
    """The first value that the subject is compared with: there a tensor is read."""
    for case in node.cases:
        found = next((p.value for p in ast.walk(case.pattern) if isinstance(p, ast.MatchValue)), None)
        if found is not None:
            return found
    return None
