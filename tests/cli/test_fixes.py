"""Fixes: what is written, what is shown, and what survives of the file's form."""

from __future__ import annotations

import os
import shutil
import subprocess

import pytest

from analyzer.finding import Edit
from capture_lsp.fixes import Document, edited

from .conftest import CLEAN, Project

#: Nothing safe can be done about it: how many elements there are is what the program asks for.
UNFIXED = """\
import torch

@torch.compile
def fn(x: torch.Tensor) -> torch.Tensor:
    return x[x > 0]
"""
UNUSED = CLEAN.replace("x - 1)", "x - 1)  # capture: ignore[CAP101]")


def test_fix_writes_the_file_and_keeps_the_rest(project: Project) -> None:
    path = project.write("m.py", UNUSED)
    if os.name != "nt":
        path.chmod(0o640)
    done = project.check("m.py", "--fix")
    assert done.status == 0
    assert path.read_text() == CLEAN
    assert "Fixed 1 problem in 1 file." in done.err
    if os.name != "nt":
        assert path.stat().st_mode & 0o777 == 0o640
    assert list(project.root.iterdir()) == [path]


def test_what_has_no_fix_remains(project: Project) -> None:
    path = project.write("m.py", UNFIXED + UNUSED.replace("import torch\n", "").replace("fn", "gn"))
    done = project.check("m.py", "--fix", "--select", "CAP0,CAP101,CAP121")
    assert done.status == 1
    assert "CAP121" in {code for _, code, _ in done.codes}
    assert "capture: ignore" not in path.read_text()


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("bom", [b"", b"\xef\xbb\xbf"])
def test_line_ends_and_byte_order_mark_survive(project: Project, end: str, bom: bytes) -> None:
    path = project.write("m.py", bom + UNUSED.replace("\n", end).encode())
    project.check("m.py", "--fix")
    assert path.read_bytes() == bom + CLEAN.replace("\n", end).encode()


def test_the_encoding_survives(project: Project) -> None:
    head = "# -*- coding: latin-1 -*-\n# \xe9\n"
    path = project.write("m.py", (head + UNUSED).encode("latin-1"))
    project.check("m.py", "--fix")
    assert path.read_bytes() == (head + CLEAN).encode("latin-1")


def test_mixed_line_ends_survive(project: Project) -> None:
    path = project.write("m.py", UNUSED.replace("\n", "\r\n", 3))
    project.check("m.py", "--fix")
    assert path.read_bytes() == CLEAN.replace("\n", "\r\n", 3).encode()


def test_diff_changes_nothing(project: Project) -> None:
    path = project.write("m.py", UNUSED)
    done = project.run("check", "m.py", "--diff")
    assert done.status == 1
    assert path.read_text() == UNUSED
    assert done.out.splitlines()[:2] == ["--- m.py", "+++ m.py"]
    assert [line for line in done.out.splitlines()[2:] if line[0] in "+-"] == [
        "-    return torch.where(x.sum() > 0, x + 1, x - 1)  # capture: ignore[CAP101]",
        "+    return torch.where(x.sum() > 0, x + 1, x - 1)",
    ]
    assert "CAP001" in done.err


@pytest.mark.skipif(shutil.which("patch") is None, reason="no patch here")
@pytest.mark.parametrize("ends", ["\n", "\r\n"], ids=["unix", "windows"])
@pytest.mark.parametrize("last", ["", "\n"], ids=["no last line end", "last line end"])
def test_patch_applies_what_diff_shows(project: Project, ends: str, last: str) -> None:
    source = (UNUSED.rstrip("\n") + last).replace("\n", ends).encode()
    path = project.write("m.py", source)
    shown = subprocess.run(
        project.command("check", "m.py", "--diff"), cwd=project.root, env=project.env, capture_output=True, check=False
    )
    subprocess.run(["patch", "--binary", "-s", "-p0"], cwd=project.root, input=shown.stdout, check=True)
    patched = path.read_bytes()
    assert patched != source
    path.write_bytes(source)
    project.run("check", "m.py", "--fix")
    assert path.read_bytes() == patched


def test_fixing_standard_input_prints_the_fixed_text(project: Project) -> None:
    done = project.run("check", "-", "--fix", stdin=UNUSED.encode())
    assert (done.status, done.out) == (0, CLEAN)
    done = project.run("check", "-", "--fix", stdin=UNFIXED.encode())
    assert (done.status, done.out) == (1, UNFIXED)
    assert "CAP121" in done.err


@pytest.mark.skipif(os.name == "nt", reason="links need a privilege")
def test_a_link_stays_a_link(project: Project) -> None:
    target = project.write("lib/real.txt", UNUSED)
    link = project.root / "m.py"
    link.symlink_to(target)
    project.check("m.py", "--fix")
    assert link.is_symlink()
    assert target.read_text() == CLEAN


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root writes everything")
def test_a_folder_that_cannot_be_written(project: Project) -> None:
    project.write("sub/m.py", UNUSED).parent.chmod(0o500)
    done = project.check("sub", "--fix")
    assert done.status == 2
    assert done.json["errors"][0]["kind"] == "unwritable"


def test_edits_are_applied_by_characters_and_lines() -> None:
    text = "é = '😀'\r\nb\r\n"
    edits = [Edit("", 1, 6, 1, 7, "x\ny"), Edit("", 2, 1, 3, 1, "")]
    assert edited(text, edits, "\r\n") == "é = 'x\r\ny'\r\n"


@pytest.mark.parametrize("edit", [Edit("", 9, 1, 9, 2, ""), Edit("", 1, 9, 1, 12, ""), Edit("", 1, 2, 1, 1, "")])
def test_an_edit_at_no_such_position_is_refused(edit: Edit) -> None:
    assert Document("m.py", b"ab\n").with_edits([edit]) is None


def test_an_edit_that_breaks_the_file_is_refused() -> None:
    assert Document("m.py", b"a = 1\n").with_edits([Edit("", 1, 5, 1, 6, "(")]) is None
    assert Document("m.py", b"a = 1\n").with_edits([Edit("", 1, 5, 1, 6, "2")]) == b"a = 2\n"


def test_syntax_newer_than_the_running_python_is_no_broken_file() -> None:
    raw = b"def f[T](x: T) -> T:\n    return x\n"
    assert Document("m.py", raw).with_edits([Edit("", 2, 12, 2, 13, "y")]) == raw.replace(b"return x", b"return y")
