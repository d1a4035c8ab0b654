"""The self-test: what this torch shows, and that a deaf probe says so."""

from __future__ import annotations

from typing import Any

import pytest

torch = pytest.importorskip("torch")

from runtime_probe import selftest, versions  # noqa: E402
from runtime_probe.dynamo.run import unless_blind  # noqa: E402
from runtime_probe.job import Job  # noqa: E402
from runtime_probe.matrix.judge import Judged  # noqa: E402


def test_this_torch_shows_everything() -> None:
    assert selftest.run() == []
    assert selftest.support([]) == ("full" if versions.VERSION >= versions.FULL else "lines")


@pytest.mark.parametrize(
    ("hook", "unseen"),
    [
        ("on_break", {"breaks at branches on tensors", "breaks in loops"}),
        ("on_step", {"evaluated instructions"}),
        ("on_graph", {"graphs"}),
    ],
)
def test_renamed_hook_is_noticed(monkeypatch: pytest.MonkeyPatch, hook: str, unseen: set[str]) -> None:
    monkeypatch.setattr(versions.Hooks, hook, lambda self, told: None)
    blind = selftest.run()
    assert unseen <= set(blind)
    assert selftest.support(blind) == "best effort"


@pytest.mark.parametrize(("outcome", "then"), [("captured", "unknown"), ("graph_break", "graph_break")])
def test_deaf_probe_never_says_captured(outcome: str, then: str) -> None:
    job = Job("program.py", options={"blind": ["breaks in loops"]})
    assert unless_blind(Judged(outcome), job).outcome == then


def test_hooks_are_put_back() -> None:
    from torch._dynamo.symbolic_convert import InstructionTranslatorBase

    def hooked() -> tuple[Any, ...]:
        return InstructionTranslatorBase.step, getattr(InstructionTranslatorBase, "log_graph_break", None)

    before = hooked()
    selftest.run()
    assert hooked() == before
