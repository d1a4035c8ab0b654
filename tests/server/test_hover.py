"""Hovers."""

from __future__ import annotations

import pytest
from lsprotocol import types as t

from tests.cli.conftest import BRANCH, CLEAN, Project

from .conftest import Start, capabilities

pytestmark = pytest.mark.asyncio


async def test_on_a_finding(project: Project, start: Start) -> None:
    editor = await start()
    uri = editor.open("m.py", BRANCH)
    await editor.pushed(uri)
    shown = await editor.hover(uri, 4, 9)
    assert "/CAP101.md)** data-dependent-branch · warning" in shown
    assert "| compile | breaks the graph | predicted | in use |" in shown
    assert "| trace | silently wrong | predicted |  |" in shown
    assert f"- x is a tensor: parameter of fn ([4]({uri}#L4))" in shown
    assert "/gb/gb0170.html)" in shown
    assert "Fix: " in shown
    assert await editor.hover(uri, 4, 4) == ""
    assert await editor.hover(uri, 400, 4) == ""


async def test_what_the_client_shows_beside_it_is_not_said_again(project: Project, start: Start) -> None:
    editor = await start(options={"captureView": True})
    uri = editor.open("m.py", BRANCH)
    [found] = await editor.pushed(uri)
    shown = await editor.hover(uri, 4, 9)
    assert "| compile | breaks the graph | predicted | in use |" in shown
    assert found.message not in shown
    assert "parameter of fn" not in shown
    assert any("parameter of fn" in place.message for place in found.related_information or ())


async def test_on_a_code_in_a_suppression(project: Project, start: Start) -> None:
    editor = await start()
    text = BRANCH.replace("> 0:", "> 0:  # capture: ignore[CAP101]")
    uri = editor.open("m.py", text + "s = '# capture: ignore[CAP101]'\n")
    await editor.pushed(uri)
    line = text.split("\n")[4]
    assert "data-dependent-branch" in await editor.hover(uri, 4, line.index("CAP101") + 2)
    assert await editor.hover(uri, 4, line.index("capture")) == ""
    assert "CAP101" not in await editor.hover(uri, 7, 24)  # in a string


async def test_on_what_a_suppression_says(project: Project, start: Start) -> None:
    editor = await start()
    text = BRANCH.replace("> 0:", "> 0:  # capture: ignore[CAP101] until=torch>=9.1 -- waits for *us*")
    uri = editor.open("m.py", text)
    await editor.pushed(uri)
    line = text.split("\n")[4]
    for word, rule in (("CAP101", True), ("torch>=", False)):
        shown = await editor.hover(uri, 4, line.index(word) + 1)
        assert ("data-dependent-branch" in shown) is rule
        assert "Holds until torch 9.1." in shown
        assert "Reason: waits for \\*us\\*" in shown


async def test_for_a_client_without_markdown(project: Project, start: Start) -> None:
    caps = capabilities()
    assert caps.text_document is not None
    caps.text_document.hover = t.HoverClientCapabilities(content_format=[t.MarkupKind.PlainText])
    editor = await start(caps=caps)
    uri = editor.open("m.py", BRANCH)
    await editor.pushed(uri)
    shown = await editor.hover(uri, 4, 9)
    assert shown.startswith("CAP101 data-dependent-branch · warning")
    assert "](" not in shown
    assert "**" not in shown
    assert "---" not in shown


async def test_nothing_is_told_of_places_that_have_moved(project: Project, start: Start) -> None:
    editor = await start()
    uri = editor.open("m.py", BRANCH)
    await editor.pushed(uri)
    version = editor.change(uri, CLEAN)
    assert "CAP101" not in await editor.hover(uri, 4, 9)
    await editor.pushed(uri, version)
    assert await editor.hover(uri, 4, 9) == ""
