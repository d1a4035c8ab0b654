"""Reading an error: the statement that failed, the numbers that it compared, and the arguments that it is about."""

from __future__ import annotations

import ast
import dataclasses
import functools
import inspect
import os
import textwrap
import traceback
from types import CodeType, FrameType, TracebackType
from typing import Any, Dict, FrozenSet, List, Optional, Tuple

import torch

from runtime_probe.job import text_of

_TORCH = os.path.dirname(os.path.abspath(torch.__file__)) + os.sep
_OWN = os.path.dirname(os.path.abspath(__file__)) + os.sep

Comparison = Tuple[str, Any, Any]


@dataclasses.dataclass(frozen=True)
class Failure:
    """One failed call. `blamed`: the parameters whose tensors the failing statement uses, innermost frame first;
    `mentioned`: the names in the failing statement and in the test before it; `comparisons`: the numbers that an assert
    or the test of a raise compared, as (operator, left, right); `progress`: how far the call came."""

    kind: str
    message: str
    blamed: Tuple[str, ...] = ()
    mentioned: FrozenSet[str] = frozenset()
    comparisons: Tuple[Comparison, ...] = ()
    progress: Tuple[int, int] = (0, 0)
    statement: str = ""

    @property
    def text(self) -> str:
        """The message with its type."""
        return f"{self.kind}: {self.message}" if self.message else self.kind


def read(error: BaseException, tensors: Dict[int, str], progress: int = 0) -> Failure:
    """A failure from an exception. `tensors`: `id` of each argument's tensors → the parameter."""
    frames = _frames(error.__traceback__)
    blamed: List[str] = []
    mentioned: List[str] = []
    comparisons: List[Comparison] = []
    statement = ""
    for depth, (frame, line) in enumerate(reversed(frames)):
        if not _of_program(frame):
            continue
        node = _statement(frame, line)
        for name in _names(node):
            found = tensors.get(id(frame.f_locals.get(name)))
            if found is not None and found not in blamed:
                blamed.append(found)
        if not statement:
            statement = ast.unparse(node) if node is not None else ""
            mentioned += _names(node)
            comparisons += _comparisons(node, frame)
        elif depth < 6:
            mentioned += _names(node) if not isinstance(node, ast.Raise) else []
    outermost = next((line for frame, line in frames if _of_program(frame)), 0)
    message = text_of(error, 300)
    return Failure(
        type(error).__name__,
        message,
        tuple(blamed),
        frozenset(mentioned),
        tuple(comparisons),
        (progress, outermost),
        statement,
    )


def _frames(trace: Optional[TracebackType]) -> List[Tuple[FrameType, int]]:
    return list(traceback.walk_tb(trace))


def _of_program(frame: FrameType) -> bool:
    path = os.path.abspath(frame.f_code.co_filename)
    return not path.startswith((_TORCH, _OWN)) and not path.startswith("<") and "runtime_probe" not in path


@functools.lru_cache(512)
def _parsed(code: CodeType) -> Tuple[Optional[ast.AST], int]:
    """The syntax tree of a function, and the line on which it begins; None where its source cannot be had."""
    try:
        lines, first = inspect.getsourcelines(code)
        return ast.parse(textwrap.dedent("".join(lines))), max(first, 1)
    except (OSError, SyntaxError, TypeError):
        return None, 1


def _statement(frame: FrameType, line: int) -> Optional[ast.AST]:
    """The smallest statement at a line; for a `raise`, the `if` whose test led to it."""
    tree, first = _parsed(frame.f_code)
    if tree is None:
        return None
    found: Optional[ast.AST] = None
    test: Optional[ast.If] = None
    for node in ast.walk(tree):
        begin, end = getattr(node, "lineno", None), getattr(node, "end_lineno", None)
        if not isinstance(node, ast.stmt) or begin is None or end is None:
            continue
        if begin + first - 1 <= line <= end + first - 1:
            if isinstance(node, ast.If) and begin + first - 1 != line:
                test = node
            if found is None or (begin, -end) >= (found.lineno, -(found.end_lineno or 0)):  # type: ignore[attr-defined]
                found = node
    if isinstance(found, ast.Raise) and test is not None:
        return test
    return found


def _names(node: Optional[ast.AST]) -> List[str]:
    if node is None:
        return []
    if isinstance(node, (ast.If, ast.While)):
        node = node.test
    elif isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.With, ast.For, ast.Try)):
        node = getattr(node, "iter", None) or ast.Pass()
    found = [n.id for n in ast.walk(node) if isinstance(n, ast.Name)]
    return found + [n.attr for n in ast.walk(node) if isinstance(n, ast.Attribute)]


def _comparisons(node: Optional[ast.AST], frame: FrameType) -> List[Comparison]:
    """The numbers on both sides of the comparisons in the test of an assert, or of an `if` before a raise."""
    if not isinstance(node, (ast.Assert, ast.If)):
        return []
    found: List[Comparison] = []
    for part in ast.walk(node.test):
        if not isinstance(part, ast.Compare):
            continue
        operands = [part.left, *part.comparators]
        for left, operator, right in zip(operands, part.ops, operands[1:]):
            if isinstance(left, ast.BinOp) and isinstance(left.op, ast.Mod):
                found.append(("%", _value(left.left, frame), _value(left.right, frame)))
            else:
                found.append((type(operator).__name__, _value(left, frame), _value(right, frame)))
    return [c for c in found if c[1] is not None and c[2] is not None]


def _value(node: ast.AST, frame: FrameType) -> Any:
    """The value of a simple operand: names, attributes, subscripts, `len`, `.size()`, `.dim()`; ints and tuples of them
    only."""
    allowed = (
        ast.Name, ast.Attribute, ast.Subscript, ast.Constant, ast.Load, ast.UnaryOp, ast.USub, ast.BinOp, ast.operator,
        ast.Tuple, ast.List, ast.Slice, ast.Call,
    )  # fmt: skip
    for part in ast.walk(node):
        if not isinstance(part, allowed):
            return None
        if isinstance(part, ast.Call):
            called = part.func
            name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
            if name not in ("len", "size", "dim", "ndimension", "tuple", "list"):
                return None
    try:
        value = eval(compile(ast.Expression(node), "<operand>", "eval"), frame.f_globals, dict(frame.f_locals))  # type: ignore[arg-type]
    except Exception:
        return None
    if isinstance(value, (tuple, list)) and all(isinstance(v, int) for v in value):
        return tuple(value)
    return int(value) if isinstance(value, int) and not isinstance(value, bool) else None
