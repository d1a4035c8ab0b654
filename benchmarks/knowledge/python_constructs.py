"""Writes python_constructs.tsv: what each frontend of real PyTorch makes of the `python_construct_cases.py`.

    python benchmarks/knowledge/python_constructs.py [--measured FILE]

Every call is made on one captured object and compared, results and `state()`, with an eager run of a fresh copy of the
program: so a trace that is wrong for the second input and a function that compiles again for each call show themselves.
"""

from __future__ import annotations

import argparse
import functools
import gc
import itertools
import json
import pathlib
import random
import re
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from typing import Any

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import python_harness as harness  # noqa: E402
import torch  # noqa: E402
from python_construct_cases import CASES, PRELUDE  # noqa: E402

TABLE = HERE / "python_constructs.tsv"
DEFAULT_CALLS = [
    "(torch.arange(1., 5),)",
    "(-torch.arange(1., 5),)",
    "(torch.arange(1., 7),)",
    "(torch.arange(1., 9),)",
]
#: Any function is compiled again for the first other length, with that size dynamic.
EXPECTED_GROWTH = [0, 1, 0]
COLUMNS = ("construct", "source", "dynamo", "graph_break", "fullgraph", "trace", "fx", "script", "export", "messages")


def constructs() -> list[tuple[str, str, list[str]]]:
    """(name, source, calls) of every construct."""
    found = []
    for block in CASES.split("\n### ")[1:]:
        name, _, body = block.partition("\n")
        lines = body.rstrip().splitlines()
        calls = [t[2:] for t in lines if t.startswith("@ ")]
        source = "\n".join(t for t in lines if not t.startswith("@ "))
        found.append((name, source + "\n", calls or DEFAULT_CALLS))
    return found


def seed(step: int) -> None:
    torch.manual_seed(step)
    random.seed(step)
    numpy = sys.modules.get("numpy")
    if numpy is not None:
        numpy.random.seed(step)


def plain(value: Any) -> Any:
    """A result as something that can be compared."""
    if type(value).__name__ in ("FakeTensor", "FunctionalTensor", "Proxy", "SymInt", "SymFloat", "SymBool"):
        return f"leaked {type(value).__name__}"
    if isinstance(value, torch.Tensor):
        return value.detach().clone().as_subclass(torch.Tensor)
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    if isinstance(value, dict):
        return [[k if isinstance(k, (str, int)) else "?", plain(v)] for k, v in value.items()]
    if isinstance(value, (bool, int, float, str, bytes)) or value is None:
        return value
    if isinstance(value, Iterator):
        return [plain(v) for v in value]
    if hasattr(value, "__dict__") and not callable(value):
        return plain({k: v for k, v in vars(value).items() if not k.startswith("__")})
    return type(value).__name__


def equal(left: Any, right: Any) -> bool:
    if isinstance(left, torch.Tensor) and isinstance(right, torch.Tensor):
        if left.is_sparse or right.is_sparse:
            left, right = left.to_dense(), right.to_dense()
        if left.shape != right.shape or left.dtype != right.dtype:
            return False
        return torch.allclose(left.to(torch.complex64), right.to(torch.complex64), rtol=1e-4, atol=1e-5, equal_nan=True)
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(equal(a, b) for a, b in zip(left, right))
    if isinstance(left, torch.Tensor) and isinstance(right, (int, float)) and left.numel() == 1:
        return bool(abs(left.item() - right) < 1e-4)
    return bool(left == right)


class Program:
    """A fresh copy of the construct's module; all copies start from the same random state."""

    def __init__(self, source: str) -> None:
        seed(99)
        self.module = harness.load(PRELUDE, source)
        self.entry: Any = self.module.__dict__["f"]
        self.captured: Any = None

    def arguments(self, call: str) -> tuple[Any, ...]:
        seed(7)
        return tuple(eval(call, self.module.__dict__))

    def before(self, step: int) -> None:
        """The world between the calls: what `between` changes, and other random numbers each time."""
        if hasattr(self.module, "between"):
            self.module.__dict__["f"] = self.captured or self.entry
            self.module.between(step)

    def replace_entry(self, captured: Any) -> None:
        """From now on the program changes the captured module; a scripted one has its own state too."""
        self.captured = captured

    def observed(self) -> Any:
        if not hasattr(self.module, "state"):
            return None
        scripted = type(self.captured).__name__ == "RecursiveScriptModule"
        self.module.__dict__["f"] = self.captured if scripted else self.entry
        try:
            return plain(self.module.state())
        except AttributeError:
            return "no such state"


def play(program: Program, function: Callable[..., Any], calls: list[str], first: int = 0) -> list[Any]:
    """The results and the observed state of each call; an exception ends it."""
    results: list[Any] = []
    for step, call in enumerate(calls):
        arguments = program.arguments(call)
        try:
            program.before(step)
        except NotImplementedError as error:
            results.append(harness.first_line(error))
            break
        seed(step)
        try:
            results.append([plain(function(*arguments)), program.observed()])
        except Exception as error:
            results.append(harness.first_line(error))
            break
    return results


