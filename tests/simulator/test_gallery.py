"""The gallery: each program teaches, decides otherwise for some input, and its page says what real runs give."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from capture_lsp.probe.client import Client
from capture_lsp.probe.injection import injected
from capture_lsp.probe.targets import Work
from capture_lsp.simulator.asking import Asker
from capture_lsp.simulator.figures import Row, figures_of, written
from capture_lsp.simulator.gallery import ORDER, Exhibit, described, exhibits
from capture_lsp.simulator.gallery_pages import body, pages
from tests.cli.conftest import Project

#: Programs that are run in every test run; the others are run with the slow tests.
QUICK = ("cond_done_right", "traced_dropout")
FIGURES = {one["name"]: one for one in written()["programs"]}
#: What `capture-lsp check` says of each.
CODES = {
    "data_dependent_branch": {"CAP101"},
    "early_exit": {"CAP101"},
    "padding_mask": {"CAP101"},
    "expert_routing": {"CAP101"},
    "batch_loop": {"CAP204"},
    "frozen_length": {"CAP203"},
    "item_threshold": {"CAP110"},
    "print_in_loop": {"CAP110", "CAP301"},
    "recompile_storm": {"CAP602"},
    "traced_dropout": {"CAP205"},
    "cond_done_right": set(),
    "symbolic_sizes": set(),
}


def row(name: str, frontend: str) -> Row:
    return next(row for row in FIGURES[name]["rows"] if row["frontend"] == frontend)


@pytest.mark.parametrize("exhibit", exhibits(), ids=lambda one: one.name)
def test_an_exhibit_has_what_its_page_needs(exhibit: Exhibit) -> None:
    assert exhibit.title
    assert not exhibit.title.endswith(".")
    assert len(exhibit.teaching) > 200
    assert len(exhibit.source.splitlines()) < 60
    assert "# capture: inputs(" in exhibit.source
    assert 'if __name__ == "__main__":' in exhibit.source
    assert ast.dump(ast.parse(body(exhibit.source))) == ast.dump(ast.Module(ast.parse(exhibit.source).body[1:], []))


def test_the_title_and_the_teaching_of_a_program() -> None:
    assert described('"""A title\n\nOne\nparagraph.\n\nAnother.\n"""\n') == ("A title", "One paragraph.\n\nAnother.")
    assert described("x = 1\n") == ("", "")
    assert described("def (:\n") == ("", "")


def test_every_program_is_found_and_has_figures() -> None:
    assert len(ORDER) == len(set(ORDER)) == 12
    assert list(FIGURES) == list(ORDER)
    assert set(pages()) == {f"{name}.md" for name in ORDER} | {"README.md"}


def test_what_the_teaching_claims_is_what_the_runs_gave() -> None:
    """The claims that carry each program's lesson."""
    for name in ("data_dependent_branch", "early_exit", "padding_mask", "expert_routing", "item_threshold"):
        assert (row(name, "trace")["branches"], row(name, "trace")["answer"]) == ("lost", "wrong"), name
        assert row(name, "dynamo")["answer"] == "right"
        assert row(name, "fullgraph")["captured"] == "refused"
        assert FIGURES[name]["flips"]
    for name in ("early_exit", "expert_routing", "print_in_loop"):
        assert row(name, "dynamo")["captured"] == "nothing", name
    assert row("batch_loop", "trace")["answer"] == "error"
    assert row("frozen_length", "trace")["answer"] == "wrong"
    assert row("frozen_length", "export")["answer"] == "error"
    assert row("traced_dropout", "trace")["answer"] == "wrong"
    assert (row("traced_dropout", "dynamo")["answer"], row("traced_dropout", "dynamo")["graphs"]) == ("right", 2)
    for frontend in ("dynamo", "fullgraph", "export"):
        found = row("cond_done_right", frontend)
        assert (found["captured"], found["branches"], found["answer"]) == ("whole", "kept", "right")
        assert (found["graphs"], found["breaks"]) == (1, 0)
    for frontend in ("trace", "dynamo", "fullgraph"):
        assert row("symbolic_sizes", frontend)["answer"] == "right"
    for name in ("batch_loop", "recompile_storm"):
        storms = [one for one in FIGURES[name]["histories"] if one["frontend"] == "dynamo"]
        assert any(one["limit_at"] == 9 for one in storms), name


def test_check_says_of_the_gallery_what_it_is_about(tmp_path: Path) -> None:
    project = Project.in_folder(tmp_path)
    for exhibit in exhibits():
        project.write(f"{exhibit.name}.py", exhibit.source)
    done = project.check(".", "--target-torch", "2.13")
    found: dict[str, set[str]] = {name: set() for name in ORDER}
    for one in done.json["findings"]:
        found[one["path"].removesuffix(".py")].add(one["code"])
    assert found == CODES


@pytest.fixture(scope="module")
def asker() -> Iterator[Asker]:
    torch = pytest.importorskip("torch")
    if not torch.__version__.startswith("2.13."):
        pytest.skip("the figures were taken from torch 2.13")
    with Client(sys.executable, injected()) as client:
        yield Asker(client, Work(parts=()), lambda path: ())


@pytest.mark.truth
@pytest.mark.parametrize(
    "exhibit",
    [pytest.param(one, id=one.name, marks=() if one.name in QUICK else pytest.mark.slow) for one in exhibits()],
)
def test_the_figures_are_those_of_real_runs(exhibit: Exhibit, asker: Asker) -> None:
    surveyed, figures = figures_of(asker, exhibit)
    assert figures == FIGURES[exhibit.name]
    assert figures["now"] != "as given"
    assert bool(figures["flips"]) == bool(surveyed.survey["controls"]["decisions"])
