"""What is shown of graphs, guards and sizes: inlay hints, the lenses' documents, hovers; before a probe and after."""

from __future__ import annotations

import ast
import re

import pytest
from lsprotocol import types as t

from tests.cli.conftest import BRANCH, Project

from .conftest import Editor, Start, range_, until
from .test_probe import PROBE_SECONDS, lens_titles

pytestmark = [pytest.mark.asyncio, pytest.mark.truth]

HELPERS = """\
from torch import Tensor


def scaled(x: Tensor, by: int) -> Tensor:
    return x * by
"""

MODEL = """\
import torch
from torch import Tensor

from helpers import scaled


def fn(x: Tensor, scale: int = 3) -> Tensor:
    rows, width = x.shape
    for step in range(4):
        x = x + step
    x = scaled(
        x,
        scale + width,
    )
    if x.sum() > 0:
        x = x + rows
    return x.view(
        x.size(0),
        width,
    )


run = torch.compile(fn)

if __name__ == "__main__":
    for size in (3, 5, 7):
        run(torch.ones(size, 4))
"""
LINES = MODEL.split("\n")


def line(text: str) -> int:
    """The 0-based line that holds a text."""
    [found] = [number for number, row in enumerate(LINES) if text in row]
    return found


async def labels(editor: Editor, uri: str, first: int = 0, last: int = 1000) -> list[tuple[int, str]]:
    """Line and label, without those of guards."""
    found = [(h.position.line, str(h.label)) for h in await editor.hints(uri, first, last)]
    return [one for one in found if not one[1].endswith(("guard", "guards"))]


async def test_predicted(project: Project, start: Start) -> None:
    project.write("m.py", BRANCH)
    editor = await start()
    uri = editor.open("m.py")
    await editor.pushed(uri)
    assert await editor.hints(uri) == []
    editor.client.set_configuration({"capture-lsp": {"inlayHints": True}})
    editor.client.workspace_did_change_configuration(t.DidChangeConfigurationParams(None))
    await editor.pushed(uri, count=len(editor.client.published))
    await until(lambda: editor.client.hint_refreshes == 1)
    [hint] = await editor.hints(uri)
    row = BRANCH.split("\n")[4]
    assert (hint.position, hint.label) == (t.Position(4, len(row)), "break → graph 1")
    assert str(hint.tooltip).endswith("(predicted)")
    assert await editor.hints(uri, 0, 4) == []
    editor.change(uri, "# one line more\n", (0, 0, 0, 0))
    assert [h.position.line for h in await editor.hints(uri)] == [5]
    shown = await editor.hover(uri, 4, 5)
    assert "| graph (predicted) | lines | ends with |" in shown
    assert "| 0 | 6 | the \\`if\\` reads the contents of a tensor |" in shown
    assert "| 1 | 7-8 |" in shown
    assert "Show graph" not in await lens_titles(editor, uri)
    assert await editor.run("capture-lsp.showGraph", uri, "fn") is None
    assert "not probed" in (await editor.messages("not probed"))[0]


async def test_under_a_trace_sizes_and_loops_are_frozen(project: Project, start: Start) -> None:
    text = """\
import torch


def fn(x: torch.Tensor) -> torch.Tensor:
    for _ in range(x.shape[0]):
        x = x + 1
    return x[: int(x.shape[0])]


traced = torch.jit.trace(fn, (torch.ones(3),))
"""
    editor = await start(settings={"inlayHints": True})
    uri = editor.open("m.py", text)
    assert await labels(editor, uri) == [(4, "unrolled"), (6, "frozen")]


async def test_the_call_that_captures(project: Project, start: Start) -> None:
    """The function may stand in another file, and the call be a decorator."""
    net = """\
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        print(x.shape)
        if x.sum() > 0:
            x = x + 1
        return x


@torch.compile(dynamic=True)
def fn(x: torch.Tensor) -> torch.Tensor:
    return x + 1
"""
    project.write("net.py", net)
    project.write("main.py", "import torch\nfrom net import Net\n\nmodel = Net()\nmodel = torch.compile(model)\n")
    editor = await start()
    uri, other = editor.open("main.py"), editor.open("net.py")
    await editor.pushed(uri)
    await editor.pushed(other)
    shown = await editor.hover(uri, 4, 12)
    assert "**Net.forward** · captured by dynamo · 2 breaks · 3 graphs (predicted)" in shown
    assert "| 0 | 7 | " in shown
    assert "| 1 | 8 | " in shown
    assert "| 2 | 9-10 |" in shown
    assert await editor.hover(uri, 4, 2) == ""
    assert "**fn** · captured by dynamo · no break predicted" in await editor.hover(other, 12, 5)


