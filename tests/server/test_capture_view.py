"""What a client's own view is made of: `captureView` and `viewChanged`; the state; lenses that open the view."""

from __future__ import annotations

import re
from collections import defaultdict
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types as t
from pygls.uris import from_fs_path

from capture_lsp.server import view_types
from tests.cli.conftest import BRANCH, Project
from tests.probe.test_contract import deviations

from .conftest import Editor, Start, until

pytestmark = [pytest.mark.asyncio, pytest.mark.truth]
PROBE_SECONDS = 240.0
PROTOCOL = Path(__file__).parents[2] / "vscode-client/src/protocol.ts"

#: Each line of an island ends with what it is part of, and no other line is.
MODEL = '''\
import torch
from torch import nn

import helpers


class Attn(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.proj = nn.Linear(4, 4)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Projects."""
        # a comment
        y = self.proj(x)  #: graph 0

        return y.relu()  #: graph 0


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.ModuleList([Attn(), Attn()])

    def forward(self, x: torch.Tensor, flag: bool = True) -> torch.Tensor:
        size = x.shape[0]  #: graph 0
        for layer in self.layers:  #: graph 0
            x = layer(  #: graph 0
                x,  #: graph 0
            )  #: graph 0
        if flag:  #: graph 0
            # one way
            x = x * size  #: graph 0
        else:
            x = x - 1
        print("\U0001f600", "between")  #: eager

        def inner(t: torch.Tensor) -> torch.Tensor:  #: graph 1
            # inside
            return t + 1  #: graph 1

        x = inner(x)  #: graph 1
        x = helpers.halve(x)  #: graph 1
        x = helpers.talk(x)  #: eager
        with torch.no_grad():  #: graph 4
            x = x * 2  #: graph 4
        try:  #: graph 4
            x = x * 3  #: graph 4
        except ValueError:
            x = x * 5
        else:
            x = x + 4  #: graph 4
        return x  #: graph 4


def skipped(x: torch.Tensor) -> torch.Tensor:
    """Says what it does."""
    for _ in range(2):  #: skipped
        x = x + 1  #: skipped
        print(x)  #: skipped

    return x  #: skipped


def late(x: torch.Tensor, k: int = 1) -> torch.Tensor:
    if k == 1:  #: graph 0
        x = helpers.halve(x)  #: graph 0
    else:
        x = x - 1  #: graph 1
    return x  #: graph 0


if __name__ == "__main__":
    torch.compile(Net())(torch.ones(2, 4))
    torch.compile(skipped)(torch.ones(2))
    compiled = torch.compile(late)
    compiled(torch.ones(3))
    compiled(torch.ones(3), 2)
'''

HELPERS = """\
import torch


def halve(x: torch.Tensor) -> torch.Tensor:
    return x / 2  #: graph 1


def talk(x: torch.Tensor) -> torch.Tensor:
    x = x.cos()  #: graph 2
    print("talk")  #: eager
    return x.sin()  #: graph 3
"""


async def view(editor: Editor, uri: str) -> Any:
    return await editor.run("capture-lsp.captureView", uri)


def entry(found: Any, name: str) -> Any:
    [one] = [one for one in found["entries"] if one["name"] == name]
    return one


def changes(editor: Editor, uri: str) -> list[int]:
    """How many publications came before each time that the view was told to have changed."""
    return [before for name, params, before in editor.client.notices if name == "viewChanged" and params.uri == uri]


def states(editor: Editor) -> list[Any]:
    return [params for name, params, _ in editor.client.notices if name == "state"]


def check_islands(entries: list[Any], uri: str, text: str) -> None:
    """The lines of the islands in a file are those that say so; nothing else but what is no statement is between."""
    lines = text.split("\n")
    found: dict[int, set[str]] = defaultdict(set)
    for island in (island for one in entries for island in one["islands"] if island["uri"] == uri):
        name = f"graph {island['graph']}" if island["kind"] == "graph" else island["kind"]
        assert (island["graph"] is None) == (island["kind"] != "graph")
        for span in island["ranges"]:
            first, last = span["start"]["line"], span["end"]["line"]
            assert span["start"]["character"] == 0
            assert span["end"]["character"] == len(lines[last].encode("utf-16-le")) // 2
            assert "#: " in lines[first]
            assert "#: " in lines[last]
            for line in range(first, last + 1):
                assert not found[line], f"two islands in line {line}: {lines[line]}"
                found[line].add(name)
    for number, line in enumerate(lines):
        code, _, expected = line.partition("#: ")
        if code.split("#")[0].strip() not in ("", "else:"):
            assert found.get(number, set()) == ({expected} if expected else set()), line


