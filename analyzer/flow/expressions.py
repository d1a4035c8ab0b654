"""Evaluating expressions to abstract values, and telling the rules what happens on the way."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from analyzer.flow import events as ev
from analyzer.flow.dynamic_dims import dimension
from analyzer.flow.frame import Frame
from analyzer.flow.part import Part
from analyzer.knowledge.tables import measured
from analyzer.project import dotted
from analyzer.values import (
    FEW,
    NONE,
    UNKNOWN,
    Class,
    Const,
    Data,
    External,
    Function,
    Guard,
    Instance,
    Map,
    Module,
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
    options_of,
    tainted,
    tensor_in,
)

if TYPE_CHECKING:
    from analyzer.flow.interpreter import Interpreter

_FOLD: dict[type, Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}
#: From so many constants of one type on, a display is data.
_MANY_CONSTANTS = 64
_COMPARE: dict[type, Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}
#: Displays longer than this are data: constants of one type in them are evaluated once.
_MANY_ELEMENTS = 64


#: The method that evaluates each kind of expression, once it was met.
_METHODS: dict[type, Callable[[Any, Any], Value]] = {}


class Expressions(Part):
    """Mixin of the evaluator; `self.frame` is the execution at hand."""

    interp: Interpreter
    frame: Frame

    if TYPE_CHECKING:

        def call(self, node: ast.Call, awaited: bool = False) -> Value: ...
        def call_value(
            self, callee: Value, args: list[Value], kwargs: dict[str, Value], node: ast.AST, starred: bool = False
        ) -> tuple[Value, str]: ...
        def test(
            self, node: ast.expr, form: str, statement: ast.AST, raises: bool = False, plain: bool = False
        ) -> Any: ...
        def assign(self, target: ast.expr, value: Value, statement: ast.AST) -> None: ...
        def narrowed(self, facts: Any) -> Any: ...
        def was_read(self, path: str) -> None: ...

    # -- plumbing -----------------------------------------------------------------------------------------------

    def eval(self, node: ast.expr) -> Value:
        kind = node.__class__
        method = _METHODS.get(kind)
        if method is None:
            method = _METHODS[kind] = getattr(Expressions, "_" + kind.__name__, Expressions._unmodelled)
        return method(self, node)

    def _unmodelled(self, node: ast.expr) -> Value:
        self.children(node)
        return UNKNOWN

    def children(self, node: ast.AST) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                self.eval(child)

    def emit(self, event: type[ev.Event], node: ast.AST, **fields: Any) -> None:
        frame = self.frame
        if frame.quiet or event not in self.interp.wanted:
            return
        if event is ev.HostRead and frame.logging:
            fields["logged"] = True
        told = event(node=node, path=frame.module.path, function=frame.info, context=frame.context, **fields)
        self.interp.dispatch(told, frame)

    def syntax(self, kind: str, node: ast.AST, **values: Value) -> None:
        self.emit(ev.Syntax, node, kind=kind, values=values)

    def why(self, text: str, node: ast.AST, *sources: Value | None) -> Why:
        before: Why | None = None
        for source in sources:
            if source is not None and source.why is not None:
                before = source.why
                break
        return Why(text, node, self.frame.module.path, before)

    # -- leaves -------------------------------------------------------------------------------------------------

    def _Constant(self, node: ast.Constant) -> Value:
        return NONE if node.value is None else Const(value=node.value)

    def _Name(self, node: ast.Name) -> Value:
        return self.name(node.id, node)

    def name(self, name: str, node: ast.AST) -> Value:
        frame = self.frame
        if name in frame.env:
            return frame.env[name]
        if name in frame.locals and name not in frame.globals:
            return UNKNOWN
        if frame.scope is not None and name in frame.scope:
            return frame.scope[name]
        value = self.interp.global_value(frame.module, name)
        if value is not None:
            self.emit(ev.NameLoad, node, name=name, value=value, module_path=frame.module.path)
            if not frame.quiet:
                frame.reads.add(name)
            return value
        return self.interp.builtin(name)

    def _JoinedStr(self, node: ast.JoinedStr) -> Value:
        parts: list[Value] = []
        for piece in node.values:
            if isinstance(piece, ast.FormattedValue):
                value = self.eval(piece.value)
                if piece.format_spec is not None:
                    self.eval(piece.format_spec)
                parts.append(value)
        self.syntax("JoinedStr", node, **{f"v{i}": v for i, v in enumerate(parts)})
        return self.formatted(parts, node)

    def formatted(self, parts: list[Value], node: ast.AST) -> Value:
        """The text made of some values: host data if a tensor's contents are in it."""
        for part in parts:
            if isinstance(part, (Tensor, Data)):
                return Data(type="str", taint=part.taint, why=self.why("formatted as text", node, part))
        metas = {p.meta for p in parts if isinstance(p, Shape)}
        if metas:
            return Shape(type="str", meta=metas.pop() if len(metas) == 1 else "size", taint=tainted(parts))
        return Static(type="str", taint=tainted(parts), why=_source(tuple(parts)))

    def _FormattedValue(self, node: ast.FormattedValue) -> Value:
        return self.eval(node.value)

    # -- containers ---------------------------------------------------------------------------------------------

    def elements(self, nodes: list[ast.expr]) -> tuple[Value, ...] | None:
        """Values of a display's elements; None if a starred element has unknown length."""
        values: list[Value] = []
        known = True
        constants: dict[type, int] = {}
        for node in nodes:
            if type(node) is ast.Constant:
                kind = type(node.value)
                constants[kind] = constants.get(kind, 0) + 1
                if constants[kind] > _MANY_CONSTANTS:
                    known = False
                    continue  # data: one more constant of its type changes nothing
            if isinstance(node, ast.Starred):
                inner = self.eval(node.value)
                self.emit(ev.Iterate, node, value=inner, form="star", count=None)
                if isinstance(inner, Seq) and inner.items is not None:
                    values.extend(inner.items)
                else:
                    known = False
                    values.append(self.element(inner))
            else:
                values.append(self.eval(node))
        if known and len(values) <= 24:
            return tuple(values)
        self._loose = join_all(values)
        return None

    _loose: Value = UNKNOWN

    def sequence(self, node: ast.List | ast.Tuple | ast.Set, kind: str) -> Value:
        items = self.elements(node.elts)
        if items is None:
            return Seq(type=kind, element=self._loose, taint=self._loose.taint)
        return Seq(type=kind, items=items, taint=tainted(items))

    def _Tuple(self, node: ast.Tuple) -> Value:
        return self.sequence(node, "tuple")

    def _List(self, node: ast.List) -> Value:
        return self.sequence(node, "list")

    def _Set(self, node: ast.Set) -> Value:
        self.syntax("Set", node)
        return self.sequence(node, "set")

    def _Dict(self, node: ast.Dict) -> Value:
        self.syntax("Dict", node)
        items: dict[Any, Value] = {}
        element: Value | None = None
        constants: dict[type, int] = {}
        for key, value_node in zip(node.keys, node.values):
            if type(value_node) is ast.Constant and type(key) is ast.Constant:
                kind = type(value_node.value)
                constants[kind] = constants.get(kind, 0) + 1
                if constants[kind] > _MANY_CONSTANTS:
                    continue
            value = self.eval(value_node)
            if key is None:
                self.syntax("DictUnpack", value_node)
                if isinstance(value, Map):
                    items.update(value.items)
                    if not value.items:
                        element = value.element if element is None else join(element, value.element)
                continue
            key_value = self.eval(key)
            if isinstance(key_value, Const) and len(items) < 64:
                items[key_value.value] = value
            element = value if element is None else join(element, value)
        return Map(items=items, element=element or UNKNOWN)

    # -- attribute and subscript --------------------------------------------------------------------------------

    def _Attribute(self, node: ast.Attribute) -> Value:
        path = dotted(node)
        if path is not None:
            self.was_read(path)
        if path is not None and path in self.frame.env:
            base = self.eval(node.value)
            result = self.frame.env[path]
        else:
            base = self.eval(node.value)
            result = self.attribute(base, node.attr, node)
        self.emit(ev.AttributeLoad, node, value=base, attribute=node.attr, result=result)
        return result

    def attribute(self, base: Value, name: str, node: ast.AST) -> Value:
        """The value of `base.name`."""
        if isinstance(base, Union):
            found = [self.attribute(o, name, node) for o in base.options if not is_none(o)]
            return join_all(found) if found else UNKNOWN
        return self.interp.attribute(self.whole, base, name, node)

    def _Subscript(self, node: ast.Subscript) -> Value:
        base = self.eval(node.value)
        index = self.eval(node.slice)
        base = self.indexed(base, index)
        if isinstance(base, Unknown) and isinstance(index, Unknown) and self._selects_itself(node):
            base = Tensor(sure=2, taint=base.taint, why=base.why)
            index = Tensor(sure=2, dtype="bool", taint=index.taint, why=self.why("", node.slice, base))
        result = self.subscript(base, index, node)
        self.emit(ev.Subscript, node, value=base, index=index, access="load", result=result)
        return result

    def _selects_itself(self, node: ast.Subscript) -> bool:
        """`x[x > 0]`: nothing but a tensor or an array is compared and then indexed by the answer."""
        mask = node.slice
        if not isinstance(mask, ast.Compare) or len(mask.ops) != 1 or not isinstance(node.value, ast.Name):
            return False
        same = isinstance(mask.left, ast.Name) and mask.left.id == node.value.id
        return (
            same
            and not isinstance(mask.ops[0], (ast.In, ast.NotIn, ast.Is, ast.IsNot))
            and not self.frame.module.imports_numpy
        )

    def indexed(self, base: Value, index: Value) -> Value:
        """What is indexed by a boolean tensor, or by a tuple that holds a slice or a tensor, is a tensor itself."""
        if not isinstance(base, Unknown):
            return base
        parts = (
            index.items if isinstance(index, Seq) and index.type == "tuple" and index.items is not None else (index,)
        )
        if any(isinstance(p, Tensor) and p.dtype == "bool" for p in parts):
            array = any(isinstance(p, Tensor) and p.array for p in parts)
            return Tensor(sure=2, array=array, taint=base.taint or is_tainted(index), why=base.why)
        return base

    def _Slice(self, node: ast.Slice) -> Value:
        parts = [self.eval(p) if p is not None else NONE for p in (node.lower, node.upper, node.step)]
        for part, source in zip(parts, (node.lower, node.upper, node.step)):
            if source is not None:
                self.index_read(part, source, "slice")
        return Seq(type="slice", items=tuple(parts), taint=tainted(parts))

    def index_read(self, value: Value, node: ast.AST, how: str = "index") -> None:
        """A value used where Python wants an index: a tensor is read for it."""
        tensor = tensor_in(value)
        if tensor is not None and not tensor.array:
            self.emit(ev.HostRead, node, tensor=tensor, how=how, result=Data(type="int", taint=tensor.taint))

    def subscript(self, base: Value, index: Value, node: ast.Subscript) -> Value:
        if isinstance(base, Union):
            return join_all([self.subscript(o, index, node) for o in base.options if not is_none(o)])
        if isinstance(base, Tensor):
            return self.index_tensor(base, index, node)
        if isinstance(base, (Seq, Static)):
            for option in options_of(index):
                self.index_read(option, node.slice)
        if isinstance(base, Seq):
            if base.items is not None:
                if isinstance(index, Const) and isinstance(index.value, int):
                    position = index.value
                    if -len(base.items) <= position < len(base.items):
                        return base.items[position]
                    return UNKNOWN
                if isinstance(index, Seq) and index.type == "slice":
                    return self.slice_items(base, index)
            if isinstance(index, Seq) and index.type == "slice":
                return replace(base, items=None, element=element_of(base))
            element = element_of(base)
            return element if not isinstance(index, Data) else self.with_taint(element, index.taint)
        if isinstance(base, Map):
            if isinstance(index, Const) and index.value in base.items:
                return base.items[index.value]
            return base.element
        if isinstance(base, Shape):
            if base.type == "size":
                if isinstance(index, Seq) and index.type == "slice":
                    return replace(base, why=self.why("", node, base))
                dim = index.value if isinstance(index, Const) and isinstance(index.value, int) else None
                return Shape(
                    type="int",
                    meta=base.meta,
                    dim=dim,
                    of_parameter=base.of_parameter,
                    taint=base.taint,
                    why=self.why("", node, base),
                    dynamic=dimension(base, dim) if base.dynamic else (),
                )
            return base
        if isinstance(base, Data):
            return Data(taint=base.taint, why=base.why)
        if isinstance(base, Instance) and base.cls is not None:
            method = self.interp.find_method(base.cls, "__getitem__")
            if method is not None:
                result, _ = self.call_value(Function(info=method, self_value=base), [index], {}, node)
                return result
            return self.interp.output_item(self.whole, base, index, node)
        if isinstance(base, External):
            return Static()
        return Unknown(taint=is_tainted(base) or is_tainted(index), why=base.why if base.taint else None)

    def with_taint(self, value: Value, taint: bool) -> Value:
        return replace(value, taint=True) if taint and not value.taint else value

    def slice_items(self, base: Seq, index: Seq) -> Value:
        bounds: list[int | None] = []
        for part in index.items or ():
            if is_none(part):
                bounds.append(None)
            elif isinstance(part, Const) and isinstance(part.value, int):
                bounds.append(part.value)
            else:
                return replace(base, items=None, element=element_of(base))
        return replace(base, items=(base.items or ())[slice(*bounds)] if bounds[2:] != [0] else ())

    def index_tensor(self, base: Tensor, index: Value, node: ast.Subscript) -> Value:
        parts = (
            list(index.items)
            if isinstance(index, Seq) and index.type == "tuple" and index.items is not None
            else [index]
        )
        ndim = base.ndim
        for part in parts:
            if isinstance(part, Seq) and part.type == "slice":
                continue
            if is_none(part):
                ndim = ndim + 1 if ndim is not None else None
            elif isinstance(part, (Const, Static, Shape, Data)) and not (isinstance(part, Const) and part.value is ...):
                ndim = ndim - 1 if ndim else None
            elif isinstance(part, Tensor) and part.ndim == 0 and part.dtype != "bool":
                ndim = ndim - 1 if ndim else None
            else:
                ndim = None
        taint = base.taint or is_tainted(index)
        constant = base.constant and not taint
        selected = any(isinstance(p, Tensor) and p.dtype == "bool" for p in parts)
        return replace(
            base, selected=selected, ndim=ndim, taint=taint, constant=constant, leaf=False, why=self.why("", node, base)
        )

    def _Starred(self, node: ast.Starred) -> Value:
        return self.eval(node.value)

    # -- operators ----------------------------------------------------------------------------------------------

    def _BinOp(self, node: ast.BinOp) -> Value:
        left = self.eval(node.left)
        right = self.eval(node.right)
        return self.binary(left, right, node.op, node)

    def binary(self, left: Value, right: Value, op: ast.operator, node: ast.AST) -> Value:
        result = self.binary_value(left, right, op, node)
        self.emit(ev.Operation, node, operator=op.__class__.__name__, left=left, right=right, result=result)
        return result

    def binary_value(self, left: Value, right: Value, op: ast.operator, node: ast.AST) -> Value:
        if isinstance(left, Const) and isinstance(right, Const):
            fold = _FOLD.get(op.__class__)
            if fold is not None and isinstance(left.value, (int, float)) and isinstance(right.value, (int, float)):
                try:
                    return Const(value=fold(left.value, right.value))
                except (ArithmeticError, ValueError):
                    return Static(type="float")
            if isinstance(left.value, str):
                return Static(type="str")
        if isinstance(left, Const) and isinstance(left.value, str) and isinstance(op, ast.Mod):
            parts = list(right.items) if isinstance(right, Seq) and right.items is not None else [right]
            return self.formatted(parts, node)
        taint = is_tainted(left) or is_tainted(right)
        for first, second in ((left, right), (right, left)):
            if isinstance(first, Union):
                if tensor_in(second) is None:
                    usable = [o for o in first.options if not is_none(o)]
                    if len(usable) <= 3:
                        return (
                            join_all(
                                [
                                    self.binary_value(o, second, op, node)
                                    if first is left
                                    else self.binary_value(second, o, op, node)
                                    for o in usable
                                ]
                            )
                            if usable
                            else UNKNOWN
                        )
        a, b = tensor_in(left), tensor_in(right)
        if a is not None or b is not None:
            return self.tensor_operation(a, b, left, right, op, node, taint)
        if isinstance(left, Seq) and left.type in ("list", "tuple"):
            if isinstance(right, Seq) and isinstance(op, ast.Add):
                if left.items is not None and right.items is not None and len(left.items) + len(right.items) <= 24:
                    return Seq(type=left.type, items=left.items + right.items, taint=taint)
                return Seq(type=left.type, element=join(element_of(left), element_of(right)), taint=taint)
            if isinstance(op, ast.Mult):
                if (
                    isinstance(right, Const)
                    and isinstance(right.value, int)
                    and left.items is not None
                    and right.value * len(left.items) <= 24
                ):
                    return replace(left, items=left.items * right.value)
                return Seq(type=left.type, element=element_of(left), taint=taint)
        if isinstance(left, Instance) and left.cls is not None and (special := _DUNDER.get(op.__class__)):
            method = self.interp.find_method(left.cls, special)
            if method is not None:
                return self.call_value(Function(info=method, self_value=left), [right], {}, node)[0]
        for kind in (Data, Shape):
            found = next((v for v in (left, right) if isinstance(v, kind)), None)
            if found is not None:
                if isinstance(left, Unknown) or isinstance(right, Unknown):
                    return Unknown(taint=taint, why=_source((left, right)))
                types = {getattr(v, "type", type(getattr(v, "value", None)).__name__) for v in (left, right)}
                type_ = (
                    "float"
                    if isinstance(op, ast.Div) or "float" in types
                    else "int"
                    if types <= {"int", "bool", "size"}
                    else "any"
                )
                if isinstance(found, Shape) and found.type == "size" and isinstance(op, (ast.Add, ast.Mult)):
                    type_ = "size"
                return replace(found, type=type_, taint=taint, why=self.why("", node, found))
        if isinstance(left, Unknown) or isinstance(right, Unknown):
            return Unknown(taint=taint, why=_source((left, right)))
        types = {
            v.type if isinstance(v, Static) else type(v.value).__name__
            for v in (left, right)
            if isinstance(v, (Static, Const))
        }
        kind_ = types.pop() if len(types) == 1 else "float" if types <= {"int", "float", "bool"} and types else "any"
        if isinstance(op, ast.Div) and kind_ == "int":
            kind_ = "float"
        return Static(type=kind_, taint=taint, why=_source((left, right)))

    def tensor_operation(
        self, a: Tensor | None, b: Tensor | None, left: Value, right: Value, op: ast.AST, node: ast.AST, taint: bool
    ) -> Value:
        first = a or b
        assert first is not None
        dtype = first.dtype
        if a is not None and b is not None and a.dtype != b.dtype:
            dtype = "float" if "float" in (a.dtype, b.dtype) else None
        if isinstance(op, ast.Div) and dtype in ("int", "bool"):
            dtype = "float"
        if dtype in ("int", "bool") and isinstance(op, (ast.Add, ast.Sub, ast.Mult, ast.Mod, ast.FloorDiv)):
            other = right if a is not None else left
            value_type = (
                other.type
                if isinstance(other, (Static, Data, Shape))
                else type(other.value).__name__
                if isinstance(other, Const)
                else ""
            )
            if value_type == "float":
                dtype = "float"
            elif dtype == "bool":
                dtype = "int" if b is None or a is None else dtype if isinstance(op, ast.Mult) else "int"
        if a is not None and b is not None:
            ndim = max(a.ndim, b.ndim) if a.ndim is not None and b.ndim is not None else None
        else:
            ndim = first.ndim if not isinstance(right if a is not None else left, (Unknown, Seq)) else None
        layout = "sparse" if (a or first).layout == "sparse" and (b or first).layout == "sparse" else "strided"
        return Tensor(
            dtype=dtype,
            ndim=ndim,
            sure=min(t.sure for t in (a, b) if t is not None),
            constant=all(t.constant for t in (a, b) if t is not None)
            and not any(isinstance(v, (Data, Unknown)) for v in (left, right)),
            array=all(t.array for t in (a, b) if t is not None),
            layout=layout,
            origin=first.origin if not taint else None,
            taint=taint,
            why=self.why("", node, first, b),
        )

    def _UnaryOp(self, node: ast.UnaryOp) -> Value:
        if isinstance(node.op, ast.Not):
            outcome = self.test(node.operand, "not", node)
            if outcome.truth is not None:
                return Const(value=not outcome.truth)
            if outcome.guard is not None:
                return Guard(true_for=frozenset(self.interp.frontends - outcome.guard))
            value = outcome.value
            if isinstance(value, (Tensor, Data)):
                return Data(type="bool", taint=value.taint, why=self.why("", node, value))
            if isinstance(value, Shape):
                return replace(value, type="bool")
            return (
                Static(type="bool", taint=is_tainted(value))
                if not isinstance(value, Unknown)
                else Unknown(taint=value.taint)
            )
        value = self.eval(node.operand)
        result: Value
        if isinstance(value, Const) and isinstance(value.value, (int, float)) and isinstance(node.op, ast.USub):
            result = Const(value=-value.value)
        elif isinstance(value, Tensor):
            result = replace(value, leaf=False, why=self.why("", node, value))
        elif isinstance(value, Const):
            result = Static(type=type(value.value).__name__)
        else:
            result = value
        self.emit(ev.Operation, node, operator=node.op.__class__.__name__, left=value, right=UNKNOWN, result=result)
        return result

    def _BoolOp(self, node: ast.BoolOp) -> Value:
        return self.bool_op(node)

    def bool_op(self, node: ast.BoolOp) -> Value:
        """`a and b` as a value: every operand but the last is tested."""
        form = "and" if isinstance(node.op, ast.And) else "or"
        results: list[Value] = []
        guards: list[frozenset[str] | None] = []
        saved_context, saved_env = self.frame.context, self.frame.env
        self.frame.env = dict(saved_env)
        short = False
        for index, operand in enumerate(node.values):
            last = index == len(node.values) - 1
            if last:
                value = self.eval(operand)
                results.append(value)
                guards.append(value.true_for if isinstance(value, Guard) else None)
                break
            outcome = self.test(operand, form, node)
            guards.append(outcome.guard)
            facts = outcome.when_true if form == "and" else outcome.when_false
            if outcome.truth is (form == "or"):
                results.append(outcome.value)
                short = True
                break
            if outcome.truth is None:
                results.append(outcome.value)
            alive = outcome.alive_true if form == "and" else outcome.alive_false
            self.frame.context = self.frame.context.under(alive)
            self.narrowed(facts)
        self.frame.context, self.frame.env = saved_context, saved_env
        if not short and all(g is not None for g in guards):
            sets = [g for g in guards if g is not None]
            merged = frozenset.intersection(*sets) if form == "and" else frozenset.union(*sets)
            return Guard(true_for=merged)
        return join_all(results)

    def _Compare(self, node: ast.Compare) -> Value:
        reads = set(self.frame.reads)
        left = self.eval(node.left)
        if isinstance(node.comparators[0], ast.Constant) and node.comparators[0].value is None:
            self.frame.reads = reads  # whether something is None yet is no use of its value
        result: Value = UNKNOWN
        for index, (op, comparator) in enumerate(zip(node.ops, node.comparators)):
            right = self.eval(comparator)
            result = self.compare(left, right, op, node)
            if index < len(node.ops) - 1:
                self.emit(ev.TruthTest, node, value=result, form="and", statement=node, raises=False, plain=False)
            left = right
        return result

    def compare(self, left: Value, right: Value, op: ast.cmpop, node: ast.Compare) -> Value:
        result = self.compare_value(left, right, op, node)
        self.emit(ev.Operation, node, operator=op.__class__.__name__, left=left, right=right, result=result)
        return result

    def compare_value(self, left: Value, right: Value, op: ast.cmpop, node: ast.Compare) -> Value:
        taint = is_tainted(left) or is_tainted(right)
        if isinstance(op, (ast.Is, ast.IsNot)):
            return self.identity(left, right, isinstance(op, ast.Is))
        if isinstance(op, (ast.In, ast.NotIn)):
            tensor = tensor_in(right)
            if tensor is not None:
                result = Data(type="bool", taint=taint, why=self.why("", node, tensor))
                self.emit(ev.HostRead, node, tensor=tensor, how="contains", result=result)
                return result
            sought = tensor_in(left)
            if (
                sought is not None
                and not sought.array
                and isinstance(right, Seq)
                and right.type in ("tuple", "list")
                and right.items
            ):
                result = Data(type="bool", taint=taint, why=self.why("", node, sought))
                self.emit(ev.HostRead, node, tensor=sought, how="member", result=result)
                return result
            if (
                isinstance(left, Const)
                and isinstance(right, Seq)
                and right.type in ("tuple", "list")
                and right.items is not None
            ):
                if all(isinstance(i, Const) for i in right.items):
                    inside = any(isinstance(i, Const) and i.value == left.value for i in right.items)
                    return Const(value=inside is isinstance(op, ast.In))
            if isinstance(right, (Map, Instance)):
                return Static(type="bool")  # keys are compared by hash: nothing of the left side is read
            return self.host_bool((left, right), taint, node)
        a, b = tensor_in(left), tensor_in(right)
        if a is not None or b is not None:
            other = right if a is not None else left
            if (is_none(other) or (isinstance(other, Const) and isinstance(other.value, str))) and (
                a is None or b is None
            ):
                return Const(value=isinstance(op, ast.NotEq))
            if (
                isinstance(other, (Seq, Map, Instance))
                and (a is None or b is None)
                and isinstance(op, (ast.Eq, ast.NotEq))
                and not isinstance(other, Seq)
            ):
                return Static(type="bool", taint=taint)
            compared = self.tensor_operation(a, b, left, right, op, node, taint)
            return replace(compared, dtype="bool") if isinstance(compared, Tensor) else compared
        if isinstance(left, Const) and isinstance(right, Const):
            fold = _COMPARE.get(op.__class__)
            if fold is not None:
                try:
                    return Const(value=bool(fold(left.value, right.value)))
                except TypeError:
                    return Static(type="bool")
        if isinstance(left, Data) or isinstance(right, Data) or isinstance(left, Shape) or isinstance(right, Shape):
            return self.host_bool((left, right), taint, node)
        for side in (left, right):
            if isinstance(side, Union) and any(isinstance(o, Tensor) for o in side.options):
                return Unknown(taint=taint)
        return self.host_bool((left, right), taint, node)

    def host_bool(self, values: tuple[Value, ...], taint: bool, node: ast.AST) -> Value:
        """The bool that comparing host values gives."""
        for kind in (Data, Shape):
            found = next((v for v in values if isinstance(v, kind)), None)
            if found is not None:
                return replace(found, type="bool", taint=taint, why=self.why("", node, found))
        for value in values:
            if isinstance(value, Seq):
                inner = next((i for i in (value.items or (value.element,)) if isinstance(i, (Data, Shape))), None)
                if inner is not None:
                    return replace(inner, type="bool", taint=taint, why=self.why("", node, inner))
        if any(isinstance(v, Unknown) for v in values):
            return Unknown(taint=taint, why=_source(values))
        return Static(type="bool", taint=taint, why=_source(values))

    def identity(self, left: Value, right: Value, positive: bool) -> Value:
        """`is` / `is not`: decided when one side is None and the other is surely not."""
        for value, other in ((left, right), (right, left)):
            if is_none(other):
                if is_none(value):
                    return Const(value=positive)
                if isinstance(value, (Tensor, Data, Shape, Seq, Map, Function, Class, Module, Instance)) or (
                    isinstance(value, Const) and value.value is not None
                ):
                    return Const(value=not positive)
                if isinstance(value, Static) and value.type != "any":
                    return Const(value=not positive)
                if isinstance(value, External) and measured(value.name):
                    return Const(value=not positive)
        if (
            isinstance(left, Const)
            and isinstance(right, Const)
            and isinstance(left.value, bool)
            and isinstance(right.value, bool)
        ):
            return Const(value=(left.value is right.value) is positive)
        return Static(type="bool")

    def _IfExp(self, node: ast.IfExp) -> Value:
        self.syntax("IfExp", node)
        outcome = self.test(node.test, "ternary", node)
        saved_context, saved_env = self.frame.context, self.frame.env
        results: list[Value] = []
        for branch, skip, alive, facts in (
            (node.body, outcome.truth is False, outcome.alive_true, outcome.when_true),
            (node.orelse, outcome.truth is True, outcome.alive_false, outcome.when_false),
        ):
            if skip:
                continue
            self.frame.context = saved_context.under(alive)
            self.frame.env = dict(saved_env)
            self.narrowed(facts)
            results.append(self.eval(branch))
        self.frame.context, self.frame.env = saved_context, saved_env
        return join_all(results)

    def _NamedExpr(self, node: ast.NamedExpr) -> Value:
        self.syntax("NamedExpr", node)
        value = self.eval(node.value)
        self.assign(node.target, value, node)
        return value

    # -- functions and comprehensions ---------------------------------------------------------------------------

    def _Lambda(self, node: ast.Lambda) -> Value:
        self.syntax("Lambda", node)
        info = self.interp.function_info(node, self.frame, "<lambda>")
        return Function(info=info, scope=self.interp.closure(self.frame))

    def _Await(self, node: ast.Await) -> Value:
        self.syntax("Await", node)
        if isinstance(node.value, ast.Call):
            return self.call(node.value, awaited=True)
        return self.eval(node.value)

    def _Yield(self, node: ast.Yield) -> Value:
        value = self.eval(node.value) if node.value is not None else NONE
        self.syntax("Yield", node, value=value)
        self.frame.yielded.append(value)
        return UNKNOWN

    def _YieldFrom(self, node: ast.YieldFrom) -> Value:
        value = self.eval(node.value)
        self.syntax("YieldFrom", node, value=value)
        self.frame.yielded.append(self.element(value))
        return UNKNOWN

    def _Call(self, node: ast.Call) -> Value:
        return self.call(node)

    def _ListComp(self, node: ast.ListComp) -> Value:
        return self.comprehension(node, "list")

    def _SetComp(self, node: ast.SetComp) -> Value:
        return self.comprehension(node, "set")

    def _GeneratorExp(self, node: ast.GeneratorExp) -> Value:
        return self.comprehension(node, "generator")

    def comprehension(self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp, kind: str) -> Value:
        self.syntax(node.__class__.__name__, node)
        saved = self.frame.env
        self.frame.env = dict(saved)
        count = self.generators(node.generators)
        self.frame.repeating += 1
        element = self.eval(node.elt)
        self.frame.repeating -= 1
        self.frame.env = saved
        if count is not None and 0 < count <= 24 and not any(g.ifs for g in node.generators):
            return Seq(type=kind, items=(element,) * count, taint=is_tainted(element))
        return Seq(type=kind, element=element, taint=is_tainted(element))

    def _DictComp(self, node: ast.DictComp) -> Value:
        self.syntax("DictComp", node)
        saved = self.frame.env
        self.frame.env = dict(saved)
        self.generators(node.generators)
        self.eval(node.key)
        element = self.eval(node.value)
        self.frame.env = saved
        return Map(element=element)

    def generators(self, generators: list[ast.comprehension]) -> int | None:
        """Bind the targets of a comprehension; its length if known."""
        length: int | None = 1
        for generator in generators:
            iterable = self.eval(generator.iter)
            count = self.length(iterable)
            self.emit(ev.Iterate, generator.iter, value=iterable, form="comprehension", count=count)
            length = length * count if length is not None and count is not None else None
            self.assign(generator.target, self.element(iterable), generator.iter)
            for condition in generator.ifs:
                self.syntax("ComprehensionIf", condition)
                outcome = self.test(condition, "comprehension", condition)
                self.narrowed(outcome.when_true)
        return length

    def length(self, value: Value) -> int | None:
        """How many elements an iterable has, if known."""
        if isinstance(value, Seq) and value.items is not None:
            return len(value.items)
        if isinstance(value, Seq) and value.type == "range" and isinstance(value.element, Const):
            return int(value.element.value)
        return None

    def element(self, value: Value) -> Value:
        """The value of one element of an iterable."""
        if isinstance(value, Union):
            return join_all([self.element(o) for o in value.options if not is_none(o)])
        if isinstance(value, Seq):
            if value.type == "range":
                if isinstance(value.element, Const):
                    return Static(type="int", counts=value.element.value > FEW)
                return value.element
            return _one_of(value)
        if isinstance(value, Tensor):
            ndim = value.ndim - 1 if value.ndim else None
            return replace(value, ndim=ndim, leaf=False, dynamic=())
        if isinstance(value, Map):
            return Static(type="str")
        if isinstance(value, Shape):
            return replace(value, type="int")
        if isinstance(value, Data):
            return Data(taint=value.taint, why=value.why)
        if isinstance(value, Instance) and value.cls is not None:
            method = self.interp.find_method(value.cls, "__iter__")
            if method is not None:
                result, _ = self.call_value(Function(info=method, self_value=value), [], {}, method.node)
                return self.element(result) if isinstance(result, Seq) else UNKNOWN
        if isinstance(value, Const) and isinstance(value.value, str):
            return Static(type="str")
        return Unknown(taint=is_tainted(value))


def _one_of(value: Seq) -> Value:
    """An element of a sequence; if it is one of many constants, another one in every turn of a loop."""
    element = element_of(value)
    if isinstance(element, Static) and element.type in ("int", "str") and value.items is not None:
        if len({i.value for i in value.items if isinstance(i, Const)}) > FEW:
            return replace(element, counts=True)
    return element


def _source(values: tuple[Value, ...]) -> Why | None:
    """Where the first operand that depends on an argument comes from."""
    return next((v.why for v in values if is_tainted(v) and v.why is not None), None)


_DUNDER: dict[type, str] = {
    ast.Add: "__add__",
    ast.Sub: "__sub__",
    ast.Mult: "__mul__",
    ast.Div: "__truediv__",
    ast.MatMult: "__matmul__",
}
