"""Typing expressions as torch.jit.script's compiler does, and telling what it refuses."""

from __future__ import annotations

import ast
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from analyzer.facts import body_facts
from analyzer.flow import script_events as sev
from analyzer.flow.script_calls import ScriptCalls
from analyzer.flow.script_types import (
    BOOL,
    FLOAT,
    INT,
    INT_LIST,
    NONE,
    NUMBER,
    NUMBERS,
    OTHER,
    SIMPLE,
    STR,
    TENSOR,
    UNKNOWN,
    Type,
    attribute_type,
    dict_of,
    known,
    list_of,
    of_value,
    optional,
    tuple_of,
    unify,
)
from analyzer.knowledge.script import (
    CONTEXTS,
    DICT_METHODS,
    LIST_METHODS,
    MODULE_METHODS_REFUSED,
    STR_METHODS,
    refused,
    tensor_names,
)
from analyzer.knowledge.tables import lookup
from analyzer.values import (
    Class,
    Const,
    External,
    Function,
    Instance,
    Map,
    Module,
    Partial,
    Seq,
    Static,
    Tensor,
    Union,
    Value,
)

if TYPE_CHECKING:
    from analyzer.flow.script import ScriptCompiler
    from analyzer.flow.script_scope import Scope
    from analyzer.project import FunctionInfo

#: (what is known of the test, variables if it holds, variables if it does not)
Tested = tuple["bool | None", "dict[str, Type]", "dict[str, Type]"]
_DTYPES = frozenset(
    """float32 float64 float16 bfloat16 float double half int8 int16 int32 int64 uint8 long int short bool
    complex64 complex128""".split()
)
#: Constants of libraries that may be read through their module, and not by a name of their own.
_NUMBERS_OUTSIDE = frozenset({"math.pi", "math.inf", "math.e", "math.nan", "math.tau"})
_SCRIPTING = frozenset({"torch.jit.is_scripting", "torch._jit_internal.is_scripting"})
_TENSOR_BOOLS = frozenset(
    """requires_grad is_cuda is_cpu is_sparse is_quantized is_leaf is_meta is_nested is_mkldnn is_mps is_xpu""".split()
)
_TENSOR_VIEWS = frozenset("T mT H mH data real imag".split())


