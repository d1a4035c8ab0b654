"""Worker processes: the same results as one process, and a file that kills its process costs that file alone."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from analyzer.api import Options, Surroundings
from capture_lsp.analysis import Task
from capture_lsp.pool import Pool, split, workers_for

from .conftest import BRANCH, CLEAN, Project

EXAMPLES = Path(__file__).parents[2] / "examples"


def test_the_same_results_as_one_process(project: Project) -> None:
    one = project.check(str(EXAMPLES), "--jobs", "1")
    assert one.json["findings"]
    assert project.check(str(EXAMPLES), "--jobs", "2").out == one.out
    assert project.check(str(EXAMPLES), "--jobs", "5").out == one.out


def test_captures_reach_files_of_another_process(project: Project) -> None:
    helper = "import torch\n\ndef decide(x: torch.Tensor):\n    if x.sum() > 0:\n        return x\n    return -x\n"
    for number in range(6):
        project.write(f"a{number}.py", helper + "#" * 10_000)
        project.write(
            f"z{number}.py",
            f"import torch\nfrom a{number} import decide\n\nstep = torch.compile(decide)\n" + "#" * 10_000,
        )
    found = project.check("--jobs", "3").codes
    assert found == project.check("--jobs", "1").codes
    assert [path for path, _, _ in found] == [f"a{n}.py" for n in range(6)]


def test_notebooks_and_broken_files_go_through_workers(project: Project) -> None:
    project.write("broken.py", BRANCH + "def (:\n")
    project.write("nb.ipynb", '{"cells": [{"cell_type": "code", "source": "1\\n2"}], "metadata": {}}')
    project.write("m.py")
    assert project.check("--jobs", "3").out == project.check("--jobs", "1").out


def test_neighbours_stay_together(tmp_path: Path) -> None:
    names = []
    for number in range(10):
        path = tmp_path / f"{number}.py"
        path.write_text("x" * 1000)
        names.append(str(path))
    parts = split(names, 3)
    assert [name for part in parts for name in part] == names
    assert len(parts) == 3
    assert max(map(len, parts)) <= 4
    assert split([], 3) == [[]]


def test_few_files_are_not_worth_a_process() -> None:
    assert workers_for(3, 0) == 1
    assert workers_for(3, 2) == 2
    assert workers_for(1, 8) == 1


@pytest.mark.skipif(sys.platform == "win32", reason="fifo")
def test_a_file_that_kills_its_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker that crashes on one file: found by halving, reported, and the others are analysed."""
    crash = tmp_path / "site" / "sitecustomize.py"
    crash.parent.mkdir()
    crash.write_text(
        "import builtins, os, sys\n"
        "original = builtins.open\n"
        "def opened(file, *args, **kwargs):\n"
        "    if str(file).endswith('killer.py'):\n"
        "        os.abort()\n"
        "    return original(file, *args, **kwargs)\n"
        "builtins.open = opened\n"
    )
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(crash.parent), os.environ.get("PYTHONPATH", "")]))
    files = []
    for name in ("a.py", "b.py", "killer.py", "z.py"):
        (tmp_path / name).write_text(BRANCH if name != "z.py" else CLEAN)
        files.append(str(tmp_path / name))
    task = Task(Options(), Surroundings(frozenset(files)), 4_000_000)
    units = Pool(task, 2, None).run(files)
    assert [unit.path for unit in units] == files
    assert [len(unit.findings) for unit in units] == [1, 1, 0, 0]
    assert [[e.kind for e in unit.errors] for unit in units] == [[], [], ["internal"], []]
