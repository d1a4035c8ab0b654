"""What depends on the torch release: each claim of `versions.tsv` under the analyzer and, for 2.13, under PyTorch."""

from __future__ import annotations

import ast
import importlib.util
import json
from dataclasses import dataclass
from pathlib import Path

import pytest

from analyzer.api import Options, analyze
from analyzer.finding import Finding
from analyzer.knowledge.tables import table, variants
from analyzer.knowledge.versions import MEASURED, changes, known_ids, version
from analyzer.outcome import RANK, Frontend, Outcome
from analyzer.registry import all_rules
from analyzer.rule import SCALARS_IN_FULLGRAPH
from capture_lsp.torch_versions import NEWEST, OLDEST
from tests.truth.client import Pool
from tests.truth.conftest import judges as judges

PATH = "/example/program.py"
PROGRAM = '''\
import collections, contextlib, functools, inspect, itertools, json, operator, re, struct, sys
import traceback, typing, warnings

import torch


@contextlib.contextmanager
def scope():
    yield


class Point:
    def __init__(self, n):
        self.n = n


POINT = Point(3)


def by_size(a, b):
    return a - b


def doubled(grad):
    return grad * 2


def counting():
    try:
        yield 1
        yield 2
    except ValueError:
        yield 3


PAIR = typing.Union[int, str]


def fn(x: torch.Tensor):
    y = x * 2
    {body}
    return y
'''


@dataclass(frozen=True)
class Row:
    """One line of the table."""

    claim: str
    code: str
    frontend: Frontend
    release: tuple[int, int]
    outcome: Outcome
    body: str

    @property
    def program(self) -> str:
        return PROGRAM.format(body=self.body.replace("\\n", "\n"))


def _read() -> list[Row]:
    lines = (Path(__file__).parent / "versions.tsv").read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t") for line in lines if not line.startswith("#")][1:]
    return [Row(a, b, c, version(d), e, f) for a, b, c, d, e, f in rows]  # type: ignore[arg-type]


ROWS = _read()


def found(row: Row, release: tuple[int, int]) -> list[Finding]:
    options = Options(frontends=(row.frontend,), extra_roots=(f"{PATH}::fn",), torch=release)
    report = analyze([PATH], options, {PATH: row.program})
    assert not report.errors, report.errors
    return report.findings


def worst(findings: list[Finding], frontend: Frontend) -> Outcome:
    return min((f.outcomes.get(frontend, "captured") for f in findings), key=RANK.index, default="captured")


@pytest.mark.parametrize("row", ROWS, ids=lambda r: f"{r.claim}-{r.code}-{r.frontend}-{r.release[0]}.{r.release[1]}")
def test_analyzer_judges_by_the_release(row: Row) -> None:
    ast.parse(row.program)
    findings = found(row, row.release)
    assert worst([f for f in findings if f.code == row.code], row.frontend) == row.outcome
    assert worst(findings, row.frontend) == row.outcome, "another rule says something else of the program"


def _judged() -> list[Row]:
    """For each program and frontend the row that speaks of the release at hand: the last of those up to it."""
    last: dict[tuple[str, Frontend], Row] = {}
    for row in sorted(ROWS, key=lambda r: r.release):
        if row.release <= MEASURED:
            last[row.body, row.frontend] = row
    return list(last.values())


@pytest.mark.truth
@pytest.mark.parametrize("row", _judged(), ids=lambda row: f"{row.claim}-{row.code}-{row.frontend}")
def test_pytorch_bears_out_the_last_claim(row: Row, judges: Pool) -> None:
    request = {"source": row.program, "entry": "fn", "inputs": "torch.ones(3, requires_grad=True)", "variants": []}
    verdicts = judges.judge({**request, "frontends": [row.frontend]})["verdicts"]
    got = verdicts[row.frontend]["outcome"]
    assert got == row.outcome or (got, row.outcome) == ("skipped_frame", "graph_break"), verdicts[row.frontend]


def test_every_change_has_rows() -> None:
    told = {(row.claim, row.release, row.outcome) for row in ROWS}
    for change in changes().values():
        claim = f"{change.form} {change.name}"
        after = "graph_break" if change.before == "captured" else "captured"
        assert (claim, change.since, after) in told
        assert (claim, (change.since[0], change.since[1] - 1), change.before) in told
        assert change.source, f"{claim}: where is it written?"
        if change.graph_break:
            assert known_ids((change.graph_break,), (2, 8)), f"{claim}: {change.graph_break} is no id of its time"


def test_an_older_release_has_every_finding_of_a_newer_one_that_the_table_tells() -> None:
    """From 2.6 to the newest release, the findings of a row's program change at its release alone."""
    for change in changes().values():
        rows = [row for row in ROWS if row.claim == f"{change.form} {change.name}"]
        after = "graph_break" if change.before == "captured" else "captured"
        for minor in range(OLDEST[1], NEWEST[1] + 1):
            expected = change.before if (2, minor) < change.since else after
            assert worst(found(rows[0], (2, minor)), "dynamo") == expected, f"{change.name} on 2.{minor}"


def test_findings_name_only_ids_that_the_release_has() -> None:
    row = next(row for row in ROWS if row.claim == "call list.count")
    program = Row(row.claim, row.code, "dynamo", (2, 6), row.outcome, "print(y); y = y * [1].count(1)")
    for minor in range(OLDEST[1], NEWEST[1] + 1):
        for finding in found(program, (2, minor)):
            assert finding.graph_breaks == known_ids(finding.graph_breaks, (2, minor))
            assert bool(finding.graph_breaks) == (minor >= 8), f"{finding.code} on 2.{minor}"


