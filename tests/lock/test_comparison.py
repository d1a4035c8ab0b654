"""What counts as worse, and what does not: renames, moves, second copies, chance."""

from __future__ import annotations

from dataclasses import replace

import pytest

from capture_lsp.lock.comparison import Compared, compare, still_worse
from capture_lsp.lock.portable import portable, portable_text
from capture_lsp.lock.reading import loads
from capture_lsp.lock.recording import normalised
from capture_lsp.lock.records import Fingerprint, Lock, Locked, LockedBreak, dumps

BRANCH = LockedBreak(Fingerprint("GB0170", "step", "x.sum() > 0"), "train.py:7")
ENTRY = Locked(
    "train.py",
    ("(float32[4])",),
    graphs=2,
    ops=4,
    breaks=(BRANCH,),
    guards=("TENSOR_MATCH",),
    matrix={"dynamo": "graph_break", "trace": "captured"},
    changes={"trace": {"values negated": "captured", "dtype float64": "unknown"}},
)


def compared(now: Locked, name: str = "train.py::step") -> Compared:
    return compare({"train.py::step": ENTRY}, {name: now})


def test_the_same_is_nothing() -> None:
    assert compared(ENTRY) == Compared()


def test_a_break_that_moved_into_another_function_is_nothing_and_a_second_copy_is_new() -> None:
    moved = replace(BRANCH, fingerprint=replace(BRANCH.fingerprint, function="helper"), at="other.py:90")
    assert compared(replace(ENTRY, breaks=(moved,))) == Compared()
    found = compared(
        replace(ENTRY, graphs=3, breaks=(BRANCH, replace(BRANCH, at="train.py:9", reached_from="run.py:3")))
    )
    text = "new break at train.py:9, reached from run.py:3: GB0170 `x.sum() > 0`"
    assert found.worse == {"train.py::step": [text]}
    assert found.other == {"train.py::step": ["3 graphs, 2 before"]}


def test_a_break_that_is_gone_is_better() -> None:
    now = replace(ENTRY, graphs=1, breaks=(), matrix={"dynamo": "captured", "trace": "captured"})
    found = compared(now)
    assert not found.worse
    assert found.better == {
        "train.py::step": [
            "no longer breaks at `x.sum() > 0` in step",
            "1 graph, 2 before",
            "compile: breaks the graph → ok",
        ]
    }


@pytest.mark.parametrize(
    ("now", "texts"),
    [
        (replace(ENTRY, recompiles=1), ["1 recompilation, 0 before"]),
        (replace(ENTRY, graphs=3), ["3 graphs, 2 before"]),
        (replace(ENTRY, eager=("Net.forward",)), ["Net.forward now runs eagerly"]),
        (
            replace(ENTRY, matrix={**ENTRY.matrix, "trace": "silently_wrong"}),
            ["trace: ok → silently wrong"],
        ),
        (
            replace(ENTRY, changes={"trace": {"values negated": "silently_wrong"}}),
            ["trace, values negated: ok → silently wrong"],
        ),
    ],
)
def test_worse(now: Locked, texts: list[str]) -> None:
    assert compared(now).worse == {"train.py::step": texts}


@pytest.mark.parametrize(
    "now",
    [
        replace(ENTRY, ops=7),
        replace(ENTRY, guards=("ID_MATCH", "TENSOR_MATCH")),
        replace(ENTRY, matrix={"dynamo": "graph_break"}, changes={}),
        replace(ENTRY, matrix={"dynamo": "graph_break", "trace": "unknown"}),
        replace(ENTRY, changes={"trace": {"values negated": "unknown", "dtype float64": "refused"}}),
    ],
)
def test_not_worse(now: Locked) -> None:
    assert not compared(now).worse


def test_an_entry_with_a_new_name_is_the_old_one() -> None:
    renamed = replace(BRANCH, fingerprint=replace(BRANCH.fingerprint, function="advance"))
    found = compared(replace(ENTRY, breaks=(renamed,)), "train.py::advance")
    assert found == Compared(other={"train.py::advance": ["was train.py::step when it was recorded"]})


def test_a_new_entry_is_to_be_captured_whole() -> None:
    clean = Locked("new.py", (), 1, 2, matrix={"dynamo": "captured"})
    assert compare({}, {"new.py::fn": clean}).worse == {}
    assert compare({}, {"new.py::fn": replace(clean, breaks=(BRANCH,))}).worse == {
        "new.py::fn": ["break at train.py:7: GB0170 `x.sum() > 0` (a new entry)"]
    }


def test_what_one_of_two_runs_shows_is_chance() -> None:
    first = Compared(worse={"a": ["x", "y"], "b": ["z"]})
    second = Compared(worse={"a": ["x"]})
    assert still_worse(first, second) == Compared(
        worse={"a": ["x"]}, other={"a": ["y: in one of two runs only"], "b": ["z: in one of two runs only"]}
    )


def test_a_lock_is_read_as_it_was_written_whatever_the_order() -> None:
    lock = Lock([{"target": "b.py"}, {"target": "a.py::fn", "inputs": ["1"]}], {"2.13.0": {"b": ENTRY, "a": ENTRY}})
    text = dumps(lock)
    assert loads(text).torch == lock.torch
    assert dumps(loads(text)) == text
    assert dumps(Lock(lock.targets[::-1], {"2.13.0": {"a": ENTRY, "b": ENTRY}})) == text


@pytest.mark.parametrize(
    ("expression", "same"),
    [
        ("x.sum()>0  # why", "x.sum() > 0"),
        ("(x.sum()\n  > 0)", "x.sum() > 0"),
        ("for a in  xs:", "for a in xs:"),
        ("while  (", "while ("),
        ("", ""),
    ],
)
def test_normalised_expressions(expression: str, same: str) -> None:
    assert normalised(expression) == same


def test_nothing_of_this_machine_is_recorded(tmp_path: object) -> None:
    root = str(tmp_path)
    assert portable(f"{root}/src/a.py", root) == "src/a.py"
    assert portable("/usr/lib/python3/site-packages/pkg/a.py", root) == "site-packages/pkg/a.py"
    assert portable("/somewhere/else/a.py", root) == ".../a.py"
    assert portable_text(f"fn <at 0x7f00aa> of {root}/a.py", root) == "fn <at 0x...> of a.py"
    assert portable_text("values negated (another way at line 4)", root) == "values negated (another way)"
