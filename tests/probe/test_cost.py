"""What a measurement says: in words, of findings, and in the order of a check."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from analyzer.finding import Cost, Finding
from capture_lsp.check import Run, check
from capture_lsp.check_probe import Prober
from capture_lsp.config.settings import Resolver
from capture_lsp.formats.json_format import render as render_json
from capture_lsp.formats.probe import cost, cost_words, kernel_words
from capture_lsp.formats.style import Style
from capture_lsp.probe.client import Client
from capture_lsp.probe.entries import complete, failed
from capture_lsp.probe.finding_cost import cost_of
from capture_lsp.probe.findings import names_of, of_targets
from capture_lsp.probe.fixes import of_findings
from capture_lsp.probe.gpus import names
from capture_lsp.probe.injection import injected
from capture_lsp.probe.measuring import Measuring
from capture_lsp.probe.targets import Target, Work, request
from capture_lsp.results import FileResult, RunResult, by_cost
from runtime_probe.kernels.gpu.devices import known
from runtime_probe.report import Break, Entry, Timing, Without
from tests.cli.conftest import Project

PATH = "/project/model.py"


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project.in_folder(tmp_path)


def variant(lines: list[int], ratio: float, gain: float, verdict: Any = "faster") -> Without:
    return {
        "breaks": [{"path": PATH, "line": line} for line in lines],
        "how": "fix",
        "ratio": ratio,
        "low": ratio - 0.05,
        "high": ratio + 0.05,
        "verdict": verdict,
        "gain": gain,
        "gain_low": gain - 0.05,
        "gain_high": gain + 0.05,
        "message": "",
    }


def timing(**changed: Any) -> Timing:
    found: Timing = {
        "eager_ms": 1.83,
        "compiled_ms": 1.397,
        "ratio": 1.31,
        "low": 1.25,
        "high": 1.37,
        "verdict": "faster",
        "clock": "wall",
        "eager_cpu_ms": 3.6,
        "compiled_cpu_ms": 2.1,
        "rounds": 40,
        "processes": 5,
        "cold_s": 4.2,
        "break_even_calls": 9700,
        "guards_us": 12.34,
        "threads": 2,
        "message": "",
        "without": [
            variant([14], 1.58, 1.206),
            variant([77], 1.32, 1.01, "no difference measured"),
            variant([14, 77], 1.79, 1.366),
        ],
    }
    found.update(changed)  # type: ignore[typeddict-item]
    return found


def broken(line: int) -> Break:
    return {
        "path": PATH,
        "line": line,
        "column": 5,
        "end_line": line,
        "end_column": 9,
        "reason": "print",
        "graph_break": None,
        "cause": None,
        "stack": [],
        "resume": None,
    }


def entry(of: Timing | None, *lines: int) -> Entry:
    found = failed(Target(f"{PATH}::fn", PATH, "fn"), "")
    found["status"], found["timing"] = "ok", of
    found["frames"] = [
        {
            "function": "fn",
            "path": PATH,
            "line": 10,
            "compile_id": None,
            "skipped": False,
            "skip_reason": None,
            "breaks": [broken(line) for line in lines],
            "graphs": [],
            "guards": [],
            "bytecode": None,
        }
    ]
    return found


def text_of(of: Timing) -> str:
    return "\n".join(cost.section(entry(of, 14, 77), Style()))


def test_a_measurement_in_the_terminal() -> None:
    rows = [line.strip() for line in text_of(timing()).splitlines()]
    assert rows[:4] == [
        "what it costs",
        "eager 1.83 ms · compiled 1.4 ms · 1.31× (1.25–1.37)",
        "first call 4.2 s · pays for itself after 9,700 calls · guards 12.3 µs per call",
        "wall clock · 2 threads · 40 rounds in 5 processes · CPU time 3.6 ms eager, 2.1 ms compiled",
    ]
    assert [" ".join(row.split()) for row in rows[4:]] == [
        "without the break at 14 1.31× → 1.58× gain 1.21× (1.16–1.26) with its fix applied",
        "without the break at 77 no difference measured gain 1.01× (0.96–1.06) with its fix applied",
        "without the breaks at 14 and 77 1.31× → 1.79× gain 1.37× (1.32–1.42) each as by itself",
    ]


def test_no_difference_is_said_and_never_called_faster() -> None:
    none = timing(verdict="no difference measured", ratio=1.02, low=0.97, high=1.06, break_even_calls=None, without=[])
    assert "no difference measured: 1.02× (0.97–1.06)" in text_of(none)
    assert "pays for itself" not in text_of(none)
    assert cost_words.in_short(entry(none)) == "no difference measured"
    slower = timing(verdict="slower", ratio=0.8, low=0.75, high=0.85, break_even_calls=None, without=[])
    assert "slower: 0.80× (0.75–0.85)" in text_of(slower)
    assert "never pays for itself" in text_of(slower)
    unknown = timing(verdict="not measured", ratio=None, low=None, high=None, message="the call fails", without=[])
    assert "not measured" in text_of(unknown)
    assert "the call fails" in text_of(unknown)
    assert cost_words.in_short(entry(unknown)) == ""


def test_what_is_far_slower_is_not_nothing_as_fast() -> None:
    assert cost_words.times(0.00168) == "0.0017×"
    assert cost_words.interval(0.0214, 0.0099, 22.356) == "0.021× (0.0099–22.36)"
    assert (cost_words.times(0.8), cost_words.times(0.0)) == ("0.80×", "0.00×")


def test_why_a_setting_has_no_time_is_said_in_full() -> None:
    why = "there was no time to compile it: raise it with --budget, which is in seconds"
    of = entry(None)
    row = {"arguments": "dynamic=True", "ratio": None, "low": None, "high": None, "verdict": "not measured"}
    of["settings"] = [row | {"cold_s": None, "message": why}]  # type: ignore[list-item]
    assert [line.strip() for line in cost.section(of, Style())][-1] == f"dynamic=True: {why}"


def test_a_lens_has_the_ratio_and_that_without_any_break() -> None:
    assert cost_words.in_short(entry(timing(), 14, 77)) == "1.31× (1.79× without breaks)"
    assert cost_words.in_short(entry(timing(), 14, 77, 80)) == "1.31×"  # one break stays in every variant
    assert cost_words.in_short(entry(None, 14)) == ""


def test_what_a_finding_costs() -> None:
    of = timing()
    first = cost_of([(of, broken(14))])
    assert first is not None
    assert (first.gain, first.before, first.after, first.verdict) == (1.206, 1.31, 1.58, "faster")
    assert cost_words.of_finding(first) == "fixing this: 1.31× → 1.58× (measured)"
    second = cost_of([(of, broken(77))])
    assert second is not None
    assert cost_words.of_finding(second) == "fixing this: no difference measured"
    both = cost_of([(of, broken(14)), (of, broken(77))])
    assert both is not None
    assert both.after == 1.79
    assert cost_of([(of, broken(80)), (None, broken(14))]) is None
    other = timing(without=[variant([14], 2.0, 1.5)])
    most = cost_of([(of, broken(14)), (other, broken(14))])
    assert most is not None
    assert most.gain == 1.5


def finding(line: int, gain: float | None, verdict: str = "faster") -> Finding:
    costs = None if gain is None else Cost(gain, gain - 0.1, gain + 0.1, 1.0, gain, verdict)
    return Finding("CAP301", "print", PATH, line, 1, line, 2, "prints", "fn", {"dynamo": "graph_break"}, cost=costs)


def test_what_costs_most_comes_first() -> None:
    one = FileResult(PATH, [finding(1, None), finding(2, 1.9, "no difference measured"), finding(3, 1.2)])
    other = FileResult("/project/other.py", [finding(4, 1.5)])
    sorted_ = by_cost([one, other])
    assert [[f.line for f in file.findings] for file in sorted_] == [[4], [3, 2, 1]]


def test_the_json_of_a_finding_has_its_cost_only_where_it_was_measured() -> None:
    result = RunResult([FileResult(PATH, [finding(1, 1.2), finding(2, None)])], (2, 13))
    with_cost, without = json.loads(render_json(result, "/project"))["findings"]
    assert with_cost["cost"] == {"gain": 1.2, "low": pytest.approx(1.1), "high": pytest.approx(1.3)}
    assert "cost" not in without


SOURCE = """\
import torch


