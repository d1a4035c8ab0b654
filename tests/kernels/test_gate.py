"""A torch without the private parts that kernels are read from: it says so, and nothing else is lost."""

from __future__ import annotations

from typing import Any

import pytest

from runtime_probe.job import Job
from runtime_probe.kernels import inductor, part
from runtime_probe.subject import ExpressionSubject, LoadedFile
from tests.kernels.collected import PATH

pytestmark = pytest.mark.truth


def run(entry: str, call: str) -> list[dict[str, Any]]:
    """The events of the part, run in this process."""
    events: list[dict[str, Any]] = []
    subject = ExpressionSubject(LoadedFile(str(PATH), "__probed__"), entry, [call])
    part.run(subject, events.append, Job(path=str(PATH), entry=entry))
    return events


def test_what_is_missing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    assert inductor.missing() == []
    needed = (*inductor._NEEDED, ("torch._inductor.graph", "GraphLowering.no_such_method"))
    monkeypatch.setattr(inductor, "_NEEDED", needed)
    [event] = run("drops", "torch.ones(4)")
    assert event["event"] == "note"
    assert "does not let the probe see its kernels: GraphLowering.no_such_method" in event["message"]


def test_a_self_test_that_fails_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(part, "_checked", {"": "kernels do not tell what they compute"})
    [event] = run("drops", "torch.ones(4)")
    assert event["message"].endswith("does not let the probe see its kernels: kernels do not tell what they compute")


def test_this_torch_passes_its_self_test() -> None:
    assert part.checked() == ""
