"""The abstract interpreter: runs functions for argument kinds, remembers their summaries, answers names and attributes.

Facts flow both ways: a caller's argument kinds key the run of a callee, the callee's summary (`Run.returns`) comes
back.
Runs are shared between callers and roots that pass the same kinds.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from analyzer.facts import body_facts
from analyzer.flow import events as ev
from analyzer.flow.annotations import annotated
from analyzer.flow.attributes import Attributes
from analyzer.flow.evaluator import Evaluator
from analyzer.flow.frame import Frame, Run, RunKey
from analyzer.flow.statements import join_variable
from analyzer.flow.unrolled import settle_unrolled
from analyzer.flow.unused import unused_result
from analyzer.flow.usage import tensor_parameters
from analyzer.flow.variants import Variants
from analyzer.outcome import DYNAMO_FAMILY, FRONTENDS, Frontend
from analyzer.project import Binding, ClassInfo, FunctionInfo, ModuleInfo, Project, dotted
from analyzer.roots import CaptureCall, capture_api, captures_something, frontends_of
from analyzer.values import (
    NONE,
    UNKNOWN,
    Bound,
    Class,
    Const,
    External,
    Function,
    Guard,
    Instance,
    Map,
    Module,
    Partial,
    Seq,
    Static,
    Tensor,
    Union,
    Unknown,
    Value,
    Why,
    is_none,
    is_tainted,
    join_all,
    options_of,
)

MAX_DEPTH = 12
MAX_CONTEXTS = 4  #: runs of one function before callers share the last
_BUILTINS = frozenset(dir(builtins))
_ALL: frozenset[Frontend] = frozenset(FRONTENDS)

_GUARDS: Mapping[str, frozenset[Frontend]] = {
    "torch.compiler.is_compiling": DYNAMO_FAMILY,
    "torch.compiler.is_dynamo_compiling": DYNAMO_FAMILY,
    "torch.compiler.is_exporting": frozenset({"export"}),
    "torch.jit.is_scripting": frozenset({"script"}),
    "torch.jit.is_tracing": frozenset({"trace"}),
    "torch._C._get_tracing_state": frozenset({"trace"}),
    "torch.onnx.is_in_onnx_export": frozenset(),
    "torch._jit_internal.is_scripting": frozenset({"script"}),
    "torch.fx._symbolic_trace.is_fx_tracing": frozenset({"fx"}),
    "torch.fx._symbolic_trace.is_fx_symbolic_tracing": frozenset({"fx"}),
}


class Interpreter(Attributes):
    """One per analysis. `dispatch` hands an event to the rules; `wanted` holds the event classes that some rule
    handles."""

    def __init__(
        self,
        project: Project,
        dispatch: Callable[[ev.Event, Frame], None],
        wanted: frozenset[type[ev.Event]],
        on_capture: Callable[[CaptureCall, Frame], None],
        on_captured_call: Callable[[Value, list[Value], dict[str, Value]], None],
    ) -> None:
        super().__init__()
        self.project = project
        self.frontends = _ALL
        self.wanted = wanted
        self.wants_before = ev.AttributeStore in wanted
        self._dispatch = dispatch
        self._on_capture = on_capture
        self._on_captured_call = on_captured_call
        self._globals: dict[tuple[int, str], Value | None] = {}
        self._evaluating: set[tuple[int, str]] = set()
        self._functions: dict[int, FunctionInfo] = {}
        self._classes: dict[int, ClassInfo] = {}
        self._runs: dict[Any, Run] = {}
        self._contexts: dict[tuple[int, bool, bool], tuple[Run, ...]] = {}
        self._module_frames: dict[int, Frame] = {}
        self._annotations: dict[int, Value] = {}
        self.variants = Variants()
        self.allowed: set[int] = set()  #: functions given to `torch.compiler.allow_in_graph`
        self._depth = 0
        self._entering = False  #: the next run is the body of a higher-order operator

    def dispatch(self, event: ev.Event, frame: Frame) -> None:
        self._dispatch(event, frame)

    # -- names --------------------------------------------------------------------------------------------------

    def builtin(self, name: str) -> Value:
        if name in ("True", "False", "None"):
            return Const(value={"True": True, "False": False, "None": None}[name])
        return External(name=f"builtins.{name}") if name in _BUILTINS else UNKNOWN

    def guard(self, name: str) -> Guard | None:
        """The value of a call that asks which frontend is at work."""
        true_for = _GUARDS.get(name)
        return Guard(true_for=frozenset(true_for)) if true_for is not None else None

    def module_frame(self, module: ModuleInfo) -> Frame:
        """A quiet frame at module level, for evaluating globals."""
        frame = self._module_frames.get(id(module))
        if frame is None:
            node = ast.parse("def _module(): pass").body[0]
            assert isinstance(node, ast.FunctionDef)
            info = FunctionInfo(node, module, "<module>")
            frame = Frame(info, module, {}, ev.Context(alive=_ALL), Run(info), quiet=True, driver=True)
            self._module_frames[id(module)] = frame
        return frame

    def global_value(self, module: ModuleInfo, name: str) -> Value | None:
        """What a module-level name stands for; None if the module does not bind it."""
        key = (id(module), name)
        if key in self._globals:
            return self._globals[key]
        if key in self._evaluating:
            return UNKNOWN
        self._evaluating.add(key)
        try:
            value = self._global_value(module, name)
        finally:
            self._evaluating.discard(key)
        self._globals[key] = value
        return value

    def _global_value(self, module: ModuleInfo, name: str) -> Value | None:
        found = module.bound(name)
        if not found:
            if name == "__name__":
                return Static(type="str")
            if module.package and module.name:
                child = self.project.find(f"{module.name}.{name}", module)
                if child is not None:
                    return Module(info=child)
            for target in module.star_imports:
                other = self.project.find(target, module)
                if other is not None and not name.startswith("_"):
                    value = self.global_value(other, name)
                    if value is not None:
                        return value
            return None
        values = [self._binding_value(module, name, binding) for binding in found[-4:]]
        if len(values) > 1 and not any(b.conditional for b in found):
            values = values[-1:]
        known = [v for v in values if not isinstance(v, Unknown)]
        value = join_all(known) if known else UNKNOWN
        if isinstance(value, Union) and any(isinstance(o, (Function, Class, Module, External)) for o in value.options):
            preferred = [o for o in value.options if isinstance(o, (Function, Class, Module, External))]
            value = (
                preferred[0] if len(preferred) == 1 or all(type(p) is type(preferred[0]) for p in preferred) else value
            )
        if name in module.rebound_globals and isinstance(value, Const):
            value = Static(type=type(value.value).__name__) if value.value is not None else UNKNOWN
        if isinstance(value, Instance) and value.fresh:
            value = replace(value, fresh=False)
        if isinstance(value, Tensor):
            value = replace(
                value,
                origin="global",
                constant=value.constant and value.array,
                why=Why(f"module-level `{name}`", found[-1].node, module.path),
            )
        return value

    def _binding_value(self, module: ModuleInfo, name: str, binding: Binding) -> Value:
        node = binding.node
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            value: Value = Function(info=self.function_of(module, node, name))
            evaluator = Evaluator(self, self.module_frame(module))
            for decorator in reversed(node.decorator_list):
                value = self.decorated(evaluator, value, decorator)
            return value
        if isinstance(node, ast.ClassDef):
            return Class(info=self.class_of(module, node, name))
        if binding.target:
            if name == "TYPE_CHECKING":
                return Const(value=False)
            return self.imported(binding.target, binding.member, module)
        if binding.value is None:
            return Static() if not isinstance(node, ast.AnnAssign) else self.annotation(node.annotation, module)
        value = Evaluator(self, self.module_frame(module)).eval(binding.value)
        for position in binding.index:
            if isinstance(value, Seq) and value.items is not None and 0 <= position < len(value.items):
                value = value.items[position]
            else:
                return UNKNOWN
        if isinstance(node, ast.AnnAssign) and isinstance(value, Unknown):
            value = self.annotation(node.annotation, module)
        return value

    def imported(self, target: str, member: str, importer: ModuleInfo) -> Value:
        """What an import binds: a module, one of its members, or a name in a library."""
        module = self.project.find(target, importer)
        if not member:
            return Module(info=module) if module is not None else External(name=target)
        if module is not None:
            value = self.global_value(module, member)
            if value is not None:
                return value
            child = self.project.find(f"{target}.{member}", importer)
            return Module(info=child) if child is not None else UNKNOWN
        child = self.project.find(f"{target}.{member}", importer)
        if child is not None:
            return Module(info=child)
        if target in ("typing", "typing_extensions") and member == "TYPE_CHECKING":
            return Const(value=False)
        return External(name=f"{target}.{member}")

    # -- definitions --------------------------------------------------------------------------------------------

    def function_of(self, module: ModuleInfo, node: ast.AST, name: str) -> FunctionInfo:
        """The module-level function of a def statement."""
        info = self._functions.get(id(node))
        if info is None:
            assert isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda))
            known = module.functions.get(name)
            info = known if known is not None and known.node is node else FunctionInfo(node, module, name)
            self._functions[id(node)] = info
        return info

    def function_info(
        self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda, frame: Frame, name: str
    ) -> FunctionInfo:
        """The function of a nested def or lambda."""
        info = self._functions.get(id(node))
        if info is None:
            outer = frame.info
            prefix = f"{outer.qualname}." if outer.qualname != "<module>" else ""
            info = FunctionInfo(node, frame.module, f"{prefix}{name}", parent=outer)
            self._functions[id(node)] = info
        return info

    def class_of(self, module: ModuleInfo, node: ast.ClassDef, name: str) -> ClassInfo:
        info = self._classes.get(id(node))
        if info is None:
            known = module.classes.get(name)
            info = known if known is not None and known.node is node else ClassInfo(node, module, name)
            self._classes[id(node)] = info
        return info

    def class_info(self, node: ast.ClassDef, frame: Frame) -> ClassInfo:
        if frame.info.qualname == "<module>":
            return self.class_of(frame.module, node, node.name)
        info = self._classes.get(id(node))
        if info is None:
            info = ClassInfo(node, frame.module, f"{frame.info.qualname}.{node.name}", frame.info)
            self._classes[id(node)] = info
        return info

    def closure(self, frame: Frame) -> Mapping[str, Value]:
        """The variables that a nested function sees; what a module binds are globals."""
        if frame.info.qualname == "<module>":
            return {}
        return {**frame.scope, **frame.env} if frame.scope else frame.env

    def decorated(self, evaluator: Evaluator, value: Value, decorator: ast.expr) -> Value:
        """What a decorator makes of a function: capture APIs and `disable` wrap it, others are taken to keep it."""
        quiet, evaluator.frame.quiet = evaluator.frame.quiet, evaluator.frame.quiet or not evaluator.frame.driver
        try:
            name = self.quiet_name(evaluator, decorator.func if isinstance(decorator, ast.Call) else decorator) or ""
            if name.endswith(("torch.compiler.disable", "torch._dynamo.disable")):
                return Partial(target=value, wrapper="torch.compiler.disable")
            if capture_api(name) is not None:
                kwargs = (
                    {k.arg: evaluator.eval(k.value) for k in decorator.keywords if k.arg}
                    if isinstance(decorator, ast.Call)
                    else {}
                )
                return evaluator.wrap(External(name=name), value, kwargs, decorator)
            if name in ("torch.jit.ignore", "torch.jit.unused", "torch.fx.wrap"):
                return Partial(target=value, wrapper=name)
            if name in ("torch.compiler.allow_in_graph", "torch._dynamo.allow_in_graph"):
                if isinstance(value, Function):
                    self.allowed.add(id(value.info.node))
                return value
            if name == "functools.partial" and isinstance(decorator, ast.Call) and decorator.args:
                inner = self.quiet_name(evaluator, decorator.args[0]) or ""
                if capture_api(inner) is not None:
                    kwargs = {k.arg: evaluator.eval(k.value) for k in decorator.keywords if k.arg}
                    return evaluator.wrap(External(name=inner), value, kwargs, decorator)
            return value
        finally:
            evaluator.frame.quiet = quiet

    def quiet_name(self, evaluator: Evaluator, node: ast.expr) -> str | None:
        """The qualified library name that an expression stands for, without telling any rule."""
        quiet, evaluator.frame.quiet = evaluator.frame.quiet, True
        try:
            value = evaluator.eval(node)
        finally:
            evaluator.frame.quiet = quiet
        return value.name if isinstance(value, External) else None

    def annotation(self, node: ast.expr | None, module: ModuleInfo) -> Value:
        """The value that an annotation of a module describes."""
        if node is None:
            return UNKNOWN
        key = id(node)
        known = self._annotations.get(key)
        if known is None:
            evaluator = Evaluator(self, self.module_frame(module))

            def resolve(name: ast.expr) -> Value:
                return evaluator.eval(name)

            def alias(name: str) -> ast.expr | None:
                return self._alias(module, name)

            known = annotated(node, resolve, alias)
            self._annotations[key] = known
        return known

    def _alias(self, module: ModuleInfo, name: str, depth: int = 0) -> ast.expr | None:
        bindings = module.bound(name)
        if not bindings or depth > 4:
            return None
        binding = bindings[-1]
        if binding.value is not None and not binding.index:
            return binding.value
        if binding.target and binding.member:
            other = self.project.find(binding.target, module)
            if other is not None:
                return self._alias(other, binding.member, depth + 1)
        return None

    # -- parameters ---------------------------------------------------------------------------------------------

    def parameter(self, info: FunctionInfo, argument: ast.arg, taint: bool) -> Value:
        """A parameter of which no call is known: by annotation, default and use."""
        value = self.annotation(argument.annotation, info.module)
        undeclared = isinstance(value, Unknown)
        if undeclared and argument.arg in tensor_parameters(info):
            value = Tensor(sure=2)
        what = "a tensor: parameter" if isinstance(value, Tensor) else "a parameter"
        why = Why(f"{argument.arg} is {what} of {info.name}", argument, info.module.path)
        if undeclared:
            default = info.defaults.get(argument.arg)
            if default is not None:
                made = self.default(info, default)
                if isinstance(made, Const) and made.value is not None:
                    if isinstance(value, Unknown):
                        value = Static(type=type(made.value).__name__)
                elif is_none(made):
                    value = Union(options=(NONE, replace(value, taint=taint, why=why)))
        return mark(value, taint, why)

    def default(self, info: FunctionInfo, node: ast.expr) -> Value:
        """The value of a parameter's default."""
        return Evaluator(self, self.module_frame(info.module)).eval(node)

    def bind(
        self,
        info: FunctionInfo,
        args: list[Value],
        kwargs: Mapping[str, Value],
        self_value: Value | None,
        starred: bool,
    ) -> dict[str, Value]:
        """Parameter values of one call."""
        node = info.node.args
        positional = [*node.posonlyargs, *node.args]
        values = [self_value, *args] if self_value is not None else list(args)
        env: dict[str, Value] = {}
        evidence = tensor_parameters(info)
        for argument, value in zip(positional, values):
            env[argument.arg] = self._refined(info, argument, value, evidence)
        if node.vararg is not None:
            rest = [self._refined(info, node.vararg, v, frozenset()) for v in values[len(positional) :]]
            if starred and not rest:
                rest.append(self._refined(info, node.vararg, Unknown(taint=True), frozenset()))
            env[node.vararg.arg] = (
                Seq(type="tuple", items=tuple(rest)) if not starred else Seq(type="tuple", element=join_all(rest))
            )
        names = {a.arg for a in info.parameters}
        extra: dict[str, Value] = {}
        for name, value in kwargs.items():
            if name in names:
                argument = next(a for a in info.parameters if a.arg == name)
                env[name] = self._refined(info, argument, value, evidence)
            else:
                extra[name] = value
        if node.kwarg is not None:
            env[node.kwarg.arg] = Map(items=dict(extra), element=join_all(extra.values()) if extra else UNKNOWN)
        for argument in info.parameters:
            if argument.arg not in env:
                default = info.defaults.get(argument.arg)
                if starred or default is None:
                    env[argument.arg] = self.parameter(info, argument, starred)
                else:
                    env[argument.arg] = self.default(info, default)
        return env

    def _refined(self, info: FunctionInfo, argument: ast.arg, value: Value, evidence: frozenset[str]) -> Value:
        """An argument's value, refined by annotation and use where the caller knew nothing."""
        if isinstance(value, Unknown):
            declared = self.annotation(argument.annotation, info.module)
            if not isinstance(declared, Unknown):
                return mark(
                    declared,
                    value.taint,
                    value.why or Why(f"{argument.arg} is a parameter of {info.name}", argument, info.module.path),
                )
            if argument.arg in evidence:
                return Tensor(sure=2, taint=value.taint, why=value.why)
            return value
        if isinstance(value, Union) and any(isinstance(o, Unknown) for o in value.options) and argument.arg in evidence:
            rest = [o for o in value.options if not isinstance(o, Unknown)]
            return join_all([*rest, Tensor(sure=2, taint=value.taint)])
        return value

    # -- runs ---------------------------------------------------------------------------------------------------

    def call_function(
        self,
        frame: Frame,
        callee: Function,
        args: list[Value],
        kwargs: Mapping[str, Value],
        node: ast.AST,
        starred: bool,
    ) -> Value:
        """Analyse a call of a project function, or take the summary of an equal call."""
        info = callee.info
        env = self.bind(info, args, kwargs, callee.self_value, starred)
        run = self.run(info, env, frame, callee.scope)
        if run is None:
            return self._declared(info, UNKNOWN, any(is_tainted(v) for v in env.values()))
        if not frame.quiet and not frame.driver:
            frame.run.add_edge(node, run, frame.times)
        return run.returns

    def call_body(
        self,
        evaluator: Evaluator,
        body: Value,
        inputs: list[Value],
        node: ast.AST,
        kwargs: dict[str, Value] | None = None,
        region: str = "",
    ) -> Value:
        """Call a function passed to a higher-order operator, whose body it becomes."""
        frame = evaluator.frame
        saved = frame.context
        frame.context = replace(saved, region=region or saved.region)
        self._entering = True
        try:
            return evaluator.call_value(body, inputs, kwargs or {}, node)[0]
        finally:
            frame.context = saved

    def run(
        self,
        info: FunctionInfo,
        env: dict[str, Value],
        caller: Frame,
        scope: Mapping[str, Value] | None,
        in_backward: bool = False,
    ) -> Run | None:
        """The run of a function for these arguments; None if it is too deep, recursive or not worth it."""
        quiet, driver = caller.quiet, caller.driver
        context = caller.context
        body = self._enters()
        if driver and not quiet and not self._may_capture(info):
            quiet = True
        signature = tuple(v.signature() for v in env.values())
        closed = tuple(scope[n].signature() for n in sorted(body_facts(info).words) if n in scope) if scope else ()
        alive = context.alive if not driver else _ALL
        key = RunKey(id(info.node), quiet, driver, alive, in_backward, context.region, signature, closed)
        known = self._runs.get(key)
        if known is None and quiet:
            loud = RunKey(id(info.node), False, False, alive, in_backward, context.region, signature, closed)
            known = self._runs.get(loud)
        if known is not None:
            return self._finished(known)
        if self._depth >= MAX_DEPTH:
            return None
        kind = (id(info.node), quiet, driver)
        contexts = self._contexts.get(kind, ())
        if len(contexts) >= MAX_CONTEXTS and scope is None:
            return self._finished(contexts[-1])
        run = self._new_run(info, key)
        self._runs[key] = run
        self._contexts[kind] = (*contexts, run)
        self._depth += 1
        try:
            in_backward = in_backward or context.in_backward
            self._perform(key, run, env, scope, quiet, driver, alive, False, in_backward, context.region, body)
        finally:
            self._depth -= 1
        return run

    def _enters(self) -> bool:
        """Whether the run that begins is the body of a higher-order operator."""
        body, self._entering = self._entering, False
        return body

    def _new_run(self, info: FunctionInfo, key: Any) -> Run:
        return Run(info)

    def _finished(self, run: Run) -> Run | None:
        """A run that was begun before, unless it is still going on: a recursion."""
        return run if run.done else None

    def _perform(
        self,
        key: Any,
        run: Run,
        env: dict[str, Value],
        scope: Mapping[str, Value] | None,
        quiet: bool,
        driver: bool,
        alive: frozenset[Frontend],
        root: bool,
        in_backward: bool,
        region: str,
        body: bool,
    ) -> None:
        """Do what a run is; `key` tells it from all others of this analysis."""
        self.execute(run, env, scope, quiet, driver, alive, root, in_backward, region, body)
        run.done = True

    def run_root(self, info: FunctionInfo, env: dict[str, Value], scope: Mapping[str, Value] | None) -> Run:
        """The run of a captured function."""
        key = ("root", id(info.node))
        run = self._new_run(info, key)
        self._perform(key, run, env, scope, False, False, _ALL, True, False, "", False)
        return run

    def execute(
        self,
        run: Run,
        env: dict[str, Value],
        scope: Mapping[str, Value] | None,
        quiet: bool,
        driver: bool,
        alive: frozenset[Frontend],
        root: bool = False,
        in_backward: bool = False,
        region: str = "",
        body: bool = False,
    ) -> None:
        """Interpret a function's body once for given variables; fills in the run."""
        info = run.info
        module_class = info.cls if info.cls is not None and self.is_module(info.cls) else None
        context = ev.Context(
            alive=alive, depth=self._depth, module_class=module_class, in_backward=in_backward, region=region, body=body
        )
        frame = Frame(info, info.module, dict(env), context, run, quiet=quiet, driver=driver, scope=scope)
        frame.locals, frame.globals = names_of(info)
        if driver and info.has_decorator("no_grad", "inference_mode", "set_grad_enabled"):
            frame.grad_mode = ""
        evaluator = Evaluator(self, frame)
        evaluator.emit(ev.Enter, info.node, arguments=dict(env), root=root)
        node = info.node
        if isinstance(node, ast.Lambda):
            value = evaluator.eval(node.body)
            evaluator.emit(ev.Return, node.body, value=value)
            run.returns = value
            return
        falls = evaluator.block(node.body)
        settle_unrolled(run)
        returned = list(frame.returned)
        if body_facts(info).yields:
            element = join_all(frame.yielded) if frame.yielded else UNKNOWN
            run.returns = Seq(type="generator", element=element, taint=is_tainted(element))
            if info.has_decorator("contextmanager"):
                run.returns = Partial(target=Function(info=info), args=(element,), wrapper="contextlib.contextmanager")
            return
        if falls and returned:
            returned.append(NONE)
        value = returned[0] if returned else NONE if falls else UNKNOWN
        for other in returned[1:]:
            value = join_variable(value, other)
        run.returns = self._declared(info, value, any(is_tainted(v) for v in env.values()))

    def _declared(self, info: FunctionInfo, value: Value, taint: bool) -> Value:
        """A return value, or what the return annotation says if the value is unknown."""
        if isinstance(info.node, ast.Lambda) or info.node.returns is None:
            return value
        options = options_of(value)
        if not any(isinstance(o, Unknown) for o in options):
            return value
        declared = self.annotation(info.node.returns, info.module)
        if isinstance(declared, Unknown):
            return value
        return mark(declared, taint or is_tainted(value), value.why)

    def _may_capture(self, info: FunctionInfo) -> bool:
        """Whether code outside any capture could capture something itself."""
        return captures_something(info.module.source.text)

    # -- captures -----------------------------------------------------------------------------------------------

    def captured(
        self,
        evaluator: Evaluator,
        name: str,
        target: Value,
        kwargs: Mapping[str, Value],
        node: ast.AST,
        args: tuple[Value, ...] = (),
    ) -> None:
        """A capture API was applied to a function or module."""
        frame = evaluator.frame
        call = CaptureCall(
            name,
            frontends_of(name, kwargs),
            node,
            frame.module.path,
            target,
            args,
            kwargs,
            bool(frame.context.loops) or frame.repeating > 0,
            frame.info,
            discarded=frame.discarding is node,
            unused=_unused(name, node, frame),
            training_layers=self._trains(name, target, frame),
        )
        if frame.driver:
            self._on_capture(call, frame)
        evaluator.emit(ev.Capture, node, capture=call, args=args, kwargs=kwargs)

    def _trains(self, api: str, target: Value, frame: Frame) -> bool:
        """Whether a module with layers that behave otherwise in training is traced, and the file never calls
        `.eval()`."""
        if api != "torch.jit.trace" or re.search(r"\.eval\(|\.train\(False", frame.module.source.text):
            return False
        return self._training_layers(target, 0)

    def _training_layers(self, value: Value, depth: int) -> bool:
        if depth > 3:
            return False
        if isinstance(value, Seq):
            return any(self._training_layers(v, depth + 1) for v in (value.items or (value.element,)))
        if isinstance(value, Instance) and value.cls is not None and self.is_module(value.cls):
            return any(self._training_layers(v, depth + 1) for k, v in self.initial_state(value.cls).items())
        return isinstance(value, Instance) and value.name.startswith(
            ("torch.nn.Dropout", "torch.nn.BatchNorm", "torch.nn.AlphaDropout")
        )

    def captured_call(self, evaluator: Evaluator, callee: Partial, args: list[Value], kwargs: dict[str, Value]) -> None:
        """Something captured is called from outside: its arguments are known now."""
        if not evaluator.frame.quiet:
            if callee.wrapper == "torch.compile":
                self.turning.called(evaluator.frame.context.loops)
            self._on_captured_call(callee.target, args, kwargs)

    def apply_autograd(
        self, evaluator: Evaluator, cls: ClassInfo, args: list[Value], kwargs: dict[str, Value], node: ast.AST
    ) -> Value:
        """`Function.apply`: forward runs now, backward is traced as well."""
        frame = evaluator.frame
        context = Instance(name="torch.autograd.function.FunctionCtx")
        forward = self.find_method(cls, "forward")
        backward = self.find_method(cls, "backward")
        result: Value = Tensor(taint=True)
        setup = self.find_method(cls, "setup_context")
        if forward is not None:
            values = list(args) if setup is not None else [context, *args]
            env = self.bind(forward, values, kwargs, None, False)
            run = self.run(forward, env, frame, None)
            if run is not None:
                frame.run.add_edge(node, run, frame.times)
                result = run.returns
        if backward is not None and not frame.quiet:
            node_args = backward.node.args
            count = len([*node_args.posonlyargs, *node_args.args]) - 1
            grads: list[Value] = [
                Tensor(taint=True, why=Why("a gradient passed to backward", backward.node, backward.module.path))
            ] * max(count, 1)
            env = self.bind(backward, [context, *grads], {}, None, False)
            run = self.run(backward, env, frame, None, in_backward=True)
            if run is not None:
                frame.run.add_edge(node, run, frame.times)
        return result if not isinstance(result, Unknown) else Tensor(taint=True)

    def registered(
        self,
        evaluator: Evaluator,
        owner: Instance,
        method: str,
        args: list[Value],
        kwargs: dict[str, Value],
        node: ast.AST,
    ) -> None:
        """`self.register_buffer("name", value)`: the attribute exists from here on."""
        if (
            not args
            or not isinstance(args[0], Const)
            or not isinstance(node, ast.Call)
            or not isinstance(node.func, ast.Attribute)
        ):
            return
        base = dotted(node.func.value)
        if base is None:
            return
        value = args[1] if len(args) > 1 else kwargs.get("tensor", kwargs.get("param", kwargs.get("module", UNKNOWN)))
        origin = "parameter" if method == "register_parameter" else "buffer"
        options = [replace(o, origin=origin) if isinstance(o, Tensor) else o for o in options_of(value)]
        if method == "register_buffer" and all(isinstance(o, Unknown) for o in options):
            options = [Tensor(origin="buffer", sure=2)]
        evaluator.frame.env[f"{base}.{args[0].value}"] = join_all(options)


