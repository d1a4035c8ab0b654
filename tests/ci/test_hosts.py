"""The pre-commit hooks, the GitHub action and the examples, through what reads and runs them."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import BRANCH, CLEAN, Project

ROOT = Path(__file__).parents[2]
yaml = pytest.importorskip("yaml")
pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not there")


def git(folder: Path, *arguments: str) -> str:
    command = ["git", "-c", "user.name=t", "-c", "user.email=t@example.org", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stdout.strip()


def pre_commit(project: Project, *arguments: str) -> subprocess.CompletedProcess[str]:
    pytest.importorskip("pre_commit")
    environ = {**project.env, "PRE_COMMIT_HOME": str(project.home / "pre-commit"), "PRE_COMMIT_COLOR": "never"}
    command = [sys.executable, "-m", "pre_commit", *arguments]
    return subprocess.run(
        command, cwd=project.root, env=environ, capture_output=True, text=True, check=False, timeout=600
    )


def hooks() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    return found


@pytest.mark.parametrize(
    ("schema", "name"),
    [
        ("vendor.github-actions", "action.yml"),
        ("vendor.github-workflows", "docs/ci/github-workflow.yml"),
        ("vendor.gitlab-ci", "docs/ci/gitlab-ci.yml"),
    ],
)
def test_files_of_services_have_their_schema(schema: str, name: str) -> None:
    pytest.importorskip("check_jsonschema")
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema, str(ROOT / name)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_the_hooks_are_what_pre_commit_takes(project: Project) -> None:
    assert pre_commit(project, "validate-manifest", str(ROOT / ".pre-commit-hooks.yaml")).returncode == 0
    done = pre_commit(project, "validate-config", str(ROOT / "docs/ci/pre-commit-config.yaml"))
    assert done.returncode == 0, done.stderr


def test_hooks_in_a_repository(project: Project) -> None:
    """As they are defined, but in this environment."""
    git(project.root, "init", "-q")
    here = [
        {
            **hook,
            "language": "system",
            "entry": hook["entry"].replace("capture-lsp", f"{sys.executable} -m capture_lsp"),
        }
        for hook in hooks()
    ]
    project.write(".pre-commit-config.yaml", yaml.safe_dump({"repos": [{"repo": "local", "hooks": here}]}))
    project.write("capture-lsp.toml", 'output-format = "concise"\nextend-exclude = ["vendored/"]\n')
    project.write("clean.py", CLEAN)
    project.write("vendored/a.py", BRANCH)
    git(project.root, "add", "-A")
    done = pre_commit(project, "run", "--all-files")
    assert done.returncode == 0, done.stdout
    project.write("a b.py", BRANCH)
    git(project.root, "add", "-A")
    done = pre_commit(project, "run")
    assert done.returncode == 1
    assert done.stdout.count("a b.py:5:8: CAP101") == 2  # both hooks
    assert "vendored" not in done.stdout


@pytest.mark.slow
def test_the_hook_from_a_repository_of_its_own(project: Project, tmp_path: Path) -> None:
    """pre-commit clones it, and pip installs it."""
    source = tmp_path / "capture-lsp"
    source.mkdir()
    for name in ("pyproject.toml", "README.md", "LICENSE", ".pre-commit-hooks.yaml"):
        shutil.copy(ROOT / name, source)
    for name in ("analyzer", "capture_lsp", "runtime_probe"):
        shutil.copytree(ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__"))
    git(source, "init", "-q")
    git(source, "add", "-A")
    git(source, "commit", "-q", "-m", "all")
    rev = git(source, "rev-parse", "HEAD")
    git(project.root, "init", "-q")
    repository = {"repo": source.as_uri(), "rev": rev, "hooks": [{"id": hook["id"]} for hook in hooks()]}
    project.write(".pre-commit-config.yaml", yaml.safe_dump({"repos": [repository]}))
    project.write("a.py", BRANCH)
    git(project.root, "add", "-A")
    project.env.update({k: v for k, v in os.environ.items() if k.startswith("PIP_")}, HOME=os.path.expanduser("~"))
    done = pre_commit(project, "run")
    assert done.returncode == 1, done.stdout + done.stderr
    assert done.stdout.count("CAP101") == 2, done.stdout


def action() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text())
    return found


def run_check(project: Project, **inputs: str) -> tuple[int, str, dict[str, str]]:
    """The action's last step, as the runner starts it: (status, output, the files it writes for the runner)."""
    declared = action()
    step = declared["runs"]["steps"][-1]
    values = {name: str(given.get("default", "")) for name, given in declared["inputs"].items()}
    values.update({name.replace("_", "-"): value for name, value in inputs.items()})
    command = project.home / "capture-lsp"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m capture_lsp "$@"\n')
    command.chmod(0o755)
    files = {name: project.home / name for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
    environ = {**project.env, "CAPTURE_LSP": str(command), **{name: str(path) for name, path in files.items()}}
    for name, value in step["env"].items():
        expression = value.removeprefix("${{ ").removesuffix(" }}")
        if expression.startswith("inputs."):
            environ[name] = values[expression.removeprefix("inputs.")]
        else:
            environ[name] = value.replace("${{ runner.temp }}", str(project.home))
    for path in files.values():
        path.write_text("")
    done = subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
        cwd=project.root,
        env=environ,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout, {name: path.read_text() for name, path in files.items()}


@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash here")
def test_the_action(project: Project) -> None:
    project.write("a.py", BRANCH)
    project.write("b c.py", CLEAN)
    status, out, files = run_check(project, sarif_file="found.sarif", comment_file="comment.md", target_torch="2.13")
    assert status == 1
    assert out.startswith("::warning file=a.py,line=5,endLine=5,col=8,")
    assert files["GITHUB_OUTPUT"] == "status=1\n"
    assert files["GITHUB_STEP_SUMMARY"].startswith("### capture-lsp: 1 problem\n")
    assert (project.root / "comment.md").read_text() == files["GITHUB_STEP_SUMMARY"]
    assert '"CAP101"' in (project.root / "found.sarif").read_text()
    project.run("check", ".", "--write-baseline", "known.json", "--target-torch", "2.13")
    status, out, files = run_check(project, baseline="known.json", target_torch="2.13", summary="false")
    assert (status, out, files) == (0, "", {"GITHUB_OUTPUT": "status=0\n", "GITHUB_STEP_SUMMARY": ""})
    # what an input says is text, not shell
    status, _, files = run_check(project, baseline="$(touch hacked)", args="; touch hacked")
    assert status == 2
    assert not (project.root / "hacked").exists()


@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash here")
def test_the_actions_lists_are_of_lines_and_never_expanded(project: Project) -> None:
    names = ["a b.py", "*.py", "$HOME.py", "-x.py", "'quoted\".py"]
    for name in (*names, "other.py"):
        project.write(name, BRANCH)
    quiet = {"summary": "false", "target_torch": "2.13"}
    status, out, _ = run_check(project, paths="\n".join(["", *names, "  other.py \r"]) + "\n\n", **quiet)
    assert status == 1
    assert sorted(re.findall("file=([^,]*),", out)) == sorted([*names, "other.py"])
    for name in names:  # the last line may lack its end
        assert re.findall("file=([^,]*),", run_check(project, paths=name, **quiet)[1]) == [name]
    assert len(run_check(project, paths="", **quiet)[1].splitlines()) == 6  # the folder
    # an argument may hold blanks and stars
    arguments = "--extend-exclude=a b.py, -x.py,\\*.py\n\n--select=CAP101"
    _, out, _ = run_check(project, args=arguments, **quiet)
    assert sorted(re.findall("file=([^,]*),", out)) == sorted({*names, "other.py"} - {"a b.py", "-x.py", "*.py"})
    assert run_check(project, args="--select=CAP110", **quiet)[:2] == (0, "")
    assert run_check(project, paths="a b.py other.py", **quiet)[0] == 2  # one name


def gitlab_job(project: Project) -> int:
    """The script of the example, as the runner starts it: one shell that ends at the first failure."""
    job = yaml.safe_load((ROOT / "docs/ci/gitlab-ci.yml").read_text())["capture-lsp"]
    command = project.home / "capture-lsp"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m capture_lsp "$@"\n')
    command.chmod(0o755)
    path = os.pathsep.join([str(project.home), project.env.get("PATH", os.defpath)])
    variables = {"CI_PROJECT_DIR": str(project.root), "CAPTURE_LSP_CACHE_DIR": str(project.home / "cache")}
    script = "set -e\n" + "\n".join(job["script"]) + "\n"
    for report in job["artifacts"]["reports"].values():
        (project.root / report).unlink(missing_ok=True)
    environ = {**project.env, **variables, "PATH": path}
    done = subprocess.run(
        ["sh"], input=script, cwd=project.root, env=environ, capture_output=True, text=True, check=False
    )
    assert job["artifacts"]["when"] == "always"
    for report in job["artifacts"]["reports"].values():
        assert (project.root / report).is_file(), done.stderr
    return done.returncode


@pytest.mark.skipif(shutil.which("sh") is None, reason="no shell here")
def test_the_job_for_gitlab_writes_its_reports_in_any_case(project: Project) -> None:
    project.write("a.py", BRANCH)
    project.run("check", ".", "--write-baseline", "capture-baseline.json")
    assert gitlab_job(project) == 0
    assert json.loads((project.root / "capture-quality.json").read_text()) == []
    project.write("b.py", BRANCH)
    assert gitlab_job(project) == 1
    project.write("broken.py", "def f(:\n")
    assert gitlab_job(project) == 2
    names = [
        issue["check_name"].split()[0] for issue in json.loads((project.root / "capture-quality.json").read_text())
    ]
    assert names == ["CAP101", "syntax"]
    assert "broken.py" in (project.root / "capture-junit.xml").read_text()


def test_the_action_uses_no_action_that_is_not_pinned() -> None:
    for step in action()["runs"]["steps"]:
        uses = step.get("uses", "a@" + "0" * 40)
        assert len(uses.rpartition("@")[2]) == 40
        assert "${{" not in step.get("run", "")  # an input in a script would be code
