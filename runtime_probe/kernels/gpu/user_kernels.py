"""Triton kernels of the program itself: which are launched, with what, and whether they compile for a target.

Where there is no GPU the program is run on fakes that say that they are on one; a launch is noted and compiled, and
nothing is computed.
"""

from __future__ import annotations

import contextlib
import inspect
import os
import sys
from dataclasses import dataclass, field
from typing import Any, Dict, Iterator, List, Optional, Tuple
from unittest import mock

import torch
from torch.utils import _pytree as pytree

from runtime_probe.compare import difference, snapshot
from runtime_probe.job import describe, one_line, text_of
from runtime_probe.kernels.gpu import ptx, retarget, roofline, stand_in
from runtime_probe.kernels.gpu.devices import Device
from runtime_probe.matrix import isolate
from runtime_probe.report import Kernel, KernelError
from runtime_probe.subject import Instance, Subject


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


def of_file(subject: Subject) -> Dict[str, Any]:
    """The kernels of the subject's file, by name."""
    kind = _jit()
    if kind is None:
        return {}
    module = next((m for m in list(sys.modules.values()) if getattr(m, "__file__", None) == subject.path), None)
    found = {}
    for name, value in vars(module).items() if module is not None else ():
        inner = value
        while not isinstance(inner, kind) and hasattr(inner, "fn") and not callable(getattr(inner, "__code__", None)):
            inner = inner.fn  # the tuner around a kernel
        if isinstance(inner, kind) and inspect.getfile(inner.fn) == subject.path:
            found[name] = inner
    return found


def there_are(subject: Subject) -> bool:
    return bool(of_file(subject))


def compile_launched(subject: Subject, device: Device) -> Found:
    """Compile each kernel that the first call launches, for each set of types once."""
    found = Found()
    launches, error = _launches(subject, device)
    if not launches:
        reason = f" ({one_line(error, 200)})" if error else ""
        found.notes.append(f"the first call launches none of the file's Triton kernels{reason}")
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
            with contextlib.redirect_stderr(None):
                problem = _compile(launch, row)
            if problem is not None and problem not in found.errors:
                found.errors.append(problem)
    for row in found.kernels:
        row["bytes"] *= row["launches"]
        if row["ptx"]:
            row["predicted_us"] = round(roofline.of_kernel(device, row["launches"], row["bytes"], 0, "float32"), 3)
    return found


def _launches(subject: Subject, device: Device) -> Tuple[List[Launch], str]:
    """The launches of the first call, made on fakes, and why it did not run to its end."""
    from torch._subclasses.fake_tensor import FakeTensorMode

    launches: List[Launch] = []
    error = ""
    instance = subject.fresh()
    with stand_in.pretended(device), _noting(launches):
        mode = FakeTensorMode(allow_non_fake_inputs=True)

        def moved(value: Any) -> Any:
            if not isinstance(value, torch.Tensor):
                return value
            with mode:
                here = torch.empty_strided(value.size(), value.stride(), dtype=value.dtype)
            return retarget.fake(here)

        args, kwargs = pytree.tree_map(moved, instance.arguments(0))
        try:
            with mode, torch.no_grad():
                _on_fakes(instance, moved)(*args, **kwargs)
        except Exception as raised:
            error = describe(raised)
    return launches, error


def _on_fakes(instance: Instance, moved: Any) -> Any:
    """The program with its parameters on the GPU."""
    function = instance.function
    owner = getattr(function, "__self__", function)
    if isinstance(owner, torch.nn.Module):
        for module in owner.modules():
            for held in (module._parameters, module._buffers):
                held.update({name: moved(value) for name, value in held.items()})
    return function


@contextlib.contextmanager
def _noting(launches: List[Launch]) -> Iterator[None]:
    """Inside, a launch is noted. Tuners pass on the first of their configurations."""
    tuner = sys.modules.get("triton.runtime.autotuner")

    def run(kernel: Any, *args: Any, grid: Any = None, warmup: bool = False, **kwargs: Any) -> None:
        launches.append(Launch(kernel, args, kwargs))

    def tuned(self: Any, *args: Any, **kwargs: Any) -> Any:
        first = self.configs[0]
        return self.fn.run(*args, **{**kwargs, **first.all_kwargs()})

    with contextlib.ExitStack() as undo:
        undo.enter_context(mock.patch.object(_jit(), "run", run))
        if tuner is not None:
            undo.enter_context(mock.patch.object(tuner.Autotuner, "run", tuned))
        yield


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


def _compile(launch: Launch, row: Kernel) -> Optional[KernelError]:
    """Compile a kernel for a launch; what Triton refuses becomes an error with its line."""
    args = [value.dtype if isinstance(value, torch.Tensor) else value for value in launch.args]
    kwargs = {n: value.dtype if isinstance(value, torch.Tensor) else value for n, value in launch.kwargs.items()}
    try:
        made = ptx.of_assembly(_warmed(launch.kernel, args, kwargs).asm)
        row["ptx"], row["registers"], row["spills"] = True, made.registers, made.spills
    except Exception as error:
        row["ptx"] = False
        return _refused(error, launch.kernel)
    return None


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
    line, message = first, describe(error)
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
