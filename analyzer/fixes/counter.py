"""A counter in an attribute becomes a buffer: an edit in `__init__` and one where it counts."""

from __future__ import annotations

import ast

from analyzer.finding import Fix
from analyzer.fixes.code import Code
from analyzer.fixes.imports import torch_name
from analyzer.project import dotted


def buffer_fix(code: Code, statement: ast.AST) -> Fix | None:
    """`self.n = 0` → a buffer outside of the state dict, `self.n += 1` → `self.n.add_(1)`.

    Only where the class does nothing else with the attribute but arithmetic. Unsafe: who reads it gets a tensor.
    """
    if not isinstance(statement, ast.AugAssign) or not isinstance(statement.op, ast.Add):
        return None
    if not isinstance(statement.value, ast.Constant) or type(statement.value.value) is not int:
        return None
    target = statement.target
    if not isinstance(target, ast.Attribute) or dotted(target) != f"self.{target.attr}":
        return None
    method = code.function(statement)
    owner = code.parents.get(method) if method is not None else None
    if not isinstance(owner, ast.ClassDef):
        return None
    created = _created(code, owner, target.attr)
    if created is None or not _only_counts(code, owner, target.attr, created, statement):
        return None
    torch = torch_name(code, statement)
    if torch is None:
        return None
    name, imports = torch
    assert isinstance(created, ast.Assign)
    first = code.of(created.value)
    begin = f'self.register_buffer("{target.attr}", {name}.tensor({first}), persistent=False)'
    edits = (
        code.edit(code.start(created), code.end(created), begin),
        code.edit(code.start(statement), code.end(statement), f"{code.of(target)}.add_({code.of(statement.value)})"),
    )
    return Fix(f"count in a buffer: self.{target.attr}.add_()", "unsafe", (*imports, *edits))


def _created(code: Code, owner: ast.ClassDef, attribute: str) -> ast.Assign | None:
    """`self.attribute = <int>` in the body of `__init__`, after `super().__init__()`."""
    init = next((s for s in owner.body if isinstance(s, ast.FunctionDef) and s.name == "__init__"), None)
    if init is None:
        return None
    ready = False
    for stmt in init.body:
        text = ast.unparse(stmt) if isinstance(stmt, ast.Expr) else ""
        ready = ready or text.startswith("super(") and ".__init__(" in text
        if isinstance(stmt, ast.Assign) and any(dotted(t) == f"self.{attribute}" for t in stmt.targets):
            fits = len(stmt.targets) == 1 and isinstance(stmt.value, ast.Constant) and type(stmt.value.value) is int
            return stmt if ready and fits else None
    return None


def _only_counts(code: Code, owner: ast.ClassDef, attribute: str, *known: ast.AST) -> bool:
    """Whether the attribute is otherwise only read, as an operand of arithmetic."""
    for node in ast.walk(owner):
        if isinstance(node, ast.Constant) and node.value == attribute:
            return False
        if not isinstance(node, ast.Attribute) or node.attr != attribute:
            continue
        parent = code.parents.get(node)
        if parent in known:
            continue
        if not isinstance(node.ctx, ast.Load) or not isinstance(parent, ast.BinOp):
            return False
        if not isinstance(parent.op, (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.Pow)):
            return False
    return True
