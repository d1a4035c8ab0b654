"""Which files a folder stands for."""

from __future__ import annotations

import os

import pytest

from .conftest import BRANCH, Project


def paths(project: Project, *arguments: str) -> set[str]:
    return {path for path, _, _ in project.check(*arguments).codes}


def test_usual_folders_without_source_are_left_out(project: Project) -> None:
    for name in ("m.py", ".venv/m.py", "build/m.py", "node_modules/x/m.py", "env/lib/m.py", "sub/m.py", "notes.txt"):
        project.write(name)
    project.write("env/pyvenv.cfg", "home = /usr/bin\n")
    assert paths(project) == {"m.py", "sub/m.py"}


def test_exclude_replaces_and_extend_exclude_adds(project: Project) -> None:
    for name in ("m.py", "build/m.py", "gen/m.py", "a/gen/m.py", "a/b_pb2.py"):
        project.write(name)
    assert paths(project, "--exclude", "gen") == {"m.py", "build/m.py", "a/b_pb2.py"}
    assert paths(project, "--extend-exclude", "/gen,*_pb2.py") == {"m.py", "a/gen/m.py"}
    project.write("capture-lsp.toml", 'extend-exclude = ["gen"]\n')
    assert paths(project, "--extend-exclude", "*_pb2.py") == {"m.py"}


def test_what_is_named_outright_is_checked(project: Project) -> None:
    project.write("build/m.py")
    project.write("script", BRANCH)
    assert paths(project, "build/m.py") == {"build/m.py"}
    assert paths(project, "build") == {"build/m.py"}
    assert paths(project, "script") == {"script"}
    assert paths(project, "build/m.py", "--force-exclude") == set()


def test_gitignore(project: Project) -> None:
    (project.root / ".git").mkdir()
    project.write(".gitignore", "*.gen.py\n/data/\n!keep.gen.py\n# comment\n")
    project.write("a/.gitignore", "local.py\n!x.gen.py\n")
    for name in ("m.py", "m.gen.py", "keep.gen.py", "data/m.py", "a/data/m.py", "a/local.py", "a/x.gen.py", "local.py"):
        project.write(name)
    expected = {"m.py", "keep.gen.py", "a/data/m.py", "a/x.gen.py", "local.py"}
    assert paths(project) == expected
    assert paths(project, "a") == {"a/data/m.py", "a/x.gen.py"}
    assert paths(project, "data") == {"data/m.py"}  # named outright
    assert paths(project, "m.gen.py") == {"m.gen.py"}
    assert paths(project, "m.gen.py", "data/m.py", "m.py", "--force-exclude") == {"m.py"}
    assert len(paths(project, "--no-gitignore")) == 8
    project.write(".git/info/exclude", "local.py\n")
    assert paths(project) == expected - {"local.py"}


@pytest.mark.skipif(os.name == "nt", reason="links need a privilege")
def test_links_to_folders_are_not_followed(project: Project) -> None:
    project.write("a/m.py")
    (project.root / "a" / "loop").symlink_to(project.root)
    (project.root / "link.py").symlink_to(project.root / "a" / "m.py")
    assert paths(project) == {"a/m.py", "link.py"}


def test_a_file_named_twice_is_checked_once(project: Project) -> None:
    project.write("m.py")
    assert len(project.check("m.py", ".", "./m.py").codes) == 1