class ScriptExpressions(ScriptCalls):
    """Mixin of the compilation of a body."""

    compiler: ScriptCompiler
    info: FunctionInfo
    scope: Scope
    this: Type | None
    closure: Any

    if TYPE_CHECKING:

        def assign(self, target: ast.expr, value: Type, source: ast.AST) -> None: ...

    def eval(self, node: ast.expr) -> Type:
        """The type of an expression."""
        method = getattr(self, "x_" + type(node).__name__, None)
        if method is None:
            return UNKNOWN
        result: Type = method(node)
        return result

    # -- leaves -------------------------------------------------------------------------------------------------

    def x_Constant(self, node: ast.Constant) -> Type:
        return of_value(Const(value=node.value)) if not isinstance(node.value, (complex, bytes)) else UNKNOWN

    def x_Name(self, node: ast.Name) -> Type:
        return self.name(node)

    def name(self, node: ast.Name) -> Type:
        """A variable, or what a name outside of the function stands for."""
        variable = self.scope.find(node.id)
        if variable is not None:
            if variable.fault:
                self.tell(sev.ScriptTypeChange, variable.place or node, variable.fault)
                self.scope.define(node.id, UNKNOWN)
                return UNKNOWN
            return variable.type
        value: Value | None = self.closure.get(node.id) if self.closure else None
        if value is None:
            value = self.interp.global_value(self.info.module, node.id)
        if value is None:
            if node.id in body_facts(self.info).bound:
                self.tell(sev.ScriptTypeChange, node, f"`{node.id}` is not set on every path to here")
                self.scope.define(node.id, UNKNOWN)
                return UNKNOWN
            builtin = self.interp.builtin(node.id)
            return Type("python", value=builtin.name) if isinstance(builtin, External) else UNKNOWN
        return self.outside(value, node, node.id)

    def outside(self, value: Value, node: ast.AST, name: str) -> Type:
        """A Python value from outside the function: functions, classes and modules may be used, data may not."""
        if isinstance(value, Function):
            return Type("function", value=value)
        if isinstance(value, Class):
            return Type("pyclass", value=value.info)
        if isinstance(value, Module):
            return Type("python", value=value.info)
        if isinstance(value, External):
            head, _, tail = value.name.rpartition(".")
            if value.name in _NUMBERS_OUTSIDE:
                self.tell(
                    sev.ScriptGlobal, node, f"`{name}`, a float from outside the function, is no constant", name=name
                )
                return UNKNOWN
            if head == "torch" and tail in _DTYPES:
                self.tell(
                    sev.ScriptGlobal,
                    node,
                    f"`{name}`, a torch.dtype from outside the function, is no constant",
                    name=name,
                )
                return UNKNOWN
            return Type("python", value=value.name)
        if isinstance(value, Partial):
            if value.wrapper in ("torch.jit.ignore", "torch.jit.unused"):
                return UNKNOWN
            inner = value.target
            return Type("function", value=inner) if isinstance(inner, Function) and value.wrapper else UNKNOWN
        if isinstance(value, Instance):
            if self.compiler.is_module(value):
                return Type("module", value=value)
            if value.cls is not None and not _scripted(value) or value.name and not value.name.startswith("torch."):
                return Type("pyobject", value=value)
            return UNKNOWN
        kind = ""
        if isinstance(value, Const):
            kind = type(value.value).__name__
        elif isinstance(value, Static) and value.type not in ("any", ""):
            kind = value.type
        elif isinstance(value, Seq) and value.type in ("list", "tuple", "set"):
            kind = value.type
        elif isinstance(value, Map) and value.type == "dict":
            kind = "dict"
        elif isinstance(value, Tensor) and not value.array:
            kind = "Tensor"
        if kind:
            self.tell(
                sev.ScriptGlobal, node, f"`{name}`, a {kind} from outside the function, is no constant", name=name
            )
        return UNKNOWN

    def x_JoinedStr(self, node: ast.JoinedStr) -> Type:
        for piece in node.values:
            if isinstance(piece, ast.FormattedValue):
                self.eval(piece.value)
        return STR

    # -- containers ---------------------------------------------------------------------------------------------

    def elements(self, nodes: list[ast.expr]) -> list[Type]:
        """Types of a display's elements; a star may only unpack a tuple."""
        found: list[Type] = []
        for node in nodes:
            if isinstance(node, ast.Starred):
                found.extend(self.starred(node))
            else:
                found.append(self.eval(node))
        return found

    def starred(self, node: ast.Starred) -> list[Type]:
        value = self.eval(node.value)
        if value.kind == "tuple":
            return list(value.of)
        if value.kind == "list":
            self.tell(sev.ScriptStar, node, "a list of unknown length is unpacked with a star")
        elif value.kind == "tensor":
            self.tell(sev.ScriptStar, node, "a Tensor is unpacked with a star")
        return [UNKNOWN]

    def x_Tuple(self, node: ast.Tuple) -> Type:
        return tuple_of(*self.elements(node.elts))

    def x_List(self, node: ast.List) -> Type:
        types = self.elements(node.elts)
        if not types:
            return list_of(Type("tensor", value="assumed"))
        if any(t.kind == "module" for t in types):
            return Type("modulevalues")
        joined = types[0]
        for other in types[1:]:
            both = unify(joined, other)
            joined = both if both is not None else Type("union")
        return list_of(joined)

    def x_Dict(self, node: ast.Dict) -> Type:
        keys = [self.eval(k) for k in node.keys if k is not None]
        values = [self.eval(v) for v in node.values]
        if len(keys) != len(values):
            return UNKNOWN
        if not keys:
            return dict_of(STR, Type("tensor", value="assumed"))
        if any(map(is_function, values)):
            self.tell(sev.ScriptOperand, node, "a function cannot be a value in TorchScript")
            return UNKNOWN
        key, value = keys[0], values[0]
        for k, v in zip(keys[1:], values[1:]):
            key = unify(key, k) or UNKNOWN
            value = unify(value, v) or UNKNOWN
        return dict_of(key, value)

    def x_ListComp(self, node: ast.ListComp) -> Type:
        return self.comprehension(node)

    def x_GeneratorExp(self, node: ast.GeneratorExp) -> Type:
        return self.comprehension(node)

    def comprehension(self, node: ast.ListComp | ast.GeneratorExp) -> Type:
        outer = self.scope
        self.scope = outer.inner()
        for generator in node.generators:
            iterable = self.eval(generator.iter)
            self.assign(generator.target, self.element(iterable, generator.iter), generator.iter)
        element = self.eval(node.elt)
        self.scope = outer
        return list_of(element)

    def x_DictComp(self, node: ast.DictComp) -> Type:
        outer = self.scope
        self.scope = outer.inner()
        for generator in node.generators:
            iterable = self.eval(generator.iter)
            self.assign(generator.target, self.element(iterable, generator.iter), generator.iter)
        key, value = self.eval(node.key), self.eval(node.value)
        self.scope = outer
        return dict_of(key, value)

    def element(self, value: Type, node: ast.AST) -> Type:
        """The type of what a loop over `value` binds."""
        if value.kind in ("list", "dict", "iterable"):
            return value.of[0] if value.of else UNKNOWN
        if value.kind == "tensor":
            return TENSOR
        if value.kind == "str":
            return STR
        if value.kind == "tuple":
            joined: Type | None = value.of[0] if value.of else UNKNOWN
            for other in value.of[1:]:
                joined = unify(joined, other) if joined is not None else None
            return Type("modulevalue") if joined is not None and joined.kind == "module" else joined or UNKNOWN
        if value.kind == "optional":
            self.tell(sev.ScriptOptional, node, f"{value} is iterated")
        elif value.kind in ("int", "float", "bool", "none"):
            self.tell(sev.ScriptOperand, node, f"{value} cannot be iterated")
        elif value.kind == "module":
            return self.member(value)
        elif value.kind in ("slicedmodule", "modulevalues"):
            return Type("modulevalue")
        return UNKNOWN

    def member(self, value: Type) -> Type:
        """The type of one module of a ModuleList."""
        container = value.value
        if isinstance(container, Seq):
            members = container.items if container.items else (container.element,)
            return attribute_type(members[0], self.compiler.is_module, self.compiler.is_data)[0] if members else UNKNOWN
        if isinstance(container, Map):
            return STR
        return UNKNOWN

    # -- conditions ---------------------------------------------------------------------------------------------

    def condition(self, node: ast.expr) -> Tested:
        """A test: whether the compiler decides it, and what it tells about variables."""
        if isinstance(node, ast.BoolOp):
            return self._bool_condition(node)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            truth, yes, no = self.condition(node.operand)
            return (None if truth is None else not truth), no, yes
        if isinstance(node, ast.Compare) and len(node.ops) == 1 and isinstance(node.ops[0], (ast.Is, ast.IsNot)):
            right = node.comparators[0]
            if isinstance(right, ast.Constant) and right.value is None:
                return self._none_condition(node.left, isinstance(node.ops[0], ast.Is))
        if isinstance(node, ast.Constant):
            return bool(node.value), {}, {}
        if isinstance(node, ast.Call):
            decided = self._call_condition(node)
            if decided is not None:
                return decided
        value = self.eval(node)
        if value.kind == "optional":
            self.tell(sev.ScriptOptional, node, f"{value} is used as a condition")
        if isinstance(node, ast.Attribute) and value.kind == "bool" and isinstance(value.value, bool):
            return value.value, {}, {}
        return None, {}, {}

    def _bool_condition(self, node: ast.BoolOp) -> Tested:
        conjunction = isinstance(node.op, ast.And)
        outer = self.scope
        self.scope = outer.inner()
        facts: dict[str, Type] = {}
        truth: bool | None = conjunction
        for operand in node.values:
            part, yes, no = self.condition(operand)
            step = yes if conjunction else no
            facts.update(step)
            self.scope.refine(step)
            if part is (not conjunction):
                truth = part
                break
            if part is None:
                truth = None
        self.scope = outer
        return (truth, facts, {}) if conjunction else (truth, {}, facts)

    def _none_condition(self, node: ast.expr, positive: bool) -> Tested:
        value = self.eval(node)
        if value.kind == "none":
            return positive, {}, {}
        if value.kind == "optional":
            name = node.id if isinstance(node, ast.Name) else None
            if name is None:
                return None, {}, {}
            facts: tuple[dict[str, Type], dict[str, Type]] = ({name: NONE}, {name: value.of[0]})
            return (None, *facts) if positive else (None, facts[1], facts[0])
        if value.kind in ("unknown", "any", "number"):
            return None, {}, {}
        return not positive, {}, {}

    def _call_condition(self, node: ast.Call) -> Tested | None:
        name = self.qualified(node.func)
        if name in _SCRIPTING:
            return True, {}, {}
        if name == "builtins.hasattr" and len(node.args) == 2 and isinstance(node.args[1], ast.Constant):
            owner = self.eval(node.args[0])
            if owner.kind == "module" and isinstance(owner.value, Instance) and owner.value.cls is not None:
                found = self.interp.instance_value(owner.value.cls, str(node.args[1].value))
                return (
                    found is not None or self.interp.find_method(owner.value.cls, str(node.args[1].value)) is not None,
                    {},
                    {},
                )
            return None
        if name in ("builtins.isinstance", "torch.jit.isinstance") and len(node.args) == 2:
            return self._isinstance(node)
        return None

    def _isinstance(self, node: ast.Call) -> Tested:
        value = self.eval(node.args[0])
        reader = self.compiler.annotations(self.info)
        classes = node.args[1].elts if isinstance(node.args[1], ast.Tuple) else [node.args[1]]
        kinds: list[Type] = []
        for cls in classes:
            library = self.qualified(cls)
            if library is not None and (library.startswith("numpy.") or _is_module_name(library)):
                self.tell(sev.ScriptAnnotation, node, f"{library} is no TorchScript type")
            if isinstance(cls, ast.Name) and cls.id in ("list", "tuple", "dict"):
                kinds.append(Type(cls.id))
            else:
                kind = reader.read(cls)
                foreign = library is not None and kind.kind == "unknown" or kind.kind == "class"
                kinds.append(OTHER if foreign and value.kind in SIMPLE else kind)
        if any(k.kind in ("unknown", "any", "class") for k in kinds) or value.kind in (
            "unknown",
            "any",
            "number",
            "class",
        ):
            name = node.args[0].id if isinstance(node.args[0], ast.Name) else None
            return None, {name: UNKNOWN} if name else {}, {name: UNKNOWN} if name and value.kind != "tensor" else {}
        wanted = {k.kind for k in kinds}
        if value.kind == "optional":
            if value.of[0].kind in wanted and isinstance(node.args[0], ast.Name):
                return None, {node.args[0].id: value.of[0]}, {node.args[0].id: NONE}
            return (None, {}, {}) if value.of[0].kind in wanted else (False, {}, {})
        return value.kind in wanted, {}, {}

    def x_BoolOp(self, node: ast.BoolOp) -> Type:
        self.condition(node)
        return BOOL

    def x_UnaryOp(self, node: ast.UnaryOp) -> Type:
        if isinstance(node.op, ast.Not):
            self.condition(node.operand)
            return BOOL
        value = self.eval(node.operand)
        if value.kind == "optional":
            self.tell(sev.ScriptOptional, node, f"an operand is {value}")
            return UNKNOWN
        return value if value.kind in ("tensor", "int", "float") else UNKNOWN

    def x_IfExp(self, node: ast.IfExp) -> Type:
        truth, yes, no = self.condition(node.test)
        types: list[Type] = []
        for branch, facts, dead in ((node.body, yes, truth is False), (node.orelse, no, truth is True)):
            if dead:
                continue
            outer = self.scope
            self.scope = outer.inner()
            self.scope.refine(facts)
            types.append(self.eval(branch))
            self.scope = outer
        if len(types) == 1:
            return types[0]
        if any(t.kind == "module" for t in types):
            return Type("modulevalue")
        if any(map(is_function, types)):
            self.tell(sev.ScriptOperand, node, "a function cannot be a value in TorchScript")
            return UNKNOWN
        joined = unify(*types)
        if joined is None:
            self.tell(sev.ScriptTypeChange, node, f"the conditional expression gives {types[0]} or {types[1]}")
            return UNKNOWN
        return joined

    def x_Compare(self, node: ast.Compare) -> Type:
        left = self.eval(node.left)
        tensors = False
        for op, right_node in zip(node.ops, node.comparators):
            right = self.eval(right_node)
            tensors = self.compare(left, right, op, node) or tensors
            left = right
        return TENSOR if tensors and len(node.ops) == 1 else BOOL

    def compare(self, left: Type, right: Type, op: ast.cmpop, node: ast.Compare) -> bool:
        """One comparison; whether it gives a Tensor."""
        if isinstance(op, (ast.Is, ast.IsNot)):
            if "pytype" in (left.kind, right.kind):
                self.tell(sev.ScriptCall, node, "types cannot be compared in TorchScript", name="builtins.type")
            return False
        if isinstance(op, (ast.In, ast.NotIn)):
            if right.kind == "tensor":
                self.operand(node, right, "`in` is asked of a Tensor")
            elif right.kind == "optional":
                self.tell(sev.ScriptOptional, node, f"`in` is asked of {right}")
            return False
        for side in (left, right):
            if side.kind == "optional":
                self.tell(sev.ScriptOptional, node, f"an operand is {side}")
                return False
        if "pytype" in (left.kind, right.kind):
            self.tell(sev.ScriptCall, node, "types cannot be compared in TorchScript", name="builtins.type")
            return False
        for side, other in ((left, right), (right, left)):
            if side.kind == "tensor":
                if other.kind in ("str", "none", "list", "tuple", "dict"):
                    self.operand(node, side, f"a Tensor is compared with {other}")
                    return False
                return True
        if {left.kind, right.kind} & {"str"} and {left.kind, right.kind} & {"int", "float"}:
            self.operand(node, left, f"{left} is compared with {right}")
        return False

    def operand(self, node: ast.AST, type_: Type, text: str) -> None:
        """A wrong operand: blamed on the parameter without an annotation that made it a Tensor, if there is one."""
        if type_.parameter:
            told = f"`{type_.parameter}` has no annotation, so it is a Tensor: {text}"
            self.tell(sev.ScriptTensorParameter, node, told, parameter=type_.parameter)
        else:
            self.tell(sev.ScriptOperand, node, text)

    # -- arithmetic ---------------------------------------------------------------------------------------------

    def x_BinOp(self, node: ast.BinOp) -> Type:
        left, right = self.eval(node.left), self.eval(node.right)
        return self.binary(left, right, node.op, node)

    def binary(self, left: Type, right: Type, op: ast.operator, node: ast.AST) -> Type:
        """The type of a binary operation."""
        if left.kind == "str" and isinstance(op, ast.Mod):
            return STR
        for side in (left, right):
            if side.kind == "optional":
                self.tell(sev.ScriptOptional, node, f"an operand is {side}, and nothing has ruled None out")
                return UNKNOWN
            if side.kind == "any":
                self.tell(sev.ScriptOperand, node, "an operand is Any: TorchScript needs an isinstance test first")
                return UNKNOWN
        if not known(left) or not known(right):
            return (
                TENSOR
                if "tensor" in (left.kind, right.kind)
                and {left.kind, right.kind} & {"number", "tensor"} == {left.kind, right.kind}
                else UNKNOWN
            )
        for side, other in ((left, right), (right, left)):
            if side.kind == "tensor":
                if other.kind in NUMBERS or other.kind == "tensor":
                    return TENSOR
                if other.kind in ("str", "list", "none", "tuple", "dict"):
                    if other.kind == "list" and isinstance(op, ast.Mult):
                        return UNKNOWN
                    self.operand(node, side, f"an operation of a Tensor and {other}")
                return UNKNOWN
        if left.kind in NUMBERS and right.kind in NUMBERS:
            if isinstance(op, ast.Div):
                return FLOAT
            if isinstance(op, ast.Pow) or "number" in (left.kind, right.kind) or "bool" in (left.kind, right.kind):
                return NUMBER
            return FLOAT if "float" in (left.kind, right.kind) else INT
        if left.kind == right.kind == "str" and isinstance(op, ast.Add):
            return STR
        if {left.kind, right.kind} <= {"str", "int", "float"}:
            self.tell(sev.ScriptOperand, node, f"an operation of {left} and {right}")
            return UNKNOWN
        if left.kind == right.kind == "list" and isinstance(op, ast.Add):
            if left.of[0].value == "assumed" and right.of[0].kind != "tensor" and known(right):
                self.assumed(node, right.of[0])
                return UNKNOWN
            return left
        if left.kind == "list" and isinstance(op, (ast.Mult, ast.Add)):
            return left
        if left.kind == "tuple" and right.kind in NUMBERS and not isinstance(op, ast.Mult):
            self.tell(sev.ScriptOperand, node, f"an operation of {left} and {right}")
            return UNKNOWN
        if left.kind == right.kind == "dict":
            self.tell(sev.ScriptOperand, node, "dicts have no operators in TorchScript")
            return left
        if left.kind == right.kind == "tuple" and isinstance(op, ast.Add):
            return tuple_of(*left.of, *right.of)
        return UNKNOWN

    def assumed(self, node: ast.AST, type_: Type) -> None:
        self.tell(
            sev.ScriptTypeChange, node, f"an empty list or dict without annotation holds Tensors; {type_} is added"
        )

    # -- attributes ---------------------------------------------------------------------------------------------

    def x_Attribute(self, node: ast.Attribute) -> Type:
        return self.attribute(node)

    def attribute(self, node: ast.Attribute) -> Type:
        """The type of `base.name`."""
        base, name = self.eval(node.value), node.attr
        if base.kind == "python":
            return self.python_attribute(base, name, node)
        if base.kind == "module":
            return self.module_attribute(base, name, node)
        if base.kind == "tensor":
            return self.tensor_attribute(base, name, node)
        if base.kind == "optional":
            self.tell(sev.ScriptOptional, node, f"`.{name}` is read from {base}")
            return UNKNOWN
        if base.kind == "pyclass":
            return self.class_attribute(base, name, node)
        if base.kind == "pyobject":
            self.tell(sev.ScriptGlobal, node, f"`.{name}` is read from a Python object outside the function", name=name)
            return UNKNOWN
        allowed = {"str": STR_METHODS, "list": LIST_METHODS, "dict": DICT_METHODS}.get(base.kind)
        if allowed is not None:
            if name not in allowed:
                self.tell(sev.ScriptCall, node, f"{base} has no `{name}`", name=f"{base.kind}.{name}")
                return UNKNOWN
            return Type("method", value=(base, name))
        if base.kind in ("int", "float", "bool") and name in tensor_names():
            self.tell(sev.ScriptOperand, node, f"{base} has no `{name}`")
            return UNKNOWN
        if base.kind == "class":
            return self.object_attribute(base, name, node)
        return UNKNOWN

    def python_attribute(self, base: Type, name: str, node: ast.Attribute) -> Type:
        if isinstance(base.value, str):
            full = f"{base.value}.{name}"
            if full in ("math.pi", "math.inf", "math.e", "math.nan", "math.tau", "torch.pi", "torch.inf", "torch.nan"):
                return FLOAT
            return Type("python", value=full)
        value = self.interp._module_attribute(base.value, name)
        if isinstance(value, (Const, Static, Seq, Map, Tensor)):
            return of_value(value) if isinstance(value, Const) else UNKNOWN
        return self.outside(value, node, name)

    def class_attribute(self, base: Type, name: str, node: ast.Attribute) -> Type:
        cls = base.value
        method = self.interp.find_method(cls, name)
        if method is not None:
            return Type("function", value=Function(info=method)) if method.has_decorator("staticmethod") else UNKNOWN
        enum = any(n.startswith("enum.") for n in self.interp.mro(cls)[1])
        for info in self.interp.mro(cls)[0]:
            if name in info.bindings and not enum:
                value = self.interp._class_binding(info, name)
                return (
                    self.outside(value, node, f"{cls.name}.{name}")
                    if isinstance(value, (Const, Seq, Map, Static, Tensor))
                    else UNKNOWN
                )
        return UNKNOWN

    def object_attribute(self, base: Type, name: str, node: ast.Attribute) -> Type:
        owner = base.value
        if isinstance(owner, Instance) and owner.cls is not None:
            method = self.interp.find_method(owner.cls, name)
            if method is not None and not method.has_decorator("property"):
                return Type("method", value=(base, method))
            if method is None and not any(n.startswith("enum.") for n in self.interp.mro(owner.cls)[1]):
                value = self.interp.initial_state(owner.cls).get(name)
                if value is not None:
                    return attribute_type(value, self.compiler.is_module, self.compiler.is_data)[0]
        return UNKNOWN

    def tensor_attribute(self, base: Type, name: str, node: ast.Attribute) -> Type:
        if name in ("shape",):
            return INT_LIST
        if name in ("ndim", "itemsize", "nbytes"):
            return INT
        if name in _TENSOR_BOOLS:
            return BOOL
        if name in _TENSOR_VIEWS:
            return TENSOR
        if name == "grad":
            return optional(TENSOR)
        if f"Tensor.{name}" in refused():
            if name not in ("numpy", "tolist"):
                self.operand_call(node, base, name)
            return UNKNOWN
        if name not in tensor_names() and not name.startswith("_"):
            self.operand(node, base, f"`.{name}` is no attribute of a Tensor")
            return UNKNOWN
        return Type("method", value=(base, name))

    def operand_call(self, node: ast.AST, base: Type, name: str) -> None:
        self.tell(sev.ScriptCall, node, f"TorchScript has no `Tensor.{name}`", name=f"Tensor.{name}")

    def module_attribute(self, base: Type, name: str, node: ast.AST) -> Type:
        """The type of a module's attribute, or why it is none."""
        owner = base.value
        if isinstance(owner, (Seq, Map)):
            return Type("method", value=(base, name))
        assert isinstance(owner, Instance)
        if name == "training":
            return BOOL
        if owner.cls is None:
            return TENSOR if name == "weight" else UNKNOWN
        method = self.interp.find_method(owner.cls, name)
        if method is not None:
            if method.has_decorator("property"):
                return self.compiler.compile(method, base)
            return Type("method", value=(base, method))
        annotated = next((c for c in self.interp.mro(owner.cls)[0] if name in c.annotations), None)
        if annotated is not None:
            return self._annotated_attribute(annotated, name)
        value = self.interp.initial_state(owner.cls).get(name)
        if value is not None:
            return self._held(value, name, node)
        if name in MODULE_METHODS_REFUSED:
            self.tell(
                sev.ScriptCall, node, f"TorchScript cannot compile `Module.{name}`", name=f"torch.nn.Module.{name}"
            )
            return UNKNOWN
        for cls in self.interp.mro(owner.cls)[0]:
            if name in cls.bindings and name not in self.constants(cls):
                if isinstance(self.interp._class_binding(cls, name), (Const, Seq, Map, Static)):
                    text = f"`{name}` of the class has no annotation: it is no attribute for TorchScript"
                    self.tell(sev.ScriptAttribute, node, text, attribute=name)
                return UNKNOWN
        if self.interp.external_base(owner.cls) == "torch.nn.Module" and name in (
            "_modules",
            "_parameters",
            "_buffers",
        ):
            self.tell(sev.ScriptAttribute, node, f"`{name}` is not known to TorchScript", attribute=name)
        return UNKNOWN

    def _annotated_attribute(self, cls: Any, name: str) -> Type:
        node = cls.annotations[name]
        method = next(iter(cls.methods.values()), None)
        if method is None:
            return UNKNOWN
        if (
            isinstance(node, ast.Subscript)
            and ast.unparse(node.value).rsplit(".", 1)[-1] == "Final"
            or ast.unparse(node).rsplit(".", 1)[-1] == "Final"
        ):
            value = self.interp._class_binding(cls, name) if name in cls.bindings else None
            if isinstance(value, Const):
                kind = of_value(value)
                return Type(kind.kind, kind.of, value=value.value) if kind.kind == "bool" else kind
        return self.compiler.annotations(method).read(node)

    def constants(self, cls: Any) -> set[str]:
        """Names in a class's `__constants__`."""
        node = cls.bindings.get("__constants__")
        if isinstance(node, (ast.List, ast.Tuple)):
            return {e.value for e in node.elts if isinstance(e, ast.Constant) and isinstance(e.value, str)}
        return set()

    def _held(self, value: Value, name: str, node: ast.AST) -> Type:
        if isinstance(value, Union):
            return UNKNOWN
        if isinstance(value, Function):
            if isinstance(value.info.node, ast.Lambda):
                self.tell(sev.ScriptAttribute, node, f"`{name}` is a lambda", attribute=name)
                return UNKNOWN
            return Type("function", value=value)
        if isinstance(value, External):
            return (
                Type("python", value=value.name)
                if value.name.rpartition(".")[0] != "torch" or value.name.rpartition(".")[2] not in _DTYPES
                else UNKNOWN
            )
        type_, why = attribute_type(value, self.compiler.is_module, self.compiler.is_data)
        if why:
            self.tell(sev.ScriptAttribute, node, f"`{name}` is lost to TorchScript: it holds {why}", attribute=name)
        return type_

    def store_attribute(self, target: ast.Attribute, value: Type) -> None:
        """`owner.attribute = value`."""
        owner, name = self.eval(target.value), target.attr
        if owner.kind == "tensor":
            self.operand(target, owner, f"`{name}` of a Tensor is assigned")
            return
        if owner.kind != "module" or not isinstance(owner.value, Instance) or owner.value.cls is None:
            return
        cls = owner.value.cls
        classes = self.interp.mro(cls)[0]
        if self.info.name == "__init__" or self.interp.find_method(cls, name) is not None:
            return
        if any(name in c.annotations for c in classes):
            declared = self._annotated_attribute(next(c for c in classes if name in c.annotations), name)
        else:
            held = self.interp.initial_state(cls).get(name)
            if held is None:
                dynamic = any(_sets_freely(c.node) for c in classes)
                if not dynamic and set(self.interp.mro(cls)[1]) <= {
                    "torch.nn.Module",
                    "torch.nn.modules.module.Module",
                }:
                    text = f"`{name}` is not there after `__init__`: TorchScript makes no new attribute"
                    self.tell(sev.ScriptAttributeStore, target, text, attribute=name)
                return
            declared = attribute_type(held, self.compiler.is_module, self.compiler.is_data)[0]
            if isinstance(held, Union):
                return
        exact = (
            known(declared)
            and known(value)
            and declared.kind in ("int", "float", "bool", "str", "none", "tensor", "list", "optional")
        )
        if exact and not _same_attribute(declared, value):
            self.tell(
                sev.ScriptAttributeStore,
                target,
                f"`{name}` is {declared} after `__init__`, and is set to {value}",
                attribute=name,
            )

    def store_item(self, target: ast.Subscript, owner: Type, index: Type, value: Type) -> None:
        if owner.kind == "dict" and owner.of[1].value == "assumed":
            if known(index) and index.kind != "str":
                self.assumed(target, index)
            elif known(value) and value.kind != "tensor":
                self.assumed(target, value)
        elif (
            owner.kind == "dict"
            and known(owner)
            and known(value)
            and owner.of[1] != value
            and value.kind in ("tensor", "int", "float", "str", "list")
        ):
            if not (owner.of[1].kind == "optional" or value.kind == "tensor" and owner.of[1].kind in NUMBERS):
                self.tell(sev.ScriptTypeChange, target, f"the dict holds {owner.of[1]}, and {value} is stored")

    # -- subscripts ---------------------------------------------------------------------------------------------

    def index(self, node: ast.expr) -> Type:
        """The type of what stands in brackets; a slice's bounds are typed and forgotten."""
        if isinstance(node, ast.Slice):
            for part in (node.lower, node.upper, node.step):
                if part is not None and self.eval(part).kind == "float":
                    self.tell(sev.ScriptOperand, node, "a bound of a slice is a float")
            return Type("slice")
        if isinstance(node, ast.Tuple):
            return tuple_of(*[self.index(e) for e in node.elts])
        if isinstance(node, ast.Constant) and node.value is ...:
            return UNKNOWN
        return self.eval(node)

    def x_Subscript(self, node: ast.Subscript) -> Type:
        base = self.eval(node.value)
        index = self.index(node.slice)
        if base.kind == "tensor":
            if index.kind == "str":
                self.operand(node, base, "a Tensor is indexed with a text")
                return UNKNOWN
            return TENSOR
        if base.kind == "optional":
            self.tell(sev.ScriptOptional, node, f"{base} is indexed")
            return UNKNOWN
        if base.kind == "list":
            if index.kind == "slice":
                return base
            return base.of[0] if index.kind != "str" else UNKNOWN
        if base.kind == "dict":
            return base.of[1]
        if base.kind == "str":
            return STR
        if base.kind == "tuple":
            return self._tuple_item(base, index, node)
        if base.kind == "module" and isinstance(base.value, (Seq, Map)):
            return self._container_item(base, index, node)
        return UNKNOWN

    def _tuple_item(self, base: Type, index: Type, node: ast.Subscript) -> Type:
        position = literal(node.slice)
        if isinstance(position, int):
            return base.of[position] if -len(base.of) <= position < len(base.of) else UNKNOWN
        if index.kind == "slice" or not known(base) or index.kind == "unknown":
            return UNKNOWN
        if any(t != base.of[0] for t in base.of):
            self.tell(sev.ScriptIndex, node, f"{base} is indexed with what is no literal")
            return UNKNOWN
        return base.of[0] if base.of else UNKNOWN

    def _container_item(self, base: Type, index: Type, node: ast.Subscript) -> Type:
        container = base.value
        key = literal(node.slice)
        if index.kind == "slice":
            return Type("slicedmodule", value=container)
        kind = getattr(container, "type", "ModuleList")
        if key is None:
            wanted = "texts" if isinstance(container, Map) else "numbers"
            self.tell(sev.ScriptIndex, node, f"a {kind} is indexed only with literal {wanted}")
            return UNKNOWN
        if isinstance(container, Seq):
            member = (
                container.items[key]
                if container.items is not None
                and isinstance(key, int)
                and -len(container.items) <= key < len(container.items)
                else container.element
            )
            return attribute_type(member, self.compiler.is_module, self.compiler.is_data)[0]
        member = container.items.get(key, container.element)
        return attribute_type(member, self.compiler.is_module, self.compiler.is_data)[0]

    # -- with ---------------------------------------------------------------------------------------------------

    def enter(self, item: ast.withitem) -> None:
        """A context manager: a few of torch's, or a class that compiles."""
        node = item.context_expr
        func = node.func if isinstance(node, ast.Call) else node
        name = self.qualified(func)
        if name is not None and name not in CONTEXTS:
            self.tell(sev.ScriptWith, node, f"TorchScript cannot enter `{name.removeprefix('builtins.')}`")
        elif name is not None and isinstance(node, ast.Call):
            for argument in node.args:
                self.eval(argument)
        elif name is None:
            callee = self.eval(func)
            if (
                callee.kind == "function"
                and isinstance(callee.value, Function)
                and body_facts(callee.value.info).yields
            ):
                self.tell(sev.ScriptWith, node, f"TorchScript cannot enter `{callee.value.info.name}`, a generator")
            else:
                self.eval(node)
        if isinstance(item.optional_vars, ast.Name):
            self.scope.define(item.optional_vars.id, UNKNOWN)


