"""`@torch.compiler.disable(reason=...)` on the helper that breaks: the break is named and does not split the helper."""

from __future__ import annotations

import ast

from analyzer.finding import Fix
from analyzer.fixes.code import Code
from analyzer.fixes.imports import torch_name
from analyzer.knowledge.versions import DISABLE_TAKES_REASON

_ALLOWED = frozenset({"staticmethod", "classmethod"})


def disable_fix(code: Code, node: ast.AST, depth: int, reason: str, release: tuple[int, int]) -> Fix | None:
    """Decorate the function around a node, if it is a helper (`depth` calls below the root) of a module or class.

    Never the first choice: the graph still ends at the helper's call. Unsafe, so that `--fix` does not hide a break.
    """
    function = code.function(node)
    if depth < 1 or not isinstance(function, ast.FunctionDef) or function.name in ("forward", "__init__"):
        return None
    if not isinstance(code.parents.get(function), (ast.Module, ast.ClassDef)):
        return None
    if any(not isinstance(d, ast.Name) or d.id not in _ALLOWED for d in function.decorator_list):
        return None
    start = code.start(function)
    torch = torch_name(code, function)
    if torch is None or not code.alone(start):
        return None
    name, imports = torch
    indent = code.indent(start)
    given = f'(reason="{reason}")' if release >= DISABLE_TAKES_REASON else f"  # {reason}"
    edit = code.edit(start, start, f"@{name}.compiler.disable{given}\n{indent}")
    return Fix(f"leave {function.name} out of the graph: @{name}.compiler.disable", "unsafe", (*imports, edit))