async def test_after_a_probe(project: Project, start: Start) -> None:
    project.write("helpers.py", HELPERS)
    project.write("model.py", MODEL)
    editor = await start(settings={"inlayHints": True}, options={"commandLinks": True})
    uri = editor.open("model.py")
    await editor.pushed(uri)
    test = line("x.sum()")
    assert await labels(editor, uri) == [(test, "break → graph 1")]
    call = line("torch.compile")
    captured = await editor.hover(uri, call, LINES[call].index("fn"))
    assert "**fn** · captured by dynamo" in captured
    assert "[Probe it](command:capture-lsp.probe?%5B%22file%3A" in captured
    assert await editor.hover(uri, call, 1) == ""  # the name that the result is bound to

    answer = await editor.run("capture-lsp.probe", uri, "fn", seconds=PROBE_SECONDS)
    assert (answer["status"], answer["breaks"]) == ("ok", 1)
    await until(lambda: editor.client.hint_refreshes == 1)
    await _hints(editor, uri)
    await _documents(editor, uri)
    await _hovers(editor, uri, call)
    await _helper(editor)
    await _edits(editor, uri)


async def _hints(editor: Editor, uri: str) -> None:
    found = await editor.hints(uri)
    at = {(h.position.line, str(h.label).split(" ∈ ")[0].rstrip("0123456789")): h for h in found}
    rows = line("rows, width")
    assert at[rows, "frozen: "].label == "frozen: 4"
    assert "compiled anew" in str(at[rows, "frozen: "].tooltip)
    symbol = at[rows, "s"]
    row = LINES[rows]
    assert symbol.position.character == row.index("rows") + len("rows")
    assert at[rows, "frozen: "].position.character == row.index("width") + len("width")
    assert str(symbol.label).endswith(" ∈ [2, ∞)")
    assert "x.size()[0]" in str(symbol.tooltip)
    parameter = at[line("def fn"), "s"]
    assert (parameter.label, parameter.position.character) == (symbol.label, len("def fn(x: Tensor"))
    loop = at[line("for step"), "unrolled ×"]
    assert (loop.label, loop.position.character) == ("unrolled ×4", len("    for step in range(4)"))
    broken = at[line("x.sum()"), "break → graph "]
    assert broken.label == "break → graph 1"
    assert "Data-dependent branching" in str(broken.tooltip)
    guard = at[line("scale + width"), "guard"]
    assert (guard.label, guard.tooltip) == ("guard", "scale: scale == 3")
    assert (line("for size"), "unrolled ×") not in at  # no capture runs there
    test = line("x.sum()")
    assert {h.position.line for h in await editor.hints(uri, test, test)} == set()
    assert {h.position.line for h in await editor.hints(uri, test, test + 1)} == {test}


async def _documents(editor: Editor, uri: str) -> None:
    titles = await lens_titles(editor, uri)
    assert titles[0].startswith("2 graphs · 1 break · ")
    assert titles[0].endswith("recompiles on x.shape[0]")
    assert titles[1:] == ["Probe again", "Compare frontends", "Measure", "Show graph", "Show guards"]
    commands = {lens.command.title: lens.command for lens in await editor.lenses(uri) if lens.command is not None}
    shown = commands["Show graph"]
    graph = await editor.run(shown.command, *(shown.arguments or ()))
    assert "graph 0 · fn · helpers.py:5, model.py:" in graph
    assert re.search(r"^call_function +x\w* +mul\(x\w*, 7\) +float32 +\[3, 4\] +5$", graph, re.MULTILINE)
    code = await editor.run(shown.command, *(shown.arguments or ()), "code")
    assert code == await editor.run("capture-lsp.showGraphCode", uri, "fn")
    names = [node.name for node in ast.parse(code).body if isinstance(node, ast.FunctionDef)]
    assert names == ["forward", "forward"]
    shown = commands["Show guards"]
    guards = await editor.run(shown.command, *(shown.arguments or ()))
    assert "scale == 3" in guards
    params = t.CodeActionParams(
        t.TextDocumentIdentifier(uri), range_(line("def fn"), 4, line("def fn"), 4), t.CodeActionContext([])
    )
    actions = await editor.client.text_document_code_action_async(params) or []
    assert "Show the graph of fn as code" in [action.title for action in actions]


