"""The simulator's runs, through a real zygote, beside what PyTorch does when it is called directly."""

from __future__ import annotations

import contextlib
import functools
import io
import pathlib
import typing
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import torch

from runtime_probe import simulation
from runtime_probe.compare import shown, snapshot
from runtime_probe.simulate.changes import Changes
from runtime_probe.subject import ExpressionSubject, LoadedFile
from tests.probe.simulate import programs
from tests.probe.zygote import Zygote

pytestmark = pytest.mark.truth

PATH = pathlib.Path(programs.__file__)
BRANCH, ROWS = "torch.tensor([1.0, 2.0, 4.0])", "torch.tensor([[1.0, 2.0], [-3.0, 1.0], [2.0, 2.0]])"
MASKED = "(torch.tensor([1.0, 2.0]), torch.tensor([True, True]), 3)"


def line_of(text: str, after: str = "") -> int:
    """The line of the programs in which a text stands first, behind another one."""
    lines = PATH.read_text(encoding="utf-8").splitlines()
    start = next(n for n, line in enumerate(lines) if after in line)
    return next(n for n, line in enumerate(lines, 1) if n > start and text in line)


class Program:
    """One program under simulation, with its controls."""

    def __init__(self, zygote: Zygote, entry: str, inputs: str) -> None:
        self.zygote, self.entry, self.inputs = zygote, entry, inputs
        self.survey = self.ask({"survey": True})["survey"]
        self.controls: dict[str, Any] = self.survey["controls"]

    def ask(self, asked: dict[str, Any], **more: Any) -> dict[str, Any]:
        (found,) = self.zygote.ask(
            PATH, self.entry, inputs=[self.inputs], parts=["simulate"], options={"simulate": asked}, **more
        )
        assert found["status"] == "ok", found["message"]
        return dict(found["simulation"])

    @property
    def given(self) -> dict[str, Any]:
        return {
            "inputs": 0,
            "sizes": [size["values"].index(size["given"]) for size in self.controls["sizes"]],
            "numbers": [number["values"].index(number["given"]) for number in self.controls["numbers"]],
            "dtype": 0,
            "mode": 0,
        }

    def values(self, name: str) -> dict[str, Any]:
        """As given but for other values."""
        names = [one["name"] for one in self.controls["inputs"]]
        return {**self.given, "inputs": names.index(name)}

    def size(self, value: int, number: int = 0) -> dict[str, Any]:
        """As given but for one size."""
        sizes = list(self.given["sizes"])
        sizes[number] = self.controls["sizes"][number]["values"].index(value)
        return {**self.given, "sizes": sizes}

    def runs(self, *requests: tuple[str, list[dict[str, Any]]], **more: Any) -> list[dict[str, Any]]:
        asked = [{"frontend": frontend, "calls": [self.given, *calls]} for frontend, calls in requests]
        found: list[dict[str, Any]] = self.ask({"runs": asked, "controls": self.controls}, **more)["runs"]
        assert [run["request"] for run in found] == asked
        return found


Simulated = Callable[..., Program]


@pytest.fixture(scope="module")
def zygote(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Zygote]:
    started = Zygote(tmp_path_factory.mktemp("probe"))
    yield started
    assert started.close() == 0


@pytest.fixture(scope="module")
def simulated(zygote: Zygote) -> Simulated:
    return functools.cache(functools.partial(Program, zygote))


def ways(program: Program) -> dict[str, list[str]]:
    return {one["name"]: one["ways"] for one in program.controls["inputs"]}


def seeded(number: int, function: Any, *arguments: Any) -> str:
    """What a call gives under the seed that the simulator uses for it."""
    torch.manual_seed(number)
    return shown(snapshot(function(*arguments)))


#: torch's own.
LIMIT = 8


