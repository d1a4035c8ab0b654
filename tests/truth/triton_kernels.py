"""Compile @triton.jit kernels for a GPU target on a machine that has none, and say where Triton refuses."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from runtime_probe.subject import Instance

Kernel = tuple[Any, dict[str, str], dict[str, Any]]
#: What a kernel is compiled for when the program does not say: (backend, architecture, warp size).
TARGET = ("cuda", 90, 32)


@dataclass(frozen=True)
class Failure:
    """Why a kernel does not compile, and the lines of the program, innermost first."""

    message: str
    lines: list[int]


def kernels_of(program: Instance) -> list[Kernel]:
    """The entry's (kernel, signature, constants), else every kernel of the program that no other kernel calls."""
    from triton.runtime.jit import JITFunction

    entry = program.function
    if isinstance(entry, tuple) and entry:
        kernel = getattr(entry[0], "fn", entry[0]) if not isinstance(entry[0], JITFunction) else entry[0]
        constants = dict(entry[2]) if len(entry) > 2 else {}
        signature = {k: _type_name(v) for k, v in dict(entry[1]).items()}
        return [(kernel, signature | dict.fromkeys(constants, "constexpr"), constants)]
    found = {name: v for name, v in vars(program.module).items() if isinstance(v, JITFunction)}
    if isinstance(entry, JITFunction):
        found = {entry.fn.__name__: entry}
    called = {
        name
        for name in found
        for other, kernel in found.items()
        if other != name and re.search(rf"\b{re.escape(name)}\s*\(", str(kernel.src))
    }
    return [(kernel, *_guessed(kernel)) for name, kernel in found.items() if name not in called]


def _type_name(given: Any) -> str:
    return given if isinstance(given, str) else str(given)


def _guessed(kernel: Any) -> tuple[dict[str, str], dict[str, Any]]:
    """Argument types by the usual names: `*_ptr` points to floats, constants are 16, the rest are integers."""
    signature: dict[str, str] = {}
    constants: dict[str, Any] = {}
    for parameter in kernel.params:
        name = parameter.name
        if parameter.is_constexpr:
            signature[name] = "constexpr"
            default = getattr(parameter, "default", None)
            constants[name] = default if parameter.has_default else 16
        elif name.endswith("ptr") or name.startswith("ptr") or name in tuple("ABCXYZO"):
            signature[name] = "*fp32"
        elif name in ("eps", "scale", "alpha", "beta", "p", "value"):
            signature[name] = "fp32"
        else:
            signature[name] = "i32"
    return signature, constants


def warm_up() -> None:
    """Compile one kernel, so that children forked later need not hash Triton and start its tools once each."""
    from tests.truth.warm_kernel import warm_kernel

    with tempfile.TemporaryDirectory(prefix="judge-") as folder:
        os.environ["TRITON_CACHE_DIR"] = folder
        compile_kernel(warm_kernel, {"x_ptr": "*fp32", "n": "i32"}, {})


def compile_kernel(kernel: Any, signature: Mapping[str, str], constants: Mapping[str, Any]) -> Failure | None:
    """None if the kernel compiles for the target."""
    import triton
    from triton.backends.compiler import GPUTarget
    from triton.compiler import ASTSource

    try:
        source = ASTSource(fn=kernel, signature=dict(signature), constexprs=dict(constants))
        triton.compile(source, target=GPUTarget(*TARGET))
    except Exception as error:
        return Failure(_message(error), _lines(error, kernel))
    return None


def _message(error: BaseException) -> str:
    text = f"{type(error).__name__}: {' '.join(str(error).split())[:400]}"
    cause = error.__cause__
    return f"{text} <- {type(cause).__name__}: {str(cause)[:200]}" if cause is not None else text


def _lines(error: BaseException | None, kernel: Any) -> list[int]:
    """Triton counts from the kernel's `def`; an error inside a called kernel is the cause of one at the call."""
    lines: list[int] = []
    while error is not None:
        node, source = getattr(error, "node", None), getattr(error, "src", None)
        if node is not None and hasattr(node, "lineno"):
            lines.insert(0, node.lineno + _start(kernel, source) - 1)
        error = error.__cause__
    return lines


def _start(kernel: Any, source: Any) -> int:
    """The line of the program at which the source that an error speaks of begins."""
    text = str(getattr(kernel, "raw_src", "") and "".join(kernel.raw_src))
    begin = getattr(kernel, "starting_line_number", 1)
    if isinstance(source, str) and source not in text:
        for other in getattr(kernel, "__globals__", {}).values():
            if source == getattr(other, "src", None):
                kernel, text, begin = other, "".join(other.raw_src), other.starting_line_number
                break
    before_def = re.match(r"(?:.*\n)*?(?=[ \t]*def )", text)
    return int(begin) + (before_def.group(0).count("\n") if before_def else 0)
