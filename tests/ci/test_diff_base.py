"""`--diff-base`: in real repositories."""

from __future__ import annotations

import json
import os
import shutil
import subprocess

import pytest

from tests.cli.conftest import BRANCH, CLEAN, Done, Project

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not there")

CALLER = """\
import torch

from helper import kept


@torch.compile
def run(x: torch.Tensor) -> torch.Tensor:
    y = kept(x)
    if y > 0:
        x = x + 1
    return x


run(torch.rand(2))
"""
HELPER = "def kept(x):\n    return {}\n"


def git(project: Project, *arguments: str) -> str:
    environ = {**project.env, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    command = ["git", "-c", "user.name=t", "-c", "user.email=t@example.org", *arguments]
    done = subprocess.run(command, cwd=project.root, env=environ, capture_output=True, text=True, check=True)
    return done.stdout


def commit(project: Project, message: str = "c") -> None:
    git(project, "add", "-A")
    git(project, "commit", "-q", "-m", message)


@pytest.fixture
def repository(project: Project) -> Project:
    git(project, "init", "-q", "-b", "main")
    project.write("old.py", BRANCH)
    project.write("caller.py", CALLER)
    project.write("helper.py", HELPER.format("x.shape[0]"))
    commit(project)
    return project


def check(project: Project, ref: str = "main", *arguments: str) -> Done:
    return project.check(".", "--target-torch", "2.13", "--diff-base", ref, *arguments)


def test_nothing_changed(repository: Project) -> None:
    done = check(repository)
    assert (done.status, done.codes) == (0, [])
    assert done.json["known"]["count"] == 1


def test_changed_lines_and_what_they_cause_elsewhere(repository: Project) -> None:
    git(repository, "checkout", "-q", "-b", "work")
    repository.write("helper.py", HELPER.format("x.sum()"))
    repository.write("old.py", "# moved\n\n" + BRANCH)
    # the finding stands in a file that did not change
    assert check(repository).codes == [("caller.py", "CAP101", 9)]
    commit(repository)
    assert check(repository).codes == [("caller.py", "CAP101", 9)]
    # a known finding on a changed line is shown
    repository.write("old.py", BRANCH.replace("> 0", "> 1"))
    assert check(repository).codes == [("caller.py", "CAP101", 9), ("old.py", "CAP101", 5)]
    # what main has done since does not count
    git(repository, "stash", "-q")
    git(repository, "checkout", "-q", "main")
    repository.write("helper.py", HELPER.format("x.shape[1]"))
    commit(repository)
    git(repository, "checkout", "-q", "work")
    assert check(repository).codes == [("caller.py", "CAP101", 9)]


def test_new_renamed_and_deleted_files(repository: Project) -> None:
    git(repository, "mv", "old.py", "né w.py")
    assert check(repository, "HEAD").codes == []
    repository.write("untracked.py", BRANCH)
    assert check(repository, "HEAD").codes == [("untracked.py", "CAP101", 5)]
    (repository.root / "untracked.py").unlink()
    (repository.root / "né w.py").unlink()
    done = check(repository, "HEAD")
    assert done.codes == []
    assert [g["path"] for g in done.json["known"]["gone"]] == ["old.py"]


def test_notebooks_count_by_their_lines(repository: Project) -> None:
    def book(*sources: str) -> str:
        cell = {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None}
        cells = [{**cell, "source": source} for source in sources]
        return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})

    repository.write("n.ipynb", book(BRANCH))
    commit(repository)
    repository.write("n.ipynb", book("x = 1\n", BRANCH))
    assert check(repository).codes == []
    repository.write("n.ipynb", book("x = 1\n", BRANCH, "torch.compile(lambda a: a.item())(torch.rand(1))\n"))
    assert [(path, code) for path, code, _ in check(repository).codes] == [("n.ipynb", "CAP110")]


def test_from_a_folder_of_the_repository(repository: Project) -> None:
    repository.write("sub/a.py", CLEAN)
    commit(repository)
    repository.write("sub/a.py", BRANCH)
    arguments = ("--target-torch", "2.13", "--diff-base", "main")
    done = repository.check(".", *arguments, cwd=repository.root / "sub")
    assert done.codes == [("a.py", "CAP101", 5)]
    git(repository, "config", "diff.relative", "true")  # the user's settings change nothing
    assert repository.check(".", *arguments, cwd=repository.root / "sub").codes == done.codes


def test_submodules(repository: Project, tmp_path_factory: pytest.TempPathFactory) -> None:
    outer = Project.in_folder(tmp_path_factory.mktemp("outer"))
    git(outer, "init", "-q", "-b", "main")
    git(outer, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(repository.root), "part")
    outer.write("top.py", CLEAN)
    # a submodule that is new with the change is new as a whole
    assert {path for path, _, _ in check(outer_committed(outer, only=".gitmodules"), "HEAD").codes} == {"part/old.py"}
    commit(outer)
    assert check(outer, "HEAD").codes == []
    outer.write("part/old.py", BRANCH.replace("> 0", "> 1"))
    outer.write("part/untracked.py", BRANCH)
    changed = [("part/old.py", "CAP101", 5), ("part/untracked.py", "CAP101", 5)]
    assert check(outer, "HEAD").codes == changed
    # committed in the submodule, and there alone; from a hook, where git says which repository it is in
    inner = Project(outer.root / "part", outer.home)
    commit(inner)
    assert check(outer, "HEAD").codes == changed
    outer.env.update(GIT_DIR=str(outer.root / ".git"), GIT_INDEX_FILE=str(outer.root / ".git" / "index"))
    assert check(outer, "HEAD").codes == changed
    commit(outer)
    assert check(outer, "HEAD").codes == []
    assert check(outer, "HEAD~1").codes == changed


def outer_committed(project: Project, only: str) -> Project:
    """The project with a commit that lacks all but one file."""
    git(project, "reset", "-q")
    git(project, "add", only)
    git(project, "commit", "-q", "-m", "first")
    git(project, "add", "-A")
    return project


def test_what_cannot_be(repository: Project, tmp_path_factory: pytest.TempPathFactory) -> None:
    done = check(repository, "origin/nowhere")
    assert done.status == 2
    assert "no commit 'origin/nowhere' here; a shallow clone may lack it" in done.err
    assert check(repository, "--output=x").status == 2
    outside = tmp_path_factory.mktemp("outside")
    (outside / "a.py").write_text(BRANCH)
    done = repository.check(".", "--diff-base", "main", cwd=outside)
    assert done.status == 2
    assert "is in no git repository" in done.err
