"""Runs programs under PyTorch itself: nothing of what is tested is imported here.

A process of its own, `python direct.py`: a question a line on standard input, its answer a line on standard output, as
JSON. A question is a file, an entry, the expression of its inputs, a frontend, and the calls in words: `as given`,
`values negated`, `x.shape[0] = 5`, `steps = 3`, `float64`, `eval mode`, or several of these with `, ` between.
"""

from __future__ import annotations

import ast
import importlib.util
import inspect
import json
import logging
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import CodeType, FrameType, ModuleType
from typing import Any

import torch
from torch import Tensor, nn
from torch._dynamo.utils import counters

VALUES: dict[str, Callable[[Tensor], Tensor]] = {
    "values negated": lambda t: ~t if t.dtype is torch.bool else -t,
    "values one": lambda t: torch.ones_like(t) if t.is_floating_point() else t,
    "values × 10": lambda t: t * 10 if t.is_floating_point() else t,
    "values − 1": lambda t: t - 1 if t.is_floating_point() else t,
}

Ways = dict[int, list[bool]]


class Program:
    """A file that is imported anew: its code objects are known to no capture that was made before."""

    def __init__(self, path: str, entry: str, inputs: str) -> None:
        spec = importlib.util.spec_from_file_location("directly_run", path)
        assert spec is not None
        assert spec.loader is not None
        self.path, self.inputs = path, inputs
        self.module: ModuleType = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(self.module)
        torch.manual_seed(0)
        found = getattr(self.module, entry)
        self.entry: Any = found() if isinstance(found, type) else found
        function = self.entry.forward if isinstance(self.entry, nn.Module) else self.entry
        self.names = list(inspect.signature(function).parameters)
        self.training = not isinstance(self.entry, nn.Module) or self.entry.training

    def arguments(self, words: str) -> dict[str, Any]:
        """The arguments of a call, by name."""
        made = eval(self.inputs, vars(self.module))
        values = dict(zip(self.names, made if isinstance(made, tuple) else (made,)))
        sizes: dict[str, tuple[int, int]] = {}
        for word in _split(words):
            size = re.fullmatch(r"((?:\w+\.shape\[\d+\](?:, )?)+) = (\d+)", word)
            number = re.fullmatch(r"(\w+) = (\S+)", word)
            if word in VALUES:
                values = {name: VALUES[word](v) if isinstance(v, Tensor) else v for name, v in values.items()}
            elif size:
                for name, d in re.findall(r"(\w+)\.shape\[(\d+)\]", size[1]):
                    sizes[name] = (int(d), int(size[2]))
            elif number:
                values[number[1]] = ast.literal_eval(number[2])
            elif word in ("float64", "bfloat16"):
                dtype = getattr(torch, word)
                floats = {n: v for n, v in values.items() if isinstance(v, Tensor) and v.is_floating_point()}
                values.update({name: value.to(dtype) for name, value in floats.items()})
            elif word not in ("as given", "eval mode", "train mode"):
                raise ValueError(f"what is {word!r}?")
        for name, (d, wanted) in sizes.items():
            there = values[name]
            slices = [there.select(d, index % there.shape[d]) for index in range(wanted)]
            values[name] = torch.stack(slices, dim=d)
        return values

    def trains(self, words: str) -> bool:
        return {"eval mode": False, "train mode": True}.get(_split(words)[-1], self.training)


def _split(words: str) -> list[str]:
    return re.split(r", (?!\w+\.shape\[\d+\](?:,| =))|(?<=\d), (?=\w+\.shape)", words)


class Decisions:
    """The tests of `if`, and the predicates of `torch.cond`, in the functions of a file: how they come out while the
    program runs is seen by evaluating each where it stands, before its line is run."""

    def __init__(self, path: str) -> None:
        with open(path, encoding="utf-8") as stream:
            tree = ast.parse(stream.read())
        self.path = path
        self.tests: dict[int, CodeType] = {}
        for function in (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)):
            for node in ast.walk(function):
                test = node.test if isinstance(node, (ast.If, ast.IfExp)) else None
                if isinstance(node, ast.Call) and ast.unparse(node.func) == "torch.cond":
                    test = node.args[0]
                if test is not None:
                    self.tests[test.lineno] = compile(ast.Expression(test), path, "eval")

    @contextmanager
    def watched(self) -> Iterator[Ways]:
        """How each line's test comes out, each time that it is reached."""
        ways: Ways = {}

        def trace(frame: FrameType, event: str, _: Any) -> Any:
            if frame.f_code.co_filename != self.path:
                return None
            if event == "line" and frame.f_lineno in self.tests:
                sys.settrace(None)
                came = bool(eval(self.tests[frame.f_lineno], frame.f_globals, frame.f_locals))
                sys.settrace(trace)
                ways.setdefault(frame.f_lineno, []).append(came)
            return trace

        sys.settrace(trace)
        try:
            yield ways
        finally:
            sys.settrace(None)


