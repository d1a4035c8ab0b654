"""Normal forms of code: the same for code that says the same in other lines, layout, local names or helpers."""

from __future__ import annotations

import ast
import copy
import hashlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from capture_lsp.baseline.scopes import Scope, Scopes, blocks, header

_LONGEST = 800
_DEEPEST = 6
_LARGEST = 400  #: nodes of an expression with what its names stand for


def written(node: ast.AST) -> str:
    """Code in one layout."""
    try:
        text = " ".join(ast.unparse(header(node)).split("\n"))
    except (RecursionError, ValueError, AttributeError):
        text = type(node).__name__
    return shortened(text.removesuffix(":     pass"))


def shortened(text: str) -> str:
    """A long text by its beginning and its hash."""
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}… {hashed(text)}"


def hashed(text: str) -> str:
    """A short hash, the same on every machine."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=6).hexdigest()


@dataclass(frozen=True)
class Numbered:
    """Code with its local names numbered in the order in which they come: `text` has `_1`, `_2`, …; `names`: what these
    were."""

    text: str
    names: tuple[str, ...] = ()


@lru_cache(maxsize=16384)
def numbered(code: str, local: tuple[str, ...]) -> Numbered:
    """Code that was `written`, with its local names numbered; as it is, where it does not parse."""
    for whole in (code, f"{code}:\n    pass"):
        try:
            tree = ast.parse(whole)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
        numbers = _Numbered(lambda name: name in local)
        body = numbers.visit(tree).body
        return Numbered(written(body[0]) if len(body) == 1 else code, tuple(numbers.numbers))
    return Numbered(code)


def values(node: ast.AST, scope: Scope, scopes: Scopes) -> ast.AST:
    """Code with the variables put in that have one value; as it is, where that is too long."""
    return _expanded(node, scope, scopes, helpers=False) or node


def meaning(node: ast.AST, scope: Scope, scopes: Scopes) -> ast.AST:
    """`values`, with helpers that return one expression put in, too, where that is not too long."""
    return _expanded(node, scope, scopes, helpers=True) or values(node, scope, scopes)


def _expanded(node: ast.AST, scope: Scope, scopes: Scopes, helpers: bool) -> ast.AST | None:
    if not isinstance(node, ast.expr):
        return node
    found: ast.AST = _Expanded(scope, scopes, helpers=helpers).visit(copy.deepcopy(node))
    return found if _small(found) else None


def names_in(nodes: Iterable[ast.AST]) -> set[str]:
    """The names in some code."""
    every = [inner for node in nodes for inner in ast.walk(header(node))]
    return {n.id for n in every if isinstance(n, ast.Name)} | {n.arg for n in every if isinstance(n, ast.arg)}


#: A function's statements as they are written, and with variables and helpers put in.
Outlines = tuple[tuple[str, ...], tuple[str, ...]]


def outline(scope: Scope, scopes: Scopes) -> Outlines:
    """A function's statements, each as a hash without any names but those of attributes, sorted: as they are written,
    and with variables and helpers put in."""
    if scope.node is None:
        return (), ()
    found: list[str] = []
    expanded: list[str] = []
    waiting: list[ast.stmt] = [*scope.node.body]
    while waiting:
        statement = waiting.pop()
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
            continue
        waiting += blocks(statement)
        if isinstance(statement, (ast.Pass, ast.Break, ast.Continue)) or _returns_a_name(statement):
            continue  # every function has one
        found.append(_nameless(copy.deepcopy(header(statement))))
        if not (isinstance(statement, ast.Assign) and statement.value in scope.once.values()):
            meant = _Expanded(scope, scopes).visit(copy.deepcopy(header(statement)))
            expanded.append(_nameless(meant) if _small(meant) else found[-1])
    return tuple(sorted(found)), tuple(sorted(expanded))


def _returns_a_name(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Return) and isinstance(statement.value, (ast.Name, type(None)))


def _nameless(statement: ast.AST) -> str:
    return hashed(written(_Numbered(lambda name: True).visit(statement)))[:6]


def _small(node: ast.AST) -> bool:
    return sum(1 for _ in ast.walk(node)) <= _LARGEST


class _Numbered(ast.NodeTransformer):
    """Names for which `which` holds become `_1`, `_2`, … in the order in which they come."""

    def __init__(self, which: Callable[[str], bool]) -> None:
        self._which = which
        self.numbers: dict[str, str] = {}

    def _name(self, name: str) -> str:
        return self.numbers.setdefault(name, f"_{len(self.numbers) + 1}") if self._which(name) else name

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return ast.copy_location(ast.Name(self._name(node.id), node.ctx), node)

    def visit_arg(self, node: ast.arg) -> ast.AST:
        return ast.copy_location(ast.arg(self._name(node.arg)), node)


class WithAttributes(ast.NodeTransformer):
    """Other names for attributes."""

    def __init__(self, names: Mapping[str, str]) -> None:
        self._names = names

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        self.generic_visit(node)
        node.attr = self._names.get(node.attr, node.attr)
        return node


class _Expanded(ast.NodeTransformer):
    """Puts in what variables and helpers stand for."""

    def __init__(
        self,
        scope: Scope,
        scopes: Scopes,
        depth: int = 0,
        values: dict[str, ast.expr] | None = None,
        helpers: bool = True,
    ) -> None:
        self._scope = scope
        self._scopes = scopes
        self._depth = depth
        self._values = values  #: of a helper's parameters
        self._helpers = helpers

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if not isinstance(node.ctx, ast.Load) or self._depth > _DEEPEST:
            return node
        if self._values is not None and node.id in self._values:
            return copy.deepcopy(self._values[node.id])
        value = self._scope.once.get(node.id)
        if value is None or node.id in {n.id for n in ast.walk(value) if isinstance(n, ast.Name)}:
            return node
        deeper = _Expanded(self._scope, self._scopes, self._depth + 1, self._values, self._helpers)
        return deeper.visit(copy.deepcopy(value))  # type: ignore[no-any-return]

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        helper = self._helper(node.func) if self._helpers else None
        if helper is None or self._depth > _DEEPEST:
            return node
        function, value, values = helper
        names = [argument.arg for argument in (*function.args.posonlyargs, *function.args.args)][len(values) :]
        if len(node.args) > len(names) or any(isinstance(argument, ast.Starred) for argument in node.args):
            return node
        values.update(zip(names, node.args))
        for keyword in node.keywords:
            if keyword.arg is None:
                return node
            values[keyword.arg] = keyword.value
        inside = next(scope for scope in self._scopes.functions if scope.node is function)
        return _Expanded(inside, self._scopes, self._depth + 1, values).visit(copy.deepcopy(value))  # type: ignore[no-any-return]

    def _tells(self, value: ast.expr, inside: Scope, depth: int = 0) -> bool:
        """Whether all names in what a helper returns are its parameters, or stand for one value."""
        names = {n.id for n in ast.walk(value) if isinstance(n, ast.Name)}
        unclear = names & inside.local - inside.parameters - inside.once.keys()
        deeper = [inside.once[name] for name in names & inside.once.keys()]
        return not unclear and depth <= _DEEPEST and all(self._tells(one, inside, depth + 1) for one in deeper)

    def _helper(self, called: ast.expr) -> tuple[ast.FunctionDef, ast.expr, dict[str, ast.expr]] | None:
        """The function that is called, what it returns, and the values of the parameters that are bound already."""
        values: dict[str, ast.expr] = {}
        if isinstance(called, ast.Name):
            found = self._scopes.returns.get(("", called.id))
        elif isinstance(called, ast.Attribute) and isinstance(called.value, ast.Name):
            found = self._scopes.returns.get((called.value.id, called.attr))  # of a class, by its name
            if found is None and self._scope.owner:
                found = self._scopes.returns.get((self._scope.owner, called.attr))
                if found is not None and not found[0].decorator_list and found[0].args.args:
                    values[found[0].args.args[0].arg] = called.value
        else:
            return None
        if found is None or found[0] is self._scope.node or not isinstance(found[0], ast.FunctionDef):
            return None
        if not self._tells(found[1], next(scope for scope in self._scopes.functions if scope.node is found[0])):
            return None
        return found[0], found[1], values
