"""Diagnostics over the wire: what is pushed and pulled, and where it stands."""

from __future__ import annotations

import asyncio

import pytest
from lsprotocol import types as t

from tests.cli.conftest import BRANCH, CLEAN, Project

from .conftest import Start, capabilities, places, until

pytestmark = pytest.mark.asyncio
AT = ("CAP101", 4, 7, 4, 18)


async def test_pushed_to_a_client_that_does_not_pull(project: Project, start: Start) -> None:
    editor = await start()
    assert editor.result.server_info is not None
    assert editor.result.server_info.name == "capture-lsp"
    uri = editor.open("m.py", BRANCH)
    [found] = await editor.pushed(uri)
    assert places([found]) == [AT]
    assert found.severity == t.DiagnosticSeverity.Warning
    assert found.source == "capture-lsp"
    assert found.code_description is not None
    assert found.code_description.href.endswith("/CAP101.md")
    related = found.related_information or []
    assert (related[0].location.uri, related[0].location.range.start.line) == (uri, 3)
    assert "x is a tensor" in related[0].message
    version = editor.change(uri, CLEAN)
    assert await editor.pushed(uri, version) == []
    version = editor.change(uri, BRANCH)
    assert places(await editor.pushed(uri, version)) == [AT]
    editor.close(uri)
    await until(lambda: not editor.client.diagnostics[uri])


async def test_pulled_with_result_ids(project: Project, start: Start) -> None:
    editor = await start(caps=capabilities(pull=True))
    uri = editor.open("m.py", BRANCH)
    first = await editor.pull(uri)
    assert first.kind == "full"
    assert places(first.items) == [AT]
    again = await editor.pull(uri, first.result_id)
    assert (again.kind, again.result_id) == ("unchanged", first.result_id)
    editor.change(uri, "\n", (0, 0, 0, 0))
    moved = await editor.pull(uri, first.result_id)
    assert places(moved.items) == [("CAP101", 5, 7, 5, 18)]
    assert editor.client.diagnostics == {}  # never both
    editor.close(uri)
    assert not (await editor.pull(uri)).items


async def test_the_newest_version_wins(project: Project, start: Start) -> None:
    """A burst of edits is not analysed one by one, and nothing is told of a version that is gone."""
    editor = await start()
    uri = editor.open("m.py", CLEAN)
    await editor.pushed(uri)
    for _ in range(60):
        version = editor.change(uri, "\n", (0, 0, 0, 0))
    version = editor.change(uri, BRANCH)
    assert places(await editor.pushed(uri, version)) == [AT]
    versions = [p.version for p in editor.client.published]
    assert versions == sorted(versions)
    assert len(versions) < 60


WIDE = """\
import torch

@torch.compile
def fn(é: torch.Tensor):
    if '😀😂' and é.sum() > 0:
        return é
    return -é
"""


@pytest.mark.parametrize(
    "encoding,start_at,end_at,é", [("utf-8", 22, 34, 2), ("utf-16", 18, 29, 1), ("utf-32", 16, 27, 1)]
)
async def test_position_encodings(
    project: Project, start: Start, encoding: str, start_at: int, end_at: int, é: int
) -> None:
    editor = await start(caps=capabilities(encodings=(encoding, "utf-16")))
    assert editor.result.capabilities.position_encoding == encoding
    uri = editor.open("m.py", WIDE.replace("\n", "\r\n"))
    assert places(await editor.pushed(uri)) == [("CAP101", 4, start_at, 4, end_at)]
    assert "CAP101" in await editor.hover(uri, 4, start_at)
    assert await editor.hover(uri, 4, start_at - 1) == ""
    # An edit behind the emoji lands where the client means it: `é.sum()` becomes `é.mean()`.
    version = editor.change(uri, "mean", (4, start_at + é + 1, 4, start_at + é + 4))
    assert places(await editor.pushed(uri, version)) == [("CAP101", 4, start_at, 4, end_at + 1)]


