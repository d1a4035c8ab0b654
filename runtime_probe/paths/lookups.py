"""What a number that was read chooses from: `names[n]`, `table.get(n)`, `n in known`, `getattr(self, f"block{n}")`.

No comparison is heard there, so the containers are looked at, in the frame, just before the line runs.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Mapping, Set, Sized
from types import FrameType
from typing import Any, Callable, Dict, Iterator, List, NamedTuple, Tuple
from typing import Set as PySet

from runtime_probe.paths import traced
from runtime_probe.paths.sites import Place

#: So many entries of one container are chosen at most.
MOST_ENTRIES = 8
_SIMPLE = (ast.Name, ast.Attribute)


class Lookup(NamedTuple):
    """A place where `keys` choose from `container`; without a container the key is part of a name."""

    container: Any
    keys: Tuple[Any, ...]
    line: int
    end_line: int


@functools.cache
def lookups_of(path: str) -> Dict[int, List[Lookup]]:
    """The lookups of a file by the line on which they begin."""
    found: Dict[int, List[Lookup]] = {}
    nodes: Iterator[Any] = ast.walk(_tree(path))
    for node in nodes:
        container, key = _parts(node)
        if key is not None:
            keys = tuple(v.value for v in key.values if isinstance(v, ast.FormattedValue)) if _text(key) else (key,)
            made = Lookup(None if _text(key) else container, keys, node.lineno, node.end_lineno or 0)
            found.setdefault(node.lineno, []).append(made)
    return found


def _text(key: Any) -> bool:
    return isinstance(key, ast.JoinedStr)


@functools.cache
def _tree(path: str) -> ast.Module:
    try:
        with open(path, "rb") as file:
            return ast.parse(file.read())
    except (OSError, SyntaxError, ValueError):
        return ast.Module(body=[], type_ignores=[])


def _parts(node: Any) -> Tuple[Any, Any]:
    """The container and the key of a lookup."""
    if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
        key = node.slice
        return node.value, getattr(key, "value", key) if type(key).__name__ == "Index" else key  # Python 3.8 trees
    if isinstance(node, ast.Compare) and isinstance(node.ops[0], (ast.In, ast.NotIn)):
        return node.comparators[0], node.left
    if isinstance(node, ast.Call) and len(node.args) >= 1:
        if isinstance(node.func, ast.Attribute) and node.func.attr == "get":
            return node.func.value, node.args[0]
        if isinstance(node.func, ast.Name) and node.func.id == "getattr" and len(node.args) > 1:
            return None, node.args[1]
    return None, None


def note(frame: FrameType) -> None:
    """Before a line runs: wish for the other entries of what its traced numbers choose from."""
    for lookup in lookups_of(frame.f_code.co_filename).get(frame.f_lineno, ()):
        for key in lookup.keys:
            number = _value(key, frame) if isinstance(key, _SIMPLE) else None
            if isinstance(number, traced.TracedInt):
                _wish(number, _entries(lookup.container, frame), lookup.line)


def note_read(number: Any, place: Place, frame: FrameType) -> None:
    """The same for a number that is read inside the lookup itself: `names[int(x.argmax())]`."""
    path, line, column = place
    for lookup in (one for many in lookups_of(path).values() for one in many):
        if lookup.line <= line <= lookup.end_line and isinstance(number, traced.TracedInt):
            if any(_covers(key, line, column) for key in lookup.keys):
                _wish(number, _entries(lookup.container, frame), lookup.line)


def _covers(node: Any, line: int, column: int) -> bool:
    begins, ends = (node.lineno, node.col_offset), (node.end_lineno, node.end_col_offset)
    return bool(begins <= (line, column - 1) <= ends)


def _wish(number: Any, entries: List[int], line: int) -> None:
    log = number.log
    for key, term in number.terms.items():
        for entry in entries:
            if entry != traced.plain(number):
                log.wish(key, _equals(term, entry), lambda v, t=term, e=entry: t(v) - e, (entry,), log.arm(line, entry))
    log.took(line, traced.plain(number))


def _equals(term: traced.Term, entry: int) -> Callable[[traced.Number], bool]:
    return lambda v: term(v) == entry


def _value(node: Any, frame: FrameType) -> Any:
    if node is None or not all(isinstance(n, (*_SIMPLE, ast.expr_context)) for n in ast.walk(node)):
        return None
    try:
        return eval(compile(ast.Expression(node), "<lookup>", "eval"), frame.f_globals, dict(frame.f_locals))
    except Exception:
        return None


def _entries(container: Any, frame: FrameType) -> List[int]:
    """The integers that choose something from a container, and for keys one that chooses nothing."""
    if container is None:
        return [0, 1, 2, 3]
    if isinstance(container, (ast.List, ast.Tuple)):
        return list(range(min(len(container.elts), MOST_ENTRIES)))
    if isinstance(container, (ast.Dict, ast.Set)):
        nodes = container.keys if isinstance(container, ast.Dict) else container.elts
        return _keys([getattr(n, "value", None) for n in nodes])
    value = container.value if isinstance(container, ast.Constant) else _value(container, frame)
    if isinstance(value, (Mapping, Set)):
        return _keys(list(value))
    if not isinstance(value, Sized) or not hasattr(value, "__getitem__"):
        return []
    return list(range(min(len(value), MOST_ENTRIES))) if not hasattr(value, "dtype") else []


def _keys(values: List[Any]) -> List[int]:
    found = [v for v in values if isinstance(v, int) and not isinstance(v, bool)][:MOST_ENTRIES]
    return [*found, max(found) + 1] if found else []


def constants_near(place: Place) -> List[float]:
    """The numbers that the function around a place compares something with, if it tests what comes of the value that is
    read there."""
    path, line, column = place
    around = [
        n
        for n in ast.walk(_tree(path))
        if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef)) and n.lineno <= line <= (n.end_lineno or 0)
    ]
    if not around:
        return []
    function = max(around, key=lambda n: n.lineno)
    names = _names_of(function, line, column)
    found: List[float] = []
    for test in _tests(function):
        if test.lineno >= line and any(isinstance(n, ast.Name) and n.id in names for n in ast.walk(test)):
            constants = [n.value for n in ast.walk(test) if isinstance(n, ast.Constant)]
            found += [v for v in constants if isinstance(v, (int, float)) and not isinstance(v, bool)]
    return list(dict.fromkeys(found))


def _names_of(function: ast.AST, line: int, column: int) -> PySet[str]:
    """The names that depend on what is read at a place, further down in one function."""
    names: PySet[str] = set()
    kinds = (ast.Assign, ast.AugAssign, ast.AnnAssign)
    assigned = [n for n in ast.walk(function) if isinstance(n, kinds) and (n.end_lineno or 0) >= line]
    for _ in range(3):
        for statement in assigned:
            value = statement.value
            uses = value is not None and any(isinstance(n, ast.Name) and n.id in names for n in ast.walk(value))
            if uses or (value is not None and _covers(value, line, column)):
                names |= {n.id for n in ast.walk(statement) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    return names


def _tests(function: ast.AST) -> Iterator[Any]:
    for node in ast.walk(function):
        if isinstance(node, ast.Compare) or type(node).__name__ == "Match":
            yield node
