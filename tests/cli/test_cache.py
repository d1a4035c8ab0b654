"""The cache: the same answers, much faster, and never a stale one."""

from __future__ import annotations

import os
import random
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from capture_lsp.cache import default_folder

from .conftest import BRANCH, CLEAN, Done, Project

HELPER = "import torch\n\ndef decide(x: torch.Tensor):\n    if x.sum() > 0:\n        return x\n    return -x\n"
CALLER = "import torch\nfrom helper import decide\n\n@torch.compile\ndef fn(x: torch.Tensor):\n    return decide(x)\n"


def check(project: Project, *arguments: str) -> Done:
    return project.run("check", "--output-format", "json", "--cache-dir", str(project.home / "cache"), *arguments)


def entries(project: Project) -> int:
    (database,) = (project.home / "cache").glob("*.sqlite")
    with sqlite3.connect(database) as connection:
        return int(connection.execute("select count(*) from entry").fetchone()[0])


def age(*paths: Path) -> None:
    """Make files look old, so that their time stamps are trusted."""
    for path in paths:
        os.utime(path, (time.time() - 3600, time.time() - 3600))


def imported(project: Project, *arguments: str) -> set[str]:
    """The modules that a check imports."""
    code = (
        "import sys; from capture_lsp.cli import main; main(sys.argv[1:]);"
        "print('\\n'.join(sys.modules), file=open('modules.txt', 'w'))"
    )
    command = [sys.executable, "-c", code, "check", "--cache-dir", str(project.home / "cache"), *arguments]
    subprocess.run(command, cwd=project.root, env=project.env, capture_output=True, check=False)
    return set((project.root / "modules.txt").read_text().split())


def test_a_second_run_answers_the_same_without_analysing(project: Project) -> None:
    age(project.write("m.py"), project.write("n.py", CLEAN))
    first = check(project, ".")
    assert first.status == 1
    modules = imported(project, ".")
    assert {"capture_lsp.check", "analyzer.finding"} <= modules
    assert not {m for m in modules if m.split(".")[0] in ("libcst", "torch", "asyncio")}
    assert "analyzer.engine" not in modules
    assert "capture_lsp.analysis" in modules
    assert check(project, ".").out == first.out


def test_the_full_format_is_the_same_from_the_cache(project: Project) -> None:
    project.write("m.py")
    arguments = ("check", ".", "--cache-dir", str(project.home / "cache"))
    assert project.run(*arguments).out == project.run(*arguments).out == project.run("check", ".", "--no-cache").out


def test_no_cache_reads_and_writes_none(project: Project) -> None:
    project.write("m.py")
    project.run("check", "--no-cache", "--cache-dir", str(project.home / "cache"))
    assert not (project.home / "cache").exists()


def test_a_changed_file_is_analysed_again(project: Project) -> None:
    path = project.write("m.py")
    assert len(check(project, ".").codes) == 1
    path.write_text(CLEAN)
    assert check(project, ".").codes == []
    path.write_text(BRANCH)
    assert len(check(project, ".").codes) == 1


def test_a_change_of_the_same_size_and_second_is_seen(project: Project) -> None:
    path = project.write("m.py", BRANCH)
    for number in range(6):
        text = BRANCH if number % 2 else BRANCH.replace("if x.sum() > 0", "if x.ndim  > 0")
        path.write_text(text)
        assert len(check(project, ".").codes) == number % 2


def test_a_changed_dependency_counts(project: Project) -> None:
    age(project.write("m.py", CALLER), project.write("helper.py", HELPER))
    assert check(project, "m.py", "helper.py").codes == [("helper.py", "CAP101", 4)]
    project.write("helper.py", HELPER.replace("x.sum() > 0", "x.ndim > 0"))
    assert check(project, "m.py", "helper.py").codes == []


def test_a_changed_caller_counts(project: Project) -> None:
    """The finding stands in a file that did not change."""
    age(project.write("m.py", CALLER), project.write("helper.py", HELPER))
    assert check(project, ".").codes == [("helper.py", "CAP101", 4)]
    project.write("m.py", CALLER.replace("return decide(x)", "return x"))
    assert check(project, ".").codes == []
    project.write("m.py", CALLER)
    assert check(project, ".").codes == [("helper.py", "CAP101", 4)]


def test_a_new_file_that_captures_counts(project: Project) -> None:
    age(project.write("helper.py", HELPER))
    assert check(project, ".").codes == []
    project.write("train.py", "import torch\nfrom helper import decide\n\nstep = torch.compile(decide)\n")
    assert check(project, ".").codes == [("helper.py", "CAP101", 4)]
    (project.root / "train.py").unlink()
    assert check(project, ".").codes == []


def test_options_are_part_of_the_key(project: Project) -> None:
    project.write("m.py")
    assert len(check(project, ".").codes) == 1
    assert check(project, ".", "--select", "CAP0").codes == []
    assert len(check(project, ".").codes) == 1


def test_suppressions_hold_from_the_cache(project: Project) -> None:
    project.write("m.py", BRANCH.replace("> 0:", "> 0:  # capture: ignore[CAP101]"))
    assert check(project, ".").codes == check(project, ".").codes == []


def test_a_damaged_cache_is_made_anew(project: Project) -> None:
    project.write("m.py")
    check(project, ".")
    (database,) = (project.home / "cache").glob("*.sqlite")
    for other in database.parent.iterdir():
        other.unlink()
    database.write_bytes(b"no database at all" * 100)
    done = check(project, ".")
    assert (done.status, done.err) == (1, "")
    assert entries(project) > 0


@pytest.mark.skipif(os.name == "nt", reason="a file as a folder")
@pytest.mark.parametrize("seed", range(4))
def test_flipped_bytes_in_the_cache_cost_nothing_but_time(project: Project, seed: int) -> None:
    for index in range(12):
        project.write(f"m{index}.py")
    first = check(project)
    (database,) = (project.home / "cache").glob("*.sqlite")
    sound = database.read_bytes()
    chance = random.Random(seed)
    damaged = bytearray(sound)
    for _ in range(200):
        damaged[chance.randrange(100, len(damaged))] = 0xFF
    for path in (project.home / "cache").iterdir():
        path.unlink()
    database.write_bytes(damaged)
    for _ in range(2):
        done = check(project)
        assert (done.status, done.err) == (1, "")
        assert done.json["errors"] == []
        assert done.codes == first.codes


def test_a_cache_that_cannot_be_is_done_without(project: Project) -> None:
    project.write("m.py")
    (project.home / "cache").write_text("a file")
    assert check(project, ".").status == 1


def test_the_default_folder_follows_the_platform(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    assert default_folder({"XDG_CACHE_HOME": "/x"}) == os.path.join("/x", "capture-lsp")
    assert default_folder({"CAPTURE_LSP_CACHE_DIR": "/y", "XDG_CACHE_HOME": "/x"}) == "/y"
    monkeypatch.setattr(sys, "platform", "win32")
    assert default_folder({"LOCALAPPDATA": "L"}) == os.path.join("L", "capture-lsp", "Cache")
    monkeypatch.setattr(sys, "platform", "darwin")
    assert default_folder({}).endswith(os.path.join("Library", "Caches", "capture-lsp"))
