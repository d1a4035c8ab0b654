"""What one turn of a loop may read of the turn before: names that its body does not surely store first."""

from __future__ import annotations

import ast
from functools import lru_cache

Loop = ast.For | ast.AsyncFor | ast.While


@lru_cache(maxsize=8192)
def carried(loop: Loop) -> frozenset[str]:
    """Names whose value a turn may find as the turn before left it (too many rather than too few)."""
    walk = _Walk()
    if isinstance(loop, ast.While):
        walk.read(loop.test, frozenset())
        walk.block(loop.body, set())
    else:
        walk.block(loop.body, walk.bind(loop.target, set()))
    return frozenset(walk.found)


class _Walk:
    """Goes through statements in order. `stored` holds the names that were surely stored by then."""

    def __init__(self) -> None:
        self.found: set[str] = set()

    def read(self, node: ast.AST, stored: set[str] | frozenset[str]) -> None:
        """Every name in an expression (or statement) counts as read."""
        self.found.update(n.id for n in ast.walk(node) if isinstance(n, ast.Name) and n.id not in stored)

    def bind(self, target: ast.expr, stored: set[str]) -> set[str]:
        """The names stored after a target is bound."""
        if isinstance(target, ast.Name):
            return stored | {target.id}
        if isinstance(target, (ast.Tuple, ast.List)):
            for element in target.elts:
                stored = self.bind(element, stored)
            return stored
        if isinstance(target, ast.Starred):
            return self.bind(target.value, stored)
        self.read(target, stored)  # an attribute or an item of something
        return stored

    def block(self, body: list[ast.stmt], stored: set[str]) -> set[str]:
        """The names stored after some statements."""
        for statement in body:
            stored = self._statement(statement, stored)
        return stored

    def _statement(self, node: ast.stmt, stored: set[str]) -> set[str]:
        if isinstance(node, ast.Assign):
            self.read(node.value, stored)
            for target in node.targets:
                stored = self.bind(target, stored)
        elif isinstance(node, ast.AnnAssign):
            if node.value is not None:
                self.read(node.value, stored)
                stored = self.bind(node.target, stored)
        elif isinstance(node, ast.If):
            self.read(node.test, stored)
            stored = self.block(node.body, stored) & self.block(node.orelse, stored)
        elif isinstance(node, (ast.For, ast.AsyncFor)):
            self.read(node.iter, stored)
            self.block(node.body, self.bind(node.target, stored))
            self.block(node.orelse, stored)
        elif isinstance(node, ast.While):
            self.read(node.test, stored)
            self.block(node.body, stored)
            self.block(node.orelse, stored)
        elif isinstance(node, (ast.With, ast.AsyncWith)):
            inner = stored
            for item in node.items:
                self.read(item.context_expr, inner)
                inner = self.bind(item.optional_vars, inner) if item.optional_vars is not None else inner
            self.block(node.body, inner)
        else:
            self.read(node, stored)
        return stored
