"""Conditions: what a test decides, under which frontends each branch lives, and what it tells about its operands."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from analyzer.flow import events as ev
from analyzer.flow.asserted import asserted
from analyzer.outcome import Frontend
from analyzer.project import dotted
from analyzer.values import (
    NONE,
    UNKNOWN,
    Class,
    Const,
    External,
    Function,
    Guard,
    Instance,
    Map,
    Module,
    Seq,
    Static,
    Tensor,
    Union,
    Unknown,
    Value,
    is_none,
    is_tainted,
    join_all,
    options_of,
)

if TYPE_CHECKING:
    from analyzer.flow.frame import Frame
    from analyzer.flow.interpreter import Interpreter

#: Variable (dotted) → its value if the fact holds.
Facts = dict[str, Value]


@dataclass(slots=True)
class Tested:
    """The outcome of a test: `truth` if it is known, else None; `guard`: it holds exactly under these frontends."""

    value: Value
    truth: bool | None
    alive_true: frozenset[Frontend]
    alive_false: frozenset[Frontend]
    guard: frozenset[str] | None = None
    when_true: Facts = field(default_factory=dict)
    when_false: Facts = field(default_factory=dict)

    def negated(self, frontends: frozenset[Frontend]) -> Tested:
        return Tested(
            self.value,
            None if self.truth is None else not self.truth,
            self.alive_false,
            self.alive_true,
            None if self.guard is None else frozenset(frontends - self.guard),
            self.when_false,
            self.when_true,
        )


class Conditions:
    """Mixin of the evaluator."""

    interp: Interpreter
    frame: Frame

    if TYPE_CHECKING:

        def eval(self, node: ast.expr) -> Value: ...
        def emit(self, event: type[ev.Event], node: ast.AST, **fields: Any) -> None: ...
        def compare(self, left: Value, right: Value, op: ast.cmpop, node: ast.Compare) -> Value: ...
        def syntax(self, kind: str, node: ast.AST, **values: Value) -> None: ...

    def narrowed(self, facts: Facts) -> None:
        """Take the facts into the variables at hand."""
        for name, value in facts.items():
            self.frame.env[name] = value

    def test(self, node: ast.expr, form: str, statement: ast.AST, raises: bool = False, plain: bool = False) -> Tested:
        """Evaluate `node` as a condition and tell the rules what is tested."""
        if isinstance(node, ast.BoolOp):
            return self._test_bool_op(node, form, statement, raises, plain)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            inner = self.test(node.operand, form, statement, raises, False)
            return inner.negated(self.interp.frontends)
        if isinstance(node, ast.NamedExpr) or not isinstance(node, (ast.Compare, ast.Call)):
            value = self.eval(node)
            when_true, when_false = self._truth_facts(node, value)
        elif isinstance(node, ast.Compare):
            value = self.eval(node)
            when_true, when_false = self._compare_facts(node)
        else:
            value = self.eval(node)
            when_true, when_false = self._call_facts(node)
        kept = asserted(self.interp, value) if plain and form == "assert" else ""
        self.emit(
            ev.TruthTest, node, value=value, form=form, statement=statement, raises=raises, plain=plain, asserted=kept
        )
        alive = self.frame.context.alive
        if isinstance(value, Guard):
            inside = alive & value.true_for
            return Tested(value, None, inside, alive - inside, frozenset(value.true_for), when_true, when_false)
        return Tested(value, self.truth(value), alive, alive, None, when_true, when_false)

    def _test_bool_op(
        self, node: ast.BoolOp, form: str, statement: ast.AST, raises: bool, plain: bool = False
    ) -> Tested:
        conjunction = isinstance(node.op, ast.And)
        saved_context, saved_env = self.frame.context, self.frame.env
        self.frame.env = dict(saved_env)
        truth: bool | None = conjunction
        guards: list[frozenset[str] | None] = []
        facts: Facts = {}
        value: Value = UNKNOWN
        alive_out = saved_context.alive
        stopped: frozenset[Frontend] = frozenset()
        for operand in node.values:
            last = operand is node.values[-1]  # what an assert tests last, Dynamo keeps
            outcome = self.test(operand, form, statement, raises, plain and last)
            guards.append(outcome.guard)
            value = outcome.value
            if conjunction:
                alive_out, stopped = outcome.alive_true, stopped | outcome.alive_false
                step = outcome.when_true
            else:
                alive_out, stopped = outcome.alive_false, stopped | outcome.alive_true
                step = outcome.when_false
            facts.update(step)
            self.narrowed(step)
            self.frame.context = self.frame.context.under(alive_out)
            if outcome.truth is (not conjunction):
                truth = not conjunction
                break
            if outcome.truth is None:
                truth = None
        self.frame.context, self.frame.env = saved_context, saved_env
        guard: frozenset[str] | None = None
        if truth is None and all(g is not None for g in guards):
            sets = [g for g in guards if g is not None]
            guard = frozenset.intersection(*sets) if conjunction else frozenset.union(*sets)
        if conjunction:
            return Tested(value, truth, alive_out, stopped or saved_context.alive, guard, facts, {})
        return Tested(value, truth, stopped or saved_context.alive, alive_out, guard, {}, facts)

    def truth(self, value: Value) -> bool | None:
        """Python's truth of a value, if it is known before the program runs."""
        if isinstance(value, Const):
            try:
                return bool(value.value)
            except Exception:
                return None
        if isinstance(value, (Function, Class, Module)):
            return True
        if isinstance(value, Seq) and value.type == "tuple" and value.items is not None:
            return bool(value.items)
        return None

    # -- facts --------------------------------------------------------------------------------------------------

    def _current(self, path: str, node: ast.expr) -> Value:
        known = self.frame.env.get(path)
        if known is not None:
            return known
        quiet, self.frame.quiet = self.frame.quiet, True
        try:
            return self.eval(node)
        finally:
            self.frame.quiet = quiet

    def _truth_facts(self, node: ast.expr, value: Value) -> tuple[Facts, Facts]:
        path = dotted(node)
        if path is None or not isinstance(value, Union):
            return {}, {}
        kept = [o for o in value.options if self.truth(o) is not False]
        gone = [o for o in value.options if self.truth(o) is not True]
        return self._fact(path, kept, value), self._fact(path, gone, value)

    def _fact(self, path: str, options: list[Value], whole: Value) -> Facts:
        if not options or len(options) == len(options_of(whole)):
            return {}
        return {path: join_all(options)}

    def _compare_facts(self, node: ast.Compare) -> tuple[Facts, Facts]:
        if len(node.ops) != 1:
            return {}, {}
        op, right = node.ops[0], node.comparators[0]
        if isinstance(right, ast.Constant) and type(right.value) is int and isinstance(op, (ast.Eq, ast.NotEq)):
            fact = self._rank_fact(node.left, right.value)
            return (fact, {}) if isinstance(op, ast.Eq) else ({}, fact)
        if (
            not isinstance(right, ast.Constant)
            or right.value is not None
            or not isinstance(op, (ast.Is, ast.IsNot, ast.Eq, ast.NotEq))
        ):
            return {}, {}
        path = dotted(node.left)
        if path is None:
            return {}, {}
        value = self._current(path, node.left)
        rest = [o for o in options_of(value) if not is_none(o)]
        not_none: Facts = {path: join_all(rest)} if rest and isinstance(value, Union) else {}
        is_none_fact: Facts = {path: NONE}
        if isinstance(op, (ast.Is, ast.Eq)):
            return is_none_fact, not_none
        return not_none, is_none_fact

    def _rank_fact(self, left: ast.expr, ndim: int) -> Facts:
        """What `x.ndim == 1`, `x.dim() == 1` and `len(x.shape) == 1` say of the tensor x."""
        ranked: ast.expr | None = None
        if isinstance(left, ast.Attribute) and left.attr == "ndim":
            ranked = left.value
        elif isinstance(left, ast.Call) and isinstance(left.func, ast.Attribute) and not left.args:
            ranked = left.func.value if left.func.attr in ("dim", "ndimension") else None
        elif isinstance(left, ast.Call) and isinstance(left.func, ast.Name) and left.func.id == "len" and left.args:
            of = left.args[0].func if isinstance(left.args[0], ast.Call) else left.args[0]
            ranked = of.value if isinstance(of, ast.Attribute) and of.attr in ("shape", "size") else None
        path = dotted(ranked) if ranked is not None else None
        if path is None or ranked is None:
            return {}
        value = self._current(path, ranked)
        return {path: replace(value, ndim=ndim)} if isinstance(value, Tensor) and value.ndim is None else {}

    def _call_facts(self, node: ast.Call) -> tuple[Facts, Facts]:
        name = dotted(node.func) or ""
        tail = name.rsplit(".", 1)[-1]
        if not node.args:
            return {}, {}
        path = dotted(node.args[0])
        if path is None:
            return {}, {}
        if tail == "is_tensor":
            return self._is_tensor_facts(path, node.args[0])
        if tail != "isinstance" or len(node.args) != 2:
            return {}, {}
        kinds = node.args[1].elts if isinstance(node.args[1], ast.Tuple) else [node.args[1]]
        quiet, self.frame.quiet = self.frame.quiet, True
        try:
            classes = [self.eval(k) for k in kinds]
        finally:
            self.frame.quiet = quiet
        if all(isinstance(c, External) and c.name in ("torch.Tensor", "torch.nn.Parameter") for c in classes):
            return self._is_tensor_facts(path, node.args[0])
        value = self._current(path, node.args[0])
        inside = [o for o in options_of(value) if any(_instance_of(o, c) is not False for c in classes)]
        outside = [o for o in options_of(value) if not any(_instance_of(o, c) is True for c in classes)]
        when_true: Facts = self._fact(path, inside, value)
        if isinstance(value, Unknown) or not when_true and any(isinstance(o, Unknown) for o in options_of(value)):
            made = [_instance(c) for c in classes]
            if all(m is not None for m in made):
                when_true = {path: self._keep_taint(join_all([m for m in made if m is not None]), value)}
        return when_true, self._fact(path, outside, value)

    def _keep_taint(self, value: Value, source: Value) -> Value:
        return replace(value, taint=True) if is_tainted(source) and not isinstance(value, Union) else value

    def _is_tensor_facts(self, path: str, node: ast.expr) -> tuple[Facts, Facts]:
        value = self._current(path, node)
        tensors = [o for o in options_of(value) if isinstance(o, Tensor)]
        others = [o for o in options_of(value) if not isinstance(o, Tensor)]
        when_true: Facts = {path: tensors[0] if tensors else Tensor(taint=is_tainted(value), why=value.why)}
        return when_true, {path: join_all(others)} if others and tensors else {}


