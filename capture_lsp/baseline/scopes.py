"""What surrounds a place in a tree: its function, the names local to it, and what helpers and variables stand for."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

Function = ast.FunctionDef | ast.AsyncFunctionDef
Definition = Function | ast.ClassDef


@dataclass
class Scope:
    """A function (or the module, `node` None). `local`: the names bound in it and in the functions around it; `once`:
    the variables that have one value only."""

    name: str
    node: Function | None
    owner: str = ""  #: the class that it is a method of
    local: frozenset[str] = frozenset()
    once: dict[str, ast.expr] = field(default_factory=dict)
    parameters: frozenset[str] = frozenset()  #: and never bound again


class Scopes:
    """The scopes of one module."""

    def __init__(self, tree: ast.Module) -> None:
        self.module = Scope("", None, local=frozenset(_bound(tree.body)))
        self.functions: list[Scope] = []
        self.names: set[str] = set()  #: qualified names of all definitions
        self.returns: dict[tuple[str, str], tuple[Function, ast.expr]] = {}
        self._enter(tree.body, "", "", frozenset())

    def _enter(self, body: list[ast.stmt], prefix: str, owner: str, outer: frozenset[str]) -> None:
        for statement in _statements(body):
            if not isinstance(statement, Definition):
                continue
            name = f"{prefix}.{statement.name}" if prefix else statement.name
            self.names.add(name)
            if isinstance(statement, ast.ClassDef):
                self._enter(statement.body, name, name, outer)
                continue
            local = outer | _parameters(statement) | frozenset(_bound(statement.body))
            self.functions.append(Scope(name, statement, owner, local, *_single(statement)))
            if (value := _returned(statement)) is not None:
                self.returns[owner, statement.name] = (statement, value)
            self._enter(statement.body, name, "", local)

    def of(self, name: str) -> Scope:
        """The scope of a qualified name; the module for an unknown one."""
        return next((scope for scope in reversed(self.functions) if scope.name == name), self.module)

    def around(self, line: int, end_line: int) -> Scope:
        """The innermost function around some lines, whose decorators do not belong to it."""
        found = self.module
        for scope in self.functions:  # outer ones come first
            assert scope.node is not None
            if scope.node.lineno <= line and end_line <= (scope.node.end_lineno or line):
                found = scope
        return found


def _statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements of a body and of the blocks in it, but not of definitions."""
    for statement in body:
        yield statement
        if not isinstance(statement, Definition):
            yield from _statements(blocks(statement))


def blocks(statement: ast.stmt) -> list[ast.stmt]:
    """The statements that a compound statement holds, in order."""
    found: list[ast.stmt] = []
    for name in ("body", "handlers", "cases", "orelse", "finalbody"):
        for part in getattr(statement, name, ()):
            found += [part] if isinstance(part, ast.stmt) else part.body
    return found


def _parameters(function: Function) -> frozenset[str]:
    arguments = function.args
    every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg]
    return frozenset(a.arg for a in every if a is not None)


def _bound(body: list[ast.stmt]) -> Iterator[str]:
    """The names that statements bind, those of nested functions but not of classes and imports."""
    for statement in _statements(body):
        if isinstance(statement, Definition):
            continue
        for node in ast.walk(header(statement)):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                yield node.id
            elif isinstance(node, ast.arg):  # of a lambda
                yield node.arg
        for handler in getattr(statement, "handlers", ()):
            if handler.name:
                yield handler.name


def header(statement: ast.AST) -> ast.AST:
    """A statement without the statements in it."""
    if not isinstance(statement, ast.stmt) or not getattr(statement, "body", None):
        return statement
    emptied: dict[str, object] = {"body": [ast.Pass()]}
    if isinstance(statement, ast.Match):
        return statement.subject
    if isinstance(statement, ast.Try) or type(statement).__name__ == "TryStar":
        return ast.Pass()
    for name in ("orelse", "decorator_list"):
        if hasattr(statement, name):
            emptied[name] = []
    fields = {name: getattr(statement, name) for name in statement._fields if hasattr(statement, name)}
    return ast.copy_location(type(statement)(**{**fields, **emptied}), statement)


def _single(function: Function) -> tuple[dict[str, ast.expr], frozenset[str]]:
    """The variables of a function that are assigned in one place only, and what; its parameters that never are."""
    counted: Counter[str] = Counter(_bound(function.body))
    values: dict[str, ast.expr] = {}
    for statement in _statements(function.body):
        target = statement.targets[0] if isinstance(statement, ast.Assign) and len(statement.targets) == 1 else None
        if isinstance(statement, ast.AnnAssign):
            target = statement.target
        value = getattr(statement, "value", None)
        if isinstance(target, ast.Name) and isinstance(value, ast.expr):
            values[target.id] = value
    parameters = _parameters(function)
    once = {name: value for name, value in values.items() if counted[name] == 1 and name not in parameters}
    return once, parameters - counted.keys()


def _returned(function: Function) -> ast.expr | None:
    """What a function with one `return` returns."""
    found = [statement for statement in _statements(function.body) if isinstance(statement, ast.Return)]
    return found[0].value if len(found) == 1 and isinstance(function, ast.FunctionDef) else None