def compiles(function: Any, calls: list[tuple[Any, ...]]) -> list[int]:
    """How many graphs torch.compile has made after each call."""
    torch._dynamo.reset()
    made: list[Any] = []

    def backend(module: Any, _: Any) -> Any:
        made.append(module)
        return module.forward

    compiled, counts = torch.compile(function, backend=backend), []
    # Other tests' programs may have set another limit in this process.
    with torch._dynamo.config.patch(recompile_limit=LIMIT), contextlib.redirect_stdout(io.StringIO()):
        for arguments in calls:
            compiled(*arguments)
            counts.append(len(made))
    return counts


def test_the_controls_of_a_branch(simulated: Simulated) -> None:
    program = simulated("branch", BRANCH)
    (decision,) = program.controls["decisions"]
    line = line_of("if x.sum() > 0", "def branch")
    assert decision == {
        "path": str(PATH),
        "line": line,
        "column": 8,
        "end_line": line,
        "end_column": 19,
        "text": "x.sum() > 0",
    }
    assert ways(program) == {"as given": ["True"], "values negated": ["False"]}
    (size,) = program.controls["sizes"]
    assert (size["name"], size["given"]) == ("x.shape[0]", 3)
    assert size["values"] == sorted(size["values"])
    assert len(size["values"]) >= 10
    assert program.controls["dtypes"] == ["float32", "float64", "bfloat16"]
    assert program.controls["modes"] == []
    assert program.survey["source"] == PATH.read_text(encoding="utf-8")


def test_one_branch_under_every_frontend(simulated: Simulated) -> None:
    program = simulated("branch", BRANCH)
    other = program.values("values negated")
    runs = {run["request"]["frontend"]: run for run in program.runs(*[(f, [other, program.given]) for f in FRONTENDS])}
    last = {frontend: run["calls"][1] for frontend, run in runs.items()}
    assert {f: (run["captured"], last[f]["answer"], last[f]["branches"]) for f, run in runs.items()} == {
        "eager": ("eager", "right", "kept"),
        "trace": ("whole", "wrong", "lost"),
        "fx": ("refused", "refused", "refused"),
        "script": ("whole", "right", "kept"),
        "dynamo": ("parts", "right", "kept"),
        "fullgraph": ("refused", "refused", "refused"),
        "export": ("refused", "refused", "refused"),
    }
    x = torch.tensor([1.0, 2.0, 4.0])
    traced = torch.jit.trace(programs.branch, (x,), check_trace=False)  # type: ignore[no-untyped-call]
    wrong = traced(-x)
    assert (last["trace"]["eager"], last["trace"]["got"]) == (shown(programs.branch(-x)), shown(wrong))
    assert last["trace"]["largest"] == (wrong - programs.branch(-x)).abs().max().item()
    assert last["trace"]["missed"] == str(line_of("return x - 1", "def branch"))
    assert [(f["what"], f["kind"], f["captured"], f["now"], f["differs"]) for f in last["trace"]["frozen"]] == [
        ("x.sum() > 0", "conversion", "True", "False", True)
    ]
    counts = compiles(programs.branch, [(x,), (-x,), (x,)])
    assert [call["graphs"] for call in runs["dynamo"]["calls"]] == counts
    assert [call["breaks"] for call in runs["dynamo"]["calls"]] == [1, 1, 1]
    assert {e["kind"] for e in runs["dynamo"]["calls"][2]["events"]} == {"hit"}
    for frontend, capture in (
        ("fx", torch.fx.symbolic_trace),
        ("fullgraph", lambda f: torch.compile(f, backend="eager", fullgraph=True)(x)),
        ("export", lambda f: torch.export.export(Module(f), (x,))),
    ):
        with pytest.raises(Exception) as raised:
            capture(programs.branch)
        assert runs[frontend]["message"].startswith(type(raised.value).__name__), frontend
        assert runs[frontend]["line"] == line_of("if x.sum() > 0", "def branch")


FRONTENDS = ("eager", "trace", "fx", "script", "dynamo", "fullgraph", "export")


