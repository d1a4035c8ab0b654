# ruff: noqa: E402 - the thread limits must be set before torch is imported
"""Measures what each frontend of real PyTorch does with a piece of Python inside a function that works on tensors.

A case is a snippet (an expression or statements) that sees `x`, a float tensor. It is measured in the middle of

    def f(x):
        a = x + 1
        r = SNIPPET
        return a * 2

under TorchDynamo (defaults, fullgraph, result returned), torch.jit.trace, torch.fx and torch.jit.script. Every case
runs in a child forked from a parent that has torch imported and Dynamo warmed up: nothing that a snippet does reaches
another case. Graph breaks are read from the `graph_breaks` logging artifact, since `torch._dynamo.explain()` misses
skipped frames.
"""

from __future__ import annotations

import os

for _variable in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ[_variable] = "1"  # a child forked after a parallel region hangs

import ast
import contextlib
import functools
import gc
import io
import json
import linecache
import logging
import pathlib
import re
import select
import signal
import sys
import tempfile
import textwrap
import time
import traceback
import types
import warnings
import zlib
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import torch
import torch._dynamo
import torch.fx

torch.set_num_threads(1)
warnings.simplefilter("ignore")

GRAPH_BREAK_ID = re.compile(r"gb(\d{4})\.html|GB(\d{4})")
WORK = pathlib.Path(tempfile.mkdtemp(prefix="knowledge-"))
TIMEOUT_S = 60.0


