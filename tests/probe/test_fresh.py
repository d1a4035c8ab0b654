"""The way of systems without fork: a fresh process for every part."""

from __future__ import annotations

import pathlib
from collections.abc import Iterator

import pytest

from tests.probe.zygote import Zygote

FOLDER = pathlib.Path(__file__).parent / "hostile"


@pytest.fixture(scope="module")
def zygote(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Zygote]:
    started = Zygote(tmp_path_factory.mktemp("probe"))
    yield started
    assert started.close() == 0


def test_same_report_as_with_forks(zygote: Zygote) -> None:
    more = {"parts": ["dynamo", "fx"], "limits": {"seconds": 300, "part": 120}}
    (forked,) = zygote.ask(FOLDER / "fine.py", **more)
    (fresh,) = zygote.ask(FOLDER / "fine.py", **more, options={"fork": False})
    assert fresh == forked
    assert fresh["matrix"]["dynamo"]["outcome"] == "graph_break"
    assert fresh["matrix"]["fx"]["outcome"] == "refused"


def test_hang_is_ended(zygote: Zygote) -> None:
    limits = {"seconds": 25, "part": 20}
    (entry,) = zygote.ask(FOLDER / "loop.py", options={"fork": False}, limits=limits)
    assert entry["status"] == "timeout"