class Module(torch.nn.Module):
    def __init__(self, function: Any) -> None:
        super().__init__()
        self.function = function

    def forward(self, *arguments: Any) -> Any:
        return self.function(*arguments)


def test_the_graphs_have_the_lines_of_the_program(simulated: Simulated) -> None:
    program = simulated("branch", BRANCH)
    trace, script, dynamo = program.runs(("trace", []), ("script", []), ("dynamo", []))
    test, double = line_of("if x.sum() > 0", "def branch"), line_of("return x * 2", "def branch")
    (graph,) = trace["graphs"]
    assert [(n["op"], n["target"], n["line"]) for n in graph["nodes"]] == [
        ("placeholder", "x", None),
        ("call_function", "aten::mul", double),
        ("output", "output", None),
    ]
    assert "aten::mul" in trace["code"]
    (graph,) = script["graphs"]
    of_blocks = {n["module"]: (n["target"], n["line"]) for n in graph["nodes"] if n["module"]}
    assert of_blocks == {f"if_{test}.true": ("aten::mul", double), f"if_{test}.false": ("aten::sub", double + 1)}
    by_name = {n["name"]: n for n in graph["nodes"]}
    joined = next(n for n in graph["nodes"] if n["target"] == "prim::If")
    assert [by_name[name]["target"] for name in joined["inputs"]] == ["aten::Bool", "aten::mul", "aten::sub"]
    assert [graph["lines"][str(PATH)] for graph in dynamo["graphs"]] == [str(test), str(double)]
    assert all(guard["expression"] for guard in dynamo["guards"] if guard["kind"] == "TENSOR_MATCH")


def test_a_loop_that_is_left_early(simulated: Simulated) -> None:
    program = simulated("early_exit", "torch.tensor([1.0, 6.0])")
    assert [d["text"] for d in program.controls["decisions"]] == ["not x.abs().max() > 1.0"]
    assert ways(program)["as given"] == ["False, False, True"]
    name = next(name for name, way in ways(program).items() if way == ["False, False, False, False"])
    (run,) = program.runs(("trace", [program.values(name)]))
    assert run["calls"][1]["branches"] == "lost"
    assert run["calls"][1]["missed"] == str(line_of("return x + step") + 1)
    tests = [f for f in run["calls"][1]["frozen"] if f["kind"] == "conversion"]
    assert [(f["what"], f["captured"], f["now"]) for f in tests] == [  # the values are of what stands behind the `not`
        ("x.abs().max() > 1.0", "True, True, False", "True")
    ]
    change = Changes(subject("early_exit", program.inputs).fresh(), 1).choice(name).leaf
    x = torch.tensor([1.0, 6.0])
    traced = torch.jit.trace(programs.early_exit, (x,), check_trace=False)  # type: ignore[no-untyped-call]
    assert run["calls"][1]["got"] == shown(traced(change("[0][0]", x)))


def subject(entry: str, inputs: str) -> ExpressionSubject:
    return ExpressionSubject(LoadedFile(str(PATH), "simulated_programs"), entry, [inputs])


def test_a_decision_for_each_row(simulated: Simulated) -> None:
    program = simulated("per_row", ROWS)
    assert [d["text"] for d in program.controls["decisions"]] == ["row.mean() > 0"]
    assert ways(program)["as given"] == ["True, False, True"]
    rows = next(n for n, size in enumerate(program.controls["sizes"]) if size["name"] == "x.shape[0]")
    trace, dynamo = program.runs(
        ("trace", [program.values("values negated"), program.size(2, rows)]),
        ("dynamo", [program.values("values negated")]),
    )
    x = torch.tensor([[1.0, 2.0], [-3.0, 1.0], [2.0, 2.0]])
    traced = torch.jit.trace(programs.per_row, (x,), check_trace=False)  # type: ignore[no-untyped-call]
    assert trace["calls"][1]["got"] == shown(traced(-x))
    assert trace["calls"][1]["answer"] == "wrong"
    with pytest.raises(RuntimeError) as raised:
        traced(x[:2])
    assert trace["calls"][2]["got"] == str(raised.value).strip().splitlines()[-1]
    assert (trace["calls"][2]["answer"], trace["calls"][2]["branches"]) == ("error", "refused")
    assert dynamo["calls"][1]["answer"] == "right"
    assert dynamo["calls"][1]["branches"] == "kept"


