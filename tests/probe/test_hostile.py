"""Programs that hang, crash, flood and fork: each ends within its limits, says why, and leaves nothing behind."""

from __future__ import annotations

import os
import pathlib
import shutil
import subprocess
import time
from collections.abc import Iterator
from typing import Any

import pytest

from tests.probe.zygote import Zygote

FOLDER = pathlib.Path(__file__).parent / "hostile"
#: Seconds that a program may take, and that one part of its probe may take: for those that hang, and for the others.
HANGS, ENDS = (20.0, 4.0), (120.0, 60.0)

#: Program → status, a piece of the message, and lines of breaks that are known in spite of the end.
EXPECTED: dict[str, tuple[str, str, list[int]]] = {
    "loop": ("timeout", "no answer after 4 s", [6]),
    "memory": ("killed", "of memory (limit 1.5)", []),
    "huge": ("failed", "you tried to allocate", []),
    "ends_itself": ("killed", "the program ended itself (exit status 3)", [7]),
    "segfault": ("killed", "segmentation fault", [8, 9]),
    "recursion": ("failed", "maximum recursion depth exceeded", []),
    "missing_module": ("failed", "install it there, or choose another interpreter with --python", []),
    "flood": ("killed", "stopped after printing 64 MiB", []),
    "daemon": ("ok", "", [15]),
    "ask": ("failed", "standard input", []),
    "signals": ("timeout", "no answer after 4 s", []),
    "forks": ("ok", "", [15]),
    "slow_compile": ("timeout", "no answer after 4 s", [6]),
    "args": ("failed", "give them after --", []),
}


@pytest.fixture(scope="module")
def zygote(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Zygote]:
    started = Zygote(tmp_path_factory.mktemp("probe"))
    yield started
    assert started.close() == 0


def _ask(zygote: Zygote, path: pathlib.Path, **more: Any) -> dict[str, Any]:
    seconds, part = HANGS if EXPECTED.get(path.stem, ("",))[0] == "timeout" else ENDS
    limits = {"seconds": seconds, "part": part, "memory": int(1.5 * (1 << 30))}
    (entry,) = zygote.ask(path, limits=limits, **more)
    return entry


def _left_behind(zygote: Zygote) -> list[str]:
    """Living processes of the zygote's session and below it, other than itself."""
    table = subprocess.run(["ps", "-axwwo", "pid=,stat=,args="], capture_output=True, text=True, check=True).stdout
    start = str(zygote.process.args[2])  # type: ignore[index]
    rows = [line.split(None, 2) for line in table.splitlines()]
    return [
        " ".join(row)
        for row in rows
        if len(row) == 3 and start in row[2] and int(row[0]) != zygote.process.pid and not row[1].startswith("Z")
    ]


@pytest.mark.parametrize("name", EXPECTED)
def test_ends_with_a_message_and_nothing_left(zygote: Zygote, name: str) -> None:
    status, message, lines = EXPECTED[name]
    began = time.monotonic()
    entry = _ask(zygote, FOLDER / f"{name}.py")
    assert time.monotonic() - began < (HANGS if status == "timeout" else ENDS)[0] + 10
    assert entry["status"] == status
    assert message in entry["message"]
    assert [found["line"] for frame in entry["frames"] for found in frame["breaks"]] == lines
    end = time.monotonic() + 5
    while _left_behind(zygote) and time.monotonic() < end:
        time.sleep(0.05)
    assert _left_behind(zygote) == []


def test_syntax_error_names_the_line(zygote: Zygote, tmp_path: pathlib.Path) -> None:
    path = tmp_path / "program.py"
    shutil.copy(FOLDER / "syntax_error.py.txt", path)
    entry = _ask(zygote, path)
    assert (entry["status"], entry["message"]) == ("failed", "program.py:1: syntax error: '(' was never closed")


def test_zygote_still_serves(zygote: Zygote) -> None:
    entry = _ask(zygote, FOLDER / "fine.py")
    assert entry["status"] == "ok"
    assert [found["line"] for frame in entry["frames"] for found in frame["breaks"]] == [5]


def test_arguments_reach_the_program(zygote: Zygote) -> None:
    entry = _ask(zygote, FOLDER / "args.py", arguments=["some.csv"])
    assert entry["status"] == "ok"


def test_prints_are_kept_apart(zygote: Zygote) -> None:
    entry = _ask(zygote, FOLDER / "daemon.py")
    assert entry["output"].splitlines()[-1] == "in between"


def test_death_of_the_client_ends_everything(tmp_path: pathlib.Path) -> None:
    zygote = Zygote(tmp_path)
    assert zygote.process.stdin is not None
    request = '{"id": 1, "path": "%s", "entry": "fn", "inputs": ["torch.ones(3)"], "parts": ["dynamo"]}\n'
    zygote.process.stdin.write(request % (FOLDER / "loop.py"))
    zygote.process.stdin.flush()
    end = time.monotonic() + 60
    while len(_left_behind(zygote)) < 2 and time.monotonic() < end:
        time.sleep(0.05)
    assert len(_left_behind(zygote)) >= 2
    os.kill(zygote.process.pid, 9)
    zygote.process.wait()
    while _left_behind(zygote) and time.monotonic() < end + 10:
        time.sleep(0.05)
    assert _left_behind(zygote) == []
    zygote.process.stdin.close()
