"""`check` runs nothing of the user's and imports no torch, wherever it is started."""

from __future__ import annotations

import subprocess
import sys

import pytest

from .conftest import BRANCH, Project

TRAP = "import pathlib; pathlib.Path(__file__).with_suffix('.imported').touch()\n"
NAMES = (
    "torch", "libcst", "argparse", "json", "struct", "sqlite3", "pathspec", "tokenize", "analyzer/__init__", "typing",
    "analyzer/api", "runtime_probe/__init__", "sitecustomize", "threading", "queue", "difflib", "tomllib", "tomli",
)  # fmt: skip


def trapped(project: Project) -> Project:
    for name in NAMES:
        project.write(f"{name}.py", TRAP)
    project.write("conftest.py", TRAP)
    project.write("pyproject.toml", "[tool.capture-lsp]\n")
    project.write("m.py", BRANCH + TRAP)
    project.write("n.ipynb", '{"cells": [{"cell_type": "code", "source": "1\\n2"}], "metadata": {}}')
    return project


@pytest.mark.parametrize("python_path", [None, ".", "here"])
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_workspace_with_traps(project: Project, jobs: str, python_path: str | None) -> None:
    """Every module that the command might import stands in the workspace as well, and none of these is imported."""
    trapped(project)
    (project.root / "sitecustomize.py").unlink()  # Python itself imports that from PYTHONPATH, before any of our code
    script = "import sys; from capture_lsp.cli import entry_point; sys.argv[0] = 'capture-lsp'; entry_point()"
    command = [sys.executable, "-c", script] if python_path is None else project.command()
    if python_path is None:
        # As the installed script is started: the script's folder is on the path, the working directory is not.
        (project.home / "capture-lsp").write_text(script)
        command = [sys.executable, str(project.home / "capture-lsp")]
    env = dict(project.env)
    if python_path == "here":
        # Python's own start imports nothing of these names from there; ours must not either.
        for name in ("typing", "threading", "tokenize", "struct", "json", "argparse", "queue", "difflib"):
            (project.root / f"{name}.py").unlink()
        env["PYTHONPATH"] = str(project.root)
    elif python_path == ".":
        for name in ("typing", "threading", "tokenize", "struct", "json", "argparse", "queue", "difflib"):
            (project.root / f"{name}.py").unlink()
        (project.root / "analyzer" / "__init__.py").unlink()
        (project.root / "analyzer" / "api.py").unlink()
    done = subprocess.run(
        [*command, "check", ".", "--jobs", jobs, "--output-format", "concise", "--cache-dir", str(project.home / "c")],
        cwd=project.root,
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1, done.stderr
    assert "m.py:5:8: CAP101" in done.stdout
    assert [p.name for p in project.root.rglob("*.imported")] == []


def test_check_imports_no_torch(project: Project) -> None:
    project.write("m.py")
    code = (
        "import sys; from capture_lsp.cli import main; main(['check', 'm.py', '--no-cache']);"
        "assert 'analyzer.engine' in sys.modules;"
        "found = {'torch', 'asyncio', 'libcst', 'numpy'} & set(sys.modules); print(found); sys.exit(bool(found))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=project.root, env=project.env, capture_output=True, check=False
    )
    assert done.returncode == 0, done.stdout
