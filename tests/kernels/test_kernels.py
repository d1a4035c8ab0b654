"""Kernels against the code that Inductor generates, for this processor and for a GPU that is not here."""

from __future__ import annotations

import importlib.util
import pathlib
import re
import shutil
import subprocess

import pytest
import torch

from runtime_probe.kernels import inductor
from runtime_probe.kernels.collect import collecting
from tests.kernels import program
from tests.kernels.collected import PATH, collected, line

pytestmark = pytest.mark.truth

HAS_TRITON = importlib.util.find_spec("triton") is not None
TARGETS = [None, pytest.param("h100", marks=pytest.mark.skipif(not HAS_TRITON, reason="triton is not installed"))]
#: A call of a kernel in the generated wrapper, counted without the code that is tested here.
LAUNCH = re.compile(
    r"^\s+(?:\w+ = )?(?:cpp_fused\w*\(|triton_\w+\.run\(|extern_kernels\.\w+\(|torch\.ops\.|aten\.)", re.M
)

EXPLAINED = ("view", "dead", "folded", "no ", "a number", "a setting", "the same as", "rewritten")


def body(source: str) -> str:
    """The function of a wrapper that calls the kernels."""
    return source.partition("def call(")[2].partition("\nrunner = ")[0].partition("\ndef ")[0]


@pytest.mark.parametrize("gpu", TARGETS)
@pytest.mark.parametrize("name", list(program.CALLS))
def test_every_node_is_mapped_or_explained(name: str, gpu: str | None) -> None:
    found = collected(name, gpu)
    kernels = found.kernels()
    assert [cost["graph"] for cost in found.costs()] == [graph.number for graph in found.graphs]
    for cost, graph in zip(found.costs(), found.graphs):
        mapped = {node for row in kernels if row["graph"] == graph.number for node in row["nodes"]}
        explained = {row["node"]: row["why"] for row in cost["unmapped"]}
        assert mapped | set(explained) == set(graph.ancestry.sources)
        assert not mapped & set(explained)
        computed = {name for name, source in graph.ancestry.sources.items() if source.op.startswith("call_")}
        for node in computed & set(explained):
            assert explained[node].startswith(EXPLAINED), (node, explained[node])


def test_what_runs_inside_of_an_operator_is_not_guessed() -> None:
    with inductor.own_caches(), collecting(None) as found:
        torch.compile(program.chooses)(torch.randn(8))
    (cost,) = found.costs()
    assert (cost["eager_launches"], cost["predicted_ratio"]) == (2, None)  # the sum, the comparison
    assert found.errors() == ["graph 0: what cond launches is not among its eager launches"]


@pytest.mark.parametrize("gpu", TARGETS)
@pytest.mark.parametrize("name", list(program.CALLS))
def test_launches_agree_with_the_wrapper(name: str, gpu: str | None) -> None:
    for graph in collected(name, gpu).graphs:
        assert graph.used
        for made in graph.used:
            assert sum(row["launches"] for row in made.rows) == made.launches == len(LAUNCH.findall(body(made.source)))
            assert (made.launches == 0) == (name == "view_only")


@pytest.mark.parametrize("gpu", TARGETS)
def test_kernels_have_their_source_and_lines(gpu: str | None) -> None:
    softmax, matmul = collected("softmax_matmul", gpu).kernels()
    assert softmax["lines"] == {str(PATH): str(line("softmax"))}
    assert matmul["lines"] == {str(PATH): str(line("matmul"))}
    assert (softmax["nodes"], matmul["nodes"]) == (["s"], ["matmul"])
    assert matmul["language"] == "extern"
    assert matmul["source"].startswith("extern_kernels.mm(")
    assert softmax["language"] == ("triton" if gpu else "cpp")
    assert ("@triton.jit" if gpu else 'extern "C"') in softmax["source"]
    assert "def call(" not in softmax["source"]


@pytest.mark.parametrize("gpu", TARGETS)
def test_a_fused_kernel_has_all_its_lines(gpu: str | None) -> None:
    (kernel,) = collected("pointwise", gpu).kernels()
    assert kernel["lines"] == {str(PATH): f"{line('sin')}-{line('gelu')}"}
    assert kernel["eager_launches"] == 5  # add, sin, mul, gelu, sigmoid
    assert kernel["bytes"] == 3 * 64 * 8 * 4
    assert kernel["eager_bytes"] == (3 + 2 + 2 + 2 + 2) * 64 * 8 * 4


@pytest.mark.parametrize("gpu", TARGETS)
def test_of_a_table_and_a_cache_only_the_part_that_is_used_is_moved(gpu: str | None) -> None:
    (kernel,) = collected("parts", gpu).kernels()
    (cost,) = collected("parts", gpu).costs()
    part = 8 * 4 * 4  # rows of the table, columns of the cache, the result
    assert kernel["bytes"] == 3 * part + 8 * 8
    lookup = 2 * part + 8 * 8
    # embedding, mul, sin, add, zeros_like, add
    assert (cost["eager_launches"], cost["eager_bytes"]) == (6, lookup + (2 + 2 + 3 + 1 + 3) * part)


