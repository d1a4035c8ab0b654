"""The rules on misuse of the capture APIs (9xx) against the installed PyTorch: what they call an error is one."""

from __future__ import annotations

import inspect
import linecache
from typing import Any

import pytest

from analyzer.api import Options, analyze
from analyzer.knowledge.capture_apis import names
from analyzer.knowledge.versions import MEASURED
from analyzer.registry import all_rules
from analyzer.rule import Bad, Good
from tests.truth.claims import cases_of

torch = pytest.importorskip("torch")

RAISES = ("CAP901", "CAP902", "CAP903", "CAP906", "CAP803", "CAP804", "CAP907", "CAP908", "CAP910", "CAP912", "CAP913")
CASES = [c for c in cases_of(all_rules()) if c.rule.code.startswith(RAISES)]
at_newest = pytest.mark.skipif(
    tuple(int(p) for p in torch.__version__.split(".")[:2]) != MEASURED,
    reason="the tables are those of another version",
)


def main_of(source: str) -> Any:
    space: dict[str, Any] = {"__name__": "example"}
    linecache.cache["<example>"] = (len(source), None, source.splitlines(True), "<example>")  # torch.jit reads it
    exec(compile(source, "<example>", "exec"), space)
    return space["main"]


@at_newest
@pytest.mark.parametrize("case", [c for c in CASES if isinstance(c.example, Bad)], ids=lambda c: c.name)
def test_what_is_reported_raises(case: Any) -> None:
    with pytest.raises(Exception):  # noqa: B017 - each API raises its own kind
        main_of(case.example.source)()


@at_newest
@pytest.mark.parametrize("case", [c for c in CASES if isinstance(c.example, Good)], ids=lambda c: c.name)
def test_what_is_not_reported_does_not_raise(case: Any) -> None:
    main_of(case.example.source)()


@at_newest
@pytest.mark.parametrize(
    "api",
    [
        "torch.compile",
        "torch.export.export",
        "torch.jit.trace",
        "torch.jit.script",
        "torch.fx.symbolic_trace",
        "torch.onnx.export",
    ],
)
def test_keywords_are_those_of_the_signature(api: str) -> None:
    function: Any = torch
    for part in api.split(".")[1:]:
        function = getattr(function, part)
    assert names("keyword", api) == set(inspect.signature(function).parameters)


@at_newest
def test_modes_backends_and_settings_are_those_of_torch() -> None:
    import torch._dynamo.config
    import torch._inductor.config

    assert names("mode", "torch.compile") == set(torch._inductor.list_mode_options())
    assert names("backend", "torch.compile") == set(torch._dynamo.list_backends(None))
    for owner, module in (
        ("torch._dynamo.config", torch._dynamo.config),
        ("torch._inductor.config", torch._inductor.config),
    ):
        assert names("config", owner) == set(module._config) - {"TYPE_CHECKING"}


def test_a_discarded_compile_compiles_nothing() -> None:
    from torch._dynamo.testing import CompileCounter

    def fn(x: Any) -> Any:
        return x + 1

    counter = CompileCounter()
    torch.compile(fn, backend=counter)
    fn(torch.ones(3))
    assert counter.frame_count == 0


def test_a_trace_in_training_mode_drops_for_ever() -> None:
    traced = torch.jit.trace(torch.nn.Dropout(0.5), torch.ones(64), check_trace=False)
    traced.eval()
    assert not torch.equal(traced(torch.ones(64)), torch.ones(64))


def found(source: str, **options: Any) -> list[tuple[str, int]]:
    report = analyze(["/example/program.py"], Options(**options), {"/example/program.py": source})
    assert not report.errors
    return [(f.code, f.line) for f in report.findings if f.code.startswith("CAP9")]


def test_methods_of_other_objects_are_left_alone() -> None:
    source = """
import re
import torch

model.compile(optimizer="adam", loss="mse")
pattern = re.compile("a+", flags=0)
fast = torch.compile(lambda x: x, backend="my_own_backend")
"""
    assert found(source) == []


def test_newer_keywords_are_unknown_to_an_older_target() -> None:
    source = """
import torch

fast = torch.compile(lambda x: x + 1, isolate_recompiles=True)
"""
    assert found(source, torch=(2, 13)) == []
    assert found(source, torch=(2, 9)) == [("CAP901", 4)]