def test_a_number_read_from_a_tensor(simulated: Simulated) -> None:
    program = simulated("threshold", BRANCH)
    assert [d["text"] for d in program.controls["decisions"]] == ["highest > limit"]
    (run,) = program.runs(("trace", [program.values("values negated")]))
    call = run["calls"][1]
    held = {f["what"]: (f["captured"], f["now"], f["differs"]) for f in call["frozen"]}
    assert held["x.max().item()"] == ("4.0", "-1.0", True)
    assert call["missed"] == ""
    assert call["lines"] != run["calls"][0]["lines"]
    assert call["branches"] == "lost"


def test_a_frozen_length(simulated: Simulated) -> None:
    program = simulated("sizes", ROWS)
    number = next(n for n, size in enumerate(program.controls["sizes"]) if size["name"] == "x.shape[0]")
    trace, export, dynamo = program.runs(*[(f, [program.size(5, number)]) for f in ("trace", "export", "dynamo")])
    x = torch.tensor([[1.0, 2.0], [-3.0, 1.0], [2.0, 2.0]])
    traced = torch.jit.trace(programs.sizes, (x,), check_trace=False)  # type: ignore[no-untyped-call]
    longer = torch.cat([x, x[:2]])
    assert (trace["calls"][1]["answer"], trace["calls"][1]["got"]) == ("wrong", shown(traced(longer)))
    assert [(f["what"], f["captured"], f["now"]) for f in trace["calls"][1]["frozen"]] == [("len(x)", "3", "5")]
    assert (export["calls"][1]["answer"], export["calls"][1]["branches"]) == ("error", "refused")
    assert export["calls"][1]["events"][0]["kind"] == "refused"
    assert "x.size()[0] == 3" in export["calls"][1]["got"]
    assert [r["dimension"] for r in dynamo["calls"][1]["recompiles"]] == ["x.shape[0]"]
    assert dynamo["calls"][1]["answer"] == "right"


def test_the_mode_of_a_module(simulated: Simulated) -> None:
    program = simulated("Drops", "torch.ones(2, 3)")
    assert program.controls["modes"] == ["train", "eval"]
    assert [d["text"] for d in program.controls["decisions"]] == ["self.training"]
    evaluating = {**program.given, "mode": 1}
    trace, dynamo, export = program.runs(*[(f, [evaluating, program.given]) for f in ("trace", "dynamo", "export")])
    torch.manual_seed(0)
    net, x = programs.Drops(), torch.ones(2, 3)
    traced = torch.jit.trace(net, (x,), check_trace=False)  # type: ignore[no-untyped-call]
    assert trace["calls"][0]["got"] == seeded(0, traced, x)
    traced.eval()
    assert trace["calls"][1]["got"] == seeded(1, traced, x)
    assert trace["calls"][1]["eager"] == seeded(1, net.eval(), x)
    assert (trace["calls"][1]["answer"], trace["calls"][1]["branches"]) == ("wrong", "lost")
    assert {f["what"] for f in trace["calls"][1]["frozen"] if f["differs"]} == {"self.training", "self.drop.training"}
    assert trace["calls"][2]["answer"] == "right"
    assert [call["answer"] for call in dynamo["calls"]] == ["right"] * 3
    assert "training" in dynamo["calls"][1]["recompiles"][0]["guard"]
    assert "train()" in export["calls"][1]["got"]


