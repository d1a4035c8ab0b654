"""A tensor `if` or conditional expression as one expression: `torch.where` or `torch.cond`."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from analyzer.finding import Fix
from analyzer.fixes.alike import Form, form_of, numbers
from analyzer.fixes.code import Code
from analyzer.fixes.imports import torch_name
from analyzer.fixes.merging import called, replaced
from analyzer.fixes.purity import METHODS, only_in_arithmetic, pure, torch_function
from analyzer.project import dotted
from analyzer.values import Tensor


@dataclass(frozen=True)
class Choice:
    """`yes if test else no`, and the statements or the expression that say so. `head` is what comes before it."""

    test: ast.expr
    yes: ast.expr
    no: ast.expr
    first: ast.AST
    last: ast.AST
    head: str = ""
    augmented: str = ""  #: the operator of `name op= yes`, whose other side is `no`

    @property
    def in_place(self) -> bool:
        return bool(self.augmented)


def branch_fix(code: Code, statement: ast.AST, node: ast.AST, tensor: Tensor) -> Fix | None:
    """The choice that a tensor test makes, computed by tensors; None where that is not surely what is meant."""
    test = getattr(statement, "test", None)
    if test is None:
        return None
    negated = isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not) and test.operand is node
    if test is not node and not negated or not pure(node):
        return None
    choice = _choice(code, statement, negated)
    if choice is None:
        return None
    torch = torch_name(code, statement)
    if torch is None:
        return None
    name, imports = torch
    kind = _kind(code, choice, tensor)
    if kind is None:
        return None
    function, safety = kind
    condition = _condition(code, choice.test, tensor)
    yes, no = code.of(choice.yes), code.of(choice.no)
    if choice.augmented:
        yes = f"{no} {choice.augmented} {_operand(code, choice.yes)}"
    if function == "cond":
        sides = (yes, f"{no}.clone()" if isinstance(choice.no, ast.Name) else no)
        yes, no = (f"lambda: {side}" for side in sides)
    arguments = (condition, no, yes) if negated else (condition, yes, no)
    indent, unit = code.indent(code.start(choice.first)), code.unit(statement)
    text = called(f"{name}.{function}", arguments, indent, unit, choice.head)
    if isinstance(choice.first, ast.stmt) and isinstance(choice.last, ast.stmt):
        kept = (choice.test, choice.yes, choice.no)
        edit = replaced(code, choice.first, choice.last, text, kept)
    else:
        start, end = code.start(choice.first), code.end(choice.last)
        within = [o for o, _ in code.comments if start <= o < end]
        spans = [(code.start(n), code.end(n)) for n in (choice.test, choice.yes, choice.no)]
        if not all(any(a <= o < b for a, b in spans) for o in within):
            return None
        edit = code.edit(start, end, text)
    return Fix(f"use {name}.{function}", safety, (*imports, edit))  # type: ignore[arg-type]


# -- what is chosen -----------------------------------------------------------------------------------------------


def _choice(code: Code, statement: ast.AST, negated: bool) -> Choice | None:
    test = statement.test.operand if negated else statement.test  # type: ignore[attr-defined]
    if isinstance(statement, ast.IfExp):
        return Choice(test, statement.body, statement.orelse, statement, statement)
    if not isinstance(statement, ast.If) or len(statement.body) != 1 or len(statement.orelse) > 1:
        return None
    if not code.text.startswith("if", code.start(statement)):  # an elif
        return None
    yes = statement.body[0]
    no: ast.stmt | None = statement.orelse[0] if statement.orelse else None
    if isinstance(yes, ast.Return):
        last: ast.stmt = statement
        if no is None:
            block = code.block(statement)
            index = block.index(statement) + 1
            no = last = block[index] if index < len(block) else statement
        if not isinstance(no, ast.Return) or yes.value is None or no.value is None:
            return None
        return Choice(test, yes.value, no.value, statement, last, "return ")
    return _assignment(code, statement, test, yes, no)


def _assignment(code: Code, statement: ast.If, test: ast.expr, yes: ast.stmt, no: ast.stmt | None) -> Choice | None:
    name = _target(yes)
    if name is None:
        return None
    if isinstance(yes, ast.AugAssign):
        if no is not None or not isinstance(yes.op, (ast.Add, ast.Sub, ast.Mult, ast.Div)):
            return None
        sign = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/"}[type(yes.op)]
        return Choice(test, yes.value, yes.target, statement, statement, f"{name} = ", augmented=sign)
    assert isinstance(yes, ast.Assign)
    if isinstance(no, ast.Assign) and _target(no) == name:
        return Choice(test, yes.value, no.value, statement, statement, f"{name} = ")
    if no is not None:
        return None
    read = next((n for n in ast.walk(yes.value) if isinstance(n, ast.Name) and n.id == name), None)
    if read is None or not _bound_before(code, statement, name):
        return None
    return Choice(test, yes.value, read, statement, statement, f"{name} = ")


def _target(stmt: ast.stmt | None) -> str | None:
    if isinstance(stmt, ast.Assign) and len(stmt.targets) == 1 and isinstance(stmt.targets[0], ast.Name):
        return stmt.targets[0].id
    if isinstance(stmt, ast.AugAssign) and isinstance(stmt.target, ast.Name):
        return stmt.target.id
    return None


def _bound_before(code: Code, statement: ast.stmt, name: str) -> bool:
    """Whether a local name has a value before a statement in every case: a parameter, or assigned in a block around."""
    function = code.function(statement)
    if function is None:
        return False
    args = function.args
    if any(a.arg == name for a in (*args.posonlyargs, *args.args, *args.kwonlyargs)):
        return True
    current: ast.AST | None = statement
    while isinstance(current, ast.stmt):
        block = code.block(current)
        if any(_target(s) == name for s in block[: block.index(current)]):
            return True
        current = code.parents.get(current)
        if current is function:
            break
    return False


# -- by which function --------------------------------------------------------------------------------------------


def _kind(code: Code, choice: Choice, tensor: Tensor) -> tuple[str, str] | None:
    """Which function expresses the choice, and whether it gives the same eagerly."""
    yes, no = choice.yes, choice.no
    if not (pure(yes) or _module_calls(yes)) or not (pure(no) or _module_calls(no)):
        return None
    if choice.augmented:
        form, other = form_of(yes), form_of(no)
        near = form is not None and other is not None and (form.bases & other.bases or form.bases == {"()"})
        fits = isinstance(yes, ast.Constant) or near
        return ("where", "unsafe") if fits else None
    if numbers(yes) and numbers(no):
        return ("where", "unsafe") if type(_value(yes)) is type(_value(no)) and _arithmetic(code, choice) else None
    a, b = form_of(yes), form_of(no)
    if a is not None and b is not None and (a.computed or b.computed) and (a.bases & b.bases):
        return "where", "safe" if _same(choice.test, a, b, tensor) else "unsafe"
    if tensor.dtype != "bool":
        return None
    sides = [side for side in (yes, no) if not isinstance(side, ast.Name)]
    if all(_gives_tensor(side) for side in sides) and (len(sides) == 2 or _reads(sides[0]) & _reads(choice.no)):
        return "cond", "unsafe"
    return None


def _same(test: ast.expr, a: Form, b: Form, tensor: Tensor) -> bool:
    """One source, elementwise, one dtype, a scalar bool condition on the same source, no gradient that can be NaN."""
    scalar = tensor.dtype == "bool" and tensor.ndim == 0 and not tensor.array
    fresh = a.computed and b.computed
    single = a.bases == b.bases and len(a.bases) == 1 and a.bases <= _reads(test)
    return scalar and fresh and single and a.dtype == b.dtype and a.smooth and b.smooth and a.exact and b.exact


def _reads(node: ast.AST) -> frozenset[str]:
    return frozenset(n.id for n in ast.walk(node) if isinstance(n, ast.Name))


def _value(node: ast.expr) -> object:
    return node.operand.value if isinstance(node, ast.UnaryOp) else node.value  # type: ignore[attr-defined]


def _arithmetic(code: Code, choice: Choice) -> bool:
    """Whether what is chosen is only an operand of arithmetic, where a 0-dim tensor does what a number does."""
    if isinstance(choice.first, ast.IfExp):
        parent = code.parents.get(choice.first)
        if isinstance(parent, ast.BinOp):
            return True
        name = _target(parent) if isinstance(parent, ast.stmt) else None
    else:
        name = choice.head.removesuffix(" = ") if choice.head.endswith(" = ") else None
    function = code.function(choice.first)
    if name is None or function is None:
        return False
    if isinstance(choice.first, ast.If):
        return False
    return only_in_arithmetic(code.parents, function, name) is not None


def _module_calls(node: ast.AST) -> bool:
    """`self.layer(x)` and arithmetic around it: a submodule, as far as the text tells."""
    if isinstance(node, ast.Call) and (dotted(node.func) or "").startswith("self."):
        return not any(isinstance(a, ast.Starred) for a in node.args) and all(
            pure(a) or _module_calls(a) for a in (*node.args, *(k.value for k in node.keywords))
        )
    return isinstance(node, ast.BinOp) and all(pure(s) or _module_calls(s) for s in (node.left, node.right))


def _gives_tensor(node: ast.expr) -> bool:
    if isinstance(node, ast.BinOp):
        return _gives_tensor(node.left) or _gives_tensor(node.right)
    if not isinstance(node, ast.Call):
        return False
    if torch_function(node) or (dotted(node.func) or "").startswith("self."):
        return True
    host = ("item", "tolist", "numel", "dim", "size", "numpy", "type", "is_floating_point", "element_size", "nelement")
    return isinstance(node.func, ast.Attribute) and node.func.attr in METHODS and node.func.attr not in host


def _operand(code: Code, node: ast.expr) -> str:
    text = code.of(node)
    return text if isinstance(node, (ast.Name, ast.Constant, ast.Attribute, ast.Call, ast.Subscript)) else f"({text})"


def _condition(code: Code, test: ast.expr, tensor: Tensor) -> str:
    """The test as a bool tensor."""
    if tensor.dtype == "bool":
        return code.of(test)
    text = _operand(code, test)
    return f"{text}.bool()"
