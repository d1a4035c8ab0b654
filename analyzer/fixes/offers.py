"""What rules hand to a report: makers, called late, only for findings that are shown."""

from __future__ import annotations

import ast
from collections.abc import Callable

from analyzer.finding import Fix
from analyzer.flow.events import Event
from analyzer.rule import Reporter
from analyzer.values import Tensor

Maker = Callable[[], "Fix | None"]


def guard(report: Reporter, node: ast.AST, *, tells: bool = False, sure: bool = True) -> Maker:
    """Do it only when not compiling, if its statement only tells something.

    `tells`: it is known to; not `sure`: a compiled run may need it.
    """
    source, tree = report.source, report.tree

    def make() -> Fix | None:
        from analyzer.fixes.code import code_of
        from analyzer.fixes.guard import guard_fix

        return guard_fix(code_of(source, tree), node, tells=tells, sure=sure)

    return make


def branch(report: Reporter, statement: ast.AST, node: ast.AST, tensor: Tensor) -> Maker:
    """`torch.where` or `torch.cond` for a tensor test."""
    source, tree = report.source, report.tree

    def make() -> Fix | None:
        from analyzer.fixes.branch import branch_fix
        from analyzer.fixes.code import code_of

        return branch_fix(code_of(source, tree), statement, node, tensor)

    return make


def bare_assert(report: Reporter, statement: ast.AST, node: ast.AST, tensor: Tensor) -> Maker:
    """An assert in the form that Dynamo keeps."""
    source, tree = report.source, report.tree

    def make() -> Fix | None:
        from analyzer.fixes.checks import bare_assert_fix
        from analyzer.fixes.code import code_of

        return bare_assert_fix(code_of(source, tree), statement, node, tensor)

    return make


def assert_async(report: Reporter, statement: ast.AST, node: ast.AST, tensor: Tensor) -> Maker:
    """`torch._assert_async` for an assert or an `if` that raises."""
    source, tree = report.source, report.tree

    def make() -> Fix | None:
        from analyzer.fixes.checks import assert_async_fix
        from analyzer.fixes.code import code_of

        return assert_async_fix(code_of(source, tree), statement, node, tensor)

    return make


def keep_tensor(report: Reporter, node: ast.AST, tensor: Tensor) -> Maker:
    """A number that only tensor arithmetic uses stays a tensor."""
    source, tree = report.source, report.tree

    def make() -> Fix | None:
        from analyzer.fixes.code import code_of
        from analyzer.fixes.host_read import keep_tensor_fix

        return keep_tensor_fix(code_of(source, tree), node, tensor)

    return make


def buffer(report: Reporter, statement: ast.AST) -> Maker:
    """A counter in a buffer."""
    source, tree = report.source, report.tree

    def make() -> Fix | None:
        from analyzer.fixes.code import code_of
        from analyzer.fixes.counter import buffer_fix

        return buffer_fix(code_of(source, tree), statement)

    return make


def after(first: Maker, report: Reporter, event: Event, reason: str) -> tuple[Maker, ...]:
    """A maker, and if it offers something, as a second choice the helper around the event left out of the graph."""
    source, tree, depth, node = report.source, report.tree, event.context.depth, event.node
    release = report.torch

    def second() -> Fix | None:
        if depth < 1 or first() is None:
            return None
        from analyzer.fixes.code import code_of
        from analyzer.fixes.disable import disable_fix

        return disable_fix(code_of(source, tree), node, depth, reason, release)

    return (first, second)
