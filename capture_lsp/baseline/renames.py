"""Whether two expressions differ by names alone, and by which."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

Kind = Literal["name", "attribute", "keyword"]
#: Methods of modules that make an attribute of the name given.
_NAMING = frozenset({"register_buffer", "register_parameter", "register_module", "add_module"})
_NUMBERED = re.compile(r"_\d+")
#: Calls whose every string is text for people.
_TELLING = frozenset({"print", "warn", "debug", "info", "warning", "error", "exception", "critical", "log", "fatal"})


@dataclass(frozen=True)
class Skeleton:
    """An expression without its names and the text that it shows to people, and the names in order."""

    text: str
    names: tuple[tuple[Kind, str], ...]


@lru_cache(maxsize=4096)
def skeleton(code: str) -> Skeleton | None:
    """Of code whose local names are numbered. None for what does not parse: a header, or code that was cut."""
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    remover = _Remover()
    try:
        tree = remover.visit(tree)
        return Skeleton(ast.dump(tree), tuple(remover.names))
    except RecursionError:
        return None


class _Remover(ast.NodeTransformer):
    def __init__(self) -> None:
        self.names: list[tuple[Kind, str]] = []

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if _NUMBERED.fullmatch(node.id):
            return node
        self.names.append(("name", node.id))
        return ast.Name("_", node.ctx)

    def visit_arg(self, node: ast.arg) -> ast.AST:
        self.names.append(("name", node.arg))
        return ast.arg("_")

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        if _of_module(node.value):  # of a module or a class, by whichever way it is reached
            return self.visit_Name(ast.Name(node.attr, node.ctx))
        self.generic_visit(node)
        self.names.append(("attribute", node.attr))
        node.attr = "_"
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        if _last_name(node.func) in _TELLING:
            node.args = [ast.Constant("") if _is_text(argument) else argument for argument in node.args]
        return self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        return ast.Constant("") if isinstance(node.value, str) and not node.value.isidentifier() else node

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
        node.values = [part for part in node.values if not isinstance(part, ast.Constant)]
        return self.generic_visit(node)

    def visit_keyword(self, node: ast.keyword) -> ast.AST:
        self.generic_visit(node)
        self.names.append(("keyword", node.arg or "**"))
        node.arg = "_" if node.arg else None
        return node


def _of_module(node: ast.expr) -> bool:
    """Whether it is a name of the module, or an attribute of one: no local is."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name) and not _NUMBERED.fullmatch(node.id)


def _last_name(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def renames(old: str, new: str) -> set[tuple[Kind, str, str]] | None:
    """(kind, old name, new name) where two expressions are one but for names, each always renamed alike."""
    before, after = skeleton(old), skeleton(new)
    if before is None or after is None or before.text != after.text:
        return None
    found = {(kind, one, other) for (kind, one), (_, other) in zip(before.names, after.names)}
    if len({(kind, one) for kind, one, _ in found}) != len(found):
        return None
    return {pair for pair in found if pair[1] != pair[2]}


@dataclass(frozen=True)
class Defined:
    """The names that a project gives to things: definitions, variables of modules and imports; and attributes."""

    names: Collection[str]
    attributes: Collection[str]

    def explains(self, found: set[tuple[Kind, str, str]]) -> bool:
        """Whether the old names are gone and the new ones are of the project: other names make another expression."""
        return all(
            kind == "keyword" or (old not in where and new in where)
            for kind, old, new in found
            for where in [self.names if kind == "name" else self.attributes]
        )


def defined(trees: Collection[ast.Module]) -> Defined:
    """What some modules define."""
    names: set[str] = set()
    attributes: set[str] = set()
    for tree in trees:
        names.update(_stored(tree.body))
        for node in ast.walk(tree):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                names.add(node.name)
                attributes.add(node.name)
            if isinstance(node, ast.ClassDef):
                attributes.update(_stored(node.body))
            elif isinstance(node, ast.alias):
                names.add((node.asname or node.name).partition(".")[0])
                attributes.add(node.name.rpartition(".")[2])
            elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
                attributes.add(node.attr)
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _NAMING:
                attributes.update(
                    a.value for a in node.args if isinstance(a, ast.Constant) and isinstance(a.value, str)
                )
    return Defined(names, attributes)


def _stored(body: list[ast.stmt]) -> Iterator[str]:
    """The names that the statements of a module or class give values to."""
    for statement in body:
        if not isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            for node in ast.walk(statement):
                if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                    yield node.id
