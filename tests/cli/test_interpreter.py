"""The project's environment and its torch, from files alone."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from capture_lsp.interpreter import find_environment, site_paths, torch_in
from capture_lsp.torch_versions import clamp

from .conftest import Project


def environment(folder: Path, version: str = "2.9.1", name: str = "torch-{}.dist-info") -> Path:
    site = folder / "lib" / "python3.11" / "site-packages"
    (site / name.format(version)).mkdir(parents=True)
    (folder / "bin").mkdir()
    (folder / "bin" / "python").write_text("never started")
    (folder / "bin" / "python").chmod(0o755)
    (folder / "pyvenv.cfg").write_text("home = /nowhere/bin\ninclude-system-site-packages = false\n")
    return site


def test_the_order_of_places(tmp_path: Path) -> None:
    project = tmp_path / "p" / "sub"
    project.mkdir(parents=True)
    on_path = environment(tmp_path / "path", "2.6.0")
    active = environment(tmp_path / "active", "2.7.0")
    environ = {"PATH": str(tmp_path / "path" / "bin")}
    assert find_environment(str(project), None, environ).torch == (2, 6)
    assert find_environment(str(project), None, environ).site_paths == (str(on_path),)
    environment(tmp_path / "p" / ".venv", "2.8.0")
    assert find_environment(str(project), None, environ).torch == (2, 8)
    environ["VIRTUAL_ENV"] = str(tmp_path / "active")
    found = find_environment(str(project), None, environ)
    assert (found.torch, found.site_paths) == ((2, 7), (str(active),))
    setting = environment(tmp_path / "set", "2.10.0")
    for python in (tmp_path / "set", tmp_path / "set" / "bin" / "python"):
        found = find_environment(str(project), str(python), environ)
        assert (found.torch, found.site_paths) == ((2, 10), (str(setting),))


@pytest.mark.parametrize(
    "name", ["torch-2.13.0+cpu.dist-info", "torch-2.13.0a0+git1.egg-info", "torch-2.13.0-py3.11.egg-info"]
)
def test_metadata_names(tmp_path: Path, name: str) -> None:
    (tmp_path / name).mkdir()
    (tmp_path / "torch_geometric-1.2.3.dist-info").mkdir()
    assert torch_in((str(tmp_path),)) == (2, 13)


def test_a_torch_built_from_source(tmp_path: Path) -> None:
    (tmp_path / "torch").mkdir()
    (tmp_path / "torch" / "version.py").write_text("__all__ = []\n__version__ = '2.14.0a0+gitabc'\n")
    assert torch_in((str(tmp_path),)) == (2, 14)
    assert torch_in((str(tmp_path / "no"),)) is None


def test_a_pyenv_shim_is_resolved(tmp_path: Path) -> None:
    site = environment(tmp_path / "pyenv" / "versions" / "3.11.7")
    shims = tmp_path / "pyenv" / "shims"
    shims.mkdir()
    (shims / "python").write_text("#!/bin/sh\n")
    (tmp_path / "pyenv" / "version").write_text("3.11.7\n")
    assert site_paths(str(shims / "python"), str(tmp_path), {}) == (str(site),)
    assert site_paths(str(shims / "python"), str(tmp_path), {"PYENV_VERSION": "3.11"}) == (str(site),)
    assert site_paths(str(shims / "python"), str(tmp_path), {"PYENV_VERSION": "3.9"}) == ()


def test_system_packages_of_an_environment(tmp_path: Path) -> None:
    outer = environment(tmp_path / "outer")
    inner = environment(tmp_path / "inner", "1.0", "other-{}.dist-info")
    (tmp_path / "inner" / "pyvenv.cfg").write_text(
        f"home = {tmp_path / 'outer' / 'bin'}\ninclude-system-site-packages = true\n"
    )
    found = find_environment(str(tmp_path), str(tmp_path / "inner"), {})
    assert (found.site_paths, found.torch) == ((str(inner), str(outer)), (2, 9))


def test_versions_outside_the_tables() -> None:
    assert clamp((2, 13)) == ((2, 13), None)
    assert clamp((3, 0))[0] == (2, 14)
    assert clamp((1, 13))[0] == (2, 6)


def test_end_to_end(project: Project) -> None:
    project.write("m.py")
    environment(project.root / ".venv", "2.9.1")
    assert project.check("m.py").json["torch"] == "2.9"
    assert project.check("m.py", "--target-torch", "2.7").json["torch"] == "2.7"
    newer = project.check("m.py", "--target-torch", "9.1")
    assert newer.json["torch"] == "2.14"
    assert "newer than the tables" in newer.err
    assert "older than the tables" in project.check("m.py", "--target-torch", "2.1").err
    shown = json.loads(project.run("config", "--output-format", "json").out)
    assert shown["target-torch"] == {"value": "2.9", "from": ".venv"}
    assert shown["site-packages"]["value"][0].startswith(os.path.join(str(project.root), ".venv"))
