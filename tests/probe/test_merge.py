"""What a real probe makes of real findings: confirmed, refuted, not reached, and the breaks that no rule predicted."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from analyzer.api import Options, analyze
from analyzer.finding import Finding
from capture_lsp.check_probe import entry_of, known_ids
from capture_lsp.merge_probe import Scope, merge, refuted
from capture_lsp.probe.client import Client
from capture_lsp.probe.evidence import Evidence, Files
from capture_lsp.probe.functions import functions_of, innermost
from capture_lsp.probe.injection import injected
from capture_lsp.probe.run import run
from capture_lsp.probe.staleness import changed, stamps
from capture_lsp.probe.targets import Target, Work

pytestmark = pytest.mark.truth


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    with Client(sys.executable, injected(str(tmp_path_factory.mktemp("cache")))) as started:
        yield started


class Judged:
    """A program under the analyzer and under a probe."""

    def __init__(self, folder: Path, client: Client) -> None:
        self.folder = folder
        self.client = client
        self.texts: dict[str, str] = {}

    def evidence(
        self, source: str, entry: str | None, inputs: Sequence[str], parts: Sequence[str] = ("dynamo",)
    ) -> tuple[str, Files, list[Evidence]]:
        path = str(self.folder / "program.py")
        Path(path).write_text(source, encoding="utf-8")
        self.texts[path] = source
        text = path if entry is None else f"{path}::{entry}"
        report = run(self.client, [Target(text, path, entry, tuple(inputs))], Work(parts=tuple(parts), seconds=100))
        assert [(e["status"], e["message"]) for e in report["entries"]] == [("ok", "")] * len(report["entries"])
        files = Files([path], self.texts.get)
        return path, files, [Evidence(entry, files, None) for entry in report["entries"]]

    def __call__(
        self,
        source: str,
        inputs: Sequence[str] = ("torch.ones(3)",),
        entry: str | None = "fn",
        options: Options | None = None,
        scope: Scope | None = None,
        parts: Sequence[str] = ("dynamo",),
    ) -> list[Finding]:
        path, files, found = self.evidence(source, entry, inputs, parts)
        predicted = analyze([path], options or Options()).findings
        merged = merge(predicted, found, files, scope or Scope([True] * len(found)))
        return sorted((f for f in merged if f.path == path), key=lambda f: (f.line, f.column, f.code))


@pytest.fixture
def judged(tmp_path: Path, client: Client) -> Judged:
    return Judged(tmp_path, client)


def told(findings: list[Finding], frontend: str = "dynamo") -> list[tuple[int, str, str | None]]:
    return [(f.line, f.code, f.status.get(frontend)) for f in findings]  # type: ignore[call-overload]


BRANCHES = """\
import torch

@torch.compile
def fn(x, loud=False):
    if x.sum() > 0:
        x = x + 1
    if loud:
        print(x)
    else:
        x = x * 2
    return torch.nonzero(x)
"""


def test_what_broke_is_confirmed_and_what_did_not_run_is_not_reached(judged: Judged) -> None:
    found = judged(BRANCHES)
    assert told(found) == [
        (5, "CAP101", "confirmed"),
        (8, "CAP301", "not_reached"),
        (11, "CAP120", "confirmed"),
    ]
    assert all(f.status["cudagraph"] == "predicted" for f in found if "cudagraph" in f.status)


def test_an_untaken_path_is_confirmed_by_a_call_that_takes_it(judged: Judged) -> None:
    found = judged(BRANCHES, ("torch.ones(3)", "(torch.ones(3), True)"))
    assert (8, "CAP301", "confirmed") in told(found)


def test_what_comes_after_a_skip_is_not_reached(judged: Judged) -> None:
    source = """\
import torch

@torch.compile
def fn(x):
    for number in range(3):
        print(number)
        x = x + x.sum().item()
    return x
"""
    assert told(judged(source)) == [(6, "CAP301", "confirmed"), (7, "CAP110", "not_reached")]


def test_what_the_compiler_captures_is_refuted(judged: Judged) -> None:
    """Judged by torch 2.8, which has no polyfill of `itertools.permutations`; torch 2.9 and later have."""
    source = """\
import itertools
import torch

@torch.compile
def fn(x):
    for a, b in itertools.permutations([1, 2, 3], 2):
        x = x * a + b
    print("done")
    return x
"""
    found = judged(source, options=Options(torch=(2, 8)))
    assert told(found) == [(6, "CAP526", "refuted"), (8, "CAP301", "confirmed")]
    assert [refuted(f) for f in found] == [True, False]


def test_the_operand_that_broke_may_have_the_columns_of_another(judged: Judged) -> None:
    """CPython 3.11 gives the jump of `a and b` the columns of `a`."""
    source = """\
import torch

@torch.compile
def fn(x, mask: torch.Tensor | None = None):
    if mask is not None and mask.any():
        return x + 1
    return x
"""
    assert told(judged(source, ("(torch.ones(3), torch.ones(3))",))) == [(5, "CAP101", "confirmed")]


def test_of_two_places_on_a_line_each_has_its_own_status(judged: Judged) -> None:
    source = """\
import torch

@torch.compile
def fn(x, eager=False):
    return x.sum().item() if not eager else print(x)
"""
    assert told(judged(source)) == [(5, "CAP110", "confirmed"), (5, "CAP301", "not_reached")]


COUNTER = """\
import torch

@torch.compile
def fn(x, n: int):
    return x * n + [1.0, 2.0, 3.0][n]
