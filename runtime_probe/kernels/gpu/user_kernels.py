"""Triton kernels of the program itself: which are launched, with what, and whether they compile for a target.

Where there is no GPU the program is run on fakes that say that they are on one; a launch is noted and compiled, and
nothing is computed.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import inspect
import os
import sys
import time
import traceback
from dataclasses import dataclass, field
from typing import Any, Dict, Iterator, List, Optional, Tuple
from unittest import mock

import torch
from torch.utils import _pytree as pytree

from runtime_probe.compare import difference, snapshot
from runtime_probe.dynamo import places
from runtime_probe.job import describe, one_line, text_of
from runtime_probe.kernels.gpu import ptx, retarget, roofline, stand_in
from runtime_probe.kernels.gpu.devices import Device
from runtime_probe.matrix import isolate
from runtime_probe.report import Kernel, KernelError
from runtime_probe.subject import Instance, Subject, owner_of


@dataclass
class Launch:
    """One call `kernel[grid](...)`."""

    kernel: Any
    args: Tuple[Any, ...]
    kwargs: Dict[str, Any]


@dataclass
class Found:
    kernels: List[Kernel] = field(default_factory=list)
    errors: List[KernelError] = field(default_factory=list)
    notes: List[str] = field(default_factory=list)


def _jit() -> Any:
    """Triton's class of kernels, if the program has imported it."""
    return getattr(sys.modules.get("triton.runtime.jit"), "JITFunction", None)


def there_are(subject: Subject) -> bool:
    """Whether a module of the program's own, not of an installed package, holds a kernel."""
    kind = _jit()
    if kind is None:
        return False
    for module in list(sys.modules.values()):
        path = getattr(module, "__file__", None)
        if isinstance(path, str) and (path == subject.path or _is_own(path)):
            if any(isinstance(_inner(value, kind), kind) for value in list(vars(module).values())):
                return True
    return False


def _inner(value: Any, kind: Any) -> Any:
    """The kernel in what tunes it."""
    while type(value).__module__.startswith("triton.") and not isinstance(value, kind) and hasattr(value, "fn"):
        value = value.fn
    return value


def _is_own(path: str) -> bool:
    return places.is_inside(path) and not places.is_packaged(path)


def compile_launched(subject: Subject, device: Device, seconds: float = 60.0) -> Found:
    """Compile each kernel that the first call launches, for each set of types once, in so much time."""
    until = time.monotonic() + seconds
    found = Found()
    launches, found.errors, error = _launches(subject, device)
    if error:
        found.notes.append(f"for the program's Triton kernels, the first call ends early: {one_line(error, 200)}")
    if not launches:
        if not error:
            found.notes.append("the first call launches none of the program's Triton kernels")
        return found
    known: Dict[Any, Kernel] = {}
    with stand_in.pretended(device):
        for launch in launches:
            key = _key(launch)
            if key in known:
                known[key]["launches"] += 1
                continue
            row = known[key] = _row(launch, device)
            found.kernels.append(row)
            try:
                compiled, problem = isolate.answer_of(functools.partial(_compiled, launch), until - time.monotonic())
                row.update(compiled)
            except isolate.Ended as ended:
                found.notes.append(f"{row['name']} is not compiled to PTX: {ended}")
                continue
            if problem is not None and problem not in found.errors:
                found.errors.append(problem)
    for row in found.kernels:
        row["bytes"] *= row["launches"]
        if row["ptx"]:
            row["predicted_us"] = round(roofline.of_kernel(device, row["launches"], row["bytes"], 0, "float32"), 3)
    return found


def _launches(subject: Subject, device: Device) -> Tuple[List[Launch], List[KernelError], str]:
    """The launches of the first call, made on fakes, those whose grid cannot be computed, and why the call did not run
    to its end."""
    from torch._subclasses.fake_tensor import FakeTensorMode

    launches: List[Launch] = []
    errors: List[KernelError] = []
    error = ""
    instance = subject.fresh()
    with stand_in.pretended(device), _noting(launches, errors):
        mode = FakeTensorMode(allow_non_fake_inputs=True)

        def moved(value: Any) -> Any:
            if not isinstance(value, torch.Tensor):
                return value
            with mode:
                here = torch.empty_strided(value.size(), value.stride(), dtype=value.dtype)
            return retarget.fake(here)

        args, kwargs = pytree.tree_map(moved, instance.arguments(0))
        try:
            with mode, torch.no_grad(), _launched_directly(), _on_fakes(instance, moved):
                instance.function(*args, **kwargs)
        except Exception as raised:
            error = describe(raised)
    return launches, errors, error


