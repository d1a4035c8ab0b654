"""The expectations are what real PyTorch does: every example is run and its breaks are compared, line by line."""

from __future__ import annotations

import json
import runpy
import subprocess
import sys
from collections import Counter, defaultdict
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.examples.expected import EXAMPLES, Fault, Program, programs

torch = pytest.importorskip("torch")
pytestmark = [
    pytest.mark.truth,
    pytest.mark.filterwarnings("ignore"),
    pytest.mark.skipif(not torch.__version__.startswith("2.13."), reason="the expectations were taken from torch 2.13"),
]

PROGRAMS = programs()
BREAKS = ("graph_break", "skipped_frame")
STORM = 3  #: recompiles of one line in a run; automatic dynamic shapes and integers need no more than two


def observe(run: str) -> dict[str, Any]:
    command = [sys.executable, str(Path(__file__).parent / "observe.py"), str(EXAMPLES / run), str(EXAMPLES)]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False, timeout=600)
    assert done.returncode == 0, done.stderr[-4000:]
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def places(faults: tuple[Fault, ...], frontend: str, *outcomes: str) -> set[tuple[str, int]]:
    return {(f.path, f.line) for f in faults if f.frontend == frontend and f.outcome in outcomes}


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.run)
def test_the_program_breaks_at_these_lines_and_no_other(program: Program) -> None:
    seen = observe(program.run)
    check_breaks(program, seen["breaks"])
    check_recompiles(program, seen["recompiles"])
    refused = {(found["path"], found["line"]) for found in seen["export_refusals"]}
    assert refused == places(program.faults, "export", "refused")


def check_breaks(program: Program, breaks: list[dict[str, Any]]) -> None:
    outcomes: defaultdict[tuple[str, int], str] = defaultdict(lambda: "graph_break")
    ids: defaultdict[tuple[str, int], set[str]] = defaultdict(set)
    for found in breaks:
        place = (found["path"], found["line"])
        outcomes[place] = "skipped_frame" if found["outcome"] == "skipped_frame" else outcomes[place]
        ids[place] |= set(found["graph_breaks"])
    expected = {(f.path, f.line): f for f in program.faults if f.frontend == "dynamo" and f.outcome in BREAKS}
    assert outcomes == {place: fault.outcome for place, fault in expected.items()}
    assert ids == {place: set(fault.graph_breaks) for place, fault in expected.items()}


def check_recompiles(program: Program, recompiles: list[tuple[str, int]]) -> None:
    storms = {place for place, count in Counter((path, line) for path, line in recompiles).items() if count >= STORM}
    expected = places(program.faults, "dynamo", "recompiles")
    assert expected <= storms <= expected | places(program.faults, "dynamo", *BREAKS) | program.may


TRACED = [(program, fault) for program in PROGRAMS for fault in program.faults if fault.frontend == "trace"]


@pytest.mark.parametrize("program, fault", TRACED, ids=[fault.text for _, fault in TRACED])
def test_a_trace_is_silently_wrong_about_the_line(program: Program, fault: Fault) -> None:
    """`proof`: inputs to trace with, and later ones that differ from them in what the line decides."""
    assert fault.proof is not None
    names = names_after(program.run)
    model = names[fault.proof["traced"]]
    first, then = (eval(fault.proof[key], names) for key in ("first", "then"))
    traced = torch.jit.trace(model, first, check_trace=False)
    assert torch.allclose(output_of(fault, traced(*first)), output_of(fault, model(*first)))
    got, eager = output_of(fault, traced(*then)), output_of(fault, model(*then))
    assert got.shape != eager.shape or not torch.allclose(got, eager)


@cache
def names_after(run: str) -> dict[str, Any]:
    """What the program's module holds when it has run."""
    return runpy.run_path(str(EXAMPLES / run), run_name="__main__")


def output_of(fault: Fault, outputs: Any) -> Any:
    return outputs[(fault.proof or {}).get("output", 0)] if isinstance(outputs, tuple) else outputs


KERNELS = [(program, name) for program in PROGRAMS for name in program.kernels]


@pytest.mark.parametrize("program, name", KERNELS, ids=[name for _, name in KERNELS])
def test_triton_compiles_or_refuses_the_kernel(program: Program, name: str) -> None:
    """Triton's front end alone: it needs no GPU."""
    pytest.importorskip("triton")
    kernel = runpy.run_path(str(EXAMPLES / program.run))[name]
    lines, first = len(kernel.src.splitlines()), kernel.starting_line_number
    expected = {f.line for f in program.faults if f.frontend == "triton" and first <= f.line < first + lines}
    assert refused_line(kernel, **program.kernels[name]) == (expected.pop() if expected else None)
    assert not expected


def refused_line(kernel: Any, signature: dict[str, str], constexprs: dict[str, Any]) -> int | None:
    """The line of the example that Triton refuses, if any."""
    from triton._C.libtriton import ir
    from triton.backends.compiler import GPUTarget
    from triton.compiler import ASTSource
    from triton.compiler.compiler import make_backend
    from triton.compiler.errors import CompilationError

    target = GPUTarget("cuda", 80, 32)
    backend = make_backend(target)
    options = backend.parse_options({})
    context = ir.context()
    ir.load_dialects(context)
    backend.load_dialects(context)
    types = {parameter: signature.get(parameter, "constexpr") for parameter in kernel.arg_names}
    constants = {(kernel.arg_names.index(parameter),): value for parameter, value in constexprs.items()}
    source = ASTSource(kernel, signature=types, constexprs=constants)
    try:
        codegen = backend.get_codegen_implementation(options)
        source.make_ir(target, options, codegen, backend.get_module_map(), context)
    except CompilationError as error:
        definition = next(i for i, line in enumerate(kernel.raw_src) if line.lstrip().startswith("def "))
        return int(kernel.starting_line_number + definition + error.node.lineno - 1)
    return None