def test_a_branch_in_the_graph(simulated: Simulated) -> None:
    program = simulated("both_branches", "torch.tensor([1.0, 2.0])")
    assert [d["text"] for d in program.controls["decisions"]] == ["x.sum() > 0"]
    other = program.values("values negated")
    for run in program.runs(("dynamo", [other]), ("fullgraph", [other]), ("export", [other])):
        call = run["calls"][1]
        assert run["captured"] == "whole"
        assert (call["answer"], call["branches"], call["missed"]) == ("right", "kept", "")
        assert [e["kind"] for e in call["events"]] == ["hit"]
        assert call["lines"] != run["calls"][0]["lines"]


def test_sizes_up_to_the_limit_of_recompilations(simulated: Simulated) -> None:
    program = simulated("unrolled", "torch.ones(2)")
    sizes = [value for value in program.controls["sizes"][0]["values"] if value != 2]
    run, strict = program.runs(*[(f, [program.size(value) for value in sizes]) for f in ("dynamo", "fullgraph")])
    counts = compiles(programs.unrolled, [(torch.ones(size),) for size in (2, *sizes)])
    assert [call["graphs"] for call in run["calls"]] == counts
    assert all(call["answer"] == "right" for call in run["calls"])
    limit = next(n for n, call in enumerate(run["calls"]) if call["limit"])
    assert counts[limit] == counts[-1] == LIMIT
    assert [e["kind"] for e in run["calls"][limit]["events"]][-2:] == ["limit", "eager"]
    assert not any(call["limit"] for call in run["calls"][:limit])
    assert [len(call["recompiles"]) for call in run["calls"][: limit + 1]] == [0] + [1] * limit
    assert run["calls"][limit]["recompiles"][0]["limit_reached"]
    assert [call["answer"] for call in strict["calls"]] == ["right"] * limit + ["error"] * (len(counts) - limit)
    assert [call["limit"] for call in strict["calls"]] == [call["limit"] for call in run["calls"]]


def test_an_error_of_the_program(simulated: Simulated) -> None:
    program = simulated("checked", "torch.tensor([1.0, 2.0])")
    assert ways(program) == {"as given": ["False"], "values negated": ["True"]}
    trace, dynamo = program.runs(*[(f, [program.values("values negated")]) for f in ("trace", "dynamo")])
    assert trace["calls"][1]["eager"] == "ValueError: x must not be negative"
    assert trace["calls"][1]["difference"] == "ValueError: x must not be negative is no longer raised"
    assert (trace["calls"][1]["answer"], trace["calls"][1]["branches"]) == ("wrong", "lost")
    assert (dynamo["calls"][1]["answer"], dynamo["calls"][1]["branches"]) == ("right", "kept")


def test_a_program_that_prints(simulated: Simulated) -> None:
    program = simulated("prints", "torch.ones(2)")
    trace, dynamo = program.runs(("trace", [program.size(5)]), ("dynamo", [program.size(5)]))
    assert trace["calls"][1]["answer"] == "right"
    line = line_of("print(", "def prints")
    assert {b["line"] for b in dynamo["breaks"]} == {line}
    assert ("break", line) in {(e["kind"], e["line"]) for e in dynamo["calls"][0]["events"]}
    assert [call["graphs"] for call in dynamo["calls"]] == compiles(
        programs.prints, [(torch.ones(2),), (torch.ones(5),)]
    )


def test_a_module_with_state(simulated: Simulated) -> None:
    program = simulated("Counts", "torch.ones(2)")
    trace, dynamo = program.runs(*[(f, [program.given, program.given]) for f in ("trace", "dynamo")])
    net, x = programs.Counts(), torch.ones(2)
    traced = torch.jit.trace(net, (x,), check_trace=False)  # type: ignore[no-untyped-call]
    assert [call["got"] for call in trace["calls"]] == [shown(traced(x)) for _ in range(3)]
    assert trace["calls"][0]["difference"] == "state: entry.calls: 1 became 0"
    assert [call["answer"] for call in trace["calls"]] == ["wrong"] * 3
    assert [call["frozen"][0]["now"] for call in trace["calls"]] == ["1", "2", "3"]
    assert [call["answer"] for call in dynamo["calls"]] == ["right"] * 3
    fresh = programs.Counts()
    assert [call["eager"] for call in dynamo["calls"]] == [shown(fresh(x)) for _ in range(3)]
    assert [call["graphs"] for call in dynamo["calls"]] == compiles(programs.Counts(), [(x,)] * 3)


