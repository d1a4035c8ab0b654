"""How a file names torch, and the import that it lacks."""

from __future__ import annotations

import ast

from analyzer.finding import Edit
from analyzer.fixes.code import Code


def torch_name(code: Code, node: ast.AST) -> tuple[str, tuple[Edit, ...]] | None:
    """The name of the torch module at a node and the edits that bring it about; None if the name is taken."""
    bound: str | None = None
    for stmt in _module_level(code.tree.body):
        if isinstance(stmt, ast.Import):
            for alias in stmt.names:
                if alias.name == "torch" or alias.name.startswith("torch.") and alias.asname is None:
                    bound = bound or alias.asname or "torch"
    name = bound or "torch"
    if _rebound(code, node, name, imported=bound is not None):
        return None
    if bound:
        return name, ()
    edit = _import_edit(code)
    return None if edit is None else (name, (edit,))


def _module_level(body: list[ast.stmt]) -> list[ast.stmt]:
    """The statements that run when the module is imported, functions and classes left out."""
    found: list[ast.stmt] = []
    for stmt in body:
        found.append(stmt)
        if isinstance(stmt, ast.Try):
            found += _module_level(stmt.body)
        elif isinstance(stmt, ast.If) and "TYPE_CHECKING" not in ast.dump(stmt.test):
            found += _module_level(stmt.body)
    return found


def _rebound(code: Code, node: ast.AST, name: str, imported: bool) -> bool:
    """Whether the name means something else at the node: a local, a parameter, or another binding of the module."""
    function = code.function(node)
    while function is not None:
        if any(_binds(inner, name) for inner in ast.walk(function)):
            return True
        function = code.function(function)
    return any(_binds(stmt, name) for stmt in _module_level(code.tree.body) if not _imports_torch(stmt, name, imported))


def _imports_torch(stmt: ast.stmt, name: str, imported: bool) -> bool:
    return imported and isinstance(stmt, ast.Import)


def _binds(node: ast.AST, name: str) -> bool:
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        return any((alias.asname or alias.name.split(".")[0]) == name for alias in node.names)
    if isinstance(node, ast.arg):
        return node.arg == name
    if isinstance(node, ast.Name):
        return node.id == name and not isinstance(node.ctx, ast.Load)
    if isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.For, ast.With)):
        return any(isinstance(n, ast.Name) and n.id == name and not isinstance(n.ctx, ast.Load) for n in _targets(node))
    return isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) and node.name == name


def _targets(node: ast.stmt) -> list[ast.AST]:
    fields = [getattr(node, "target", None), *getattr(node, "targets", ())]
    fields += [item.optional_vars for item in getattr(node, "items", ())]
    return [inner for target in fields if target is not None for inner in ast.walk(target)]


def _import_edit(code: Code) -> Edit | None:
    """`import torch` before the first import from torch, else after the imports at the top of the file."""
    body = code.tree.body
    for stmt in body:
        if isinstance(stmt, ast.ImportFrom) and (stmt.module or "").split(".")[0] == "torch" and not stmt.level:
            return _before(code, stmt)
    top: list[ast.stmt] = []
    for stmt in body:
        docstring = not top and isinstance(stmt, ast.Expr) and isinstance(stmt.value, ast.Constant)
        if not docstring and not isinstance(stmt, (ast.Import, ast.ImportFrom)):
            break
        top.append(stmt)
    if not top:
        edit = _before(code, body[0]) if body else None
        return None if edit is None else code.edit(*_offsets(code, edit), "import torch\n\n")
    return _after(code, top[-1])


def _before(code: Code, stmt: ast.stmt) -> Edit | None:
    first = min([stmt, *getattr(stmt, "decorator_list", ())], key=code.start)
    line = code.position(code.start(first))[0]
    offset = code.starts[line - 1]
    if code.text[offset : code.start(first)].strip(" \t@") or not code.alone(offset):
        return None
    return code.edit(offset, offset, "import torch\n")


def _after(code: Code, stmt: ast.stmt) -> Edit | None:
    line = code.position(code.end(stmt))[0]
    rest = code.text[code.end(stmt) : code.starts[line - 1] + len(code.source.lines[line - 1])].strip()
    if rest and not rest.startswith("#") or line >= len(code.source.lines):
        return None
    text = "import torch\n" if isinstance(stmt, (ast.Import, ast.ImportFrom)) else "\nimport torch\n"
    if isinstance(stmt, ast.ImportFrom) and stmt.module == "__future__":
        text = "\nimport torch\n"
    return code.edit(code.starts[line], code.starts[line], text)


def _offsets(code: Code, edit: Edit) -> tuple[int, int]:
    return code.starts[edit.line - 1] + edit.column - 1, code.starts[edit.end_line - 1] + edit.end_column - 1
