"""The whole product in a real Neovim, from Debian's 0.7 on."""

from __future__ import annotations

import re
import subprocess
from typing import Any

import pytest

from .conftest import HERE, IGNORED, SLOW, Finding, Workspace, edit, editor_named, pasted, place

SEVERITIES = {"error": "ERROR", "warning": "WARN", "info": "INFO", "hint": "HINT"}
#: What each release takes: the oldest that a form is for, and its heading in the page.
FORMS = {(0, 7): "Neovim 0.7", (0, 8): "Neovim 0.8", (0, 11): "Neovim 0.11"}
STEP_SECONDS = 60
PROBE_SECONDS = 240


def release(nvim: str) -> tuple[int, int]:
    said = subprocess.run([nvim, "--version"], capture_output=True, text=True, check=True).stdout
    found = re.match(r"NVIM v(\d+)\.(\d+)", said)
    assert found is not None, said
    return int(found[1]), int(found[2])


class Neovim:
    """A session with the configuration that the page gives for this release."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self._nvim = editor_named("nvim")
        form = FORMS[max(oldest for oldest in FORMS if oldest <= release(self._nvim))]
        self._init = workspace.home / "init.lua"
        self._init.write_text(pasted(form), encoding="utf-8")

    def run(self, name: str, seconds: int, *steps: dict[str, Any]) -> dict[str, Any]:
        command = [self._nvim, "--headless", "-u", str(self._init), "-i", "NONE", "-n", name]
        command += ["-c", f"luafile {HERE / 'neovim.lua'}"]
        return self.workspace.session(command, seconds=seconds, steps=steps)


def shown(text: str, findings: list[Finding]) -> list[dict[str, Any]]:
    """Findings as Neovim shows them: 0-based, columns are bytes."""
    lines = text.split("\n")

    def column(line: int, character: int) -> int:
        return len(lines[line - 1][: character - 1].encode("utf-8"))

    found = [
        {
            "line": f.line - 1,
            "column": column(f.line, f.column),
            "end_line": f.end_line - 1,
            "end_column": column(f.end_line, f.end_column),
            "severity": SEVERITIES[f.severity],
            "message": f.message,
            "source": "capture-lsp",
            "code": f.code,
        }
        for f in findings
    ]
    return sorted(found, key=lambda f: (f["line"], f["column"]))


def at(found: list[dict[str, Any]]) -> list[str]:
    return [f"{f['line']}:{f['column']}:{f['code']}" for f in found]


def byte(text: str, words: str) -> tuple[int, int]:
    """(line, column in bytes) of some words, 0-based."""
    line, column = place(text, words)
    return line, len(text.split("\n")[line][:column].encode("utf-8"))


def test_diagnostics_hover_fixes_and_lenses(workspace: Workspace) -> None:
    opened = workspace.example("detector.py")
    wide, first = edit(opened, "boxes, best, labels = boxes[keep]", 'dé = "🎲é"; boxes, best, labels = boxes[keep]')
    text, second = edit(wide, '"no anchor matches any box"', '"🎲 nó anchor matches any box"')
    fixed = workspace.fixed(text, "detector.py", "--select", "CAP302")
    assert fixed != text
    before, between, after = (shown(t, workspace.findings(t, "detector.py")) for t in (opened, text, fixed))
    assert len(after) == len(between) - 1
    fix = "Do this only when not compiling: if not torch.compiler.is_compiling()"
    page = "Open the page of CAP101 (data-dependent-branch)"

    seen = Neovim(workspace).run(
        "detector.py",
        STEP_SECONDS,
        {"step": "diagnostics", "expected": at(before), "as": "before"},
        {"step": "lenses", "expected": "(predicted)", "as": "lenses"},
        first,
        second,
        {"step": "diagnostics", "expected": at(between), "as": "between"},
        {"step": "hover", "at": byte(text, "best[keep]"), "as": "hover"},
        {"step": "action", "at": byte(text, "logger.warning"), "title": fix, "edits": True, "as": "action"},
        {"step": "diagnostics", "expected": at(after), "as": "after"},
        {"step": "action", "at": byte(fixed, "degenerate.any"), "title": page, "as": "other"},
        {"step": "message", "text": "CAP101.md", "as": "messages"},
        {"step": "children", "as": "children"},
    )

    assert seen["before"] == before
    [lens] = [lens for lens in seen["lenses"] if lens["line"] == byte(opened, "def postprocess")[0]]
    assert lens["text"].endswith(" (predicted) | Probe | Compare frontends")
    assert seen["text"] == text
    assert seen["between"] == between
    hover = seen["hover"].split("\n")
    assert re.fullmatch(r"\*\*\[CAP121\]\(https://\S+\)\*\* \S+ · warning", hover[0])
    assert "the contents of a mask decide the output's size" in hover
    assert any(re.match(r"\| compile +\| breaks the graph", line) for line in hover)
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
    expected = shown(text, workspace.findings(text, "export_classifier.py"))
    done = workspace.fixed(text, "export_classifier.py", "--unsafe-fixes", "--select", "CAP101")

    seen = Neovim(workspace).run(
        "export_classifier.py",
        STEP_SECONDS,
        {"step": "diagnostics", "expected": at(expected), "as": "found"},
        {
            "step": "action",
            "at": byte(text, "x.max() > 1.0"),
            "title": "Use torch.where (unsafe)",
            "edits": True,
            "as": "action",
        },
    )
    assert seen["found"] == expected
    assert seen["action"]["text"] == done
    workspace.assert_nothing_lives()


@pytest.mark.truth
def test_a_probe_from_the_lens(workspace: Workspace) -> None:
    text = workspace.example("gated_scorer.py")
    workspace.write("slow.py", SLOW)
    expected = shown(text, workspace.findings(text, "gated_scorer.py"))
    forward = byte(text, "def forward")

    seen = Neovim(workspace).run(
        "gated_scorer.py",
        PROBE_SECONDS,
        {"step": "diagnostics", "expected": at(expected), "as": "predicted"},
        {"step": "lenses", "expected": "(predicted)", "as": "lenses"},
        {"step": "lens", "at": forward, "title": "Probe"},
        {"step": "confirmed", "as": "confirmed"},
        {"step": "lenses", "expected": "Probe again", "as": "probed"},
        {"step": "hover", "at": forward, "as": "hover"},
        {"step": "children", "as": "children"},
        {"step": "command", "command": "capture-lsp.doctor", "arguments": []},
        {"step": "shown", "text": "the probe sees: full", "as": "doctor"},
        # Neovim leaves while a probe runs.
        {"step": "open", "name": "slow.py"},
        {"step": "lenses", "expected": "(predicted)", "as": "slow"},
        {"step": "lens", "at": byte(SLOW, "def fn"), "title": "Probe"},
        {"step": "file", "name": "slow.started"},
    )
    assert seen["predicted"] == expected
    [lens] = seen["lenses"]
    assert lens == {"line": forward[0], "text": "2 breaks · 3 graphs (predicted) | Probe | Compare frontends"}
    assert seen["progress"]
    [left] = seen["confirmed"]  # the other one is refuted
    assert left == {**expected[0], "message": f"{expected[0]['message']} (confirmed)"}
    [probed] = seen["probed"]
    titles = probed["text"].split(" | ")  # their order is Neovim's
    assert {"Probe again", "Compare frontends"} < set(titles)
    assert any(re.match(r"\d graphs · 1 break · \d+ guards", title) for title in titles)
    assert "| graph | lines | ops |" in seen["hover"]
    assert seen["children"] == 1
    assert "VIRTUAL_ENV" in seen["doctor"]
    workspace.assert_nothing_lives()


def test_all_forms_on_the_page_are_lua(workspace: Workspace) -> None:
    """This release can run one of them; it can read the others."""
    nvim = editor_named("nvim")
    for form in FORMS.values():
        block = workspace.write("form.lua", pasted(form))
        check = f"lua local f, e = loadfile([[{block}]]); if not f then print(e) vim.cmd('cquit') end"
        done = subprocess.run(
            [nvim, "--headless", "-u", "NONE", "-i", "NONE", "-c", check, "-c", "qall!"],
            capture_output=True,
            text=True,
            timeout=60,
            env=workspace.env,
        )
        assert done.returncode == 0, done.stderr