@contextlib.contextmanager
def _on_fakes(instance: Instance, moved: Any) -> Iterator[None]:
    """Inside, the program's parameters are on the GPU."""
    owner = owner_of(instance.function)
    modules = list(owner.modules()) if isinstance(owner, torch.nn.Module) else []
    kept: List[Tuple[Any, Dict[str, Any]]] = [
        (held, dict(held)) for module in modules for held in (module._parameters, module._buffers)
    ]
    try:
        for held, values in kept:
            held.update({name: moved(value) for name, value in values.items()})
        yield
    finally:
        for held, values in kept:
            held.update(values)


def _launched_directly() -> Any:
    """Inside, an operator of `torch.library.triton_op` launches its kernels itself."""
    with contextlib.suppress(ImportError, AttributeError):
        library: Any = importlib.import_module("torch._library.triton")
        return library.set_wrap_triton_enabled(False)
    return contextlib.nullcontext()


@contextlib.contextmanager
def _noting(launches: List[Launch], errors: List[KernelError]) -> Iterator[None]:
    """Inside, a launch is noted. Tuners pass on the first of their configurations."""
    tuner = sys.modules.get("triton.runtime.autotuner")

    def run(kernel: Any, *args: Any, grid: Any = None, warmup: bool = False, **kwargs: Any) -> None:
        launches.append(Launch(kernel, args, kwargs))
        try:
            _check_grid(kernel, grid, args, kwargs)
        except Exception as error:
            found = _refused_grid(error, kernel)
            errors.extend([found] if found not in errors else [])

    def tuned(self: Any, *args: Any, **kwargs: Any) -> Any:
        first = self.configs[0]
        return self.fn.run(*args, **{**kwargs, **first.all_kwargs()})

    with contextlib.ExitStack() as undo:
        undo.enter_context(mock.patch.object(_jit(), "run", run))
        if tuner is not None:
            undo.enter_context(mock.patch.object(tuner.Autotuner, "run", tuned))
        yield


def _check_grid(kernel: Any, grid: Any, args: Tuple[Any, ...], kwargs: Dict[str, Any]) -> None:
    """Compute a grid as Triton does; raises what the program's own function raises."""
    if callable(grid):
        names = kernel.signature.parameters
        try:
            bound = kernel.signature.bind(*args, **{name: value for name, value in kwargs.items() if name in names})
        except TypeError:
            return  # an argument is missing: the compilation says so
        bound.apply_defaults()
        grid = grid(dict(bound.arguments))
    if not 1 <= len(grid) <= 3:
        raise ValueError(f"the grid has {len(grid)} dimensions")


def _refused_grid(error: Exception, kernel: Any) -> KernelError:
    """An error of a grid at the line that computes it, else at the launch."""
    frames = [(frame.f_code.co_filename, line) for frame, line in traceback.walk_tb(error.__traceback__)]
    frames = [place for place in reversed(frames) if _is_own(place[0])]
    if not frames:
        stack = ((frame.f_code.co_filename, line) for frame, line in traceback.walk_stack(None))
        frames = [place for place in stack if _is_own(place[0])]
    path, line = frames[0] if frames else (kernel.fn.__code__.co_filename, kernel.fn.__code__.co_firstlineno)
    message = f"the grid of {kernel.fn.__name__} cannot be computed: {describe(error)}"
    return {"path": path, "line": line, "message": one_line(message, 400)}


def _key(launch: Launch) -> Any:
    """What a kernel is compiled for: types of tensors, and all else as it is."""

    def kind(value: Any) -> str:
        return str(value.dtype) if isinstance(value, torch.Tensor) else repr(value)

    return (
        launch.kernel.fn,
        tuple(map(kind, launch.args)),
        tuple((k, kind(v)) for k, v in sorted(launch.kwargs.items())),
    )


def _row(launch: Launch, device: Device) -> Kernel:
    code = launch.kernel.fn.__code__
    source, first = inspect.getsourcelines(launch.kernel.fn)
    tensors = [v for v in (*launch.args, *launch.kwargs.values()) if isinstance(v, torch.Tensor)]
    return {
        "graph": None,
        "name": launch.kernel.fn.__name__,
        "language": "triton",
        "source": "".join(source),
        "lines": {code.co_filename: f"{first}-{first + len(source) - 1}"},
        "nodes": [],
        "launches": 1,
        "bytes": sum(t.numel() * t.element_size() for t in tensors),
        "flops": 0,
        "eager_launches": 0,
        "eager_bytes": 0,
        "not_fused_because": [],
        "predicted_us": None,
        "measured_us": None,
        "target": device.key,
        "ptx": None,
        "registers": None,
        "spills": None,
        "backward": False,
    }


