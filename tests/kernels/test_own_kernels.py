"""The launches of a program's own Triton kernels, as they are found on tensors without data."""

from __future__ import annotations

import pathlib
import sys
import types

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("triton")

from runtime_probe.kernels.gpu import devices, user_kernels  # noqa: E402
from runtime_probe.kernels.gpu.user_kernels import Found  # noqa: E402
from runtime_probe.subject import ExpressionSubject, LoadedFile  # noqa: E402

pytestmark = pytest.mark.truth
FILE = pathlib.Path(__file__).with_name("own_kernels.py")
LINES = FILE.read_text(encoding="utf-8").split("\n")


@pytest.fixture(scope="module")
def loaded() -> LoadedFile:
    return LoadedFile(str(FILE), "own_kernels")


def launched(loaded: LoadedFile, entry: str, seconds: float = 60.0) -> Found:
    subject = ExpressionSubject(loaded, entry, ["(torch.rand(64), torch.rand(64))"])
    return user_kernels.compile_launched(subject, devices.lookup("h100"), seconds)


@pytest.mark.parametrize(
    ("entry", "line", "why"),
    [("unlaunched", "no such name", "KeyError: 'SIZE'"), ("flat", "no tuple", "object of type 'int' has no len()")],
)
def test_a_grid_that_cannot_be_computed_is_at_its_line(loaded: LoadedFile, entry: str, line: str, why: str) -> None:
    [error] = launched(loaded, entry, 0.0).errors
    assert error["path"] == str(FILE)
    assert line in LINES[error["line"] - 1]
    assert error["message"].startswith("the grid of add_kernel cannot be computed: ")
    assert why in error["message"]


def test_a_call_that_ends_early_says_why(loaded: LoadedFile) -> None:
    found = launched(loaded, "unfinished", 0.0)
    assert [row["name"] for row in found.kernels] == ["add_kernel"]
    assert found.errors == []
    assert found.notes[0].startswith("for the program's Triton kernels, the first call ends early: AttributeError")


def test_a_kernel_that_takes_too_long_is_left_out(loaded: LoadedFile) -> None:
    found = launched(loaded, "unlaunched", 0.0)
    assert [row["ptx"] for row in found.kernels] == [None]
    assert found.notes == ["add_kernel is not compiled to PTX: no answer within the time limit"]


def test_an_operator_launches_its_kernels(loaded: LoadedFile) -> None:
    assert [row["name"] for row in launched(loaded, "added", 0.0).kernels] == ["add_kernel"]


def test_parameters_have_their_data_afterwards(loaded: LoadedFile) -> None:
    assert [row["name"] for row in launched(loaded, "shifted", 0.0).kernels] == ["add_kernel"]
    by = loaded.module.shifted.by
    assert type(by) is torch.nn.Parameter
    assert by.sum().item() == 64


def test_kernels_of_another_file_are_the_programs_own(
    loaded: LoadedFile, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those of an installed package are not."""
    path = tmp_path / "calls.py"
    path.write_text("def call(): pass\n")
    subject = ExpressionSubject(LoadedFile(str(path), "calls"), "call", ["()"])
    assert user_kernels.there_are(subject)
    for name in ("own_kernels", "tests.kernels.own_kernels"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    package = types.ModuleType("packaged")
    package.__file__ = str(tmp_path / "site-packages" / "packaged.py")
    vars(package).update(kernel=loaded.module.add_kernel)
    monkeypatch.setitem(sys.modules, "packaged", package)
    assert not user_kernels.there_are(subject)