async def _hovers(editor: Editor, uri: str, call: int) -> None:
    captured = await editor.hover(uri, line("def fn"), 5)
    assert "| graph | lines | ops |" in captured
    assert "](command:capture-lsp.showGraphCode?%5B%22" in captured
    assert await editor.hover(uri, call, LINES[call].index("torch")) == captured
    # All lines of a statement tell the same, and of its parts.
    statement = await editor.hover(uri, line("scale + width"), 9)
    assert "| `scale` | `scale == 3` |" in statement
    assert await editor.hover(uri, line("x = scaled("), 5) == statement
    view = await editor.hover(uri, line("return x.view"), 5)
    assert "| call_method | `view` |" in view
    assert await editor.hover(uri, line("x.size(0)") + 2, 4) == view
    head = await editor.hover(uri, line("x.sum()"), 20)
    assert "`sum_1`" in head
    assert "`view`" not in head


async def _helper(editor: Editor) -> None:
    """A file that was opened after the probe which ran it."""
    uri = editor.open("helpers.py")
    await editor.pushed(uri)
    shown = await editor.hover(uri, 4, 6)
    assert "| `mul` | float32 | \\[3, 4\\] |" in shown
    editor.close(uri)


async def _edits(editor: Editor, uri: str) -> None:
    """Results move with the text, comments inside of a function included, and go with what they are about."""
    before = [(h.position.line, h.label) for h in await editor.hints(uri)]
    loop = line("for step")
    editor.change(uri, "# one\n", (0, 0, 0, 0))
    editor.change(uri, "    # within\n\n", (loop + 1, 0, loop + 1, 0))
    moved = [(h.position.line, h.label) for h in await editor.hints(uri)]
    assert moved == [(number + (1 if number < loop else 3), label) for number, label in before]
    statement = await editor.hover(uri, line("scale + width") + 3, 9)
    assert "| `scale` | `scale == 3` |" in statement
    editor.change(uri, "x - step", (loop + 4, 12, loop + 4, 20))
    assert await editor.hints(uri) == []
    assert (await lens_titles(editor, uri))[0].endswith("(stale)")
    assert "stale" in await editor.run("capture-lsp.showGraph", uri, "fn")


EAGER = """\
import torch


@torch.compile
def fn(x: torch.Tensor) -> torch.Tensor:
    for number in range(2):
        print(number)
        x = x + 1
    if x.sum() > 0:
        x = x - 1
    return x


if __name__ == "__main__":
    fn(torch.ones(3))
"""


async def test_behind_what_makes_a_function_run_eagerly(project: Project, start: Start) -> None:
    project.write("m.py", EAGER)
    editor = await start(settings={"inlayHints": True})
    uri = editor.open("m.py")
    await editor.pushed(uri)
    await editor.run("capture-lsp.probe", uri, "fn", seconds=PROBE_SECONDS)
    await until(lambda: any(d.message.endswith("(confirmed)") for d in editor.client.diagnostics[uri]))
    by_line = {d.range.start.line: d for d in editor.client.diagnostics[uri]}
    assert by_line[6].message.endswith("(confirmed)")
    assert by_line[8].message.endswith("(not reached: fn runs eagerly)")
    related = [(r.location.range.start.line, r.message) for r in by_line[8].related_information or ()]
    assert (6, "not reached: fn runs eagerly because of this") in related
    assert await labels(editor, uri) == [(6, "break → eager")]  # nothing is unrolled into a graph
    # Before its `def`, its lines move, and so does what is said of them.
    version = editor.change(uri, "# one\n", (0, 0, 0, 0))
    [_, found] = await editor.pushed(uri, version)
    related = [(r.location.range.start.line, r.message) for r in found.related_information or ()]
    assert (7, "not reached: fn runs eagerly because of this") in related
    assert await labels(editor, uri) == [(7, "break → eager")]


SEVERAL = """\
import torch


@torch.compile
def clean(x):
    return x.relu() + 1


@torch.compile
def broken(x):
    y = x * 2
    print("hi")
    return y + 1


@torch.compile
def sized(x, k: int):
    b, d = x.shape
    if k > 1:
        x = x * k
    return x.reshape(b * d) if d > 2 else x


if __name__ == "__main__":
    clean(torch.randn(3))
    broken(torch.randn(3))
    for b in (3, 4, 5):
        sized(torch.randn(b, 4), 2)
"""
SEVERAL_LINES = {"clean": 4, "broken": 9, "sized": 16}


