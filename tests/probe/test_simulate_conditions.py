"""Conditional jumps are told apart, and come out as the conditions in the source do: against an instrumented copy."""

from __future__ import annotations

import ast
import itertools
import sys
import types
from typing import Any

import pytest

from runtime_probe.simulate import conditions, jumps

SOURCE = """
def plain(a, b, c):
    if not a:
        return 1
    if a and not b or c:
        return 2
    return 3

def values(a, b, c):
    w = a and b and c
    v = a if not b else c
    u = not a or b
    t = (not (a or b)) and c
    return w, v, u, t

def loops(a, b, c):
    n = 0
    while n < 3 and a:
        n += 1
        if n == 2 and (
            b):
            break
    assert n >= 0 or c, "x"
    return n

def comprehensions(a, b, c):
    return [i for i in range(5) if i > a if not i < b], [j for j in (a, b) if j], {k: k for k in (b, c) if k}

def identity(a, b, c):
    a = a or None
    if a is None:
        b = 1
    if not (a is None):
        c = 2
    if a is not None and not (b is not None):
        c = 3
    while not (c in (2, 3)) and b is None:
        b = 2
    if not c in (2,):
        return 1

def chains(a, b, c):
    if 0 <= a < b:
        x = 1
    if not 0 < b <= c < 2:
        x = 2
    if not (a and b):
        y = 2
    if (a if b else c):
        y = 3
    return a == b and b != c

def blocks(a, b, c):
    try:
        if a: raise ValueError
    except ValueError:
        pass
    finally:
        if b: x = 1
    with open(__file__) as q:
        if c and a: pass
    return any(z > 0 for z in (a, b, c) if z) or (b and c)

def nested(a, b, c):
    for i in range(3):
        if not i: continue
        if i == a: break
    z = lambda q: q if q > 1 else -q
    return z(a)

def apart(a, b, c):
    if a:
        b = 2
    if not b:
        c = 1
    while a > 0:
        a = a - 1
    return c
"""
FUNCTIONS = [node.name for node in ast.parse(SOURCE).body if isinstance(node, ast.FunctionDef)]
PATH = __file__ + ".source"
Ways = list[tuple[str, bool]]


def _told(function: Any, arguments: tuple[int, ...], known: conditions.Conditions, positions: bool) -> Ways:
    """How the jumps of a call go, by the instruction that follows each."""
    found: Ways = []

    def call(frame: types.FrameType, event: str, argument: Any) -> Any:
        if frame.f_code.co_filename != PATH:
            return None
        table, pending = jumps.of_code(frame.f_code, known, positions), None

        def follow(frame: types.FrameType, event: str, argument: Any) -> Any:
            nonlocal pending
            if event == "opcode" and not (pending is not None and frame.f_lasti == pending.own):
                if pending is not None:
                    way = (frame.f_lasti == pending.target) == pending.jumped
                    if pending.partly is None or way == pending.partly:
                        found.append((known.all[pending.condition].text, way))
                pending = table.get(frame.f_lasti)
            elif event in ("exception", "return"):
                pending = None
            return follow

        frame.f_trace = follow
        frame.f_trace_opcodes = True
        return follow

    sys._getframe().f_trace_opcodes = True
    old = sys.gettrace()
    sys.settrace(call)
    try:
        function(*arguments)
    finally:
        sys.settrace(old)
    return found


class _Wrapped(ast.NodeTransformer):
    """Every condition becomes a call that notes its truth."""

    def __init__(self, known: conditions.Conditions) -> None:
        self.spans = {one.span: number for number, one in enumerate(known.all)}

    def visit(self, node: ast.AST) -> Any:
        span = conditions._span(node) if isinstance(node, ast.expr) else None
        node = self.generic_visit(node)
        if span not in self.spans:
            return node
        return ast.copy_location(
            ast.Call(ast.Name("WAY", ast.Load()), [ast.Constant(self.spans[span]), node], []),  # type: ignore[list-item]
            node,
        )


def _namespace(tree: ast.Module, **more: Any) -> dict[str, Any]:
    namespace: dict[str, Any] = {"__file__": __file__, **more}
    exec(compile(ast.fix_missing_locations(tree), PATH, "exec"), namespace)
    return namespace


@pytest.mark.parametrize("name", FUNCTIONS)
def test_jumps_go_as_their_conditions_come_out(name: str) -> None:
    known = conditions.of_source(SOURCE, PATH)
    truth: Ways = []

    def way(number: int, value: Any) -> Any:
        truth.append((known.all[number].text, bool(value)))
        return value

    plain, noted = _namespace(ast.parse(SOURCE)), _namespace(_Wrapped(known).visit(ast.parse(SOURCE)), WAY=way)
    for arguments in itertools.product([0, 1, 2], repeat=3):
        truth.clear()
        noted[name](*arguments)
        assert _told(plain[name], arguments, known, True) == truth


@pytest.mark.parametrize("name", ["plain", "loops", "identity", "apart"])
def test_without_columns_a_line_is_enough_where_it_holds_one_test(name: str) -> None:
    known = conditions.of_source(SOURCE, PATH)
    plain = _namespace(ast.parse(SOURCE))
    for arguments in itertools.product([0, 1, 2], repeat=3):
        assert _told(plain[name], arguments, known, False) == _told(plain[name], arguments, known, True)


def test_a_condition_has_its_place_in_characters_and_its_text() -> None:
    known = conditions.of_source("def f(x):\n    é = 'é' if not x.any(\n    ) else 1\n", "m.py")
    assert [(one.text, one.key) for one in known.all] == [("not x.any( )", ("m.py", 2, 16, 3, 6))]


@pytest.mark.parametrize("inside", ["\x0c", "\x1c", "\u2028", "\x85"])
def test_only_python_s_own_line_ends_end_a_line(inside: str) -> None:
    source = f"def f(a):\n    '{inside}'\n{inside if inside == chr(12) else ''}\n    if a > 1: return 1\n"
    (one,) = conditions.of_source(source, "f.py").all
    assert (one.text, one.key) == ("a > 1", ("f.py", 4, 8, 4, 13))


def test_what_is_no_python_has_no_conditions() -> None:
    assert conditions.of_source("if if\n", "m.py").all == []
