"""Which files of the workspace capture something."""

from __future__ import annotations

import os
from queue import Queue

from capture_lsp.server.workspace_scan import WorkspaceScan
from tests.cli.conftest import BRANCH, Project

SECONDS = 30


def test_it_is_kept_up(project: Project) -> None:
    project.write(".gitignore", "ignored.py\n")
    project.write("capture-lsp.toml", "extend-exclude = ['out']\n")
    for name in ("a.py", "pkg/b.py", "ignored.py", "out/c.py", "build/d.py", "words.txt"):
        project.write(name)
    project.write("plain.py", "import torch\n")
    told: Queue[tuple[str, ...]] = Queue()
    scan = WorkspaceScan(told.put)
    folders = {str(project.root): {}}

    def found() -> set[str]:
        return {os.path.relpath(path, project.root) for path in told.get(timeout=SECONDS)}

    try:
        scan.ask(folders)
        assert found() == {"a.py", os.path.join("pkg", "b.py")}
        project.write("plain.py", BRANCH)
        (project.root / "a.py").unlink()
        scan.ask(folders)
        assert found() == {"plain.py", os.path.join("pkg", "b.py")}
        scan.ask({})
        assert found() == set()
    finally:
        scan.stop()
    assert told.empty()