def test_ids_of_rules_and_tables_are_ids_of_the_measured_release() -> None:
    used = {gb for rule in all_rules() for gb in rule.graph_breaks}
    used |= {gb for row in [*table().values(), *variants().values()] for gb in row.ids}
    assert used == set(known_ids(sorted(used), MEASURED))


def test_table_of_ids_is_the_registry_of_the_torch_at_hand() -> None:
    spec = importlib.util.find_spec("torch")
    assert spec is not None
    assert spec.origin is not None
    package = Path(spec.origin).parent
    text = (package / "version.py").read_text(encoding="utf-8")
    release = version(".".join(text.split("__version__ = '")[1].split(".")[:2]))
    registry = set(json.loads((package / "_dynamo" / "graph_break_registry.json").read_text(encoding="utf-8")))
    assert registry == set(known_ids(sorted(registry), release))


def test_before_the_registry_there_are_no_ids() -> None:
    assert known_ids(("GB0007", "GB0170"), (2, 7)) == ()
    assert known_ids(("GB0060",), (2, 13)) == ("GB0060",)
    assert known_ids(("GB0060",), (2, 14)) == ()


def test_strict_says_whether_export_uses_dynamo() -> None:
    source = """
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x):
        torch.set_num_threads(1)
        return x * 2


program = torch.export.export(Net(), (torch.ones(3),){})
"""
    for text, refusing in (("", (2, 7)), (", strict=True", (2, 13)), (", strict=False", None)):
        for release in ((2, 6), (2, 7), (2, 8), (2, 13)):
            findings = analyze([PATH], Options(torch=release), {PATH: source.format(text)}).findings
            expected = ["CAP501"] if refusing is not None and release <= refusing else []
            assert [f.code for f in findings] == expected, f"export(…{text}) on {release}"


def test_steps_are_told_by_release() -> None:
    assert [SCALARS_IN_FULLGRAPH.at((2, minor)) for minor in (6, 9, 10, 14)] == [
        "refused",
        "refused",
        "captured",
        "captured",
    ]


@pytest.mark.parametrize(
    ("code", "statement", "first", "last"),
    [
        ("CAP902", "torch._dynamo.config.nested_graph_breaks = True", 9, 14),
        ("CAP902", "torch._dynamo.config.recompile_limit = 4", 7, 14),
        ("CAP902", "torch._dynamo.config.skip_fsdp_hooks = False", 6, 12),
        ("CAP902", "torch._inductor.config.triton.enable_pdl = True", 10, 14),
        ("CAP901", "torch.compile(fn, recompile_limit=4)", 12, 14),
        ("CAP901", "torch.compile(fn, dynamic_shapes={})", 14, 14),
        ("CAP901", "torch.export.export(m, (), prefer_deferred_runtime_asserts_over_guards=True)", 9, 14),
        ("CAP907", "torch.export.export_for_training(m, ())", 6, 10),
        ("CAP907", "torch.onnx.dynamo_export(m)", 6, 8),
    ],
)
def test_names_are_those_of_the_release(code: str, statement: str, first: int, last: int) -> None:
    head = "import torch\nimport torch._dynamo.config\nimport torch._inductor.config\n\n\n"
    head += "def fn(x):\n    return x\n\n\nm = torch.nn.Linear(2, 2)\n"
    source = f"{head}{statement}\n"
    asked = f"{head}if torch.__version__ >= '2.9':\n    {statement}\n"
    for minor in range(OLDEST[1], NEWEST[1] + 1):
        codes = {f.code for f in analyze([PATH], Options(torch=(2, minor)), {PATH: source}).findings}
        assert (code in codes) == (not first <= minor <= last), f"{statement} on 2.{minor}"
        if code != "CAP907":
            codes = {f.code for f in analyze([PATH], Options(torch=(2, minor)), {PATH: asked}).findings}
            assert code not in codes, f"asked for: {statement} on 2.{minor}"


def test_onnx_export_traces_by_default_before_2_9() -> None:
    source = """
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x):
        return x * int(x.shape[0])


torch.onnx.export(Net(), (torch.ones(3),), "net.onnx"{})
"""

    def codes(text: str, minor: int) -> list[str]:
        return [f.code for f in analyze([PATH], Options(torch=(2, minor)), {PATH: source.format(text)}).findings]

    assert [bool(codes("", minor)) for minor in (6, 8, 9, 13)] == [True, True, False, False]  # a trace keeps the size
    assert codes(", dynamo=True", 6) == []
    assert codes(", dynamo=False", 13) == codes("", 8)


@pytest.mark.parametrize(
    ("line", "first"),
    [
        ("best = tl.topk(x, 4)", 8),
        ("best = tl.gather(x, tl.arange(0, BLOCK), 0)", 7),
        ("d = tl.make_tensor_descriptor(x_ptr, [16], [1], [BLOCK])", 8),
        ("parts = [x + i for i in tl.static_range(2)]", 9),
        ("x = tl.squeeze(x[None, :], 0)", 12),
        ("x = tl.sort(x)", 6),
    ],
)
def test_kernels_are_judged_by_the_triton_of_the_release(line: str, first: int) -> None:
    source = f"""
import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr, BLOCK: tl.constexpr):
    x = tl.load(x_ptr + tl.arange(0, BLOCK))
    {line}
    tl.store(x_ptr + tl.arange(0, BLOCK), x)
"""
    for minor in range(OLDEST[1], NEWEST[1] + 1):
        options = Options(torch=(2, minor), select=("CAP730",))
        assert [f.line for f in analyze([PATH], options, {PATH: source}).findings] == ([9] if minor < first else [])