async def test_lines_end_where_the_protocol_ends_them(project: Project, start: Start) -> None:
    """A form feed or U+2028 is no line end; a carriage return alone is one; a byte order mark is not counted."""
    text = "\ufeffimport torch\r\f\r\ns = 'a\u2028b\x1cc'\r\n\t\n" + BRANCH.split("\n", 1)[1].replace("    ", "\t")
    editor = await start()
    uri = editor.open("m.py", text)
    assert places(await editor.pushed(uri)) == [("CAP101", 7, 4, 7, 15)]
    version = editor.change(uri, "", (2, 0, 3, 0))
    assert places(await editor.pushed(uri, version)) == [("CAP101", 6, 4, 6, 15)]
    version = editor.change(uri, "# behind the end", (99, 5, 99, 5))
    assert places(await editor.pushed(uri, version)) == [("CAP101", 6, 4, 6, 15)]


async def test_an_encoding_that_the_text_declares(project: Project, start: Start) -> None:
    editor = await start()
    uri = editor.open("m.py", "# -*- coding: latin-1 -*-\n" + BRANCH + "s = 'é €'\n")
    assert places(await editor.pushed(uri)) == [("CAP101", 5, 7, 5, 18)]


async def test_a_function_that_does_not_parse_costs_itself_alone(project: Project, start: Start) -> None:
    editor = await start()
    uri = editor.open("m.py", BRANCH + "\n\ndef half(x):\n    return x +\n")
    found = await editor.pushed(uri)
    assert ("CAP101", 4, 7, 4, 18) in places(found)
    [syntax] = [d for d in found if d.code == "syntax"]
    assert syntax.severity == t.DiagnosticSeverity.Information
    assert syntax.range.start.line == 10
    editor.client.set_configuration({"capture-lsp": {"showSyntaxErrors": False}})
    count = len(editor.client.published)
    editor.client.workspace_did_change_configuration(t.DidChangeConfigurationParams(None))
    await until(lambda: len(editor.client.published) > count)
    assert places(await editor.pushed(uri, count=count)) == [AT]


async def test_an_unused_suppression_is_greyed_out(project: Project, start: Start) -> None:
    editor = await start()
    uri = editor.open("m.py", BRANCH + "\ny = 1  # capture: ignore[CAP101]\n")
    found = {d.code: d for d in await editor.pushed(uri)}
    assert list(found["CAP001"].tags or ()) == [t.DiagnosticTag.Unnecessary]
    assert found["CAP101"].tags is None


async def test_open_files_are_one_check(project: Project, start: Start) -> None:
    """What one open file captures is judged in the other; an unsaved edit of an imported file counts at once."""
    helper = BRANCH.replace("@torch.compile\n", "").replace("fn", "gate")
    project.write("helper.py", helper.replace("if x.sum() > 0", "if x.dim() > 0"))
    editor = await start()
    root = editor.open(
        "m.py",
        "import torch\nfrom helper import gate\n\n@torch.compile\ndef fn(x: torch.Tensor):\n    return gate(x)\n",
    )
    assert await editor.pushed(root) == []
    uri = editor.open("helper.py")
    assert await editor.pushed(uri) == []
    version = editor.change(uri, helper)
    assert places(await editor.pushed(uri, version)) == [("CAP101", 3, 7, 3, 18)]
    count = len(editor.client.published)
    editor.close(uri)
    assert await editor.pushed(root, count=count) == []


async def test_a_request_does_not_wait_for_an_analysis(project: Project, start: Start) -> None:
    """Hundreds of functions take seconds to analyse; a hover is answered meanwhile."""
    many = "\n".join(BRANCH.replace("fn", f"fn{n}").split("\n", 1)[1] for n in range(700))
    editor = await start()
    uri = editor.open("m.py", "import torch\n" + many)
    small = editor.open("small.py", CLEAN)
    await asyncio.sleep(0.1)
    await editor.hover(small, 0, 0)
    assert editor.client.published == []
    assert len(await editor.pushed(uri)) == 700
