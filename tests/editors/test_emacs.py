"""The whole product in a real Emacs with eglot, from Debian's 1.9 on."""

from __future__ import annotations

import re
from typing import Any

import pytest

from .conftest import HERE, IGNORED, SLOW, Finding, Workspace, edit, editor_named, pasted, place

TYPES = {"error": "eglot-error", "warning": "eglot-warning", "info": "eglot-note", "hint": "eglot-note"}
STEP_SECONDS = 60
PROBE_SECONDS = 120


def emacs(workspace: Workspace, seconds: int, *steps: dict[str, Any]) -> dict[str, Any]:
    """A session with the configuration that the page gives."""
    init = workspace.home / "init.el"
    init.write_text(pasted("Emacs"), encoding="utf-8")
    found = editor_named("emacs")
    command = [
        found,
        "--batch",
        "--eval",
        "(package-initialize)",
        "--load",
        str(init),
        "--load",
        str(HERE / "emacs.el"),
    ]
    return workspace.session(command, seconds=seconds, steps=steps)


def shown(findings: list[Finding]) -> list[dict[str, Any]]:
    """Findings as Flymake shows them; 0-based, columns are characters."""
    found = [
        {
            "line": f.line - 1,
            "column": f.column - 1,
            "end_line": f.end_line - 1,
            "end_column": f.end_column - 1,
            "type": TYPES[f.severity],
            "text": f"capture-lsp [{f.code}]: {f.message}",
        }
        for f in findings
    ]
    return sorted(found, key=lambda f: (f["line"], f["column"]))


def at(found: list[dict[str, Any]]) -> list[str]:
    return [f"{f['line']}:{f['column']}:{f['text']}" for f in found]


def test_diagnostics_hover_and_fixes(workspace: Workspace) -> None:
    opened = workspace.example("detector.py")
    wide, first = edit(opened, "boxes, best, labels = boxes[keep]", 'dé = "🎲é"; boxes, best, labels = boxes[keep]')
    text, second = edit(wide, '"no anchor matches any box"', '"🎲 nó anchor matches any box"')
    fixed = workspace.fixed(text, "detector.py", "--select", "CAP302")
    assert fixed != text
    before, between, after = (shown(workspace.findings(t, "detector.py")) for t in (opened, text, fixed))
    assert len(after) == len(between) - 1
    fix = "Do this only when not compiling: if not torch.compiler.is_compiling()"
    page = "Open the page of CAP101 (data-dependent-branch)"

    seen = emacs(
        workspace,
        STEP_SECONDS,
        {"step": "open", "name": "detector.py"},
        {"step": "diagnostics", "expected": at(before), "as": "before"},
        first,
        second,
        {"step": "diagnostics", "expected": at(between), "as": "between"},
        {"step": "hover", "at": place(text, "best[keep]"), "as": "hover"},
        {"step": "action", "at": place(text, "logger.warning"), "title": fix, "as": "action"},
        {"step": "diagnostics", "expected": at(after), "as": "after"},
        {"step": "action", "at": place(fixed, "degenerate.any"), "title": page, "as": "other"},
        {"step": "message", "text": "CAP101.md", "as": "messages"},
        {"step": "children", "as": "children"},
        {"step": "shutdown"},
    )

    assert seen["before"] == before
    assert seen["text"] == text
    assert seen["between"] == between
    hover = seen["hover"].split("\n")
    assert re.fullmatch(r"CAP121 \S+ · warning", hover[0])  # no link: without a Markdown mode the text is plain
    assert "the contents of a mask decide the output's size" in hover
    assert any(re.match(r"\|? *compile .*breaks the graph", line) for line in hover)
    assert seen["action"]["titles"][0] == fix
    assert seen["action"]["text"] == fixed
    assert seen["after"] == after
    assert page in seen["other"]["titles"]
    assert seen["other"]["text"] == fixed
    assert seen["children"] == 0
    workspace.assert_nothing_lives()


def test_the_settings_that_are_pasted_hold(workspace: Workspace) -> None:
    """The page's settings turn one rule off, of which this example has a finding."""
    text = workspace.example("export_classifier.py")
    every = workspace.run("check", "--no-cache", "--output-format", "json", "export_classifier.py").json["findings"]
    assert IGNORED in {f["code"] for f in every}
    expected = shown(workspace.findings(text, "export_classifier.py"))
    done = workspace.fixed(text, "export_classifier.py", "--unsafe-fixes", "--select", "CAP101")
    fix = "Use torch.where (unsafe)"

    seen = emacs(
        workspace,
        STEP_SECONDS,
        {"step": "open", "name": "export_classifier.py"},
        {"step": "diagnostics", "expected": at(expected), "as": "found"},
        {"step": "action", "at": place(text, "x.max() > 1.0"), "title": fix, "as": "action"},
    )
    assert seen["found"] == expected
    assert seen["action"]["text"] == done
    workspace.assert_nothing_lives()  # Emacs just ended


@pytest.mark.truth
def test_a_probe_from_the_captured_function(workspace: Workspace) -> None:
    text = workspace.example("gated_scorer.py")
    workspace.write("slow.py", SLOW)
    expected = shown(workspace.findings(text, "gated_scorer.py"))
    confirmed = {**expected[0], "text": f"{expected[0]['text']} (confirmed)"}
    forward = place(text, "forward")
    probe = "Probe: GatedScorer.forward"

    seen = emacs(
        workspace,
        PROBE_SECONDS,
        {"step": "open", "name": "gated_scorer.py"},
        {"step": "diagnostics", "expected": at(expected), "as": "predicted"},
        {"step": "action", "at": forward, "title": probe, "as": "action"},
        {"step": "diagnostics", "expected": at([confirmed]), "as": "confirmed"},
        {"step": "message", "text": "Probing GatedScorer.forward: ", "as": "messages"},
        {"step": "hover", "at": forward, "as": "hover"},
        {"step": "children", "as": "children"},
        {"step": "command", "command": "capture-lsp.doctor"},
        {"step": "message", "text": "the probe sees: full", "as": "doctor"},
        # The server is ended while a probe runs.
        {"step": "open", "name": "slow.py"},
        {"step": "diagnostics", "expected": at(shown(workspace.findings(SLOW, "slow.py"))), "as": "slow"},
        {"step": "action", "at": place(SLOW, "fn("), "title": "Probe: fn", "as": "other"},
        {"step": "file", "name": "slow.started"},
        {"step": "shutdown"},
    )
    assert seen["predicted"] == expected
    assert probe in seen["action"]["titles"]
    assert "Compare frontends: GatedScorer.forward" in seen["action"]["titles"]
    assert seen["confirmed"] == [confirmed]  # the other one is refuted
    assert "Probing GatedScorer.forward…" in seen["messages"]
    assert re.search(r"Probing GatedScorer\.forward: \d graphs · 1 break · \d+ guards", seen["messages"])
    assert "probed" in seen["hover"]
    assert seen["children"] == 1
    assert "VIRTUAL_ENV" in seen["doctor"]
    workspace.assert_nothing_lives()
