"""What Triton's frontend says of a kernel: it is lowered to Triton IR for a GPU target, which needs no GPU."""

from __future__ import annotations

import importlib.util
import itertools
import os
import re
import tempfile
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import Any

_NUMBER = itertools.count()
_AT = re.compile(r"^at (\d+):(\d+):")


@dataclass(frozen=True)
class Verdict:
    """`line` is 1-based in the file, or None if Triton names no place."""

    refused: bool
    line: int | None = None
    kind: str = ""
    message: str = ""


def load(source: str, folder: str) -> ModuleType:
    """Import a source text from a file of its own: `@triton.jit` reads its source back."""
    name = f"kernel_case_{next(_NUMBER)}"
    path = os.path.join(folder, name + ".py")
    with open(path, "w", encoding="utf-8") as stream:
        stream.write(source)
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def lower(kernel: Any, signature: Mapping[str, str], constexprs: Mapping[str, Any]) -> None:
    """Lower one kernel to verified Triton IR; raises what Triton raises."""
    from triton._C.libtriton import ir
    from triton.backends.compiler import GPUTarget
    from triton.compiler.compiler import ASTSource, make_backend

    names = kernel.arg_names
    full = {n: "constexpr" if n in constexprs else signature[n] for n in names if n in constexprs or n in signature}
    source = ASTSource(fn=kernel, signature=full, constexprs={(names.index(n),): v for n, v in constexprs.items()})
    source.hash()  # looks up what the kernel refers to, as a launch does
    target = GPUTarget("cuda", 90, 32)
    backend = make_backend(target)
    options = backend.parse_options({})
    context = ir.context()
    ir.load_dialects(context)
    backend.load_dialects(context)
    source.make_ir(target, options, backend.get_codegen_implementation(options), backend.get_module_map(), context)


def _place(error: BaseException, kernel: Any) -> int | None:
    """The innermost place named in a chain of compilation errors, as a line of the file."""
    line = None
    seen: BaseException | None = error
    while seen is not None:
        match = _AT.match(str(seen))
        if match and getattr(seen, "src", None) is not None:
            node = getattr(seen, "node", None)
            # a helper's error counts lines from its own def
            start = _start(seen.src, kernel)  # type: ignore[attr-defined]
            if node is not None and start is not None:
                line = start + node.lineno - 1
        seen = seen.__cause__
    return line


def _start(src: str, kernel: Any) -> int | None:
    if src == kernel.src:
        return int(kernel.def_file_line_number)
    for value in kernel.__globals__.values():
        if getattr(value, "src", None) == src:
            return int(value.def_file_line_number)
    return None


def judge(
    source: str,
    entry: str = "kernel",
    signature: Mapping[str, str] | None = None,
    constexprs: Mapping[str, Any] | None = None,
) -> Verdict:
    """Load `source` and lower the kernel named `entry`."""
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            module = load(source, folder)
        except Exception as error:
            return Verdict(True, None, type(error).__name__, str(error).strip().splitlines()[-1][:200])
        kernel = getattr(module, entry)
        while not hasattr(kernel, "def_file_line_number"):
            kernel = kernel.fn
        try:
            lower(kernel, signature or {}, constexprs or {})
        except Exception as error:
            text = str(error).strip().splitlines() or [""]
            return Verdict(True, _place(error, kernel), type(error).__name__, text[-1][:200])
    return Verdict(False)
