"""Real editors, without a screen: what a user pastes from docs/server.md, then a script in the editor's own language.

The script writes what it saw as JSON; the tests compare it with what the command line says of the same text.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import uuid
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Project
from tests.living import MARK, assert_nothing_lives

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
#: Whether a missing editor is a failure; `.ci/run` says so.
REQUIRED = os.environ.get("CAPTURE_LSP_EDITORS") == "required"
SECONDS = 300.0
#: What the pasted configuration turns off.
IGNORED = "CAP205"

#: A program that a probe never comes to the end of.
SLOW = """\
import pathlib
import time

import torch

pathlib.Path(__file__).with_suffix(".started").touch()
time.sleep(600)


@torch.compile
def fn(x: torch.Tensor) -> torch.Tensor:
    print(x)
    return x + 1
"""


def editor_named(name: str) -> str:
    """The path of an editor; the test is skipped where there is none, or fails where that is asked for."""
    found = shutil.which(os.environ.get(f"CAPTURE_LSP_{name.upper()}", name))
    if found is None:
        message = f"{name} is not installed"
        if REQUIRED:
            pytest.fail(f"{message}, and CAPTURE_LSP_EDITORS=required")
        pytest.skip(message)
    return found


def pasted(heading: str) -> str:
    """The code block below a line of docs/server.md, with one more setting that the tests can see."""
    page = (ROOT / "docs" / "server.md").read_text(encoding="utf-8")
    found = re.search(rf"^{re.escape(heading)}[^\n]*\n\n```\w+\n(.*?)^```$", page, re.M | re.S)
    assert found is not None, f"no code below {heading!r}"
    lua, lisp = "inlayHints = true", ":inlayHints t"
    assert found[1].count(lua) + found[1].count(lisp) == 1
    with_lua = found[1].replace(lua, f"{lua}, ignore = {{ '{IGNORED}' }}")
    return with_lua.replace(lisp, f'{lisp} :ignore ["{IGNORED}"]')


class Workspace(Project):
    """A project with copies of examples, and an editor in it."""

    def __init__(self, root: Path, home: Path) -> None:
        super().__init__(root, home)
        self.env[MARK] = uuid.uuid4().hex
        self.env["VIRTUAL_ENV"] = sys.prefix
        self.env["CAPTURE_LSP_CACHE_DIR"] = str(home / "cache")
        self.env["PATH"] = os.pathsep.join([os.path.dirname(sys.executable), os.environ["PATH"]])
        for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"):
            self.env.pop(name, None)

    def example(self, name: str) -> str:
        """Copy an example into the project; its text."""
        text = (ROOT / "examples" / name).read_text(encoding="utf-8")
        self.write(name, text)
        return text

    def session(self, command: list[str], **asked: Any) -> dict[str, Any]:
        """Run an editor to its end; what its script saw."""
        asked_path, seen_path = self.home / "asked.json", self.home / "seen.json"
        asked_path.write_text(json.dumps(asked), encoding="utf-8")
        env = {**self.env, "ASKED": str(asked_path), "SEEN": str(seen_path)}
        log = self.home / "editor.log"
        with log.open("wb") as output:
            process = subprocess.Popen(
                command, cwd=self.root, env=env, stdin=subprocess.DEVNULL, stdout=output, stderr=output
            )
            try:
                status = process.wait(SECONDS)
            finally:
                process.kill()
                process.wait()
        said = log.read_text(encoding="utf-8", errors="replace")
        assert seen_path.exists(), said
        seen: dict[str, Any] = json.loads(seen_path.read_text(encoding="utf-8"))
        assert "failure" not in seen, f"{seen['failure']}\n{json.dumps(seen, indent=1)}\n{said}"
        assert status == 0, said
        return seen

    def assert_nothing_lives(self) -> None:
        assert_nothing_lives(self.env[MARK])

    def findings(self, text: str, name: str) -> list[Finding]:
        """What the command line says of a text, without what the pasted configuration ignores."""
        path = self.home / "said" / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(text.encode("utf-8"))
        done = self.run("check", "--no-cache", "--output-format", "json", "--ignore", IGNORED, name, cwd=path.parent)
        return [Finding(**{k: f[k] for k in Finding.__annotations__}) for f in done.json["findings"]]

    def fixed(self, text: str, name: str, *options: str) -> str:
        """The text as the command line's fixes leave it."""
        path = self.home / "said" / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(text.encode("utf-8"))
        self.run("check", "--no-cache", "--fix", "--ignore", IGNORED, *options, name, cwd=path.parent)
        return path.read_bytes().decode("utf-8")


@dataclass(frozen=True)
class Finding:
    """A finding as the command line tells it; 1-based, columns are characters."""

    code: str
    severity: str
    message: str
    line: int
    column: int
    end_line: int
    end_column: int


def place(text: str, words: str) -> tuple[int, int]:
    """(line, column in characters) of some words, 0-based."""
    before = text[: text.index(words)]
    return before.count("\n"), len(before.rpartition("\n")[2])


def edit(text: str, old: str, new: str) -> tuple[str, dict[str, Any]]:
    """The text after an edit of one line, and the step that does it."""
    assert text.count(old) == 1
    return text.replace(old, new), {
        "step": "replace",
        "line": place(text, old)[0],
        "old": old,
        "new": new,
        "as": "text",
    }


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    if not Path("/proc/self/environ").exists():
        pytest.skip("the processes of a session are looked for in /proc")
    root, home = tmp_path / "project", tmp_path / "home"
    root.mkdir()
    home.mkdir()
    made = Workspace(root, home)
    made.write("pyproject.toml", "[project]\nname = 'examples'\n")
    return made
