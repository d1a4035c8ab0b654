"""`capture-lsp lock`, with the real compiler: the same bytes everywhere, and what has become worse."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Done, Project

pytestmark = pytest.mark.truth

LOSS = """\
import torch


def clipped(x: torch.Tensor) -> torch.Tensor:
    return x.clamp(-1, 1)
"""

TRAIN = """\
import torch

from loss import clipped


@torch.compile
def step(x: torch.Tensor) -> torch.Tensor:
    y = clipped(x * 2)
    if y.sum() > 100:
        return y
    return y + 1


if __name__ == "__main__":
    step(torch.ones(4))
"""


def made(root: Path, home: Path) -> Project:
    root.mkdir(parents=True)
    home.mkdir(exist_ok=True)
    project = Project(root, home)
    project.env["PYTHONPATH"] = os.pathsep.join(p for p in sys.path if p)
    project.write("pyproject.toml", "")
    project.write("src/loss.py", LOSS)
    project.write("src/train.py", TRAIN)
    return project


def lock(project: Project, *arguments: str) -> Done:
    return project.run("lock", "--python", sys.executable, "--frontend", "dynamo", *arguments)


def test_the_same_code_gives_the_same_bytes_and_worse_code_fails(tmp_path: Path) -> None:
    one, other = made(tmp_path / "one", tmp_path / "home"), made(tmp_path / "elsewhere" / "clone", tmp_path / "home")
    first = lock(one)
    assert (first.status, first.err) == (0, "")
    assert "capture.lock: 1 captured object recorded for torch" in first.out
    raw = (one.root / "capture.lock").read_bytes()
    assert b"src/train.py::step" in raw
    assert str(tmp_path).encode() not in raw
    assert b'"expression": "y.sum() > 100", "at": "src/train.py:9"' in raw

    assert lock(other, "--jobs", "2").status == 0
    assert (other.root / "capture.lock").read_bytes() == raw
    (one.root / "capture.lock").unlink()
    assert lock(one).status == 0
    assert (one.root / "capture.lock").read_bytes() == raw

    # Other lines, another name and other spelling of the same break are nothing; a second break is.
    text = TRAIN.replace("if y.sum() > 100:", "# the sum\n    if (y.sum()>100):").replace("    y = ", "\n    y = ")
    one.write("src/train.py", text)
    same = lock(one, "--check", "--no-perturb")
    assert (same.status, same.err) == (0, "")
    assert same.out.startswith("Nothing is worse than recorded for torch ")
    one.write("src/loss.py", LOSS.replace("    return", "    print(len(x))\n    return"))
    worse = lock(one, "--check", "--no-perturb")
    assert worse.status == 1
    assert "worse: src/train.py::step: new break at src/loss.py:5, reached from src/train.py:9: GB0059" in worse.out
    assert (one.root / "capture.lock").read_bytes() == raw  # a check writes nothing

    other.write("src/train.py", TRAIN.replace("if y.sum() > 100:", "if len(y) > 100:"))
    better = lock(other, "--check", "--no-perturb")
    assert better.status == 0
    assert "better: src/train.py::step: no longer breaks at `y.sum() > 100` in step" in better.out

    # Of what cannot be probed nothing is said, least of all that it is not worse.
    one.write("src/train.py", "raise RuntimeError('no')\n" + TRAIN)
    failed = lock(one, "--check", "--no-perturb")
    assert (failed.status, failed.out) == (2, "")
    assert "src/train.py: cannot be compared: " in failed.err
    (one.root / "src/train.py").unlink()
    gone = lock(one, "--check", "--no-perturb", "--output-format", "json")
    assert gone.status == 2
    assert {**gone.json, "torch": ""} == {
        "version": 1,
        "torch": "",
        "worse": {},
        "better": {},
        "other": {},
        "failed": ["src/train.py"],
    }


def test_another_torch_than_recorded_is_told_and_nothing_compared(tmp_path: Path) -> None:
    project = made(tmp_path / "one", tmp_path / "home")
    project.write("capture.lock", '{"version": 1, "targets": [{"target": "src/train.py"}], "torch": {"2.1.0": {}}}')
    done = lock(project, "--check")
    assert (done.status, done.out) == (0, "")
    assert "nothing is recorded for torch 2." in done.err
    assert "(recorded: 2.1.0); nothing is compared" in done.err


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (None, "no such file; `capture-lsp lock` writes it"),
        ('{"version": 9}', "capture.lock: it is of version 9, this release reads 1; restore it, or delete it and"),
    ],
)
def test_a_lock_that_cannot_be_read(tmp_path: Path, text: str | None, message: str) -> None:
    project = made(tmp_path / "one", tmp_path / "home")
    if text is not None:
        project.write("capture.lock", text)
    done = lock(project, "--check")
    assert done.status == 2
    assert message in done.err
    shutil.rmtree(project.root)
