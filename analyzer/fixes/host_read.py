"""A number that only tensor arithmetic uses stays a tensor: `.item()` goes."""

from __future__ import annotations

import ast

from analyzer.finding import Fix
from analyzer.fixes.code import Code
from analyzer.fixes.purity import METHODS, only_in_arithmetic
from analyzer.values import Tensor

_HOST = frozenset("item tolist numel dim size numpy type format join".split())


def keep_tensor_fix(code: Code, node: ast.AST, tensor: Tensor) -> Fix | None:
    """`t.item()` → `t.detach()` where every use is arithmetic with a tensor; what it gives is then a 0-dim tensor."""
    if tensor.array or not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return None
    if node.func.attr != "item" or node.args or node.keywords or tensor.dtype in ("bool", "complex"):
        return None
    function = code.function(node)
    if function is None or isinstance(function, ast.Lambda):
        return None
    tensors = _tensor_names(function)
    operands: list[ast.AST]
    parent = code.parents.get(node)
    if isinstance(parent, ast.Assign) and len(parent.targets) == 1 and isinstance(parent.targets[0], ast.Name):
        reads = only_in_arithmetic(code.parents, function, parent.targets[0].id)
        if reads is None:
            return None
        operands = list(reads)
    else:
        operands = [node]
    if not all(_meets_tensor(code, operand, tensors) for operand in operands):
        return None
    dot = _dot(code, node.func)
    edit = code.edit(dot, code.end(node), ".detach()")
    return Fix("keep the value in a tensor: .detach() instead of .item()", "unsafe", (edit,))


def _dot(code: Code, func: ast.Attribute) -> int:
    return code.text.rindex(".", code.end(func.value), code.end(func))


def _meets_tensor(code: Code, operand: ast.AST, tensors: frozenset[str]) -> bool:
    """Whether the other side of the operation is a tensor."""
    parent = code.parents.get(operand)
    while isinstance(parent, ast.UnaryOp) and isinstance(parent.op, ast.USub):
        operand, parent = parent, code.parents.get(parent)
    if not isinstance(parent, ast.BinOp) or not isinstance(parent.op, (ast.Add, ast.Sub, ast.Mult, ast.Div)):
        return False
    other = parent.left if parent.right is operand else parent.right
    return _is_tensor(other, tensors)


def _is_tensor(node: ast.expr, tensors: frozenset[str]) -> bool:
    if isinstance(node, ast.Name):
        return node.id in tensors
    if isinstance(node, ast.BinOp):
        return _is_tensor(node.left, tensors) or _is_tensor(node.right, tensors)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return node.func.attr in METHODS - _HOST and _is_tensor(node.func.value, tensors)
    return False


def _tensor_names(function: ast.FunctionDef | ast.AsyncFunctionDef) -> frozenset[str]:
    """Parameters that are annotated as tensors or used like one, if nothing else is ever bound to the name."""
    args = function.args
    parameters = {a.arg: a for a in (*args.posonlyargs, *args.args, *args.kwonlyargs)}
    found = {n for n, a in parameters.items() if a.annotation is not None and "Tensor" in ast.dump(a.annotation)}
    rebound = set()
    for node in ast.walk(function):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            rebound.add(node.id)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in METHODS - _HOST:
            owner = node.func.value
            if isinstance(owner, ast.Name) and owner.id in parameters:
                found.add(owner.id)
    return frozenset(found - rebound)
