"""Configuration files: which one holds where, what they may say, and `capture-lsp config`."""

from __future__ import annotations

import json

import pytest

from .conftest import Project


def test_pyproject_and_own_file(project: Project) -> None:
    project.write("m.py")
    project.write("pyproject.toml", '[tool.capture-lsp]\nignore = ["CAP101"]\n')
    assert project.check("m.py").codes == []
    project.write("capture-lsp.toml", 'select = ["CAP101"]\n')  # the own file wins in one folder
    assert project.check("m.py").codes == [("m.py", "CAP101", 5)]


def test_the_nearest_configuration_holds_for_each_file(project: Project) -> None:
    project.write("pyproject.toml", '[tool.capture-lsp]\nignore = ["CAP101"]\n')
    project.write("a/m.py")
    project.write("b/capture-lsp.toml", "")
    project.write("b/c/m.py")
    assert project.check().codes == [("b/c/m.py", "CAP101", 5)]
    assert project.check("--config", "pyproject.toml").codes == []


def test_a_pyproject_without_our_table_is_passed_over(project: Project) -> None:
    project.write("capture-lsp.toml", 'ignore = ["CAP101"]\n')
    project.write("a/pyproject.toml", "[project]\nname = 'capture-lsp-user'\n")
    project.write("a/m.py")
    assert project.check("a").codes == []


def test_severity_of_a_rule(project: Project) -> None:
    project.write("m.py")
    project.write("capture-lsp.toml", '[severity]\nCAP1 = "hint"\nCAP101 = "info"\n')
    assert [f["severity"] for f in project.check("m.py").json["findings"]] == ["info"]
    project.write("capture-lsp.toml", '[severity]\ndata-dependent-branch = "off"\n')
    assert project.check("m.py").codes == []


def test_per_file_ignores_are_relative_to_the_file_that_holds_them(project: Project) -> None:
    project.write("a/m.py")
    project.write("a/tests/m.py")
    project.write("a/capture-lsp.toml", '[per-file-ignores]\n"tests/**" = ["CAP1"]\n')
    assert project.check("a").codes == [("a/m.py", "CAP101", 5)]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('severity = { CAP999 = "error" }', "severity: no rule matches 'CAP999'"),
        ('per-file-ignores = { "*.py" = ["NOPE"] }', "per-file-ignores: no rule matches 'NOPE'"),
        ('slect = ["CAP1"]', "unknown setting 'slect' (did you mean 'select'?)"),
        ('extra_paths = ["lib"]', "did you mean 'extra-paths'?"),
        ("select = 3", "select must be a list of strings"),
        ("force-exclude = 1", "force-exclude must be true or false"),
        ('roots = "most"', "roots must be one of auto, forward, all"),
        ('frontends = ["jit"]', "not 'jit'"),
        ('target-torch = "two"', "torch version"),
        ('[severity]\nCAP101 = "fatal"', "'CAP101' must be one of error, warning"),
        ("max-file-size = 0", "greater than zero"),
        ("select = [", "not valid TOML"),
        ('ignore = ["CAP77777"]', "no rule matches 'CAP77777'"),
        ('extra-roots = ["m.py"]', "PATH::QUALNAME"),
    ],
)
def test_a_wrong_configuration_exits_with_two(project: Project, text: str, message: str) -> None:
    project.write("m.py")
    project.write("capture-lsp.toml", text)
    done = project.run("check", "m.py")
    assert done.status == 2
    assert message in done.err
    assert len(done.err.splitlines()) == 1


def test_extra_paths_find_imports(project: Project) -> None:
    project.write(
        "m.py",
        "import torch\nfrom helper import decide\n\n@torch.compile\ndef fn(x: torch.Tensor):\n    return decide(x)\n",
    )
    project.write(
        "lib/helper.py",
        "import torch\ndef decide(x: torch.Tensor):\n    if x.sum() > 0:\n        return x\n    return -x\n",
    )
    assert project.check("m.py", "lib").codes == []
    project.write("capture-lsp.toml", 'extra-paths = ["lib"]\n')
    assert project.check("m.py", "lib").codes == [("lib/helper.py", "CAP101", 3)]


def test_src_layout_is_found(project: Project) -> None:
    project.write("pyproject.toml", "[project]\nname = 'x'\n")
    project.write("train.py", "import torch\nfrom pkg.helper import decide\n\nstep = torch.compile(decide)\n")
    project.write("src/pkg/__init__.py", "")
    project.write(
        "src/pkg/helper.py",
        "import torch\ndef decide(x: torch.Tensor):\n    if x.sum() > 0:\n        return x\n    return -x\n",
    )
    assert project.check(".").codes == [("src/pkg/helper.py", "CAP101", 3)]


def test_config_shows_settings_and_origins(project: Project) -> None:
    project.write("pyproject.toml", '[tool.capture-lsp]\nselect = ["CAP1"]\ntarget-torch = "2.9"\n')
    shown = json.loads(project.run("config", "--output-format", "json").out)
    assert shown["select"] == {"value": ["CAP1"], "from": "pyproject.toml"}
    assert shown["target-torch"] == {"value": "2.9", "from": "pyproject.toml"}
    assert shown["roots"] == {"value": "auto", "from": "default"}
    text = project.run("config").out
    assert 'select = ["CAP1"]  # pyproject.toml' in text
    assert project.run("config", "nowhere").status == 2
