"""The text form of several interpreters' reports: what differs between them."""

from __future__ import annotations

from capture_lsp.formats.probe import interpreters
from capture_lsp.formats.style import Style
from capture_lsp.probe.entries import failed
from capture_lsp.probe.targets import Target
from runtime_probe.assemble import verdict
from runtime_probe.report import Entry, Report


def entry(name: str, outcome: str) -> Entry:
    made = failed(Target("", "/work/a.py", name), "")
    return {
        **made,
        "target": "a.py",
        "entry": name,
        "status": "ok",
        "matrix": {"dynamo": verdict(outcome, "")},
    }


def report(torch: str, python: str, *entries: Entry) -> Report:
    return {
        "version": 1,
        "torch": torch,
        "python": python,
        "device": "cpu",
        "support": "full",
        "blind": [],
        "errors": [],
        "entries": list(entries),
    }


def test_what_differs_is_a_table() -> None:
    old = report("2.9.0", "3.11", entry("fn", "captured"), entry("step", "skipped_frame"), entry("gone", "captured"))
    new = report("2.13.0", "3.11", entry("fn", "captured"), entry("step", "captured"))
    text = interpreters.render([old, new], "concise", "/work", Style(colour=False))
    assert text.startswith("torch 2.9.0\n")
    assert "\ntorch 2.13.0\n" in text
    assert text.endswith(
        "Different:\n\n"
        "            torch 2.9.0   torch 2.13.0\n"
        "a.py::gone  ok            -\n"
        "a.py::step  runs eagerly  ok\n"
    )


def test_nothing_differs() -> None:
    one, other = report("2.13.0", "3.11", entry("fn", "captured")), report("2.13.0", "3.12", entry("fn", "captured"))
    assert interpreters.headings([one, other]) == ["torch 2.13.0, Python 3.11", "torch 2.13.0, Python 3.12"]
    text = interpreters.render([one, other], "concise", "/work", Style(colour=False))
    assert text.endswith("The same under all of them: 1 captured object.\n")
