"""`capture-lsp simulate` as a command: what is wrong is said in the terminal, before anything is served."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from capture_lsp.pages import ASSETS
from capture_lsp.simulator.gallery import exhibits
from tests.cli.conftest import Project

built = pytest.mark.skipif(not (ASSETS / "simulator.js").exists(), reason="no built pages here (make pages)")


@pytest.fixture
def project(tmp_path: Path) -> Project:
    made = Project.with_our_path(tmp_path)
    made.write("model.py", "import torch\n\n\ndef one(x: torch.Tensor):\n    return x\n")
    return made


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ((), "name FILE or FILE::ENTRY, or give --gallery"),
        (("model.py", "--gallery"), "name FILE or FILE::ENTRY, or give --gallery"),
        (("--gallery", "none"), "no program 'none' in the gallery: one of data_dependent_branch, early_exit"),
        (("--gallery", "early_exit", "--inputs", "1"), "have their own inputs"),
        (("--gallery", "--export", "x.html"), "--export writes one program"),
        (("model.py::one", "--limit", "5"), "--limit and --all-combinations are for --export"),
        (("model.py::one", "--export", "no/such/x.html"), "no/such/x.html: no such folder"),
        (("model.py::one", "--port", "70000"), "not a port"),
        (("model.py::one", "--export", "x.html", "--limit", "0"), "not a number of runs"),
        (("model.py::one", "--limit", "3", "--all-combinations"), "not allowed with argument"),
    ],
)
def test_wrong_usage(project: Project, arguments: tuple[str, ...], text: str) -> None:
    done = project.run("simulate", *arguments)
    assert done.status == 2
    assert text in done.err
    assert "Traceback" not in done.err


def test_the_gallery_is_listed(project: Project) -> None:
    done = project.run("simulate", "--list")
    assert (done.status, done.err) == (0, "")
    assert [line.split()[0] for line in done.out.splitlines()] == [one.name for one in exhibits()]
    assert all(one.title in done.out for one in exhibits())


def test_the_help_says_that_it_runs_code(project: Project) -> None:
    done = project.run("simulate", "--help")
    assert done.status == 0
    assert "This runs your code" in " ".join(done.out.split())


def test_a_checkout_without_built_pages_says_how_to_build_them(project: Project) -> None:
    """The command with the package seen from a folder that has no assets."""
    code = "import capture_lsp.pages as p, pathlib, sys; p.ASSETS = pathlib.Path('nowhere'); "
    code += "from capture_lsp.cli import main; sys.exit(main(sys.argv[1:]))"
    command = [sys.executable, "-c", code, "simulate", "model.py::one"]
    done = subprocess.run(
        command, cwd=project.root, env=project.env, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 2
    assert "make pages" in done.stderr


@built
@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (("model.py", "--python", "nowhere/python"), "no interpreter there"),
        (("::one",), "a target is written FILE or FILE::ENTRY"),
        (("model.py", "--inputs", "1"), "inputs without an entry: write model.py::NAME"),
    ],
)
def test_what_cannot_begin(project: Project, arguments: tuple[str, ...], text: str) -> None:
    python = () if "--python" in arguments else ("--python", sys.executable)
    done = project.run("simulate", *arguments, *python, "--no-browser")
    assert done.status == 2
    assert text in done.err
    assert "http://" not in done.out


@built
@pytest.mark.skipif(sys.platform == "win32", reason="a shell script stands for the interpreter")
def test_an_interpreter_without_torch(project: Project, tmp_path: Path) -> None:
    bare = tmp_path / "bare"
    bare.mkdir()
    script = bare / "python"
    script.write_text(f'#!/bin/sh\nexec "{os.path.realpath(sys.executable)}" -I -S "$@"\n')
    script.chmod(0o755)
    done = project.run("simulate", "model.py::one", "--python", str(script), "--no-browser")
    assert done.status == 2
    assert "no torch in" in done.err
    assert "--python" in done.err
