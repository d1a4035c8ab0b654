"""The judge as a worker: JSON lines in, JSON lines out, torch imported once, every program in a process of its
own, forked for each frontend.

A request: {"id", "source" or "path", "entry", "inputs", "variants", "frontends", "timeout"}. The frontend `same`
compares the program, without capture, with a second version of it, `other`. The reply: {"id", "verdicts":
{frontend: verdict}, "seconds"}; a verdict is what `frontends.Verdict` holds. Run as `python -m tests.truth.judge`.
"""

from __future__ import annotations

import os

for _name in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ[_name] = "1"  # a parallel region in the parent makes its forked children hang

import contextlib  # noqa: E402
import functools  # noqa: E402
import gc  # noqa: E402
import json  # noqa: E402
import resource  # noqa: E402
import select  # noqa: E402
import signal  # noqa: E402
import sys  # noqa: E402
import tempfile  # noqa: E402
import time  # noqa: E402
from typing import Any, TextIO  # noqa: E402

MEMORY = 12 << 30
TIMEOUT = 120.0
OTHER = "other.py"


def warm_up() -> None:
    """Import and touch what every child would otherwise load for itself."""
    import logging

    import torch

    torch.set_num_threads(1)
    logging.getLogger("torch").setLevel(logging.CRITICAL)
    import torch._dynamo
    import torch.export
    import torch.fx

    import tests.truth.frontends  # noqa: F401

    class Small(torch.nn.Module):
        def forward(self, x: Any) -> Any:
            return x.relu() + x.shape[0]

    x = torch.ones(2, 3)
    torch.compile(Small(), backend="eager")(x)
    torch.jit.trace(Small(), (x,), check_trace=False)  # type: ignore[no-untyped-call]
    torch.fx.symbolic_trace(Small())
    torch.export.export(Small(), (x,), dynamic_shapes=({0: torch.export.Dim.AUTO},), strict=False).module()
    torch._dynamo.reset()
    _replace_inductor()
    gc.collect()
    gc.freeze()


@functools.cache
def warm_up_triton() -> None:
    """The same for Triton, when the first kernel comes."""
    from tests.truth import triton_kernels

    with contextlib.suppress(ImportError):  # a child will say so
        triton_kernels.warm_up()


def _replace_inductor() -> None:
    """A program's own `torch.compile` runs its graphs eagerly: the same is captured, and nothing is generated."""
    import torch

    def run_eagerly(self: Any, model: Any, inputs: Any, **_: Any) -> Any:
        return model.forward

    torch._TorchCompileInductorWrapper.__call__ = run_eagerly  # type: ignore[method-assign, assignment]


def judge_in_child(request: dict[str, Any], path: str) -> dict[str, Any]:
    """Fork, judge, and read the verdicts; where a child dies or takes too long, those that are left are `unknown`."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        _child(request, path, writing)
    os.close(writing)
    limit = float(request.get("timeout") or TIMEOUT)
    verdicts: dict[str, Any] = {}
    rest, late = b"", False
    deadline = time.monotonic() + limit
    while True:
        left = deadline - time.monotonic()
        ready = select.select([reading], [], [], max(left, 0))[0] if left > 0 else []
        if not ready:
            late = True
            break
        part = os.read(reading, 1 << 16)
        if not part:
            break
        *lines, rest = (rest + part).split(b"\n")
        for line in lines:
            verdicts.update(json.loads(line))
            deadline = time.monotonic() + limit
    os.close(reading)
    try:
        os.killpg(child, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        if late:
            os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    reason = f"no verdict after {limit:.0f} s" if late else f"the process ended with status {status}"
    for frontend in request["frontends"]:
        missing = {"outcome": "unknown", "message": reason, "lines": [], "ids": [], "breaks": [], "skipped": []}
        verdicts.setdefault(frontend, missing)
    return verdicts


def _die_with_parent() -> None:
    """A worker that is killed takes the program it judges with it (Linux)."""
    import ctypes

    kill_on_parent_death = 1
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(kill_on_parent_death, signal.SIGKILL)


def _child(request: dict[str, Any], path: str, writing: int) -> None:
    told = 0
    try:
        os.setsid()
        _die_with_parent()
        seconds = int(float(request.get("timeout") or TIMEOUT))
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        nowhere = os.open(os.devnull, os.O_RDWR)
        for descriptor in (0, 1, 2):
            os.dup2(nowhere, descriptor)
        sys.stdout = sys.stderr = open(os.devnull, "w")  # noqa: SIM115
        folder = os.path.dirname(path)
        os.environ["TRITON_CACHE_DIR"] = os.path.join(folder, "triton")
        os.chdir(folder)
        from tests.truth.frontends import Task, judge

        calls = [request["inputs"], *(request.get("variants") or ())]
        task = Task(path, request["entry"], calls, os.path.join(folder, OTHER))
        for frontend, verdict in judge(task, request["frontends"]):
            _write(writing, {frontend: verdict})
            told += 1
    except BaseException as error:  # whatever the program does, the worker must hear of it
        text = f"the judge failed: {type(error).__name__}: {error}"
        if os.environ.get("JUDGE_TRACEBACK"):
            import traceback

            text += "\n" + traceback.format_exc()
        for frontend in request["frontends"][told:]:
            _write(writing, {frontend: {"outcome": "unknown", "message": text}})
    os._exit(0)


def _write(descriptor: int, told: dict[str, Any]) -> None:
    data = memoryview(json.dumps(told, default=str).encode() + b"\n")
    while data:
        data = data[os.write(descriptor, data) :]


def judge_request(request: dict[str, Any]) -> dict[str, Any]:
    """All frontends asked for, the program in a folder that is removed afterwards."""
    started = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="judge-") as folder:
        path = os.path.join(folder, request.get("name") or "program.py")
        source = request.get("source")
        if source is None:
            with open(request["path"], encoding="utf-8") as file:
                source = file.read()
        for name, text in ((path, source), (os.path.join(folder, OTHER), request.get("other"))):
            if text is not None:
                with open(name, "w", encoding="utf-8") as file:
                    file.write(text)
        if "triton" in request["frontends"]:
            warm_up_triton()
        verdicts = judge_in_child(request, path)
    return {"id": request.get("id"), "verdicts": verdicts, "seconds": round(time.monotonic() - started, 2)}


def serve(requests: TextIO, replies: TextIO) -> None:
    """Answer until the input ends."""
    for line in requests:
        if line.strip():
            replies.write(json.dumps(judge_request(json.loads(line))) + "\n")
            replies.flush()


def main() -> None:
    replies = os.fdopen(os.dup(1), "w")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    warm_up()
    serve(sys.stdin, replies)
    os._exit(0)  # native libraries complain at a regular end


if __name__ == "__main__":
    main()
