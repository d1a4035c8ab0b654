"""Telling statements behind a guard, in any layout: the program is the same but for the guard."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.fixes.apply import comments, findings_of, first_fixes, unguarded
from tests.fixes.layouts import COMMENTS, programs

CALLS = (
    "print('ä', x.shape)",
    'print(f"{x.shape!r:>10} ✓")',
    "print(\n    'a',  # first\n\n      x,\n)",
    'print("""one\n  two # no comment\n""", x.mean())',
    'print(f"""\n{x.mean()}\n  last""")',
    "print('a', \\\n  'b')",
    "print()",
)


def telling(draw: st.DrawFn, indent: str, unit: str) -> str:
    """One to three statements with a print, on lines of their own or not."""
    calls = draw(st.lists(st.sampled_from(CALLS), min_size=1, max_size=3))
    comment = draw(st.sampled_from(COMMENTS))
    layouts = ("lines", "lines", "before", "after", "between", "if", "else", "for", "spaced", "semi")
    layout = draw(st.sampled_from(layouts))
    if layout == "lines":
        return "".join(f"{indent}{call}{comment}\n" for call in calls)
    if layout == "spaced":
        return "".join(f"{indent}{call}\n\n{indent}# then\n" for call in calls)
    call = "; ".join(calls)
    if layout == "semi":
        return f"{indent}{call};{comment}\n"
    if layout == "before":
        return f"{indent}y = x * 2; {call}{comment}\n"
    if layout == "after":
        return f"{indent}{call} ; y = x * 2{comment}\n"
    if layout == "between":
        return f"{indent}y = x; {call}; y = x * 2{comment}\n"
    if layout == "if":
        test = draw(st.sampled_from(("x.dim() > 1", "(x.dim() > 1)", "x.dim() > 1 or x.dim() < 0", "(\n  x.dim())")))
        return f"{indent}if {test}: {call}{comment}\n"
    if layout == "else":
        return f"{indent}if x.dim() > 1:\n{indent}{unit}y = 1\n{indent}else: {call}{comment}\n"
    return f"{indent}for _ in range(2): {call}{comment}\n"


@settings(max_examples=250, deadline=None)
@given(programs(telling))
def test_only_the_guard_is_new(text: str) -> None:
    found = findings_of(text, "CAP301")
    fixed = first_fixes(text, found)
    ast.parse(fixed)
    assert all(f.fixes[0].safety == "safe" for f in found if f.fixes)
    assert unguarded(fixed) == unguarded(text)
    assert comments(fixed) == comments(text)
    if all(f.fixes for f in found):
        assert not findings_of(fixed, "CAP301"), fixed
    assert first_fixes(fixed, findings_of(fixed, "CAP301")) == fixed


def fixed(text: str, code: str = "CAP301") -> str:
    return first_fixes(text, findings_of(text, code))


def test_neighbours_share_one_guard_with_what_only_they_read() -> None:
    text = """import torch
def fn(x: torch.Tensor):
    y = x * 2
    # how it goes
    largest = y.max().item()  # a number
    print(largest)

    # more
    print("min",
          y.min())
    return y
"""
    wanted = """import torch
def fn(x: torch.Tensor):
    y = x * 2
    # how it goes
    if not torch.compiler.is_compiling():
        largest = y.max().item()  # a number
        print(largest)

        # more
        print("min",
              y.min())
    return y
"""
    assert fixed(text) == fixed(text, "CAP110") == wanted


@pytest.mark.parametrize(
    "line",
    [
        "print(k := x.sum())",  # the name would be lost
        "z = print(x)",  # its value is used
        "[print(i) for i in range(2)]",
        "x.sum() > 0 or print(x)",
        "if x.sum().item() > 0: print(x); y = 2",
    ],
)
def test_nothing_is_offered_for_what_does_more(line: str) -> None:
    text = f"import torch\ndef fn(x: torch.Tensor):\n    y = x\n    {line}\n    return y\n"
    found = findings_of(text, "CAP301")
    assert found
    assert "is_compiling() and" not in first_fixes(text, found)
    guard = "\n    if not torch.compiler.is_compiling():\n"
    assert not [x for f in found for x in f.fixes if guard in first_fixes(text, [f])]


def test_a_number_that_is_used_later_is_not_hidden() -> None:
    text = "def fn(x):\n    y = x.sin()\n    n = y.max().item()\n    print(n)\n    return [n]\n"
    assert not [f for f in findings_of(text, "CAP110") if f.fixes]


def test_unsafe_if_an_argument_may_do_more() -> None:
    text = "import torch\ndef fn(x, q):\n    print(q.pop())\n    return x\n"
    assert [f.fixes[0].safety for f in findings_of(text, "CAP301")] == ["unsafe"]


def test_one_guard_is_enough() -> None:
    text = "import torch\ndef fn(x: torch.Tensor):\n    print(x.tolist())\n    return x\n"
    once = first_fixes(text, findings_of(text, "CAP111"))
    found = findings_of(once, "CAP111", ("fx", "script"))
    assert found, "torch.jit.script refuses it all the same"
    assert first_fixes(once, found) == once


def test_no_fix_where_torch_means_something_else() -> None:
    text = "def fn(x, torch=None):\n    print('a')\n    return x\n"
    assert [f.fixes for f in findings_of(text, "CAP301")] == [()]


def test_an_assigned_logger_and_a_nested_condition() -> None:
    text = """import logging
import torch
log = logging.getLogger("a")
def fn(x, step: int = 0):
    if step % 10 == 0 or step < 3:
        if step:
            log.info("at %d", step)
    return x.sin()
"""
    found = findings_of(text, "CAP302")
    wanted = "    if not torch.compiler.is_compiling() and (step % 10 == 0 or step < 3):\n        if step:\n"
    assert wanted in first_fixes(text, found)
