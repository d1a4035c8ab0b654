"""The directions in which our packages import each other."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def imports(package: str) -> Iterator[tuple[Path, str]]:
    for path in sorted((ROOT / package).rglob("*.py")):
        if path.parent.name == "gallery":  # programs to be shown, run by the user's interpreter alone
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                yield from ((path, alias.name) for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
                yield path, node.module


@pytest.mark.parametrize(
    ("package", "forbidden"),
    [
        ("analyzer", {"capture_lsp", "runtime_probe", "torch", "numpy", "triton", "asyncio", "pathspec"}),
        ("runtime_probe", {"capture_lsp", "analyzer", "libcst"}),
        ("capture_lsp", {"torch", "numpy", "triton"}),
    ],
)
def test_forbidden_imports(package: str, forbidden: set[str]) -> None:
    found = list(imports(package))
    assert found
    assert [(path.name, name) for path, name in found if name.split(".")[0] in forbidden] == []


def test_of_the_probe_only_the_report_types_are_imported() -> None:
    found = [(path, name) for path, name in imports("capture_lsp") if name.split(".")[0] == "runtime_probe"]
    assert {name for path, name in found if path.parent.name != "testing"} <= {
        "runtime_probe.report",
        "runtime_probe.simulation",
    }
    # The pytest plugin runs where the user's torch is.
    assert {name for path, name in found if path.parent.name == "testing"} == {
        "runtime_probe.report",
        "runtime_probe.inprocess",
    }


def test_only_the_server_may_know_lsp_types() -> None:
    for path, name in imports("capture_lsp"):
        if name.split(".")[0] in ("lsprotocol", "pygls"):
            assert "server" in path.parts
    assert not any(name.split(".")[0] in ("lsprotocol", "pygls") for _, name in imports("analyzer"))


@pytest.mark.parametrize("module", ["analyzer", "analyzer.api", "analyzer.engine", "analyzer.registry"])
def test_the_analyzer_pulls_in_neither_torch_nor_asyncio_nor_libcst(module: str) -> None:
    code = f"import sys, {module}; print({{'torch', 'asyncio', 'libcst', 'numpy'}} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


def test_the_report_types_load_alone() -> None:
    """In the user's interpreter there is nothing else of ours, and perhaps an older Python."""
    source = (ROOT / "runtime_probe" / "report.py").read_text(encoding="utf-8")
    ast.parse(source, feature_version=(3, 9))
    code = "import sys; sys.path[:0] = [sys.argv[1]]; import runtime_probe.report as r; r.Report.__annotations__"
    subprocess.run([sys.executable, "-I", "-c", code, str(ROOT)], check=True)