async def titles_of(editor: Editor, uri: str) -> dict[str, str]:
    """The first lens of each function."""
    found: dict[int, str] = {}
    for lens in await editor.lenses(uri):
        if lens.command is not None:
            found.setdefault(lens.range.start.line, lens.command.title)
    return {name: found[line] for name, line in SEVERAL_LINES.items()}


FROZEN = """\
import torch


def kept(x):
    return x + (1 if x.sum() > 0 else 2)


other = torch.jit.trace(kept, (torch.ones(3, 4),))
"""


async def test_a_comparison_says_what_goes_wrong_with_other_inputs(project: Project, start: Start) -> None:
    project.write("m.py", FROZEN)
    editor = await start()
    uri = editor.open("m.py")
    await editor.pushed(uri)
    await editor.run("capture-lsp.compareFrontends", uri, "kept", seconds=PROBE_SECONDS)
    reports = [r for values in editor.client.progress_reports.values() for r in values]
    assert isinstance(reports[-1], t.WorkDoneProgressEnd)
    assert "trace silently wrong with other inputs; " in str(reports[-1].message)
    assert "fullgraph" in str(reports[-1].message)
    line_ = FROZEN.split("\n").index("def kept(x):")
    [row] = [row for row in (await editor.hover(uri, line_, 5)).split("\n") if row.startswith("| trace |")]
    assert row.startswith("| trace | ok | silently wrong: ")
    report = await editor.run("capture-lsp.showReport", uri)
    assert "silently wrong: " in report


async def test_several_functions_of_one_program(project: Project, start: Start) -> None:
    """Each has its own result, and keeps it when another one is edited."""
    project.write("m.py", SEVERAL)
    editor = await start(settings={"inlayHints": True})
    uri = editor.open("m.py")
    await editor.pushed(uri)
    await editor.run("capture-lsp.compareFrontends", uri, "clean", seconds=PROBE_SECONDS)
    reports = [r for values in editor.client.progress_reports.values() for r in values]
    assert isinstance(reports[-1], t.WorkDoneProgressEnd)
    told = [r.message for r in reports if isinstance(r, t.WorkDoneProgressReport)]
    assert "m.py: running it" in told
    assert "clean: torch.jit.trace (3 of 7)" in told
    assert "clean: with other inputs (7 of 7)" in told
    assert not [text for text in told if text and text.startswith(("broken", "sized"))]
    assert str(reports[-1].message).startswith("fullgraph, trace, fx, script, export ok · 1 graph")
    await editor.run("capture-lsp.probe", uri, "broken", seconds=PROBE_SECONDS)
    reports = [r for values in editor.client.progress_reports.values() for r in values]
    told = [r.message for r in reports if isinstance(r, t.WorkDoneProgressReport)]
    assert told.count("starting the interpreter") == 1
    assert "| frontend | these calls | with other inputs |" in await editor.hover(uri, SEVERAL_LINES["clean"], 5)
    # The one that was asked for is compared; a probe of another one takes nothing away.
    assert "| trace | ok |" in await editor.hover(uri, SEVERAL_LINES["clean"], 5)
    assert "| trace |" not in await editor.hover(uri, SEVERAL_LINES["sized"], 5)
    titles = await titles_of(editor, uri)
    assert titles["clean"].startswith("1 graph · 0 breaks")
    assert "recompiles" not in titles["clean"]
    assert titles["broken"].startswith("2 graphs · 1 break")
    assert titles["sized"].endswith("recompiles on x.shape[0]")
    assert "| `relu`" in await editor.hover(uri, SEVERAL_LINES["clean"], 5)
    assert "print" in await editor.hover(uri, SEVERAL_LINES["broken"], 5)
    assert "`reshape`" in await editor.hover(uri, SEVERAL_LINES["sized"], 5)
    assert "graph 0 · clean · " in await editor.run("capture-lsp.showGraph", uri, "clean")
    assert "graph 0 · sized · " in await editor.run("capture-lsp.showGraph", uri, "sized")
    assert "k == 2" not in await editor.run("capture-lsp.showGuards", uri, "clean")
    assert (11, "break → graph 1") in await labels(editor, uri)
    editor.change(uri, "x * 3", (10, 8, 10, 13))
    after = await titles_of(editor, uri)
    assert after.pop("broken").endswith("(stale)")
    assert after == {"clean": titles["clean"], "sized": titles["sized"]}