def marked(text: str, place: Any) -> str:
    """The text of a place in one line."""
    span = place["range"]
    row = text.split("\n")[span["start"]["line"]].encode("utf-16-le")
    assert span["start"]["line"] == span["end"]["line"]
    return row[2 * span["start"]["character"] : 2 * span["end"]["character"]].decode("utf-16-le")


async def test_a_probed_file(project: Project, start: Start) -> None:
    project.write("model.py", MODEL)
    project.write("helpers.py", HELPERS)
    editor = await start(options={"captureView": True, "commandLinks": True})
    uri, helpers = editor.open("model.py"), editor.uri("helpers.py")
    await editor.pushed(uri)
    empty = {"version": 1, "uri": uri, "torch": "", "device": "", "entries": []}
    assert await view(editor, uri) == empty
    assert changes(editor, uri) == []

    answer = await editor.run("capture-lsp.probe", uri, None, seconds=PROBE_SECONDS)
    assert answer["status"] == "ok"
    await until(lambda: len(changes(editor, uri)) == 1)
    assert changes(editor, uri) == [len(editor.client.published)]  # after the diagnostics
    await until(lambda: states(editor)[-1].state == "idle")
    told = [(one.state, one.message) for one in states(editor)]
    assert ("probing", "Probing model.py") in told
    assert all(one != other for one, other in pairwise(told) if one[0] != "idle")
    assert re.match(r"\d+\.\d+\.", states(editor)[-1].torch)  # more than its files tell: it has run

    # Everything has the declared form.
    found = await view(editor, uri)
    assert list(deviations(found, view_types.CaptureView, "", set())) == []
    assert [one["name"] for one in found["entries"]] == ["Net.forward", "skipped", "late"]
    assert found["torch"] == states(editor)[-1].torch
    net = entry(found, "Net.forward")
    assert marked(MODEL, net["at"]).startswith("def forward(self, x: torch.Tensor, flag")
    assert net["figures"].startswith("5 graphs · 2 breaks · ")
    assert (net["status"], net["stale"]) == ("ok", False)
    breaks = [one for frame in net["frames"] for one in frame["breaks"] if one["at"]["uri"] == uri]
    assert [marked(MODEL, one["at"]) for one in breaks] == ['print("\U0001f600", "between")']
    assert "from line" in breaks[0]["resume"]
    first = net["frames"][0]["graphs"][0]
    assert first["lines"].startswith("model.py:")
    read = {node["name"]: node for node in first["nodes"]}
    assert [node["module"] for node in first["nodes"] if "relu" in node["target"]] == ["layers.0", "layers.1"]
    for node in first["nodes"]:
        assert set(node["inputs"]) <= set(read)
        if "relu" in node["target"]:
            assert marked(MODEL, node["at"]) == "return y.relu()  #: graph 0"
            assert read[node["inputs"][0]]["module"] == f"{node['module']}.proj"
    check_islands([net, entry(found, "skipped")], uri, MODEL.partition("def late")[0])
    # Two probes ran `halve`, and one of them has its island.
    [halve] = [i for one in found["entries"] for i in one["islands"] if i["function"] == "halve"]
    check_islands(found["entries"], helpers, HELPERS.replace("graph 1", f"graph {halve['graph']}"))
    labels = [island["label"] for island in net["islands"] if island["kind"] == "eager"]
    assert sorted(labels) == ["runs eagerly: helpers.talk", "runs eagerly: print", "runs eagerly: print"]
    [skipped] = entry(found, "skipped")["islands"]
    assert skipped["label"].startswith("skipped: graph break in loop")
    late = entry(found, "late")
    check_islands(
        [late], uri, "\n" * MODEL.partition("def late")[0].count("\n") + "def late" + MODEL.partition("def late")[2]
    )
    assert [graph["id"] for frame in late["frames"] for graph in frame["graphs"]] == [0, 1]
    assert (await view(editor, helpers))["entries"] == []  # nothing of it was probed

    # The lens and the hover open the client's view.
    lenses = [lens.command for lens in await editor.lenses(uri) if lens.command is not None]
    opening = [(c.title, list(c.arguments or ())) for c in lenses if c.command == "capture-lsp.openView"]
    assert opening[:2] == [
        ("Graph", [uri, "Net.forward", "graph"]),
        ("Guards", [uri, "Net.forward", "guards"]),
    ]
    assert not any(c.command in ("capture-lsp.showGraph", "capture-lsp.showGuards") for c in lenses)
    shown = await editor.hover(uri, MODEL[: MODEL.index("def forward(self, x: torch.Tensor, flag")].count("\n"), 9)
    assert "[Graph](command:capture-lsp.openView?%5B%22" in shown
    assert "showGraphCode" not in shown
    provider = editor.result.capabilities.execute_command_provider
    assert provider is not None
    assert "capture-lsp.captureView" in provider.commands
    assert "capture-lsp.openView" not in provider.commands  # the client's own

    # Places move with the text; what an edit reaches is stale, and of it only what is as it was has a place.
    version = editor.change(uri, "# one\n# two\n", (0, 0, 0, 0))
    await editor.pushed(uri, version)
    await until(lambda: len(changes(editor, uri)) == 2)
    assert editor.client.published[changes(editor, uri)[-1] - 1].version == version
    now = "# one\n# two\n" + MODEL
    found = await view(editor, uri)
    check_islands([entry(found, "Net.forward"), entry(found, "skipped")], uri, now.partition("def late")[0])
    last = now[: now.index("        x = x - 1  #: graph 1")].count("\n")
    version = editor.change(uri, "        x = x - 2  #: graph 1\n", (last, 0, last + 1, 0))
    await editor.pushed(uri, version)
    found = await view(editor, uri)
    late = entry(found, "late")
    assert late["stale"]
    spans = [span for island in late["islands"] if island["uri"] == uri for span in island["ranges"]]
    rows = {row for span in spans for row in range(span["start"]["line"], span["end"]["line"] + 1)}
    assert rows
    assert last not in rows
    assert marked(now, late["at"]).startswith("def late")  # the function is still there
    nodes = [node for frame in late["frames"] for graph in frame["graphs"] for node in graph["nodes"]]
    assert {node["at"]["uri"] for node in nodes if node["at"] is not None} == {helpers}  # that of `x - 1` is gone
    assert not entry(found, "Net.forward")["stale"]
    check_islands([entry(found, "Net.forward"), entry(found, "skipped")], uri, now.partition("def late")[0])

    # While something is written that does not parse the client keeps what it has.
    await until(lambda: len(changes(editor, uri)) == 3)
    version = editor.change(uri, "x = (\n", (0, 0, 0, 0))
    await editor.pushed(uri, version)
    version = editor.change(uri, "x = 1\n", (0, 0, 1, 0))
    await editor.pushed(uri, version)
    await until(lambda: len(changes(editor, uri)) == 4)
    assert editor.client.published[changes(editor, uri)[-1] - 1].version == version

    await editor.run("capture-lsp.clearResults")
    await until(lambda: len(changes(editor, uri)) == 5)
    assert await view(editor, uri) == empty


