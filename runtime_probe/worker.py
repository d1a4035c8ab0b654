"""Probes one target in a process of its own: loads the file once, then forks a process for each part.

A part that crashes or hangs takes only itself along. Where a fork is not possible (Windows, or CUDA was initialised
while the file was imported) one part runs here and the supervisor starts another worker for the next.
"""

from __future__ import annotations

import contextlib
import functools
import os
import signal
import sys
import traceback
from typing import Any, Callable, Dict, List, Optional

import torch

from runtime_probe.channel import LOST
from runtime_probe.job import Emit, Job, describe, one_line
from runtime_probe.matrix.isolate import mute
from runtime_probe.matrix.reference import reference_of
from runtime_probe.parts import part
from runtime_probe.subject import ExpressionSubject, LoadedFile, Subject
from runtime_probe.synthesis import NoInputs, capture_inputs, declared_inputs, file_entries, synthesise, with_init


class Refused(Exception):
    """The target cannot be probed; the message says why, and what to do."""


def work(job: Job, emit: Emit) -> None:
    """Run the job's parts and say in events what was found. A job without an entry runs the file as a program, and says
    which entries are left to be probed each on its own."""
    sys.argv = [job.path, *job.arguments]
    sys.path[:0] = [path for path in job.sys_path if path not in sys.path]
    try:
        if job.entry is not None:
            run_parts(resolve(job, emit), emit, job)
        elif job.options.get("discover") or _says_inputs(job.path):
            file = load(job)
            emit({"event": "left", "entries": list(said_inputs(file)) or file_entries(file)})
        else:
            from runtime_probe.program import run_program

            run_program(job, emit)
    except Refused as error:
        emit({"event": "failed", "message": str(error)})
    except KeyboardInterrupt as error:
        emit({"event": "failed", "message": f"KeyboardInterrupt{_user_place(error, job.path)}"})
    except BaseException as error:
        traceback.print_exc()
        emit({"event": "failed", "message": f"the probe failed: {describe(error)}"})


def run_parts(subject: Subject, emit: Emit, job: Job) -> None:
    """Every part of the job, each in a fork where that is possible; they share the run without capture."""
    forking = can_fork() and bool(job.options.get("fork", True))
    parts = job.parts_for(job.entry or "")
    if forking and reference_of(subject, job.limits.part).endless:
        parts = tuple(name for name in parts if name in ("dynamo", "simulate"))  # its start may still be learned from
    for number, name in enumerate(parts):
        if forking:
            fork_part(name, subject, emit, job)
        else:
            run_part(name, subject, emit, job)
            if number + 1 < len(parts):
                emit({"event": "restart", "parts": list(parts[number + 1 :])})
            return


def can_fork() -> bool:
    """Whether a child of this process can work as the process itself could."""
    return hasattr(os, "fork") and not torch.cuda.is_initialized()  # type: ignore[no-untyped-call]


def fork_part(name: str, subject: Subject, emit: Emit, job: Job) -> None:
    """Run a part in a child and wait for it; say so if it died."""
    child = os.fork()
    if child == 0:
        status = 1
        try:
            os.setsid()
            die_with_parent()
            mute()
            run_part(name, subject, emit, job)
            status = 0
        finally:
            with contextlib.suppress(Exception):
                sys.stdout.flush()
                sys.stderr.flush()
            os._exit(status)
    _, status = os.waitpid(child, 0)
    if status != 0:
        emit({"event": "crashed", "name": name, "pid": child, "message": death(status)})


def run_part(name: str, subject: Subject, emit: Emit, job: Job) -> None:
    """Run a part here; what it raises becomes an event."""
    emit({"event": "part", "name": name, "pid": os.getpid()})
    try:
        part(name)(subject, emit, job)
    except SystemExit as error:
        emit({"event": "failed", "name": name, "message": f"the program ends itself (sys.exit({error.code!r}))"})
    except MemoryError:
        emit({"event": "failed", "name": name, "message": "out of memory: try smaller inputs, or --fake"})
    except KeyboardInterrupt:
        emit({"event": "failed", "name": name, "message": "KeyboardInterrupt"})
        raise
    except BaseException as error:
        traceback.print_exc()
        emit({"event": "failed", "name": name, "message": describe(error) + _user_place(error, job.path)})
    else:
        emit({"event": "done", "name": name})


def death(status: int) -> str:
    """How a child ended, from `os.waitpid`."""
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        names: Dict[int, str] = {signal.SIGSEGV: "segmentation fault", signal.SIGABRT: "aborted"}
        if number == signal.SIGKILL:
            return "it was killed"
        return f"the program crashed ({names.get(number, signal.Signals(number).name)})"
    if os.WEXITSTATUS(status) == LOST:
        return "the program closed the descriptors of the probe"
    return f"the program ended itself (exit status {os.WEXITSTATUS(status)})"


