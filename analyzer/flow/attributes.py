"""Attributes: what `x.name` is for tensors, modules, instances (from `__init__` and annotations), classes and
libraries."""

from __future__ import annotations

import ast
import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from analyzer.flow import events as ev
from analyzer.flow.dynamic_dims import of_argument
from analyzer.flow.frame import Frame, Run
from analyzer.flow.numbering import Numbering, Turning
from analyzer.flow.usage import TENSOR_ONLY
from analyzer.project import Binding, ClassInfo, FunctionInfo, ModuleInfo, dotted
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
    Module,
    Partial,
    Seq,
    Shape,
    Static,
    Tensor,
    Unknown,
    Value,
    Why,
    is_none,
    is_tainted,
    join,
    join_all,
    options_of,
)

if TYPE_CHECKING:
    from analyzer.flow.evaluator import Evaluator
    from analyzer.project import Project

#: Attributes of a tensor that are no methods → the value they have.
_TENSOR_ATTRIBUTES: dict[str, str] = {
    "shape": "size", "dtype": "dtype", "device": "device", "layout": "layout", "ndim": "ndim", "is_cuda": "bool",
    "is_cpu": "bool", "is_meta": "bool", "is_mps": "bool", "is_xpu": "bool", "is_sparse": "bool", "is_sparse_csr":
    "bool",
    "is_quantized": "bool", "is_nested": "bool", "is_mkldnn": "bool", "is_leaf": "bool", "requires_grad": "bool",
    "retains_grad": "bool", "itemsize": "int", "nbytes": "int", "output_nr": "int", "_version": "int", "names": "any",
    "grad_fn": "any", "is_complex": "method", "size": "method",
}  # fmt: skip
_TENSOR_VIEWS = frozenset("T mT H mH data real imag grad".split())
_EVIDENCE = TENSOR_ONLY | {"item", "nonzero", "unique", "bincount", "unique_consecutive", "masked_select", "tolist"}
#: Of a captured function's arguments, and of what is made of them: only tensors and arrays have these there.
_NUMERIC = frozenset(
    """sum mean max min any all argmax argmin amax amin std var prod norm abs clamp square sign reciprocal tan
    atan log1p expm1 erfc lgamma""".split()
)
_ALSO_OF_ARRAYS = _NUMERIC | {"item", "tolist", "nonzero", "unique"}
_CONSTANTS: dict[str, Any] = {
    "math.pi": math.pi,
    "math.inf": math.inf,
    "math.e": math.e,
    "math.nan": math.nan,
    "math.tau": math.tau,
}
_MODULE_TENSORS = frozenset(
    "weight bias running_mean running_var weight_ih_l0 weight_hh_l0 in_proj_weight in_proj_bias".split()
)


