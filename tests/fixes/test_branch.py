"""A tensor branch as one expression, in any layout."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.fixes.apply import comments, findings_of, first_fixes
from tests.fixes.layouts import COMMENTS, programs

SIDES = ("x.sin()", "x * 2.0", "(x.cos())", "x.tanh()", "(x\n        + 1.0)", "-x")
TESTS = (
    "x.sum() > 0",
    "(x.sum() > 0)",
    "x.max() < x.mean()",
    "(x.sum()\n   > 0)",
    "not (x > 0).all()",
    "not(x > 0).any()",
)


def branching(draw: st.DrawFn, indent: str, unit: str) -> str:
    test, yes, no = draw(st.sampled_from(TESTS)), draw(st.sampled_from(SIDES)), draw(st.sampled_from(SIDES))
    first, second, third = (draw(st.sampled_from(COMMENTS)) for _ in range(3))
    forms = {
        "else": f"if {test}:{first}\n{indent}{unit}w = {yes}{second}\n{indent}else:{third}\n{indent}{unit}w = {no}",
        "short": f"if {test}: w = {yes}{first}\n{indent}else: w = {no}{second}",
        "alone": f"if {test}:{first}\n{indent}{unit}# inside\n{indent}{unit}y = y + {yes}{second}",
        "return": f"if {test}:{first}\n{indent}{unit}return {yes}{second}\n\n{indent}# or\n{indent}return {no}{third}",
        "expression": f"w = {yes} if {test} else {no}{first}",
    }
    form = draw(st.sampled_from(sorted(forms)))
    if form == "expression" and "not" in test:
        form = "else"
    return f"{indent}{forms[form]}\n"


@settings(max_examples=250, deadline=None)
@given(programs(branching))
def test_the_branch_is_gone(text: str) -> None:
    ast.parse(text)
    found = findings_of(text, "CAP101")
    fixed = first_fixes(text, found)
    ast.parse(fixed)
    assert comments(fixed) == comments(text)
    if found and all(f.fixes for f in found):
        assert not findings_of(fixed, "CAP101"), fixed
        assert "torch.where(" in fixed or "th.where(" in fixed
    assert first_fixes(fixed, findings_of(fixed, "CAP101")) == fixed


def fixes(body: str, code: str = "CAP101") -> list[tuple[str, str, str]]:
    """(changed body, title, safety) of each fix."""
    start = "import torch\ndef fn(x: torch.Tensor, y: torch.Tensor):\n"
    text = start + "".join(f"    {line}\n" for line in body.split("\n"))
    found = findings_of(text, code, ("dynamo", "fx"))
    assert found, text
    result: list[tuple[str, str, str]] = []
    for number, fix in enumerate(found[0].fixes):
        new = first_fixes(text, found[:1], number)
        ast.parse(new)
        changed = "\n".join(line.removeprefix("    ") for line in new.removeprefix(start).rstrip("\n").split("\n"))
        result.append((changed, fix.title, fix.safety))
    return result


@pytest.mark.parametrize(
    ("body", "wanted", "safety"),
    [
        ("if x.sum() > 0:\n    return x + 1\nreturn x - 2", "return torch.where(x.sum() > 0, x + 1, x - 2)", "safe"),
        ("return x.sin() if x.sum() > 0 else x * 0.5", "return torch.where(x.sum() > 0, x.sin(), x * 0.5)", "safe"),
        # the dtype differs if x holds integers
        ("return x * 2 if x.sum() > 0 else x * 0.5", "return torch.where(x.sum() > 0, x * 2, x * 0.5)", "unsafe"),
        # an alias becomes a copy
        ("return x * 2 if x.sum() > 0 else x", "return torch.where(x.sum() > 0, x * 2, x)", "unsafe"),
        # a gradient of NaN comes through the side that is not taken
        ("return x.sqrt() if x.sum() > 0 else x.sin()", "return torch.where(x.sum() > 0, x.sqrt(), x.sin())", "unsafe"),
        # y may broadcast
        ("return x * y if x.sum() > 0 else x.sin()", "return torch.where(x.sum() > 0, x * y, x.sin())", "unsafe"),
        # one element of a tensor with more dimensions broadcasts
        ("return x.sin() if x > 0 else x.cos()", "return torch.where(x > 0, x.sin(), x.cos())", "unsafe"),
        ("if x.sum():\n    x = x * 2\nreturn x", "x = torch.where(x.sum().bool(), x * 2, x)\nreturn x", "unsafe"),
        ("if x.sum() > 0:\n    x /= y.max()", "x = torch.where(x.sum() > 0, x / y.max(), x)", "unsafe"),
        (
            "if x.sum() > 0:\n    return x @ y\nelse:\n    return torch.cat([x, y])",
            None,
            None,
        ),
        (
            "if x.sum() > 0:\n    return torch.cat([x, y])\nelse:\n    return torch.cat([y, x])",
            "return torch.cond(x.sum() > 0, lambda: torch.cat([x, y]), lambda: torch.cat([y, x]))",
            "unsafe",
        ),
    ],
)
def test_what_a_branch_becomes(body: str, wanted: str | None, safety: str | None) -> None:
    found = fixes(body)
    if wanted is None:
        assert not found
    else:
        assert [(text, safe) for text, _, safe in found] == [(wanted, safety)]


@pytest.mark.parametrize(
    "body",
    [
        "if x.sum() > 0:\n    return x\nreturn y",  # nothing says that they have one shape
        "if x.sum() > 0:\n    return 1\nreturn 0",  # who gets a number counts on it
        "if x.sum() > 0:\n    return x + 1\nreturn None",
        "if x.sum() > 0:\n    return x + 1",
        "if x.sum() > 0:\n    return x.add_(1)\nreturn x.sub(1)",  # an effect
        "if x.sum() > 0:\n    return x + 1, y\nreturn x, y",
        "if x.sum() > 0:\n    y.append(x)\nreturn x",
        "if x.sum() > 0:\n    z = x + 1\nreturn x",  # z may have no value
        "if x.sum() > 0:\n    z = x + 1\nelse:\n    w = x\nreturn x",
        "k = 1 if x.sum() > 0 else 2\nreturn x[:k]",
        "return torch.rand(3) if x.sum() > 0 else x + torch.rand(3)",  # draws more numbers
        "if x.sum() > 0 and y.sum() > 0:\n    return x + 1\nreturn x - 1",
        "if y is None:\n    return x\nelif x.sum() > 0:\n    return x + 1\nelse:\n    return x - 1",
        "while x.sum() > 0:\n    x = x - 1\nreturn x",
    ],
)
def test_where_no_edit_is_surely_right_none_is_offered(body: str) -> None:
    assert not fixes(body)


@pytest.mark.parametrize(
    ("body", "wanted", "safety"),
    [
        ("assert not (x < 0).any()", "assert ~(x < 0).any()", "safe"),
        ("assert not ((x < 0).any()), 'm'  # why", "assert ~((x < 0).any()), 'm'  # why", "safe"),
        ("assert x.all() and not y.any(), 'm'", "assert x.all(), 'm'\nassert ~y.any(), 'm'", "safe"),
        ("assert 0 <= x.min() <= (1 + 1)", "assert 0 <= x.min()\nassert x.min() <= (1 + 1)", "safe"),
        ("y = x; assert 0 <= x.min() <= 1; y = 2", "y = x; assert 0 <= x.min(); assert x.min() <= 1; y = 2", "safe"),
        ("assert (x > 0).all(), f'got \"{x}\"'", 'assert (x > 0).all(), "got \\"...\\""', "unsafe"),
        ("assert (x > 0).all(), 'm'", "torch._assert_async((x > 0).all(), 'm')", "unsafe"),
    ],
)
def test_asserts(body: str, wanted: str, safety: str) -> None:
    text, _, safe = fixes(body, "CAP102")[0]
    assert (text, safe) == (wanted, safety)


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        (
            "if (x < 0).any():  # bad\n    raise ValueError(\n        'a'\n        'b'\n    )\nreturn x",
            "torch._assert_async(~(x < 0).any(), 'a'\n        'b')  # bad\nreturn x",
        ),
        ("if not (x > 0).all(): raise ValueError\nreturn x", "torch._assert_async((x > 0).all())\nreturn x"),
        ("if x.min() < 0:\n    raise RuntimeError(f'{x} < 0')", 'torch._assert_async(~(x.min() < 0), "... < 0")'),
    ],
)
def test_checks(body: str, wanted: str) -> None:
    assert [(text, safe) for text, _, safe in fixes(body)] == [(wanted, "unsafe")]


@pytest.mark.parametrize(
    "body",
    [
        "if (x < 0).any():\n    raise StopIteration",  # somebody waits for it
        "if (x < 0).any():\n    raise ValueError('a') from None",
        "if (x < 0).any():\n    raise ValueError('a')\nelse:\n    return y",
        "if (x < 0).any() and y is not None:\n    raise ValueError('a')",
    ],
)
def test_no_check_where_more_is_said(body: str) -> None:
    assert not fixes(body)


def test_a_number_stays_a_tensor_only_in_arithmetic_with_tensors() -> None:
    assert fixes("s = x.max().item()\nreturn x / s", "CAP110")[0][0] == "s = x.max().detach()\nreturn x / s"
    assert fixes("return x / x.max() . item ( )", "CAP110")[0][0] == "return x / x.max() .detach()"
    for body in ("s = x.max().item()\nreturn s * 2", "s = x.max().item()\nreturn x[:s]", "return x.max().item()"):
        assert not fixes(body, "CAP110")
    assert not fixes("s = x.max().item()\nif s > 1:\n    return x * s\nreturn x", "CAP110")
    assert not fixes("s = x.max().item()\ns = s + 1\nreturn x * s", "CAP110")