_BUILTIN_TYPES = {"int", "float", "str", "bool", "bytes", "complex"}


def _instance_of(value: Value, cls: Value) -> bool | None:
    """Whether a value is an instance of a class: True, False, or None if it cannot be told."""
    if isinstance(value, Unknown):
        return None
    if isinstance(cls, External):
        tail = cls.name.rsplit(".", 1)[-1]
        if cls.name in ("torch.Tensor", "torch.nn.Parameter"):
            return isinstance(value, Tensor) and not value.array
        if isinstance(value, Tensor):
            return False if cls.name.startswith("builtins.") else None
        if cls.name.startswith("builtins."):
            if isinstance(value, Const):
                return type(value.value).__name__ == tail or (tail == "int" and isinstance(value.value, bool))
            if isinstance(value, Static):
                return None if value.type == "any" else value.type == tail
            if isinstance(value, Seq):
                return value.type == tail if tail in ("list", "tuple", "set", "dict") else False
            if isinstance(value, Map):
                return tail == "dict"
            if isinstance(value, Instance):
                return False if tail in _BUILTIN_TYPES | {"list", "tuple", "dict", "set"} else None
        return None
    if isinstance(cls, Class):
        if isinstance(value, Instance) and value.cls is not None:
            return True if value.cls is cls.info else None
        return (
            False if isinstance(value, (Tensor, Const, Static, Seq, Map)) and not isinstance(value, Instance) else None
        )
    return None


def _instance(cls: Value) -> Value | None:
    """A value of the class, for what was unknown before the test."""
    if isinstance(cls, External):
        tail = cls.name.rsplit(".", 1)[-1]
        if cls.name in ("torch.Tensor", "torch.nn.Parameter"):
            return Tensor()
        if cls.name == "numpy.ndarray":
            return Tensor(array=True)
        if cls.name.startswith("builtins."):
            if tail in _BUILTIN_TYPES:
                return Static(type=tail)
            if tail in ("list", "tuple", "set"):
                return Seq(type=tail)
            if tail == "dict":
                return Map()
        return Instance(name=cls.name) if cls.name.startswith("torch.") else None
    if isinstance(cls, Class):
        return Instance(cls=cls.info)
    return None