class Listener(logging.Handler):
    """What TorchDynamo logs of recompilations and of their limit."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.recompiled: list[str] = []
        self.limit = False

    def emit(self, record: logging.LogRecord) -> None:
        text = record.getMessage()
        if text.startswith("Recompiling function"):
            self.recompiled.append(text)
        self.limit = self.limit or "recompile_limit" in text


class Backend:
    """Runs graphs eagerly, and counts those that are compiled."""

    def __init__(self) -> None:
        self.graphs = 0

    def __call__(self, module: torch.fx.GraphModule, _: Any) -> Any:
        self.graphs += 1
        return module.forward


class AsModule(nn.Module):
    """What `torch.export` wants."""

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__()
        self.function = function

    def forward(self, *args: Any) -> Any:
        return self.function(*args)


def captured(program: Program, frontend: str, backend: Backend, args: tuple[Any, ...]) -> Any:
    """What a frontend makes of a program."""
    entry = program.entry
    if frontend == "trace":
        return torch.jit.trace(entry, args, check_trace=False)
    if frontend == "fx":
        return torch.fx.symbolic_trace(entry)
    if frontend == "script":
        return torch.jit.script(entry)
    if frontend == "export":
        return torch.export.export(entry if isinstance(entry, nn.Module) else AsModule(entry), args).module()
    if frontend in ("dynamo", "fullgraph"):
        return torch.compile(entry, backend=backend, fullgraph=frontend == "fullgraph")
    return entry


def run(path: str, entry: str, inputs: str, frontend: str, calls: list[str]) -> list[dict[str, Any]]:
    """The figures of each call; the first is the one that is captured with."""
    torch._dynamo.reset()
    counters.clear()
    decisions = Decisions(path)
    eager = Program(path, entry, inputs)
    expected = [_eagerly(eager, decisions, words, number) for number, words in enumerate(calls)]

    program, backend, listener = Program(path, entry, inputs), Backend(), Listener()
    function: Any = None
    _set_mode(program, None, calls[0])
    torch.manual_seed(0)
    failure = ""
    try:
        function = captured(program, frontend, backend, tuple(program.arguments(calls[0]).values()))
    except Exception as error:
        failure = f"{type(error).__name__}: {error}"
    logger = logging.getLogger("torch._dynamo")
    if frontend in ("dynamo", "fullgraph"):  # eager `torch.cond` compiles its sides by itself
        logger.addHandler(listener)
    extent = ""
    found = []
    try:
        for number, words in enumerate(calls):
            listener.recompiled.clear()
            answer, largest = "refused", None
            raised = failure
            if function is not None:
                answer, largest, raised = _compared(program, function, words, number, expected[number][0])
            if number == 0:
                extent = _extent(frontend, backend, bool(raised))
                if extent == "refused":
                    function, answer, failure = None, "refused", raised
            ways, before = expected[number][1], expected[0][1]
            found.append(
                {
                    "captured": extent,
                    "answer": answer,
                    "branches": _branches(decisions, answer, ways != before),
                    "recompiles": len(listener.recompiled),
                    "guards": list(listener.recompiled),
                    "limit": listener.limit,
                    "largest": largest,
                    "graphs": backend.graphs,
                    "ways": {str(line): ", ".join(map(str, came)) for line, came in ways.items()},
                    "lines": sorted(decisions.tests),
                    "raised": raised,
                }
            )
    finally:
        logger.removeHandler(listener)
    return found


def _set_mode(program: Program, function: Any, words: str) -> None:
    for module in (program.entry, function):
        if isinstance(module, nn.Module) and module.training != program.trains(words):
            module.train(program.trains(words))


def _eagerly(program: Program, decisions: Decisions, words: str, seed: int) -> tuple[Any, Ways]:
    _set_mode(program, None, words)
    torch.manual_seed(seed)
    arguments = program.arguments(words)
    torch.manual_seed(seed)
    with decisions.watched() as ways:
        value = program.entry(**arguments)
    return value, ways


def _compared(program: Program, function: Any, words: str, seed: int, expected: Any) -> tuple[str, float | None, str]:
    try:
        _set_mode(program, function, words)
        torch.manual_seed(seed)
        got = function(*program.arguments(words).values())
    except Exception as error:
        return "error", None, f"{type(error).__name__}: {error}"
    largest = None
    if got.shape == expected.shape:
        largest = float((got.double() - expected.double()).abs().max())
    try:
        torch.testing.assert_close(got, expected, equal_nan=True)
    except AssertionError:
        return "wrong", largest, ""
    return "right", largest, ""


def _extent(frontend: str, backend: Backend, raised: bool) -> str:
    if frontend == "eager":
        return "eager"
    if raised:
        return "refused"
    if frontend not in ("dynamo", "fullgraph"):
        return "whole"
    if backend.graphs == 0:
        return "nothing"
    if frontend == "fullgraph":  # or it would have raised an error
        return "whole" if backend.graphs == 1 else "parts"
    frames = counters["frames"]
    return "whole" if backend.graphs == frames["ok"] == frames["total"] == 1 else "parts"


def _branches(decisions: Decisions, answer: str, otherwise: bool) -> str:
    """Whether the capture followed is told by its answers: in these programs, each side gives another."""
    if answer in ("refused", "error"):
        return "refused"
    if not decisions.tests:
        return "none"
    if not otherwise:
        return "same way"
    return "kept" if answer == "right" else "lost"


def main() -> None:
    """Answer until there are no more questions. What the programs print goes to standard error."""
    answers, sys.stdout = sys.stdout, sys.stderr
    torch.set_num_threads(1)
    torch._logging.set_logs(recompiles=True)
    for line in sys.stdin:
        figures = run(**json.loads(line))
        foreign = sorted(
            {name.partition(".")[0] for name in sys.modules} & {"runtime_probe", "capture_lsp", "analyzer"}
        )
        print(json.dumps({"figures": figures, "foreign": foreign}), file=answers, flush=True)


if __name__ == "__main__":
    main()