def test_several_arguments_and_a_number(simulated: Simulated) -> None:
    program = simulated("masked", MASKED)
    assert [d["text"] for d in program.controls["decisions"]] == ["bool(mask.all())", "x.mean() > 0"]
    (number,) = program.controls["numbers"]
    assert (number["name"], number["given"]) == ("scale", "3")
    assert ["False", ""] in ways(program).values()
    assert program.controls["sizes"][0]["name"] == "x.shape[0], mask.shape[0]"
    name = next(name for name, way in ways(program).items() if way == ["False", ""])
    other = {**program.values(name), "numbers": [number["values"].index("5")], "dtype": 1}
    (run,) = program.runs(("eager", [other]))
    again = program.ask({"runs": [run["request"]]})["runs"]  # another process, which surveys for itself
    assert again == [run]
    leaf = Changes(subject("masked", MASKED).fresh(), 1).choice(name).leaf
    x, mask = torch.tensor([1.0, 2.0]), torch.tensor([True, True])
    expected = programs.masked(leaf("[0][0]", x).double(), leaf("[0][1]", mask), 5)
    assert run["calls"][1]["got"] == shown(expected)


def test_a_decision_that_a_helper_and_a_variable_hide(simulated: Simulated) -> None:
    program = simulated("hidden_decision", "torch.tensor([1.0, 2.0])")
    assert [d["text"] for d in program.controls["decisions"]] == ["large(x)", "count == 0"]
    assert ways(program)["as given"] == ["False", "False"]
    assert ["True", ""] in ways(program).values()
    assert ["False", "True"] in ways(program).values()


@pytest.mark.parametrize(
    ("entry", "message"),
    [("stuck", "no answer within the time limit"), ("dies", "the program ended the process")],
)
def test_what_does_not_end_keeps_what_came_before(zygote: Zygote, entry: str, message: str) -> None:
    program = Program.__new__(Program)
    program.zygote, program.entry, program.inputs = zygote, entry, "torch.ones(2)"
    inputs = [{"name": name, "ways": []} for name in ("as given", "values negated")]
    program.controls = {
        "decisions": [], "inputs": inputs, "sizes": [], "numbers": [], "dtypes": ["float32"], "modes": [],
        "frontends": list(FRONTENDS),
    }  # fmt: skip
    limits = {"parts": {"simulate": 6.0}}
    run, other = program.runs(("trace", [program.values("values negated")]), ("trace", [program.given]), limits=limits)
    assert run["message"] == f"call 2 without capture: {message}"
    assert len(run["calls"]) == 1
    assert [call["answer"] for call in other["calls"]] == ["right", "right"]


@pytest.mark.parametrize("frontend", ["dynamo", "fullgraph"])
def test_an_assertion_in_the_graph_is_a_decision_that_it_holds(simulated: Simulated, frontend: str) -> None:
    program = simulated("asserts", BRANCH)
    assert ways(program)["values × 10"] == ["True", "False"]
    (run,) = program.runs((frontend, [program.values("values negated"), program.values("values × 10")]))
    assert run["captured"] == "whole"
    assert [(call["branches"], call["answer"]) for call in run["calls"]] == [
        ("same way", "right"), ("kept", "right"), ("kept", "right")
    ]  # fmt: skip
    (traced,) = program.runs(("trace", [program.values("values negated")]))
    assert (traced["calls"][1]["branches"], traced["calls"][1]["answer"]) == ("lost", "wrong")


