"""One walk over a function's body for everything that is decided by its text alone; cached on the function."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from analyzer.project import FunctionInfo


@dataclass(frozen=True, slots=True)
class BodyFacts:
    """`bound`: names assigned in the body (not in nested functions); `declared`: names declared global; `outer`:
    nonlocal;
    `attributes`: (name, attribute) pairs read from plain names; `first_arguments`: (callee expression, name) of calls
    whose first argument is a plain name; `converted`: names assigned from a call, with the callee; `words`: every name
    and attribute; `yields`: it is a generator; `stores`: (name, attribute, statement) of each `name.attribute = …`;
    `multiplied`: names that stand beside an `@`."""

    bound: frozenset[str]
    declared: frozenset[str]
    attributes: frozenset[tuple[str, str]]
    first_arguments: tuple[tuple[ast.expr, str], ...]
    converted: tuple[tuple[str, ast.expr], ...]
    words: frozenset[str]
    yields: bool
    stores: tuple[tuple[str, str, ast.stmt], ...]
    outer: frozenset[str] = frozenset()
    multiplied: frozenset[str] = frozenset()


def body_facts(info: FunctionInfo) -> BodyFacts:
    """The facts of a function's body."""
    cached = info.__dict__.get("_facts")
    if cached is None:
        cached = info.__dict__["_facts"] = _collect(info)
    assert isinstance(cached, BodyFacts)
    return cached


def _collect(info: FunctionInfo) -> BodyFacts:
    bound: set[str] = set()
    declared: set[str] = set()
    outer: set[str] = set()
    attributes: set[tuple[str, str]] = set()
    first: list[tuple[ast.expr, str]] = []
    converted: list[tuple[str, ast.expr]] = []
    words: set[str] = set()
    stores: list[tuple[str, str, ast.stmt]] = []
    multiplied: set[str] = set()
    yields = False
    body = info.node.body
    stack: list[tuple[ast.AST, bool]] = [(n, False) for n in (body if isinstance(body, list) else [body])]
    while stack:
        node, nested = stack.pop()
        kind = node.__class__
        if kind is ast.Name:
            assert isinstance(node, ast.Name)
            words.add(node.id)
            if node.ctx.__class__ is not ast.Load and not nested:
                bound.add(node.id)
            continue
        if kind is ast.Constant:
            continue
        if kind is ast.Attribute:
            assert isinstance(node, ast.Attribute)
            words.add(node.attr)
            value = node.value
            if isinstance(value, ast.Name) and node.ctx.__class__ is ast.Load:
                attributes.add((value.id, node.attr))
        elif kind is ast.Call:
            assert isinstance(node, ast.Call)
            if node.args and isinstance(node.args[0], ast.Name):
                first.append((node.func, node.args[0].id))
        elif kind is ast.BinOp:
            assert isinstance(node, ast.BinOp)
            if node.op.__class__ is ast.MatMult:
                multiplied.update(side.id for side in (node.left, node.right) if isinstance(side, ast.Name))
        elif kind is ast.Assign:
            assert isinstance(node, ast.Assign)
            for target in node.targets:
                stores.extend(_stored(target, node))
            if isinstance(node.value, ast.Call):
                converted.extend((t.id, node.value.func) for t in node.targets if isinstance(t, ast.Name))
        elif kind is ast.AugAssign or kind is ast.AnnAssign:
            assert isinstance(node, (ast.AugAssign, ast.AnnAssign))
            stores.extend(_stored(node.target, node))
        elif kind is ast.Global:
            assert isinstance(node, ast.Global)
            declared.update(node.names)
        elif kind is ast.Nonlocal and not nested:
            outer.update(node.names)  # type: ignore[attr-defined]
        elif kind is ast.Yield or kind is ast.YieldFrom:
            yields = yields or not nested
        inner = nested
        if kind in (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef):
            if not nested:
                bound.add(node.name)  # type: ignore[attr-defined]
            inner = True
        elif kind is ast.Lambda:
            inner = True
        for name in node._fields:
            child = getattr(node, name, None)
            if isinstance(child, list):
                stack.extend((item, inner) for item in child if isinstance(item, ast.AST))
            elif isinstance(child, ast.AST) and not isinstance(child, ast.expr_context):
                stack.append((child, inner))
    return BodyFacts(
        frozenset(bound - outer),
        frozenset(declared),
        frozenset(attributes),
        tuple(first),
        tuple(converted),
        frozenset(words),
        yields,
        tuple(reversed(stores)),
        frozenset(outer),
        frozenset(multiplied),
    )


def _stored(target: ast.expr, statement: ast.stmt) -> Iterator[tuple[str, str, ast.stmt]]:
    if isinstance(target, ast.Attribute):
        if isinstance(target.value, ast.Name):
            yield target.value.id, target.attr, statement
    elif isinstance(target, (ast.Tuple, ast.List)):
        for element in target.elts:
            yield from _stored(element, statement)
    elif isinstance(target, ast.Starred):
        yield from _stored(target.value, statement)
