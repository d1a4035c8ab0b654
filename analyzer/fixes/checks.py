"""Checks of tensor contents in forms that a graph keeps: a bare assert, or `torch._assert_async`."""

from __future__ import annotations

import ast
import itertools

from analyzer.finding import Edit, Fix
from analyzer.fixes.code import Code
from analyzer.fixes.imports import torch_name
from analyzer.fixes.merging import called, replaced
from analyzer.fixes.purity import pure
from analyzer.values import Tensor

_ATOMS = (ast.Name, ast.Attribute, ast.Call, ast.Subscript)
_BOOLEAN_CALLS = frozenset({"any", "all", "isnan", "isinf", "isfinite", "logical_not", "allclose", "equal"})


def bare_assert_fix(code: Code, statement: ast.AST, node: ast.AST, tensor: Tensor) -> Fix | None:
    """`assert not t` → `assert ~t`, `assert a and b` → two asserts: the same eagerly, and Dynamo keeps it."""
    if not isinstance(statement, ast.Assert) or tensor.array:
        return None
    message = _message(code, statement.msg)
    if message is None:
        return None
    text, exact = message
    parts = _conjuncts(code, statement.test, node, tensor)
    if parts is None:
        return None
    ending = "" if not text else f", {text}"
    safety = "safe" if exact else "unsafe"
    if len(parts) == 1:
        edits = _small_edits(code, statement, node, text, exact)
        if edits is not None:
            return Fix("write the assert so that the graph keeps it", safety, edits)  # type: ignore[arg-type]
        return None
    if any(statement.msg is not None and o > code.start(statement) for o, _ in _inner_comments(code, statement)):
        return None
    between = f"\n{code.indent(code.start(statement))}" if code.alone(code.start(statement)) else "; "
    new = between.join(f"assert {part}{ending}" for part in parts)
    edit = replaced(code, statement, statement, new, ())
    return Fix("split the assert so that the graph keeps it", safety, (edit,))  # type: ignore[arg-type]


def assert_async_fix(code: Code, statement: ast.AST, node: ast.AST, tensor: Tensor) -> Fix | None:
    """`torch._assert_async(condition, message)` for an assert, or for an `if` that only raises: another exception."""
    if tensor.array or tensor.dtype not in ("bool", None) or not isinstance(node, ast.expr) or not pure(node):
        return None
    test = getattr(statement, "test", None)
    negated = isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not) and test.operand is node
    if test is not node and not negated:
        return None
    if isinstance(statement, ast.Assert):
        if tensor.dtype != "bool" and negated:
            return None
        condition, message = _flipped(code, node) if negated else code.of(node), _message(code, statement.msg)
    elif isinstance(statement, ast.If):
        raised = _only_raise(code, statement)
        if raised is None or tensor.dtype != "bool":
            return None
        condition, message = code.of(node) if negated else _flipped(code, node), _message(code, *raised)
    else:
        return None
    torch = torch_name(code, statement)
    if torch is None or message is None:
        return None
    name, imports = torch
    arguments = [condition, message[0]] if message[0] else [condition]
    text = called(f"{name}._assert_async", arguments, code.indent(code.start(statement)), code.unit(statement))
    kept = [node, *([statement.msg] if isinstance(statement, ast.Assert) and statement.msg is not None else ())]
    edit = replaced(code, statement, statement, text, kept)
    return Fix(f"use {name}._assert_async", "unsafe", (*imports, edit))


# -- conditions ---------------------------------------------------------------------------------------------------


def _conjuncts(code: Code, test: ast.expr, node: ast.AST, tensor: Tensor) -> list[str] | None:
    """The conditions that all must hold, each in a form that Dynamo keeps; None if one has none."""
    if isinstance(test, ast.BoolOp):
        if not isinstance(test.op, ast.And):
            return None
        found: list[str] = []
        for value in test.values:
            parts = _conjuncts(code, value, node, tensor)
            if parts is None:
                return None
            found += parts
        return found
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        inner = test.operand
        if isinstance(inner, ast.BoolOp):
            return None
        if _boolean(inner, node, tensor):
            return [_flipped(code, inner)]
        return None if inner is node else [code.of(test)]
    if isinstance(test, ast.Compare) and len(test.ops) > 1:
        if not pure(test):
            return None
        return _links(code, test)
    return [code.of(test)]


