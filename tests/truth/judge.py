"""The judge as a worker: JSON lines in, JSON lines out, torch imported once, every program in a process of its own.

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


def judge_in_child(request: dict[str, Any], frontend: str, path: str) -> dict[str, Any]:
    """Fork, judge, and read the verdict; a child that dies or takes too long gets the verdict `unknown`."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        _child(request, frontend, path, writing)
    os.close(writing)
    limit = float(request.get("timeout") or TIMEOUT)
    deadline, parts, late = time.monotonic() + limit, [], False
    while True:
        left = deadline - time.monotonic()
        ready = select.select([reading], [], [], max(left, 0))[0] if left > 0 else []
        if not ready:
            late = True
            break
        part = os.read(reading, 1 << 16)
        if not part:
            break
        parts.append(part)
    os.close(reading)
    try:
        os.killpg(child, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        if late:
            os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    try:
        if not late:
            return dict(json.loads(b"".join(parts)))
    except ValueError:
        pass
    reason = f"no verdict after {limit:.0f} s" if late else f"the process ended with status {status}"
    return {"outcome": "unknown", "message": reason, "lines": [], "ids": [], "breaks": [], "skipped": []}


def _die_with_parent() -> None:
    """A worker that is killed takes the program it judges with it (Linux)."""
    import ctypes

    kill_on_parent_death = 1
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(kill_on_parent_death, signal.SIGKILL)


def _child(request: dict[str, Any], frontend: str, path: str, writing: int) -> None:
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
        reply = judge(task, frontend)
        data = json.dumps(reply, default=str).encode()
    except BaseException as error:  # whatever the program does, the worker must hear of it
        text = f"the judge failed: {type(error).__name__}: {error}"
        if os.environ.get("JUDGE_TRACEBACK"):
            import traceback

            text += "\n" + traceback.format_exc()
        data = json.dumps({"outcome": "unknown", "message": text}).encode()
    with os.fdopen(writing, "wb") as out:
        out.write(data)
    os._exit(0)


def judge_request(request: dict[str, Any]) -> dict[str, Any]:
    """All frontends asked for, each in a child, the program in a folder that is removed afterwards."""
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
        verdicts = {frontend: judge_in_child(request, frontend, path) for frontend in request["frontends"]}
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
