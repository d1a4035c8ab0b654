"""CAP713: block-size-not-power-of-two."""

from __future__ import annotations

from typing import ClassVar

from analyzer.flow.kernel_events import KernelShape
from analyzer.rule import Bad, Good, Reporter, Rule

PROBLEMS = {
    "power": "has a size that is no power of two",
    "empty": "has an empty range",
    "number": "wants a tuple as its shape",
}


class BlockSizeNotPowerOfTwo(Rule):
    r"""What it does
    Finds a constant size of a block that is not a power of two, an empty `tl.arange`, and a bare number where a
    shape is wanted.

    Why it matters
    Triton's blocks have power-of-two sizes only. The frontend refuses all others.

    Example
    ```python
    offs = tl.arange(0, 100)
    ```

    Use instead
    Round up (`triton.next_power_of_2` on the host) and mask: `mask = offs < 100`.

    Fix safety
    No fix is offered.

    References
    https://triton-lang.org/main/python-api/triton.language.html
    """

    code, name = "CAP713", "block-size-not-power-of-two"
    outcomes = {"triton": "refused"}
    examples: ClassVar = [
        Bad(
            """\
import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr, n):
    offs = tl.arange(0, 100)  # CAP713
    tl.store(x_ptr + offs, 0.0, mask=offs < n)
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
    acc = tl.zeros((3,), tl.float32)  # CAP713
    tl.store(x_ptr + n, tl.sum(acc))
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
    offs = tl.arange(0, 128)
    tl.store(x_ptr + offs, 0.0, mask=offs < 100)
""",
            entry='(kernel, {"x_ptr": "*fp32", "n": "i32"}, {})',
            inputs="()",
            outcomes={"triton": "captured"},
        ),
    ]

    def on_kernel_shape(self, event: KernelShape, report: Reporter) -> None:
        why = PROBLEMS.get(event.problem)
        if why is not None:
            report(event, f"Triton refuses the kernel: {event.call} {why}")
