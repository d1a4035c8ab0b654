"""CAP718: unsupported-kernel-operator."""

from __future__ import annotations

from typing import ClassVar

from analyzer.flow.kernel_events import KernelOperation
from analyzer.rule import Bad, Good, Reporter, Rule


class UnsupportedKernelOperator(Rule):
    r"""What it does
    Finds operators in a `@triton.jit` function that their operands do not have: `@`, `in`, `**` on tensors,
    `//` and bit operations on floats, arithmetic on pointers other than adding and subtracting integers.

    Why it matters
    The frontend refuses them.

    Example
    ```python
    y = x ** 2
    ```

    Use instead
    `tl.dot(a, b)`, `x * x`, `tl.floor(a / b)`, `(n == 1) | (n == 2)`.

    Fix safety
    No fix is offered.

    References
    https://triton-lang.org/main/python-api/triton.language.html
    """

    code, name = "CAP718", "unsupported-kernel-operator"
    outcomes = {"triton": "refused"}
    examples: ClassVar = [
        Bad(
            """\
import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr, n, BLOCK: tl.constexpr):
    offs = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offs, mask=offs < n)
    tl.store(x_ptr + offs, x ** 2)  # CAP718
""",
            entry='(kernel, {"x_ptr": "*fp32", "n": "i32"}, {"BLOCK": 128})',
            inputs="()",
        ),
        Bad(
            """\
import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr, n):
    a = tl.zeros((16, 16), tl.float32)
    c = a @ a  # CAP718
    tl.store(x_ptr + n, tl.sum(tl.sum(c, 1), 0))
""",
            entry='(kernel, {"x_ptr": "*fp32", "n": "i32"}, {})',
            inputs="()",
        ),
        Bad(
            """\
import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr, n):
    if n in (1, 2):  # CAP718
        tl.store(x_ptr, 1.0)
""",
            entry='(kernel, {"x_ptr": "*fp32", "n": "i32"}, {})',
            inputs="()",
        ),
        Bad(
            """\
import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr, n):
    half = tl.program_id(0) * 0.5
    tl.store(x_ptr + n, half // 2)  # CAP718
""",
            entry='(kernel, {"x_ptr": "*fp32", "n": "i32"}, {})',
            inputs="()",
        ),
        Good(
            """\
import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr, n, BLOCK: tl.constexpr):
    offs = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offs, mask=offs < n)
    if (n == 1) | (n == 2):
        x = x + BLOCK ** 2
    tl.store(x_ptr + offs, x * x + (n // 2))
""",
            entry='(kernel, {"x_ptr": "*fp32", "n": "i32"}, {"BLOCK": 128})',
            inputs="()",
            outcomes={"triton": "captured"},
        ),
    ]

    def on_kernel_operation(self, event: KernelOperation, report: Reporter) -> None:
        if not event.shapes:
            report(event, f"Triton refuses the kernel: {event.problem}")
