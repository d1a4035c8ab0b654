"""The command with the real compiler: served, exported, ended."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from capture_lsp.errors import UserError
from capture_lsp.pages import ASSETS
from capture_lsp.probe.client import Client
from capture_lsp.probe.injection import injected
from capture_lsp.probe.processes import alive, descendants
from capture_lsp.probe.targets import Work, parse
from capture_lsp.simulator.asking import Asker, Failed
from capture_lsp.simulator.export import export
from capture_lsp.simulator.program import Program, Surveyed, of_target
from tests.cli.conftest import Project

torch = pytest.importorskip("torch")
pytestmark = [
    pytest.mark.truth,
    pytest.mark.skipif(not (ASSETS / "simulator.js").exists(), reason="no built pages here (make pages)"),
]

PROGRAM = '''\
"""Two ways </script>"""
import torch


# capture: inputs(torch.ones(3))
def fn(x: torch.Tensor) -> torch.Tensor:
    if x.sum() > 0:
        return x * 2
    return x - 3
'''
SECONDS = 180.0


@dataclass
class Served:
    """A server that runs. `url` has the token."""

    process: subprocess.Popen[str]
    url: str

    def ask(self, method: str, path: str = "/", body: Any = None) -> tuple[int, str]:
        parts = urlsplit(self.url)
        connection = http.client.HTTPConnection(parts.netloc, timeout=SECONDS)
        try:
            token = parse_qs(parts.query)["token"][0]
            raw = None if body is None else json.dumps(body).encode()
            connection.request(method, f"{path}?{parts.query}", raw, {"X-Capture-Token": token})
            reply = connection.getresponse()
            return reply.status, reply.read().decode()
        finally:
            connection.close()

    def run(self, frontend: str, *calls: Any) -> tuple[int, Any]:
        status, text = self.ask("POST", "/api/run", {"request": {"frontend": frontend, "calls": list(calls)}})
        return status, json.loads(text)

    def data(self) -> Any:
        status, text = self.ask("GET")
        assert status == 200, text
        return data_of(text)


def data_of(page: str) -> Any:
    """What a page holds for its script."""
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    return json.loads(found[1])


def started(project: Project, *arguments: str) -> Served:
    command = project.command("simulate", *arguments, "--no-browser", "--quiet", "--python", sys.executable)
    process = subprocess.Popen(
        command, cwd=project.root, env=project.env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stderr is not None
    url = process.stdout.readline().strip()
    if not url:
        process.wait(SECONDS)
        raise AssertionError(process.stderr.read())
    return Served(process, url)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    made = Project.with_our_path(tmp_path_factory.mktemp("simulated"))
    made.write("two.py", PROGRAM)
    return made


@pytest.fixture(scope="module")
def served(project: Project) -> Iterator[Served]:
    found = started(project, "two.py")
    yield found
    found.process.kill()
    found.process.communicate()


def given(data: Any, **more: Any) -> dict[str, Any]:
    sizes = [size["values"].index(size["given"]) for size in data["survey"]["controls"]["sizes"]]
    return {"inputs": 0, "sizes": sizes, "numbers": [], "dtype": 0, "mode": 0, **more}


def test_what_is_served_is_run_when_it_is_asked_for(served: Served, project: Project) -> None:
    data = served.data()
    assert (data["live"], data["runs"], data["title"]) == (True, [], "two.py::fn")
    survey = data["survey"]
    assert (survey["path"], survey["entry"], survey["source"]) == ("two.py", "fn", PROGRAM)
    assert [d["text"] for d in survey["controls"]["decisions"]] == ["x.sum() > 0"]
    assert survey["controls"]["inputs"][1]["ways"] == ["False"]
    status, answer = served.run("trace", given(data), given(data, inputs=1))
    assert status == 200
    captured, later = answer["run"]["calls"]
    assert (captured["branches"], captured["answer"]) == ("same way", "right")
    assert (later["branches"], later["answer"], later["missed"]) == ("lost", "wrong", "9")
    assert "without `return x - 3` (line 9)" in later["explanation"]
    assert "off by" in later["explanation"]
    assert str(project.root) not in json.dumps([data, answer])
    assert served.run("trace", given(data), given(data, inputs=1)) == (status, answer)


def test_a_changed_file_is_told_and_surveyed_anew(served: Served, project: Project) -> None:
    data = served.data()
    changed = PROGRAM.replace("x.sum() > 0", "x.mean() > 5")
    project.write("two.py", changed)
    status, answer = served.run("eager", given(data))
    assert (status, answer["changed"]) == (409, True)
    assert served.data()["survey"]["controls"]["decisions"][0]["text"] == "x.mean() > 5"
    assert served.run("eager", given(data))[0] == 200
    project.write("two.py", "no Python (")
    status, text = served.ask("GET")
    assert (status, "syntax error" in text) == (500, True)
    project.write("two.py", changed)


def test_ctrl_c_leaves_nothing_behind_though_something_runs(served: Served) -> None:
    """Begun while a run goes on, so that there is something to be left behind."""
    data = served.data()
    run = threading.Thread(target=lambda: ended(served, data))
    run.start()
    below = descendants(served.process.pid)
    until = time.monotonic() + SECONDS
    while len(descendants(served.process.pid)) <= len(below) and run.is_alive() and time.monotonic() < until:
        time.sleep(0.01)
    below = descendants(served.process.pid)
    assert below
    served.process.send_signal(signal.SIGINT)
    _, errors = served.process.communicate(timeout=SECONDS)
    assert served.process.returncode == 0
    assert "Traceback" not in errors
    while any(alive(one) for one in below) and time.monotonic() < until:
        time.sleep(0.05)
    assert not [one for one in below if alive(one)]
    run.join(SECONDS)
    assert not run.is_alive()


def ended(served: Served, data: Any) -> None:
    """A request whose answer may never come."""
    with contextlib.suppress(OSError, http.client.HTTPException, ValueError):
        served.run("dynamo", given(data), given(data, inputs=1), given(data))


class _References(HTMLParser):
    """Everything in a page that can make a browser load something."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, str, str]] = []
        self.policy = ""
        self.handlers: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        if tag == "meta" and values.get("http-equiv") == "Content-Security-Policy":
            self.policy = values["content"] or ""
        for name in ("src", "href", "action", "data", "poster", "srcset", "background"):
            if name in values:
                self.found.append((tag, name, values[name] or ""))
        self.handlers += [name for name in values if name.startswith("on") or name == "style"]


