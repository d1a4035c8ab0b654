"""Constructs that torch.jit.script refuses by their form alone, before it looks at any type."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

#: ast class → what a message calls it.
STATEMENTS: dict[type, str] = {
    ast.ClassDef: "a class definition",
    ast.FunctionDef: "a function defined inside a function",
    ast.AsyncFunctionDef: "an async function",
    ast.Try: "`try`",
    ast.Match: "`match`",
    ast.Global: "`global`",
    ast.Nonlocal: "`nonlocal`",
    ast.Import: "an import",
    ast.ImportFrom: "an import",
    ast.AsyncFor: "`async for`",
    ast.AsyncWith: "`async with`",
}
EXPRESSIONS: dict[type, str] = {
    ast.Lambda: "a lambda",
    ast.Set: "a set",
    ast.SetComp: "a set comprehension",
    ast.NamedExpr: "`:=`",
    ast.Yield: "`yield`",
    ast.YieldFrom: "`yield from`",
    ast.Await: "`await`",
}
_AUGMENTED = {ast.FloorDiv: "`//=`", ast.MatMult: "`@=`"}

Tell = Callable[[ast.AST, str, bool], None]


def check(body: list[ast.stmt], tell: Tell) -> None:
    """Tell (node, what it is, is a statement) of every refused construct; nested definitions are not entered."""
    for node in _nodes(body):
        kind = type(node)
        if kind in STATEMENTS:
            tell(node, STATEMENTS[kind], True)
        elif kind in EXPRESSIONS:
            tell(node, EXPRESSIONS[kind], False)
        elif isinstance(node, (ast.ListComp, ast.DictComp, ast.GeneratorExp)):
            _comprehension(node, tell)
        elif isinstance(node, ast.Dict):
            for key, value in zip(node.keys, node.values):
                if key is None:
                    tell(value, "`**` in a dict", False)
        elif isinstance(node, ast.JoinedStr):
            _text(node, tell)
        elif isinstance(node, (ast.For, ast.While)) and node.orelse:
            tell(node, f"`else` of a `{'for' if isinstance(node, ast.For) else 'while'}` loop", True)
        elif isinstance(node, ast.AugAssign) and type(node.op) in _AUGMENTED:
            tell(node, _AUGMENTED[type(node.op)], True)
        elif isinstance(node, ast.AnnAssign) and node.value is None:
            tell(node, "an annotation without a value", True)
        elif isinstance(node, ast.Constant) and (isinstance(node.value, bytes)):
            tell(node, "bytes", False)
        elif isinstance(node, ast.Delete):
            for target in node.targets:
                if isinstance(target, ast.Attribute):
                    tell(node, "`del` of an attribute", True)
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.UAdd):
            tell(node, "unary `+`", False)
        elif isinstance(node, ast.Call):
            for keyword in node.keywords:
                if keyword.arg is None:
                    tell(node, "`**` in a call", False)


def _comprehension(node: ast.ListComp | ast.DictComp | ast.GeneratorExp, tell: Tell) -> None:
    conditions = [c for g in node.generators for c in g.ifs]
    if conditions:
        tell(node, "a comprehension with `if`", False)
    elif len(node.generators) > 1:
        tell(node, "a comprehension with two `for`", False)


def _text(node: ast.JoinedStr, tell: Tell) -> None:
    for piece in node.values:
        if isinstance(piece, ast.FormattedValue) and (piece.conversion != -1 or piece.format_spec is not None):
            tell(node, "a format in an f-string", False)
            return


def _nodes(body: list[ast.stmt]) -> Iterator[ast.AST]:
    stack: list[ast.AST] = list(reversed(body))
    while stack:
        node = stack.pop()
        yield node
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda, ast.SetComp)):
            continue
        if isinstance(node, ast.AnnAssign):
            stack.extend(n for n in (node.value, node.target) if n is not None)
            continue
        stack.extend(
            reversed([c for c in ast.iter_child_nodes(node) if not isinstance(c, (ast.expr_context, ast.operator))])
        )
