"""The parts `measure` and `settings` with Inductor, in forks of a zygote. Nothing here looks at how fast anything is:
only at whether the figures fit together, and come from the program that they are said to be of."""

from __future__ import annotations

import math
import os
import pathlib
from collections.abc import Iterator
from typing import Any

import pytest

from tests.probe.zygote import Zygote

pytestmark = [pytest.mark.truth, pytest.mark.skipif(not hasattr(os, "fork"), reason="there is nothing to fork")]

PROGRAMS = pathlib.Path(__file__).parent / "programs" / "measured.py"
LINES = PROGRAMS.read_text(encoding="utf-8").split("\n")
PATIENT = {"seconds": 1200, "part": 600}


@pytest.fixture(scope="module")
def zygote(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Zygote]:
    started = Zygote(tmp_path_factory.mktemp("zygote"))
    yield started
    assert started.close() == 0


def ask(zygote: Zygote, entry: str, inputs: str, part: str = "measure", **more: Any) -> Any:
    options = {"budget": 300, "threads": 1, "processes": 1, **more.pop("options", {})}
    [found] = zygote.ask(PROGRAMS, entry, inputs=[inputs], parts=[part], options=options, limits=PATIENT | more)
    return found


def line_of(text: str) -> int:
    return next(number for number, line in enumerate(LINES, 1) if text in line)


def fits(low: float, middle: float, high: float, verdict: str) -> bool:
    """A verdict is one of the interval."""
    assert 0 < low <= middle <= high
    says = "faster" if low > 1.01 else "slower" if high < 1 / 1.01 else "no difference measured"
    return verdict == says


def test_a_program_without_breaks(zygote: Zygote) -> None:
    found = ask(zygote, "chain", "(torch.randn(256, 256), torch.randn(256, 256))", options={"processes": 3})
    timing = found["timing"]
    assert (found["status"], found["message"], timing["message"], timing["without"]) == ("ok", "", "", [])
    assert fits(timing["low"], timing["ratio"], timing["high"], timing["verdict"])
    assert timing["rounds"] >= 3 * 6
    assert timing["processes"] == 3
    assert (timing["clock"], timing["threads"]) == ("wall", 1)
    assert timing["cold_s"] * 1e3 > 10 * timing["compiled_ms"]
    assert 0 < timing["guards_us"] < 1e3
    assert timing["eager_cpu_ms"] > 0
    assert timing["compiled_cpu_ms"] > 0
    if timing["verdict"] == "faster":
        assert timing["break_even_calls"] == pytest.approx(
            timing["cold_s"] * 1e3 / (timing["eager_ms"] - timing["compiled_ms"]), rel=0.05
        )
    else:
        assert timing["break_even_calls"] is None


def test_a_program_with_breaks_and_state(zygote: Zygote) -> None:
    timing = ask(zygote, "Noisy", "torch.randn(4, 8)")["timing"]
    prints, reads = line_of("half way"), line_of("mean().item()")
    assert [([one["line"] for one in row["breaks"]], row["how"]) for row in timing["without"]] == [
        ([prints], "removed"),
        ([reads], "kept"),
        ([prints, reads], "kept"),
    ]
    for row in timing["without"]:
        assert row["message"] == ""
        assert {one["path"] for one in row["breaks"]} == {str(PROGRAMS)}
        assert fits(row["gain_low"], row["gain"], row["gain_high"], row["verdict"])
        assert row["low"] <= row["ratio"] <= row["high"]
    assert timing["message"] == "the forward pass alone: the entry makes no backward pass"


def test_what_cannot_be_timed_says_why(zygote: Zygote) -> None:
    fails = ask(zygote, "fails", "torch.ones(2)")["timing"]
    assert fails["verdict"] == "not measured"
    assert fails["message"] == "the call fails without capture: RuntimeError: no such thing"
    fake = ask(zygote, "chain", "(torch.ones(2), torch.ones(2))", options={"fake": True})["timing"]
    assert fake["message"] == "tensors without data cannot be timed"


def test_a_part_that_hangs_ends_and_says_where(zygote: Zygote) -> None:
    found = ask(zygote, "hangs", "torch.ones(2)", options={"threads": 2, "budget": 20})
    assert found["timing"]["verdict"] == "not measured"
    assert found["timing"]["message"].startswith("stopped while ")


def test_too_little_time_is_said(zygote: Zygote) -> None:
    timing = ask(zygote, "chain", "(torch.ones(2), torch.ones(2))", options={"budget": 0.01})["timing"]
    assert timing["verdict"] == "not measured"
    assert timing["ratio"] is None
    assert timing["message"]


@pytest.mark.slow
def test_settings(zygote: Zygote) -> None:
    found = ask(zygote, "Blocks", "torch.randn(4, 8)", part="settings")["settings"]
    assert {row["arguments"] for row in found} == {
        "",
        "dynamic=True",
        "fullgraph=True",
        "each block of blocks by itself",
        "mode='max-autotune'",
    }
    for row in found:
        assert row["message"] == ""
        assert fits(row["low"], row["ratio"], row["high"], row["verdict"])
        assert row["cold_s"] > 0
    ratios = [row["ratio"] for row in found]
    assert ratios == sorted(ratios, reverse=True)
    assert all(math.isfinite(ratio) for ratio in ratios)
