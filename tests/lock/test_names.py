"""An entry has one name, whatever else is probed in the same run."""

from __future__ import annotations

from typing import Any

from capture_lsp.lock.recording import record
from runtime_probe.assemble import empty


def entry(target: str, name: str) -> Any:
    return {**empty(name, []), "target": target}


def test_what_is_captured_by_a_file_and_is_a_target_itself_has_two_names() -> None:
    by_file, named = entry("/p/k.py", "f"), entry("/p/k.py::f", "f")

    def names(*entries: Any) -> list[str]:
        report: Any = {"entries": list(entries)}
        return list(record(report, "/p", lambda path: ""))

    assert names(by_file, named) == [*names(by_file), *names(named)]
    assert names(named, by_file) == [*names(named), *names(by_file)]
    assert names(by_file, by_file) == ["k.py::f", "k.py::f#2"]
