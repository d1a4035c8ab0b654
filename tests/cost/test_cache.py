"""Inductor's cache for one measurement."""

from __future__ import annotations

import os
import pathlib
import tempfile

import pytest

compiled = pytest.importorskip("runtime_probe.cost.compiled")
fcntl = pytest.importorskip("fcntl")
pytestmark = pytest.mark.truth


@pytest.fixture
def temporary(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> pathlib.Path:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def test_it_is_there_for_a_while(temporary: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TORCHINDUCTOR_CACHE_DIR", "mine")
    monkeypatch.delenv("TRITON_CACHE_DIR", raising=False)
    with compiled.fresh_cache() as folder:
        assert os.environ["TORCHINDUCTOR_CACHE_DIR"] == folder
        assert os.environ["TRITON_CACHE_DIR"].startswith(folder)
        assert list(temporary.iterdir()) == [pathlib.Path(folder)]
    assert os.environ["TORCHINDUCTOR_CACHE_DIR"] == "mine"
    assert "TRITON_CACHE_DIR" not in os.environ
    assert list(temporary.iterdir()) == []


def test_it_can_begin_with_what_another_holds(temporary: pathlib.Path) -> None:
    with compiled.fresh_cache() as one:
        pathlib.Path(one, "kernel.so").write_text("")
        with compiled.fresh_cache(one) as other:
            assert pathlib.Path(other, "kernel.so").is_file()
        assert pathlib.Path(one, "kernel.so").is_file()
        assert not pathlib.Path(other).exists()


def test_those_of_killed_processes_go(temporary: pathlib.Path) -> None:
    abandoned, used = temporary / "capture-lsp-inductor-1", temporary / "capture-lsp-inductor-2"
    others = temporary / "torchinductor_somebody"
    for folder in (abandoned, used, others):
        folder.mkdir()
        (folder / "in-use").write_text("")
    with open(used / "in-use") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with compiled.fresh_cache():
            assert not abandoned.exists()
        assert used.is_dir()
    assert others.is_dir()