"""


def test_recompiles(judged: Judged) -> None:
    options = Options()
    once = judged(COUNTER, ("(torch.ones(3), 0)",), options=options)
    again = judged(COUNTER, ("(torch.ones(3), 0)", "(torch.ones(3), 1)", "(torch.ones(3), 2)"), options=options)
    same = judged(COUNTER, ("(torch.ones(3), 1)", "(torch.ones(3), 1)"), options=options)
    predicted = [f.line for f in once if f.outcomes["dynamo"] == "recompiles"]
    assert predicted == [5]
    assert [found[0].status["dynamo"] for found in (once, again, same)] == ["not_reached", "confirmed", "refuted"]


def test_other_frontends_by_their_verdicts(judged: Judged) -> None:
    source = """\
import torch

def fn(x: torch.Tensor):
    if x.sum() > 0:
        return x + 1
    return x - 1

def two(x: torch.Tensor):
    return fn(x)
"""
    options = Options(frontends=("trace", "fx", "dynamo"), roots="all")
    (found,) = judged(source, options=options, parts=("dynamo", "trace", "fx", "perturb"), entry="two")
    assert found.outcomes["trace"] == "silently_wrong"
    assert {f: found.status[f] for f in ("trace", "fx", "dynamo")} == dict.fromkeys(
        ("trace", "fx", "dynamo"), "confirmed"
    )


HELPER = """\
import torch
from noisy_helper import noisy

@torch.compile
def fn(x):
    y = x + 1
    return noisy(y) * 2
"""


def test_an_unpredicted_break_is_a_finding_at_the_call_that_leads_there(judged: Judged) -> None:
    (judged.folder / "noisy_helper.py").write_text("def noisy(x):\n    print('here')\n    return x\n")
    (found,) = judged(HELPER)
    assert (found.code, found.name) == ("CAP599", "unpredicted-graph-break")
    assert (found.line, found.column, found.end_line, found.end_column) == (7, 5, 7, 24)
    assert found.graph_breaks == ("GB0059",)
    assert (found.status, found.severity, found.function) == ({"dynamo": "confirmed"}, "warning", "fn")
    assert found.roots == [f"{found.path}::fn"]
    (inside,) = found.related
    assert (inside.path, inside.line) == (str(judged.folder / "noisy_helper.py"), 2)
    assert len(found.message) <= 80
    assert judged(HELPER, scope=Scope([False])) == []
    assert judged(HELPER, scope=Scope([True], frozenset({"GB0059"}))) == []


def test_an_unpredicted_skip_is_an_error(judged: Judged) -> None:
    source = """\
import torch

def fn(x, say):
    for _ in range(2):
        say("x")
        x = x + 1
    return x
"""
    (found,) = judged(source, ("(torch.ones(3), print)",), options=Options(frontends=("dynamo",), roots="all"))
    assert (found.code, found.line, found.outcomes, found.severity) == (
        "CAP599",
        5,
        {"dynamo": "skipped_frame"},
        "error",
    )
    assert found.message.startswith("fn runs eagerly: ")


def test_what_the_file_captures_itself_needs_no_inputs(judged: Judged) -> None:
    source = BRANCHES + '\nif __name__ == "__main__":\n    fn(torch.ones(3))\n'
    assert told(judged(source, (), None)) == told(judged(BRANCHES))


def test_ids_of_rules_that_were_turned_off_are_no_news() -> None:
    from capture_lsp.catalogue import entries

    every = {entry.code for entry in entries()}
    assert known_ids(()) == frozenset()
    assert known_ids(every) == frozenset()
    assert "GB0170" in known_ids(every - {"CAP101", "CAP102"})


@pytest.mark.parametrize(
    ("name", "entry"),
    [
        ("fn", "fn"),
        ("Net.forward", "Net"),
        ("Net.encode", "Net.encode"),
        ("a.Net.forward", "a.Net"),
        ("<lambda>", None),
    ],
)
def test_entries_of_roots(name: str, entry: str | None) -> None:
    assert entry_of(name) == entry


# staleness


def test_a_probe_turns_stale_when_a_traced_function_changes(judged: Judged) -> None:
    (judged.folder / "noisy_helper.py").write_text("def noisy(x):\n    print('here')\n    return x\n")
    _, _, (evidence,) = judged.evidence(HELPER, "fn", ("torch.ones(3)",))

    def text_of(path: str) -> str | None:
        return Path(path).read_text() if Path(path).exists() else None

    kept = stamps(evidence.entry["traced"], text_of)
    assert {(Path(s.path).name, s.name) for s in kept} == {("program.py", "fn"), ("noisy_helper.py", "noisy")}
    assert changed(kept, text_of) == []
    helper = judged.folder / "noisy_helper.py"
    helper.write_text(
        "# a comment\n\ndef other():\n    pass\n\ndef noisy(x):  # another\n    print( 'here' )\n    return x\n"
    )
    assert changed(kept, text_of) == []
    helper.write_text("def noisy(x:\n")
    assert changed(kept, text_of) == []
    helper.write_text("def noisy(x):\n    print('there')\n    return x\n")
    assert [s.name for s in changed(kept, text_of)] == ["noisy"]
    helper.unlink()
    assert [s.name for s in changed(kept, text_of)] == ["noisy"]


def test_functions_of_a_text() -> None:
    text = "class A:\n    @property\n    def f(self):\n        def g():\n            return 1\n        return g\n"
    functions = functions_of(text)
    assert functions is not None
    assert [(f.name, f.first, f.line, f.last) for f in functions] == [("A.f", 2, 3, 6), ("A.f.g", 4, 4, 5)]
    found = innermost(functions, 5)
    assert found is not None
    assert found.name == "A.f.g"
    assert innermost(functions, 1) is None
    assert functions_of("def f(:") is None
