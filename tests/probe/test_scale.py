"""A whole project, several interpreters, an interrupted run that goes on, and a Ray cluster that loses a worker."""

from __future__ import annotations

import importlib.util
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from capture_lsp.probe.run import run as probe
from capture_lsp.probe.targets import Target, Work
from tests.cli.conftest import Project

pytestmark = pytest.mark.truth

#: A program that says each time when it is run.
PROGRAM = """\
import os
import sys
import time

import torch

with open(os.path.join(os.path.dirname(__file__), "ran.txt"), "a") as log:
    log.write("{name} ")
open(__file__.replace(".py", ".began"), "w").close()


@torch.compile
def fn(x: torch.Tensor) -> torch.Tensor:
    return x + 1


def left_out(x: torch.Tensor) -> torch.Tensor:
    if x.sum() > 0:
        return x
    return -x


def build():
    return torch.compile(left_out)


if __name__ == "__main__":
    fn(torch.ones(3))
    {then}
"""
#: Waits until it is told to go on.
WAIT = 'while not os.path.exists(__file__ + ".go"):\n        time.sleep(0.05)'
QUICK = ("--no-matrix", "--no-paths", "--no-perturb")


@pytest.fixture
def project(tmp_path: Path) -> Project:
    made = Project.with_our_path(tmp_path)
    made.write("pyproject.toml", "")
    return made


def wait_for(what: str, folder: Path, number: int) -> None:
    deadline = time.monotonic() + 200
    while len(list(folder.glob(what))) < number:
        assert time.monotonic() < deadline, f"no {number} of {what} in {folder}"
        time.sleep(0.1)


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C cannot be sent to one process there")
def test_an_interrupted_run_goes_on_where_it_ended_and_two_interpreters_are_one_report(project: Project) -> None:
    project.write("a.py", PROGRAM.format(name="a", then="pass"))
    project.write("z.py", PROGRAM.format(name="z", then=WAIT))
    project.write("plain.py", "import torch\n")
    cache = project.root.parent / "cache"
    env = {**project.env, "CAPTURE_LSP_CACHE_DIR": str(cache)}
    arguments = ("probe", "--all", *QUICK, "--output-format", "json", "--python", sys.executable)
    running = subprocess.Popen(project.command(*arguments), cwd=project.root, env=env, stderr=subprocess.PIPE)
    try:
        wait_for("probes/*.json", cache, 1)
        wait_for("z.began", project.root, 1)
        running.send_signal(signal.SIGINT)
        _, errors = running.communicate(timeout=60)
    finally:
        running.kill()
    assert (running.returncode, errors) == (130, b"interrupted\n")
    log = project.root / "ran.txt"
    (project.root / "z.py.go").touch()

    done = project.run(*arguments, "--python", sys.executable, "--jobs", "2", env=env)
    assert done.status == 1
    assert "note: 1 of the targets were probed before" in done.err
    assert "note: 4 of the targets were probed before" in done.err  # the second interpreter is the first one again
    assert done.json["version"] == 1
    one, other = done.json["reports"]
    assert one["entries"] == other["entries"]
    found = {(e["target"], e["entry"], e["status"]): e["matrix"]["dynamo"]["outcome"] for e in one["entries"]}
    assert found == {
        ("a.py", "fn", "ok"): "captured",
        ("z.py", "fn", "ok"): "captured",
        ("a.py::left_out", "left_out", "ok"): "graph_break",
        ("z.py::left_out", "left_out", "ok"): "graph_break",
    }
    # `left_out` is imported as often of both, and only the second of the programs ran again.
    assert log.read_text().split().count("z") > log.read_text().split().count("a") > 0

    project.write("a.py", PROGRAM.format(name="changed", then="pass"))
    again = project.run(*arguments, env=env)
    assert "note: 2 of the targets were probed before" in again.err
    assert "changed" in log.read_text()


def test_a_file_that_compiles_what_it_imports_is_run(project: Project) -> None:
    """And not the file of the function, with inputs that are made up."""
    project.write("ops.py", "def combine(x, y):\n    return x + y\n")
    project.write(
        "main.py",
        "import torch\nfrom ops import combine\n\nstep = torch.compile(combine)\n"
        "for size in (3, 4):\n    step(torch.ones(size), torch.ones(size))\n",
    )
    done = project.run("probe", "--all", ".", *QUICK, "--no-cache", "--output-format", "json")
    [entry] = done.json["entries"]
    assert (entry["target"], entry["synthesised"], len(entry["recompiles"])) == ("main.py", False, 1)


def test_all_takes_no_inputs(project: Project) -> None:
    for arguments in (("--inputs=1",), ("a.py::fn",), ("--", "x"), ("--executor", "ray", "--measure")):
        assert project.run("probe", "--all", *arguments).status == 2


def test_nothing_to_probe_is_told(project: Project) -> None:
    project.write("plain.py", "import torch\n")
    assert "error: nothing is captured in .\n" in project.run("probe", "--all", "--python", sys.executable).err
    gone = project.run("probe", "--all", "gone.py", "--python", sys.executable)
    assert (gone.status, gone.err.startswith("error: gone.py: ")) == (2, True)


@pytest.mark.slow
@pytest.mark.skipif(importlib.util.find_spec("ray") is None, reason="ray is not installed")
def test_a_local_ray_instance_loses_a_worker(project: Project) -> None:
    from capture_lsp.probe.ray_executor import RayExecutor

    ray = importlib.import_module("ray")
    source = "import torch\n" + "".join(f"\n\ndef fn{n}(x):\n    return x + {n}\n" for n in range(20))
    path = str(project.write("many.py", source))
    targets = [Target(f"many.py::fn{n}", path, f"fn{n}", ("torch.ones(3)",)) for n in range(20)]
    killed: list[int] = []

    with RayExecutor(sys.executable, str(project.root), str(project.home), jobs=2) as executor:

        def told(number: int, part: str, entry: str) -> None:
            if not killed:  # after the first answer
                killed.append(ray.get(executor.workers[-1].pid.remote()))
                os.kill(killed[0], signal.SIGKILL)

        report = probe(executor, targets, Work(), told=told)
        assert killed
        assert any("a Ray worker died" in note for note in executor.notes)
    assert [entry["entry"] for entry in report["entries"]] == [f"fn{n}" for n in range(20)]
    assert {entry["matrix"]["dynamo"]["outcome"] for entry in report["entries"]} == {"captured"}
    assert report["torch"]
    assert not ray.is_initialized()
