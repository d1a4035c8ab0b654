"""The part `kernels` in its own process, as a client asks for it."""

from __future__ import annotations

import pathlib
from collections.abc import Iterator
from typing import Any

import pytest

from tests.kernels.collected import PATH
from tests.probe.zygote import Zygote

pytestmark = pytest.mark.truth

OWN = pathlib.Path(__file__).with_name("own_kernels.py")
LIMITS = {"seconds": 600.0, "part": 300.0}


@pytest.fixture(scope="module")
def zygote(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Zygote]:
    started = Zygote(tmp_path_factory.mktemp("kernels"))
    yield started
    assert started.close() == 0


def ask(zygote: Zygote, path: pathlib.Path, entry: str, call: str, parts: list[str], **options: Any) -> dict[str, Any]:
    (found,) = zygote.ask(path, entry, inputs=[call], parts=parts, options=options, limits=LIMITS)
    assert found["status"] == "ok", found["message"]
    return found


def marked(comment: str) -> int:
    lines = OWN.read_text(encoding="utf-8").splitlines()
    return next(number for number, text in enumerate(lines, 1) if text.endswith("  # " + comment))


def test_graphs_have_the_numbers_of_the_report(zygote: Zygote) -> None:
    found = ask(zygote, PATH, "broken", "torch.ones(8, 8)", ["dynamo", "kernels"])
    graphs = {graph["id"]: graph for frame in found["frames"] for graph in frame["graphs"]}
    assert sorted(graphs) == [cost["graph"] for cost in found["graph_costs"]] == [0, 1]
    for kernel in found["kernels"]:
        graph = graphs[kernel["graph"]]
        assert set(kernel["nodes"]) <= {node["name"] for node in graph["nodes"]}
        assert set(kernel["lines"]) <= set(graph["lines"])
    for cost in found["graph_costs"]:
        explained = {row["node"] for row in cost["unmapped"]}
        mapped = {node for row in found["kernels"] if row["graph"] == cost["graph"] for node in row["nodes"]}
        assert explained | mapped == {node["name"] for node in graphs[cost["graph"]]["nodes"]}


def test_an_unknown_gpu_is_said(zygote: Zygote) -> None:
    found = ask(zygote, PATH, "drops", "torch.ones(8)", ["kernels"], gpu="abacus")
    assert "--gpu abacus is not known: choose one of h100" in found["message"]
    assert {kernel["target"] for kernel in found["kernels"]} == {"cpu"}


def test_kernels_for_a_gpu_have_ptx(zygote: Zygote) -> None:
    pytest.importorskip("triton")
    found = ask(zygote, PATH, "drops", "torch.ones(8)", ["kernels"], gpu="l4")
    generated = [kernel for kernel in found["kernels"] if kernel["language"] == "triton"]
    assert generated
    assert all(kernel["ptx"] and kernel["registers"] and kernel["target"] == "l4" for kernel in generated)
    assert found["graph_costs"][0]["predicted_ratio"] > 1


def test_a_kernel_of_the_program_is_compiled_as_it_is_launched(zygote: Zygote) -> None:
    pytest.importorskip("triton")
    found = ask(zygote, OWN, "add", "(torch.randn(100), torch.randn(100))", ["kernels"], gpu="a100")
    (own,) = [kernel for kernel in found["kernels"] if kernel["graph"] is None]
    assert (own["name"], own["language"], own["ptx"], own["launches"]) == ("add_kernel", "triton", True, 1)
    assert own["bytes"] == 3 * 100 * 4
    assert found["kernel_errors"] == []


def test_what_triton_refuses_is_at_its_line(zygote: Zygote) -> None:
    pytest.importorskip("triton")
    found = ask(zygote, OWN, "scale", "torch.randn(100)", ["kernels"], gpu="h100")
    (error,) = found["kernel_errors"]
    assert (error["path"], error["line"]) == (str(OWN), marked("refused"))
    assert "SCALE" in error["message"]


def test_a_kernel_that_computes_something_else_is_found(zygote: Zygote) -> None:
    pytest.importorskip("triton")
    pytest.importorskip("numpy")
    found = ask(zygote, OWN, "wrong", "(torch.randn(100), torch.randn(100))", ["kernels"], gpu="h100")
    (error,) = found["kernel_errors"]
    assert error["message"].startswith("wrong_kernel computes something else than the program without a GPU")
    assert error["line"] == marked("wrong") - 1  # its decorator


LOOP = '''\
def relax(x):
    for number in range(3):
        print("round", number)
        x = x.sin() * 2
    return x
'''


def test_where_nothing_is_captured_the_kernels_are_those_without_the_breaks(
    zygote: Zygote, tmp_path: pathlib.Path
) -> None:
    """The fix puts a line in front of everything: the kernels' lines are those of the file all the same."""
    path = tmp_path / "loop.py"
    path.write_text(LOOP, encoding="utf-8")
    import_it = {"line": 1, "column": 1, "end_line": 1, "end_column": 1, "text": "import torch\n"}
    guard = {"line": 3, "column": 9, "end_line": 3, "end_column": 31, "text": "pass"}
    fix = {"path": str(path), "line": 3, "end_line": 3, "title": "Fix it", "edits": [import_it, guard]}
    found = ask(zygote, path, "relax", "torch.ones(8, 8)", ["kernels"], fixes=[fix])
    assert found["message"].endswith("is captured: the kernels are those without the break at line 3")
    assert [kernel["launches"] for kernel in found["kernels"]] == [1]
    assert found["kernels"][0]["lines"] == {str(path): "4"}
    assert [cost["fused_launches"] for cost in found["graph_costs"]] == [1]