def eager(source: str, calls: list[str]) -> list[Any]:
    program = Program(source)
    return play(program, program.entry, calls)


def compare(want: list[Any], got: list[Any]) -> tuple[str, str]:
    """("", "") if all is right, else what went wrong and where."""
    if not want and got and isinstance(got[-1], str):
        return "refused", f"call {len(got) - 1}: {got[-1]}"
    for step, (expected, answer) in enumerate(zip(want, got)):
        if isinstance(expected, str):
            return "", ""
        if isinstance(answer, str):
            return "refused", f"call {step}: {answer}"
        if not equal(expected[0], answer[0]):
            return "silently_wrong", f"call {step}: another result"
        if not equal(expected[1], answer[1]):
            return "silently_wrong", f"call {step}: another state"
    return "", ""


def with_dynamo(source: str, calls: list[str], want: list[Any], **options: Any) -> dict[str, Any]:
    torch._dynamo.reset()
    torch._dynamo.utils.counters.clear()
    program = Program(source)
    graphs = harness.Graphs()
    compiled_after: list[int] = []
    results: list[Any] = []
    with harness.break_log() as log:
        compiled = torch.compile(program.entry, backend=graphs, **options)
        for step, call in enumerate(calls):
            arguments = program.arguments(call)
            program.before(step)
            seed(step)
            try:
                results.append([plain(compiled(*arguments)), program.observed()])
            except Exception as error:
                results.append(harness.first_line(error))
                break
            compiled_after.append(max(graphs.compiled, torch._dynamo.utils.counters["frames"]["ok"]))
            if step == 0:
                first_breaks = list(log.found)
        titles = log.titles
    outcome, message = compare(want, results)
    if not outcome:
        growth = [b - a for a, b in itertools.pairwise(compiled_after)]
        if log.found:
            outcome = "skipped_frame" if harness.skips_frame(log.titles) else "graph_break"
            later = [g for g in log.found if g not in first_breaks]
            if later:
                message = "later call: " + ",".join(later)
        elif len(growth) > 1 and all(growth[-2:]):
            outcome, message = "recompiles", f"compiled after each call: {compiled_after}"
        elif any(growth) and not (calls is DEFAULT_CALLS and growth == EXPECTED_GROWTH):
            outcome = "guarded"
        else:
            outcome = "captured"
            if graphs.compiled == 0:
                message = "no graph"
    if outcome == "refused" and not message.startswith("call 0") and "call " in message:
        message = "on a later " + message
    return {
        "outcome": outcome,
        "message": message,
        "gb": [g for g in log.found if g != "GB7000"],
        "titles": titles[:2],
        "compiled": compiled_after,
    }


def with_trace(source: str, calls: list[str], want: list[Any]) -> dict[str, Any]:
    program = Program(source)
    arguments = program.arguments(calls[0])
    program.before(0)
    seed(0)
    try:
        traced = torch.jit.trace(program.entry, arguments, check_trace=False)
    except Exception as error:
        return {"outcome": "refused", "message": harness.first_line(error)}
    return judged(source, traced, program, calls, want)


def judged(source: str, captured: Any, program: Program, calls: list[str], want: list[Any]) -> dict[str, Any]:
    """The captured object played from the start, against eager and against eager that ran once before."""
    if isinstance(program.entry, torch.nn.Module):
        program.replace_entry(captured)
    got = play(program, captured, calls)
    if not want and isinstance(got[-1], str):
        return {"outcome": "refused", "message": f"call {len(got) - 1}: {got[-1]}"}
    for step, (expected, answer) in enumerate(zip(want, got)):
        if not isinstance(expected, str) and isinstance(answer, str):
            return {"outcome": "refused" if step == 0 else "refused_later", "message": f"call {step}: {answer}"}
    wrong = first_difference(want, got)
    if wrong is None:
        return {"outcome": "captured", "message": ""}
    warm = Program(source)
    play(warm, warm.entry, calls[:1])
    if first_difference(play(warm, warm.entry, calls), got) is None:
        return {"outcome": "captured", "message": "capturing itself counts as one call"}
    step, what = wrong
    states = [a[1] for a in got if not isinstance(a, str)]
    if what == "state" and len(states) > 1 and equal(states[0], states[-1]):
        what = "state: the side effect happens while capturing, never again"
        if equal(want[-1][1], want[0][1]) and equal(states[-1], want[-1][1]):
            return {"outcome": "captured", "message": ""}
    return {"outcome": "silently_wrong", "message": f"call {step}: another {what}"}


def first_difference(want: list[Any], got: list[Any]) -> tuple[int, str] | None:
    for step, (expected, answer) in enumerate(zip(want, got)):
        if isinstance(expected, str) or isinstance(answer, str):
            return None
        if not equal(expected[0], answer[0]):
            return step, "result"
        if not equal(expected[1], answer[1]):
            return step, "state"
    return None


def with_fx(source: str, calls: list[str], want: list[Any]) -> dict[str, Any]:
    program = Program(source)
    program.before(0)
    seed(0)
    try:
        traced = torch.fx.symbolic_trace(program.entry)
    except Exception as error:
        return {"outcome": "refused", "message": harness.first_line(error)}
    return judged(source, traced, program, calls, want)