class Net(torch.nn.Module):
    def forward(self, x):
        print("a")
        if x.sum() > 0:
            print(x.shape)
        return x * 2
"""


def test_safe_fixes_of_what_breaks_go_along(project: Project) -> None:
    path = project.write("net.py", SOURCE)
    settings = {str(path): Resolver(str(project.root), {}).for_folder(str(project.root))}
    target = Target(f"{path}::Net()", str(path), "Net()")
    fixes = of_findings(of_targets([target], settings), lambda _: SOURCE)
    assert [fix["line"] for fix in fixes] == [6, 7, 8]
    work = Measuring(gpu="h100", budget=30).added_to(Work(), {str(path): fixes})
    job = request(target, work)
    assert job["options"]["fixes"] == fixes
    assert (job["options"]["gpu"], job["options"]["budget"]) == ("h100", 30)
    assert job["parts"] == ["dynamo", "measure", "kernels"]
    limits = job["limits"]
    assert limits["seconds"] == Work.seconds + sum(limits["parts"].values())
    assert all(limits["parts"][part] > 30 for part in ("measure", "kernels"))


def test_the_functions_that_an_entry_stands_for() -> None:
    assert names_of("Net(16).encode") == ["Net.encode", "Net.encode.forward"]
    assert names_of("Net(16)") == ["Net", "Net.forward"]
    assert names_of("fns[0]") == names_of(None) == names_of("(") == []


def test_the_gpus_are_those_of_the_probe() -> None:
    assert list(names()) == known()


def test_an_entry_that_was_kept_before_there_were_measurements() -> None:
    old = entry(timing())
    new = {"timing", "settings", "kernels", "graph_costs", "cudagraphs", "kernel_errors"}
    kept = complete({name: value for name, value in old.items() if name not in new})  # type: ignore[arg-type]
    assert {name: kept[name] for name in new} == {**dict.fromkeys(new), "kernel_errors": []}  # type: ignore[literal-required]
    assert kept["frames"] == old["frames"]
    assert cost.section(kept, Style()) == []


def test_predicted_figures_are_marked() -> None:
    graph: Any = {
        "graph": 0,
        "eager_launches": 12,
        "fused_launches": 3,
        "eager_bytes": 1_200_000,
        "fused_bytes": 400_000,
        "flops": 0,
        "predicted_ratio": 2.1,
        "target": "h100",
        "unmapped": [],
    }
    assert kernel_words.of_graph(graph) == (
        "12 launches eagerly → 3 kernels · 1.2 MB → 400 kB · predicted 2.10× on h100"
    )
    other = {**graph, "predicted_ratio": 1.4, "flops": 3_000}
    assert kernel_words.in_total([graph, other]) == (
        "24 launches eagerly → 6 kernels · 2.4 MB → 800 kB · 3 kFLOP · predicted 1.40–2.10× on h100"
    )
    assert kernel_words.in_total([]) == ""
    kernel: Any = {"predicted_us": 9.81, "measured_us": None}
    assert kernel_words.time_of(kernel) == "predicted 9.81 µs"
    kernel["measured_us"] = 12.1
    assert kernel_words.time_of(kernel) == "measured 12.1 µs, predicted 9.81 µs"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("probe", "--measure", "--gpu", "h1000", "net.py"), "unknown GPU 'h1000' (one of h100"),
        (("probe", "--gpu", "h100", "net.py"), "give --measure as well"),
        (("probe", "--budget", "5", "net.py"), "give --measure or --settings as well"),
        (("probe", "--measure", "--fake", "net.py"), "cannot be measured"),
        (("probe", "--measure", "--budget", "0", "net.py"), "not a number greater than zero"),
        (("check", "--measure", "net.py"), "give --probe as well"),
        (("check", "--probe", "--budget", "5", "net.py"), "give --measure as well"),
    ],
)
def test_options_that_do_not_go_together(project: Project, arguments: tuple[str, ...], said: str) -> None:
    project.write("net.py", SOURCE)
    done = project.run(*arguments)
    assert done.status == 2
    assert said in done.err


@pytest.mark.truth
def test_a_check_that_measures(project: Project) -> None:
    """Whatever the figures are, they are those of the break, whose fix is made in memory alone."""
    source = SOURCE.replace("        if x.sum() > 0:\n            print(x.shape)\n", "")
    source += "\n\nif __name__ == '__main__':\n    torch.compile(Net())(torch.ones(64, 64))\n"
    path = str(project.write("net.py", source))
    root, home = str(project.root), str(project.root.parent / "home")
    prober = Prober(root, lambda _: Client(sys.executable, injected(home), cwd=root))
    prober.measuring = Measuring(kernels=False, budget=400)
    settings = Resolver(root, {}).for_folder(root)
    (file,) = check({path: settings}, Run(jobs=1, probe=prober)).files
    assert (prober.errors, prober.notes) == ([], [])
    (found,) = (f for f in file.findings if f.code == "CAP301")
    assert found.status["dynamo"] == "confirmed"
    assert found.cost is not None
    assert found.cost.low <= found.cost.gain <= found.cost.high
    assert found.cost.verdict in ("faster", "slower", "no difference measured")
    assert found.cost.before > 0
    assert found.cost.after > 0
    assert Path(path).read_text("utf-8") == source