@pytest.fixture(scope="module")
def asker() -> Iterator[Asker]:
    with Client(sys.executable, injected()) as client:
        yield Asker(client, Work(parts=()), lambda path: ())


@pytest.fixture(scope="module")
def surveyed(project: Project, asker: Asker) -> Surveyed:
    project.write("same.py", PROGRAM)
    return asker.survey(program(project, "same.py::fn"))


def program(project: Project, text: str, *inputs: str) -> Program:
    return of_target(parse(text, str(project.root), inputs), str(project.root))


def test_an_exported_page_is_whole_and_asks_for_nothing(project: Project, asker: Asker, surveyed: Surveyed) -> None:
    path = project.root / "page.html"
    told: list[tuple[int, int]] = []
    planned = export(asker, surveyed, str(path), 40, lambda *done: told.append(done))
    assert told[-1] == (40, 40)
    text = path.read_text(encoding="utf-8")
    assert 200_000 < len(text) < 3_000_000
    page = _References()
    page.feed(text)
    assert page.found == [("link", "href", "data:,")]
    assert page.handlers == []
    assert page.policy.startswith("default-src 'none'; script-src 'sha256-")
    assert "connect-src 'none'" in page.policy
    assert "unsafe" not in page.policy
    assert text.count("</script>") == 2  # that in the program's docstring does not end the data
    data = data_of(text)
    assert data["live"] is False
    assert data["recorded"] == planned.told
    assert len(data["runs"]) == 40
    assert data["shared"]
    for folder in (str(project.root), os.path.dirname(os.path.dirname(torch.__file__))):
        assert folder not in json.dumps(data)


@pytest.mark.parametrize(
    ("target", "inputs", "text"),
    [
        ("gone.py", (), "gone.py: no such file"),
        ("two.py::none", (), "none"),
        ("two.py::fn", ("undefined_name",), "undefined_name"),
        ("two.py::fn", ("(torch.ones(3), 1)",), "the program itself fails with (torch.ones(3), 1): TypeError"),
        ("several.py", (), "several.py has several entries, name one of them: several.py::one, several.py::two"),
        ("empty.py", (), "empty.py: nothing to capture was found in this file: name what to call, as empty.py::NAME"),
        ("broken.py::fn", (), "broken.py:1: syntax error"),
    ],
)
def test_what_cannot_be_surveyed(
    project: Project, asker: Asker, target: str, inputs: tuple[str, ...], text: str
) -> None:
    one = "import torch\n\n\ndef one(x: torch.Tensor):\n    return x\n\n\ndef two(x: torch.Tensor):\n    return x\n"
    project.write("several.py", one)
    project.write("empty.py", "VALUE = 1\n")
    project.write("broken.py", "def fn(:\n")
    with pytest.raises(Failed) as failed:
        asker.survey(program(project, target, *inputs))
    assert text in str(failed.value)
    assert len(re.findall(rf"{target.partition('::')[0]}:(?!:)", str(failed.value))) <= 1


def test_inputs_that_are_made_up_are_known_as_such(project: Project, asker: Asker, surveyed: Surveyed) -> None:
    project.write("without.py", PROGRAM.replace("# capture: inputs(torch.ones(3))", ""))
    assert asker.survey(program(project, "without.py")).made_up
    assert not surveyed.made_up


def test_a_page_that_cannot_be_written(asker: Asker, surveyed: Surveyed, tmp_path: Path) -> None:
    (tmp_path / "page.html").mkdir()
    with pytest.raises(UserError, match=re.escape(str(tmp_path / "page.html"))):
        export(asker, surveyed, str(tmp_path / "page.html"), 1)
    assert os.listdir(tmp_path) == ["page.html"]


def test_more_combinations_than_a_page_can_hold(asker: Asker, surveyed: Surveyed, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="too many for one file: give --limit"):
        export(asker, surveyed, str(tmp_path / "page.html"), None)
