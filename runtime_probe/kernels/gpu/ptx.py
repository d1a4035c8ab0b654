"""Triton source to PTX, with what the assembler says about registers. Needs Triton, and no GPU."""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
import tempfile
from dataclasses import dataclass
from typing import Any, Optional

_REGISTERS = re.compile(r"Used (\d+) registers")
_SPILLS = re.compile(r"(\d+) bytes spill stores")
_ARCHITECTURE = re.compile(r"^\.target\s+(\w+)", re.MULTILINE)


@dataclass
class Compiled:
    """PTX of a kernel; `registers` a thread, and `spills`, bytes a thread that did not fit into them."""

    ptx: str
    registers: Optional[int] = None
    spills: Optional[int] = None


def of_inductor(source: str, name: str) -> Compiled:
    """A kernel of Inductor's, as its wrapper has it: a module with one function. Expects the stand-in of a GPU."""
    from torch._inductor import config
    from torch._inductor.codecache import PyCodeCache

    off = {n: False for n in ("use_static_cuda_launcher", "use_static_triton_launcher") if hasattr(config, n)}
    with config.patch(off):
        kernel = getattr(PyCodeCache.load(source), name)
        kernel.precompile(warm_cache_only=True)
        results = [result.kernel for result in kernel.compile_results]
    return of_assembly(results[0].asm)


def of_assembly(assembly: Any) -> Compiled:
    """What Triton compiled."""
    ptx = assembly["ptx"]
    text = ptx.decode() if isinstance(ptx, bytes) else str(ptx)
    found = Compiled(text)
    said = assembler_says(text)
    registers, spills = _REGISTERS.search(said), _SPILLS.search(said)
    found.registers = int(registers.group(1)) if registers else None
    found.spills = int(spills.group(1)) if spills else None
    return found


def assembler_says(ptx: str) -> str:
    """What the assembler that comes with Triton says about a kernel; "" where none takes it. A release may bring two,
    of which only the newer one reads what it writes."""
    import triton

    folder = os.path.join(os.path.dirname(triton.__file__), "backends", "nvidia", "bin")
    architecture = _ARCHITECTURE.search(ptx)
    target = architecture.group(1) if architecture else "sm_80"
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "kernel.ptx")
        with open(path, "w", encoding="utf-8") as file:
            file.write(ptx)
        for name in ("ptxas-blackwell", "ptxas"):
            command = [os.path.join(folder, name), "-v", "--gpu-name", target, path, "-o", path + ".cubin"]
            with contextlib.suppress(OSError, subprocess.SubprocessError):
                done = subprocess.run(command, capture_output=True, text=True, timeout=60)
                if done.returncode == 0:
                    return done.stderr + done.stdout
    return ""
