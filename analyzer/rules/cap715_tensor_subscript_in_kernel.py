"""CAP715: tensor-subscript-in-kernel."""

from __future__ import annotations

from typing import ClassVar

from analyzer.flow.kernel_events import KernelIndex
from analyzer.rule import Bad, Good, Reporter, Rule


class TensorSubscriptInKernel(Rule):
    r"""What it does
    Finds a subscript of a tensor in a `@triton.jit` function other than `:` and `None`: a number, a tensor, a
    part of a slice, or a store to an element.

    Why it matters
    Blocks live in registers of many threads: they have no element access. Memory is addressed by pointers.

    Example
    ```python
    first = x[0]
    ```

    Use instead
    Compute a pointer (`tl.load(x_ptr + i)`), or select with a mask and reduce: `tl.sum(tl.where(offs == 0, x,
    0))`.

    Fix safety
    No fix is offered.

    References
    https://triton-lang.org/main/python-api/triton.language.html
    """

    code, name = "CAP715", "tensor-subscript-in-kernel"
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
    tl.store(x_ptr, x[0])  # CAP715
""",
            entry='(kernel, {"x_ptr": "*fp32", "n": "i32"}, {"BLOCK": 128})',
            inputs="()",
        ),
        Bad(
            """\
import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr, n, BLOCK: tl.constexpr):
    offs = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offs, mask=offs < n)
    x[0] = 1.0  # CAP715
    tl.store(x_ptr + offs, x)
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
    tl.store(x_ptr, x_ptr[n])  # CAP715
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
    first = tl.sum(tl.where(offs == 0, x, 0.0))
    y = x[:, None] + x[None, :]
    tl.store(x_ptr + offs, tl.sum(y, 1) + first + x.shape[0])
""",
            entry='(kernel, {"x_ptr": "*fp32", "n": "i32"}, {"BLOCK": 128})',
            inputs="()",
            outcomes={"triton": "captured"},
        ),
    ]

    def on_kernel_index(self, event: KernelIndex, report: Reporter) -> None:
        report(event, f"Triton refuses the kernel: {event.problem}")
