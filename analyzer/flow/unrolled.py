"""Loops that Dynamo does not unroll after all: their body ends the graph, so the function runs eagerly."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from analyzer.flow.frame import Run
from analyzer.flow.reporting import DEFAULTS

_ENDS = frozenset({"graph_break", "skipped_frame"})


def settle_unrolled(run: Run) -> None:
    """What recompiles because a loop is unrolled does not where every turn of that loop ends the graph."""
    unrolled = [raw for raw in run.findings.values() if raw.rule.unrolls and raw.outcomes.get("dynamo") == "recompiles"]
    if not unrolled:
        return
    for loop in ast.walk(run.info.node):
        if not isinstance(loop, ast.For):
            continue
        header = {id(node) for node in ast.walk(loop.iter)}
        inside = [raw for raw in unrolled if id(raw.node) in header]
        if inside and _ends(run, {id(node) for node in _each_turn(loop.body)}):
            for raw in inside:
                raw.outcomes.update(dict.fromkeys(DEFAULTS, "guarded"))


def _ends(run: Run, nodes: set[int]) -> bool:
    return any(id(raw.node) in nodes and raw.outcomes.get("dynamo") in _ENDS for raw in run.findings.values())


def _each_turn(body: list[ast.stmt]) -> Iterator[ast.AST]:
    """The nodes that every turn of a loop reaches: of an `if` only the test, of a `try` its body."""
    for statement in body:
        yield statement
        if isinstance(statement, (ast.If, ast.While)):
            yield from ast.walk(statement.test)
        elif isinstance(statement, ast.For):
            yield from ast.walk(statement.iter)
            yield from _each_turn(statement.body)
        elif isinstance(statement, (ast.With, ast.AsyncWith)):
            for item in statement.items:
                yield from ast.walk(item)
            yield from _each_turn(statement.body)
        elif isinstance(statement, ast.Try):
            yield from _each_turn(statement.body)
        elif not isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield from ast.walk(statement)
            if isinstance(statement, (ast.Return, ast.Break, ast.Raise)):
                return
