"""`--compare`: what another torch release makes of the code."""

from __future__ import annotations

import json

import pytest

from capture_lsp.torch_versions import NEWEST, text
from tests.cli.conftest import CLEAN, Project

VERSIONS = ("--target-torch", "2.6", "--target-torch", "2.13", "--compare", "--no-cache")
#: torch 2.9 is the first that traces list.count().
CODE = """\
import torch


@torch.compile
def fn(x: torch.Tensor, names: list[str]) -> torch.Tensor:
    if names.count("a") > 0:
        x = x + 1
    return x * x.max().item()
"""


def test_findings_that_appear_and_disappear(project: Project) -> None:
    project.write("m.py", CODE)
    done = project.run("check", "m.py", *VERSIONS, "--output-format", "json")
    (step,) = done.json["compare"]
    assert (step["from"], step["to"]) == ("2.6", "2.13")
    singles = {}
    for version in ("2.6", "2.13"):
        one = project.check("m.py", "--target-torch", version)
        singles[version] = {(f["code"], f["line"], f["column"]) for f in one.json["findings"]}
    for name, first, second in (("appear", "2.13", "2.6"), ("disappear", "2.6", "2.13")):
        assert {(f["code"], f["line"], f["column"]) for f in step[name]} == singles[first] - singles[second]
    assert [f["code"] for f in step["disappear"]] == ["CAP526"]
    assert done.status == 0
    back = project.run("check", "m.py", "--compare", "--no-cache", "--target-torch", "2.9", "--target-torch", "2.8")
    message = "CAP526 list.count() is not traced before torch 2.9"
    assert (back.status, back.out) == (1, f"torch 2.9 → 2.8: 1 appear\n+ m.py:6:8: {message}\n")


def test_nothing_changes(project: Project) -> None:
    project.write("m.py", CLEAN)
    done = project.run("check", "m.py", *VERSIONS)
    assert (done.status, done.out) == (0, "torch 2.6 → 2.13: nothing changes\n")
    done = project.run("check", "m.py", *VERSIONS, "--output-format", "sarif")
    assert (done.status, "--compare writes full, concise, json or markdown" in done.err) == (2, True)


@pytest.mark.parametrize(
    ("releases", "message"),
    [
        (("2.13",), "--compare needs two releases or more: give --target-torch for each"),
        ((), "--compare needs two releases or more: give --target-torch for each"),
        (("2.13", "2.13"), "--compare: torch 2.13 with itself; give another --target-torch"),
        (("2.6", "2.13.0", "2.13.1"), "--compare: torch 2.13 with itself; give another --target-torch"),
        (("2.13", "2.1"), f"--compare knows torch 2.6 to {text(NEWEST)}, not 2.1"),
        (("2.13", "9.9"), f"--compare knows torch 2.6 to {text(NEWEST)}, not 9.9"),
        (("2.13", "new"), "argument --target-torch: 'new' is not a torch version such as \"2.13\""),
    ],
)
def test_releases_that_cannot_be_compared(project: Project, releases: tuple[str, ...], message: str) -> None:
    project.write("m.py", CODE)
    given = [word for release in releases for word in ("--target-torch", release)]
    done = project.run("check", "m.py", "--compare", *given)
    assert (done.status, done.out) == (2, "")
    assert message in done.err.splitlines()[-1]


def test_a_comparison_with_many_rows_is_a_comment(project: Project) -> None:
    calls = "".join(f"    if names.count('{'n' * 60}{number}') > 0:\n        x = x + 1\n" for number in range(900))
    project.write("m.py", CODE.replace("    return", calls + "    return"))
    done = project.run("check", "m.py", "--target-torch", "2.13", *VERSIONS, "--output-format", "markdown")
    assert done.out.count("### torch 2.") == 2
    assert done.out.count("… and ") == 2
    assert 40_000 < len(done.out) <= 65_536


def test_steps_between_several_releases(project: Project) -> None:
    project.write("m.py", CODE)
    done = project.run("check", "m.py", "--target-torch", "2.10", *VERSIONS, "--output-format", "json")
    steps = [(step["from"], step["to"]) for step in json.loads(done.out)["compare"]]
    assert steps == [("2.10", "2.6"), ("2.6", "2.13")]
    text = project.run("check", "m.py", *VERSIONS, "--output-format", "markdown")
    assert text.out.startswith("### torch 2.6 → 2.13: ")
