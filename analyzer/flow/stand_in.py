"""Nodes that no tree holds: they stand where a node of the tree stands, and are kept with it, so that they move with it
when the lines of an editor's text move (`analyzer.incremental.splice`)."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TypeVar

N = TypeVar("N", bound=ast.AST)


def stand_in(at: ast.AST, key: object, make: Callable[[], N]) -> N:
    """The node that `make` gave for this key when first asked for."""
    known: dict[object, N] = at.__dict__.setdefault("stand_ins", {})
    node = known.get(key)
    if node is None:
        node = known[key] = make()
    return node


def stand_ins(at: ast.AST) -> list[ast.AST]:
    """All nodes that stand where a node stands."""
    known: dict[object, ast.AST] = at.__dict__.get("stand_ins", {})
    return list(known.values())
