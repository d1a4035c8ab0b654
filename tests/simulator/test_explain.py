"""The sentence of each call says its facts, all of them and nothing else."""

from __future__ import annotations

import itertools
import re
from typing import Any, get_args

import pytest

from capture_lsp.simulator.explain import explained, happened, in_short, sentence
from runtime_probe.report import Recompile
from runtime_probe.simulation import FRONTENDS, Answer, Branches, EventKind, Extent, Survey

from .made import SOURCE, SURVEY, call, run

RECOMPILE: Recompile = {
    "path": "m.py",
    "line": 1,
    "function": "fn",
    "call": 2,
    "guard": "tensor 'x' size mismatch at index 0. expected 4, actual 5",
    "dimension": "x.shape[0]",
    "limit_reached": False,
}
FIRST = call(("capture",), branches="same way")


def later(frontend: str, captured: str, now: Any) -> str:
    """The sentence of the second call."""
    return sentence(run(frontend, captured, FIRST, now), 1, SURVEY)  # type: ignore[arg-type]


def test_every_combination_of_facts_has_a_sentence() -> None:
    kinds: list[tuple[str, ...]] = [(), *((kind,) for kind in get_args(EventKind))]
    axes = (FRONTENDS, get_args(Extent), get_args(Branches), get_args(Answer), kinds, (0, 1))
    seen = 0
    for frontend, captured, branches, answer, events, number in itertools.product(*axes):
        now = call(events, answer, branches, limit=events == ("limit",))
        text = sentence(run(frontend, captured, *([FIRST] * number), now), number, SURVEY)
        seen += 1
        facts = (frontend, captured, branches, answer, events)
        assert text.endswith("."), facts
        assert not re.search(r"[{}]|  |\.\.|; ;|\bNone\b|^\W*$", text), (facts, text)
        assert text[0].isupper() or text.startswith(("`", "torch.")), (facts, text)
        if answer == "wrong" and frontend != "eager" and happened(run(frontend, captured, now), 0) != "refused":
            assert "no error says so" in text, (facts, text)
        if answer in ("right", "refused"):
            assert "no error says so" not in text, (facts, text)
        if answer != "wrong":
            assert "off by" not in text, (facts, text)
    assert seen > 10_000


def test_what_is_otherwise_is_said_otherwise() -> None:
    """For one captured program, each pair of a way and an answer has a sentence of its own."""
    texts = {
        later("trace", "whole", call(("hit",), answer, branches, difference="values differ", largest=3.2))
        for answer, branches in itertools.product(("right", "wrong", "error"), ("none", "same way", "kept", "lost"))
    }
    assert len(texts) == 12


OTHERWISE = "this input decides otherwise (`x.sum() > 0` was True and is False)"
REPLAYED = "The trace of the first call is run again; "
LOST = f"it holds only the way of the captured call, without `return x - 1` (line 4), while {OTHERWISE}; "
RIGHT = "the answer is the program's own."
FROZEN = {"line": 7, "what": "item", "kind": "conversion", "captured": "13.0", "now": "0.5", "differs": True}