async def test_a_comparison_has_a_lens_of_its_own(project: Project, start: Start) -> None:
    project.write(
        "m.py", "import torch\n\n\n@torch.compile\ndef fn(x: torch.Tensor) -> torch.Tensor:\n    return x + 1\n"
    )
    editor = await start(options={"captureView": True})
    uri = editor.open("m.py")
    await editor.pushed(uri)
    await editor.run("capture-lsp.compareFrontends", uri, "fn", seconds=PROBE_SECONDS)
    lenses = [lens.command for lens in await editor.lenses(uri) if lens.command is not None]
    assert [c.arguments for c in lenses if c.title == "Frontends"] == [(uri, "fn", "frontends")]
    matrix = entry(await view(editor, uri), "fn")["matrix"]
    assert [row["frontend"] for row in matrix] == ["dynamo", "fullgraph", "trace", "fx", "script", "export"]
    assert all(row["perturbed"] for row in matrix if row["frontend"] == "trace")


async def test_why_nothing_can_be_probed(project: Project, start: Start) -> None:
    project.write("m.py", BRANCH)
    project.write("capture-lsp.toml", "python = 'nowhere'\n")
    editor = await start(options={"captureView": True})
    uri = editor.open("m.py")
    await editor.pushed(uri)
    await editor.run("capture-lsp.probe", uri)
    await until(lambda: states(editor)[-1].state == "error")
    assert "nowhere; name one that has torch with the setting python" in states(editor)[-1].message
    assert states(editor)[-1].torch is None
    project.write("capture-lsp.toml", "")
    changed = t.FileEvent(from_fs_path(str(project.root / "capture-lsp.toml")) or "", t.FileChangeType.Changed)
    editor.client.workspace_did_change_watched_files(t.DidChangeWatchedFilesParams([changed]))
    await until(lambda: states(editor)[-1].state == "idle" and states(editor)[-1].torch is not None)
    assert await view(editor, uri) == {"version": 1, "uri": uri, "torch": "", "device": "", "entries": []}


