"""Variants without breaks, under real Dynamo: what is done about each break, and that it is gone."""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
import sys
from typing import Any

import pytest

pytestmark = pytest.mark.truth

HERE = pathlib.Path(__file__).parent
PROGRAMS = HERE / "programs" / "breaking.py"
LINES = PROGRAMS.read_text(encoding="utf-8").split("\n")


def line_of(text: str) -> int:
    [found] = [number for number, line in enumerate(LINES, 1) if text in line]
    return found


def edit_of(text: str, new: str) -> dict[str, Any]:
    line = line_of(text)
    column = LINES[line - 1].index(text) + 1
    return {"line": line, "column": column, "end_line": line, "end_column": column + len(text), "text": new}


def fix_of(line: int, *edits: dict[str, Any]) -> dict[str, Any]:
    return {"path": str(PROGRAMS), "line": line, "end_line": line, "title": "Fix it", "edits": list(edits)}


SCALE = line_of("scale = x.abs()")
ENTRIES: dict[str, list[dict[str, Any]]] = {
    "prints": [],
    "reads": [fix_of(SCALE, edit_of("x.abs().mean().item()", "x.abs().mean()"))],
    "branches": [
        # A fix that is wrong is not measured: the value is answered instead.
        fix_of(line_of("if x.sum() > 0"), edit_of("if x.sum() > 0:\n".strip(), "if x.shape[0] > 100:"))
    ],
    "keeps": [],
    "loops": [],
    "reads_in_turn": [],
    "DiffersByCall()": [],
    "remembers": [],
    "picks": [],
    "two": [],
    "plain": [],
    "negated": [],
    "writes": [],
}


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Any:
    out = tmp_path_factory.mktemp("variants") / "found.json"
    one_thread = dict.fromkeys(("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
    subprocess.run(
        [sys.executable, "-m", "tests.cost.variants_of", str(PROGRAMS), json.dumps(ENTRIES), str(out)],
        cwd=HERE.parents[1],
        env={**os.environ, **one_thread},
        check=True,
    )
    return json.loads(out.read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("entry", "text", "how", "texts"),
    [
        ("prints", "the sum is", "removed", ["pass"]),
        ("reads", "scale = x.abs()", "fix", ["x.abs().mean()"]),
        ("branches", "if x.sum() > 0", "answered", ["True"]),
        ("negated", "if not (x.sum() < 0)", "answered", ["False"]),
        ("writes", 'print("wrote")', "removed", ["pass"]),
    ],
)
def test_one_break(found: Any, entry: str, text: str, how: str, texts: list[str]) -> None:
    [variant] = found[entry]["variants"]
    assert variant == {"lines": [line_of(text)], "how": how, "reason": "", "texts": texts}
    assert found[entry]["left"] == [[]]
    assert found[entry]["together"] is None


def test_answers_in_the_order_of_the_visits(found: Any) -> None:
    """The loop asks several times, and gets what it got then."""
    [variant] = found["loops"]["variants"]
    assert (variant["how"], variant["reason"]) == ("answered", "")
    begins, answers = variant["texts"]
    assert begins.split("\n")[0].endswith(" = -1")
    assert answers.startswith("(True, True, False, )[")
    assert found["loops"]["left"] == [[]]


def test_different_numbers_of_one_line(found: Any) -> None:
    [variant] = found["reads_in_turn"]["variants"]
    assert (variant["how"], variant["reason"]) == ("answered", "")
    assert found["reads_in_turn"]["left"] == [[]]


def test_a_tensor_is_kept_where_only_arithmetic_is_done_with_its_number(found: Any) -> None:
    variants = found["keeps"]["variants"]
    assert [(v["how"], v["texts"], v["reason"]) for v in variants] == [
        ("kept", ["(x.abs().amax())"], ""),
        ("kept", ["(y.mean())"], ""),
    ]
    assert found["keeps"]["together"]["how"] == "kept"
    assert found["keeps"]["left"][-1] == []


def test_each_of_two_breaks_leaves_the_other(found: Any) -> None:
    one, other = line_of('print("begins")'), line_of("if y.sum() > 100")
    assert [(v["lines"], v["how"]) for v in found["two"]["variants"]] == [([one], "removed"), ([other], "answered")]
    assert found["two"]["together"]["lines"] == [one, other]
    assert found["two"]["together"]["how"] == "answered"
    assert found["two"]["left"] == [[other], [one], []]


@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        ("DiffersByCall()", "the value read there differs between the calls of its function"),
        ("picks", "no plain number is read there that could be answered"),
    ],
)
def test_what_cannot_be_measured_says_why(found: Any, entry: str, reason: str) -> None:
    variants = found[entry]["variants"]
    assert variants
    assert {variant["reason"] for variant in variants} == {reason}
    assert all(not variant["texts"] for variant in variants)
    assert found[entry]["together"] is None


def test_a_statement_that_does_something_is_not_removed(found: Any) -> None:
    """Without it another state would be left: its value is answered instead."""
    [variant] = found["remembers"]["variants"]
    assert variant["how"] == "answered"
    assert found["remembers"]["changes"] == ["globals.CALLS"]


def test_no_break_no_variant(found: Any) -> None:
    assert found["plain"]["variants"] == []
    assert found["plain"]["together"] is None


def test_which_calls_change_their_arguments(found: Any) -> None:
    assert [entry for entry, what in found.items() if what["mutates"]] == ["writes"]