def test_an_operation_that_dynamo_splits_is_one_launch_eagerly() -> None:
    from torch.profiler import ProfilerActivity, profile

    weights, grads, squares = ([torch.rand(8) for _ in range(2)] for _ in range(3))
    with collecting(None) as found:
        torch.compile(program.steps)(weights, grads, squares=squares)
    torch._dynamo.reset()
    (cost,) = found.costs()
    with profile(activities=[ProfilerActivity.CPU]) as profiled:
        program.steps(weights, grads, squares=squares)
    launched = [event for event in profiled.events() if event.cpu_parent is None and event.name.startswith("aten::")]
    assert cost["eager_launches"] == len(launched)
    assert {(skip["subject"], skip["line"]) for skip in found.skips()} == {
        (f"{name}[{index}]", line(name)) for name in ("squares", "weights") for index in range(2)
    }


def test_unused_and_views_are_named() -> None:
    (cost,) = collected("softmax_matmul").costs()
    why = {row["node"]: row["why"] for row in cost["unmapped"]}
    assert why["view"].startswith("view")
    assert why["_"].startswith("dead")
    assert cost["flops"] == 2 * 8 * 8 * 8


def test_equal_nodes_are_computed_once_and_bodies_belong_to_their_node() -> None:
    found = collected("odd")
    why = {row["node"]: row["why"] for cost in found.costs() for row in cost["unmapped"]}
    assert why["second"] == "the same as first, computed once"
    assert "autograd_function_apply" in {node for row in found.kernels() for node in row["nodes"]}
    assert not [text for text in why.values() if text.startswith("rewritten: ")]


@pytest.mark.parametrize("gpu", TARGETS)
def test_a_library_kernel_is_why_softmax_and_matmul_are_two(gpu: str | None) -> None:
    softmax, matmul = collected("softmax_matmul", gpu).kernels()
    (reason,) = softmax["not_fused_because"]
    assert reason["with"] == matmul["name"]
    assert reason["why"].startswith("extern kernel: “")


def test_a_break_is_why_the_kernels_around_it_are_two() -> None:
    before, after = collected("broken").kernels()
    assert (before["graph"], after["graph"]) == (0, 1)
    (reason,) = before["not_fused_because"]
    assert reason["with"] == after["name"]
    assert reason["why"].startswith("break: “")
    assert "print" in reason["why"]


def test_a_backward_pass_that_runs_is_told() -> None:
    found = collected("trains")
    backward = [row for row in found.kernels() if row["backward"]]
    assert backward
    assert all(row["lines"] == {str(PATH): str(line("loss"))} for row in backward)
    assert {node for row in backward for node in row["nodes"]} <= set(found.graphs[0].ancestry.sources)
    (cost,) = found.costs()
    forward_only = [row for row in found.kernels() if not row["backward"]]
    assert cost["fused_launches"] > sum(row["launches"] for row in forward_only)


def test_cuda_graphs_are_skipped_for_what_is_mutated_and_on_the_cpu() -> None:
    skips = collected("mutates").skips()
    found = {skip["reason"].split(":")[0]: (skip["subject"], skip["path"], skip["line"]) for skip in skips}
    assert found == {
        "mutated input": ("x", str(PATH), line("writes")),
        "on the CPU": ("arange", str(PATH), line("arange")),
    }
    assert all(skip["predicted"] for skip in skips)
    assert collected("pointwise").skips() == []


def test_a_dynamic_size_is_a_graph_for_each_size() -> None:
    with collecting(None) as found:
        torch.compile(program.pointwise, dynamic=True)(*program.CALLS["pointwise"]())
    torch._dynamo.reset()
    assert {skip["subject"] for skip in found.skips()} == {"x", "y"}
    assert all(skip["reason"].startswith("dynamic shape") for skip in found.skips())


@pytest.mark.skipif(shutil.which("g++") is None, reason="there is no C++ compiler")
def test_the_cpp_source_compiles(tmp_path: pathlib.Path) -> None:
    from torch.utils.cpp_extension import include_paths

    (kernel,) = collected("pointwise").kernels()
    path = tmp_path / "kernel.cpp"
    path.write_text(kernel["source"], encoding="utf-8")
    folders = [f"-I{folder}" for folder in include_paths()]
    command = ["g++", "-std=c++20", "-fopenmp", "-fsyntax-only", "-w", "-march=native", "-DCPU_CAPABILITY_AVX2"]
    done = subprocess.run([*command, *folders, str(path)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