def _links(code: Code, test: ast.Compare) -> list[str]:
    """`a < b < c` → `a < b`, `b < c`, with the operators as written."""
    operands = [test.left, *test.comparators]
    return [code.text[_outer(code, left)[0] : _outer(code, right)[1]] for left, right in itertools.pairwise(operands)]


def _outer(code: Code, node: ast.AST) -> tuple[int, int]:
    """The span of a node with the brackets that stand directly around it."""
    start, end = code.start(node), code.end(node)
    while True:
        left, right = start - 1, end
        while left >= 0 and code.text[left] in " \t\n":
            left -= 1
        while right < len(code.text) and code.text[right] in " \t\n":
            right += 1
        own = left >= 0 and right < len(code.text) and code.text[left] == "(" and code.text[right] == ")"
        if not own or not isinstance(node, (ast.BinOp, ast.Compare, ast.UnaryOp, ast.BoolOp)):
            return start, end
        start, end = left, right + 1


def _boolean(node: ast.expr, known: ast.AST, tensor: Tensor) -> bool:
    """Whether `~` inverts it: a tensor of bools."""
    if node is known:
        return tensor.dtype == "bool"
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _BOOLEAN_CALLS


def _flipped(code: Code, node: ast.expr) -> str:
    return f"~{code.of(node)}" if isinstance(node, _ATOMS) else f"~({code.of(node)})"


def _small_edits(code: Code, statement: ast.Assert, node: ast.AST, text: str, exact: bool) -> tuple[Edit, ...] | None:
    """Only `not` and a computed message change; the rest of the statement stays as it is."""
    edits: list[Edit] = []
    test = statement.test
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        start, operand = code.start(test), test.operand
        begin = start + 3
        while code.text[begin] in " \t":
            begin += 1
        edits.append(code.edit(start, begin, "~"))
        bracketed = code.text[begin] == "(" and begin < code.start(operand)
        if not isinstance(operand, _ATOMS) and not bracketed:
            edits[0] = code.edit(start, begin, "~(")
            edits.append(code.edit(code.end(operand), code.end(operand), ")"))
    if statement.msg is not None and not exact:
        edits.append(code.edit(code.start(statement.msg), code.end(statement.msg), text))
    return tuple(edits) or None


def _inner_comments(code: Code, statement: ast.stmt) -> list[tuple[int, str]]:
    start, end = code.start(statement), code.end(statement)
    return [(o, t) for o, t in code.comments if start <= o < end]


# -- messages -----------------------------------------------------------------------------------------------------


def _message(code: Code, node: ast.expr | None) -> tuple[str, bool] | None:
    """A constant message as source text, and whether it is the one written; None if it cannot be told."""
    if node is None:
        return "", True
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return code.of(node), True
    if isinstance(node, ast.JoinedStr):
        if not all(pure(n) for n in node.values if isinstance(n, ast.FormattedValue)):
            return None
        text = "".join(str(n.value) if isinstance(n, ast.Constant) else "..." for n in node.values)
        return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"', False
    return None


def _only_raise(code: Code, statement: ast.If) -> tuple[ast.expr | None] | None:
    """The message of an `if` that does nothing but raise an exception of Python's own, in a tuple."""
    if statement.orelse or len(statement.body) != 1 or not code.text.startswith("if", code.start(statement)):
        return None
    raised = statement.body[0]
    if not isinstance(raised, ast.Raise) or raised.cause is not None or raised.exc is None:
        return None
    name = raised.exc.func if isinstance(raised.exc, ast.Call) else raised.exc
    if not isinstance(name, ast.Name) or name.id not in ("ValueError", "RuntimeError", "AssertionError", "Exception"):
        return None
    if not isinstance(raised.exc, ast.Call):
        return (None,)
    if raised.exc.keywords or len(raised.exc.args) > 1:
        return None
    return (raised.exc.args[0] if raised.exc.args else None,)
