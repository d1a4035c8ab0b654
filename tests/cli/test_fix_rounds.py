"""Rounds of fixing, on made-up fixes: the analyzer itself has no rule whose fixes overlap or break a file."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest

from analyzer.api import Options, Report, Surroundings
from analyzer.finding import Edit, Finding, Fix
from capture_lsp import analysis
from capture_lsp.check import Run
from capture_lsp.config.settings import Resolver
from capture_lsp.fixes import MAX_ROUNDS, Fixed, fix_all

Offer = Callable[[str, str], list[Fix]]


def run(monkeypatch: pytest.MonkeyPatch, path: Path, offer: Offer) -> Fixed:
    """Fix a file for which `offer` (path, text) → fixes stands in for the rules."""

    def analyze(
        files: Sequence[str], options: Options, sources: Mapping[str, str], progress: object, around: Surroundings
    ) -> Report:
        report = Report()
        for name in files:
            text = sources.get(name) or Path(name).read_text()
            report.by_file[name] = [
                Finding("CAP101", "n", name, n, 1, n, 2, "m", "f", {}, fixes=(fix,))
                for n, fix in enumerate(offer(name, text), 1)
            ]
        return report

    monkeypatch.setattr(analysis, "analyze", analyze)
    settings = Resolver(str(path.parent), {}).for_folder(str(path.parent))
    return fix_all({str(path): settings}, Run(jobs=1), unsafe=False)


def replaced(path: str, text: str, old: str, new: str, safety: str = "safe") -> list[Fix]:
    """A fix that replaces the first `old`, which stands on one line."""
    for number, line in enumerate(text.split("\n"), 1):
        if (column := line.find(old)) >= 0:
            edit = Edit(path, number, column + 1, number, column + 1 + len(old), new)
            return [Fix("t", safety, (edit,))]  # type: ignore[arg-type]
    return []


def test_overlapping_fixes_take_turns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "m.py"
    path.write_text("abc = 1\n")

    def offer(name: str, text: str) -> list[Fix]:
        return replaced(name, text, "abc", "xyc") + replaced(name, text, "yc", "z") + replaced(name, text, "bc", "q")

    fixed = run(monkeypatch, path, offer)
    assert fixed.changed == {str(path): b"xz = 1\n"}
    assert fixed.applied == 2
    assert path.read_text() == "abc = 1\n"  # writing is the caller's


def test_a_fix_that_breaks_the_file_is_left_out_and_the_others_are_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "m.py"
    path.write_text("a = 1\nb = 2\nc = 3\n")

    def offer(name: str, text: str) -> list[Fix]:
        return [f for old, new in (("1", "7"), ("2", "(("), ("3", "9")) for f in replaced(name, text, old, new)]

    assert run(monkeypatch, path, offer).changed == {str(path): b"a = 7\nb = 2\nc = 9\n"}


def test_fixes_that_undo_each_other_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "m.py"
    path.write_text("a = 1\n")
    fixed = run(monkeypatch, path, lambda name, text: replaced(name, text, "1", "2") or replaced(name, text, "2", "1"))
    assert fixed.applied <= 2


def test_fixes_without_end_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "m.py"
    path.write_text("a = 1\n")
    fixed = run(monkeypatch, path, lambda name, text: replaced(name, text, "1", "11"))
    assert fixed.changed == {str(path): b"a = " + b"1" * (MAX_ROUNDS + 1) + b"\n"}


def test_unsafe_fixes_and_other_files_are_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "m.py"
    path.write_text("a = 1\n")
    other = tmp_path / "other.py"
    other.write_text("a = 1\n")

    def offer(name: str, text: str) -> list[Fix]:
        return replaced(name, text, "1", "2", "unsafe") + replaced(str(other), text, "1", "2")

    assert run(monkeypatch, path, offer).changed == {}


def test_the_same_edit_of_two_fixes_is_made_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "m.py"
    path.write_text("a = 1\nb = 2\n")

    def offer(name: str, text: str) -> list[Fix]:
        if "import" in text:
            return []
        top = Edit(name, 1, 1, 1, 1, "import torch\n")
        return [
            Fix("t", "safe", (top, *fix.edits))
            for fix in replaced(name, text, "1", "3") + replaced(name, text, "2", "4")
        ]

    assert run(monkeypatch, path, offer).changed == {str(path): b"import torch\na = 3\nb = 4\n"}
