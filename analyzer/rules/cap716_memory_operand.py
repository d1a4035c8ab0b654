"""CAP716: memory-operand."""

from __future__ import annotations

from typing import ClassVar

from analyzer.flow.kernel_events import KernelMemory
from analyzer.rule import Bad, Good, Reporter, Rule

PROBLEMS = {
    "pointer": "on a value that is no pointer",
    "mask-block": "has a block mask for a scalar pointer",
    "value-block": "of a block at a scalar pointer",
    "other": "has `other` without `mask`",
    "mask-type": "has a mask that is not boolean",
}


class MemoryOperand(Rule):
    r"""What it does
    Finds `tl.load`, `tl.store` and atomic operations whose operands do not fit: an address that is no pointer,
    a block of values or a block mask at a scalar pointer, `other` without `mask`, a mask that is not boolean.

    Why it matters
    The frontend refuses them.

    Example
    ```python
    x = tl.load(x_ptr, mask=offs < n)
    ```

    Use instead
    Add the block of offsets to the pointer: `tl.load(x_ptr + offs, mask=offs < n, other=0.0)`.

    Fix safety
    No fix is offered.

    References
    https://triton-lang.org/main/python-api/triton.language.html
    """

    code, name = "CAP716", "memory-operand"
    outcomes = {"triton": "refused"}
    examples: ClassVar = [
        Bad(
            """\
import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr, n, BLOCK: tl.constexpr):
    offs = tl.arange(0, BLOCK)
    x = tl.load(offs)  # CAP716
    tl.store(x_ptr + offs, x, mask=offs < n)
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
    x = tl.load(x_ptr, mask=offs < n)  # CAP716
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
def kernel(x_ptr, n, BLOCK: tl.constexpr):
    offs = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offs, other=0.0)  # CAP716
    tl.store(x_ptr + offs, x + n)
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
    x = tl.load(x_ptr + offs, mask=offs < n, other=0.0)
    tl.store(x_ptr + offs, x, mask=offs < n)
""",
            entry='(kernel, {"x_ptr": "*fp32", "n": "i32"}, {"BLOCK": 128})',
            inputs="()",
            outcomes={"triton": "captured"},
        ),
    ]

    def on_kernel_memory(self, event: KernelMemory, report: Reporter) -> None:
        report(event, f"Triton refuses the kernel: {event.call} {PROBLEMS[event.problem]}")