def test_a_script_has_no_decorator(simulated: Simulated) -> None:
    assert torch.equal(torch.jit.script(programs.decorated)(-torch.ones(2)), -2 * torch.ones(2))
    program = simulated("decorated", BRANCH)
    (run,) = program.runs(("script", [program.values("values negated")]))
    call = run["calls"][1]
    assert (call["branches"], call["answer"], call["largest"]) == ("lost", "wrong", 8.0)


def test_a_count_outside_of_all_state_is_frozen(simulated: Simulated) -> None:
    program = simulated("keeps_count", BRANCH)
    traced, compiled = program.runs(("trace", [program.given]), ("dynamo", [program.given]))
    assert [(c["answer"], c["difference"]) for c in traced["calls"]] == [
        ("wrong", "a value that changes with every call is frozen")
    ] * 2
    assert [c["answer"] for c in compiled["calls"]] == ["right", "right"]


def test_quantized_results(simulated: Simulated) -> None:
    program = simulated("quantized", BRANCH)
    (run,) = program.runs(("trace", [program.values("values negated")]))
    right, wrong = run["calls"]
    assert (right["answer"], right["largest"]) == ("right", 0.0)
    # 4, 8 and 16 became 0, for there is nothing below
    assert (wrong["branches"], wrong["answer"]) == ("lost", "wrong")
    assert wrong["largest"] == pytest.approx(16.0, abs=0.1)


def test_iterators_of_other_types_are_no_difference(simulated: Simulated) -> None:
    (run,) = simulated("generates", BRANCH).runs(("dynamo", []))
    assert (run["captured"], run["calls"][0]["answer"], run["calls"][0]["eager"]) == ("whole", "right", "<iterator>")


def test_a_program_that_does_not_end_at_all(zygote: Zygote) -> None:
    given = {"inputs": 0, "sizes": [], "numbers": [], "dtype": 0, "mode": 0}
    asked = {"survey": True, "runs": [{"frontend": "dynamo", "calls": [given]}]}
    (found,) = zygote.ask(
        PATH, "stuck", inputs=["-torch.ones(2)"], parts=["simulate"], options={"simulate": asked}, limits={"part": 1.0}
    )
    assert found["simulation"]["survey"]["controls"]["decisions"] == []
    (run,) = found["simulation"]["runs"]
    assert (run["message"], run["calls"]) == ("without capture: no answer within the time limit", [])


def test_requests_that_make_no_sense(simulated: Simulated) -> None:
    program = simulated("branch", BRANCH)
    given = program.given
    asked = [
        {"frontend": "none", "calls": [given]},
        {"frontend": "trace", "calls": []},
        {"frontend": "trace", "calls": [{**given, "inputs": 99}]},
        {"frontend": "trace", "calls": [{**given, "sizes": []}]},
        {"frontend": "eager", "calls": [given]},
    ]
    runs = program.ask({"runs": asked, "controls": program.controls})["runs"]
    assert [run["message"].split(":")[0] for run in runs] == ["this cannot be run"] * 4 + [""]
    assert [len(run["calls"]) for run in runs] == [0, 0, 0, 0, 1]


def test_other_probes_have_no_simulation(zygote: Zygote) -> None:
    (found,) = zygote.ask(PATH, "branch", inputs=[BRANCH])
    assert "simulation" not in found


def test_what_is_sent_has_the_fields_of_the_types(simulated: Simulated) -> None:
    program = simulated("branch", BRANCH)
    (run,) = program.runs(("dynamo", [program.values("values negated"), {**program.given, "dtype": 1}]))

    def check(value: Any, kind: Any) -> None:
        if typing.is_typeddict(kind):
            hints = typing.get_type_hints(kind)
            assert set(value) == set(hints), kind
            for name, inner in hints.items():
                check(value[name], inner)
        elif typing.get_origin(kind) is list:
            for one in value:
                check(one, typing.get_args(kind)[0])
        elif typing.get_origin(kind) is typing.Literal:
            assert value in typing.get_args(kind)
        elif kind in (str, int, bool):
            assert type(value) is kind

    check(run, simulation.Run)
    check(program.survey, simulation.Survey)
