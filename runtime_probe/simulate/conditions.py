"""The conditions in a source text: every test that a conditional jump of its bytecode stands for.

Standard library only. Spans are (line, column, end line, end column) as `ast` and `co_positions` write them: lines from
1, columns in bytes from 0.
"""

from __future__ import annotations

import ast
import functools
import linecache
import sys
from dataclasses import dataclass, field
from typing import Any, Dict, FrozenSet, Iterator, List, Optional, Sequence, Set, Tuple

Span = Tuple[int, int, int, int]
#: Path, line, column, end line, end column: lines and columns from 1, columns in characters.
Key = Tuple[str, int, int, int, int]
#: The name and first line of a code object.
Scope = Tuple[str, int]

_MOST_TEXT = 200


@dataclass
class Condition:
    """One test, with the `not`s before it. `operand`: the span without them; `negated`: whether their number is odd.
    `jumps`: how many jumps one evaluation compiles to. `flipped`: for one `is not` or `not in` True, for one `is` or
    `in` False, else None. `names`: what it loads. `cond`: it is the predicate of a call of `torch.cond`."""

    key: Key
    text: str
    span: Span
    operand: Span
    negated: bool = False
    jumps: int = 1
    flipped: Optional[bool] = None
    names: FrozenSet[str] = frozenset()
    scope: Scope = ("<module>", 1)
    cond: bool = False


@dataclass
class Container:
    """Conditions that are evaluated one after the other, in the order in which they are compiled. Their jumps stand at
    one of `spans`."""

    conditions: List[int]
    spans: Set[Span]
    scope: Scope
    lines: Tuple[int, int]


@dataclass
class Conditions:
    """All of one file. `returns`: spans of what is returned; `assigned`: spans of values and the names that they are
    assigned to, by scope; `calls`: the span of a call of `torch.cond` and its predicate."""

    all: List[Condition] = field(default_factory=list)
    containers: List[Container] = field(default_factory=list)
    returns: List[Span] = field(default_factory=list)
    assigned: List[Tuple[Span, Scope, FrozenSet[str]]] = field(default_factory=list)
    calls: Dict[Span, int] = field(default_factory=dict)

    def holding(self, span: Span) -> List[int]:
        """The conditions within whose text a span stands."""
        return [number for number, one in enumerate(self.all) if _within(span, one.span)]

    def reading(self, span: Span) -> List[int]:
        """The conditions that read a name that the statement around a span assigns."""
        found: List[int] = []
        for value, scope, names in self.assigned:
            if _within(span, value):
                found += [n for n, one in enumerate(self.all) if one.scope == scope and one.names & names]
        return found

    def returned(self, span: Span) -> bool:
        """Whether a span stands in the value of a `return`."""
        return any(_within(span, value) for value in self.returns)


def _within(inner: Span, outer: Span) -> bool:
    return outer[:2] <= inner[:2] and inner[2:] <= outer[2:]


@functools.cache
def of_file(path: str) -> Conditions:
    """The conditions of a file; none of one that cannot be read."""
    return of_source("".join(linecache.getlines(path)), path)


