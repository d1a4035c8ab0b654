"""The pytest plugin in a real pytest: one run of a small suite, each test of it with its own outcome."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import entry_points

import pytest

pytest_plugins = ["pytester"]
pytestmark = pytest.mark.truth

MODEL = """\
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x: torch.Tensor, k: int = 2) -> torch.Tensor:
        if x.sum() > 0:
            return x * k
        return x - 1


def whole(x: torch.Tensor, k: int = 2) -> torch.Tensor:
    return (x * k).relu()


@torch.compile(backend="eager")
def compiled(x: torch.Tensor) -> torch.Tensor:
    return whole(x)
"""

SUITE = """\
import unittest

import pytest
import torch
from model import Net, compiled, whole


@pytest.mark.capture(fullgraph=True, max_graphs=1, max_recompiles=0)
def test_good():
    compiled(torch.ones(3))
    compiled(torch.ones(3))


@pytest.mark.capture(max_recompiles=1)
def test_good_again():
    # What the test before compiled is forgotten.
    compiled(torch.ones(3))
    compiled(torch.ones(4))


@pytest.mark.capture(max_recompiles=0)
def test_recompiles():
    compiled(torch.ones(3))
    compiled(torch.ones(4))


@pytest.mark.capture(fullgraph=True)
def test_breaks():
    torch.compile(Net(), backend="eager")(torch.ones(3))


@pytest.mark.capture(max_graphs=1)
def test_two_graphs():
    torch.compile(Net(), backend="eager")(torch.ones(3))


@pytest.mark.capture(fulgraph=True)
def test_misspelt():
    pass


@pytest.mark.capture(fullgraph=True)
def test_fails_by_itself():
    assert compiled(torch.ones(3)) is None


def test_not_marked():
    torch.compile(Net(), backend="eager")(torch.ones(3))


def test_fixture(capture_probe):
    report = capture_probe(whole, torch.ones(3), (torch.ones(3), 2), {"x": torch.ones(3)}, fullgraph=True, max_graphs=1)
    (entry,) = report["entries"]
    assert entry["target"] == "model.py::whole"
    assert entry["inputs"] == ["float32[3]", "(float32[3], 2)", "{x: float32[3]}"]
    assert [len(frame["graphs"]) for frame in entry["frames"]] == [1]
    assert report["torch"] == torch.__version__


def test_fixture_breaks(capture_probe):
    capture_probe(Net(), torch.ones(3), fullgraph=True)


@pytest.mark.capture(fullgraph=True)
def test_fixture_in_a_marked_test(capture_probe):
    report = capture_probe(Net(), torch.ones(3))
    assert report["entries"][0]["frames"][0]["breaks"]
    compiled(torch.ones(3))


@pytest.mark.capture(fullgraph=True)
class Case(unittest.TestCase):
    def test_whole(self):
        compiled(torch.ones(3))

    def test_broken(self):
        torch.compile(Net(), backend="eager")(torch.ones(3))

    def test_wrong(self):
        self.assertIsNone(torch.compile(Net(), backend="eager")(torch.ones(3)), "a failure of its own")
"""

OUTCOMES = {
    "test_good": "passed",
    "test_good_again": "passed",
    "test_recompiles": "failed",
    "test_breaks": "failed",
    "test_two_graphs": "failed",
    "test_misspelt": "failed",
    "test_fails_by_itself": "failed",
    "test_not_marked": "passed",
    "test_fixture": "passed",
    "test_fixture_breaks": "failed",
    "test_fixture_in_a_marked_test": "passed",
    "Case::test_whole": "passed",
    "Case::test_broken": "failed",
    "Case::test_wrong": "failed",
}


def test_marked_tests_and_the_fixture(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(model=MODEL, test_suite=SUITE)
    result = pytester.runpytest_subprocess("-rA", "-q", "--strict-markers", "-p", "no:cacheprovider")
    lines = result.outlines
    found = {
        name: word
        for name in OUTCOMES
        for word in ("passed", "failed")
        if any(line.startswith(f"{word.upper()} test_suite.py::{name}") and _ends(line, name) for line in lines)
    }
    assert found == OUTCOMES
    result.stdout.fnmatch_lines(
        [
            "capture: 1 recompilation (max_recompiles=0)",
            "*model.py:16: compiled was compiled again: tensor 'x' size mismatch at index 0. expected 3, actual 4",
            "capture: not captured whole (fullgraph=True)",
            "model.py:7:12  CAP101 data-dependent-branch*",
            "*7 │         if x.sum() > 0:",
            "capture: 2 graphs (max_graphs=1)",
            "model.py:7:12  CAP101 data-dependent-branch*",
            "*unknown argument 'fulgraph' (there are fullgraph, max_graphs, max_recompiles)",
            "_* Case.test_broken _*",
            "capture: not captured whole (fullgraph=True)",
            "_* Case.test_wrong _*",
            "*a failure of its own",
        ]
    )


def test_without_torch_a_limit_is_not_kept_and_that_is_said(pytester: pytest.Pytester) -> None:
    pytester.makeconftest("import sys; sys.modules['torch'] = None")
    pytester.makepyfile(
        """
        import pytest

        @pytest.mark.capture(fullgraph=True)
        def test_marked(): pass

        def test_fixture(capture_probe): capture_probe(len, "a")

        def test_plain(): pass
        """
    )
    result = pytester.runpytest_subprocess("-q", "-p", "no:cacheprovider")
    result.assert_outcomes(failed=2, passed=1)
    result.stdout.fnmatch_lines(["capture: torch cannot be imported: *"] * 2)
    result.stdout.no_fnmatch_line("*runtime_probe*")


def _ends(line: str, name: str) -> bool:
    return line.partition("::")[2].partition(" ")[0] == name


def test_the_plugin_is_registered_and_imports_nothing_heavy() -> None:
    assert "capture_lsp.pytest_plugin" in {point.value for point in entry_points(group="pytest11")}
    heavy = "{'torch', 'libcst', 'analyzer', 'runtime_probe', 'pygls'}"
    code = f"import sys, pytest, capture_lsp.pytest_plugin; print({heavy} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
