"""Runs the real command in a project of its own, with its own home and cache."""

from __future__ import annotations

import atexit
import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.cli.forked import Forks, serves

SECONDS = 120.0

#: A program with one finding, CAP101 at 5:8-5:19.
BRANCH = """\
import torch

@torch.compile
def fn(x: torch.Tensor) -> torch.Tensor:
    if x.sum() > 0:
        return x + 1
    return x - 1
"""

#: A program without findings.
CLEAN = """\
import torch

@torch.compile
def fn(x: torch.Tensor) -> torch.Tensor:
    return torch.where(x.sum() > 0, x + 1, x - 1)
"""


@dataclass
class Done:
    """What a command did."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def codes(self) -> list[tuple[str, str, int]]:
        """(path, code, line) of each finding."""
        return [(f["path"], f["code"], f["line"]) for f in self.json["findings"]]


@cache
def _forks() -> Forks:
    """The loaded process of this test process; they end together."""
    made = Forks()
    atexit.register(made.close)
    return made


class Project:
    """A folder with files, and the command run in it."""

    def __init__(self, root: Path, home: Path) -> None:
        self.root = root
        self.home = home
        self.env = {
            k: v for k, v in os.environ.items() if k not in ("VIRTUAL_ENV", "NO_COLOR", "FORCE_COLOR", "XDG_CACHE_HOME")
        }
        self.env.update(HOME=str(home), USERPROFILE=str(home), LOCALAPPDATA=str(home), TERM="xterm")

    @classmethod
    def in_folder(cls, folder: Path) -> Project:
        """A new one, below a folder."""
        root, home = folder / "project", folder / "home"
        root.mkdir()
        home.mkdir()
        return cls(root, home)

    @classmethod
    def with_our_path(cls, folder: Path) -> Project:
        """A new one, whose programs see the packages of this process, torch among them."""
        made = cls.in_folder(folder)
        made.env["PYTHONPATH"] = os.pathsep.join(p for p in sys.path if p and not p.startswith(str(made.root)))
        return made

    def write(self, name: str, content: str | bytes = BRANCH) -> Path:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode("utf-8") if isinstance(content, str) else content)
        return path

    def command(self, *arguments: str) -> list[str]:
        return [sys.executable, "-m", "capture_lsp", *arguments]

    def run(
        self,
        *arguments: str,
        stdin: bytes = b"",
        cwd: Path | None = None,
        env: Mapping[str, str] | None = None,
    ) -> Done:
        """Run the command to its end: in a fork of a process that has it loaded where that is as good as a new one."""
        folder, environ = cwd or self.root, {**self.env, **(env or {})}
        if serves(environ):
            status, out, err = _forks().run(arguments, folder, environ, stdin, SECONDS)
        else:
            done = subprocess.run(
                self.command(*arguments),
                cwd=folder,
                env=environ,
                input=stdin,
                capture_output=True,
                timeout=SECONDS,
                check=False,
            )
            status, out, err = done.returncode, done.stdout, done.stderr
        return Done(status, out.decode("utf-8"), err.decode("utf-8"))

    def check(self, *arguments: str, stdin: bytes = b"", cwd: Path | None = None) -> Done:
        """`check` with the JSON format and no cache."""
        return self.run("check", "--output-format", "json", "--no-cache", *arguments, stdin=stdin, cwd=cwd)


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project.in_folder(tmp_path)