def with_script(source: str, calls: list[str], want: list[Any]) -> dict[str, Any]:
    program = Program(source)
    program.before(0)
    try:
        scripted = torch.jit.script(program.entry)
    except Exception as error:
        lines = [t.strip() for t in str(error).splitlines() if t.strip()]
        return {"outcome": "refused", "message": f"{type(error).__name__}: {lines[0] if lines else ''}"[:160]}
    return judged(source, scripted, program, calls, want)


def with_export(source: str, calls: list[str], want: list[Any]) -> dict[str, Any]:
    program = Program(source)
    entry = program.entry

    class Root(torch.nn.Module):
        def forward(self, *arguments: Any) -> Any:
            return entry(*arguments)

    root = entry if isinstance(entry, torch.nn.Module) else Root()
    arguments = program.arguments(calls[0])
    program.before(0)
    seed(0)
    shapes = [
        dict.fromkeys(range(a.dim()), torch.export.Dim.AUTO) if isinstance(a, torch.Tensor) else None for a in arguments
    ]
    dynamic: Any = tuple(shapes) if isinstance(entry, torch.nn.Module) else (tuple(shapes),)
    if any(not isinstance(a, torch.Tensor) for a in arguments):
        dynamic = None
    try:
        exported = torch.export.export(root, arguments, dynamic_shapes=dynamic)
    except Exception as error:
        return {"outcome": "refused", "message": harness.first_line(error)}
    return judged(source, exported.module(), program, calls, want)


def measure(source: str, calls: list[str]) -> dict[str, Any]:
    want = eager(source, calls)
    if isinstance(want[0], str) and "HigherOrderOp" in want[0]:
        want = []  # the operator itself needs Dynamo: there is no eager answer
    elif isinstance(want[0], str):
        return {"broken": want[0]}
    return {
        "dynamo": with_dynamo(source, calls, want),
        "fullgraph": with_dynamo(source, calls, want, fullgraph=True),
        "trace": guarded(with_trace, source, calls, want),
        "fx": guarded(with_fx, source, calls, want),
        "script": guarded(with_script, source, calls, want),
        "export": guarded(with_export, source, calls, want),
    }


def guarded(work: Callable[..., dict[str, Any]], *arguments: Any) -> dict[str, Any]:
    try:
        return work(*arguments)
    except Exception as error:
        return {"outcome": "unknown", "message": harness.first_line(error)}


def write(measured: pathlib.Path) -> None:
    runs = {}
    for line in measured.read_text().splitlines():
        run = json.loads(line)
        runs[run["name"], run["source"]] = run
    rows = ["\t".join(COLUMNS)]
    for name, source, calls in constructs():
        run = runs.get((name, source))
        if run is None or "dynamo" not in run:
            print(f"{name}: {run and (run.get('broken') or run.get('died'))}", file=sys.stderr)
            continue
        if run["dynamo"]["outcome"] in ("graph_break", "skipped_frame"):
            skipped = harness.skips_frame(run["dynamo"]["titles"])
            run["dynamo"]["outcome"] = "skipped_frame" if skipped else "graph_break"
        frontends = ("dynamo", "fullgraph", "trace", "fx", "script", "export")
        messages = " | ".join(f"{f}: {run[f]['message']}" for f in frontends if run[f].get("message"))
        text = source if calls is DEFAULT_CALLS else source + "".join(f"@ {c}\n" for c in calls)
        cells = [
            name,
            json.dumps(text)[1:-1].replace('\\"', '"').replace("\\n", "⏎"),
            run["dynamo"]["outcome"],
            ",".join(g for g in run["dynamo"]["gb"] if g != "?"),
            *(run[f]["outcome"] for f in frontends[1:]),
            re.sub(r"\S*snippet_\d+_\d+(\.py)?", "snippet", " ".join(messages.split())),
        ]
        rows.append("\t".join(cells))
    TABLE.write_text("\n".join(rows) + "\n")
    print(f"{len(rows) - 1} constructs")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--measured", type=pathlib.Path, default=None)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    measured = options.measured or pathlib.Path(tempfile.mkdtemp()) / "constructs.jsonl"
    measured.touch()
    done = {(r["name"], r["source"]) for r in map(json.loads, measured.read_text().splitlines())}
    todo = [c for c in constructs() if c[:2] not in done and c[0].startswith(options.only)]
    if todo:
        harness.warm_up(PRELUDE)
        gc.collect()
        gc.freeze()
    started = time.monotonic()
    with measured.open("a") as sink:
        for count, (name, source, calls) in enumerate(todo, 1):
            result = harness.in_child(functools.partial(measure, source, calls), 120.0)
            sink.write(json.dumps({"name": name, "source": source, **result}) + "\n")
            sink.flush()
            if count % 50 == 0:
                print(f"{count}/{len(todo)} {time.monotonic() - started:.0f} s", file=sys.stderr)
    write(measured)


if __name__ == "__main__":
    main()
