"""CAP727: removed-triton-function."""

from __future__ import annotations

from typing import ClassVar

from analyzer.flow.kernel_events import KernelRemoved
from analyzer.rule import Bad, Good, Reporter, Rule


class RemovedTritonFunction(Rule):
    r"""What it does
    Finds what Triton 3.9 no longer accepts and earlier versions did in a `@triton.jit` function:
    `tl.make_block_ptr`, `tl.advance`, more slices than a tensor has dimensions. Off by default.

    Why it matters
    Triton 3.9 removed block pointers, and checks the number of slices; both raise when the kernel is compiled.

    Example
    ```python
    p = tl.make_block_ptr(x_ptr, (n,), (1,), (0,), (BLOCK,), (0,))
    ```

    Use instead
    `tl.make_tensor_descriptor`, or blocks of pointers with a mask.

    Fix safety
    No fix is offered.

    References
    https://triton-lang.org/main/python-api/triton.language.html
    """

    code, name = "CAP727", "removed-triton-function"
    outcomes = {"triton": "refused"}
    default = False
    examples: ClassVar = [
        Bad(
            """\
import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr, n, BLOCK: tl.constexpr):
    p = tl.make_block_ptr(x_ptr, (n,), (1,), (0,), (BLOCK,), (0,))  # CAP727
    tl.store(p, 1.0)
""",
            entry='(kernel, {"x_ptr": "*fp32", "n": "i32"}, {"BLOCK": 128})',
            inputs="()",
        ),
        Good(
            """\
import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr, n, BLOCK: tl.constexpr):
    offs = tl.arange(0, BLOCK)
    tl.store(x_ptr + offs, 1.0, mask=offs < n)
""",
            entry='(kernel, {"x_ptr": "*fp32", "n": "i32"}, {"BLOCK": 128})',
            inputs="()",
            outcomes={"triton": "captured"},
        ),
    ]

    def on_kernel_removed(self, event: KernelRemoved, report: Reporter) -> None:
        report(event, f"Triton 3.9 refuses the kernel: {event.name} is no longer possible")