class BreakLog(logging.Handler):
    """Collects the ids and titles of graph breaks."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.found: list[str] = []
        self.titles: list[str] = []
        self.skipped = False

    def emit(self, record: logging.LogRecord) -> None:
        text = record.getMessage()
        if "Skipping the frame" in text or "skipping the frame" in text or "GB7000" in text or "gb7000" in text:
            self.skipped = True
        if "suppressed" in text:
            return
        ids = GRAPH_BREAK_ID.findall(text)
        identifier = "GB" + (ids[0][0] or ids[0][1]) if ids else "GB0170" if "data-dependent" in text else "?"
        if identifier not in self.found:
            self.found.append(identifier)
        line = next(
            (t for t in text.splitlines() if t.strip() and "Graph break" not in t and "User code" not in t), text
        )
        self.titles.append(line.strip())


def skips_frame(titles: list[str]) -> bool:
    """Whether Dynamo gave up on a frame: only breaks that it can resume after are logged with a reason."""
    return any(not t.startswith(("Graph Break Reason", "torch.compile will skip")) for t in titles)


@contextlib.contextmanager
def break_log() -> Iterator[BreakLog]:
    """The graph breaks that Dynamo logs inside the block."""
    torch._logging.set_logs(graph_breaks=True)
    handler = BreakLog()
    loggers = [
        logging.getLogger(name) for name in list(logging.root.manager.loggerDict) if name.endswith(".__graph_breaks")
    ]
    for logger in loggers:
        for old in list(logger.handlers):
            logger.removeHandler(old)
        logger.addHandler(handler)
        logger.propagate = False
    try:
        yield handler
    finally:
        for logger in loggers:
            logger.removeHandler(handler)


class Graphs:
    """A backend that runs the graphs as they are and counts them."""

    def __init__(self) -> None:
        self.compiled = 0

    def __call__(self, gm: torch.fx.GraphModule, _inputs: list[torch.Tensor]) -> Callable[..., Any]:
        self.compiled += 1
        return gm.forward


def num(value: Any) -> Any:
    """A number that changes when `value` does, so that a frozen value shows in the output."""
    if isinstance(value, torch.Tensor):
        return value.sum() if value.is_floating_point() else value.float().sum()
    if isinstance(value, (bool, int, float)) and abs(value) < 1000:
        return float(value)
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (list, tuple)):
        total: Any = 0
        for item in value:
            total = total * 3 + num(item)
        return total
    try:
        text = re.sub(r"0x[0-9a-f]+", "", repr(value))
    except Exception:
        return 0.0
    return float(zlib.crc32(text.encode()) % 997)


def is_expression(code: str) -> bool:
    try:
        ast.parse(code, mode="eval")
    except SyntaxError:
        return False
    return True


def function_source(code: str, end: str) -> str:
    """The source of the measured function `f`."""
    body = f"r = {code}" if is_expression(code) else code
    if end == "return a * 2, r" and not is_expression(code) and not re.search(r"\br\b\s*=", code):
        end = "return a * 2"
    lines = ["a = x + 1", *textwrap.dedent(body).splitlines(), end]
    return "def f(x):\n" + textwrap.indent("\n".join(lines), "    ") + "\n"


_serial = 0


def load(prelude: str, source: str) -> types.ModuleType:
    """A module with the prelude and `source`, from a real file (jit.script reads it)."""
    global _serial
    _serial += 1
    name = f"snippet_{os.getpid()}_{_serial}"
    path = WORK / f"{name}.py"
    text = prelude + "\n\n" + source
    path.write_text(text)
    module = types.ModuleType(name)
    module.__file__ = str(path)
    sys.modules[name] = module
    module.__dict__["num"] = num
    exec("import torch.fx\ntorch.fx.wrap('num')", module.__dict__)
    exec(compile(text, str(path), "exec"), module.__dict__)
    linecache.checkcache(str(path))
    return module


def perturb(step: int) -> None:
    """Changes what the outside world would answer."""
    os.environ["CAPTURE_A"] = str(step)
    os.environ["PYTHONBREAKPOINT"] = "0"
    flag = WORK / "flag"
    if step % 2:
        flag.write_text(str(step))
    else:
        flag.unlink(missing_ok=True)
    (WORK / "content").write_text(f"{step}\n" * (step + 1))
    folder = WORK / f"cwd{step}"
    folder.mkdir(exist_ok=True)
    os.chdir(folder)


def same(left: Any, right: Any) -> bool:
    if isinstance(left, torch.Tensor) and isinstance(right, torch.Tensor):
        return left.shape == right.shape and torch.allclose(left.float(), right.float(), rtol=1e-7, equal_nan=True)
    if isinstance(left, (tuple, list)) and isinstance(right, (tuple, list)):
        return len(left) == len(right) and all(same(a, b) for a, b in zip(left, right))
    if isinstance(left, (int, float, str, bytes, bool)):
        return left == right
    return True


def first_line(error: BaseException) -> str:
    lines = [t.strip() for t in str(error).splitlines() if t.strip()]
    text = re.sub(r"\S*snippet_\d+_\d+(\.py)?", "snippet", lines[0]) if lines else ""
    return f"{type(error).__name__}: {text}"[:160]


def inputs(step: int) -> torch.Tensor:
    torch.manual_seed(step)
    return torch.rand(4 + step) + 1 + step


def run_dynamo(prelude: str, code: str, end: str, **options: Any) -> dict[str, Any]:
    """What torch.compile does with the case."""
    torch._dynamo.reset()
    torch._dynamo.utils.counters.clear()
    perturb(0)
    f = load(prelude, function_source(code, end)).f
    graphs = Graphs()
    result: dict[str, Any] = {}
    with break_log() as log:
        compiled = torch.compile(f, backend=graphs, **options)
        try:
            got = compiled(inputs(0))
            result["outcome"] = "break" if log.found else "ok"
            if end.endswith(", r") and not log.found:
                perturb(0)
                want = f(inputs(0))
                perturb(0)
                if not same(got, want) and same(want, f(inputs(0))):
                    result["outcome"] = "wrong"
                    result["message"] = f"{got[1]!r} instead of {want[1]!r}"[:120]
                perturb(1)
                got = compiled(inputs(0))
                perturb(1)
                want = f(inputs(0))
                perturb(1)
                if result["outcome"] == "ok" and not same(got, want) and same(want, f(inputs(0))):
                    result["outcome"] = "freezes"
        except Exception as error:
            result["outcome"] = "error"
            result["message"] = first_line(error)
            ids = GRAPH_BREAK_ID.findall(str(error))
            if ids and not log.found:
                log.found.append("GB" + (ids[0][0] or ids[0][1]))
    frames = torch._dynamo.utils.counters["frames"]
    result.update(
        gb=[g for g in log.found if g != "GB7000"] or log.found,
        titles=log.titles[:2],
        graphs=graphs.compiled,
        skipped=log.skipped,
        frames=dict(frames),
    )
    return result


def run_trace(prelude: str, code: str) -> dict[str, Any]:
    perturb(0)
    end = "return a * num(r)" if is_expression(code) or re.search(r"\br\b\s*=", code) else "return a * 2"
    f = load(prelude, function_source(code, end)).f
    try:
        traced = torch.jit.trace(f, (inputs(0),), check_trace=False)
    except Exception as error:
        return {"outcome": "error", "message": first_line(error)}
    perturb(1)
    try:
        got = traced(inputs(1))
    except Exception as error:
        return {"outcome": "freezes", "message": "replay: " + first_line(error)}
    want = f(inputs(1))
    return {"outcome": "ok" if same(got, want) else "freezes"}


def run_fx(prelude: str, code: str) -> dict[str, Any]:
    perturb(0)
    end = "return a * num(r)" if is_expression(code) or re.search(r"\br\b\s*=", code) else "return a * 2"
    f = load(prelude, function_source(code, end)).f
    try:
        traced = torch.fx.symbolic_trace(f)
    except Exception as error:
        return {"outcome": "refused", "message": first_line(error)}
    perturb(1)
    try:
        got = traced(inputs(1))
    except Exception as error:
        return {"outcome": "refused", "message": "replay: " + first_line(error)}
    want = f(inputs(1))
    return {"outcome": "ok" if same(got, want) else "freezes"}


def run_script(prelude: str, code: str) -> dict[str, Any]:
    perturb(0)
    f = load(prelude, function_source(code, "return a * 2")).f
    try:
        torch.jit.script(f)
    except Exception as error:
        return {"outcome": "refused", "message": first_line(error)}
    return {"outcome": "ok"}


def run_eager(prelude: str, code: str) -> dict[str, Any]:
    perturb(0)
    module = load(prelude, function_source(code, "return a * 2, r" if is_expression(code) else "return a * 2"))
    try:
        out = module.f(inputs(0))
    except Exception as error:
        return {"outcome": "error", "message": first_line(error)}
    kind = type(out[1]).__name__ if isinstance(out, tuple) else "-"
    return {"outcome": "ok", "type": kind}


def measure(prelude: str, code: str) -> dict[str, Any]:
    """All measurements of one snippet, in this process."""
    eager = run_eager(prelude, code)
    if eager["outcome"] == "error":
        return {"eager": eager}
    returned = run_dynamo(prelude, code, "return a * 2, r")
    dynamo = returned if returned["outcome"] == "ok" else run_dynamo(prelude, code, "return a * 2")
    dynamic = fullgraph = None
    if "shape" in code and dynamo["outcome"] == "ok":
        dynamic = run_dynamo(prelude, code, "return a * 2, r", dynamic=True)
    if dynamo["outcome"] == "break" and not dynamo["skipped"]:
        fullgraph = run_dynamo(prelude, code, "return a * 2", fullgraph=True)
    return {
        "eager": eager,
        "dynamo": dynamo,
        "returned": returned,
        "dynamic": dynamic,
        "fullgraph": fullgraph,
        "trace": run_trace(prelude, code),
        "fx": run_fx(prelude, code),
        "script": run_script(prelude, code),
    }


def in_child(work: Callable[[], Any], timeout_s: float = TIMEOUT_S) -> Any:
    """Runs `work` in a forked child and returns its JSON-able result, or {"died": reason}."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.setsid()
        os.close(read)
        null = os.open(os.devnull, os.O_RDWR)
        for descriptor in (0, 1, 2):
            os.dup2(null, descriptor)
        sys.stdin = io.StringIO("1\n1\n1\n1\n1\n1\n1\n1\n1\n1\n")
        try:
            answer = json.dumps(work())
        except BaseException:
            answer = json.dumps({"died": traceback.format_exc()[-400:]})
        data = answer.encode()
        while data:
            data = data[os.write(write, data) :]
        os._exit(0)
    os.close(write)
    chunks: list[bytes] = []
    end = time.monotonic() + timeout_s
    while True:
        ready, _, _ = select.select([read], [], [], max(0.0, end - time.monotonic()))
        if not ready:
            os.killpg(child, signal.SIGKILL)
            break
        chunk = os.read(read, 1 << 16)
        if not chunk:
            break
        chunks.append(chunk)
    os.close(read)
    _, status = os.waitpid(child, 0)
    if not chunks:
        return {"died": f"status {status}"}
    try:
        return json.loads(b"".join(chunks))
    except ValueError:
        return {"died": f"cut off, status {status}"}


