"""The values that expressions of a program have in one eager run, and literals that stand for them."""

from __future__ import annotations

import ast
import builtins
import copy
import math
import sys
from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Tuple

import torch

from runtime_probe.cost.source import Source
from runtime_probe.cost.swap import Swap
from runtime_probe.matrix.reference import eager
from runtime_probe.subject import Subject

_NOTE = "__capture_lsp_note__"
_MOST = 4096
_PLAIN = (bool, int, float, str, type(None))


class Seen(NamedTuple):
    """What one expression gave: the literals of each call of the function around it, None if a value has none."""

    calls: Optional[List[List[str]]]


def literal(value: Any, tested: bool) -> Optional[str]:
    """A value as an expression; of a tensor that is tested its truth."""
    if tested and isinstance(value, torch.Tensor) and value.numel() == 1:
        return repr(bool(value))
    return _literal(value)


def _literal(value: Any) -> Optional[str]:
    if isinstance(value, float) and not math.isfinite(value):
        return f"float('{value}')"
    if type(value) in _PLAIN:
        return f"({value!r})"
    if type(value) in (list, tuple) and len(value) <= _MOST:
        parts = [_literal(part) for part in value]
        if any(part is None for part in parts):
            return None
        inside = "".join(f"{part}, " for part in parts)
        return f"[{inside}]" if isinstance(value, list) else f"({inside})"
    return None


def record(subject: Subject, source: Source, path: str, nodes: Sequence[Any]) -> List[Seen]:
    """Run the first call eagerly, and note what the nodes give. Expects a process of its own."""
    marked = {id(node): number for number, node in enumerate(nodes)}
    tested = [source.is_tested(node) for node in nodes]
    values: Dict[int, Dict[int, Tuple[Any, List[Optional[str]]]]] = {number: {} for number in range(len(nodes))}

    def note(number: int, value: Any) -> Any:
        frame = sys._getframe(1)
        _, seen = values[number].setdefault(id(frame), (frame, []))  # kept, so that its id stays its own
        seen.append(literal(value, tested[number]))
        return value

    class Marked(ast.NodeTransformer):
        def visit(self, node: Any) -> Any:
            number = marked.get(id(node))
            inner: Any = self.generic_visit(node)
            if number is None:
                return inner
            call = ast.Call(ast.Name(_NOTE, ast.Load()), [ast.Constant(number), inner], [])
            return ast.copy_location(call, node)

    memo: Dict[int, Any] = {}
    tree = copy.deepcopy(source.tree, memo)
    marked = {id(memo[node]): number for node, number in marked.items()}
    tree = ast.fix_missing_locations(Marked().visit(tree))
    setattr(builtins, _NOTE, note)
    try:
        with Swap({path: tree}), eager():
            instance = subject.fresh()
            instance.call(instance.function, 0)
    finally:
        delattr(builtins, _NOTE)
    return [_seen([seen for _, seen in values[number].values()]) for number in range(len(nodes))]


def _seen(calls: List[List[Optional[str]]]) -> Seen:
    if not calls or any(one is None for call in calls for one in call):
        return Seen(None)
    return Seen(calls)  # type: ignore[arg-type]