def _is_module_name(name: str) -> bool:
    """Whether a qualified name is that of a module class of torch."""
    return (
        name.startswith("torch.nn.") and name.count(".") == 2 and name[9:10].isupper() and name != "torch.nn.Parameter"
    )


def is_function(type_: Type) -> bool:
    """Whether a value is a function, which TorchScript can only call."""
    if type_.kind == "function":
        return True
    name = type_.value if type_.kind == "python" and isinstance(type_.value, str) else ""
    head, _, tail = name.rpartition(".")
    return head in ("torch", "torch.nn.functional") and tail not in _DTYPES and lookup(name) is not None


def literal(node: ast.expr) -> int | str | None:
    """The value of a literal index."""
    if isinstance(node, ast.Constant) and isinstance(node.value, (int, str)):
        return node.value
    if (
        isinstance(node, ast.UnaryOp)
        and isinstance(node.op, ast.USub)
        and isinstance(node.operand, ast.Constant)
        and isinstance(node.operand.value, int)
    ):
        return -node.operand.value
    return None


def _sets_freely(node: ast.ClassDef) -> bool:
    """Whether a class makes attributes that its text does not name."""
    return _set_freely((*node.decorator_list, *node.bases, *node.keywords, *node.body))


@lru_cache(maxsize=4096)
def _set_freely(parts: tuple[ast.AST, ...]) -> bool:
    names = {"setattr", "__dict__", "__setattr__"}
    return any(
        isinstance(n, ast.Name) and n.id in names or isinstance(n, ast.Attribute) and n.attr in names
        for part in parts
        for n in ast.walk(part)
    )


def _same_attribute(declared: Type, value: Type) -> bool:
    """Whether an attribute may be set to a type: no conversions here."""
    if declared == value:
        return True
    if declared.kind == "optional":
        return value.kind == "none" or value == declared.of[0]
    if declared.kind == "list" and value.kind == "list":
        return bool(value.of[0].value == "assumed")
    return False


def _scripted(value: Instance) -> bool:
    from analyzer.flow.attributes import class_decorators

    return value.cls is not None and any(d.endswith("script") for d in class_decorators(value.cls.node))
