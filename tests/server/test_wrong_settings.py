"""A configuration that is wrong: what was right goes on, and the mistake is shown where it stands."""

from __future__ import annotations

import pytest
from lsprotocol import types as t

from tests.cli.conftest import BRANCH, Project

from .conftest import Editor, Start, until
from .test_configuring import renewed

pytestmark = pytest.mark.asyncio

HINT = "[severity]\nCAP101 = 'hint'\n"


def shown(editor: Editor, name: str) -> list[tuple[int, str]]:
    """(0-based line, message) of what is told of a configuration file."""
    return [(d.range.start.line, d.message) for d in editor.client.diagnostics.get(editor.uri(name), ())]


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ("# ours\nignroe = []\n", 1, "did you mean 'ignore'?"),
        ("# ours\n\nselect = [\n", 2, "not valid TOML"),
        ("a = 1\nb = = 2\n", 1, "not valid TOML"),
        ("exclude = []\nmax-file-size = 'big'\n", 1, "max-file-size must be"),
        ("exclude = []\nignore = ['CAP101', 'CAP999']\n", 1, "no rule matches 'CAP999'"),
    ],
)
async def test_the_last_that_was_right_holds(project: Project, start: Start, text: str, line: int, says: str) -> None:
    path = project.write("capture-lsp.toml", HINT)
    editor = await start()
    uri = editor.open("m.py", BRANCH)
    [found] = await editor.pushed(uri)
    assert found.severity == t.DiagnosticSeverity.Hint
    [found] = await renewed(editor, path, text, uri)
    assert found.severity == t.DiagnosticSeverity.Hint
    await until(lambda: shown(editor, "capture-lsp.toml"))
    [(at, message)] = shown(editor, "capture-lsp.toml")
    assert at == line
    assert says in message
    assert len(await editor.messages(says)) == 1
    [found] = await renewed(editor, path, "", uri)
    assert found.severity == t.DiagnosticSeverity.Warning
    await until(lambda: not shown(editor, "capture-lsp.toml"))


async def test_the_defaults_where_nothing_was_right(project: Project, start: Start) -> None:
    project.write("pyproject.toml", "[project]\nignroe = 1\n\n[tool.capture-lsp]\nignroe = []\n")
    editor = await start()
    [found] = await editor.pushed(editor.open("m.py", BRANCH))
    assert found.severity == t.DiagnosticSeverity.Warning
    await until(lambda: shown(editor, "pyproject.toml"))
    assert [line for line, _ in shown(editor, "pyproject.toml")] == [4]


async def test_a_mistake_in_the_editor_s_settings(project: Project, start: Start) -> None:
    """There is no place to show: a message, and the file's settings go on."""
    project.write("capture-lsp.toml", HINT)
    editor = await start(settings={"ignore": ["CAP999"]})
    uri = editor.open("m.py", BRANCH)
    assert len(await editor.messages("no rule matches 'CAP999'")) == 1
    await until(lambda: [d.severity for d in editor.client.diagnostics.get(uri, ())] == [t.DiagnosticSeverity.Hint])
    assert shown(editor, "capture-lsp.toml") == []


async def test_an_interpreter_that_is_none(project: Project, start: Start) -> None:
    """What to change is named as the editor's user knows it."""
    python = project.write("env/bin/python", "#!/bin/sh\nexit 3\n")
    python.chmod(0o755)
    project.write("capture-lsp.toml", 'python = "env/bin/python"\n')
    editor = await start()
    told = str(await editor.run("capture-lsp.doctor"))
    told += " ".join(message.message for message in editor.client.messages)
    assert "is it a Python? name another with the setting python" in told
    assert "--python" not in told
