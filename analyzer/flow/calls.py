"""Calls: finding out what is called, passing arguments, and taking the summary or the tables' word for the result."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from analyzer.flow import events as ev
from analyzer.flow.events import ALLOWED
from analyzer.flow.library import Arguments, returned
from analyzer.flow.numbering import growing_in
from analyzer.flow.part import Part
from analyzer.flow.torch_calls import SPECIAL
from analyzer.flow.variants import element_types
from analyzer.knowledge.tables import canonical, lookup
from analyzer.project import dotted
from analyzer.roots import capture_api, frontends_of
from analyzer.state_rule import GROWING
from analyzer.values import (
    NONE,
    UNKNOWN,
    Bound,
    Class,
    Const,
    Data,
    External,
    Function,
    Instance,
    Map,
    Partial,
    Seq,
    Shape,
    Static,
    Tensor,
    Union,
    Unknown,
    Value,
    Why,
    element_of,
    is_none,
    is_tainted,
    join,
    join_all,
    tainted,
    tensor_in,
)

if TYPE_CHECKING:
    from analyzer.flow.frame import Frame
    from analyzer.flow.interpreter import Interpreter

_LOG_METHODS = frozenset(
    "debug info warning warning_once warn error exception critical log print write info_once".split()
)
_MUTATORS = frozenset(
    """append extend insert add appendleft extendleft update setdefault pop popleft popitem remove clear discard
        sort reverse""".split()
)


class Calls(Part):
    """Mixin of the evaluator."""

    interp: Interpreter
    frame: Frame

    if TYPE_CHECKING:

        def eval(self, node: ast.expr) -> Value: ...
        def emit(self, event: type[ev.Event], node: ast.AST, **fields: Any) -> None: ...
        def why(self, text: str, node: ast.AST, *sources: Value | None) -> Why: ...
        def attribute(self, base: Value, name: str, node: ast.AST) -> Value: ...
        def element(self, value: Value) -> Value: ...
        def formatted(self, parts: list[Value], node: ast.AST) -> Value: ...
        def subscript(self, base: Value, index: Value, node: ast.Subscript) -> Value: ...
        def _is_global(self, name: str) -> bool: ...
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

    def call(self, node: ast.Call, awaited: bool = False) -> Value:
        """Evaluate a call expression."""
        frame = self.frame
        callee = self.callee(node.func)
        logs = self._only_logs(callee, node.func)
        if logs:
            frame.logging += 1
        args: list[Value] = []
        starred = False
        for argument in node.args:
            if isinstance(argument, ast.Starred):
                inner = self.eval(argument.value)
                self.emit(ev.Iterate, argument, value=inner, form="star", count=None)
                if isinstance(inner, Seq) and inner.items is not None:
                    args.extend(inner.items)
                else:
                    starred = True
            else:
                args.append(self.eval(argument))
        kwargs: dict[str, Value] = {}
        for keyword in node.keywords:
            value = self.eval(keyword.value)
            if keyword.arg is not None:
                kwargs[keyword.arg] = value
            elif isinstance(value, Map) and value.items and all(isinstance(k, str) for k in value.items):
                kwargs.update(value.items)
            else:
                self.emit(ev.Iterate, keyword.value, value=value, form="double_star", count=None)
                starred = True
        surroundings = frame.context
        if isinstance(node.func, ast.Name) and node.func.id in frame.module.fx_wrapped:
            frame.context = replace(surroundings, alive=surroundings.alive - {"fx"})
        result, name = self.call_value(callee, args, kwargs, node, starred)
        if frame.driver and isinstance(result, Tensor) and isinstance(callee, (Bound, External)):
            elements = element_types(callee, args, kwargs)
            result = replace(result, elements=elements) if elements else result
        self.emit(
            ev.Call,
            node,
            name=name,
            callee=callee,
            args=tuple(args),
            kwargs=kwargs,
            result=result,
            awaited=awaited,
            starred=starred,
        )
        frame.context = surroundings
        if logs:
            frame.logging -= 1
        self._after_call(node, callee, args)
        if self.interp.hooks and not frame.quiet and not frame.driver and isinstance(node.func, ast.Attribute):
            self._run_hooks(node, node.func, callee, args, result)
        return result

    def _run_hooks(self, node: ast.Call, func: ast.Attribute, callee: Value, args: list[Value], result: Value) -> None:
        """The hooks that a constructor put on `self.layer`, which is called."""
        owner = self.frame.env.get(func.value.id) if isinstance(func.value, ast.Name) else None
        if not isinstance(owner, Instance) or owner.cls is None:
            return
        surroundings = self.frame.context
        for method, hook in self.interp.hooks_of(owner.cls, func.attr):
            if "backward" in method:
                self.emit(
                    ev.Call,
                    node,
                    name=f"torch.nn.Module.{method}.__call__",
                    callee=hook,
                    args=(),
                    kwargs={},
                    result=NONE,
                )
                continue
            given: list[Value] = [callee, Seq(type="tuple", items=tuple(args))]
            self.frame.context = replace(
                surroundings, alive=surroundings.alive & {"dynamo", "fullgraph", "trace", "export"}
            )
            self.call_value(hook, given if "pre_hook" in method else [*given, result], {}, node)
            self.frame.context = surroundings

    def callee(self, func: ast.expr) -> Value:
        """The value of a call's function; a method stays bound to its receiver."""
        if isinstance(func, ast.Attribute):
            path = dotted(func)
            base = self.eval(func.value)
            if path is not None and path in self.frame.env:
                return self.frame.env[path]
            value = self.attribute(base, func.attr, func)
            if isinstance(base, Unknown) and isinstance(value, Bound) and isinstance(func.value, ast.Name):
                self.frame.env[func.value.id] = value.owner
            return value
        return self.eval(func)

    def _only_logs(self, callee: Value, func: ast.expr) -> bool:
        if isinstance(callee, External):
            return callee.name == "builtins.print" or callee.name.startswith(("logging.", "warnings."))
        if isinstance(callee, Bound) and isinstance(callee.owner, Instance):
            return callee.method in _LOG_METHODS
        return isinstance(func, ast.Attribute) and func.attr in _LOG_METHODS and isinstance(callee, Unknown)

    def _after_call(self, node: ast.Call, callee: Value, args: list[Value]) -> None:
        """A method may change its receiver: lists grow, module globals change."""
        if not isinstance(callee, Bound) or callee.method not in _MUTATORS or not isinstance(node.func, ast.Attribute):
            return
        owner, base = callee.owner, node.func.value
        if isinstance(owner, (Seq, Map)):
            self.changed(base, node, "method", args[-1] if args else UNKNOWN, owner, method=callee.method)
        path = dotted(base)
        if path is None or not isinstance(owner, (Seq, Map)):
            return
        if isinstance(base, ast.Name) and self._is_global(base.id):
            self.emit(ev.GlobalStore, node, name=base.id, stored=args[-1] if args else UNKNOWN, how="method")
        if isinstance(owner, Seq):
            element = element_of(owner) if owner.items != () else None
            added: Value | None = None
            if args and callee.method in ("append", "add", "insert", "appendleft"):
                added = args[-1]
            elif args and callee.method in ("extend", "extendleft", "update"):
                added = self.element(args[0])
            known = [
                v
                for v in (element if not isinstance(element, Unknown) or element.taint else None, added)
                if v is not None
            ]
            joined = join_all(known) if known else UNKNOWN
            grows = owner.grows
            if self.frame.driver and callee.method in GROWING:
                grows |= growing_in(path, self.frame.context.loops)
            self.frame.env[path] = Seq(
                type=owner.type, element=joined, taint=owner.taint or is_tainted(joined), grows=grows
            )
        elif isinstance(owner, Map) and callee.method == "update" and args and isinstance(args[0], Map):
            self.frame.env[path] = replace(
                owner, items={**owner.items, **args[0].items}, element=join(owner.element, args[0].element)
            )

    # -- what is called -----------------------------------------------------------------------------------------

    def call_value(
        self, callee: Value, args: list[Value], kwargs: dict[str, Value], node: ast.AST, starred: bool = False
    ) -> tuple[Value, str]:
        """Result and qualified name of calling a value."""
        if isinstance(callee, Function):
            return self._call_function(callee, args, kwargs, node, starred), callee.info.qualname
        if isinstance(callee, External):
            return self.call_library(callee.name, args, kwargs, node)
        if isinstance(callee, Bound):
            return self.call_method(callee, args, kwargs, node)
        if isinstance(callee, Class):
            return self.construct(callee, args, kwargs, node, starred), callee.info.qualname
        if isinstance(callee, Instance):
            return self.call_instance(callee, args, kwargs, node, starred)
        if isinstance(callee, Partial):
            return self._call_partial(callee, args, kwargs, node, starred)
        if isinstance(callee, Seq) and callee.type == "Sequential":
            return self._call_sequential(callee, args, node), "torch.nn.Sequential.__call__"
        if isinstance(callee, Union):
            results, names = [], set()
            for option in callee.options:
                if not is_none(option):
                    result, name = self.call_value(option, args, kwargs, node, starred)
                    results.append(result)
                    names.add(name)
            return join_all(results), names.pop() if len(names) == 1 else ""
        return Unknown(
            taint=is_tainted(callee) or tainted(args) or tainted(kwargs.values()),
            why=callee.why if callee.taint else None,
        ), ""

    def _call_function(
        self, callee: Function, args: list[Value], kwargs: dict[str, Value], node: ast.AST, starred: bool
    ) -> Value:
        if self.frame.quiet and callee.info.name == "__init__" and self.frame.info.name == "__init__":
            self.interp.numbering.constructed(callee.info, args, kwargs)
            return NONE  # what a base class leaves on `self` is asked of `initial_state`
        frame = self.frame
        if id(callee.info.node) not in self.interp.allowed or frame.driver:
            return self.interp.call_function(frame, callee, args, kwargs, node, starred)
        saved, frame.context = frame.context, replace(frame.context, region=frame.context.region or ALLOWED)
        self.interp._entering = True
        result = self.interp.call_function(frame, callee, args, kwargs, node, starred)
        frame.context = saved
        return result

    def _call_partial(
        self, callee: Partial, args: list[Value], kwargs: dict[str, Value], node: ast.AST, starred: bool
    ) -> tuple[Value, str]:
        wrapper = callee.wrapper
        if wrapper == "torch.compiler.disable" and not self.frame.driver:
            # what is disabled runs eagerly: every frontend of the Dynamo family leaves it alone
            frame = self.frame
            saved = frame.context
            frame.context = replace(saved, alive=saved.alive & frozenset({"trace", "fx", "script"}))
            result, _ = self.call_value(callee.target, args, kwargs, node, starred)
            frame.context = saved
            return result, "torch.compiler.disable.__call__"
        if wrapper in ("torch.jit.ignore", "torch.jit.unused", "torch.fx.wrap") and not self.frame.driver:
            frame = self.frame
            saved = frame.context
            frame.context = replace(saved, alive=saved.alive - {"fx" if wrapper == "torch.fx.wrap" else "script"})
            result, name = self.call_value(callee.target, args, kwargs, node, starred)
            frame.context = saved
            return result, name
        if wrapper == "decorator":  # torch.compile(fullgraph=True) and its like, waiting for the function
            return self.wrap(callee.target, args[0], callee.kwargs, node) if args else UNKNOWN, ""
        if capture_api(wrapper) is not None and self.frame.driver:
            turns = frozenset(map(id, self.frame.context.loops))
            given = [_in_turn(_made_here(a, node, i), turns) for i, a in enumerate(args)]
            self.interp.captured_call(self.whole, callee, given, {k: _in_turn(v, turns) for k, v in kwargs.items()})
            if wrapper == "torch.compile" and not self.frame.quiet:
                modes = self.interp.variants.called(callee, self.frame.grad_mode, args, self.frame.info)
                if modes:
                    self.emit(ev.AnotherMode, node, modes=modes)
        saved = self.frame.context
        if wrapper == "torch.vmap":
            self.frame.context = replace(saved, region=saved.region or "transform")
        result, name = self.call_value(
            callee.target, [*callee.args, *args], {**callee.kwargs, **kwargs} if not wrapper else kwargs, node, starred
        )
        if wrapper in ("torch.jit.script", "torch.jit.trace"):
            name = wrapper + ".__call__"
        elif wrapper == "torch.compile" and self.frame.driver and "cudagraph" in frontends_of(wrapper, callee.kwargs):
            if isinstance(result, Tensor):
                result = replace(result, origin="cudagraph")
        self.frame.context = saved
        return result, name

    def _call_sequential(self, callee: Seq, args: list[Value], node: ast.AST) -> Value:
        value: Value = args[0] if args else UNKNOWN
        members = callee.items if callee.items is not None else (callee.element,)
        for member in members:
            value, _ = self.call_value(member, [value], {}, node)
        return value

    def construct(
        self, callee: Class, args: list[Value], kwargs: dict[str, Value], node: ast.AST, starred: bool
    ) -> Value:
        """Make an instance of a project class; its `__init__` runs where it is captured."""
        cls = callee.info
        names = self.interp.field_names(cls)
        fields = dict(zip(names, args)) | kwargs if names else {}
        instance = Instance(cls=cls, args=fields, fresh=True, taint=tainted(args) or tainted(kwargs.values()))
        init = self.interp.find_method(cls, "__init__")
        if init is not None:
            self.interp.numbering.constructed(init, args, kwargs)
        if init is not None and not self.frame.quiet and not self.frame.driver:
            self.interp.call_function(self.frame, Function(info=init, self_value=instance), args, kwargs, node, starred)
        return instance

    def call_instance(
        self, callee: Instance, args: list[Value], kwargs: dict[str, Value], node: ast.AST, starred: bool = False
    ) -> tuple[Value, str]:
        """Call an object: a project class's `__call__` or `forward`, or a library module."""
        if callee.cls is not None:
            method = self.interp.find_method(callee.cls, "__call__")
            if method is None and self.interp.is_module(callee.cls):
                method = self.interp.find_method(callee.cls, "forward")
            if method is not None:
                function = self.interp.method_value(method, callee)
                if isinstance(function, Function):
                    return self._call_function(function, args, kwargs, node, starred), method.qualname
                return self.call_value(function, args, kwargs, node, starred)
            base = self.interp.external_base(callee.cls)
            if base is not None:
                return self.call_instance(Instance(name=base, args=callee.args), args, kwargs, node)
            return Unknown(taint=tainted(args)), ""
        name = canonical(callee.name)
        arguments = Arguments(args, kwargs)
        if name.startswith("torch.nn."):
            row = lookup(name)
            why = self.why("", node, arguments.first_tensor())
            full = name + ".__call__"
            if name in _RECURRENT:
                out = Tensor(taint=tainted(args), why=why)
                state: Value = Seq(type="tuple", items=(out, out)) if name.endswith("LSTM") else out
                return Seq(type="tuple", items=(out, state), taint=out.taint), full
            if row is not None and row.returns and row.returns not in ("module", "object", "unknown"):
                return returned(row.returns, arguments, why), full
            if name == "torch.nn.Module":
                return Unknown(taint=tainted(args)), full
            first = arguments.first_tensor()
            return Tensor(taint=tainted(args), why=why, sure=first.sure if first else 3), full
        return Unknown(taint=is_tainted(callee) or tainted(args)), callee.name + ".__call__" if callee.name else ""

    # -- library functions --------------------------------------------------------------------------------------

    def call_library(self, name: str, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> tuple[Value, str]:
        """Call something by its qualified name."""
        name = canonical(name)
        if name.startswith("Tensor.") and args:
            owner = tensor_in(args[0])
            if owner is not None:
                return self.call_method(Bound(owner=owner, method=name[7:]), args[1:], kwargs, node)
        api = capture_api(name)
        if api is not None:
            return self._call_capture(name, args, kwargs, node), name
        guard = self.interp.guard(name)
        if guard is not None:
            return guard, name
        special = SPECIAL.get(name)
        if special is not None:
            result = special(self.whole, args, kwargs, node)
            if result is not None:
                return result, name
        if name.startswith("torch.nn.") and name.count(".") == 2 and name[9:10].isupper():
            return self._construct_library(name, args, kwargs, node), name
        row = lookup(name)
        arguments = Arguments(args, kwargs)
        if name.startswith("numpy.") and args and isinstance(args[0], Shape) and args[0].meta == "size":
            self.emit(ev.ShapeRead, node, value=args[0], how="math")
        first = arguments.first_tensor()
        why = self.why("", node, first)
        if row is not None and row.returns and row.returns not in ("unknown", "object", "module"):
            return returned(row.returns, arguments, why), name
        tail = name.rsplit(".", 1)[-1]
        if tail[:1].isupper():
            return self._construct_library(name, args, kwargs, node), name
        if name.startswith("torch.") and first is not None and (row is None or not row.returns):
            return Unknown(taint=tainted(arguments.all()), why=why), name
        return Unknown(taint=tainted(arguments.all())), name

    def _construct_library(self, name: str, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        if name == "torch.nn.Sequential":
            if len(args) == 1 and isinstance(args[0], Map):
                return Seq(type="Sequential", items=tuple(args[0].items.values()) or None, element=args[0].element)
            return (
                Seq(type="Sequential", items=tuple(args))
                if not self._unresolved(node)
                else Seq(type="Sequential", element=join_all(args) if args else UNKNOWN)
            )
        if name == "torch.nn.ModuleList" or name == "torch.nn.ParameterList":
            source = args[0] if args else Seq(type="list", items=())
            kind = name.rsplit(".", 1)[1]
            if isinstance(source, Seq) and source.items is not None and source.items:
                return Seq(type=kind, items=source.items)
            if isinstance(source, Seq):
                return Seq(type=kind, element=element_of(source))
            return Seq(type=kind)
        if name == "torch.nn.ModuleDict" or name == "torch.nn.ParameterDict":
            source = args[0] if args else Map()
            return replace(source, type=name.rsplit(".", 1)[1]) if isinstance(source, Map) else Map(type="ModuleDict")
        if name == "torch.nn.Parameter":
            inner = tensor_in(args[0]) if args else None
            return Tensor(
                dtype=inner.dtype if inner else "float",
                ndim=inner.ndim if inner else None,
                origin="parameter",
                leaf=True,
                why=self.why("", node),
            )
        if name in ("torch.nn.Buffer", "torch.nn.parameter.Buffer"):
            inner = tensor_in(args[0]) if args else None
            return replace(inner or Tensor(sure=2), constant=False, origin="buffer", why=self.why("", node))
        return Instance(
            name=name, args={**{str(i): a for i, a in enumerate(args)}, **kwargs}, fresh=True, taint=tainted(args)
        )

    def _unresolved(self, node: ast.AST) -> bool:
        return isinstance(node, ast.Call) and any(isinstance(a, ast.Starred) for a in node.args)

    def _call_capture(self, name: str, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        if not args and not (kwargs.keys() & {"model", "fn", "func", "mod", "obj", "root"}):
            return Partial(target=External(name=name), kwargs=kwargs, wrapper="decorator")
        target = (
            args[0] if args else next(kwargs[k] for k in ("model", "fn", "func", "mod", "obj", "root") if k in kwargs)
        )
        if is_none(target):
            return Partial(target=External(name=name), kwargs=kwargs, wrapper="decorator")
        return self.wrap(External(name=name), target, kwargs, node, tuple(args[1:]))

    def wrap(
        self, api: Value, target: Value, kwargs: dict[str, Value] | Any, node: ast.AST, args: tuple[Value, ...] = ()
    ) -> Value:
        """A function or module wrapped by a capture API or torch.compiler.disable."""
        name = api.name if isinstance(api, External) else ""
        if capture_api(name) is not None and not self.frame.quiet:
            self.interp.captured(self.whole, name, target, kwargs, node, args)
        if name == "torch.export.export" and args:
            kwargs = {"args": args[0], **kwargs}
        return Partial(target=target, kwargs=kwargs, wrapper=name)

    # -- methods of what is no project object -------------------------------------------------------------------

    def call_method(
        self, callee: Bound, args: list[Value], kwargs: dict[str, Value], node: ast.AST
    ) -> tuple[Value, str]:
        """Call a method of a tensor, a size, a container, a text or a library object."""
        owner, method = callee.owner, callee.method
        if isinstance(owner, Tensor):
            return self.call_tensor_method(owner, method, args, kwargs, node)
        if isinstance(owner, Shape):
            if owner.type == "size" and method == "numel":
                return replace(owner, type="int"), "torch.Size.numel"
            return replace(owner, type="any") if owner.meta != "size" else Shape(
                taint=owner.taint, why=owner.why
            ), "torch.Size." + method
        if isinstance(owner, Seq):
            if method == "sort":
                key = kwargs.get("key", NONE)
                compared = element_of(owner) if is_none(key) else self.call_value(key, [element_of(owner)], {}, node)[0]
                if isinstance(compared, Tensor):
                    self.emit(ev.HostRead, node, tensor=compared, how="sort", result=UNKNOWN, call=node)
            return self._sequence_method(owner, method, args, node), f"{owner.type}.{method}"
        if isinstance(owner, Map):
            result = self._mapping_method(owner, method, args)
            if owner.taint and isinstance(result, Seq):
                result = replace(result, taint=True, why=owner.why)
            return result, f"{owner.type}.{method}"
        if isinstance(owner, (Const, Static)):
            kind = owner.type if isinstance(owner, Static) else type(owner.value).__name__
            if kind == "str":
                if method in ("format", "join"):
                    parts = [*args, *kwargs.values()]
                    return self.formatted(parts, node), f"str.{method}"
                if method in ("split", "splitlines"):
                    return Seq(type="list", element=Static(type="str")), f"str.{method}"
                if method in ("startswith", "endswith", "isdigit"):
                    return Static(type="bool"), f"str.{method}"
                return Static(type="str"), f"str.{method}"
            return Static(), f"{kind}.{method}"
        if isinstance(owner, Data):
            return Data(taint=owner.taint, why=owner.why), f"data.{method}"
        if isinstance(owner, Class):
            return self._class_method(owner, method, args, kwargs, node)
        if isinstance(owner, Instance):
            return self._instance_method(owner, method, args, kwargs, node)
        if isinstance(owner, Partial):
            name = f"{owner.wrapper}.{method}"
            if method == "module":
                return replace(owner, wrapper=name), name
            return Instance(name=name) if method == "state_dict" else UNKNOWN, name
        return Unknown(taint=is_tainted(owner) or tainted(args)), ""

    def call_tensor_method(
        self, owner: Tensor, method: str, args: list[Value], kwargs: dict[str, Value], node: ast.AST
    ) -> tuple[Value, str]:
        """A method of a tensor (or of a numpy array, which Dynamo treats as one)."""
        name = f"Tensor.{method}" if not owner.array else f"numpy.ndarray.{method}"
        arguments = Arguments(args, kwargs, owner)
        special = SPECIAL.get(f"Tensor.{method}")
        if special is not None:
            result = special(self.whole, [owner, *args], kwargs, node)
            if result is not None:
                return result, name
        if method in ("untyped_storage", "storage", "_typed_storage"):
            return Instance(name="torch.UntypedStorage", taint=owner.taint), name
        row = lookup(f"Tensor.{method}")
        why = self.why("", node, owner)
        if row is not None and row.returns and row.returns != "unknown":
            value = returned(row.returns, arguments, why)
        elif owner.array:
            value = Tensor(array=True, taint=owner.taint, why=why)
        elif method.endswith("_") and not method.endswith("__"):
            value = owner
        else:
            value = Unknown(taint=owner.taint or tainted(args), why=why)
        if isinstance(value, Tensor) and owner.array and not value.array:
            value = replace(value, array=True)
        return value, name

    def _sequence_method(self, owner: Seq, method: str, args: list[Value], node: ast.AST) -> Value:
        if method in ("pop", "popleft", "get", "__getitem__"):
            if isinstance(args[0] if args else NONE, Const) and owner.items and method == "pop" and not args:
                return owner.items[-1]
            return element_of(owner)
        if method in ("index", "count"):
            sought = tensor_in(args[0]) if args else None
            if sought is not None and isinstance(element_of(owner), Tensor):
                self.emit(ev.HostRead, node, tensor=sought, how="member", result=UNKNOWN, call=node)
            return Static(type="int")
        if method == "copy":
            return owner
        if method == "numel":
            return Static(type="int")
        if owner.type in ("ModuleList", "Sequential") and method in ("children", "modules", "parameters"):
            if method == "parameters":
                return Seq(type="generator", element=Tensor(origin="parameter"))
            return Seq(type="generator", element=element_of(owner))
        if owner.type == "generator" and method in ("__next__", "send"):
            return element_of(owner)
        return NONE if method in _MUTATORS else UNKNOWN

    def _mapping_method(self, owner: Map, method: str, args: list[Value]) -> Value:
        key = args[0] if args else UNKNOWN
        if method in ("get", "pop", "setdefault"):
            if isinstance(key, Const) and key.value in owner.items:
                return owner.items[key.value]
            default = args[1] if len(args) > 1 else NONE
            if isinstance(owner.element, Unknown):
                return owner.element
            return join(owner.element, default)
        values = list(owner.items.values())
        element = join_all(values) if values else owner.element
        if method == "values":
            return Seq(type="values", items=tuple(values) or None, element=element)
        if method == "keys":
            return Seq(type="keys", element=Static(type="str"))
        if method == "items":
            return Seq(type="items", element=Seq(type="tuple", items=(Static(type="str"), element)))
        if method == "copy":
            return owner
        return UNKNOWN

    def _class_method(
        self, owner: Class, method: str, args: list[Value], kwargs: dict[str, Value], node: ast.AST
    ) -> tuple[Value, str]:
        if method == "apply" and self.interp.is_subclass(owner.info, "torch.autograd.Function"):
            return self.interp.apply_autograd(
                self.whole, owner.info, args, kwargs, node
            ), "torch.autograd.Function.apply"
        base = self.interp.external_base(owner.info)
        return Unknown(taint=tainted(args)), f"{base}.{method}" if base else ""

    def _instance_method(
        self, owner: Instance, method: str, args: list[Value], kwargs: dict[str, Value], node: ast.AST
    ) -> tuple[Value, str]:
        base = owner.name or (self.interp.external_base(owner.cls) if owner.cls is not None else None) or ""
        is_module = base.startswith("torch.nn.") or (owner.cls is not None and self.interp.is_module(owner.cls))
        if is_module and base.startswith("torch.nn.") and base != "torch.nn.Module" and method == "forward":
            return self.call_instance(Instance(name=base, args=owner.args), args, kwargs, node)
        if is_module:
            if method in ("parameters", "buffers"):
                return Seq(type="generator", element=Tensor(origin=method[:-1])), f"torch.nn.Module.{method}"
            if method in ("named_parameters", "named_buffers"):
                pair = Seq(type="tuple", items=(Static(type="str"), Tensor(origin=method[6:-1])))
                return Seq(type="generator", element=pair), f"torch.nn.Module.{method}"
            if method.startswith("register_") and method.endswith("hook"):
                if args:
                    self.interp.hooked(self.frame.info, node, method, args[0])
                return Instance(name="torch.utils.hooks.RemovableHandle"), f"torch.nn.Module.{method}"
            if method == "compile":
                self.wrap(External(name="torch.compile"), owner, kwargs, node)
                return NONE, "torch.nn.Module.compile"
            if method in (
                "to",
                "cuda",
                "cpu",
                "eval",
                "train",
                "half",
                "float",
                "double",
                "requires_grad_",
                "share_memory",
            ):
                return owner, f"torch.nn.Module.{method}"
            if method in ("register_buffer", "register_parameter", "add_module", "register_module"):
                self.interp.registered(self.whole, owner, method, args, kwargs, node)
                return NONE, f"torch.nn.Module.{method}"
        name = f"{base}.{method}" if base else ""
        family = "torch.nn.Module" if is_module else _SCHEDULER if base.startswith("torch.optim.lr_scheduler.") else ""
        if family and lookup(name) is None:
            name = f"{family}.{method}"
        if name == "logging.Logger.getChild":
            return Instance(name="logging.Logger"), name
        if name == "functools.partial.__call__":
            return UNKNOWN, name
        guard = self.interp.guard(name)
        if guard is not None:
            return guard, name
        row = lookup(name) if name else None
        arguments = Arguments(args, kwargs, owner)
        if row is not None and row.returns and row.returns not in ("unknown", "object", "module"):
            return returned(row.returns, arguments, self.why("", node, arguments.first_tensor())), name
        return Unknown(taint=is_tainted(owner) or tainted(args)), name


_SCHEDULER = "torch.optim.lr_scheduler.LRScheduler"
_RECURRENT = frozenset({"torch.nn.LSTM", "torch.nn.GRU", "torch.nn.RNN"})


def _in_turn(value: Value, turns: frozenset[int]) -> Value:
    """An argument of captured code that is called in some loops: a list that others make longer is as it is."""
    return replace(value, grows=value.grows & turns) if isinstance(value, Seq) and value.grows else value


def _made_here(value: Value, node: ast.AST, position: int) -> Value:
    """An argument of captured code; a lambda written in the call is another object every time."""
    if (
        isinstance(value, Function)
        and isinstance(node, ast.Call)
        and position < len(node.args)
        and isinstance(node.args[position], ast.Lambda)
    ):
        return replace(value, fresh=True)
    return value