def _unused(api: str, node: ast.AST, frame: Frame) -> str:
    """`CaptureCall.unused`."""
    if api != "torch.compile" or not frame.driver:
        return ""
    at_module_level = frame.info.qualname == "<module>"
    return unused_result(node, frame.module.tree if at_module_level else frame.info.node, at_module_level)


def mark(value: Value, taint: bool, why: Why | None) -> Value:
    """A value with its taint and provenance set (those of a container's members as well)."""
    if isinstance(value, Union):
        options = tuple(mark(o, taint, why) for o in value.options)
        return replace(value, options=options, taint=taint, why=why)
    if isinstance(value, Seq):
        items = None if value.items is None else tuple(mark(i, taint, why) for i in value.items)
        return replace(value, items=items, element=mark(value.element, taint, why), taint=taint, why=why)
    if isinstance(value, Map):
        return replace(
            value,
            items={k: mark(v, taint, why) for k, v in value.items.items()},
            element=mark(value.element, taint, why),
            taint=taint,
            why=why,
        )
    if isinstance(value, (Function, Class, Module, External, Bound, Guard, Partial)):
        return value
    if isinstance(value, Const) and value.value is None:
        return value
    why = value.why or why
    return value if value.taint is taint and value.why is why else replace(value, taint=taint, why=why)


def names_of(info: FunctionInfo) -> tuple[frozenset[str], frozenset[str]]:
    """(names bound in the function, names it declares global)."""
    facts = body_facts(info)
    return facts.bound, facts.declared