class Attributes:
    """Mixin of the interpreter: classes, their attributes and methods."""

    project: Project
    if TYPE_CHECKING:

        def global_value(self, module: ModuleInfo, name: str) -> Value | None: ...
        def annotation(self, node: ast.expr | None, module: ModuleInfo) -> Value: ...
        def module_frame(self, module: ModuleInfo) -> Frame: ...
        def decorated(self, evaluator: Evaluator, value: Value, decorator: ast.expr) -> Value: ...
        def parameter(self, info: FunctionInfo, argument: ast.arg, taint: bool) -> Value: ...
        def quiet_name(self, evaluator: Evaluator, node: ast.expr) -> str | None: ...
        def execute(
            self, run: Run, env: dict[str, Value], scope: Any, quiet: bool, driver: bool, alive: Any
        ) -> None: ...
        def _binding_value(self, module: ModuleInfo, name: str, binding: Binding) -> Value: ...

        frontends: frozenset[Any]

    def __init__(self) -> None:
        self._mros: dict[int, tuple[list[ClassInfo], list[str]]] = {}
        self._attributes: dict[tuple[int, str], Value | None] = {}
        self._asking: set[tuple[int, str]] = set()
        self._initial: dict[int, dict[str, Value]] = {}
        self._own: dict[int, dict[str, Value]] = {}
        self._initialising: set[int] = set()
        self._owning: set[int] = set()  #: classes whose own `__init__` is being interpreted
        self._written: dict[int, dict[str, Value] | None] = {}
        self._pending = False  #: an attribute was asked for while a method that stores it is being interpreted
        self._wrapped: dict[tuple[int, Any], Value] = {}
        self.numbering = Numbering()
        self.turning = Turning()
        self.hooks: dict[tuple[int, str], dict[int, tuple[str, Value]]] = {}

    # -- hooks --------------------------------------------------------------------------------------------------

    def hooked(self, info: FunctionInfo, node: ast.AST, method: str, hook: Value) -> None:
        """`self.layer.register_forward_hook(hook)` in a constructor: the hook runs whenever the layer is called."""
        if (
            info.cls is None
            or info.name != "__init__"
            or not isinstance(node, ast.Call)
            or not isinstance(node.func, ast.Attribute)
        ):
            return
        target = node.func.value
        while isinstance(target, ast.Subscript):
            target = target.value
        owner, _, attribute = (dotted(target) or "").partition(".")
        if attribute and info.parameters and owner == info.parameters[0].arg:
            key = (id(info.cls), attribute)
            self.hooks[key] = {**self.hooks.get(key, {}), id(node): (method, hook)}

    def hooks_of(self, cls: ClassInfo, attribute: str) -> list[tuple[str, Value]]:
        """(method that registered it, hook) of a submodule."""
        if not self.hooks:
            return []
        return [h for c in self.mro(cls)[0] for h in self.hooks.get((id(c), attribute), {}).values()]

    # -- classes ------------------------------------------------------------------------------------------------

    def mro(self, cls: ClassInfo) -> tuple[list[ClassInfo], list[str]]:
        """(project classes in lookup order, qualified names of library bases)."""
        known = self._mros.get(id(cls))
        if known is not None:
            return known
        self._mros[id(cls)] = ([cls], [])
        classes: list[ClassInfo] = [cls]
        names: list[str] = []
        for base in cls.node.bases:
            if isinstance(base, ast.Subscript):
                base = base.value
            value = self._base_value(cls, base)
            for option in options_of(value):
                if isinstance(option, Class) and option.info is not cls:
                    inner, outer = self.mro(option.info)
                    classes.extend(c for c in inner if c not in classes)
                    names.extend(n for n in outer if n not in names)
                elif isinstance(option, External):
                    names.append(option.name)
        self._mros[id(cls)] = (classes, names)
        return classes, names

    def _base_value(self, cls: ClassInfo, base: ast.expr) -> Value:
        from analyzer.flow.evaluator import Evaluator

        return Evaluator(self, self.module_frame(cls.module)).eval(base)  # type: ignore[arg-type]

    def find_method(self, cls: ClassInfo, name: str) -> FunctionInfo | None:
        for info in self.mro(cls)[0]:
            method = info.method(name)
            if method is not None:
                return method
        return None

    def external_base(self, cls: ClassInfo) -> str | None:
        """The first library class among the bases."""
        names = self.mro(cls)[1]
        return names[0] if names else None

    def is_subclass(self, cls: ClassInfo, name: str) -> bool:
        return any(n == name or n.endswith("." + name.rsplit(".", 1)[-1]) for n in self.mro(cls)[1])

    def is_module(self, cls: ClassInfo) -> bool:
        """Whether a class is an nn.Module (LightningModule and torch.nn subclasses included)."""
        for name in self.mro(cls)[1]:
            tail = name.rsplit(".", 1)[-1]
            if tail in ("Module", "LightningModule", "ScriptModule", "PreTrainedModel", "ModelMixin", "GraphModule"):
                return True
            if name.startswith("torch.nn.") and tail[:1].isupper() and tail != "Parameter":
                return True
        return False

    def is_namedtuple(self, cls: ClassInfo) -> bool:
        return any(n.endswith("NamedTuple") for n in self.mro(cls)[1])

    def field_names(self, cls: ClassInfo) -> list[str]:
        """Fields of a dataclass or NamedTuple, in constructor order; empty for other classes."""
        classes = self.mro(cls)[0]
        if not self.is_namedtuple(cls) and not any(
            "dataclass" in (d or "") for c in classes for d in class_decorators(c.node)
        ):
            return []
        fields: list[str] = []
        for info in reversed(classes):
            fields.extend(n for n in info.annotations if n not in fields)
        return fields

    def method_value(self, method: FunctionInfo, owner: Value) -> Value:
        """A method as a value bound to its owner, with what its decorators make of it."""
        names = method.decorator_names()
        if any(n == "staticmethod" for n in names):
            value: Value = Function(info=method)
        elif any(n == "classmethod" for n in names):
            cls = owner if isinstance(owner, Class) else Class(info=method.cls) if method.cls is not None else owner
            value = Function(info=method, self_value=cls)
        elif isinstance(owner, Class):
            value = Function(info=method)
        else:
            value = Function(info=method, self_value=owner)
        wrapping = [
            d
            for d, n in zip(method.decorators, names)
            if n.rsplit(".", 1)[-1] in ("disable", "compile", "ignore", "unused", "script_method", "script", "optimize")
        ]
        if not wrapping:
            return value
        from analyzer.flow.evaluator import Evaluator

        evaluator = Evaluator(self, self.module_frame(method.module))  # type: ignore[arg-type]
        quiet, evaluator.frame.quiet = evaluator.frame.quiet, True
        try:
            for decorator in reversed(wrapping):
                value = self.decorated(evaluator, value, decorator)
        finally:
            evaluator.frame.quiet = quiet
        return value

    # -- attributes of values -----------------------------------------------------------------------------------

    def attribute(self, evaluator: Evaluator, base: Value, name: str, node: ast.AST) -> Value:
        """The value of `base.name`."""
        if isinstance(base, Tensor):
            return self._tensor_attribute(evaluator, base, name, node)
        if isinstance(base, Instance):
            return self._instance_attribute(evaluator, base, name, node)
        if isinstance(base, External):
            return self._external_attribute(base, name)
        if isinstance(base, Module):
            return self._module_attribute(base.info, name)
        if isinstance(base, Class):
            return self._class_attribute(base, name)
        if isinstance(base, Partial):
            if base.wrapper == "super":
                return self._super_attribute(base, name)
            if base.wrapper == "torch.compile" and name in ("state_dict", "load_state_dict"):
                return Bound(owner=base, method=name)
            if base.wrapper == "torch.export.export" and name == "module":
                return Bound(owner=base, method=name)
            if base.wrapper == "torch.compile" and name == "_orig_mod":
                return base.target
            return self.attribute(evaluator, base.target, name, node)
        if isinstance(base, Unknown):
            if (
                (name in _EVIDENCE or base.taint and name in _NUMERIC)
                and evaluator.frame.module.imports_torch
                and not (
                    name in _ALSO_OF_ARRAYS
                    and evaluator.frame.module.imports_numpy
                    and evaluator.frame.context.module_class is None
                )
            ):
                return Bound(owner=Tensor(sure=2, taint=base.taint, why=base.why), method=name)
            if name == "shape" and evaluator.frame.context.module_class is not None:
                return Shape(type="size", taint=base.taint, why=base.why)
            return Unknown(taint=base.taint, why=base.why)
        if isinstance(base, (Seq, Map, Const, Static, Shape, Data)):
            if isinstance(base, Shape) and base.type not in ("size", "int"):
                if base.meta == "device" and name in ("type", "index"):
                    return Shape(type="any", meta="device", taint=base.taint)
                if base.meta == "dtype" and name.startswith("is_"):
                    return Shape(type="bool", meta="dtype", taint=base.taint)
            return Bound(owner=base, method=name)
        if isinstance(base, Function) and name in ("__name__", "__qualname__"):
            return Static(type="str")
        return UNKNOWN

    def _tensor_attribute(self, evaluator: Evaluator, base: Tensor, name: str, node: ast.AST) -> Value:
        kind = _TENSOR_ATTRIBUTES.get(name)
        if base.array and name == "size":
            kind = "int"
        if kind is not None and kind != "method":
            why = evaluator.why("", node, base)
            parameter = base.origin == "parameter" and not base.taint
            if kind == "size":
                return Shape(type="size", of_parameter=parameter, taint=base.taint, why=why, dynamic=of_argument(base))
            if kind == "ndim":
                return Shape(type="int", meta="ndim", of_parameter=parameter, taint=base.taint, why=why)
            return Shape(
                type=kind if kind in ("bool", "int") else "any",
                meta=kind if kind != "int" else "size",
                of_parameter=parameter,
                taint=base.taint,
                why=why,
            )
        if name in _TENSOR_VIEWS:
            result = replace(
                base,
                ndim=base.ndim if name in ("data", "grad", "real", "imag") else None,
                why=evaluator.why("", node, base),
            )
            return join(NONE, result) if name == "grad" else replace(result, leaf=name == "data")
        return Bound(owner=base, method=name)

    def _external_attribute(self, base: External, name: str) -> Value:
        full = f"{base.name}.{name}"
        if full in _CONSTANTS:
            return Const(value=_CONSTANTS[full])
        if full in ("typing.TYPE_CHECKING", "typing_extensions.TYPE_CHECKING"):
            return Const(value=False)
        return External(name=full)

    def _module_attribute(self, module: ModuleInfo, name: str) -> Value:
        value = self.global_value(module, name)
        if value is not None:
            return value
        child = self.project.find(f"{module.name}.{name}", module)
        return Module(info=child) if child is not None else UNKNOWN

    def _class_attribute(self, base: Class, name: str) -> Value:
        method = self.find_method(base.info, name)
        if method is not None:
            return self.method_value(method, base)
        for cls in self.mro(base.info)[0]:
            if name in cls.bindings:
                return self._class_binding(cls, name)
        if name in ("__name__", "__qualname__", "__module__"):
            return Static(type="str")
        return Bound(owner=base, method=name)

    def _class_binding(self, cls: ClassInfo, name: str) -> Value:
        from analyzer.flow.evaluator import Evaluator

        node = cls.bindings.get(name)
        if node is None:
            return UNKNOWN
        value = Evaluator(self, self.module_frame(cls.module)).eval(node)  # type: ignore[arg-type]
        if isinstance(value, Instance) and value.name == "dataclasses.field":
            return self.annotation(cls.annotations.get(name), cls.module)
        return value

    def _super_attribute(self, base: Partial, name: str) -> Value:
        owner = base.target
        current = base.args[0]
        assert isinstance(current, Class)
        if isinstance(owner, Instance) and owner.cls is not None:
            classes, names = self.mro(owner.cls)
            start = classes.index(current.info) + 1 if current.info in classes else len(classes)
            for cls in classes[start:]:
                method = cls.method(name)
                if method is not None:
                    return self.method_value(method, owner)
            if names:
                return Bound(owner=Instance(name=names[0], args=owner.args), method=name)
        return UNKNOWN

    # -- attributes of instances --------------------------------------------------------------------------------

    def _instance_attribute(self, evaluator: Evaluator, base: Instance, name: str, node: ast.AST) -> Value:
        if base.cls is None:
            if base.name.startswith("torch.nn.") and name in _MODULE_TENSORS:
                return Tensor(
                    origin="parameter", why=Why(f"parameter `{name}` of {base.name}", node, evaluator.frame.module.path)
                )
            if base.name.startswith("torch.nn.") and name == "training":
                return Static(type="training")
            if base.name == "torch.finfo":
                return Static(type="float")
            return Bound(owner=base, method=name)
        if name == "__class__":
            return Class(info=base.cls)
        method = self.find_method(base.cls, name)
        if method is not None:
            if method.has_decorator("property", "cached_property"):
                value, _ = evaluator.call_value(Function(info=method, self_value=base), [], {}, node)
                return value
            return self.method_value(method, base)
        if name in base.args:
            return base.args[name]
        found = self.instance_value(base.cls, name)
        if found is not None:
            if self.turning.turns(base.cls, name) and isinstance(found, (Const, Static)) and not evaluator.frame.driver:
                return Static(type="int", varies=True, why=found.why)
            return found if base.apart is None else self._apart(found, base.apart)
        if self.is_module(base.cls):
            if name == "training":
                return Static(type="training")
            if name in _MODULE_METHODS:
                return Bound(owner=base, method=name)
            return (
                UNKNOWN
                if self.external_base(base.cls) in ("torch.nn.Module", None)
                else self._inherited(base, name, evaluator, node)
            )
        if self.external_base(base.cls) is not None:
            return Bound(owner=base, method=name)
        return UNKNOWN

    def _apart(self, kept: Value, cls: ClassInfo) -> Value:
        """What one of several objects of `cls` keeps: its parts are its own, and so is its number."""
        if isinstance(kept, Instance):
            return replace(kept, apart=cls)
        init = self.find_method(cls, "__init__")
        if init is not None and self.numbering.numbers(kept, init):
            others = [o for o in options_of(kept) if not is_none(o) and not isinstance(o, Unknown)]
            if all(isinstance(o, Static) and o.type == "int" for o in others):
                return Static(type="int", counts=True, why=kept.why)
        return kept

    def _inherited(self, base: Instance, name: str, evaluator: Evaluator, node: ast.AST) -> Value:
        """An attribute that a library base class gives (nn.Linear.weight …)."""
        library = self.external_base(base.cls) if base.cls is not None else None
        if library is not None and library.startswith("torch.nn."):
            return self._instance_attribute(evaluator, Instance(name=library), name, node)
        return Bound(owner=base, method=name)

    def instance_value(self, cls: ClassInfo, name: str) -> Value | None:
        """What instances of a class hold in an attribute, from `__init__`, annotations and other methods; None if
        nothing."""
        key = (id(cls), name)
        if key in self._attributes:
            return self._attributes[key]
        if key in self._asking:
            return UNKNOWN
        self._asking.add(key)
        try:
            value = self._instance_value(cls, name)
        finally:
            self._asking.discard(key)
        if not self._initialising:  # what is asked while some `__init__` is interpreted is not the last word
            self._attributes[key] = value
        return value

    def _instance_value(self, cls: ClassInfo, name: str) -> Value | None:
        values: list[Value] = []
        initial = self.initial_state(cls)
        if name in initial:
            values.append(initial[name])
        classes = self.mro(cls)[0]
        if not values or all(is_none(v) or isinstance(v, Unknown) for v in values):
            for info in classes:
                if name in info.annotations and name not in ("forward",):
                    declared = self.annotation(info.annotations[name], info.module)
                    if not isinstance(declared, Unknown):
                        return self._owned(declared, cls, name)
                if name in info.bindings and not values:
                    values.append(self._class_binding(info, name))
                    break
        for info in classes:
            stores = info.stores_of(name)
            methods = {id(m): m for m, _ in stores if m.name not in ("__init__", "reset_parameters")}
            if any(isinstance(v, Const) for v in values) and methods:
                values = [self._varying(v) for v in values]
            if methods and (not values or any(is_none(v) or isinstance(v, (Unknown, Const, Static)) for v in values)):
                for method in list(methods.values())[:4]:
                    written = self._written_by(cls, method)
                    if written is None:  # asked while that method is interpreted: not the last word
                        self._pending = True
                        values.append(UNKNOWN)
                    elif name in written:
                        values.append(written[name])
            elif not values and stores:
                values.append(UNKNOWN)
        if not values:
            return None
        joined = values[0]
        from analyzer.flow.statements import join_variable

        for other in values[1:]:
            joined = join_variable(joined, other)
        return self._owned(joined, cls, name)

    def _varying(self, value: Value) -> Value:
        """A constant that some method overwrites is no constant."""
        if isinstance(value, Const) and value.value is not None:
            return Static(type=type(value.value).__name__)
        return value

    def _owned(self, value: Value, cls: ClassInfo, name: str) -> Value:
        """Attribute values outlive the call: they are no arguments; tensors among them tell where they are kept."""

        def one(option: Value) -> Value:
            if isinstance(option, Tensor):
                why = Why(
                    f"self.{name} of {cls.name}",
                    option.why.node if option.why else cls.node,
                    option.why.path if option.why else cls.module.path,
                )
                return replace(option, taint=False, constant=False, origin=option.origin or "attribute", why=why)
            if isinstance(option, Instance):
                return replace(option, taint=False, fresh=False) if option.taint or option.fresh else option
            if isinstance(option, (Static, Unknown, Const)):
                return replace(option, taint=False) if option.taint else option
            return option

        return join_all([one(o) for o in options_of(value)])

    def initial_state(self, cls: ClassInfo) -> dict[str, Value]:
        """Attributes after `__init__` (with those of project base classes that it calls or inherits)."""
        known = self._initial.get(id(cls))
        if known is not None:
            return known
        if self._half_known(cls):
            return {}
        self._initialising.add(id(cls))
        state: dict[str, Value] = {}
        try:
            for base in reversed(self.mro(cls)[0][1:]):
                state.update(self._own_state(base))
            state.update(self._own_state(cls))
        finally:
            self._initialising.discard(id(cls))
        self._initial[id(cls)] = state
        return state

    def _half_known(self, cls: ClassInfo) -> bool:
        """Whether an `__init__` of the class, its own or inherited, is being interpreted."""
        return id(cls) in self._initialising or any(id(c) in self._owning for c in self.mro(cls)[0])

    def _own_state(self, cls: ClassInfo) -> dict[str, Value]:
        """What the `__init__` of a class itself leaves on `self`, beside what its bases do; told once for all
        subclasses."""
        known = self._own.get(id(cls))
        if known is not None:
            return known
        self._own[id(cls)] = {}
        state: dict[str, Value] = {}
        for base in reversed(self.mro(cls)[0][1:]):
            state.update(self._own_state(base))
        before = dict(state)
        self._owning.add(id(cls))
        try:
            for hook in ("__init__", "__post_init__", "setup", "build"):
                method = cls.method(hook)
                if method is not None:
                    state.update(self._interpret_method(cls, method, state))
        finally:
            self._owning.discard(id(cls))
        self._own[id(cls)] = {name: value for name, value in state.items() if before.get(name) is not value}
        return self._own[id(cls)]

    def _written_by(self, cls: ClassInfo, method: FunctionInfo) -> dict[str, Value] | None:
        """What a method leaves on `self`; None while that is being found out."""
        key = id(method.node) ^ id(cls)
        if key not in self._written:
            self._written[key] = None
            self._written[key] = self._interpret_method(cls, method, {})
        return self._written[key]

    def _interpret_method(self, cls: ClassInfo, method: FunctionInfo, state: dict[str, Value]) -> dict[str, Value]:
        """Interpret a method quietly for what it stores on `self`."""
        if not method.parameters:
            return {}
        self_name = method.parameters[0].arg
        env: dict[str, Value] = {a.arg: self.parameter(method, a, False) for a in method.parameters[1:]}
        env[self_name] = Instance(cls=cls)
        for name, value in state.items():
            env[f"{self_name}.{name}"] = value
        node = method.node.args
        if node.vararg is not None:
            env[node.vararg.arg] = Seq(type="tuple")
        if node.kwarg is not None:
            env[node.kwarg.arg] = Map()
        run = Run(method)
        prefix = self_name + "."
        collected = self._execute_for_state(run, env)
        return {
            k[len(prefix) :]: v for k, v in collected.items() if k.startswith(prefix) and "." not in k[len(prefix) :]
        }

    def _execute_for_state(self, run: Run, env: dict[str, Value]) -> dict[str, Value]:
        from analyzer.flow.evaluator import Evaluator
        from analyzer.flow.interpreter import names_of

        info = run.info
        context = ev.Context(alive=frozenset(self.frontends))
        frame = Frame(info, info.module, dict(env), context, run, quiet=True, driver=False)
        frame.locals, frame.globals = names_of(info)
        evaluator = Evaluator(self, frame)  # type: ignore[arg-type]
        if not isinstance(info.node, ast.Lambda):
            evaluator.block(info.node.body)
        return dict(frame.env)

    def output_item(self, evaluator: Evaluator, base: Instance, index: Value, node: ast.AST) -> Value:
        """`outputs[0]` of an output dataclass: its fields in order."""
        if base.cls is not None and isinstance(index, Const):
            names = self.field_names(base.cls)
            if isinstance(index.value, int) and 0 <= index.value < len(names):
                return self._instance_attribute(evaluator, base, names[index.value], node)
            if isinstance(index.value, str) and index.value in names:
                return self._instance_attribute(evaluator, base, index.value, node)
        return Unknown(taint=is_tainted(base))


def class_decorators(node: ast.ClassDef) -> list[str]:
    from analyzer.project import dotted

    return [dotted(d.func if isinstance(d, ast.Call) else d) or "" for d in node.decorator_list]


_MODULE_METHODS = frozenset(
    """parameters named_parameters buffers named_buffers children named_children modules named_modules register_buffer
    register_parameter register_module add_module register_forward_hook register_forward_pre_hook
    register_full_backward_hook
    register_backward_hook to cuda cpu eval train half float double bfloat16 state_dict load_state_dict zero_grad apply
    requires_grad_ share_memory compile get_submodule get_parameter get_buffer extra_repr forward log log_dict
    _get_name named_modules type""".split()
)
