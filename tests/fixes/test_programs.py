"""`check --fix` on the examples: the fixed programs do the same eagerly, and fixing them again changes nothing."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.examples.expected import EXAMPLES

pytest.importorskip("torch")
pytestmark = pytest.mark.truth

FIXED = ("detector.py", "diffusion_sampler.py", "moe_router.py", "train_step.py")
#: Runs a program with everything seeded and captured functions run as plain Python.
RUN = """
import runpy, sys, torch
torch.manual_seed(0)
torch.set_num_threads(1)
runpy.run_path(sys.argv[1], run_name="__main__")
"""


def check(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "capture_lsp", "check", "--no-cache", *arguments, str(folder)]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False, timeout=120)
    assert done.returncode in (0, 1), done.stderr
    return done


def output_of(program: Path) -> tuple[str, str]:
    from os import environ

    command = [sys.executable, "-c", RUN, program.name]
    env = {**environ, "TORCHDYNAMO_DISABLE": "1", "PYTHONWARNINGS": "ignore"}
    done = subprocess.run(command, cwd=program.parent, env=env, capture_output=True, encoding="utf-8", timeout=300)
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout, done.stderr


@pytest.fixture(scope="module")
def fixed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("fixed") / "examples"
    shutil.copytree(EXAMPLES, folder)
    diff = check(folder, "--diff").stdout
    assert not changed(folder), "--diff writes nothing"
    check(folder, "--fix")
    assert diff.count("\n+++ ") == len(changed(folder))
    return folder


def changed(folder: Path) -> set[str]:
    names = [path.relative_to(EXAMPLES) for path in EXAMPLES.rglob("*.py")]
    return {name.as_posix() for name in names if (EXAMPLES / name).read_bytes() != (folder / name).read_bytes()}


def test_what_is_fixed(fixed: Path) -> None:
    assert changed(fixed) == set(FIXED)
    assert check(fixed, "--diff").stdout.count("\n+++ ") == 0


@pytest.mark.parametrize("name", FIXED)
def test_the_fixed_program_prints_the_same(fixed: Path, name: str) -> None:
    assert output_of(fixed / name) == output_of(EXAMPLES / name)


def test_unsafe_fixes_leave_programs_that_run(fixed: Path, tmp_path: Path) -> None:
    folder = tmp_path / "examples"
    shutil.copytree(EXAMPLES, folder)
    check(folder, "--fix", "--unsafe-fixes")
    assert changed(folder) > changed(fixed)
    for name in ("detector.py", "export_classifier.py", "train_step.py"):
        output_of(folder / name)
