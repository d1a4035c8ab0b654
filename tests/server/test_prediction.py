"""What lenses and hovers say of a captured function before it is probed."""

from __future__ import annotations

import pytest

from tests.cli.conftest import BRANCH, CLEAN, Project

from .conftest import Start
from .test_probe import lens_titles

pytestmark = pytest.mark.asyncio

ALL_SUPPRESSED = "1 break · 2 graphs (predicted; suppressed)"
PLAIN = """\
import torch


def fn(x: torch.Tensor) -> torch.Tensor:
    if x.sum() > 0:
        x = x + 1
    return x


"""


@pytest.mark.parametrize(
    "text",
    [
        BRANCH.replace("> 0:", "> 0:  # capture: ignore[CAP101]"),
        BRANCH.replace("torch.Tensor:\n", "torch.Tensor:  # capture: ignore[CAP101]\n"),
        "# capture: ignore-file\n" + BRANCH,
    ],
)
async def test_what_a_comment_suppresses_breaks_all_the_same(project: Project, start: Start, text: str) -> None:
    editor = await start()
    uri = editor.open("m.py", text)
    assert await editor.pushed(uri) == []
    assert (await lens_titles(editor, uri))[0] == ALL_SUPPRESSED
    line = next(n for n, row in enumerate(text.split("\n")) if row.startswith("def"))
    shown = await editor.hover(uri, line, 5)
    assert ALL_SUPPRESSED in shown
    assert f"| 0 | {line + 2} | the \\`if\\`" in shown


@pytest.mark.parametrize(
    "settings", ['[per-file-ignores]\n"m.py" = ["CAP101"]\n', '[severity]\nCAP101 = "off"\n'], ids=["file", "severity"]
)
async def test_what_settings_hide_breaks_all_the_same(project: Project, start: Start, settings: str) -> None:
    project.write("capture-lsp.toml", settings)
    editor = await start()
    uri = editor.open("m.py", BRANCH)
    assert await editor.pushed(uri) == []
    assert (await lens_titles(editor, uri))[0] == ALL_SUPPRESSED


async def test_a_rule_that_is_left_out_is_not_looked_for(project: Project, start: Start) -> None:
    project.write("capture-lsp.toml", 'ignore = ["CAP101"]\n')
    editor = await start()
    uri = editor.open("m.py", BRANCH)
    assert await editor.pushed(uri) == []
    assert (await lens_titles(editor, uri))[0] == "no break predicted"
    shown = await editor.hover(uri, 3, 5)
    assert "leaves rules out" in shown
    assert "graph (predicted)" not in shown


async def test_some_suppressed(project: Project, start: Start) -> None:
    text = BRANCH.replace("> 0:", "> 0:  # capture: ignore[CAP101]").replace(
        "    return x - 1", "    if x.max() > 1:\n        x = x + 2\n    return x - 1"
    )
    editor = await start(settings={"inlayHints": True})
    uri = editor.open("m.py", text)
    assert len(await editor.pushed(uri)) == 1
    assert (await lens_titles(editor, uri))[0] == "2 breaks · 3 graphs (predicted; 1 suppressed)"
    assert [str(h.label) for h in await editor.hints(uri)] == ["break → graph 2"]


async def test_nothing_found_is_no_promise(project: Project, start: Start) -> None:
    editor = await start()
    uri = editor.open("m.py", CLEAN)
    assert (await lens_titles(editor, uri))[0] == "no break predicted"
    assert "| 0 | 5 |" in await editor.hover(uri, 3, 5)
    other = editor.open("o.py", CLEAN.replace("x: torch.Tensor", "x"))
    await editor.pushed(other)
    assert (await lens_titles(editor, other))[0] == "no break predicted"
    shown = await editor.hover(other, 3, 5)
    assert "An annotation of `x`" in shown
    assert "graph (predicted)" not in shown


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("torch.compile(fn, fullgraph=True)", "1 refusal (predicted)"),
        ("torch.jit.trace(fn, (torch.ones(3),))", "silently wrong (predicted)"),
        ("torch.fx.symbolic_trace(fn)", "1 refusal (predicted)"),
    ],
)
async def test_words_of_each_frontend(project: Project, start: Start, call: str, expected: str) -> None:
    editor = await start()
    uri = editor.open("m.py", f"{PLAIN}run = {call}\n")
    await editor.pushed(uri)
    titles = await lens_titles(editor, uri)
    assert titles[:1] == [expected]


async def test_a_traced_function_without_problems(project: Project, start: Start) -> None:
    text = "import torch\n\n\ndef fn(x: torch.Tensor) -> torch.Tensor:\n    return x + 1\n\n\n"
    editor = await start()
    uri = editor.open("m.py", f"{text}run = torch.jit.trace(fn, (torch.ones(3),))\n")
    await editor.pushed(uri)
    assert (await lens_titles(editor, uri))[0] == "no problem predicted"