def die_with_parent() -> None:
    """A process whose parent is killed dies with it (Linux)."""
    import ctypes

    kill_on_parent_death = 1
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(kill_on_parent_death, signal.SIGKILL)


def _says_inputs(path: str) -> bool:
    """Whether the file itself says what to call and how, in a comment or a function."""
    with contextlib.suppress(OSError), open(path, "rb") as file:
        text = file.read()
        return b"capture_inputs" in text or b"capture: inputs(" in text.replace(b"capture:inputs", b"capture: inputs")
    return False


def load(job: Job) -> LoadedFile:
    """Import the user's file; raises Refused with what to do about it."""
    file: LoadedFile = guarded(lambda: LoadedFile(job.path, job.module), job, "imports it")
    return file


def resolve(job: Job, emit: Emit) -> Subject:
    """The subject of a job: its inputs are those given, else those that the file says, else made up."""
    file = load(job)
    entry, inputs, made_up, note = job.entry or "", list(job.inputs), False, ""
    guarded(lambda: file.evaluate(entry), job, f"evaluates {entry}")
    if not inputs:
        inputs = guarded(lambda: said_inputs(file), job, "reads its inputs").get(entry, [])
    if inputs:
        init = job.init
        entry = guarded(lambda: with_init(entry, init), job, f"reads --init {init}") if init else entry
    else:
        found = guarded(lambda: synthesise(file, entry, job.init, job.limits.part / 2), job, f"looks for {entry}")
        entry, inputs, made_up, note = found.entry, list(found.inputs), True, found.note
    subject = ExpressionSubject(file, entry, inputs)
    emit({"event": "entry", "entry": entry, "inputs": inputs, "synthesised": made_up, "note": note})
    instance = guarded(subject.fresh, job, f"makes {entry}")
    if not callable(instance.function):
        raise Refused(f"{entry} is not callable: name a function, a module class or an expression that makes one")
    for number in range(len(inputs)):
        arguments = functools.partial(instance.arguments, number)
        guarded(arguments, job, f"makes the inputs {one_line(inputs[number], 80)}")
    return subject


def said_inputs(file: LoadedFile) -> Dict[str, List[str]]:
    """Entry → calls, as the file itself says in `# capture: inputs(...)` comments or a function `capture_inputs`."""
    with open(file.path, encoding="utf-8", errors="replace") as opened:
        said = declared_inputs(opened.read())
    said = {name[: -len(".forward")] if name.endswith(".forward") else name: calls for name, calls in said.items()}
    return {**(capture_inputs(file, file_entries(file)) or {}), **said}


def guarded(make: Callable[[], Any], job: Job, doing: str) -> Any:
    """Run user code; what it raises becomes a message."""
    try:
        return make()
    except Refused:
        raise
    except NoInputs as error:
        raise Refused(str(error)) from None
    except SyntaxError as error:
        if (error.filename or "<").startswith("<"):  # an expression of the request
            raise Refused(f"syntax error: {error.msg}, while the probe {doing}") from None
        where = f"{os.path.basename(error.filename or job.path)}:{error.lineno}"
        raise Refused(f"{where}: syntax error: {error.msg}") from None
    except ModuleNotFoundError as error:
        raise Refused(
            f"the file needs the module {error.name!r}, which {sys.executable} does not have: "
            "install it there, or choose another interpreter with --python"
        ) from None
    except SystemExit as error:
        raise Refused(
            f"the program ends itself (sys.exit({error.code!r})) while the probe {doing}: if it needs arguments, give "
            "them after --; or put its main part under `if __name__ == '__main__':`"
        ) from None
    except EOFError as error:
        raise Refused(
            f"the program reads its standard input{_user_place(error, job.path)}, which is empty in a probe"
        ) from None
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        if line_in(error, job.path) is not None:  # else it is an expression of the request that failed
            traceback.print_exc()
        raise Refused(f"{describe(error)}{_user_place(error, job.path)}, while the probe {doing}") from None


def _user_place(error: BaseException, path: str) -> str:
    """` (file.py:12)`: where in the user's file an error came up."""
    line = line_in(error, path)
    return f" ({os.path.basename(path)}:{line})" if line is not None else ""


def line_in(error: BaseException, path: str) -> Optional[int]:
    """The innermost line of a file on an error's traceback."""
    line: Optional[int] = None
    step = error.__traceback__
    while step is not None:
        if step.tb_frame.f_code.co_filename == path:
            line = step.tb_lineno
        step = step.tb_next
    return line
