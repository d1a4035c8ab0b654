"""CAP717: block-shape-mismatch."""

from __future__ import annotations

from typing import ClassVar

from analyzer.flow.kernel_events import KernelOperation
from analyzer.rule import Bad, Good, Reporter, Rule


class BlockShapeMismatch(Rule):
    r"""What it does
    Finds operations on blocks in a `@triton.jit` function whose known sizes do not broadcast, and a reshape
    that changes the number of elements.

    Why it matters
    Sizes are part of the type; the frontend refuses sizes that differ unless one of them is 1.

    Example
    ```python
    a = tl.zeros((64,), tl.float32)
    b = tl.zeros((128,), tl.float32)
    c = a + b
    ```

    Use instead
    Use one block size for both, or insert an axis with `a[:, None]`.

    Fix safety
    No fix is offered.

    References
    https://triton-lang.org/main/python-api/triton.language.html
    """

    code, name = "CAP717", "block-shape-mismatch"
    outcomes = {"triton": "refused"}
    examples: ClassVar = [
        Bad(
            """\
import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr, n):
    a = tl.zeros((64,), tl.float32)
    b = tl.zeros((128,), tl.float32)
    tl.store(x_ptr + n, tl.sum(a + b))  # CAP717
""",
            entry='(kernel, {"x_ptr": "*fp32", "n": "i32"}, {})',
            inputs="()",
        ),
        Good(
            """\
import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr, n):
    a = tl.zeros((64,), tl.float32)
    b = tl.zeros((128,), tl.float32)
    tl.store(x_ptr + n, tl.sum(tl.sum(a[:, None] + b[None, :], 1), 0))
""",
            entry='(kernel, {"x_ptr": "*fp32", "n": "i32"}, {})',
            inputs="()",
            outcomes={"triton": "captured"},
        ),
    ]

    def on_kernel_operation(self, event: KernelOperation, report: Reporter) -> None:
        if event.shapes:
            report(event, f"Triton refuses the kernel: {event.problem}")
