"""The client of the probe: the folder that it injects, what it says when the probe cannot run, and what it does when
the probe dies. The small scripts stand in for a zygote only where a real one would have to fail."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from capture_lsp.probe import client as client_module
from capture_lsp.probe.client import Client, Unavailable
from capture_lsp.probe.injection import contents, injected
from capture_lsp.probe.launcher import START
from capture_lsp.probe.processes import alive, descendants
from capture_lsp.probe.run import run
from capture_lsp.probe.targets import Target, Work, request

HELLO = """
import json, os, sys, time, signal
def say(message):
    sys.stdout.write(json.dumps(message) + "\\n")
    sys.stdout.flush()
HELLO = {"version": 1, "torch": "2.13.0", "python": "3.11", "device": "cpu", "support": "full", "pid": os.getpid()}
"""

Made = Callable[..., Client]


@pytest.fixture
def scripted(tmp_path: Path) -> Made:
    """A client whose probe is a script."""

    def make(script: str, **options: Any) -> Client:
        (tmp_path / "start.py").write_text(HELLO + script, encoding="utf-8")
        return Client(sys.executable, str(tmp_path), "the test", **options)

    return make


def requests(tmp_path: Path, *names: str) -> list[dict[str, Any]]:
    return [request(Target(name, str(tmp_path / f"{name}.py"), "fn"), Work()) for name in names]


# the folder


def test_the_folder_holds_the_probe_alone(tmp_path: Path) -> None:
    folder = Path(injected(str(tmp_path)))
    assert sorted(os.listdir(folder)) == ["runtime_probe", "start.py"]
    assert "runtime_probe/report.py" in contents()
    assert not list(folder.rglob("*.pyc"))
    assert injected(str(tmp_path)) == str(folder)


def test_a_damaged_folder_is_mended(tmp_path: Path) -> None:
    folder = Path(injected(str(tmp_path)))
    (folder / "runtime_probe" / "report.py").write_text("raise SystemExit")
    (folder / "runtime_probe" / "job.py").unlink()
    assert injected(str(tmp_path)) == str(folder)
    for name, raw in contents().items():
        assert (folder / name).read_bytes() == raw
    assert os.listdir(tmp_path) == [folder.name]


def test_folders_of_other_versions_go_when_they_are_old(tmp_path: Path) -> None:
    old, recent = tmp_path / "probe-0000", tmp_path / "probe-1111"
    for folder in (old, recent):
        folder.mkdir()
    os.utime(old, (0, 0))
    injected(str(tmp_path))
    assert not old.exists()
    assert recent.exists()


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="no owners of files")
def test_no_code_is_run_from_a_folder_that_others_can_write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shared, temporary = tmp_path / "shared", tmp_path / "tmp"
    for folder in (shared, temporary):
        folder.mkdir()
    shared.chmod(0o777)
    monkeypatch.setattr("tempfile.gettempdir", lambda: str(temporary))
    found = Path(injected(str(shared)))
    assert temporary in found.parents
    assert not stat.S_IMODE(found.parent.stat().st_mode) & 0o022


def test_the_start_script_parses_as_the_oldest_python_and_puts_only_its_folder_first(tmp_path: Path) -> None:
    compile(START, "start.py", "exec")
    assert not set(START) & {"\u201c", "\u2192"}
    (tmp_path / "start.py").write_text(START)
    package = tmp_path / "runtime_probe"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "zygote.py").write_text("import sys\ndef main():\n    print(sys.path[0], len(sys.path))\n")
    plain = subprocess.run([sys.executable, "-c", "import sys; print(len(sys.path))"], capture_output=True, text=True)
    done = subprocess.run([sys.executable, "-u", str(tmp_path / "start.py")], capture_output=True, text=True)
    # `-c` puts the working directory there instead
    assert done.stdout.split() == [str(tmp_path), plain.stdout.strip()]


# what cannot run


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ('say({"fatal": {"kind": "no-torch", "message": "x"}})', ("no torch in", "the test", "--python")),
        ('say({"fatal": {"kind": "old-torch", "message": "torch 1.13"}})', ("too old", "torch 1.13")),
        ('say({"fatal": {"kind": "old-python", "message": "3.6"}})', ("Python 3.6", "3.9 or later", "--python")),
        ('say({"fatal": {"kind": "broken-torch", "message": "libc is missing"}})', ("libc is missing",)),
        ('raise ImportError("no such library")', ("no such library", "exit status 1", "--python")),
        ('print("usage: ls")', ("is it a Python", "--python")),
        ("os.kill(os.getpid(), signal.SIGKILL)", ("SIGKILL",)),
    ],
)
def test_why_it_cannot_run(scripted: Made, script: str, words: tuple[str, ...]) -> None:
    with scripted(script) as client, pytest.raises(Unavailable) as raised:
        client.start()
    for word in words:
        assert word in str(raised.value)
    assert "\n" not in str(raised.value)


def test_no_interpreter_there(tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match=r"cannot start .*--python"):
        Client(str(tmp_path / "python"), str(tmp_path)).start()


def test_a_probe_that_never_gets_ready(scripted: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client_module, "START_SECONDS", 1.0)
    client = scripted("time.sleep(600)")
    with pytest.raises(Unavailable, match="not ready"):
        client.start()
    assert client._process is None


# what dies

DIES_OF = """
say({"hello": HELLO})
sys.stdout.write("noise of a library\\n")
for line in sys.stdin:
    asked = json.loads(line)
    if asked["path"].endswith("bad.py"):
        os.kill(os.getpid(), signal.SIGSEGV)
    say({"id": asked["id"], "progress": {"part": "dynamo"}})
    say({"id": asked["id"], "entries": []})