@pytest.mark.parametrize(
    ("frontend", "captured", "now", "text"),
    [
        (
            "trace",
            "whole",
            call(("hit",), "wrong", "lost", largest=3.2),
            f"{REPLAYED}{LOST}the answer is off by 3.2, and no error says so.",
        ),
        ("trace", "whole", call(("hit",), "right", "lost"), f"{REPLAYED}{LOST}the answer happens to be right."),
        (
            "trace",
            "whole",
            call(("hit",), "wrong", difference="memory shared became no memory shared", largest=0.0),
            f"{REPLAYED}the answer is another one (memory shared became no memory shared), and no error says so.",
        ),
        (
            "trace",
            "whole",
            call(("hit",), "wrong", largest=12.5, frozen=[{**FROZEN, "differs": False}, FROZEN]),
            f"{REPLAYED}the answer is off by 12.5, and no error says so: the capture holds `item` = 13.0 from line 7, "
            "which is 0.5 now.",
        ),
        (
            "dynamo",
            "whole",
            call(("recompile", "compile"), recompiles=[RECOMPILE]),
            "`x.shape[0]` is new: the guard `tensor 'x' size mismatch at index 0. expected 4, actual 5` failed, so it "
            f"is compiled again; {RIGHT}",
        ),
        (
            "dynamo",
            "whole",
            call(("recompile", "eager"), recompiles=[{**RECOMPILE, "dimension": None, "guard": "n == 2"}]),
            f"The guard `n == 2` failed, and it runs eagerly, without a graph; {RIGHT}",
        ),
        (
            "dynamo",
            "parts",
            call(("break", "skip"), graphs=2, breaks=1),
            "A break that no graph can be split at leaves the whole function to Python: it runs eagerly, and there are "
            f"2 graphs besides; {RIGHT}",
        ),
        (
            "dynamo",
            "nothing",
            call(("break", "skip"), graphs=0, breaks=1),
            f"A break that no graph can be split at leaves the whole function to Python: it runs eagerly; {RIGHT}",
        ),
        (
            "dynamo",
            "parts",
            call(("hit",), "right", "kept", breaks=1),
            f"All guards hold, and what was compiled before is run again; {OTHERWISE}, and Python takes it at the "
            f"break; {RIGHT}",
        ),
        (
            "dynamo",
            "parts",
            call(("hit", "compile"), "right", "kept", breaks=1),
            f"What no call has reached before is compiled; {OTHERWISE}, and Python takes it at the break; {RIGHT}",
        ),
        (
            "dynamo",
            "whole",
            call(("recompile", "limit"), recompiles=[RECOMPILE], limit=True),
            f"The limit on recompiles is reached: from here on the function runs eagerly; {RIGHT}",
        ),
        (
            "fullgraph",
            "whole",
            call(("limit", "error"), "error", "refused", limit=True, difference="FailOnRecompileLimitHit: no more"),
            "The limit on recompiles is reached: an error, with fullgraph; there is an error where the program itself "
            "has an answer: FailOnRecompileLimitHit: no more.",
        ),
        (
            "script",
            "whole",
            call(("hit",), "right", "kept"),
            f"The script of the first call is run again; {OTHERWISE}, and the script follows, for it holds the "
            f"decision itself; {RIGHT}",
        ),
        (
            "export",
            "whole",
            call(("error",), "error", "refused", difference="RuntimeError: expected size 4, got 5"),
            "The exported program of the first call is run again and raises an error; there is an error where the "
            "program itself has an answer: RuntimeError: expected size 4, got 5.",
        ),
    ],
)
def test_sentences(frontend: str, captured: str, now: Any, text: str) -> None:
    assert later(frontend, captured, now) == text


def test_a_refusal_says_what_the_frontend_said_and_where() -> None:
    refused = run("fx", "refused", call(("refused",), "refused", "refused"), message="TraceError: no. ", line=2)
    assert sentence(refused, 0, SURVEY) == "torch.fx refuses the program at line 2: TraceError: no."


def test_a_run_gets_a_sentence_for_each_call_and_stays_as_it_was() -> None:
    before = run("dynamo", "whole", FIRST, call(("hit",)))
    after = explained(before, SURVEY)
    assert [bool(one["explanation"]) for one in after["calls"]] == [True, True]
    assert [one["explanation"] for one in before["calls"]] == ["", ""]
    assert {**after, "calls": []} == {**before, "calls": []}


def test_a_long_message_ends_with_its_first_sentence_and_not_in_an_abbreviation() -> None:
    tail = " More of it follows, so that all of this is longer than what a sentence has room for, by far and by more."
    assert in_short("One thing (e.g. that) is refused." + tail) == "One thing (e.g. that) is refused"
    assert in_short("i.e. not etc. here. Then" + tail) == "i.e. not etc. here"


def test_a_form_feed_ends_no_line() -> None:
    survey: Survey = {**SURVEY, "source": SOURCE.replace("fn(x):", "fn(x):  # \x0c\u2028")}
    made = run("trace", "whole", FIRST, call(("hit",), answer="wrong", branches="lost"))
    assert "without `return x - 1` (line 4)" in sentence(made, 1, survey)


def test_a_refusal_has_its_reason_and_not_the_advice_before_it() -> None:
    message = "UserError: Consider annotating your code using torch._check*(). Could not guard on u0 > 1.0"
    refused = run("fullgraph", "refused", call(answer="refused", branches="refused"), message=message)
    assert "UserError: Could not guard on u0 > 1.0" in sentence(refused, 0, SURVEY)
