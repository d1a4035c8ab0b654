"""CAP712: runtime-block-shape."""

from __future__ import annotations

from typing import ClassVar

from analyzer.flow.kernel_events import KernelShape
from analyzer.rule import Bad, Good, Reporter, Rule


class RuntimeBlockShape(Rule):
    r"""What it does
    Finds a size given to `tl.arange`, `tl.zeros`, `tl.full`, `tl.reshape`, `tl.broadcast_to` or
    `tl.static_range` that is a value of the running kernel, not a `tl.constexpr`, or a float.

    Why it matters
    Shapes are part of a block's type and must be known when the kernel is compiled. A plain assignment makes a
    number a tensor as well: write `N: tl.constexpr = 16`.

    Example
    ```python
    def kernel(x_ptr, n):
        offs = tl.arange(0, n)
    ```

    Use instead
    Annotate the parameter or local with `tl.constexpr`; take a constant block size and mask the rest.

    Fix safety
    No fix is offered.

    References
    https://triton-lang.org/main/python-api/triton.language.html
    """

    code, name = "CAP712", "runtime-block-shape"
    outcomes = {"triton": "refused"}
    examples: ClassVar = [
        Bad(
            """\
import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr, n):
    offs = tl.arange(0, n)  # CAP712
    tl.store(x_ptr + offs, 0.0)
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
    size = 16
    acc = tl.zeros((size,), tl.float32)  # CAP712
    tl.store(x_ptr + n, tl.sum(acc))
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
    for i in tl.static_range(n):  # CAP712
        tl.store(x_ptr + i, 0.0)
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
    half: tl.constexpr = BLOCK // 2
    offs = tl.arange(0, half)
    tl.store(x_ptr + offs, tl.zeros((half,), tl.float32), mask=offs < n)
""",
            entry='(kernel, {"x_ptr": "*fp32", "n": "i32"}, {"BLOCK": 128})',
            inputs="()",
            outcomes={"triton": "captured"},
        ),
    ]

    def on_kernel_shape(self, event: KernelShape, report: Reporter) -> None:
        if event.problem in ("runtime", "float"):
            what = "no constexpr" if event.problem == "runtime" else "a float; divide with //"
            report(event, f"Triton refuses the kernel: a size of {event.call} is {what}")
