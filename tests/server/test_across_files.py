"""What one file says of another: both open, or one of them only in the workspace."""

from __future__ import annotations

import pytest
from lsprotocol import types as t

from tests.cli.conftest import CLEAN, Project

from .conftest import Start, places, until

pytestmark = pytest.mark.asyncio

#: A function with a finding, if something captures it.
HELPER = """\
import torch


def cool(x: torch.Tensor) -> torch.Tensor:
    if x.sum() > 0:
        return x + 1
    return x
"""
USER = "import torch\nfrom helper import cool\n\nfast = torch.compile(cool)\n"
AT = [("CAP101", 4, 7, 4, 18)]


async def test_a_capture_typed_in_another_open_file(project: Project, start: Start) -> None:
    project.write("helper.py", HELPER)
    editor = await start()
    helper = editor.open("helper.py")
    user = editor.open("user.py", "import torch\nfrom helper import cool\n")
    await editor.pushed(user)
    assert await editor.pushed(helper) == []
    count = len(editor.client.published)
    editor.change(user, "\nfast = torch.compile(cool)\n", (2, 0, 2, 0))
    assert places(await editor.pushed(helper, count=count)) == AT
    # And the other way round: the importer's findings follow the file that it imports.
    count = len(editor.client.published)
    version = editor.change(
        user, "@torch.compile\ndef fn(x: torch.Tensor):\n    return x * int(cool(x))\n", (2, 0, 9, 0)
    )
    before = await editor.pushed(user, version, count=count)
    assert before
    count = len(editor.client.published)
    editor.change(helper, "def cool(x):\n    return 2\n")
    assert await editor.pushed(user, version, count=count) == []


async def test_a_capture_in_a_file_that_is_not_open(project: Project, start: Start) -> None:
    project.write("helper.py", HELPER)
    project.write("user.py", USER)
    editor = await start()
    helper = editor.open("helper.py")
    await until(lambda: places(editor.client.diagnostics.get(helper, ())) == AT)
    told = project.run("check", "--no-cache", "--output-format", "json", ".").codes
    assert told == [("helper.py", "CAP101", 5)]

    def changed(kind: t.FileChangeType) -> None:
        event = t.FileEvent(editor.uri("user.py"), kind)
        editor.client.workspace_did_change_watched_files(t.DidChangeWatchedFilesParams([event]))

    project.write("user.py", CLEAN)
    changed(t.FileChangeType.Changed)
    await until(lambda: not editor.client.diagnostics[helper])
    project.write("user.py", USER + "\n")
    changed(t.FileChangeType.Changed)
    await until(lambda: places(editor.client.diagnostics[helper]) == AT)
    (project.root / "user.py").unlink()
    changed(t.FileChangeType.Deleted)
    await until(lambda: not editor.client.diagnostics[helper])
