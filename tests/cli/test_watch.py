"""`check --watch`."""

from __future__ import annotations

import queue
import signal
import subprocess
import sys
import threading

import pytest

from .conftest import BRANCH, CLEAN, Project


@pytest.mark.skipif(sys.platform == "win32", reason="signals differ")
def test_watch_checks_again_after_each_change(project: Project) -> None:
    project.write("m.py", CLEAN)
    process = subprocess.Popen(
        project.command("check", ".", "--watch", "--output-format", "concise", "--statistics"),
        cwd=project.root,
        env=project.env,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    lines: queue.Queue[str] = queue.Queue()

    def read() -> None:
        assert process.stdout is not None
        for line in process.stdout:
            lines.put(line)

    threading.Thread(target=read, daemon=True).start()

    def until(text: str) -> list[str]:
        found = []
        while True:
            line = lines.get(timeout=60)
            found.append(line)
            if text in line:
                return found

    try:
        assert not any("CAP101" in line for line in until("Watching"))
        project.write("m.py", BRANCH)
        assert any("m.py:5:8: CAP101" in line for line in until("Watching"))
        project.write("new.py", BRANCH)
        assert any("new.py" in line for line in until("Watching"))
        project.write("capture-lsp.toml", "selekt = []")
        assert any("unknown setting" in line for line in until("Watching"))
        project.write("capture-lsp.toml", 'ignore = ["CAP101"]')
        assert not any("CAP101" in line for line in until("Watching"))
    finally:
        process.send_signal(signal.SIGINT)
    assert process.wait(30) == 0


def test_watch_does_not_go_with_fixes(project: Project) -> None:
    assert project.run("check", ".", "--watch", "--fix").status == 2