def of_source(text: str, path: str) -> Conditions:
    """The conditions of a source text; none of one that is no Python."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return Conditions()
    reader = _Reader(text, path)
    reader.visit(tree, ("<module>", 1))
    return reader.found


_SCOPES = {ast.ListComp: "<listcomp>", ast.SetComp: "<setcomp>", ast.DictComp: "<dictcomp>",
           ast.GeneratorExp: "<genexpr>", ast.Lambda: "<lambda>"}  # fmt: skip


class _Reader:
    def __init__(self, text: str, path: str) -> None:
        # not `splitlines`: a form feed ends no line for Python
        self.lines = [line.encode("utf-8") for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n")]
        self.path = path
        self.found = Conditions()
        self.taken: Set[int] = set()  #: ids of nodes that are part of a test

    def visit(self, node: ast.AST, scope: Scope) -> None:
        """Collect what stands in a node, outer tests before those within them."""
        inner = scope
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
            inner = (node.name, first)
        elif type(node) in _SCOPES:
            inner = (_SCOPES[type(node)], node.lineno)  # type: ignore[attr-defined]
        self._tests(node, inner)
        self._flow(node, inner)
        for child in ast.iter_child_nodes(node):
            self.visit(child, inner)

    def _tests(self, node: Any, scope: Scope) -> None:
        if isinstance(node, (ast.If, ast.While, ast.IfExp, ast.Assert)):
            if id(node) not in self.taken:
                self._contain([node.test], node, scope)
        elif isinstance(node, (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
            tests = [test for generator in node.generators for test in generator.ifs]
            if tests:
                self._contain(tests, node, scope, _elements(node))
        elif type(node).__name__ == "match_case" and node.guard is not None:
            self._contain([node.guard], node.guard, scope)
        elif id(node) in self.taken:
            return
        elif isinstance(node, ast.BoolOp):
            container = self._container(node, scope)
            self._value(node, container)
            self._keep(container)
        elif isinstance(node, ast.Compare) and len(node.ops) > 1:
            container = self._container(node, scope)
            self._add(container, node, jumps=len(node.ops) - 1, end=node.comparators[-2])
            self._keep(container)
        elif isinstance(node, ast.Call) and _is_cond(node.func):
            predicate = node.args[0] if node.args else next((k.value for k in node.keywords if k.arg == "pred"), None)
            if predicate is not None:
                self.found.calls[_span(node)] = len(self.found.all)
                self.found.all.append(self._condition(predicate, predicate, scope, cond=True))

    def _contain(self, tests: Sequence[ast.expr], owner: Any, scope: Scope, also: Sequence[ast.expr] = ()) -> None:
        container = self._container(owner, scope)
        container.spans.update(map(_span, also))
        for test in tests:
            self._jump(test, False, None, container)
        self._keep(container)

    def _container(self, owner: Any, scope: Scope) -> Container:
        return Container([], {_span(owner)}, scope, (owner.lineno, owner.lineno))

    def _keep(self, container: Container) -> None:
        if container.conditions:
            lines = [self.found.all[n].span for n in container.conditions]
            container.lines = (min(s[0] for s in lines), max(s[2] for s in lines))
            self.found.containers.append(container)

    def _jump(self, test: Any, negated: bool, outer: Any, container: Container) -> None:
        """A test that decides where to go on: `not` is compiled into the jump, `and` and `or` into several."""
        self.taken.add(id(test))
        container.spans.add(_span(test))
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            self._jump(test.operand, not negated, outer or test, container)
        elif isinstance(test, ast.BoolOp):
            for value in test.values:
                self._jump(value, False, None, container)
        elif isinstance(test, ast.IfExp):
            for value in (test.test, test.body, test.orelse):
                self._jump(value, False, None, container)
        elif not isinstance(test, ast.Constant):
            jumps = len(test.ops) if isinstance(test, ast.Compare) else 1
            self._add(container, test, outer, negated, jumps)

    def _value(self, node: ast.BoolOp, container: Container) -> None:
        """`a and b` whose value is wanted: the truth of all operands but the last is tested."""
        self.taken.add(id(node))
        container.spans.add(_span(node))
        for value in node.values:
            last = value is node.values[-1]
            if isinstance(value, ast.BoolOp):
                self._value(value, container)
            if last or isinstance(value, ast.Constant):
                continue
            if isinstance(value, ast.Compare):
                self.taken.add(id(value))
            self._add(container, value, jumps=len(value.ops) if isinstance(value, ast.Compare) else 1)

    def _add(
        self,
        container: Container,
        operand: Any,
        outer: Any = None,
        negated: bool = False,
        jumps: int = 1,
        end: Any = None,
    ) -> None:
        container.spans.add(_span(operand))
        container.conditions.append(len(self.found.all))
        made = self._condition(outer or operand, operand, container.scope, negated=negated, jumps=jumps)
        if end is not None:
            made.span = (*made.span[:2], *_span(end)[2:])
            made.key, made.text = self._key(made.span), self._text(made.span)
        self.found.all.append(made)

    def _condition(self, node: Any, operand: Any, scope: Scope, **more: Any) -> Condition:
        span = _span(node)
        names = frozenset(n.id for n in ast.walk(operand) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load))
        made = Condition(self._key(span), self._text(span), span, _span(operand), names=names, scope=scope, **more)
        if isinstance(operand, ast.Compare) and len(operand.ops) == 1:
            if isinstance(operand.ops[0], (ast.Is, ast.IsNot, ast.In, ast.NotIn)):
                made.flipped = isinstance(operand.ops[0], (ast.IsNot, ast.NotIn))
        return made

    def _flow(self, node: Any, scope: Scope) -> None:
        if isinstance(node, ast.Return) and node.value is not None:
            self.found.returns.append(_span(node.value))
        elif isinstance(node, ast.Lambda):
            self.found.returns.append(_span(node.body))
        elif isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.NamedExpr)) and node.value is not None:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            self.found.assigned.append((_span(node.value), scope, frozenset(_names(targets))))
        elif isinstance(node, ast.For):
            self.found.assigned.append((_span(node.iter), scope, frozenset(_names([node.target]))))

    def _key(self, span: Span) -> Key:
        return self.path, span[0], self._column(*span[:2]), span[2], self._column(*span[2:])

    def _column(self, line: int, offset: int) -> int:
        text = self.lines[line - 1] if 0 < line <= len(self.lines) else b""
        return len(text[:offset].decode("utf-8", "replace")) + 1

    def _text(self, span: Span) -> str:
        return text_of(self.lines, span)


def text_of(lines: Sequence[bytes], span: Span, most: int = _MOST_TEXT) -> str:
    """The source of a span on one line."""
    line, start, end_line, end = span
    part = list(lines[line - 1 : end_line])
    if not part:
        return ""
    part[-1] = part[-1][:end]
    part[0] = part[0][start:]
    text = " ".join(b"".join(part).decode("utf-8", "replace").split())
    return text if len(text) <= most else text[: most - 1] + "…"


def _span(node: Any) -> Span:
    return node.lineno, node.col_offset, node.end_lineno or node.lineno, node.end_col_offset or node.col_offset


def _elements(node: Any) -> List[ast.expr]:
    """What a comprehension makes: since Python 3.13 its conditions' jumps stand there."""
    if sys.version_info < (3, 13):
        return []
    return [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]


def _is_cond(function: ast.expr) -> bool:
    name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
    return name == "cond"


def _names(targets: Sequence[ast.AST]) -> Iterator[str]:
    for target in targets:
        for node in ast.walk(target):
            if isinstance(node, ast.Name):
                yield node.id
