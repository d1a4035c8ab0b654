"""The rules 7xx against Triton's own frontend and against kernels that are known to compile."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import pytest

from analyzer.knowledge.versions import MEASURED
from analyzer.registry import all_rules
from analyzer.rule import Bad
from tests.triton.collect import findings
from tests.triton.oracle import judge
from tests.triton.table import CONSTEXPRS, FIRST, SIGNATURE, Row, read

HAS_TRITON = importlib.util.find_spec("triton") is not None
ROWS = read()
RULES = [rule for rule in all_rules() if rule.code.startswith("CAP7")]
EXAMPLES = [pytest.param(rule, e, id=f"{rule.code}-{i}") for rule in RULES for i, e in enumerate(rule.examples)]


def marked(source: str, code: str) -> set[int]:
    return {i for i, line in enumerate(source.splitlines(), 1) if re.search(rf"#.*\b{code}\b", line)}


@pytest.mark.parametrize("row", ROWS, ids=lambda r: r.name)
def test_rules_agree_with_the_table(row: Row) -> None:
    found = findings(row.source)
    assert tuple(sorted({f.code for f in found})) == row.codes
    if not row.refused:
        assert not found
    elif row.line is not None and row.codes:
        assert row.line in {f.line - FIRST for f in found}


@pytest.mark.skipif(not HAS_TRITON, reason="needs triton")
@pytest.mark.parametrize("row", ROWS, ids=lambda r: r.name)
def test_triton_agrees_with_the_table(row: Row) -> None:
    verdict = judge(row.source, "kernel", SIGNATURE, CONSTEXPRS)
    assert verdict.refused == row.refused, verdict
    if row.line is not None:
        assert verdict.line == FIRST + row.line, verdict


@pytest.mark.parametrize(("rule", "example"), EXAMPLES)
def test_examples_are_flagged_where_they_say(rule: type, example: object) -> None:
    source: str = example.source  # type: ignore[attr-defined]
    code: str = rule.code  # type: ignore[attr-defined]
    found = findings(source, every=True, torch=getattr(example, "target", None) or MEASURED)
    assert {f.line for f in found if f.code == code} == marked(source, code)
    assert bool(found) == isinstance(example, Bad), found
    assert all(len(f.message) <= 100 for f in found)


@pytest.mark.skipif(not HAS_TRITON, reason="needs triton")
@pytest.mark.parametrize(("rule", "example"), EXAMPLES)
def test_triton_bears_the_examples_out(rule: type, example: object) -> None:
    entry: str = example.entry  # type: ignore[attr-defined]
    if entry == "launch":
        pytest.skip("host code: it needs a device")
    _, signature, constexprs = eval(entry, {"kernel": None})
    verdict = judge(example.source, "kernel", signature, constexprs)  # type: ignore[attr-defined]
    claimed = rule.claims(MEASURED) | dict(example.outcomes)  # type: ignore[attr-defined]
    assert verdict.refused == (isinstance(example, Bad) and claimed["triton"] == "refused"), verdict


def _torch_kernels() -> list[Path]:
    spec = importlib.util.find_spec("torch")
    if spec is None or not spec.submodule_search_locations:
        return []
    root = Path(spec.submodule_search_locations[0])
    names = ["sparse/_triton_ops.py", "_inductor/runtime/triton_helpers.py", "_inductor/kernel/flex/flex_decoding.py"]
    found = [root / n for n in names if (root / n).is_file()]
    return found + [
        p for p in sorted((root / "distributed/_symmetric_memory").glob("*.py")) if "triton" in p.read_text()
    ]


@pytest.mark.parametrize("path", _torch_kernels(), ids=lambda p: p.name)
def test_kernels_that_ship_with_torch_have_no_findings(path: Path) -> None:
    assert findings(path.read_text(encoding="utf-8"), str(path)) == []


def test_source_without_triton_has_no_findings() -> None:
    assert findings("def kernel(x):\n    while True:\n        break\n") == []


IMPORTS = [
    ("import triton\nfrom triton import language as tl", "@triton.jit", "tl"),
    ("import triton\nimport triton.language", "@triton.jit", "triton.language"),
    ("import triton as tr\nimport triton.language as tl", "@tr.jit", "tl"),
    ("from triton import jit\nimport triton.language.core as core", "@jit", "core"),
    (
        "try:\n    import triton\n    import triton.language as tl\nexcept ImportError:\n    triton = None",
        "@triton.jit",
        "tl",
    ),
]


@pytest.mark.parametrize(("imports", "decorator", "tl"), IMPORTS)
def test_however_triton_is_imported(imports: str, decorator: str, tl: str) -> None:
    source = f"{imports}\n\n\n{decorator}\ndef kernel(x_ptr):\n    for i in {tl}.static_range(2):\n"
    source += f"        {tl}.store(x_ptr + {tl}.arange(0, 100), i)\n"
    assert [f.code for f in findings(source)] == ["CAP713"]
