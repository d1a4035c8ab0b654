"""Runs the command in this process, in a folder of its own, and reads the data out of the page that it wrote."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from capture_lsp import pages
from capture_lsp.cli import main

#: The day of every run, so that pages are the same.
DATE = "2026-03-01"


@dataclass
class Reported:
    """What a run left."""

    status: int
    out: str
    err: str
    text: str

    @property
    def data(self) -> Any:
        found = re.search(r'<script type="application/json" id="data">(.*?)</script>', self.text, re.S)
        assert found is not None
        return json.loads(found[1])


class Reporter:
    """The command in a folder."""

    def __init__(self, root: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.root = root
        self._capsys = capsys

    def write(self, name: str, content: str | bytes) -> None:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode("utf-8") if isinstance(content, str) else content)

    def run(self, *arguments: str) -> Reported:
        """The page is `capture-report.html`; empty where none was written."""
        page = self.root / "capture-report.html"
        page.unlink(missing_ok=True)
        status = main(["report", *arguments, "--no-cache", "--jobs", "1", "--date", DATE])
        out, err = self._capsys.readouterr()
        return Reported(status, out, err, page.read_text("utf-8") if page.exists() else "")


@pytest.fixture
def reporter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Reporter:
    """In an empty folder; the page's script and styles need not be built for its data to be looked at."""
    root, assets, home = tmp_path / "project", tmp_path / "assets", tmp_path / "home"
    for folder in (root, assets, home):
        folder.mkdir()
    (assets / "report.js").write_text("'use strict';", encoding="utf-8")
    (assets / "report.css").write_text("body { margin: 0 }", encoding="utf-8")
    monkeypatch.setattr(pages, "ASSETS", assets)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_CACHE_HOME", str(home))
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))
    monkeypatch.chdir(root)
    return Reporter(root, capsys)
