"""The progress bar: on a terminal, for long work, and gone at the end."""

from __future__ import annotations

import io

import pytest

from capture_lsp.cli import progress
from capture_lsp.cli.progress import progress_bar


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_long_work_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "DELAY", 0.0)
    monkeypatch.setattr(progress, "INTERVAL", 0.0)
    stream = Terminal()
    bar = progress_bar(stream)
    step = bar.start(3)
    assert step is not None
    for name in "abc":
        step(name)
    assert "1/3 files" in stream.getvalue()
    assert "3/3 files" in stream.getvalue()
    bar.finish()
    assert stream.getvalue().endswith("\r\x1b[K")


def test_short_work_shows_nothing() -> None:
    stream = Terminal()
    bar = progress_bar(stream)
    step = bar.start(1)
    assert step is not None
    step("a")
    bar.finish()
    assert stream.getvalue() == ""


def test_no_terminal_no_bar() -> None:
    assert progress_bar(io.StringIO()).start(5) is None
    assert progress_bar(Terminal(), quiet=True).start(5) is None
