"""What an expression's text tells of its result: whose shape it has, and its dtype relative to that tensor's."""

from __future__ import annotations

import ast
from dataclasses import dataclass, replace

from analyzer.fixes.purity import ELEMENTWISE, REDUCTIONS, torch_function
from analyzer.project import dotted

#: dtype relative to the source: as it is, at least int, at least float.
SAME, INT, FLOAT = 0, 1, 2
#: Elementwise functions whose results and slopes stay finite for finite inputs; with the dtype they give.
_SMOOTH = {"sin": FLOAT, "cos": FLOAT, "tanh": FLOAT, "sigmoid": FLOAT}


@dataclass(frozen=True)
class Form:
    """An elementwise expression of `bases`. `exact`: its `dtype` is known; `smooth`: its slopes are finite."""

    bases: frozenset[str]
    dtype: int = SAME
    computed: bool = False
    exact: bool = True
    smooth: bool = True


def numbers(node: ast.expr) -> bool:
    """A literal number, but for a sign."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.UAdd)):
        node = node.operand
    return isinstance(node, ast.Constant) and type(node.value) in (int, float)


def form_of(node: ast.expr) -> Form | None:
    """The form of an elementwise expression over names and attributes; None for anything else."""
    if isinstance(node, (ast.Name, ast.Attribute)):
        name = dotted(node)
        return Form(frozenset({name})) if name else None
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        form = form_of(node.operand)
        return None if form is None else replace(form, computed=True)
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.Pow)):
        return _arithmetic(node)
    if isinstance(node, ast.Call):
        return _call(node)
    return None


def _arithmetic(node: ast.BinOp) -> Form | None:
    power, division = isinstance(node.op, ast.Pow), isinstance(node.op, ast.Div)
    for number, other, right in ((node.right, node.left, True), (node.left, node.right, False)):
        if not numbers(number):
            continue
        form = form_of(other)
        if form is None:
            return None
        literal = number.operand if isinstance(number, ast.UnaryOp) else number
        value = literal.value if isinstance(literal, ast.Constant) else 0.0
        dtype = FLOAT if isinstance(value, float) or division else INT
        smooth = form.smooth and not power and (not division or right and value != 0)
        return replace(form, dtype=max(form.dtype, dtype), computed=True, smooth=smooth)
    left, right_form = form_of(node.left), form_of(node.right)
    if left is None or right_form is None:
        return None
    return Form(left.bases | right_form.bases, FLOAT, True, False, False)


def _call(node: ast.Call) -> Form | None:
    function = torch_function(node)
    if function:
        if not node.args:
            return None
        source, arguments = node.args[0], len(node.args) - 1 + len(node.keywords)
    elif isinstance(node.func, ast.Attribute):
        function, source, arguments = node.func.attr, node.func.value, len(node.args) + len(node.keywords)
    else:
        return None
    form = form_of(source)
    if form is None:
        return None
    if function in REDUCTIONS and not arguments and function not in ("any", "all"):
        return Form(frozenset({"()"}), FLOAT, True, False, False)
    if function not in ELEMENTWISE:
        return None
    if function in _SMOOTH and not arguments:
        return replace(form, dtype=max(form.dtype, _SMOOTH[function]), computed=True)
    return replace(form, computed=True, exact=False, smooth=False)
