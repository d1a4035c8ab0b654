"""A browser without a window, the simulator as a process, and PyTorch beside it.

Chromium is the system's, driven by the package `playwright`. CAPTURE_LSP_SCREENSHOTS names a folder for pictures of the
pages; without it none are kept.
"""

from __future__ import annotations

import json
import re
import select
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.browser.needs import REQUIRED, chromium, missing
from tests.browser.simulator import Simulator
from tests.browser.watched import Watched
from tests.cli.conftest import Project
from tests.living import MARK, assert_nothing_lives

if TYPE_CHECKING:
    from playwright.sync_api import Browser

SECONDS = 120.0


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    why = missing()
    if why and not REQUIRED:
        for item in items:
            if Path(__file__).parent in item.path.parents:
                item.add_marker(pytest.mark.skip(reason=why))


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    assert missing() == "", f"{missing()}, and CAPTURE_LSP_BROWSER=required"
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        # Its own sandbox needs rights that containers do not give; the pages are ours.
        launched = playwright.chromium.launch(
            executable_path=chromium(), args=["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
        )
        try:
            yield launched
        finally:
            launched.close()


@pytest.fixture
def watched(browser: Browser) -> Iterator[Watched]:
    """Opens pages; in the end nothing may have gone wrong in them."""
    made = Watched(browser)
    try:
        yield made
        made.assert_well()
    finally:
        made.close()


@pytest.fixture(scope="session")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """A folder of the user's, with a home of its own."""
    return Project.with_our_path(tmp_path_factory.mktemp("browser"))


@pytest.fixture(scope="session")
def simulator(environment: Project) -> Iterator[Simulator]:
    """`capture-lsp simulate --gallery`, as a user starts it; Ctrl-C ends it, and all that it started."""
    command = [sys.executable, "-m", "capture_lsp", "simulate", "--gallery", "--no-browser", "--quiet"]
    mark = uuid.uuid4().hex
    process = subprocess.Popen(
        [*command, "--python", sys.executable],
        cwd=environment.root,
        env={**environment.env, MARK: mark},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    try:
        yield Simulator(_address(process))
        process.send_signal(signal.SIGINT)
        said, _ = process.communicate(timeout=SECONDS)
        assert process.returncode == 0, said
        assert "Traceback" not in said
        if Path("/proc/self/environ").exists():
            assert_nothing_lives(mark)
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()


def _address(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    said, end = "", time.monotonic() + SECONDS
    while time.monotonic() < end:
        if select.select([process.stdout], [], [], 1.0)[0]:
            line = process.stdout.readline()
            assert line, said
            said += line
            found = re.search(r"http://\S+", line)
            if found is not None:
                return found[0]
    raise AssertionError(f"no address within {SECONDS:.0f} seconds: {said}")


class Direct:
    """PyTorch in a process that knows nothing of ours (`direct.py`)."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-P" if sys.version_info >= (3, 11) else "-s", str(Path(__file__).with_name("direct.py"))],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            cwd="/",
        )

    def run(self, **question: Any) -> list[dict[str, Any]]:
        """The figures of each call."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(question) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        assert line, question
        answer = json.loads(line)
        assert answer["foreign"] == []
        figures: list[dict[str, Any]] = answer["figures"]
        return figures

    def close(self) -> None:
        self._process.kill()
        self._process.communicate()


@pytest.fixture(scope="session")
def direct() -> Iterator[Direct]:
    made = Direct()
    try:
        yield made
    finally:
        made.close()