"""


def test_a_death_costs_only_the_target_that_it_is_due_to(scripted: Made, tmp_path: Path) -> None:
    seen: list[tuple[int, str]] = []
    with scripted(DIES_OF, jobs=3) as client:
        replies = list(client.run(requests(tmp_path, "a", "bad", "b", "c"), lambda n, part, _: seen.append((n, part))))
        assert {r.number: bool(r.died) for r in replies} == {0: False, 1: True, 2: False, 3: False}
        assert "SIGSEGV" in next(r.died for r in replies if r.number == 1)
        assert len(client.notes) == 2
        assert "started again" in client.notes[0]
    assert {n for n, _ in seen} == {0, 2, 3}


def test_it_gives_up_on_a_probe_that_always_dies(scripted: Made, tmp_path: Path) -> None:
    with scripted('say({"hello": HELLO})\nsys.stdin.readline()\nsys.exit("no memory")') as client:
        replies = list(client.run(requests(tmp_path, *"abcdefgh")))
    assert sorted(r.number for r in replies) == list(range(8))
    assert all("no memory" in r.died for r in replies)
    assert "keeps dying" in replies[-1].died


def test_a_probe_that_no_longer_answers_is_ended(
    scripted: Made, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client_module, "GRACE_SECONDS", -119.0)
    with scripted('say({"hello": HELLO})\ntime.sleep(600)') as client:
        (reply,) = client.run(requests(tmp_path, "a"))
    assert "no longer answers" in reply.died


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="needs /proc")
def test_an_interrupt_leaves_no_process_behind(scripted: Made, tmp_path: Path) -> None:
    """Neither the zygote nor a grandchild in a session of its own."""
    script = """
say({"hello": HELLO})
signal.signal(signal.SIGTERM, signal.SIG_IGN)
import subprocess
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], start_new_session=True)
for line in sys.stdin:
    say({"id": json.loads(line)["id"], "progress": {"part": "dynamo"}})
time.sleep(600)
"""
    client = scripted(script)
    hello = client.start()
    seen: list[Any] = []

    def interrupt(*_: object) -> None:
        seen.extend(descendants(hello.pid))
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        list(client.run(requests(tmp_path, "a"), interrupt))
    assert len(seen) == 1
    ends = time.monotonic() + 10  # it is no child of ours: nobody waits for what was killed to be gone
    while alive(seen[0]) and time.monotonic() < ends:
        time.sleep(0.01)
    assert not alive(seen[0])
    with pytest.raises(ProcessLookupError):
        os.kill(hello.pid, 0)


@pytest.mark.parametrize("jobs", [1, 2])
def test_no_more_requests_than_jobs_are_under_way(scripted: Made, tmp_path: Path, jobs: int) -> None:
    script = """
import select
say({"hello": HELLO})
waiting, most, text = [], 0, ""
while True:
    while select.select([0], [], [], 0.5)[0]:
        data = os.read(0, 1 << 16).decode()
        if not data:
            sys.exit()
        text += data
        while "\\n" in text:
            line, _, text = text.partition("\\n")
            waiting.append(json.loads(line)["id"])
    most = max(most, len(waiting))
    if waiting:
        say({"id": waiting.pop(0), "entries": [{"most": most}]})
"""
    with scripted(script, jobs=jobs) as client:
        entries: list[Any] = [entry for reply in client.run(requests(tmp_path, *"abcd")) for entry in reply.entries]
    assert max(entry["most"] for entry in entries) == jobs


# the real one


def test_two_targets_share_one_real_zygote(tmp_path: Path) -> None:
    """Prints of the program do not disturb the talk; a file that is missing costs itself alone."""
    (tmp_path / "m.py").write_text(
        "import torch\nprint('{\"id\": 1}')\ndef fn(x):\n    if x.sum() > 0:\n        return x + 1\n    return x\n"
    )
    target = Target("m.py::fn", str(tmp_path / "m.py"), "fn", ("torch.ones(3)",))
    missing = Target("gone.py", str(tmp_path / "gone.py"))
    with Client(sys.executable, injected(str(tmp_path / "cache")), jobs=2) as client:
        report = run(client, [target, missing, target], Work())
        hello = client.start()
        assert report["torch"] == hello.torch
    assert [error["message"] for error in report["errors"]] == ["no such file"]
    assert [entry["target"] for entry in report["entries"]] == ["m.py::fn", "m.py::fn"]
    for entry in report["entries"]:
        assert (entry["status"], entry["message"]) == ("ok", "")
        (found,) = entry["frames"][0]["breaks"]
        assert (found["line"], found["column"], found["graph_break"]) == (4, 8, "GB0170")
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline and _exists(hello.pid):
        time.sleep(0.1)
    assert not _exists(hello.pid)
    assert threading.active_count() < 10


def _exists(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
