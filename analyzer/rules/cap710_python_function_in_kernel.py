"""CAP710: python-function-in-kernel."""

from __future__ import annotations

from typing import ClassVar

from analyzer.flow.kernel_events import KernelHostCall, KernelName
from analyzer.flow.kernel_values import PythonFunction
from analyzer.rule import Bad, Good, Reporter, Rule


class PythonFunctionInKernel(Rule):
    r"""What it does
    Finds a `@triton.jit` function that calls a Python function: a helper without `@triton.jit`, a function of
    NumPy, torch or the standard library, or one of `math` with a tensor.

    Why it matters
    Only jit functions and `triton.language` are compiled. `math` works at compile time, on constexpr values.

    Example
    ```python
    def scale(x):
        return x * 2

    @triton.jit
    def kernel(x_ptr):
        tl.store(x_ptr, scale(tl.load(x_ptr)))
    ```

    Use instead
    Decorate the helper with `@triton.jit` (with `@triton.constexpr_function` if it computes constants); use
    `tl.sqrt` and its like for tensors.

    Fix safety
    No fix is offered.

    References
    https://triton-lang.org/main/python-api/triton.language.html
    """

    code, name = "CAP710", "python-function-in-kernel"
    outcomes = {"triton": "refused"}
    examples: ClassVar = [
        Bad(
            """\
import triton
import triton.language as tl

def scale(x):
    return x * 2


@triton.jit
def kernel(x_ptr, n):
    x = tl.load(x_ptr + n)
    tl.store(x_ptr + n, scale(x))  # CAP710
""",
            entry='(kernel, {"x_ptr": "*fp32", "n": "i32"}, {})',
            inputs="()",
        ),
        Bad(
            """\
import triton
import triton.language as tl

import math


@triton.jit
def kernel(x_ptr, n):
    x = tl.load(x_ptr + n)
    tl.store(x_ptr + n, math.sqrt(x))  # CAP710
""",
            entry='(kernel, {"x_ptr": "*fp32", "n": "i32"}, {})',
            inputs="()",
        ),
        Bad(
            """\
import triton
import triton.language as tl

import torch


@triton.jit
def kernel(x_ptr, n):
    x = tl.load(x_ptr + n)
    tl.store(x_ptr + n, torch.exp(x))  # CAP710
""",
            entry='(kernel, {"x_ptr": "*fp32", "n": "i32"}, {})',
            inputs="()",
        ),
        Good(
            """\
import triton
import triton.language as tl

import math


@triton.jit
def scale(x):
    return x * 2


@triton.jit
def kernel(x_ptr, n, BLOCK: tl.constexpr):
    x = tl.load(x_ptr + n)
    tl.store(x_ptr + n, scale(x) * math.sqrt(BLOCK))
""",
            entry='(kernel, {"x_ptr": "*fp32", "n": "i32"}, {"BLOCK": 128})',
            inputs="()",
            outcomes={"triton": "captured"},
        ),
    ]

    def on_kernel_name(self, event: KernelName, report: Reporter) -> None:
        if isinstance(event.value, PythonFunction):
            report(event, f"Triton refuses the kernel: `{event.name}` is no @triton.jit function")

    def on_kernel_host_call(self, event: KernelHostCall, report: Reporter) -> None:
        what = "takes no tensor of a kernel" if event.name.startswith("math.") else "is no Triton function"
        report(event, f"Triton refuses the kernel: `{event.name}` {what}")
