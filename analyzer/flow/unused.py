"""Whether what `torch.compile` returns is ever read, by the text of the function that calls it."""

from __future__ import annotations

import ast


def unused_result(call: ast.AST, scope: ast.AST, at_module_level: bool) -> str:
    """The local name that a compiled callable is bound to if nothing reads it while the original is called; else "".

    `scope` is the function around the call, or the module. Names that `global`, `nonlocal`, `del`, `__all__`,
    `locals()` and their like may reach count as read, as does a name of a module that is called in its functions alone:
    others may import it.
    """
    if not isinstance(call, ast.Call) or len(call.args) != 1 or not isinstance(call.args[0], ast.Name):
        return ""
    original = call.args[0].id
    nodes = list(ast.walk(scope))
    bound = [n for n in nodes if isinstance(n, ast.Assign) and n.value is call]
    if len(bound) != 1 or len(bound[0].targets) != 1 or not isinstance(bound[0].targets[0], ast.Name):
        return ""
    name = bound[0].targets[0].id
    if name == original or name.startswith("_"):
        return ""
    for node in nodes:
        if isinstance(node, ast.Name) and node.id == name and node is not bound[0].targets[0]:
            return ""
        if isinstance(node, (ast.Global, ast.Nonlocal)) and name in node.names:
            return ""
        if isinstance(node, ast.Constant) and node.value == name:
            return ""
        if isinstance(node, ast.Name) and node.id in ("locals", "globals", "vars", "exec", "eval"):
            return ""
    body = _outside_functions(scope) if at_module_level else nodes
    called = any(
        isinstance(n, ast.Call) and isinstance(n.func, ast.Name) and n.func.id == original and n.lineno > call.lineno
        for n in body
    )
    return name if called else ""


def _outside_functions(module: ast.AST) -> list[ast.AST]:
    """The nodes that run when the module is loaded."""
    found: list[ast.AST] = []
    stack: list[ast.AST] = [module]
    while stack:
        node = stack.pop()
        found.append(node)
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)):
            stack.extend(ast.iter_child_nodes(node))
    return found
