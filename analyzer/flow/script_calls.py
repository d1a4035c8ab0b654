"""Typing calls as torch.jit.script's compiler does: project code is compiled, library names are looked up."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from analyzer.flow import script_events as sev
from analyzer.flow.library import Arguments, returned
from analyzer.flow.script_types import (
    BOOL,
    FLOAT,
    INT,
    INT_LIST,
    NONE,
    STR,
    TENSOR,
    UNKNOWN,
    Type,
    assignable,
    known,
    list_of,
    of_value,
    optional,
    tuple_of,
)
from analyzer.knowledge.script import REFUSED_BUILTINS, REFUSED_CALLS, REFUSED_PREFIXES, refused, str_method
from analyzer.knowledge.tables import canonical, lookup
from analyzer.values import External, Instance, Map, Seq, Tensor

if TYPE_CHECKING:
    from analyzer.flow.interpreter import Interpreter
    from analyzer.flow.script import ScriptCompiler
    from analyzer.flow.script_scope import Scope
    from analyzer.project import FunctionInfo

#: Calls that the rules on host reads and Python calls tell for TorchScript as well.
_TOLD_ELSEWHERE = frozenset({"Tensor.numpy", "Tensor.tolist"})
#: Builtins that a general rule does not look at, so that their table rows are told here.
_OWN_BUILTINS = frozenset(
    f"builtins.{n}"
    for n in "iter next isinstance getattr sorted filter map any all min max sum len range int float bool".split()
)
_TENSOR_LISTS = frozenset("torch.cat torch.stack torch.concat torch.hstack torch.vstack torch.dstack".split())
_SIZED = frozenset("torch.zeros torch.ones torch.empty torch.rand torch.randn".split())
_SHAPED = frozenset("view reshape expand repeat permute".split())
_FLAGS = frozenset("""training keepdim inplace align_corners is_causal largest sorted descending unbiased""".split())
_INTEGER_MATH = frozenset("floor ceil gcd factorial".split())
_SEVERAL = frozenset(
    """max min sort topk median mode kthvalue cummax cummin unique unique_consecutive svd qr slogdet aminmax
    nonzero where lstsq eig eigh""".split()
)
_PIECES = frozenset(
    """split chunk unbind split_with_sizes tensor_split unsafe_chunk unsafe_split vsplit hsplit dsplit""".split()
)

#: What builtins return whose arguments need no look.
_RESULTS = {
    **dict.fromkeys(("len", "int", "ord", "hash"), INT),
    **dict.fromkeys(("str", "chr", "hex", "oct", "bin"), STR),
    "float": FLOAT,
    "bool": BOOL,
}


class ScriptCalls:
    """Mixin of the compilation of a body."""

    compiler: ScriptCompiler
    interp: Interpreter
    info: FunctionInfo
    scope: Scope

    if TYPE_CHECKING:

        def eval(self, node: ast.expr) -> Type: ...
        def tell(self, event: type[sev.ScriptEvent], node: ast.AST, text: str, **fields: Any) -> None: ...
        def operand(self, node: ast.AST, type_: Type, text: str) -> None: ...
        def element(self, value: Type, node: ast.AST) -> Type: ...
        def starred(self, node: ast.Starred) -> list[Type]: ...
        def assumed(self, node: ast.AST, type_: Type) -> None: ...
        def attribute(self, node: ast.Attribute) -> Type: ...
        def condition(self, node: ast.expr) -> Any: ...

    def qualified(self, node: ast.expr) -> str | None:
        """The library name that an expression stands for, if it is one; nothing is told."""
        parts: list[str] = []
        while isinstance(node, ast.Attribute):
            parts.append(node.attr)
            node = node.value
        if not isinstance(node, ast.Name) or self.scope.find(node.id) is not None:
            return None
        value = self.interp.global_value(self.info.module, node.id)
        value = self.interp.builtin(node.id) if value is None else value
        if not isinstance(value, External):
            return None
        return canonical(".".join([value.name, *reversed(parts)]))

    def x_Call(self, node: ast.Call) -> Type:
        name = self.qualified(node.func)
        if name is None and isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Call):
            if self.qualified(node.func.value.func) == "builtins.super":
                self.tell(sev.ScriptCall, node, "TorchScript has no `super()`", name="builtins.super")
                return UNKNOWN
        if name is not None and name.startswith("builtins."):
            return self.builtin(name[9:], node)
        if name in ("torch.jit.annotate", "typing.cast") and len(node.args) == 2:
            return self.compiler.annotations(self.info).read(node.args[0])
        callee = Type("python", value=name) if name is not None else self.eval(node.func)
        if name is not None and self._library_refused(name, node):
            self.arguments(node)
            return UNKNOWN
        args, kwargs, complete = self.arguments(node)
        return self.call(callee, args, kwargs, complete, node)

    def arguments(self, node: ast.Call) -> tuple[list[Type], dict[str, Type], bool]:
        """(positional, keyword, whether those are all)."""
        args: list[Type] = []
        complete = True
        for argument in node.args:
            if isinstance(argument, ast.Starred):
                unpacked = self.starred(argument)
                args.extend(unpacked)
                complete = complete and all(map(known, unpacked)) and bool(unpacked)
            else:
                args.append(self.eval(argument))
        kwargs: dict[str, Type] = {}
        for keyword in node.keywords:
            value = self.eval(keyword.value)
            if keyword.arg is None:
                complete = False
            else:
                kwargs[keyword.arg] = value
        return args, kwargs, complete

    def call(self, callee: Type, args: list[Type], kwargs: dict[str, Type], complete: bool, node: ast.Call) -> Type:
        """The type of a call's result."""
        kind = callee.kind
        if kind == "python" and isinstance(callee.value, str):
            return self._library_result(callee.value, args, kwargs, node)
        if kind == "function":
            return self._function(callee.value.info, None, args, kwargs, complete, node, callee.value.scope)
        if kind == "method":
            return self._method(callee, args, kwargs, complete, node)
        if kind == "module":
            return self._module(callee, args, kwargs, complete, node)
        if kind == "pyclass":
            return self._class(callee.value, args, kwargs, complete, node)
        if kind == "tensor":
            self.operand(node, callee, "a Tensor is called")
        elif kind in ("modulevalue", "slicedmodule"):
            self.tell(
                sev.ScriptIndex,
                node,
                "a module taken from a slice, a list or a conditional expression cannot be called",
            )
        return UNKNOWN

    # -- project code -------------------------------------------------------------------------------------------

    def _function(
        self,
        info: FunctionInfo,
        this: Type | None,
        args: list[Type],
        kwargs: dict[str, Type],
        complete: bool,
        node: ast.Call,
        scope: Any = None,
    ) -> Type:
        saved = self.compiler.fold
        if info.module.library and not self.info.module.library:
            self.compiler.fold = (node, self.info)
        try:
            result = self.compiler.compile(info, this, scope)
        finally:
            self.compiler.fold = saved
        if complete and info.node.args.vararg is None and info.node.args.kwarg is None:
            self._check_arguments(info, this is not None, args, kwargs, node)
        return result

    def _check_arguments(
        self, info: FunctionInfo, bound: bool, args: list[Type], kwargs: dict[str, Type], node: ast.Call
    ) -> None:
        names = {n.rsplit(".", 1)[-1] for n in info.decorator_names()}
        if isinstance(info.node, ast.Lambda) or names - {
            "export",
            "script",
            "no_grad",
            "staticmethod",
            "ignore",
            "unused",
        }:
            return
        types = self.compiler.parameter_types(info)
        parameters = [*info.node.args.posonlyargs, *info.node.args.args]
        given = [
            (p.arg, t)
            for p, t in zip(parameters[1:] if bound and not info.has_decorator("staticmethod") else parameters, args)
        ]
        given += [(name, type_) for name, type_ in kwargs.items() if name in types]
        for name, type_ in given:
            wanted = types.get(name, UNKNOWN)
            if _empty(type_) or assignable(type_, wanted):
                continue
            if wanted.parameter:
                text = f"`{name}` of {info.name} has no annotation, so it is a Tensor; {type_} is passed"
                self.tell(sev.ScriptTensorParameter, node, text, parameter=name)
            elif type_.kind == "optional":
                self.tell(sev.ScriptOptional, node, f"{type_} is passed for `{name}`, which is {wanted}")
            else:
                self.operand(node, type_, f"{type_} is passed for `{name}`, which is {wanted}")

    def _module(self, callee: Type, args: list[Type], kwargs: dict[str, Type], complete: bool, node: ast.Call) -> Type:
        owner = callee.value
        if isinstance(owner, Seq):
            return UNKNOWN
        if not isinstance(owner, Instance):
            return UNKNOWN
        if owner.cls is None:
            row = lookup(canonical(owner.name))
            return TENSOR if row is not None and row.returns.startswith("tensor") else UNKNOWN
        self.compiler.compile_module(owner)
        forward = self.interp.find_method(owner.cls, "forward")
        if forward is None:
            return UNKNOWN
        return self._function(forward, callee, args, kwargs, complete, node)

    def _class(self, cls: Any, args: list[Type], kwargs: dict[str, Type], complete: bool, node: ast.Call) -> Type:
        bases = self.interp.mro(cls)[1]
        if self.interp.is_module(cls):
            self.tell(sev.ScriptCall, node, f"a module, {cls.name}, is made in compiled code", name=cls.qualname)
            return UNKNOWN
        if self.interp.is_namedtuple(cls) or any(b.startswith(("enum.", "builtins.")) for b in bases):
            return UNKNOWN
        if (
            bases
            and bases != ["builtins.object"]
            or cls.node.decorator_list
            or cls.node.bases
            and not bases
            and len(self.interp.mro(cls)[0]) == 1
        ):
            return UNKNOWN
        told = self.compiler.told
        if "__init__" not in cls.methods:
            self.compiler.compile_class(cls)
            if self.compiler.told != told:
                return UNKNOWN
            self.tell(sev.ScriptCall, node, f"TorchScript needs an `__init__` in {cls.name}", name=cls.qualname)
            return UNKNOWN
        this = Type("class", value=Instance(cls=cls))
        self.compiler.compile_class(cls)
        init = self.interp.find_method(cls, "__init__")
        assert init is not None
        self._function(init, this, args, kwargs, complete, node)
        return this

    def _method(self, callee: Type, args: list[Type], kwargs: dict[str, Type], complete: bool, node: ast.Call) -> Type:
        base, method = callee.value
        if not isinstance(method, str):
            return self._function(method, base, args, kwargs, complete, node)
        if base.kind == "tensor":
            return self._tensor_method(method, args, kwargs, node)
        if base.kind == "list":
            return self._list_method(base, method, args, kwargs, node)
        if base.kind == "dict":
            return self._dict_method(base, method, args)
        if base.kind == "str":
            kind = str_method(method)
            return {"bool": BOOL, "int": INT, "str": STR, "list": list_of(STR), "tuple": tuple_of(STR, STR, STR)}[kind]
        if base.kind == "module" and isinstance(base.value, Map):
            value = self._member_of(base.value)
            if method == "items":
                return Type("iterable", (tuple_of(STR, value),))
            return Type("iterable", (STR if method == "keys" else value,))
        return UNKNOWN

    def _member_of(self, container: Map) -> Type:
        first = next(iter(container.items.values()), container.element)
        return Type("module", value=first) if isinstance(first, Instance) else UNKNOWN

    def _list_method(self, base: Type, method: str, args: list[Type], kwargs: dict[str, Type], node: ast.Call) -> Type:
        if method in ("append", "insert") and args:
            added = args[-1]
            if base.of[0].value == "assumed" and known(added) and added.kind not in ("tensor",):
                self.assumed(node, added)
            elif known(base) and not assignable(added, base.of[0]):
                self.tell(sev.ScriptTypeChange, node, f"the list holds {base.of[0]}, and {added} is added")
            return NONE
        if method == "sort" and "key" in kwargs:
            self.tell(sev.ScriptCall, node, "`sort` takes no key", name="list.sort")
        if method == "pop":
            return base.of[0]
        if method in ("index", "count"):
            return INT
        return base if method == "copy" else NONE

    def _dict_method(self, base: Type, method: str, args: list[Type]) -> Type:
        key, value = base.of
        if method == "get":
            return value if len(args) > 1 else optional(value)
        if method in ("pop", "setdefault"):
            return value
        if method == "items":
            return list_of(tuple_of(key, value))
        if method == "keys":
            return list_of(key)
        if method == "values":
            return list_of(value)
        return base if method == "copy" else UNKNOWN

    def _tensor_method(self, method: str, args: list[Type], kwargs: dict[str, Type], node: ast.Call) -> Type:
        if method == "size":
            return INT if args or kwargs else INT_LIST
        if method in ("dim", "numel", "stride", "storage_offset"):
            return INT if method != "stride" or args else INT_LIST
        if method == "item":
            return Type("number", value="item")
        if method in ("tolist", "type"):
            return UNKNOWN
        self._flags(kwargs, node)
        if (
            method in _SHAPED
            and args
            and (args[0].kind == "float" or args[0].kind == "list" and args[0].of[0].kind in ("union", "float"))
        ):
            self.tell(sev.ScriptOperand, node, f"{method} is given {args[0]}, not sizes")
            return TENSOR
        return self._torch_result(f"Tensor.{method}", method, args, kwargs, receiver=True)

    # -- libraries ----------------------------------------------------------------------------------------------

    def _library_refused(self, name: str, node: ast.Call) -> bool:
        """Whether a library callable is refused with any arguments; told here."""
        if name in _TOLD_ELSEWHERE:
            return True
        tail = name.rsplit(".", 1)[-1]
        made = name.startswith("torch.nn.") and name.count(".") == 2 and tail[:1].isupper()
        if name == "collections.OrderedDict":
            return False
        bad = made or name in refused() or name in REFUSED_CALLS or name.startswith(REFUSED_PREFIXES)
        row = lookup(name)
        if row is not None and row.script == "refused" and not name.startswith("torch."):
            if row.dynamo == "break" and name not in _OWN_BUILTINS:
                return True  # the rules on Python calls tell it
            bad = True
        if bad:
            spelled = name.removeprefix("builtins.")
            text = (
                f"a module, {spelled}, is made in compiled code" if made else f"TorchScript cannot compile `{spelled}`"
            )
            self.tell(sev.ScriptCall, node, text, name=name)
        return bad

    def _library_result(self, name: str, args: list[Type], kwargs: dict[str, Type], node: ast.Call) -> Type:
        tail = name.rsplit(".", 1)[-1]
        if name.startswith("math."):
            return INT if tail in _INTEGER_MATH else BOOL if tail.startswith("is") else FLOAT
        if name in (
            "torch.jit.is_tracing",
            "torch.jit.is_scripting",
            "torch.compiler.is_compiling",
            "torch.is_grad_enabled",
        ):
            return BOOL
        if name == "torch.Size" or name == "torch.broadcast_shapes":
            return INT_LIST
        if not name.startswith("torch."):
            return UNKNOWN
        self._flags(kwargs, node)
        if name in _SIZED and any(a.kind == "float" for a in args):
            self.tell(sev.ScriptOperand, node, f"{name} is given a float as a size")
            return TENSOR
        if name in _TENSOR_LISTS and args:
            self._tensor_list(name, args[0], node)
            return TENSOR
        if name == "torch.where" and args and args[0].kind == "bool" and len(args) == 3:
            self.tell(sev.ScriptOperand, node, "`and`, `or` and `not` give a bool, and torch.where takes a Tensor")
            return TENSOR
        return self._torch_result(name, tail, args, kwargs, receiver=False)

    def _flags(self, kwargs: dict[str, Type], node: ast.Call) -> None:
        """A flag of a torch function that is a parameter without an annotation."""
        for keyword in kwargs.keys() & {"axis", "keepdims"}:
            self.tell(
                sev.ScriptOperand,
                node,
                f"TorchScript knows `{'dim' if keyword == 'axis' else 'keepdim'}`, not `{keyword}`",
            )
        for keyword in kwargs.keys() & _FLAGS:
            type_ = kwargs[keyword]
            if type_.kind == "tensor" and type_.parameter:
                self.operand(node, type_, f"`{keyword}` takes a bool")

    def _tensor_list(self, name: str, first: Type, node: ast.Call) -> None:
        if first.kind == "tensor" and first.parameter:
            self.operand(node, first, f"{name} takes a list")
        elif first.kind == "tensor":
            self.tell(sev.ScriptOperand, node, f"{name} takes a list of Tensors")
        elif first.kind in ("list", "tuple"):
            for member in first.of:
                if member.kind == "optional":
                    self.tell(sev.ScriptOptional, node, f"{name} is given {member}")
                elif member.kind in ("bool", "int", "float", "str", "none", "union"):
                    self.tell(sev.ScriptOperand, node, f"{name} is given {member} among the Tensors")
                    return

    def _torch_result(self, name: str, tail: str, args: list[Type], kwargs: dict[str, Type], receiver: bool) -> Type:
        """What a torch function or method returns."""
        own = args if receiver else args[1:]
        if tail in _PIECES:
            return list_of(TENSOR)
        if tail in _SEVERAL:
            if tail in ("max", "min", "median") and (
                not own and not kwargs or len(own) == 1 and own[0].kind == "tensor"
            ):
                return TENSOR
            if tail == "where" and len(args) == (2 if receiver else 3):
                return TENSOR
            if tail == "nonzero" and not kwargs and not own:
                return TENSOR
            return tuple_of(TENSOR, TENSOR) if tail in ("max", "min", "sort", "topk", "median") else UNKNOWN
        if tail.endswith("_") and receiver:
            return TENSOR
        row = lookup(name)
        if row is None or not row.returns:
            return UNKNOWN
        abstract = Arguments([Tensor()] * len(args), {}, Tensor() if receiver else None)
        result = of_value(returned(row.returns, abstract, None))
        return (
            UNKNOWN if result.kind == "list" and row.returns.startswith("list") and known(result) is False else result
        )

    # -- builtins -----------------------------------------------------------------------------------------------

    def builtin(self, name: str, node: ast.Call) -> Type:
        """A call of a builtin."""
        if name == "isinstance":
            self.condition(node)
            return BOOL
        if name == "hasattr":
            owner = self.eval(node.args[0]) if node.args else UNKNOWN
            if owner.kind in ("tensor", "list", "dict", "int", "str"):
                self.operand(node, owner, f"hasattr is asked of {owner}")
            return BOOL
        if name == "getattr":
            return self._getattr(node)
        if name == "super":
            return UNKNOWN
        if name == "type":
            self.arguments(node)
            return Type("pytype")
        if name in REFUSED_BUILTINS or f"builtins.{name}" in refused():
            self._refused_builtin(name, node)
            return UNKNOWN
        args, kwargs, _ = self.arguments(node)
        if name in ("int", "float", "bool") and args and args[0].kind == "optional":
            self.tell(sev.ScriptOptional, node, f"{name} is given {args[0]}")
        method = getattr(self, "_builtin_" + name, None)
        if method is not None:
            result: Type = method(args, kwargs, node)
            return result
        return _RESULTS.get(name, UNKNOWN)

    def _refused_builtin(self, name: str, node: ast.Call) -> None:
        row = lookup(f"builtins.{name}")
        told = (
            row is not None
            and row.script == "refused"
            and row.dynamo == "break"
            and f"builtins.{name}" not in _OWN_BUILTINS
        )
        for argument in node.args:
            if not isinstance(argument, ast.Starred):
                self.eval(argument)
        if not told:
            self.tell(sev.ScriptCall, node, f"TorchScript has no `{name}` of this kind", name=f"builtins.{name}")

    def _getattr(self, node: ast.Call) -> Type:
        if len(node.args) < 2:
            return UNKNOWN
        name = node.args[1]
        if not (isinstance(name, ast.Constant) and isinstance(name.value, str)):
            self.tell(sev.ScriptCall, node, "the name given to getattr is no literal", name="builtins.getattr")
            return UNKNOWN
        if len(node.args) == 3:
            return UNKNOWN
        read = ast.Attribute(value=node.args[0], attr=name.value, ctx=ast.Load())
        return self.attribute(ast.copy_location(read, node))

    def _builtin_range(self, args: list[Type], kwargs: dict[str, Type], node: ast.Call) -> Type:
        for argument in args:
            if argument.kind == "tensor" and argument.parameter:
                self.operand(node, argument, "range takes int")
            elif argument.kind == "optional":
                self.tell(sev.ScriptOptional, node, f"range is given {argument}")
            elif argument.kind in ("float", "str") or argument.value == "item":
                self.tell(sev.ScriptOperand, node, f"range is given {argument}")
        return Type("iterable", (INT,))

    def _builtin_print(self, args: list[Type], kwargs: dict[str, Type], node: ast.Call) -> Type:
        if kwargs:
            self.tell(sev.ScriptCall, node, "print takes no keyword in TorchScript", name="builtins.print")
        return NONE

    def _builtin_sorted(self, args: list[Type], kwargs: dict[str, Type], node: ast.Call) -> Type:
        if kwargs:
            self.tell(sev.ScriptCall, node, "sorted takes no keyword in TorchScript", name="builtins.sorted")
        return args[0] if args and args[0].kind == "list" else UNKNOWN

    def _builtin_sum(self, args: list[Type], kwargs: dict[str, Type], node: ast.Call) -> Type:
        if (
            args
            and args[0].kind in ("list", "tuple")
            and args[0].of
            and args[0].of[0].kind == "tensor"
            and args[0].of[0].value != "assumed"
        ):
            self.tell(sev.ScriptOperand, node, "sum of a list of Tensors is not known to TorchScript")
            return TENSOR
        if args and args[0].kind == "list" and args[0].of[0].kind in ("int", "float"):
            return args[0].of[0]
        return TENSOR if args and args[0].kind == "tensor" else UNKNOWN

    def _extremum(self, args: list[Type], kwargs: dict[str, Type], node: ast.Call) -> Type:
        if kwargs:
            self.tell(sev.ScriptCall, node, "min and max take no keyword in TorchScript", name="builtins.max")
            return UNKNOWN
        if len(args) == 1 and args[0].kind == "list":
            return args[0].of[0]
        kinds = {a.kind for a in args}
        return args[0] if len(kinds) == 1 and len(args) > 1 else UNKNOWN

    _builtin_min = _builtin_max = _extremum

    def _any_all(self, args: list[Type], kwargs: dict[str, Type], node: ast.Call) -> Type:
        if args and args[0].kind == "list" and args[0].of[0].kind == "tensor" and args[0].of[0].value != "assumed":
            self.tell(sev.ScriptOperand, node, "any and all of a list of Tensors are not known to TorchScript")
        return BOOL

    _builtin_any = _builtin_all = _any_all

    def _builtin_enumerate(self, args: list[Type], kwargs: dict[str, Type], node: ast.Call) -> Type:
        element = self.element(args[0], node) if args else UNKNOWN
        return Type("iterable", (tuple_of(INT, element),))

    def _builtin_zip(self, args: list[Type], kwargs: dict[str, Type], node: ast.Call) -> Type:
        return Type("iterable", (tuple_of(*[self.element(a, node) for a in args]),))

    def _builtin_list(self, args: list[Type], kwargs: dict[str, Type], node: ast.Call) -> Type:
        if not args:
            return list_of(UNKNOWN)
        return list_of(self.element(args[0], node))

    def _builtin_tuple(self, args: list[Type], kwargs: dict[str, Type], node: ast.Call) -> Type:
        if args and args[0].kind in ("list", "iterable"):
            self.tell(sev.ScriptStar, node, "a tuple is made of a list of unknown length")
            return UNKNOWN
        return args[0] if args and args[0].kind == "tuple" else UNKNOWN

    def _builtin_round(self, args: list[Type], kwargs: dict[str, Type], node: ast.Call) -> Type:
        if len(args) == 2 and args[0].kind in ("float", "int"):
            self.tell(sev.ScriptCall, node, "round takes no number of digits in TorchScript", name="builtins.round")
        return args[0] if args and args[0].kind == "float" else UNKNOWN

    def _builtin_abs(self, args: list[Type], kwargs: dict[str, Type], node: ast.Call) -> Type:
        return args[0] if args else UNKNOWN


def _empty(type_: Type) -> bool:
    """The type of an empty display, which takes the type that is wanted."""
    return bool(type_.of) and type_.of[-1].value == "assumed"