def warm_up(prelude: str) -> None:
    """Imports what the prelude imports and lazily loaded parts of torch once, in the parent."""
    load(prelude, "")
    with break_log():
        for code in ("print('')", "float(x.shape[0])", "[t for t in (x, x)]"):
            measure("", code)
    torch._dynamo.reset()


def run_all(prelude: str, cases: Iterable[tuple[str, str]], out: pathlib.Path) -> None:
    """Measures `(key, code)` pairs, appending JSON lines to `out`; pairs that are already there are left out."""
    done: set[tuple[str, str]] = set()
    if out.exists():
        for line in out.read_text().splitlines():
            row = json.loads(line)
            done.add((row["key"], row["code"]))
    todo = [c for c in cases if c not in done]
    if not todo:
        return
    stdout = os.dup(1)
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 1)
    warm_up(prelude)
    os.dup2(stdout, 1)
    gc.collect()
    gc.freeze()
    started = time.monotonic()
    with out.open("a") as sink:
        for count, (key, code) in enumerate(todo, 1):
            result = in_child(functools.partial(measure, prelude, code))
            sink.write(json.dumps({"key": key, "code": code, **result}) + "\n")
            sink.flush()
            if count % 50 == 0:
                print(f"{count}/{len(todo)} {time.monotonic() - started:.0f} s", file=sys.stderr)
