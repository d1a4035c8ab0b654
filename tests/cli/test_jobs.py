"""Worker processes: the same results as one process, and a file that kills its process costs that file alone."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from analyzer.api import Options, Surroundings
from capture_lsp.analysis import Task
from capture_lsp.groups import GROUP_BYTES, groups_of, split
from capture_lsp.pool import Pool, workers_for

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
        project.write(f"a{number}.py", helper + "#" * (GROUP_BYTES // 4))
        project.write(
            f"z{number}.py",
            f"import torch\nfrom a{number} import decide\n\nstep = torch.compile(decide)\n" + "#" * (GROUP_BYTES // 4),
        )
    found = project.check("--jobs", "3").codes
    assert found == project.check("--jobs", "1").codes
    assert [path for path, _, _ in found] == [f"a{n}.py" for n in range(6)]


def test_what_is_bounded_is_bounded_alike(project: Project) -> None:
    """A function that is called in more ways than are told apart: which ones count is no matter of the processes."""
    project.write("shared.py", "def same(value):\n    return value\n")
    call = "import torch\nfrom shared import same\n\n@torch.compile\ndef step(x: torch.Tensor):\n    if same({}) > 0:\n"
    body = "        return x\n    return -x\n" + "#" * (GROUP_BYTES // 2)
    for number, given in enumerate(["1", "2.0", "(1,)", "[2]", "'3'", "x.sum()", "x.mean()"]):
        project.write(f"m{number}.py", call.format(given) + body)
    found = project.check("--jobs", "1").codes
    assert [path for path, _, _ in found] == ["m5.py", "m6.py"]
    assert project.check("--jobs", "2").codes == project.check("--jobs", "3").codes == found


def test_notebooks_and_broken_files_go_through_workers(project: Project) -> None:
    project.write("broken.py", BRANCH + "#" * GROUP_BYTES + "\ndef (:\n")
    project.write("nb.ipynb", '{"cells": [{"cell_type": "code", "source": "1\\n2"}], "metadata": {}}')
    project.write("m.py", BRANCH + "#" * GROUP_BYTES)
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


def test_few_files_are_not_worth_a_process(tmp_path: Path) -> None:
    small, large = tmp_path / "small.py", tmp_path / "large.py"
    small.write_text("x = 1\n")
    large.write_text("#" * GROUP_BYTES)
    assert groups_of([str(small)] * 3) == [[str(small)] * 3]
    assert groups_of([str(large)] * 3) == [[str(large)]] * 3
    assert workers_for(1, 8) == 1
    assert workers_for(3, 2) == 2


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
    units = Pool(task, 2, None).run([files[:2], files[2:]])
    assert [unit.path for unit in units] == files
    assert [len(unit.findings) for unit in units] == [1, 1, 0, 0]
    assert [[e.kind for e in unit.errors] for unit in units] == [[], [], ["internal"], []]
