"""Which names the tables must cover: everything public in torch's main namespaces."""

from __future__ import annotations

import types
from typing import Any

import torch

NAMESPACES = ("torch", "torch.nn.functional", "torch.linalg", "torch.fft", "torch.special")
SKIPPED = {
    "torch": {
        "typename",
        "Any",
        "Callable",
        "ParamSpec",
        "TypeVar",
        "Union",
        "TYPE_CHECKING",
        "cast",
        "segment_reduce",
    },
    "torch.nn.functional": {
        "Callable",
        "DType",
        "Optional",
        "TYPE_CHECKING",
        "Union",
        "boolean_dispatch",
        "handle_torch_function",
        "has_torch_function",
        "has_torch_function_unary",
        "has_torch_function_variadic",
        "np",
        "importlib",
    },
}
#: Names that must not be called with guessed arguments (they end, block or reconfigure the process).
DANGEROUS = {
    "torch.set_default_device",
    "torch.set_default_tensor_type",
    "torch.compile",
    "torch.vmap",
    "torch.load",
    "torch.save",
    "torch.from_file",
    "torch.set_num_threads",
    "torch.set_num_interop_threads",
    "torch.thread_safe_generator",
}


def resolve(name: str) -> Any:
    value: Any = torch
    for part in name.split(".")[1:]:
        value = getattr(value, part)
    return value


def functions() -> list[str]:
    found = []
    for space in NAMESPACES:
        module = resolve(space)
        for name in sorted(dir(module)):
            if name.startswith("_") or name in SKIPPED.get(space, ()):
                continue
            try:
                value = getattr(module, name)
            except Exception:
                continue
            if isinstance(value, (type, types.ModuleType)) or not callable(value):
                continue
            if getattr(value, "__module__", "") in ("typing", "typing_extensions"):
                continue
            found.append(f"{space}.{name}")
    return found


def methods() -> tuple[list[str], list[str]]:
    """The methods and the attributes of Tensor."""
    calls, attributes = [], []
    for name in sorted(dir(torch.Tensor)):
        if name.startswith("_"):
            continue
        value = getattr(torch.Tensor, name, None)
        if callable(value):
            calls.append(f"Tensor.{name}")
        else:
            attributes.append(f"Tensor.{name}")
    return calls, attributes


def numpy_functions() -> list[str]:
    """Callables of numpy, its linalg, fft and random; methods of arrays."""
    import numpy as np

    found = []
    for space, module in (
        ("numpy", np),
        ("numpy.linalg", np.linalg),
        ("numpy.fft", np.fft),
        ("numpy.random", np.random),
    ):
        for name in sorted(dir(module)):
            value = getattr(module, name)
            if name.startswith("_") or isinstance(value, types.ModuleType) or not callable(value):
                continue
            if isinstance(value, type) and issubclass(value, (BaseException, Warning)):
                continue
            found.append(f"{space}.{name}")
    found += [f"numpy.ndarray.{n}" for n in sorted(dir(np.ndarray)) if not n.startswith("_")]
    return found


NUMPY_SKIPPED = {
    "numpy.test",
    "numpy.info",
    "numpy.save",
    "numpy.savez",
    "numpy.savez_compressed",
    "numpy.savetxt",
    "numpy.load",
    "numpy.fromfile",
    "numpy.show_config",
    "numpy.show_runtime",
    "numpy.memmap",
    "numpy.ndarray.tofile",
    "numpy.ndarray.dump",
    "numpy.linalg.test",
    "numpy.fft.test",
    "numpy.random.test",
    "numpy.setbufsize",
    "numpy.ndarray.resize",
    "numpy.ndarray.setflags",
}