async def test_typing_is_not_told_of(project: Project, start: Start) -> None:
    project.write("m.py", BRANCH)
    editor = await start(options={"captureView": True})
    uri = editor.open("m.py")
    await editor.pushed(uri)
    for _ in range(30):
        version = editor.change(uri, "#", (0, 0, 0, 0))
    await editor.pushed(uri, version)
    await until(lambda: states(editor)[-1].state == "idle" and states(editor)[-1].torch is not None)
    told = states(editor)
    assert all(one != other for one, other in pairwise(told))
    assert len(told) < 10
    assert changes(editor, uri) == []  # there is no view


async def test_an_untrusted_workspace(project: Project, start: Start) -> None:
    project.write("m.py", BRANCH)
    editor = await start(options={"captureView": True, "trusted": False})
    uri = editor.open("m.py")
    await editor.pushed(uri)
    assert await view(editor, uri) == {"version": 1, "uri": uri, "torch": "", "device": "", "entries": []}
    assert (await editor.run("capture-lsp.captureView"))["entries"] == []
    assert (await view(editor, "untitled:none"))["entries"] == []
    await until(lambda: states(editor)[-1].torch is not None)  # it is read from files


async def test_other_clients_are_told_nothing(project: Project, start: Start) -> None:
    project.write("m.py", BRANCH)
    editor = await start()
    uri = editor.open("m.py")
    await editor.pushed(uri)
    version = editor.change(uri, "# new\n", (0, 0, 0, 0))
    await editor.pushed(uri, version)
    assert (await view(editor, uri))["entries"] == []
    assert editor.client.notices == []


async def test_the_client_declares_the_same() -> None:
    """Each interface of the client has the fields of the type of its name."""
    declared = {
        name.rstrip("_"): set(re.findall(r"^  (\w+)\??:", body, re.MULTILINE))
        for name, body in re.findall(r"^export interface (\w+) \{\n(.*?)^\}", PROTOCOL.read_text("utf-8"), re.M | re.S)
    }
    both = [name for name in declared if hasattr(view_types, name)]
    assert {"CaptureView", "Entry", "Frame", "Graph", "Node", "Guard", "Symbol", "Island", "Place"} <= set(both)
    for name in both:
        assert declared[name] == set(getattr(view_types, name).__annotations__), name


TWO_RESTS = """\
import torch


@torch.compile(backend="eager")
def fn(x):
    y = x.sum().item() + x.mean().item()
    return x * y


if __name__ == "__main__":
    fn(torch.ones(4))
    fn(torch.ones(5))
"""


async def test_each_rest_of_a_line_is_a_frame_and_compilations_of_later_calls_are_none(
    project: Project, start: Start
) -> None:
    """Both rests go by the same name; what the second call compiled stands among the recompilations."""
    project.write("model.py", TWO_RESTS)
    editor = await start(options={"captureView": True})
    uri = editor.open("model.py")
    await editor.pushed(uri)
    await editor.run("capture-lsp.probe", uri, "fn", seconds=PROBE_SECONDS)
    (entry,) = (await editor.run("capture-lsp.captureView", uri))["entries"]
    assert [frame["function"] for frame in entry["frames"]] == ["fn", "fn from line 6 on", "fn from line 6 on"]
    assert [one["call"] for one in entry["recompiles"]] == [1, 1, 1]