def _compiled(launch: Launch) -> Tuple[Dict[str, Any], Optional[KernelError]]:
    """Compile a kernel for a launch: fields of its row, and what Triton refuses, with its line."""
    args = [value.dtype if isinstance(value, torch.Tensor) else value for value in launch.args]
    kwargs = {n: value.dtype if isinstance(value, torch.Tensor) else value for n, value in launch.kwargs.items()}
    try:
        with contextlib.redirect_stderr(None):
            made = ptx.of_assembly(_warmed(launch.kernel, args, kwargs).asm)
    except Exception as error:
        return {"ptx": False}, _refused(error, launch.kernel)
    return {"ptx": True, "registers": made.registers, "spills": made.spills}, None


def _warmed(kernel: Any, args: List[Any], kwargs: Dict[str, Any]) -> Any:
    from triton.runtime.jit import MockTensor

    def mocked(value: Any) -> Any:
        return MockTensor(value) if isinstance(value, torch.dtype) else value

    return kernel.run(
        *map(mocked, args), grid=(1,), warmup=True, **{name: mocked(value) for name, value in kwargs.items()}
    )


def _refused(error: BaseException, kernel: Any) -> KernelError:
    """An error of Triton's at the line that it is about. One that a called function raised is the cause of others."""
    path, first = kernel.fn.__code__.co_filename, inspect.getsourcelines(kernel.fn)[1]
    line, message = first, describe(error).replace("dynamic_func()", f"{kernel.fn.__name__}()")
    step: Optional[BaseException] = error
    while step is not None:
        node = getattr(step, "node", None)
        if node is not None and hasattr(node, "lineno"):
            line = _line(kernel, node.lineno)
            cause = text_of(step.__cause__) if step.__cause__ is not None else ""
            message = cause or getattr(step, "error_message", None) or message
            break
        step = step.__cause__
    return {"path": path, "line": line, "message": one_line(str(message), 400)}


def _line(kernel: Any, line: int) -> int:
    """A line of the file from one that Triton counts, from the `def` on."""
    begins = getattr(kernel, "starting_line_number", None) or inspect.getsourcelines(kernel.fn)[1]
    source = inspect.getsource(kernel.fn).splitlines()
    decorators = next((n for n, text in enumerate(source) if text.lstrip().startswith(("def ", "async "))), 0)
    return int(begins) + decorators + line - 1


# the interpreter


def interpret(subject: Subject, seconds: float) -> List[KernelError]:
    """Run the first call twice on the processor: as it is, and with the file's kernels run by Triton's interpreter.
    Only where the program has another way without a GPU, which is then what it is compared with."""
    with contextlib.suppress(isolate.Ended):
        return list(isolate.answer_of(lambda: _compared(subject), seconds))
    return []


def _compared(subject: Subject) -> List[KernelError]:
    os.environ["TRITON_INTERPRET"] = "1"
    instance = subject.fresh()
    launched: List[Any] = []
    with _interpreting(launched):
        expected = instance.call(instance.function, 0)
    if launched or expected.error is not None:
        return []  # the kernels are the only way
    other = subject.fresh()
    with _interpreting(launched), mock.patch.object(torch.Tensor, "is_cuda", True, create=True):
        got = other.call(other.function, 0)
    if not launched:
        return []
    if got.error is not None:
        return []  # what the interpreter lacks is no error of the program
    found = difference(snapshot(expected.value), got.value)
    if found is None:
        return []
    kernel = launched[-1]
    path, first = kernel.fn.__code__.co_filename, inspect.getsourcelines(kernel.fn)[1]
    message = f"{kernel.fn.__name__} computes something else than the program without a GPU: {found}"
    return [{"path": path, "line": first, "message": one_line(message, 400)}]


@contextlib.contextmanager
def _interpreting(launched: List[Any]) -> Iterator[None]:
    def run(kernel: Any, *args: Any, grid: Any = None, warmup: bool = False, **kwargs: Any) -> None:
        from triton.runtime.interpreter import InterpretedFunction

        launched.append(kernel)
        InterpretedFunction(kernel.fn)[grid](*args, **kwargs)

    with mock.patch.object(_jit(), "run", run):
        yield
